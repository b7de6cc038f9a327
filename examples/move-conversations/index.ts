import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// Another name replaces the deployment, whose database ends with it: its conversations move to the new one. Before that,
// `npm run rehearse` restores them to the server of `langgraph dev`, with the same graphs.
const agent = new agentgraph.Deployment("support", {
  name: config.get("name") ?? "support",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.0.0" },
  keepConversations: {
    // Everyone who can read this folder or bucket can read every conversation.
    at: config.get("backups") ?? "conversations",
    // Threads that wait for an answer ask their question again.
    waiting: "askAgain",
    busy: "5m",
    // The key sees all threads of this agent, so one without threads has none to lose.
    allowEmpty: true,
  },
});

// What is declared on the agent moves with it, and keeps its ID.
const welcome = new agentgraph.Thread("welcome", { deploymentId: agent.id, metadata: { graph_id: "agent" } });

export const url = agent.url;
export const thread = welcome.id;
