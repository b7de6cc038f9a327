"""An agent from a container image."""

import pulumi
import pulumi_agentgraph as agentgraph

config = pulumi.Config()

agent = agentgraph.Deployment(
    "support-agent",
    source="external_docker",
    source_config={
        "resource_spec": {
            "min_scale": 1,
            "max_scale": 2,
            "cpu": 0.5,
            "memory_mb": 1024,
        },
    },
    source_revision_config={"image_uri": config.require("image")},
    # Values for the agent: pulumi config set --secret modelApiKey <key>
    # secrets={"MODEL_API_KEY": config.require_secret("modelApiKey")},
    # Checks of each new revision; if one fails, the last good revision is deployed again:
    # verify=[{"ask": {"assistant_id": "agent", "input": {"messages": [{"role": "user", "content": "Hello"}]}}}],
)

pulumi.export("url", agent.url)
pulumi.export("revision", agent.active_revision_id)
