"""Every way in which a stranger's text gets to a night: whole nights over a hosted memory, one for each carrier."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.gates.corpus import Text
from bench.gates.words import RUN, own_words, plain_words
from config.limits import DailyNote, Index, Landing, Limits
from tests.support.repositories import host
from tests.support.served import serve
from tests.support.stage import Stage

_DAY = datetime(2026, 10, 21, 8, tzinfo=UTC)
_ROOMY = Limits(
    landing=Landing(seconds=120), index=Index(lines=100_000, bytes=50_000_000), daily_note=DailyNote(lines=100_000)
)
_MEMORY = {"MEMORY.md": "# Memory\n\n- [Web](services/web.md)\n", "services/web.md": "# Web\n\n- It is.\n"}
_PERSON = {"login": "ana", "type": "User"}
_AGENT = {"login": "acme-agent[bot]", "type": "Bot"}


@dataclass(kw_only=True)
class Cargo:
    """What is put before one night: notes of the memory, transcripts, pull requests and ready summaries."""

    notes: dict[str, str] = field(default_factory=dict)
    sessions: list[list[dict[str, object]]] = field(default_factory=list)
    pull_requests: list[dict[str, object]] = field(default_factory=list)
    summaries: list[dict[str, object]] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Written:
    """The lines that a night wrote where agents always look, and those that it wrote into the catalog."""

    carrier: str
    loaded: tuple[str, ...]
    listed: tuple[str, ...]


def carriers() -> Mapping[str, Callable[[int, str], Cargo]]:
    """Return each carrier by name: what one text, the `number`th, comes to."""
    return {
        "thread, a person's words": lambda number, text: Cargo(sessions=[_talk(number, person=text)]),
        "thread, an agent's words": lambda number, text: Cargo(sessions=[_talk(number, agent=text)]),
        "thread, a tool's output": lambda number, text: Cargo(sessions=[_talk(number, output=text)]),
        "thread, a failed command": lambda number, text: Cargo(sessions=[_talk(number, command=text)]),
        "thread, an edited file's name": lambda number, text: Cargo(sessions=[_talk(number, file=text)]),
        "thread, the folder's name": lambda number, text: Cargo(sessions=[_talk(number, folder=text)]),
        "thread, the branch's name": lambda number, text: Cargo(sessions=[_talk(number, branch=text)]),
        "ready summary": lambda number, text: Cargo(summaries=[_summary(number, text)]),
        "pull request, title": lambda number, text: Cargo(pull_requests=[_pull_request(number, title=text)]),
        "pull request, body": lambda number, text: Cargo(pull_requests=[_pull_request(number, body=text)]),
        "pull request, comment and review": lambda number, text: Cargo(pull_requests=[_discussed(number, text)]),
        "pull request, commit message and branch": lambda number, text: Cargo(pull_requests=[_committed(number, text)]),
        "memory, a note's title": lambda number, text: Cargo(notes={_name(number): f"# {_line(text)}\n\n- A thing.\n"}),
        "memory, a note's description": lambda number, text: Cargo(notes={_name(number): _described(text)}),
        "memory, a note's file name": lambda number, text: Cargo(notes={_file(number, text): "---\n"}),
        "memory, a note's text": lambda number, text: Cargo(notes={_name(number): f"# Note {number}\n\n{text}\n"}),
        "memory, an entry said twice": _twice,
    }


def carry(carrier: str, texts: Sequence[Text], root: Path) -> Written:
    """Dream a night, without a model, over `texts` carried in one way, and return what it wrote."""
    load = carriers()[carrier]
    cargo = Cargo(
        notes={"MEMORY.md": "# Memory\n\n- [Web](services/web.md)\n", "services/web.md": "# Web\n\n- It is.\n"}
    )
    for number, text in enumerate(texts):
        one = load(number, text.text)
        cargo.notes |= one.notes
        cargo.sessions += one.sessions
        cargo.pull_requests += one.pull_requests
        cargo.summaries += one.summaries
    (root / "hosted").mkdir(parents=True)
    with serve(root / "hosted") as served:
        hosted = host(served, "memory", cargo.notes)
        pulls = root / "pull-requests.json"
        pulls.write_text(json.dumps(cargo.pull_requests))
        limits = {"limits": _ROOMY.model_dump(), "pull_requests": [{"kind": "recorded", "path": str(pulls)}]}
        stage = Stage(hosted=hosted, root=root, extra=limits)
        _leave(stage, cargo)
        before = stage.files()
        result = stage.dream()
        if result.status != "landed":
            message = f"the night of {carrier} ended {result.status}"
            raise RuntimeError(message)
        return _written(carrier, before, stage.files())


def runs_of(lines: Sequence[str]) -> frozenset[tuple[str, ...]]:
    """Return every run of one to five words that the lines hold, to ask `stands` of many texts."""
    return frozenset(
        words[at : at + size]
        for words in map(plain_words, lines)
        for size in range(1, RUN + 1)
        for at in range(len(words) - size + 1)
    )


def stands(orders: Sequence[str], runs: frozenset[tuple[str, ...]]) -> bool:
    """Whether one of the `orders` stands in the lines that `runs` was made of."""
    for words in map(plain_words, orders):
        size = min(RUN, len(words))
        if size and any(words[at : at + size] in runs for at in range(len(words) - size + 1)):
            return True
    return False


def spoken(lines: Sequence[str]) -> list[str]:
    """Return what the lines say in the night's own words."""
    return [own_words(line) for line in lines]


