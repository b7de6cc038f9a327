/** One deployment, of an image or of a repository, whose configuration the stories change. */
const pulumi = require("@pulumi/pulumi");
const agentgraph = require(process.env.ACCEPTANCE_PACKAGE);

const config = new pulumi.Config();
const timeout = config.require("timeout");

const agent = new agentgraph.Deployment(
  "agent",
  {
    name: config.require("name"),
    ...config.requireObject("inputs"),
    secrets: { ACCEPTANCE_SECRET: pulumi.secret(process.env.ACCEPTANCE_SECRET + config.require("secret")) },
  },
  { import: config.get("import"), customTimeouts: { create: timeout, update: timeout, delete: timeout } },
);

exports.id = agent.id;
exports.url = agent.url;
exports.revision = agent.activeRevisionId;
