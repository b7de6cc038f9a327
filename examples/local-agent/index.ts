import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// The emulator runs ./agent as agents.yaml says. `pulumi up` returns when the agent is healthy.
const agent = new agentgraph.Deployment("greeter", {
  source: "internal_source",
  sourcePath: "agent",
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
  secrets: { MODEL_API_KEY: config.getSecret("modelKey") ?? "a-key-for-tests" },
  waitFor: "healthy",
});

// This agent keeps assistants and threads in memory. After a rollout, `pulumi up --refresh` creates them again.
const assistant = new agentgraph.Assistant("polite", {
  deploymentId: agent.id,
  graphId: "greeter",
  context: { greeting: "Good morning" },
});
const thread = new agentgraph.Thread("first", { deploymentId: agent.id, metadata: { purpose: "example" } });

export const url = agent.url;
export const assistantId = assistant.id;
export const threadId = thread.id;