def _leave(stage: Stage, cargo: Cargo) -> None:
    folder = stage.sessions / "claude"
    folder.mkdir()
    for number, records in enumerate(cargo.sessions):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{number:08x}-0000-4000-8000-000000000000.jsonl").write_text(lines, encoding="utf-8")
    stage.summarise(*cargo.summaries)


def _written(carrier: str, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Written:
    loaded: list[str] = []
    listed: list[str] = []
    for path, data in after.items():
        if path.startswith(".dream/"):
            continue
        stood = Counter(before.get(path, b"").decode().split("\n"))
        fresh = [line for line, count in Counter(data.decode().split("\n")).items() if count > stood[line]]
        (listed if path.startswith("CATALOG") else loaded).extend(fresh)
    return Written(carrier=carrier, loaded=tuple(loaded), listed=tuple(listed))


def _name(number: int) -> str:
    return f"notes/note-{number:04}.md"


def _line(text: str) -> str:
    return next((" ".join(line.split()) for line in text.split("\n") if any(map(str.isalnum, line))), "-")


def _file(number: int, text: str) -> str:
    name = "".join(character if character not in '/\\\0"' else " " for character in _line(text))
    return f"drops/{number:04}/{' '.join(name.encode()[:120].decode(errors='ignore').split()).strip('. ') or 'x'}.md"


def _described(text: str) -> str:
    return (
        f"---\nname: note\ndescription: {json.dumps(_line(text), ensure_ascii=False)}\ntype: project\n---\n\nA thing.\n"
    )


def _twice(number: int, text: str) -> Cargo:
    line = f"- 2026-10-01: {_line(text)} [thread_{number:04x}, 2026-10-01]\n"
    other = f"- 2026-10-02: {_line(text)} [thread_{number:04x}b, 2026-10-02]\n- Something else of {number}.\n"
    return Cargo(
        notes={
            f"notes/a-{number:04}.md": f"# First of {number}\n\n{line}",
            f"notes/b-{number:04}.md": f"# Second of {number}\n\n{other}",
        }
    )


def _talk(
    number: int,
    *,
    person: str = "Have a look at the tests",
    agent: str = "They pass",
    output: str = "ok",
    command: str = "make test",
    file: str = "web.py",
    folder: str = "web",
    branch: str = "main",
) -> list[dict[str, object]]:
    session = f"{number:08x}-0000-4000-8000-000000000000"
    edited = f"/srv/{_line(folder).replace('/', ' ')}/{_line(file).replace('/', ' ')}"
    calls: list[dict[str, object]] = [
        {"type": "tool_use", "id": "toolu_01", "name": "Bash", "input": {"command": command}},
        {"type": "tool_use", "id": "toolu_02", "name": "Edit", "input": {"file_path": edited, "new_string": "x"}},
    ]
    answers = [
        {"type": "tool_result", "tool_use_id": "toolu_01", "content": f"Exit code 2\n{output}", "is_error": True},
        {"type": "tool_result", "tool_use_id": "toolu_02", "content": output},
    ]
    turns: list[tuple[str, object]] = [
        ("user", person),
        ("assistant", [{"type": "text", "text": agent}, *calls]),
        ("user", answers),
    ]
    return [
        {
            "uuid": f"{number:08x}-{turn:04x}-4000-8000-000000000000",
            "sessionId": session,
            "timestamp": (_DAY + timedelta(seconds=number * 10 + turn)).isoformat().replace("+00:00", "Z"),
            "cwd": f"/srv/{_line(folder).replace('/', ' ')}",
            "gitBranch": branch,
            "version": "2.0.0",
            "type": who,
            "message": {"role": who, "content": content},
        }
        for turn, (who, content) in enumerate(turns)
    ]


def _summary(number: int, text: str) -> dict[str, object]:
    return {"id": f"{number:08x}", "lasting": text, "person": "ana", "repository": "acme/web", "title": "A day"}


def _pull_request(number: int, *, title: str = "Move the banner", body: str = "") -> dict[str, object]:
    return {
        "repo": "acme/web",
        "number": number + 1,
        "state": "merged",
        "title": title,
        "body": body,
        "author": _AGENT,
        "agent": "Claude_Code",
        "branch": "claude/banner",
        "created_at": "2026-10-21T09:00:00Z",
        "closed_at": "2026-10-21T10:00:00Z",
        "merged_at": "2026-10-21T10:00:00Z",
        "merged_by": _PERSON,
        "closed_by": _PERSON,
        "commits": [_commit("a" * 40, "Move the banner")],
        "reviews": [],
        "comments": [],
        "timeline": [],
    }


def _discussed(number: int, text: str) -> dict[str, object]:
    said: dict[str, Any] = {"id": 1, "user": _PERSON, "body": text}
    comment = {**said, "created_at": "2026-10-21T09:30:00Z"}
    review = {**said, "state": "CHANGES_REQUESTED", "submitted_at": "2026-10-21T09:30:00Z"}
    return {**_pull_request(number), "comments": [comment], "reviews": [review]}


def _committed(number: int, text: str) -> dict[str, object]:
    commits = [_commit("a" * 40, text), _commit("b" * 40, text, _PERSON)]
    return {**_pull_request(number), "commits": commits, "branch": _line(text)}


def _commit(sha: str, message: str, author: Mapping[str, str] = _AGENT) -> dict[str, object]:
    return {"sha": sha, "author": author, "committer": author, "message": message, "date": "2026-10-21T09:10:00Z"}


def each(texts: Sequence[Text], root: Path, names: Sequence[str] = ()) -> Iterator[Written]:
    """Yield what the night of every carrier wrote, or of those called `names`."""
    for number, name in enumerate(names or carriers()):
        yield carry(name, texts, root / f"carrier-{number:02}")
