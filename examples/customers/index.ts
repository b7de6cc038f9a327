import { readFileSync } from "node:fs";
import * as agentgraph from "pulumi-agentgraph";

type Customers = Record<string, { language: string; tone: string }>;
const customers: Customers = JSON.parse(readFileSync("customers.json", "utf8"));

// One graph serves all customers. Add a line to customers.json and run `pulumi up`: no revision is needed.
const assistants = Object.entries(customers).map(([customer, { language, tone }]) => {
  const prompt = `You are the concierge of ${customer}. Reply in ${language}. Be ${tone}.`;
  return [customer, { graphId: "agent", context: { model: "large-2", prompt }, metadata: { customer } }] as const;
});

const concierge = new agentgraph.AgentService("concierge", {
  deployment: { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/concierge:1.0.0" } },
  assistants: Object.fromEntries(assistants),
});

/** The ID of each customer's assistant, which your application names in its runs. */
export const assistantIds = concierge.assistantIds;
