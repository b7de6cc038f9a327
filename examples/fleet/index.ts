import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";
import { agentsOf, readFleet } from "./fleet.ts";

const fleet = readFleet();

const hello = { messages: [{ role: "user", content: "Hello" }] };

/** Declares the agents of one stack: those of a group in a stage, such as production-support. */
export default function declareAgents(): void {
  const stack = pulumi.getStack();
  const [stage] = stack.split("-");
  for (const { name, imageUri, secretName, resourceSpec } of agentsOf(fleet, stack)) {
    new agentgraph.Deployment(
      name,
      {
        name: `${name}-${stage}`,
        source: "external_docker",
        sourceConfig: { resourceSpec },
        sourceRevisionConfig: { imageUri },
        secretReferences: { MODEL_API_KEY: { secretName, secretKey: "model-api-key" } },
        // If a new revision of the canary group fails it, the last good one returns, and no other wave starts.
        verify: [{ ask: { assistantId: "agent", input: hello } }],
      },
      // Before an agent is removed from production, someone runs `pulumi state unprotect`.
      { protect: stage === "production" },
    );
  }
}
