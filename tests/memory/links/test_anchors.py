from __future__ import annotations

import pytest

from dream.memory.links.anchors import Anchors, find_anchors
from dream.memory.links.slugs import heading_text, slug, slugs

NOTE = """\ufeff---
name: orders
---
# Orders

Intro. ^intro

## Limits & quotas

- 10 a second ^limit-1
  ## Nested heading

### In `prod`

> ## Quoted

## Limits & quotas

<a id="old-name"></a> <a name='older'></a>

Two words
of a title
==========

## Named {#by-hand}

```
## Not a heading ^no
<a id="not">
```

<!--
## Hidden
-->

<h2>By <b>tag</b></h2>

`<a id="code">`
"""


@pytest.fixture(scope="module")
def anchors() -> Anchors:
    return find_anchors(NOTE)


# What GitHub itself answered, as the fixtures of github-slugger record it.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bravoCharlieDelta", "bravocharliedelta"),
        ("__proto__", "__proto__"),
        ("heading with a - dash", "heading-with-a---dash"),
        ("heading with an _ underscore", "heading-with-an-_-underscore"),
        ("heading with a period.txt", "heading-with-a-periodtxt"),
        (
            "exchange.bind_headers(exchange, routing [, bindCallback])",
            "exchangebind_headersexchange-routing--bindcallback",
        ),
        (" a ", "-a-"),
        ("apostrophe\u2019s should be trimmed", "apostrophes-should-be-trimmed"),
        ("I \u2665 unicode", "i--unicode"),
        ("en\u2013dash", "endash"),
        ("\U0001f604 unicode emoji", "-unicode-emoji"),
        ("\U0001f604_\U0001f604 unicode emoji", "_-unicode-emoji"),
        ("\U0001f604 - an emoji", "---an-emoji"),
        (":smile: - a gemoji", "smile---a-gemoji"),
        (":ok_hand: :hatched_chick: Two in a row", "ok_hand-hatched_chick-two-in-a-row"),
        (
            "\u041f\u0440\u0438\u0432\u0435\u0442 non-latin \u4f60\u597d",
            "\u043f\u0440\u0438\u0432\u0435\u0442-non-latin-\u4f60\u597d",
        ),
        ("a_ \u203f \u2040b", "a_-\u203f-\u2040b"),
        ("a$ \u00a2 \u20acb", "a--b"),
        ("\u2163 \u00b2 \u00bd", "\u2173--"),
        ("a\u0488 \u20e3b", "a\u0488-\u20e3b"),
        ("a\u2028b", "ab"),
        ("\u24b6", "\u24d0"),
        ("a\u00a0b", "ab"),
    ],
)
def test_a_heading_is_called_what_github_calls_it(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_repeated_headings_are_numbered_as_github_numbers_them() -> None:
    texts = ["echo", "echo", "echo 1", "echo-1", "echo", "foxtrot-1", "foxtrot", "foxtrot", "hasOwnProperty"]
    assert slugs(texts) == [
        "echo",
        "echo-1",
        "echo-1-1",
        "echo-1-2",
        "echo-2",
        "foxtrot-1",
        "foxtrot",
        "foxtrot-2",
        "hasownproperty",
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**Bold** and `code_x`", "Bold and code_x"),
        ("[a *link*](x.md) and ![a picture](y.png)", "a link and "),
        ("snake_case_name and _stress_", "snake_case_name and stress"),
        ("<b>x</b> &amp; \\* ~~gone~~", "x & * gone"),
        ("[[name]] and [a bracket]", "[[name]] and [a bracket]"),
        ("<https://example.org>", "https://example.org"),
        ("plain words\r", "plain words"),
    ],
)
def test_a_heading_shows_its_text_without_markup(written: str, shown: str) -> None:
    assert heading_text(written) == shown


def test_headings_are_found_wherever_they_stand_but_in_code_and_comments(anchors: Anchors) -> None:
    assert [(heading.slug, heading.line, heading.end) for heading in anchors.headings] == [
        ("orders", 3, 20),
        ("limits--quotas", 7, 16),
        ("nested-heading", 10, 11),
        ("in-prod", 12, 16),
        ("quoted", 14, 15),
        ("limits--quotas-1", 16, 20),
        ("two-wordsof-a-title", 20, 39),
        ("named-by-hand", 24, 35),
        ("by-tag", 35, 39),
    ]


@pytest.mark.parametrize(
    ("anchor", "line"),
    [
        ("", 0),
        ("top", 0),
        ("Orders", 3),
        ("limits--quotas", 7),
        ("limits--quotas-1", 16),
        ("user-content-quoted", 14),
        ("^intro", 5),
        ("^limit-1", 9),
        ("old-name", 18),
        ("older", 18),
        ("by-hand", 24),
        ("named", 24),
        ("named-by-hand", 24),
        ("Limits%20&%20quotas", 7),
        ("L10", 9),
        ("L10-L12", 9),
        ("L9C2-L10C3", 8),
    ],
)
def test_an_anchor_leads_to_a_line(anchors: Anchors, anchor: str, line: int) -> None:
    assert anchors.find(anchor) == line


@pytest.mark.parametrize(
    "anchor",
    ["limits-quotas", "limits--quotas-2", "^no", "not", "code", "hidden", "not-a-heading", "L99", "L10-L99", "L0", "^"],
)
def test_an_anchor_of_nothing_leads_nowhere(anchors: Anchors, anchor: str) -> None:
    assert anchors.find(anchor) is None
    assert anchors.find(anchor.replace("-", " "), is_wiki=True) is None or anchor == "limits-quotas"


@pytest.mark.parametrize(
    ("anchor", "line"),
    [
        ("Limits & quotas", 7),
        ("limits quotas", 7),
        ("Orders#In prod", 12),
        ("Limits & quotas#Nested heading", 10),
        ("Named", 24),
    ],
)
def test_a_wiki_link_names_a_heading_by_its_text(anchors: Anchors, anchor: str, line: int) -> None:
    assert anchors.find(anchor, is_wiki=True) == line


def test_a_heading_under_another_one_is_not_what_a_path_of_headings_means(anchors: Anchors) -> None:
    assert anchors.find("Quoted#Nested heading", is_wiki=True) is None


def test_lines_that_end_in_carriage_returns_change_no_name() -> None:
    assert find_anchors(NOTE.replace("\n", "\r\n")).headings == find_anchors(NOTE).headings
    assert find_anchors(NOTE.replace("\n", "\r\n")).names == find_anchors(NOTE).names


def test_a_note_without_anything_to_name_has_its_lines_alone() -> None:
    anchors = find_anchors("Plain words.\nMore of them.\n")
    assert (anchors.names, anchors.find("L2"), anchors.find("L4")) == (frozenset(), 1, None)
