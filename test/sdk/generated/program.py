"""A program that uses resources, their outputs, functions, an explicit provider and resource options."""

import pulumi
import pulumi_agentgraph as agentgraph

config = pulumi.Config()
provider = agentgraph.Provider("staging", api_key=config.require_secret("apiKey"))

agent = agentgraph.Deployment(
    "support-agent",
    source=agentgraph.DeploymentSource.EXTERNAL_DOCKER,
    source_config=agentgraph.DeploymentSourceConfigArgs(
        resource_spec=agentgraph.ResourceSpecArgs(min_scale=1, max_scale=3),
    ),
    source_revision_config={"image_uri": "registry.example.com/support-agent:1.4.2"},
    secrets={"MODEL_API_KEY": config.require_secret("modelApiKey")},
    opts=pulumi.ResourceOptions(provider=provider, protect=True),
)
thread = agentgraph.Thread("welcome", deployment_id=agent.id, metadata={"team": "support"})
export = agentgraph.BulkExport(
    "january",
    bulk_export_destination_id=config.require("destinationId"),
    session_id=agent.tracing_project_id,
    start_time="2026-01-01T00:00:00Z",
    end_time="2026-02-01T00:00:00Z",
)

existing: agentgraph.GetDeploymentResult = agentgraph.get_deployment(name="support-agent")
later: pulumi.Output[str] = agentgraph.get_deployment_output(id=agent.id).apply(lambda found: found.id)
names = [deployment.name for deployment in agentgraph.get_deployments().deployments]

pulumi.export("url", agent.url)
pulumi.export("threadId", thread.id)
pulumi.export("exportStatus", export.status)
pulumi.export("existing", existing.id)
pulumi.export("later", later)
pulumi.export("names", names)
