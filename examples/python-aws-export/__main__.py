"""A bucket on AWS with a user for it, and a nightly export of the traces of an agent."""

import pulumi
import pulumi_agentgraph as agentgraph
import pulumi_aws as aws

config = pulumi.Config()

# AWS keeps new buckets private and encrypts them.
bucket = aws.s3.Bucket("traces")
user = aws.iam.User("exporter")


def allow(action: str, keys: str) -> dict[str, pulumi.Input[str]]:
    return {"Effect": "Allow", "Action": action, "Resource": pulumi.Output.concat(bucket.arn, "/", keys)}


# The server writes files and aborts failed uploads. It deletes only the object with which it tests the credentials.
files = [allow("s3:PutObject", "agents/*"), allow("s3:AbortMultipartUpload", "agents/*")]
statements = [*files, allow("s3:DeleteObject", "agents/tmp/*")]
document = pulumi.Output.json_dumps({"Version": "2012-10-17", "Statement": statements})
policy = aws.iam.UserPolicy("exporter", user=user.name, policy=document)

# During a rotation both keys exist, so that an export that began with the previous one can finish.
key = aws.iam.AccessKey(f"exporter-{config.require('key')}", user=user.name)
previous_key = config.get("previousKey")
if previous_key is not None:
    aws.iam.AccessKey(f"exporter-{previous_key}", user=user.name)

lake = agentgraph.BulkExportDestination(
    "lake",
    destination_type="s3",
    display_name="Data lake",
    config={"bucket_name": bucket.bucket, "prefix": "agents", "region": bucket.region},
    credentials={"access_key_id": key.id, "secret_access_key": key.secret},
    opts=pulumi.ResourceOptions(depends_on=[policy]),  # The server tests the credentials before it saves them.
)
nightly = agentgraph.ScheduledBulkExport(
    "nightly",
    bulk_export_destination_id=lake.id,
    session_id=config.require("projectId"),
    start_time=f"{config.require('since')}T00:00:00Z",
    interval_hours=24,
)
pulumi.export("schedule", nightly.id)
