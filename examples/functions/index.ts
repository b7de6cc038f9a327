import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// A second workspace with its own settings. The stack's settings apply to the first one.
const staging = new agentgraph.Provider("staging", {
  controlPlaneUrl: config.require("controlPlaneUrl"),
  tenantId: config.require("stagingWorkspace"),
  apiKey: config.requireSecret("stagingKey"),
});

// Promotes what runs in staging to production, including its secrets. Of the result, only `secrets` is secret.
const tested = agentgraph.getDeploymentOutput({ name: "support-agent" }, { provider: staging });
const cluster = agentgraph.getListenerOutput({ computeId: config.require("cluster") });

const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceConfig: { listenerId: cluster.id },
  sourceRevisionConfig: { imageUri: tested.sourceRevisionConfig.apply((config) => config?.imageUri ?? "") },
  secrets: tested.secrets,
});

// The output form accepts Outputs. This one runs after the deployment was created.
export const project = agentgraph.getProjectOutput({ name: agent.name }).id;

// The direct form returns a promise, so that the program can make decisions with its result.
export const unused = agentgraph
  .getDeployments({ status: "UNUSED" })
  .then((deployments) => deployments.map(({ name }) => name));
