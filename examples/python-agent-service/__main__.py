"""A service whose concierge reports every night."""

import pulumi
import pulumi_agentgraph as agentgraph
from agent_service import AgentService, Check, Role

config = pulumi.Config()

lake = agentgraph.BulkExportDestination(
    "lake",
    destination_type="s3",
    display_name="Support lake",
    config={
        "bucket_name": config.require("bucket"),
        "prefix": "support",
        "endpoint_url": config.require("objectStore"),
    },
    credentials={
        "access_key_id": config.require_secret("accessKeyId"),
        "secret_access_key": config.require_secret("secretAccessKey"),
    },
)

concierge = Role(
    context={"model": "large-2", "prompt": "You are the concierge of a hotel."},
    schedule="0 3 * * *",
    question="Summarize the questions of yesterday.",
)
support = AgentService(
    "support",
    image="registry.example.com/support-agent:1.0.0",
    check=Check(question="When is breakfast?", contains="breakfast"),
    roles={"concierge": concierge},
    destination=lake.id,
    since=config.require("since"),
)

pulumi.export("url", support.url)
