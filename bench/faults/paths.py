"""T11: a hundred thousand odd paths through the draft, under the guards of a real night."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from bench.faults.scene import BUSY, set_scene
from bench.faults.tally import Tally, say
from config.limits import Limits
from dream.memory.allowance import LossLimits
from dream.memory.applying import Files
from dream.memory.notes import NoteCache
from dream.memory.operations import Add, Basis, Move, Operation, Span
from dream.night.survey import Survey, survey_head
from dream.night.watch import NightWatch, WatchLimits
from dream.repository.draft import Applied, Draft
from dream.repository.mirror import Mirror
from dream.repository.tree_edits import write_tree
from tests.support.repositories import git
from tests.support.stage import NIGHT

TASKS = ("daily_note", "pr_outcomes", "production_verification", "tidy")
_WORDS = ("services", "daily", "conventions", "archive", "preferences", "learnings", "slack", "a", "note", "queues")
_ODD = (
    "..", ".", "", ".git", ".GIT", "git~1", ".g\u200cit", ".git ", ".git.", ".git::$INDEX_ALLOCATION", ".gitmodules",
    ".gitattributes", ".dream", "CON", "nul.md", "aux", "com1.md", "a.md", "MEMORY.md", "memory.md", "CATALOG.md",
    "Services", "SERVICES", "se\u0301rvices", "s\u00e9rvices", "\u017fervices", "a b", "a\tb", "a\nb", "a\0b", "a\\b",
    "\u202egnp.md", "\ud800", "~", "-rf", "*", "?", '"', "C:", "x" * 256, "link", "sub",
)  # fmt: skip
_ENDS = (".md", ".md", ".md", ".MD", ".txt", "", ".md ", ".md.", ".md\n", ".md/", ".mdx", ".md~", ".lock")
_PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)")
_PLACES = {
    "daily_note": re.compile(r"daily/"),
    "pr_outcomes": re.compile(r"conventions/"),
    "production_verification": re.compile(r"(?!daily/|preferences/|learnings/|CATALOG/)"),
    "tidy": re.compile(r"(?!daily/|preferences/|learnings/|CATALOG/)"),
}


def path_fuzz(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Propose to write each path; what passes is a plain name in the task's own place, and can be checked out."""
    chance = tally.chance()
    with set_scene({**BUSY, "Services2/a.md": "# A\n\n- Something.\n"}) as scene:
        _add_oddities(scene.hosted.path)
        workplace = scene.stage.workplace()
        mirror = workplace.mirror()
        mirror.fetch()
        head = scene.hosted.tip() or ""
        survey = survey_head(mirror, head, keeper=workplace.keeper(), today=NIGHT)
        accepted: dict[str, bytes | None] = {}
        for batch in range(2 if short else 100):
            for task in TASKS:
                accepted |= _propose(
                    tally, mirror, survey, task=task, paths=_paths(chance, 500 if short else 250), chance=chance
                )
            if batch % 25 == 0:
                say(f"  {tally.id} {tally.tries} paths")
        _check_out(tally, mirror, head, accepted)
        tally.remark(f"{len(accepted)} of the {tally.tries - 1} paths of T11 passed")


def _propose(
    tally: Tally, mirror: Mirror, survey: Survey, *, task: str, paths: Iterator[str], chance: random.Random
) -> dict[str, bytes | None]:
    limits = Limits()
    watch = NightWatch(
        mirror,
        survey,
        night=NIGHT,
        notes=NoteCache(),
        sources={"thread_7c2e0001"},
        limits=WatchLimits(
            loss=LossLimits(**limits.loss.model_dump()),
            note_bytes=limits.notes.most_bytes,
            same=limits.duplicates.same,
            alike=limits.undone.alike,
        ),
    )
    guards = watch.guards(task)
    passed: dict[str, bytes | None] = {}
    before = set(survey.tree.paths())
    for path in paths:
        draft = Draft(survey.tree, task=task, guards=guards)
        operation = _operation(path, survey.tree.blob("services/orders.md") or "", chance)
        try:
            answer = draft.apply(operation)
        except Exception as error:  # noqa: BLE001 - whatever a path does to the draft is a finding
            tally.note(f"{task} {path!a}", [f"{type(error).__name__}: {error}"])
            continue
        problems = []
        if isinstance(answer, Applied):
            files: Files = draft.files
            made = {name for name, data in files.items() if data is not None} - before
            problems = [why for name in sorted(made) for why in _objections(task, name, before)]
            passed |= {name: files[name] for name in made}
        tally.note(f"{task} {path!a}", problems)
    return passed


