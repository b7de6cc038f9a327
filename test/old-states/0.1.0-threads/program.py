"""The program in Python, for the native provider."""

import pulumi
import pulumi_agentgraph as agentgraph

agent = agentgraph.Deployment(
    "agent",
    name="old-conversing",
    source="external_docker",
    source_revision_config={"image_uri": "registry.example.com/agent:1.0.0"},
)

plain = agentgraph.Thread("plain", deployment_id=agent.id)

begun = agentgraph.Thread(
    "begun",
    deployment_id=agent.id,
    thread_id="0B8F4D7E-6A0F-4C53-9D52-3A5C1F7E2B11",
    metadata={"graph_id": "echo", "team": "support of old", "camelCase": {"inner_key": [1, None]}},
    supersteps=[
        {"updates": [{"as_node": "__input__", "values": {}}]},
        {"updates": [{"as_node": "__start__", "values": {"messages": [{"role": "user", "content": "Hello"}]}}]},
        {"updates": [{"as_node": "echo", "values": {"messages": [{"role": "assistant", "content": "Hello, you"}]}}]},
    ],
    ttl={"ttl": 60 * 24 * 365, "strategy": "keep_latest"},
)

copy = agentgraph.Thread(
    "copy",
    deployment_id=agent.id,
    copy_from=begun.id,
    metadata={"audience": "testers of old"},
    opts=pulumi.ResourceOptions(deleted_with=agent),
)

hidden = agentgraph.Thread(
    "private",
    deployment_id=agent.id,
    sensitive=True,
    metadata={"graph_id": "echo", "customer": "a customer of old"},
    supersteps=[
        {"updates": [{"as_node": "echo", "values": {"messages": [{"role": "user", "content": "a secret of old"}]}}]},
    ],
)

foreign = agentgraph.Thread(
    "foreign",
    deployment_url=pulumi.Output.concat(agent.url, "/"),
    metadata={"graph_id": "counter"},
)

pulumi.export("ids", [thread.id for thread in (plain, begun, copy, hidden, foreign)])
