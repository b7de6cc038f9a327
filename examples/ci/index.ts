import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

/** Returns a secret from the environment of the pipeline. @throws Error if it is missing, so that none is empty. */
function requiredSecret(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is empty: add the secret ${name} to the pipeline.`);
  return value;
}

const question = { messages: [{ role: "user", content: "What are your opening hours?" }] };

// A revision that fails its check makes the job fail, and is replaced with the last one that passed.
const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 4, cpu: 1, memoryMb: 2048 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.0.0" },
  secrets: { MODEL_API_KEY: pulumi.secret(requiredSecret("MODEL_API_KEY")) },
  verify: [{ ask: { assistantId: "agent", input: question, expect: { contains: "opening hours" } } }],
});

export const url = agent.url;
export const revision = agent.activeRevisionId;
