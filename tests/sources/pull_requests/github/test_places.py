from __future__ import annotations

import pytest

from dream.sources.pull_requests.github.places import Places, places_of

_SERVER = Places(
    graphql="https://ghe.acme.example/api/graphql",
    rest="https://ghe.acme.example/api/v3",
    clone="https://ghe.acme.example",
)


@pytest.mark.parametrize(
    ("url", "places"),
    [
        (
            "https://api.github.com",
            Places(graphql="https://api.github.com/graphql", rest="https://api.github.com", clone="https://github.com"),
        ),
        (
            "https://api.acme.ghe.com/",
            Places(
                graphql="https://api.acme.ghe.com/graphql",
                rest="https://api.acme.ghe.com",
                clone="https://acme.ghe.com",
            ),
        ),
        ("https://ghe.acme.example/api/v3", _SERVER),
        ("https://ghe.acme.example/api/v3/", _SERVER),
        ("https://ghe.acme.example/api", _SERVER),
        ("https://ghe.acme.example/api/graphql", _SERVER),
        (
            "http://127.0.0.1:9",
            Places(graphql="http://127.0.0.1:9/graphql", rest="http://127.0.0.1:9", clone="http://127.0.0.1:9"),
        ),
    ],
)
def test_a_github_has_its_interfaces_where_it_documents_them(url: str, places: Places) -> None:
    assert places_of(url) == places


def test_a_commit_that_is_none_leads_nowhere_else() -> None:
    address = places_of("https://api.github.com").compare("acme/web", "../../x?y", "b#c")
    assert address == "https://api.github.com/repos/acme/web/compare/..%2F..%2Fx%3Fy...b%23c"
