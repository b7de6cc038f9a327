import * as agentgraph from "pulumi-agentgraph";

// `npm run build` packs agent.tar.gz, as any pipeline of your own may. `up` creates the deployment, uploads the file and
// waits for the revision. The files in it count: packed again unchanged, it makes no revision.
const agent = new agentgraph.Deployment("packed-agent", {
  source: "internal_source",
  sourcePath: "agent.tar.gz",
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
});

export const url = agent.url;
export const digest = agent.sourceDigest;
