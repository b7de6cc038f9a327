import * as agentgraph from "pulumi-agentgraph";

const hello = { messages: [{ role: "user", content: "Hello" }] };

const agent = new agentgraph.Deployment("starter-agent", {
  source: "internal_template",
  // A run that fails makes `pulumi up` fail.
  verify: [{ ask: { assistantId: "agent", input: hello } }],
});

export const url = agent.url;
