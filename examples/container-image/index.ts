import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// The image comes from the pipeline that built it; a digest makes sure that what was tested is what runs.
const agent = new agentgraph.Deployment(
  "billing-agent",
  {
    source: "external_docker",
    sourceConfig: {
      listenerId: config.require("listenerId"),
      listenerConfig: { k8sNamespace: "agents" },
      resourceSpec: {
        minScale: 2,
        maxScale: 6,
        cpu: 1,
        memoryMb: 2048,
        labels: { team: "billing" },
        volumes: [{ name: "prompts", configMap: { name: "billing-prompts" } }],
        volumeMounts: [{ name: "prompts", mountPath: "/etc/prompts", readOnly: true }],
      },
    },
    sourceRevisionConfig: { imageUri: config.require("image") },
    secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
    // Changed when a rotated secret of the cluster shall be read again.
    redeployTriggers: { databasePassword: config.get("databasePasswordVersion") ?? "1" },
    rollbackOnFailure: true,
  },
  { customTimeouts: { create: "45m", update: "45m" } },
);

export const url = agent.url;
export const revision = agent.activeRevisionId;
