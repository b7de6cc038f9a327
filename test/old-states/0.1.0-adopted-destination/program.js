// What 0.1.0-adopted-destination/state.json is the state of, after a destroy and a second up.
// Changed: a-token-of-old to a-token-of-new: credentials.sessionToken of lake
const pulumi = require("@pulumi/pulumi");
const agentgraph = require("pulumi-agentgraph");

new agentgraph.BulkExportDestination("lake", {
  adoptExisting: true,
  destinationType: "s3",
  displayName: "shared lake of old",
  config: { bucketName: "exports", prefix: "shared", endpointUrl: process.env.STORY_BUCKET_URL },
  credentials: {
    accessKeyId: "a-bucket-key-of-old",
    secretAccessKey: pulumi.secret("a-bucket-secret-of-old"),
    sessionToken: "a-token-of-old",
  },
});
