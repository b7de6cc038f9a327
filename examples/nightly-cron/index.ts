import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: config.require("image") },
  waitFor: "healthy",
});

// Each night, a run of the graph on a new thread, which is kept so that people can read the summary.
const nightly = new agentgraph.Cron(
  "nightly-summary",
  {
    deploymentId: agent.id,
    assistantId: config.get("graph") ?? "agent",
    schedule: "0 3 * * *",
    timezone: "Europe/Berlin",
    input: { messages: [{ role: "user", content: "Summarize the conversations of yesterday." }] },
    metadata: { team: "support" },
    onRunCompleted: "keep",
  },
  { deletedWith: agent }, // not deleted separately: the server deletes it with its deployment
);

export const nextSummary = nightly.nextRunDate;
