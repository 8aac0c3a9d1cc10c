"""Nights that are told of pull requests, recorded or by a GitHub on loopback, and what they leave anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from pydantic import BaseModel

from dream.models.port import Unanswered
from dream.models.prompt import Prompt, Untrusted
from dream.models.scripted import ScriptedModel
from flows.dreaming import ModelMaker, build_models
from tasks.lessons.asking import ProposedLesson, ProposedLessons, ShownQuote
from tests.support.dreamers import Dreamer
from tests.support.github import TOKEN, GitHubState, Node, commit, github, pull, sha
from tests.support.repositories import git_bytes
from tests.support.stage import Stage
from tests.support.vendors import VendorServer
from tests.tasks.lessons.records import PATH, Record, edit, merged

WEB = "acme/web"
GITHUB_NIGHT = date(2026, 11, 29)
LOGGED = ("  console.error(problem);", "  logger.error(problem);")
STATEMENT = "In `src/api/*.ts` people changed `console.error` to `logger.error` in agents' pull requests."
LESSON = f"- 2026-10-21: {STATEMENT} [acme/web#41, acme/web#52, 2026-10-21]"
TOMORROW = {"closed_at": "2026-10-22T10:00:00Z", "merged_at": "2026-10-22T10:00:00Z"}


def record(stage: Stage, *records: Record) -> None:
    """Leave these records where the stage's nights read them, and no others."""
    folder = stage.root / "pull_requests"
    folder.mkdir(exist_ok=True)
    stage.extra = {**stage.extra, "pull_requests": [{"kind": "recorded", "path": str(folder)}]}
    (folder / "all.json").write_text(json.dumps(records), encoding="utf-8")


def logged_in(number: int, path: str, **fields: Any) -> Record:
    """A merged pull request in which people put a logger in the place of the console."""
    return merged(number, edit(path, LOGGED, around=f"of {number}"), **fields)


def two(**fields: Any) -> tuple[Record, Record]:
    """Two pull requests that teach `LESSON`, each with these fields."""
    return logged_in(41, "src/api/orders.ts", **fields), logged_in(52, "src/api/users.ts", **fields)


@contextmanager
def on_github(stage: Stage, state: GitHubState, **fields: Any) -> Iterator[VendorServer]:
    """Let the stage's nights, of `GITHUB_NIGHT` and after, read `acme/web` of a GitHub."""
    (stage.root / "token").write_text(TOKEN)
    stage.now = datetime(2026, 11, 29, 4, 0, 5, tzinfo=UTC)
    with github(state) as server:
        source = {"kind": "github", "url": server.url, "repositories": [WEB], "credential": f"file:{stage.root}/token"}
        stage.extra = {**stage.extra, "pull_requests": [{**source, **fields}]}
        yield server


def first_commit(number: int) -> int:
    """Return the number of the first commit of a pull request; those on top of it have the numbers that follow."""
    return (number << 120) + 1  # ids of different pull requests begin differently


def edited_on_github(number: int, path: str, *on_top: Node, **fields: Any) -> tuple[Node, dict[Any, Any]]:
    """Return a merged pull request of Devin's with the commits `on_top`, and what those changed."""
    first = first_commit(number)
    told = {"title": f"Work {number}", "body": f"It is work {number}.", **fields}
    made = pull(number, commit(first, parents=(1,)), *on_top, **told)
    patch = f"@@ -1,3 +1,3 @@\n of {number}\n-{LOGGED[0]}\n+{LOGGED[1]}"
    changed = {"filename": path, "status": "modified", "patch": patch}
    return made, {(sha(first), sha(first + len(on_top))): [changed]}


def lines(stage: Stage, path: str = PATH) -> Sequence[str]:
    """Return the entries of a note."""
    files = stage.files()
    return [line for line in files[path].decode().split("\n") if line.startswith("- ")] if path in files else []


def lessons(stage: Stage) -> Sequence[str]:
    """Return what was learned, the count left out."""
    return [line for line in lines(stage) if "agent pull request" not in line]


def tally(stage: Stage) -> str:
    """Return the count."""
    (line,) = [line for line in lines(stage) if "agent pull request" in line]
    return line


def left_behind(stage: Stage) -> dict[str, str]:
    """Return everything that nights left: every object of the hosted repository, and every file of their own."""
    objects = git_bytes(stage.hosted.path, "cat-file", "--batch-all-objects", "--batch").decode("latin-1")
    home = stage.root / "home"
    files = {str(path.relative_to(home)): path.read_text("latin-1") for path in home.rglob("*") if path.is_file()}
    return {**files, "objects": objects}


@dataclass(kw_only=True)
class Proposer:
    """A dreamer who states of each pull request what `says` makes of the question, before a judge who agrees."""

    says: Callable[[str], Sequence[ProposedLesson] | Unanswered] = lambda _: ()
    asked: list[str] = field(default_factory=list)

    @property
    def models(self) -> ModelMaker:
        """Makes a night's models, with this one behind every role."""
        return partial(build_models, adapter=lambda configured, **_: ScriptedModel(self.answer, name=configured.name))

    def answer(self, prompt: Prompt, reply: type[BaseModel]) -> BaseModel | Unanswered:
        """Return what it says."""
        if reply is not ProposedLessons:
            return Dreamer().answer(prompt, reply)
        question = "\n".join(one.text for one in prompt.parts if isinstance(one, Untrusted))
        self.asked.append(question)
        told = self.says(question)
        return told if isinstance(told, Unanswered) else ProposedLessons(reasoning="", lessons=list(told))


def proposed(statement: str, *quotes: tuple[str, str], resource: str = "src/api") -> ProposedLesson:
    """A lesson that quotes what is shown under these ids."""
    shown = [ShownQuote(id=name, quote=quote) for name, quote in quotes]
    return ProposedLesson(statement=statement, resource=resource, quotes=shown, repeats="")
