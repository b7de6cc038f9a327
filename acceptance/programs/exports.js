/** A destination, an export of a day, and a schedule that begins in the far future. */
const pulumi = require("@pulumi/pulumi");
const agentgraph = require(process.env.ACCEPTANCE_PACKAGE);

const config = new pulumi.Config();
const timeout = config.require("timeout");

const destination = new agentgraph.BulkExportDestination("destination", {
  destinationType: "s3",
  displayName: config.require("name"),
  config: config.requireObject("bucket"),
  credentials: {
    accessKeyId: pulumi.secret(process.env.ACCEPTANCE_BUCKET_KEY_ID),
    secretAccessKey: pulumi.secret(process.env.ACCEPTANCE_BUCKET_SECRET),
  },
});

const sessionId = config.require("project");
const target = { bulkExportDestinationId: destination.id, sessionId };
const { startTime, endTime } = config.requireObject("range");
const once = new agentgraph.BulkExport(
  "once",
  { ...target, startTime, endTime, waitFor: "completed" },
  { customTimeouts: { create: timeout } },
);
for (const name of config.requireObject("schedules"))
  new agentgraph.ScheduledBulkExport(name, {
    ...{ ...target, startTime: "2100-01-01T00:00:00Z", intervalHours: 24 },
    // Each schedule is another one.
    ...{ filter: `eq(name, "${name}")`, forget: true },
  });

exports.rows = once.rowsWritten;
exports.filePrefix = once.filePrefix;
exports.destination = destination.id;
