"""The schema that goes to the vendors, and which types may be asked for."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable, Iterator
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from dream.models.schemas import barred, reply_schema

ROOT = Path(__file__).resolve().parents[2]


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Item(Closed):
    """One thing."""

    kind: Literal["thing"]
    colour: Colour
    text: str = Field(max_length=40, description="What it says")
    on: date | None


class Things(Closed):
    reasoning: str
    items: list[Item] = Field(min_length=1, max_length=3)
    score: float = Field(ge=0, le=1)


class Open(BaseModel):
    text: str


class Defaulted(Closed):
    text: str = "none"


class WithDict(Closed):
    pairs: dict[str, str]


class WithAny(Closed):
    anything: Any


class Other(Closed):
    kind: Literal["other"]


class Discriminated(Closed):
    item: Annotated[Item | Other, Field(discriminator="kind")]


class Endless(Closed):
    below: list[Endless]


class WithSet(Closed):
    names: set[str]


class WithPair(Closed):
    pair: tuple[int, str]


class Nested(Closed):
    items: list[Defaulted]


class WithCallable(Closed):
    call: Callable[[], int]


def test_the_schema_has_no_references_no_defaults_and_no_bounds_but_in_words() -> None:
    assert reply_schema(Things) == {
        "type": "object",
        "properties": {
            "reasoning": {"type": "string"},
            "items": {
                "type": "array",
                "description": "at least 1 items; at most 3 items",
                "items": {
                    "type": "object",
                    "description": "One thing.",
                    "properties": {
                        "kind": {"type": "string", "enum": ["thing"]},
                        "colour": {"type": "string", "enum": ["red", "blue"]},
                        "text": {"type": "string", "description": "What it says at most 40 characters"},
                        "on": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
                    },
                    "required": ["kind", "colour", "text", "on"],
                    "additionalProperties": False,
                },
            },
            "score": {"type": "number", "description": "at least 0; at most 1"},
        },
        "required": ["reasoning", "items", "score"],
        "additionalProperties": False,
    }


def test_a_local_grammar_is_told_lengths_and_counts() -> None:
    properties = reply_schema(Things, bounded=True)["properties"]
    assert properties["items"]["maxItems"] == 3
    assert properties["items"]["minItems"] == 1
    assert properties["items"]["items"]["properties"]["text"]["maxLength"] == 40
    assert properties["score"] == {"type": "number", "description": "at least 0; at most 1"}


@pytest.mark.parametrize(
    ("reply", "complaints"),
    [
        (Things, ()),
        (Open, ("the reply: lets unknown keys through",)),
        (Defaulted, ("the reply.text: has a default",)),
        (Nested, ("the reply.items[].text: has a default",)),
        (WithDict, ("the reply.pairs: lets unknown keys through",)),
        (WithAny, ("the reply.anything: anything goes",)),
        (Discriminated, ("the reply.item: discriminator", "the reply.item: oneOf", "the reply.item: anything goes")),
        (Endless, ("the reply.below[]: contains itself",)),
        (WithSet, ("the reply.names: uniqueItems",)),
        (WithPair, ("the reply.pair: prefixItems", "the reply.pair[]: anything goes")),
    ],
)
def test_a_type_that_vendors_understand_differently_is_barred(
    reply: type[BaseModel], complaints: tuple[str, ...]
) -> None:
    assert barred(reply) == complaints


def test_a_type_without_any_schema_is_barred() -> None:
    (complaint,) = barred(WithCallable)
    assert complaint.startswith("no JSON schema: ")


def test_a_barred_type_gets_no_schema() -> None:
    with pytest.raises(TypeError, match=r"Defaulted cannot be asked for: the reply\.text: has a default"):
        reply_schema(Defaulted)


def asked_types() -> Iterator[type[BaseModel]]:
    """Yield every class that some module of the product asks a model for by name."""
    for folder in ("tasks", "dream", "flows"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            names = {
                call.args[1].id
                for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr == "ask"
                and len(call.args) == 2
                and isinstance(call.args[1], ast.Name)
            }
            for name in sorted(names):
                module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
                found = getattr(module, name, None)
                if inspect.isclass(found) and issubclass(found, BaseModel):
                    yield found


def test_every_type_that_a_model_is_asked_for_means_the_same_to_all_vendors() -> None:
    found = {reply.__name__: barred(reply) for reply in asked_types()}
    assert "Echo" in found
    assert found == dict.fromkeys(found, ())
