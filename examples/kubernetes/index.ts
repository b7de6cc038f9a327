import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();
const namespace = new k8s.core.v1.Namespace("agents", { metadata: { name: "agents" } }).metadata.name;
const metadata = { namespace };

// Pulumi replaces a changed Secret or ConfigMap by one with another name, and deletes the old one after the rollout.
const model = new k8s.core.v1.Secret("model", { metadata, stringData: { key: config.requireSecret("modelKey") } });
const prompts = new k8s.core.v1.ConfigMap("prompts", { metadata, data: { "system.txt": "You are a billing agent." } });

const login = { username: config.require("registryUser"), password: config.requireSecret("registryPassword") };
const pullSecret = new k8s.core.v1.Secret("registry", {
  metadata,
  type: "kubernetes.io/dockerconfigjson",
  stringData: { ".dockerconfigjson": pulumi.jsonStringify({ auths: { "registry.example.com": login } }) },
});
// The agent does not use the API of the cluster, so it gets no token for it.
const account = new k8s.core.v1.ServiceAccount("billing", { metadata, automountServiceAccountToken: false });

const agent = new agentgraph.Deployment("billing-agent", {
  source: "external_docker",
  sourceConfig: {
    listenerId: config.require("listenerId"),
    listenerConfig: { k8sNamespace: namespace },
    resourceSpec: {
      serviceAccountName: account.metadata.name,
      imagePullSecrets: [{ name: pullSecret.metadata.name }],
      volumes: [{ name: "prompts", configMap: { name: prompts.metadata.name } }],
      volumeMounts: [{ name: "prompts", mountPath: "/etc/prompts", readOnly: true }],
    },
  },
  sourceRevisionConfig: { imageUri: config.require("image") },
  secretReferences: { MODEL_KEY: { secretName: model.metadata.name, secretKey: "key" } },
  redeployTriggers: { model: model.metadata.name }, // Changed references alone create no revision.
});
// Other programs in the cluster read the URL of the agent here.
new k8s.core.v1.ConfigMap("billing-url", { metadata, data: { url: agent.url } });
