/** A cron of an agent server that exists. It is disabled, so that it starts no run. */
const pulumi = require("@pulumi/pulumi");
const agentgraph = require(process.env.ACCEPTANCE_PACKAGE);

const config = new pulumi.Config();
const cron = new agentgraph.Cron("cron", {
  ...config.requireObject("server"),
  assistantId: config.require("graph"),
  schedule: config.require("schedule"),
  timezone: "Europe/Berlin",
  enabled: false,
  input: { messages: [] },
  metadata: { acceptance: config.require("prefix"), run: config.require("run") },
});

exports.id = cron.id;
