import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

export interface AgentServiceArgs {
  image: pulumi.Input<string>;
  /** Metadata of the initial threads, by their names. */
  threads: Record<string, Record<string, string>>;
  /** The destination of the nightly export, and the first day that it covers (`YYYY-MM-DD`). */
  exports: { destinationId: pulumi.Input<string>; since: string };
}

/** An agent with its initial threads and a nightly export of its traces. */
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
      // `deletedWith`: a destroy of the deployment also deletes its threads, so no requests for them are needed.
      new agentgraph.Thread(`${name}-${thread}`, inputs, { parent: this, deletedWith: agent });
    }
    const { destinationId: bulkExportDestinationId, since } = args.exports;
    const nightly = { startTime: `${since}T00:00:00Z`, intervalHours: 24, sessionId: agent.tracingProjectId };
    new agentgraph.ScheduledBulkExport(`${name}-nightly`, { bulkExportDestinationId, ...nightly }, { parent: this });
    this.url = agent.url;
    this.registerOutputs({ url: this.url });
  }
}
