"""An agent with its assistants, their crons and a nightly export of its traces."""

from typing import NamedTuple
import pulumi
import pulumi_agentgraph as agentgraph


class Role(NamedTuple):
    """What an assistant is configured with, and what it is asked on a schedule."""
    context: dict[str, str]
    schedule: str
    question: str


class Check(NamedTuple):
    """What each new revision is asked, and what its reply contains. Otherwise, the last good one is deployed again."""
    question: str
    contains: str


def ask(question: str) -> dict[str, list[dict[str, str]]]:
    return {"messages": [{"role": "user", "content": question}]}


class AgentService(pulumi.ComponentResource):
    def __init__(
        self, name: str, image: str, check: Check, roles: dict[str, Role], destination: pulumi.Input[str], since: str
    ):
        super().__init__("example:index:AgentService", name)
        own = pulumi.ResourceOptions(parent=self)
        revision = agentgraph.DeploymentSourceRevisionConfigArgs(image_uri=image)
        expect = agentgraph.ExpectedAnswerArgs(contains=check.contains)
        question = agentgraph.AskCheckArgs(assistant_id="agent", input=ask(check.question), expect=expect)
        agent = agentgraph.Deployment(
            name,
            source="external_docker",
            source_revision_config=revision,
            verify=[agentgraph.CheckArgs(ask=question)],
            opts=own,
        )
        # `deleted_with`: the server deletes all of these with the deployment, so a destroy sends no requests for them.
        child = pulumi.ResourceOptions(parent=self, deleted_with=agent)
        for key, (context, schedule, asked) in roles.items():
            assistant = agentgraph.Assistant(
                f"{name}-{key}", deployment_id=agent.id, graph_id="agent", context=context, opts=child
            )
            agentgraph.Cron(
                f"{name}-{key}-cron", deployment_id=agent.id, assistant_id=assistant.id,
                schedule=schedule, input=ask(asked), opts=child,
            )
        agentgraph.ScheduledBulkExport(
            f"{name}-nightly", bulk_export_destination_id=destination, session_id=agent.tracing_project_id,
            start_time=f"{since}T00:00:00Z", interval_hours=24, opts=own,
        )
        self.url = agent.url
        self.register_outputs({"url": self.url})
