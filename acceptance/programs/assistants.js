/** An assistant of an agent server that exists. */
const pulumi = require("@pulumi/pulumi");
const agentgraph = require(process.env.ACCEPTANCE_PACKAGE);

const config = new pulumi.Config();
const assistant = new agentgraph.Assistant("assistant", {
  ...config.requireObject("server"),
  graphId: config.require("graph"),
  name: config.require("run"),
  context: { step: config.require("step") },
  config: { tags: [config.require("step")], recursionLimit: 12 },
  metadata: { acceptance: config.require("prefix"), run: config.require("run") },
});

exports.id = assistant.id;
exports.version = assistant.version;
