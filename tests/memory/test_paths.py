from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.paths import Kind, collisions, fold, is_creatable, is_topic, kind_of


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("MEMORY.md", Kind.INDEX),
        ("index.md", Kind.INDEX),
        ("services/index.md", Kind.TOPIC),
        ("INDEX.md", Kind.TOPIC),
        ("CATALOG.md", Kind.CATALOG),
        ("CATALOG/services.md", Kind.CATALOG),
        ("daily/2026-10-21.md", Kind.DAILY),
        ("preferences/slack/deploys.md", Kind.PREFERENCE),
        ("learnings/rollback/SKILL.md", Kind.LEARNING),
        ("archive/old.md", Kind.ARCHIVE),
        (".dream/state.json", Kind.DOT),
        (".hidden.md", Kind.DOT),
        ("services/.drafts/a.md", Kind.DOT),
        ("services/../a.md", Kind.DOT),
        ("services/checkout-api.md", Kind.TOPIC),
        ("conventions/acme-web.md", Kind.TOPIC),
        ("projects/MEMORY.md", Kind.TOPIC),
        ("services/daily/x.md", Kind.TOPIC),
        ("daily.md", Kind.TOPIC),
        ("日志/2026-03-13 记录.md", Kind.TOPIC),
        ("SHOUTED.MD", Kind.TOPIC),
        ("diagram.png", Kind.ASSET),
        ("daily/photo.jpg", Kind.ASSET),
        ("noending", Kind.ASSET),
    ],
)
def test_a_path_is_of_the_kind_of_its_place(path: str, kind: Kind) -> None:
    assert kind_of(path) is kind
    assert is_topic(path) is (kind is Kind.TOPIC)


@pytest.mark.parametrize(
    "path",
    [
        "MEMORY.md",
        "CATALOG.md",
        "CATALOG/services.md",
        "CATALOG/services-2.md",
        "learnings/rollback-a-release/SKILL.md",
        "daily/2026-10-21.md",
        "services/checkout-api.md",
        "a/b/c/d.md",
        "0.md",
    ],
)
def test_the_night_may_make_plain_paths_and_the_named_exceptions(path: str) -> None:
    assert is_creatable(path)


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".md",
        "services/",
        "services//a.md",
        "/etc/passwd.md",
        "../a.md",
        "services/../a.md",
        "services/./a.md",
        "services\\a.md",
        "services/a.md\n",
        "services/a.md/",
        "services/a.md/b.md",
        "services./a.md",
        "services /a.md",
        "services/a .md",
        "services/a.md ",
        "services/a.txt",
        "services/a",
        "services/A.md",
        "Services/a.md",
        "services/ä.md",
        "services/\u0430.md",
        "services/\u0661.md",
        "services/a\0.md",
        "services/%2e%2e.md",
        ".git/config.md",
        ".dream/a.md",
        "git~1/a.md",
        ".g\u200cit/a.md",
        "con.md",
        "services/aux.md",
        "nul/a.md",
        "com1.log.md",
        "a/b/c/d/e.md",
        "x" * 65 + ".md",
        "/".join(["a" * 60] * 4) + ".md",
        "learnings/SKILL.md",
        "learnings/a/b/SKILL.md",
        "services/SKILL.md",
        "memory/MEMORY.md",
        "CATALOG/",
        "CATALOG/A.md",
    ],
)
def test_the_night_makes_no_path_outside_the_allowlist(path: str) -> None:
    assert not is_creatable(path)


@given(st.text(alphabet="aA0./-_~ \\\n\0md%\u200cSKILearnings", max_size=30))
def test_whatever_is_creatable_stays_inside_and_means_the_same_everywhere(path: str) -> None:
    if is_creatable(path) and not path.startswith("CATALOG"):
        parts = path.split("/")
        assert path.isascii()
        assert all(part and not part.startswith(".") and not part.endswith((".", " ")) for part in parts)
        assert path.endswith(".md")
        assert fold(path) == path or parts[-1] in {"SKILL.md", "MEMORY.md"}


def test_paths_that_some_file_systems_take_for_one_are_grouped() -> None:
    composed, decomposed = "services/caf\u00e9.md", "services/cafe\u0301.md"
    paths = ["a.md", "A.md", composed, decomposed, "stra\u00dfe.md", "STRASSE.md", "b.md"]
    assert dict(collisions(paths)) == {
        "a.md": ("A.md", "a.md"),
        composed: (decomposed, composed),
        "strasse.md": ("STRASSE.md", "stra\u00dfe.md"),
    }
