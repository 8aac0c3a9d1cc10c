from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path

import pytest
from graphql import GraphQLSchema, build_schema, parse, validate

HERE = Path(__file__).parent
QUERY = resources.files("dream.sources.pull_requests.github").joinpath("query.graphql").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build_schema((HERE / "schema.graphql").read_text(encoding="utf-8"), assume_valid=True)


def complaints(schema: GraphQLSchema, query: str) -> list[str]:
    return [error.message for error in validate(schema, parse(query))]


def test_githubs_published_schema_knows_everything_that_is_asked(schema: GraphQLSchema) -> None:
    assert complaints(schema, QUERY) == []


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("headRefOid", "headRefOID", "Cannot query field 'headRefOID' on type 'PullRequest'."),
        ("beforeCommit { oid }", "beforeCommit", "Field 'beforeCommit' of type 'Commit' must have a selection"),
        ("on MergedEvent", "on MergeEvent", "Unknown type 'MergeEvent'."),
        ("MERGED_EVENT", "MERGE_EVENT", "Value 'MERGE_EVENT' does not exist in"),
        ("$after: String", "$after: Int", "Variable '$after' of type 'Int' used in position expecting type 'String'."),
        ("direction: DESC", "directed: DESC", "Expected value of type 'IssueOrder'"),
        ("submittedAt", "submitedAt", "Cannot query field 'submitedAt' on type 'PullRequestReview'."),
    ],
)
def test_what_is_misspelled_is_noticed(schema: GraphQLSchema, right: str, wrong: str, complaint: str) -> None:
    assert right in QUERY
    found = complaints(schema, QUERY.replace(right, wrong))
    assert any(one.startswith(complaint) for one in found)


def test_the_schema_is_as_the_script_cut_it() -> None:
    head, _, body = (HERE / "schema.graphql").read_text(encoding="utf-8").partition("\n\n")
    assert head.endswith(f"# sha256 of what follows the next line: {hashlib.sha256(body.encode()).hexdigest()}")
