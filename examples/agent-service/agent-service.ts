import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

export interface AgentServiceArgs {
  image: pulumi.Input<string>;
  /** Conversations to begin with, by name, each with what it is found by. */
  threads: Record<string, Record<string, string>>;
  /** Where the runs of each day go, from which day on. */
  exports: { destinationId: pulumi.Input<string>; since: string };
}

/** What a team here means by an agent: it runs, there are conversations to try it with, and its runs are kept. */
export class AgentService extends pulumi.ComponentResource {
  readonly url: pulumi.Output<string | undefined>;

  constructor(name: string, args: AgentServiceArgs, options?: pulumi.ComponentResourceOptions) {
    super("example:index:AgentService", name, {}, options);
    const agent = new agentgraph.Deployment(
      name,
      { source: "external_docker", sourceRevisionConfig: { imageUri: args.image }, waitFor: "healthy" },
      { parent: this },
    );
    for (const [thread, metadata] of Object.entries(args.threads)) {
      const inputs = { deploymentId: agent.id, metadata: { graph_id: "agent", ...metadata } };
      // Threads go with their deployment: a destroy need not ask for them one by one.
      new agentgraph.Thread(`${name}-${thread}`, inputs, { parent: this, deletedWith: agent });
    }
    const { destinationId: bulkExportDestinationId, since } = args.exports;
    const nightly = { startTime: `${since}T00:00:00Z`, intervalHours: 24, sessionId: agent.tracingProjectId };
    new agentgraph.ScheduledBulkExport(`${name}-nightly`, { bulkExportDestinationId, ...nightly }, { parent: this });
    this.url = agent.url;
    this.registerOutputs({ url: this.url });
  }
}
