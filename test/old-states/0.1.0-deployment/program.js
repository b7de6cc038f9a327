// What 0.1.0-deployment/state.json is the state of.
// Changed: agent:1.0.0 to agent:2.0.0: sourceRevisionConfig.imageUri of least, whole
const pulumi = require("@pulumi/pulumi");
const agentgraph = require("pulumi-agentgraph");

const whole = new agentgraph.Deployment("whole", {
  name: "old-whole",
  source: "external_docker",
  sourceConfig: {
    listenerId: "22222222-2222-4222-8222-222222222222",
    listenerConfig: { k8sNamespace: "agents" },
    resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 },
  },
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
  secrets: { MODEL_KEY: "a-model-key-of-old", OTHER_KEY: pulumi.secret("another-key-of-old") },
  secretReferences: { DATABASE_URL: { secretName: "database", secretKey: "url" } },
});

const elsewhere = new agentgraph.Provider("elsewhere", {
  controlPlaneUrl: process.env.AGENTGRAPH_CONTROL_PLANE_URL,
  apiKey: "a-key-of-old",
  tenantId: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb",
});
const least = new agentgraph.Deployment(
  "least",
  { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" } },
  { provider: elsewhere, customTimeouts: { create: "5m" } },
);

exports.ids = [whole.id, least.id];
