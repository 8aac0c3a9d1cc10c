"""The one JSON schema of a reply type that both vendors' strict modes and local grammars take, and what bars a type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema

_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})
_FORMATS = frozenset({"date", "date-time"})
_BOUNDS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "pattern": "matching {}",
}
_KNOWN = frozenset(
    {*_BOUNDS, "$defs", "$ref", "additionalProperties", "anyOf", "const", "description", "enum", "format", "items"}
    | {"properties", "required", "title", "type"}
)


def reply_schema(reply: type[BaseModel], *, bounded: bool = False) -> dict[str, Any]:
    """Return the schema for the wire: references put in place, every key required, no other key allowed.

    Bounds become words in the descriptions, because each vendor's strict mode takes other ones; `read_reply` holds
    them. With `bounded` those of length and count stay in the schema as well, for local servers whose grammars obey
    them: a small model that loops in an unbounded string ends at the token limit. Raises TypeError for a type that
    `barred` has something against.
    """
    if complaints := barred(reply):
        message = f"{reply.__name__} cannot be asked for: {'; '.join(complaints)}"
        raise TypeError(message)
    schema = reply.model_json_schema()
    return _for_wire(schema, schema.get("$defs", {}), bounded=bounded)


def barred(reply: type[BaseModel]) -> tuple[str, ...]:
    """Return what bars `reply` from being asked for: dicts, discriminators, defaults, unknown keys let through.

    Strict modes make an optional field required, turn a dict into an object that is always empty, or refuse a
    discriminator; a type without them means the same to every vendor.
    """
    try:
        schema = reply.model_json_schema()
    except PydanticInvalidForJsonSchema as error:
        return (f"no JSON schema: {error.message.partition(chr(10))[0]}",)
    definitions = schema.get("$defs", {})
    found = [*_complaints(schema, "the reply", definitions, ())]
    if "$ref" not in schema and schema.get("type") != "object":
        found.append("the reply: not an object")
    return tuple(dict.fromkeys(found))


def _complaints(
    schema: Mapping[str, Any], place: str, definitions: Mapping[str, Any], above: tuple[str, ...]
) -> Iterator[str]:
    if "$ref" in schema:
        name = _referred(schema)
        if name in above:
            yield f"{place}: contains itself"
            return
        yield from _complaints(definitions[name], place, definitions, (*above, name))
        return
    yield from (f"{place}: {word}" for word in sorted(schema.keys() - _KNOWN))
    if schema.get("format", "date") not in _FORMATS:
        yield f"{place}: format {schema['format']}"
    if "anyOf" in schema:
        for part in schema["anyOf"]:
            yield from _complaints(part, place, definitions, above)
    elif schema.get("type") == "object":
        yield from _object_complaints(schema, place, definitions, above)
    elif schema.get("type") == "array":
        yield from _complaints(schema.get("items", {}), f"{place}[]", definitions, above)
    elif schema.get("type") not in _SCALARS:
        yield f"{place}: anything goes"


def _object_complaints(
    schema: Mapping[str, Any], place: str, definitions: Mapping[str, Any], above: tuple[str, ...]
) -> Iterator[str]:
    if schema.get("additionalProperties") is not False:
        yield f"{place}: lets unknown keys through"
    for name, part in schema.get("properties", {}).items():
        if name not in schema.get("required", ()):
            yield f"{place}.{name}: has a default"
            part = {word: value for word, value in part.items() if word != "default"}  # noqa: PLW2901
        yield from _complaints(part, f"{place}.{name}", definitions, above)


def _referred(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).removeprefix("#/$defs/")


def _for_wire(schema: Mapping[str, Any], definitions: Mapping[str, Any], *, bounded: bool) -> dict[str, Any]:
    if "$ref" in schema:
        schema = {**definitions[_referred(schema)], **{k: v for k, v in schema.items() if k != "$ref"}}
    wire: dict[str, Any] = {word: schema[word] for word in ("type", "enum", "format") if word in schema}
    if "const" in schema:
        wire["enum"] = [schema["const"]]
    if "anyOf" in schema:
        wire["anyOf"] = [_for_wire(part, definitions, bounded=bounded) for part in schema["anyOf"]]
    if "items" in schema:
        wire["items"] = _for_wire(schema["items"], definitions, bounded=bounded)
    if schema.get("type") == "object":
        wire["properties"] = {
            name: _for_wire(part, definitions, bounded=bounded) for name, part in schema.get("properties", {}).items()
        }
        wire["required"] = list(wire["properties"])
        wire["additionalProperties"] = False
    bounds = {word: schema[word] for word in _BOUNDS if word in schema}
    if bounded:
        wire.update({word: bound for word, bound in bounds.items() if word.endswith(("Length", "Items"))})
    if told := " ".join(filter(None, (schema.get("description", ""), _told(bounds)))):
        wire["description"] = told
    return wire


def _told(bounds: Mapping[str, object]) -> str:
    return "; ".join(_BOUNDS[word].format(bound) for word, bound in bounds.items())
