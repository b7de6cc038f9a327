import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// The pipeline that built the image sets `image`. Use a digest to deploy exactly what was tested.
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
    // Change this value after a secret of the cluster was rotated, to deploy the same image with the new secret.
    redeployTriggers: { databasePassword: config.get("databasePasswordVersion") ?? "1" },
    rollbackOnFailure: true,
  },
  { customTimeouts: { create: "45m", update: "45m" } },
);

export const url = agent.url;
export const revision = agent.activeRevisionId;
