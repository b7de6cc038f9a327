import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// AWS keeps new buckets private and encrypts them.
const bucket = new aws.s3.Bucket("traces");
const user = new aws.iam.User("exporter");
const allow = (action: string, keys: string) =>
  ({ Effect: "Allow", Action: action, Resource: pulumi.interpolate`${bucket.arn}/${keys}` }) as const;
// The server writes files and aborts failed uploads. It deletes only the object with which it tests the credentials.
const files = [allow("s3:PutObject", "agents/*"), allow("s3:AbortMultipartUpload", "agents/*")];
const Statement = [...files, allow("s3:DeleteObject", "agents/tmp/*")];
const policy = new aws.iam.UserPolicy("exporter", { user: user.name, policy: { Version: "2012-10-17", Statement } });

// During a rotation both keys exist, so that an export that began with the previous one can finish.
const createKey = (name: string) => new aws.iam.AccessKey(`exporter-${name}`, { user: user.name });
const key = createKey(config.require("key"));
const previousKey = config.get("previousKey");
if (previousKey !== undefined) createKey(previousKey);

const { region, bucket: bucketName } = bucket;
const lake = new agentgraph.BulkExportDestination(
  "lake",
  {
    destinationType: "s3",
    displayName: "Data lake",
    config: { bucketName, prefix: "agents", region },
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
  },
  { dependsOn: policy }, // The server tests the credentials before it saves them.
);
export const schedule = new agentgraph.ScheduledBulkExport("nightly", {
  bulkExportDestinationId: lake.id,
  sessionId: config.require("projectId"),
  startTime: `${config.require("since")}T00:00:00Z`,
  intervalHours: 24,
}).id;
