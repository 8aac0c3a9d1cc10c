from __future__ import annotations

import pytest

from dream.sources.sessions.harness import role_of_spoken, split_reminders
from dream.sources.sessions.references import (
    folder_name,
    pull_requests_in,
    pull_requests_opened,
    recalls_memory,
    relative_path,
)
from dream.sources.sessions.values import Role


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://github.com/acme/web/pull/41", {"acme/web#41"}),
        ("http://git.acme.example:8443/acme/web/pull/0041/files", {"acme/web#41"}),
        ("acme/web#41, (acme/api#7)", {"acme/web#41", "acme/api#7"}),
        ("PR #41 and pull request #42", {"#41", "#42"}),
        ("issue #41, #42, colour #1234ab", set()),
        ("see src/acme/web#41", set()),
        ("https://example.org/acme/web/issues/41", set()),
        ("PR #\u0664\u0661", set()),
    ],
)
def test_pull_requests_are_found_as_they_are_cited(text: str, found: set[str]) -> None:
    assert pull_requests_in(text) == found


def test_a_list_that_a_tool_prints_names_no_pull_request_of_the_session() -> None:
    printed = "https://github.com/acme/web/pull/41"
    assert pull_requests_opened("gh pr create --fill", printed) == {"acme/web#41"}
    assert pull_requests_opened("gh pr list --json url", printed) == set()
    assert pull_requests_opened("mcp__github__create_pull_request", printed) == {"acme/web#41"}


@pytest.mark.parametrize(
    ("tool", "call", "recalled"),
    [
        ("Read", "/srv/web/CLAUDE.md", True),
        ("Read", "C:\\web\\memory\\queues.md", True),
        ("Bash", "head -5 docs/AGENTS.md", True),
        ("mcp__brain__search_memories", "", True),
        ("Read", "/srv/web/docs/MEMORY.md.bak2", True),
        ("Read", "/srv/web/src/memory.py", False),
        ("Bash", "free -m", False),
    ],
)
def test_calls_that_read_what_agents_remember_are_known(tool: str, call: str, *, recalled: bool) -> None:
    assert recalls_memory(tool, call) is recalled


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/home/ana/web", "web"),
        ("/home/ana/web/", "web"),
        ("/home/ana", ""),
        ("/root", ""),
        ("/", ""),
        ("", ""),
        ("/Users/ana", ""),
    ],
)
def test_a_working_directory_is_named_by_its_last_part_unless_it_is_a_home(cwd: str, name: str) -> None:
    assert folder_name(cwd) == name


def test_paths_are_relative_to_the_working_directory_where_they_stand_in_it() -> None:
    assert relative_path("/srv/web/src/a.py", "/srv/web") == "src/a.py"
    assert relative_path("/srv/webber/a.py", "/srv/web") == "/srv/webber/a.py"
    assert relative_path("./src/a.py", "") == "src/a.py"


@pytest.mark.parametrize(
    "text",
    [
        "a/" * 50_000,
        "https://a.b/" + "c/" * 50_000,
        "x" * 100_000 + "#1",
        "PR #" * 25_000,
        "<" * 100_000,
        "<system-reminder>" * 6_000,
        "A" * 100_000 + " hook feedback",
        "Contents of " + "x" * 100_000,
        "_**User (" + "(" * 100_000,
    ],
)
def test_hostile_texts_are_read_through(text: str) -> None:
    assert isinstance(pull_requests_in(text), set)
    assert isinstance(role_of_spoken(text), Role)
    assert "".join(stretch for stretch, _ in split_reminders(text)) == text
    assert recalls_memory(text, text) in {True, False}
    assert isinstance(folder_name(text), str)
