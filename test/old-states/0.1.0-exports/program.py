"""The program in Python, for the native provider."""

import os

import pulumi
import pulumi_agentgraph as agentgraph

agent = agentgraph.Deployment(
    "agent",
    name="old-exported",
    source="external_docker",
    source_revision_config={"image_uri": "registry.example.com/agent:1.0.0"},
)

lake = agentgraph.BulkExportDestination(
    "lake",
    destination_type="s3",
    display_name="lake of old",
    config={
        "bucket_name": "exports",
        "prefix": "old",
        "endpoint_url": os.environ["STORY_BUCKET_URL"],
        "include_bucket_in_prefix": True,
        "config_kwargs_s3": {"addressing_style": "path"},
    },
    credentials={
        "access_key_id": "a-bucket-key-of-old",
        "secret_access_key": pulumi.Output.secret("a-bucket-secret-of-old"),
        "session_token": "a-token-of-old",
    },
)

once = agentgraph.BulkExport(
    "once",
    bulk_export_destination_id=lake.id,
    session_id=agent.tracing_project_id,
    start_time="2026-01-01T00:00:00Z",
    end_time="2026-01-03T00:00:00.000+00:00",
    filter='eq(run_type, "llm")',
    export_fields=["name", "id"],
    compression="gzip",
    wait_for="completed",
)
daily = agentgraph.ScheduledBulkExport(
    "daily",
    bulk_export_destination_id=lake.id,
    session_id=agent.tracing_project_id,
    start_time="2100-01-01T00:00:00Z",
    interval_hours=24,
    cancel_spawned=True,
)
agentgraph.BulkExport(
    "experiments",
    bulk_export_destination_id=lake.id,
    all_experiments=True,
    start_time="2026-01-01T00:00:00Z",
    end_time="2026-01-02T00:00:00Z",
    opts=pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(create="5m")),
)

pulumi.export("ids", [agent.tracing_project_id, once.id, daily.id, once.rows_written])
