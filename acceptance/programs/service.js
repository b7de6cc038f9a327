/** A service: a deployment with its assistants, crons and thread. */
const pulumi = require("@pulumi/pulumi");
const agentgraph = require(process.env.ACCEPTANCE_PACKAGE);

const config = new pulumi.Config();
const timeout = config.require("timeout");

const service = new agentgraph.AgentService("service", config.requireObject("args"), {
  customTimeouts: { create: timeout, update: timeout, delete: timeout },
});

exports.url = service.url;
exports.ids = {
  deployment: service.deploymentId,
  assistants: service.assistantIds,
  crons: service.cronIds,
  thread: service.threadId,
};
