import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";
import { AgentService } from "./agent-service";

const config = new pulumi.Config();

const lake = new agentgraph.BulkExportDestination("lake", {
  destinationType: "s3",
  displayName: "Support lake",
  config: { bucketName: config.require("bucket"), prefix: "support", endpointUrl: config.require("objectStore") },
  credentials: {
    accessKeyId: config.requireSecret("accessKeyId"),
    secretAccessKey: config.requireSecret("secretAccessKey"),
  },
});

const support = new AgentService("support", {
  image: "registry.example.com/support-agent:1.0.0",
  check: { question: "When is breakfast?", expect: { contains: "breakfast" } },
  assistants: {
    concierge: {
      context: { model: "large-2", prompt: "You are the concierge of a hotel." },
      asked: { schedule: "0 3 * * *", question: "Summarize the questions of yesterday." },
    },
  },
  exports: { destinationId: lake.id, since: config.require("since") },
});

export const url = support.url;
