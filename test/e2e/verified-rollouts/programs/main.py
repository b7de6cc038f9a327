"""The deployment of story.ts, with what it declares in environment variables."""

import os

import pulumi
import pulumi_agentgraph as agentgraph

release, model, key = (os.environ.get(name) for name in ("RELEASE", "MODEL", "KEY"))
twice = {"attempts": 2, "pause": "10ms"}
question = {"messages": [{"role": "user", "content": "When are you open?"}]}

agent = agentgraph.Deployment(
    "agent",
    name="agent",
    source="external_docker",
    environment={"MODEL": model},
    source_revision_config={"image_uri": os.environ["IMAGE"]},
    secrets={"MODEL_API_KEY": key} if key else None,
    verify=[
        {"http": {"path": "/ok"}, **twice},
        agentgraph.CheckArgs(
            http=agentgraph.HttpCheckArgs(
                path="/report",
                headers={"x-team": "support"},
                expect=agentgraph.ExpectedResponseArgs(
                    contains=release,
                    json={"release": release, "tools": ["search", "order"]},
                ),
            ),
            attempts=2,
            pause="10ms",
        ),
        {
            "ask": {
                "assistant_id": "support",
                "input": question,
                "expect": {"contains": "from 9 to 17"},
            },
            "timeout": "3s",
            **twice,
        },
        {
            "dataset": {
                "path": "questions.jsonl",
                "assistant_id": "support",
                "min_pass_rate": 0.75,
            },
            **twice,
        },
        {"conversations": {}, **twice},
        {
            "command": {
                "args": ["node", "self-test.mjs"],
                "inherit": ["PATH", "AGENTGRAPH_API_KEY"],
            },
            **twice,
        },
    ],
)

pulumi.export("verifiedRevisionId", agent.verified_revision_id)
