"""Reads of notes, told by calls that show a file and output that holds its lines."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from dream.memory.tree import MappingTree
from dream.sources.sessions.formats.registry import formats
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.reads import ReadNotes, reads_in
from dream.sources.sessions.shown_files import shown_files
from dream.sources.sessions.values import Message, Role, Session, SessionSource
from tests.sources.sessions.transcripts import agent, call, jsonl, messages, read, result, user

CHECKOUT = "services/checkout-api.md"
TEXT = "# Checkout\n\n- 2026-10-14: It listens on port 8443. [thread_7c2e, 2026-10-14]\n"
MEMORY = MappingTree({CHECKOUT: TEXT.encode(), "facts.md": b"- The queue is called orders-v2.\n"})
AT = datetime(2026, 10, 21, 23, 30, tzinfo=UTC)


def output(
    tool: str = "", text: str = TEXT, *, command: str = "", role: Role = Role.TOOL, failed: bool = False
) -> Message:
    return Message(id="m", at=AT, role=role, text=text, tool=tool or f"Bash: {command}", command=command, failed=failed)


def read_by(message: Message, notes: ReadNotes | None = None) -> list[str]:
    return list((notes or ReadNotes([MEMORY])).read_in(message))


@pytest.mark.parametrize(
    "message",
    [
        output("Read: /home/ana/memory/services/checkout-api.md"),
        output("Read: `services/checkout-api.md`"),
        output("read_file: C:\\memory\\services\\checkout-api.md"),
        output("mcp__memory__read_note: services/checkout-api.md"),
        output("Read: /home/ana/memory/services/checkout-api.md", role=Role.RECALLED),
        output("attachment: /home/ana/memory/services/checkout-api.md", role=Role.RECALLED),
        output(command="cat ~/memory/services/checkout-api.md".replace("~", "/home/ana")),
        output(command="cd /srv/memory && sed -n 1,40p services/checkout-api.md | head -5"),
        output(command="cd /srv/memory/services; LC_ALL=C grep -n port checkout-api.md || true"),
        output(command="bash -lc 'head -n 20 memory/services/checkout-api.md'"),
        output(command="ls memory\ntail memory/services/checkout-api.md 2>/dev/null"),
    ],
    ids=lambda message: message.tool[:40],
)
def test_a_call_that_shows_a_note_is_a_read_of_it(message: Message) -> None:
    assert read_by(message) == [CHECKOUT]


@pytest.mark.parametrize(
    "message",
    [
        output("Read: /srv/web/services/checkout-api.md", "# The code of checkout, in another repository\n"),
        output("Read: /srv/web/checkout-api.md"),
        output("Read: /srv/memory/other-services/checkout-api.md"),
        output("Read: /home/ana/memory/services/checkout-api.md", failed=True),
        output("Read: /home/ana/memory/services/checkout-api.md", role=Role.AGENT),
        output("Read: /home/ana/memory/services/checkout-api.md", role=Role.PERSON),
        output("Write: /home/ana/memory/services/checkout-api.md"),
        output("Task: services/checkout-api.md"),
        output(command="wc -l services/checkout-api.md", text="3 services/checkout-api.md"),
        output(command="grep -c port services/checkout-api.md", text="1"),
        output(command="sed -i s/8443/443/ services/checkout-api.md"),
        output(command="cat > services/checkout-api.md <<'EOF'\n" + TEXT + "EOF"),
        output(command="echo x > services/checkout-api.md"),
        output(command="cat services/*.md"),
        output(command="grep -rn services/checkout-api.md ."),
        output(command="cat 'services/checkout-api.md"),
    ],
    ids=lambda message: message.tool[:40],
)
def test_what_shows_no_note_is_no_read(message: Message) -> None:
    assert read_by(message) == []


def test_an_agent_that_only_says_it_has_read_a_note_has_not() -> None:
    told = read(jsonl([user(0, f"I read {CHECKOUT}: {TEXT}"), agent(1, f"Read: {CHECKOUT}\n{TEXT}")]))
    assert [path for message in messages(told) for path in read_by(message)] == []


def test_a_read_is_found_in_a_transcript_as_its_tool_writes_it() -> None:
    shown = "".join(f"     {number}→{line}\n" for number, line in enumerate(TEXT.split("\n"), 1))
    told = read(jsonl([user(0, "Go."), call(1, "Read", {"file_path": f"/srv/memory/{CHECKOUT}"}), result(2, 1, shown)]))
    assert [path for message in messages(told) for path in read_by(message)] == [CHECKOUT]


def test_a_note_at_the_root_is_known_by_the_folder_of_the_memory() -> None:
    notes = ReadNotes([MEMORY], checkout="team-memory")
    text = "- The queue is called orders-v2.\n"
    assert read_by(output("Read: /srv/team-memory/facts.md", text), notes) == ["facts.md"]
    assert read_by(output("Read: /srv/web/facts.md", text), notes) == []
    within = ReadNotes([MEMORY], folder=".claude/memory")
    assert read_by(output("Read: /srv/web/.claude/memory/facts.md", text), within) == ["facts.md"]


def test_the_note_with_the_longest_path_is_meant() -> None:
    tree = MappingTree({"a/b/c.md": b"- One and the same line.\n", "b/c.md": b"- One and the same line.\n"})
    text = "- One and the same line.\n"
    assert read_by(output("Read: /m/a/b/c.md", text), ReadNotes([tree])) == ["a/b/c.md"]
    assert read_by(output("Read: /m/b/c.md", text), ReadNotes([tree])) == ["b/c.md"]


def test_a_note_that_changed_since_is_known_by_what_it_said_then() -> None:
    now = MappingTree({CHECKOUT: b"# Something else entirely\n"})
    message = output(f"Read: /m/{CHECKOUT}")
    assert read_by(message, ReadNotes([now])) == []
    assert read_by(message, ReadNotes([MEMORY, now])) == [CHECKOUT]


def test_the_last_day_of_several_reads_counts_in_utc() -> None:
    messages = tuple(
        Message(
            id=str(day),
            at=datetime(2026, 10, day, 12, tzinfo=UTC),
            role=Role.TOOL,
            text=TEXT,
            tool=f"Read: m/{CHECKOUT}",
        )
        for day in (20, 22, 21)
    )
    session = Session(id="s", tool="Claude Code", messages=messages, digest="")
    assert reads_in([session], ReadNotes([MEMORY])) == {CHECKOUT: date(2026, 10, 22)}


def test_calls_of_whatever_length_are_looked_at_in_bounded_time() -> None:
    long = "cat " + " ".join(f"services/{number}.md" for number in range(200_000))
    assert len(shown_files(output(command=long))) < 1_000
    assert shown_files(output("Read: " + "x/" * 97 + "y.md")) == ()


def test_in_real_transcripts_only_the_reads_of_the_real_files_are_found(shared_data: Path) -> None:
    """Looked at by hand: three of this one repository's documents were read, and nothing of the eight others."""
    reading = read_sessions(
        [SessionSource(kind=kind, path=str(shared_data / "transcripts")) for kind in sorted(formats())],
        since=datetime(2020, 1, 1, tzinfo=UTC),
        now=datetime(2026, 12, 1, tzinfo=UTC),
    )
    found = {}
    for folder in sorted((shared_data / "memory_trees").iterdir()):
        if folder.is_dir():
            files = {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}
            found[folder.name] = sorted(reads_in(reading.sessions, ReadNotes([MappingTree(files)])))
    assert {name: paths for name, paths in found.items() if paths} == {
        "specstoryai__getspecstory": [
            "specstory-cli/docs/CLI-RELEASE.md",
            "specstory-cli/docs/PROVIDER-SPI.md",
            "specstory-cli/docs/SESSIONS-DB.md",
        ]
    }
