import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

export interface AgentServiceArgs {
  image: pulumi.Input<string>;
  /** What each new revision is asked, and what its reply must be; otherwise, the last good revision is deployed again. */
  check: { question: string; expect: agentgraph.ExpectedAnswerArgs };
  /** By their names: what each is configured with, and what it is asked on a schedule. */
  assistants: Record<string, { context: Record<string, unknown>; asked?: { schedule: string; question: string } }>;
  /** The destination of the nightly export, and the first day that it covers (`YYYY-MM-DD`). */
  exports: { destinationId: pulumi.Input<string>; since: string };
}

const ask = (question: string) => ({ messages: [{ role: "user", content: question }] });

/** An agent with its assistants, their crons, and a nightly export of its traces. */
export class AgentService extends pulumi.ComponentResource {
  readonly url: pulumi.Output<string | undefined>;
  constructor(name: string, args: AgentServiceArgs, options?: pulumi.ComponentResourceOptions) {
    super("example:index:AgentService", name, {}, options);
    const image = { source: "external_docker", sourceRevisionConfig: { imageUri: args.image } } as const;
    const [graphId, { question, expect }] = ["agent", args.check];
    const verify = [{ ask: { assistantId: graphId, input: ask(question), expect } }];
    const agent = new agentgraph.Deployment(name, { ...image, verify }, { parent: this });
    const deploymentId = agent.id;
    // `deletedWith`: the server deletes all of these with the deployment, so a destroy sends no requests for them.
    const child = { parent: this, deletedWith: agent };
    for (const [key, { context, asked }] of Object.entries(args.assistants)) {
      const { id: assistantId } = new agentgraph.Assistant(`${name}-${key}`, { deploymentId, graphId, context }, child);
      const cron = asked && { deploymentId, assistantId, schedule: asked.schedule, input: ask(asked.question) };
      if (cron) new agentgraph.Cron(`${name}-${key}-cron`, cron, child);
    }
    const { destinationId: bulkExportDestinationId, since } = args.exports;
    const nightly = { startTime: `${since}T00:00:00Z`, intervalHours: 24, sessionId: agent.tracingProjectId };
    new agentgraph.ScheduledBulkExport(`${name}-nightly`, { bulkExportDestinationId, ...nightly }, { parent: this });
    this.url = agent.url;
    this.registerOutputs({ url: this.url });
  }
}
