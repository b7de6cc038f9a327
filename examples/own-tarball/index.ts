import * as agentgraph from "pulumi-agentgraph";

// `npm run build` packs agent.tar.gz, as your pipeline may do. `pulumi up` uploads it and waits for the revision. The files in
// the tarball are compared, so packing the same files again creates no revision.
const agent = new agentgraph.Deployment("packed-agent", {
  source: "internal_source",
  sourcePath: "agent.tar.gz",
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
});

export const url = agent.url;
export const digest = agent.sourceDigest;