def _operation(path: str, blob: str, chance: random.Random) -> Operation:
    if chance.random() < 0.2:
        return Move(span=Span(path="services/orders.md", text=None, blob=blob), to=path)
    number = chance.randrange(10**9)
    text = f"- 2026-10-21: Case {number} was settled with the value {number}. [thread_7c2e0001, 2026-10-21]"
    return Add(path=path, text=text, opening="# Note\n\n", basis=Basis(sources=("thread_7c2e0001",)))


def _paths(chance: random.Random, count: int) -> Iterator[str]:
    places = ("daily/", "conventions/", "services/", "archive/", "preferences/", "learnings/", "", "/", "./", "../")
    for _ in range(count):
        if chance.random() < 0.3:  # a name that is to pass, if its place is right
            names = [chance.choice(_WORDS) for _ in range(chance.choice((1, 1, 2)))]
            yield f"{chance.choice(places[:4])}{'/'.join(names)}-{chance.randrange(10_000)}.md"
            continue
        parts = [_part(chance) for _ in range(chance.choice((0, 0, 1, 1, 2, 3, 6)))]
        yield chance.choice(places) + "/".join([*parts, _part(chance) + chance.choice(_ENDS)])


def _part(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.6:
        return chance.choice(_WORDS)
    if kind < 0.85:
        return chance.choice(_ODD)
    if kind < 0.95:
        return "".join(chr(chance.choice((chance.randrange(1, 128), chance.randrange(160, 0x2100)))) for _ in range(4))
    word = chance.choice(_WORDS)
    return unicodedata.normalize("NFD", word.swapcase()) + chance.choice(("", ".", " ", ":", "\u200b"))


def _objections(task: str, path: str, before: set[str]) -> Iterator[str]:
    """Return what this program, which asks nobody, has against a new path."""
    parts = path.split("/")
    if not path.endswith(".md") or len(parts) > 4 or len(path) > 200:
        yield "it is no note, too deep or too long"
    if any(not _PLAIN.fullmatch(part) or _DEVICE.match(part) for part in parts):
        yield "it has an odd name in it"
    if not _PLACES[task].match(path) and not path.startswith("archive/"):
        yield f"{task} has no business there"
    if any(other.lower() == path.lower() for other in before - {path}):
        yield "it differs from another in case alone"
    if any(path.startswith(other + "/") or other.startswith(path + "/") for other in before | {"link", "sub"}):
        yield "a file stands where it needs a folder, or a folder where it stands"


def _add_oddities(folder: Path) -> None:
    """Put a symlink and a submodule into the memory."""
    target = git(folder, "hash-object", "-w", "--stdin", stdin=b"/etc")
    commit = git(folder, "rev-parse", "main")
    listed = git(folder, "ls-tree", "main")
    lines = f"{listed}\n120000 blob {target}\tlink\n160000 commit {commit}\tsub\n"
    tree = git(folder, "mktree", "--missing", stdin=lines.encode())
    named = ("-c", "user.name=Old", "-c", "user.email=old@test.invalid")
    made = git(folder, *named, "commit-tree", tree, "-p", "main", "-m", "odd")
    git(folder, "update-ref", "refs/heads/main", made)


def _check_out(tally: Tally, mirror: Mirror, head: str, accepted: dict[str, bytes | None]) -> None:
    """Write everything that passed into one tree, and look at that with git."""
    tree = write_tree(mirror.repository, head, accepted, "")
    listed = git(mirror.path, "ls-tree", "-r", "-z", tree).split("\0")
    modes = {line.partition("\t")[2]: line[:6] for line in listed if line}
    problems = [f"{path!a} has mode {modes.get(path)}" for path in accepted if modes.get(path) != "100644"]
    if len({path.lower() for path in modes}) != len(modes):
        problems.append("some paths differ in case alone")
    tally.note("all that passed, as one tree", problems)
