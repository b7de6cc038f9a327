import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// The other workspace, with settings of its own; the stack's settings say where this one is.
const staging = new agentgraph.Provider("staging", {
  controlPlaneUrl: config.require("controlPlaneUrl"),
  tenantId: config.require("stagingWorkspace"),
  apiKey: config.requireSecret("stagingKey"),
});

// What runs in staging goes to production as it is, secrets too: of what is looked up, they alone are secret.
const tested = agentgraph.getDeploymentOutput({ name: "support-agent" }, { provider: staging });
const cluster = agentgraph.getListenerOutput({ computeId: config.require("cluster") });

const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceConfig: { listenerId: cluster.id },
  sourceRevisionConfig: { imageUri: tested.sourceRevisionConfig.apply((content) => content?.imageUri ?? "") },
  secrets: tested.secrets,
});

// Inputs may be Outputs: this asks when the deployment is there.
export const project = agentgraph.getProjectOutput({ name: agent.name }).id;

// The plain form, for what a program decides by.
export const unused = agentgraph
  .getDeployments({ status: "UNUSED" })
  .then((deployments) => deployments.map(({ name }) => name));
