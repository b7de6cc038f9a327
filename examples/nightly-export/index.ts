import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

const support = new agentgraph.AgentService("support-agent", {
  deployment: {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: config.require("image") },
  },
  // Exports the previous day ten minutes after midnight UTC. Days since `since` are exported immediately.
  nightlyExport: {
    startTime: `${config.require("since")}T00:00:00Z`,
    compression: "zstandard",
    cancelSpawned: true,
    destination: {
      destinationType: "s3",
      displayName: "Data lake",
      config: { bucketName: config.require("bucket"), prefix: "traces", endpointUrl: config.require("objectStore") },
      credentials: {
        accessKeyId: config.requireSecret("accessKeyId"),
        secretAccessKey: config.requireSecret("secretAccessKey"),
      },
    },
  },
});

export const schedule = support.nightlyExportId;
