import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

const hours = { messages: [{ role: "user", content: "What are your opening hours?" }] };

// The checks run when a new revision is live. If one fails, so does the update, and the last good revision is restored.
const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: config.get("image") ?? "registry.example.com/support-agent:1.0.0" },
  verify: [
    { http: { path: "/info" } },
    // Change the name of the assistant to the name of your graph.
    { ask: { assistantId: "agent", input: hours, expect: { contains: "opening hours" } }, timeout: "1m" },
    // A model does not reply the same each time, so one question in ten may fail.
    { dataset: { path: "questions.jsonl", assistantId: "agent", minPassRate: 0.9 }, timeout: "1m" },
    // Conversations that wait for a person still find their node in the new graph.
    { conversations: {} },
    // Whatever else your own code can find out.
    { name: "replies in time", command: { args: ["node", "latency.mts"], inherit: ["PATH"] } },
  ],
});

export const url = agent.url;
export const verifiedRevisionId = agent.verifiedRevisionId;
