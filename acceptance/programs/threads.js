/** Threads of an agent server that exists, or of a deployment that the program declares. */
const pulumi = require("@pulumi/pulumi");
const agentgraph = require(process.env.ACCEPTANCE_PACKAGE);

const config = new pulumi.Config();
const timeout = config.require("timeout");

function serverOfThreads() {
  const deploymentUrl = config.get("agentUrl");
  if (deploymentUrl) return { deploymentUrl };
  const { id } = new agentgraph.Deployment(
    "agent",
    { name: config.require("name"), ...config.requireObject("inputs") },
    { customTimeouts: { create: timeout, update: timeout, delete: timeout } },
  );
  return { deploymentId: id };
}

const server = serverOfThreads();
const metadata = { acceptance: config.require("prefix"), run: config.require("run"), step: config.require("step") };
const empty = new agentgraph.Thread("empty", { ...server, metadata });
const graph = config.get("graph");
const values = { messages: [{ role: "user", content: "Hello from an acceptance test" }] };
const talk =
  graph &&
  new agentgraph.Thread("talk", {
    ...server,
    metadata: { ...metadata, graph_id: graph },
    supersteps: [{ updates: [{ asNode: "__start__", values }] }],
  });
const copy = new agentgraph.Thread("copy", { ...server, copyFrom: (talk || empty).id });

exports.url = empty.url;
exports.ids = { empty: empty.id, talk: talk ? talk.id : undefined, copy: copy.id };
