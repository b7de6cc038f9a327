"""Graphs whose contexts use all that libraries of schemas have: `agentgraph types` writes types for them."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, Optional, Union

from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from typing_extensions import NotRequired, Required, TypedDict


class State(TypedDict, total=False):
    messages: list


class Tone(str, Enum):
    """How the agent speaks."""

    FORMAL = "formal"
    FRIENDLY = "friendly"


class Level(IntEnum):
    LOW = 1
    HIGH = 10


class Retry(BaseModel):
    """When a call is tried again."""

    attempts: int = Field(3, ge=1, le=10)
    backoff: Optional[float] = Field(None, description="Seconds between two attempts.")


class Search(BaseModel):
    kind: Literal["search"]
    index: str
    limit: int = 10


class Mail(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: Literal["mail"]
    sender: str


class Section(BaseModel):
    title: str
    sections: list["Section"] = []


class Labels(BaseModel):
    model_config = ConfigDict(extra="allow")
    team: str


class Support(BaseModel):
    """What the support agent reads.

    A path ends with */ and a quotation is "quoted".
    """

    user_id: str
    model: Literal["small", "large"] = Field("small", title="Language model", description="Which model answers.")
    temperature: float = Field(0.5, ge=0, le=1)
    tone: Tone = Tone.FORMAL
    level: Level = Level.LOW
    version: Literal[2] = 2
    weights: Literal[1, 2, None] = None
    retry: Retry = Retry()
    fallback: Optional[Retry] = Field(None, description="Used where there is no other.")
    tools: list[Annotated[Union[Search, Mail], Field(discriminator="kind")]] = []
    window: tuple[int, int] = (0, 1)
    point: Optional[tuple[str, float]] = None
    numbers: dict[str, int] = {}
    retries: dict[str, Retry] = {}
    tags: set[str] = Field(default_factory=set, max_length=5)
    outline: Optional[Section] = None
    labels: Optional[Labels] = None
    answer: Union[str, list[str], None] = None
    price: Decimal = Decimal("1.5")
    since: Optional[datetime] = None
    anything: Any = None
    data: JsonValue = None
    trace_id: str = Field("", alias="x-trace-id", pattern=r"^[a-z]*$")
    class_: str = Field("", alias="class", deprecated=True)
    größe: int = 0


@dataclass
class Plain:
    prefix: str
    letters: Literal["upper", "lower"] = "lower"
    retry: Optional[Retry] = None
    names: list[str] = field(default_factory=list)


class Typed(TypedDict, total=False):
    prompt: Required[str]
    limits: dict[str, float]
    retry: NotRequired[Retry]


class Configured(TypedDict, total=False):
    model: str
    tone: Tone


def graph(**schema):
    builder = StateGraph(State, **schema)
    builder.add_node("answer", lambda _state: {"messages": []})
    builder.add_edge(START, "answer")
    builder.add_edge("answer", END)
    return builder.compile()


support = graph(context_schema=Support)
plain = graph(context_schema=Plain)
typed = graph(context_schema=Typed)
configured = graph(config_schema=Configured)
recursive = graph(context_schema=Section)
bare = graph()
