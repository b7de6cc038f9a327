import { readFileSync } from "node:fs";
import * as agentgraph from "pulumi-agentgraph";

type Customers = Record<string, { language: string; tone: string }>;
const customers: Customers = JSON.parse(readFileSync("customers.json", "utf8"));

const agent = new agentgraph.Deployment("concierge", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/concierge:1.0.0" },
});

// One graph serves all customers. Add a line to customers.json and run `pulumi up`: no revision is needed.
const assistants = Object.entries(customers).map(([customer, { language, tone }]) => {
  const inputs = {
    deploymentId: agent.id,
    graphId: "agent",
    context: { model: "large-2", prompt: `You are the concierge of ${customer}. Reply in ${language}. Be ${tone}.` },
    metadata: { customer },
  };
  return [customer, new agentgraph.Assistant(customer, inputs, { deletedWith: agent }).id] as const;
});

/** The ID of each customer's assistant, which your application names in its runs. */
export const assistantIds = Object.fromEntries(assistants);
