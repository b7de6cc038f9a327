"""Graphs whose conversations are moved: each exercises one way in which a state comes about."""

from operator import add
from typing import Annotated

from langchain_core.messages import AIMessage, RemoveMessage
from langgraph.func import entrypoint, task
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, Send, interrupt
from typing_extensions import TypedDict


class Chat(TypedDict, total=False):
    messages: Annotated[list, add_messages]
    total: Annotated[int, add]
    last: str


class Log(TypedDict, total=False):
    log: Annotated[list, add]
    count: int
    items: list


class Private(TypedDict, total=False):
    log: Annotated[list, add]
    seen: Annotated[list, add]
    item: int


def chain(graph, **nodes):
    names = [START, *nodes, END]
    for name, node in nodes.items():
        graph.add_node(name, node)
    for one, other in zip(names, names[1:]):
        graph.add_edge(one, other)
    return graph


def write(name):
    return lambda _state: {"log": [name]}


def reply(state):
    text = state["messages"][-1].content
    usage = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}
    message = AIMessage(content=f"Echo: {text} \U0001f44b", usage_metadata=usage)
    return {"messages": [message], "total": 1, "last": text}


def call_tool(state):
    call = {"name": "search", "args": {"q": state["messages"][-1].content}, "id": "call_1", "type": "tool_call"}
    return {"messages": [AIMessage(content="", tool_calls=[call])]}


def use_tool(_state):
    return {"messages": [{"type": "tool", "content": "found", "tool_call_id": "call_1"}]}


def shorten(state):
    return {"messages": [RemoveMessage(id=message.id) for message in state["messages"][:-2]]}


chat = chain(StateGraph(Chat), reply=reply).compile()
trim = chain(StateGraph(Chat), call=call_tool, tool=use_tool, reply=reply, shorten=shorten).compile()
steps = chain(StateGraph(Log), a=write("a"), b=write("b"), c=write("c")).compile()

wide = StateGraph(Log)
for name in ("left", "right", "join"):
    wide.add_node(name, write(name))
wide.add_edge(START, "left")
wide.add_edge(START, "right")
wide.add_edge(["left", "right"], "join")
wide.add_edge("join", END)
wide = wide.compile()

loop = StateGraph(Log)
loop.add_node("turn", lambda state: {"count": (state.get("count") or 0) + 1, "log": [state.get("count") or 0]})
loop.add_edge(START, "turn")
loop.add_conditional_edges("turn", lambda state: "turn" if state["count"] < 30 else END)
loop = loop.compile()

fan = StateGraph(Log)
fan.add_node("split", lambda _state: {"items": [1, 2, 3]})
fan.add_node("work", lambda state: {"log": [state["item"] * 10]})
fan.add_node("collect", write("collected"))
fan.add_edge(START, "split")
fan.add_conditional_edges("split", lambda state: [Send("work", {"item": item}) for item in state["items"]], ["work"])
fan.add_edge("work", "collect")
fan.add_edge("collect", END)
fan = fan.compile()

hop = StateGraph(Log)
hop.add_node("one", lambda _state: Command(update={"log": ["one"]}, goto="two"))
hop.add_node("two", lambda _state: Command(update={"log": ["two"]}, goto="three"))
hop.add_node("three", write("three"))
hop.add_edge(START, "one")
hop = hop.compile()

sent = StateGraph(Log)
sends = [Send("work", {"item": item}) for item in (1, 2, 3)]
sent.add_node("split", lambda _state: Command(update={"log": ["split"]}, goto=sends))
sent.add_node("work", lambda state: {"log": [state["item"] * 10]})
sent.add_node("collect", write("collected"))
sent.add_edge(START, "split")
sent.add_edge("work", "collect")
sent = sent.compile()

ask = chain(StateGraph(Log), before=write("before"), ask=lambda _s: {"log": [interrupt("Continue?")]}, after=write("after")).compile()

two = StateGraph(Log)
two.add_node("left", lambda _state: {"log": ["left:" + interrupt("left?")]})
two.add_node("right", lambda _state: {"log": ["right:" + interrupt("right?")]})
two.add_node("fast", write("fast"))
for name in ("left", "right", "fast"):
    two.add_edge(START, name)
    two.add_edge(name, END)
two = two.compile()

inner = chain(StateGraph(Private), note=lambda _s: {"seen": ["noted"]}, ask=lambda _s: {"log": [interrupt("Inner?")], "seen": ["asked"]})
sub = chain(StateGraph(Log), before=write("before"), inner=inner.compile(), after=write("after")).compile()

middle = chain(StateGraph(Private), enter=lambda _s: {"seen": ["entered"]}, inner=inner.compile())
deep = chain(StateGraph(Log), before=write("before"), middle=middle.compile(), after=write("after")).compile()

note_item = chain(StateGraph(Private), note=lambda state: {"seen": [state["item"]]}, ask=lambda state: {"log": [interrupt(f"Item {state['seen']}?")]})
each = StateGraph(Log)
each.add_node("split", lambda _state: {"items": [1, 2, 3]})
each.add_node("work", note_item.compile())
each.add_conditional_edges("split", lambda state: [Send("work", {"item": item}) for item in state["items"]], ["work"])
each.add_edge(START, "split")
each.add_edge("work", END)
each = each.compile()

memory = chain(StateGraph(Private), recall=lambda state: {"seen": ["x"], "log": [f"saw {len(state.get('seen') or [])}"]})
remembering = memory.compile(checkpointer=True)
mem2 = chain(StateGraph(Log), before=write("before"), inner=remembering).compile()
recalling = chain(StateGraph(Private), recall=lambda _s: {"seen": ["x"]}, ask=lambda state: {"log": [interrupt(f"Seen {len(state['seen'])}?")]})
memask = chain(StateGraph(Log), inner=recalling.compile(checkpointer=True)).compile()
outer = chain(StateGraph(Private), inner=remembering).compile(checkpointer=True)
nested = chain(StateGraph(Log), before=write("before"), outer=outer).compile()


def call_inner(_state):
    return {"log": remembering.invoke({"log": []})["log"]}


mem = chain(StateGraph(Log), before=write("before"), inner=call_inner).compile()


def always_fail(_state):
    raise ValueError("This node always fails")


fail = chain(StateGraph(Log), work=write("work"), fail=always_fail).compile()
brk = chain(StateGraph(Log), a=write("a"), b=write("b"), c=write("c")).compile(interrupt_before=["b"])


@task
def double(number: int) -> int:
    return number * 2


@entrypoint()
def func(request: dict, *, previous: int | None = None):
    doubled = double(request["number"]).result()
    answer = interrupt(f"Add to {doubled}?") if request["number"] > 10 else "0"
    total = doubled + int(answer) + (previous or 0)
    return entrypoint.final(value={"total": total}, save=total)
