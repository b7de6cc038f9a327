"""An agent from a container image, an assistant, and a conversation."""

import pulumi
import pulumi_agentgraph as agentgraph

# Change the image and run `pulumi up` again to roll out a new revision.
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
    source_revision_config={"image_uri": "registry.example.com/support-agent:1.0.0"},
    secrets={"MODEL_API_KEY": "not-a-real-key"},
)

# What runs are configured with. A changed context needs no new revision.
support = agentgraph.Assistant(
    "support",
    deployment_id=agent.id,
    graph_id="echo",
    context={"prefix": "Support: "},
)

# The conversation keeps its history when the image changes.
welcome = agentgraph.Thread(
    "welcome",
    deployment_id=agent.id,
    metadata={"graph_id": "echo", "purpose": "welcome"},
)

pulumi.export("id", agent.id)
pulumi.export("url", agent.url)
pulumi.export("revision", agent.active_revision_id)
pulumi.export("assistant", support.id)
pulumi.export("thread", welcome.id)
