"""A component, an explicit provider, functions and an export."""

import pulumi
import pulumi_agentgraph as agentgraph

config = pulumi.Config()


class AgentService(pulumi.ComponentResource):
    """An agent with a conversation."""

    def __init__(self, name: str, image: str) -> None:
        super().__init__("shop:index:AgentService", name)
        options = pulumi.ResourceOptions(parent=self)
        self.agent = agentgraph.Deployment(
            f"{name}-agent",
            source="external_docker",
            source_revision_config=agentgraph.DeploymentSourceRevisionConfigArgs(
                image_uri=image
            ),
            secrets={"TOKEN": config.require_secret("token")},
            opts=options,
        )
        self.thread = agentgraph.Thread(
            f"{name}-thread",
            deployment_id=self.agent.id,
            metadata={"graph_id": "echo", "note": config.require_secret("note")},
            opts=options,
        )
        self.register_outputs({})


service = AgentService("support", config.require("image"))

other = agentgraph.Provider(
    "other",
    control_plane_url=config.require("controlPlaneUrl"),
    api_key=config.require_secret("apiKey"),
)
agentgraph.Deployment(
    "second",
    name=f"second-of-{pulumi.get_stack()}",
    source="external_docker",
    source_revision_config={"image_uri": "registry.example.com/second:1"},
    opts=pulumi.ResourceOptions(provider=other),
)

lake = agentgraph.BulkExportDestination(
    "lake",
    destination_type="s3",
    display_name="Conversations",
    config={
        "bucket_name": "exports",
        "prefix": "python",
        "endpoint_url": config.require("objectStore"),
    },
    credentials={
        "access_key_id": config.require_secret("accessKeyId"),
        "secret_access_key": config.require_secret("secretAccessKey"),
    },
)
traces = agentgraph.BulkExport(
    "traces",
    bulk_export_destination_id=lake.id,
    session_id=service.agent.tracing_project_id,
    start_time=config.require("since"),
    end_time=config.require("until"),
    wait_for=agentgraph.BulkExportWaitFor.COMPLETED,
)

found = agentgraph.get_deployment_output(id=service.agent.id)
pulumi.export("status", found.status)
pulumi.export(
    "threads",
    agentgraph.get_threads_output(
        deployment_id=service.agent.id,
        metadata={"graph_id": "echo"},
        opts=pulumi.InvokeOutputOptions(depends_on=[service.thread]),
    ).threads.apply(len),
)
pulumi.export("export", traces.status)
