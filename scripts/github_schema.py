"""Cut out of GitHub's published schema what the packaged query is validated against.

npm pack @octokit/graphql-schema && tar -xzf octokit-graphql-schema-*.tgz
python scripts/github_schema.py package > tests/sources/pull_requests/github/schema.graphql

Every type that the query speaks of is taken whole and word for word, without descriptions, and so is what describes
values; any other type that their fields name is a stub of its kind.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path

from graphql import (
    DocumentNode,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLSchema,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    build_ast_schema,
    parse,
    print_ast,
    visit,
)
from graphql.language import (
    EnumTypeDefinitionNode,
    FieldNode,
    InputObjectTypeDefinitionNode,
    InterfaceTypeDefinitionNode,
    NamedTypeNode,
    Node,
    ObjectTypeDefinitionNode,
    ScalarTypeDefinitionNode,
    TypeDefinitionNode,
    UnionTypeDefinitionNode,
)
from graphql.type import get_named_type

QUERY = Path(__file__).parents[1] / "dream" / "sources" / "pull_requests" / "github" / "query.graphql"
_FEW = 10
_DESCRIBE_VALUES = (EnumTypeDefinitionNode, InputObjectTypeDefinitionNode)


class _Spoken(Visitor):
    """The types that a query asks fields of, gets back, or narrows to."""

    def __init__(self, types: TypeInfo) -> None:
        super().__init__()
        self._types = types
        self.names: set[str] = set()

    def enter_field(self, _node: FieldNode, *_: object) -> None:
        for spoken in (self._types.get_parent_type(), get_named_type(self._types.get_type())):
            if isinstance(spoken, GraphQLNamedType):
                self.names.add(spoken.name)

    def enter_named_type(self, node: NamedTypeNode, *_: object) -> None:
        self.names.add(node.name.value)


class _Named(Visitor):
    """The types that a definition names."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_named_type(self, node: NamedTypeNode, *_: object) -> None:
        self.names.add(node.name.value)


class _Plain(Visitor):
    """A definition without its descriptions."""

    def enter(self, node: Node, *_: object) -> Node | None:
        if not getattr(node, "description", None):
            return None
        return replace(node, description=None)  # type: ignore[call-arg]  # of nodes that have one


def spoken_types(schema: GraphQLSchema, query: DocumentNode) -> set[str]:
    """Return the names of the types that `query` speaks of, and who stands behind an interface that few implement."""
    types = TypeInfo(schema)
    spoken = _Spoken(types)
    visit(query, TypeInfoVisitor(types, spoken))
    found = set(spoken.names)
    for name in spoken.names:
        kind = schema.type_map[name]
        if isinstance(kind, GraphQLInterfaceType) and len(schema.get_possible_types(kind)) <= _FEW:
            found |= {possible.name for possible in schema.get_possible_types(kind)}
    return found


def subset(schema: DocumentNode, query: DocumentNode) -> str:
    """Return the part of `schema` that `query` can be validated against."""
    definitions = {node.name.value: node for node in schema.definitions if isinstance(node, TypeDefinitionNode)}
    whole = spoken_types(build_ast_schema(schema, assume_valid=True), query) & definitions.keys()
    named, left = _Named(), set(whole)
    while left:
        for name in left:
            visit(definitions[name], named)
        # a value that is given is checked to its last field, so what describes one is whole as well
        left = {name for name in named.names - whole if isinstance(definitions.get(name), _DESCRIBE_VALUES)}
        whole |= left
    texts = [print_ast(visit(definitions[name], _Plain())) for name in sorted(whole)]
    texts += [_stub(definitions[name]) for name in sorted((named.names - whole) & definitions.keys())]
    return "\n\n".join(texts) + "\n"


def _stub(node: TypeDefinitionNode) -> str:
    name = node.name.value
    match node:
        case ScalarTypeDefinitionNode():
            return f"scalar {name}"
        case InterfaceTypeDefinitionNode():
            return f"interface {name} {{ stub: Boolean }}"
        case UnionTypeDefinitionNode() | ObjectTypeDefinitionNode():
            return f"type {name} {{ stub: Boolean }}"
        case _:
            message = f"no stub stands for {name}"
            raise TypeError(message)


def main(package: Path) -> None:
    """Print the subset, under a header that says what it was cut out of."""
    whole = (package / "schema.graphql").read_bytes()
    told = json.loads((package / "package.json").read_bytes())
    body = subset(parse(whole.decode()), parse(QUERY.read_text(encoding="utf-8")))
    sys.stdout.write(
        f"# Of GitHub's public schema, as {told['name']} {told['version']} ({told['license']}) publishes it: types\n"
        "# that the packaged query speaks of, whole and without descriptions; stubs for the rest that those name.\n"
        "# Made by scripts/github_schema.py and not to be edited.\n"
        f"# sha256 of schema.graphql: {hashlib.sha256(whole).hexdigest()}\n"
        f"# sha256 of what follows the next line: {hashlib.sha256(body.encode()).hexdigest()}\n"
        "\n"
        f"{body}"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
