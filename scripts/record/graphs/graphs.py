"""The graphs that are recorded: they do what the built-in graphs of the emulator do, and one has a subgraph."""

import asyncio
from operator import add
from typing import Annotated

from langchain_core.messages import AIMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime
from langgraph.types import interrupt as ask
from typing_extensions import TypedDict

SECONDS_PER_STEP = 1.5


class EchoState(TypedDict, total=False):
    messages: Annotated[list, add_messages]


class EchoContext(TypedDict, total=False):
    prefix: str
    letters: str


class RememberState(EchoState, total=False):
    heard: Annotated[list, add]


class CounterState(TypedDict, total=False):
    count: int
    steps: int


class InterruptState(TypedDict, total=False):
    prepared: bool
    resumed: str
    finished: bool


class FailingState(TypedDict, total=False):
    worked: bool


def answer(state: EchoState, runtime: Runtime[EchoContext]):
    context = runtime.context or {}
    text = state["messages"][-1].content
    text = text.upper() if context.get("letters") == "upper" else text
    return {"messages": [AIMessage(context.get("prefix", "Echo: ") + text)]}


async def count(state: CounterState):
    await asyncio.sleep(SECONDS_PER_STEP)
    return {"count": (state.get("count") or 0) + 1, "steps": (state.get("steps") or 3) - 1}


def prepare(_state: InterruptState):
    return {"prepared": True}


def finish(_state: InterruptState):
    return {"resumed": ask("Shall I finish?"), "finished": True}


def work(_state: FailingState):
    return {"worked": True}


def fail(_state: FailingState):
    raise ValueError("This graph always fails")


def recall(state: RememberState):
    text = state["messages"][-1].content
    heard = ", ".join([*(state.get("heard") or []), text])
    return {"messages": [{"type": "ai", "content": f"I have heard: {heard}"}], "heard": [text]}


def sequence(graph: StateGraph, checkpointer=None, **nodes):
    names = [START, *nodes, END]
    for name, node in nodes.items():
        graph.add_node(name, node)
    for one, other in zip(names, names[1:]):
        graph.add_edge(one, other)
    return graph.compile(checkpointer=checkpointer)


echo = sequence(StateGraph(EchoState, context_schema=EchoContext), echo=answer)
interrupt = sequence(StateGraph(InterruptState), prepare=prepare, finish=finish)
failing = sequence(StateGraph(FailingState), work=work, fail=fail)
subgraph = sequence(StateGraph(EchoState, context_schema=EchoContext), inner=echo)
remember = sequence(StateGraph(RememberState), checkpointer=True, recall=recall)
memory = sequence(StateGraph(EchoState), remember=remember)

steps = StateGraph(CounterState)
steps.add_node("count", count)
steps.add_edge(START, "count")
steps.add_conditional_edges("count", lambda state: "count" if state.get("steps", 0) > 0 else END)
counter = steps.compile()
