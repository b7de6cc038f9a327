import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";
import type { Agent } from "./fleet.ts";

// The agents of one stack: those of a group in a stage, such as production-support.
const stack = pulumi.getStack();
const [stage] = stack.split("-");

/** Reads fleet.yaml, unless the runner has: for each stack, that would take longer than to declare its agents. */
async function readAgents(): Promise<Agent[]> {
  const folder = process.env.FLEET_AGENTS;
  if (folder) return JSON.parse(readFileSync(`${folder}/${stack}.json`, "utf8"));
  const { agentsOf, readFleet } = await import("./fleet.ts");
  return agentsOf(readFleet(), stack);
}

for (const { name, imageUri, secretName, resourceSpec } of await readAgents()) {
  new agentgraph.Deployment(
    name,
    {
      name: `${name}-${stage}`,
      source: "external_docker",
      sourceConfig: { resourceSpec },
      sourceRevisionConfig: { imageUri },
      secretReferences: { MODEL_API_KEY: { secretName, secretKey: "model-api-key" } },
    },
    // Before an agent is removed from production, someone runs `pulumi state unprotect`.
    { protect: stage === "production" },
  );
}
