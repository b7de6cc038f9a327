"""A program with typed contexts. A line that ends with a comment is a mistake for a type checker."""

import pulumi
import pulumi_agentgraph as agentgraph
from javascript_server import SupportContext as ZodContext
from python_server import PlainConfig, RecursiveContext, SupportContext

user = pulumi.Output.from_input("ann")
tools: SupportContext = {"tools": [{"kind": "search", "index": user}, {"kind": "mail", "sender": "a"}]}
context: SupportContext = {
    **tools,
    "user_id": user,
    "model": "small",
    "tone": "formal",
    "level": 10,
    "retry": {"attempts": 2},
    "retries": {"first": {"backoff": 0.5}},
    "window": (1, 2),
    "numbers": {"a": 1},
    "x-trace-id": "a",
    "class": "b",
    "answer": ["a", user],
    "weights": None,
    "outline": {"title": user, "sections": [{"title": "b"}]},
}
zod: ZodContext = {"modes": {"day": True, "night": False}, "path": ["a", 1]}
recursive: RecursiveContext = {"sections": [{"title": "a"}]}
config: PlainConfig = {"prefix": "a"}
support = agentgraph.Assistant("support", graph_id="support", context=context, config={"configurable": config})
others = [
    agentgraph.Assistant(f"other-{index}", graph_id="a", context=one) for index, one in enumerate([zod, recursive])
]

mistake_1: SupportContext = {"modl": "small"}  # error
mistake_2: SupportContext = {"model": "medium"}  # error
mistake_3: SupportContext = {"temperature": "high"}  # error
mistake_4: SupportContext = {"user_id": pulumi.Output.from_input(1)}  # error
mistake_5: SupportContext = {"retry": {"attempt": 2}}  # error
mistake_6: SupportContext = {"tools": [{"kind": "serch", "index": "a"}]}  # error
mistake_7: SupportContext = {"tools": [{"kind": "mail", "index": "a"}]}  # error
mistake_8: SupportContext = {"window": (0,)}  # error
mistake_9: SupportContext = {"numbers": {"a": "1"}}  # error
mistake_10: SupportContext = {"version": 3}  # error
mistake_11: SupportContext = {"outline": {"sections": []}}  # error
mistake_12: SupportContext = {"class_": "a"}  # error
