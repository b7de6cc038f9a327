// What 0.1.0-verify/state.json is the state of: a revision that passed its checks, of which some are secret.
// Changed: agent:1.0.0 to agent:2.0.0: sourceRevisionConfig.imageUri of agent
const pulumi = require("@pulumi/pulumi");
const agentgraph = require("pulumi-agentgraph");

const input = { messages: [{ role: "user", content: "a question of old" }] };

const agent = new agentgraph.Deployment("agent", {
  name: "old-verified",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
  verify: [
    { name: "is there", http: { path: "/info", headers: { "X-Reason": "a check" }, expect: { status: 200 } } },
    { ask: { assistantId: "agent", input, expect: { contains: pulumi.secret("question of old") } }, attempts: 1 },
    { conversations: { maxThreads: 10 }, timeout: "10s", pause: "1s" },
  ],
});

exports.verified = agent.verifiedRevisionId;
