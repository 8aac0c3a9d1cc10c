"""What a note names of production, and whether it is there: verdicts in code, each with its evidence."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dream.memory.links.notation import Link, PathLookup, candidates
from dream.memory.notes import Note
from dream.memory.references import Reference, find_references
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.code.values import Presence, Rename
from tasks.link_repairs import Moves

SHOWN_COMMIT = 12
_EVERYWHERE = frozenset(
    {"all", "build", "check", "clean", "dev", "fix", "format", "help", "install", "lint", "release", "run"}
    | {"start", "test"}
)
_NAME = re.compile(r"[^\W_][\w ./-]{0,120}")


@dataclass(frozen=True, slots=True)
class Alive:
    """It is there."""

    reference: Reference


@dataclass(frozen=True, slots=True)
class Untold:
    """Nothing that can be looked up settles it."""

    reference: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """The code repository `tree` has it elsewhere."""

    reference: Reference
    tree: CodeTree
    rename: Rename


@dataclass(frozen=True, slots=True, kw_only=True)
class Dead:
    """`holder` does not have it, since `commit` where that is known."""

    reference: Reference
    holder: str
    commit: str = ""


Verdict = Alive | Untold | Renamed | Dead


class Production:
    """The code repositories of an organisation and the paths of its memory, asked about one note after the other."""

    def __init__(self, code: Sequence[CodeTree], paths: Collection[str], renames: Mapping[str, str]) -> None:
        """Look things up in `code`, and links in a memory of `paths`, some of which are `renames` of old ones."""
        self._code = tuple(code)
        self._moves = Moves(paths, renames)
        self._paths = PathLookup(frozenset(paths))
        self._folders = frozenset(path.partition("/")[0] for path in paths if "/" in path)

    def verdicts(self, path: str, note: Note) -> tuple[Verdict, ...]:
        """Return what became of everything that the note at `path` names, in the order of its lines."""
        references = find_references(note.text)
        home = self._home(references)
        return tuple(self._verdict(path, reference, home) for reference in references)

    def repositories(self, note: Note) -> tuple[str, ...]:
        """Return the names of the code repositories that a note is about, empty where one of all is down."""
        return () if self._is_down else tuple(tree.name for tree in self._home(find_references(note.text)))

    def _home(self, references: Sequence[Reference]) -> tuple[CodeTree, ...]:
        """The repositories that a note is about: those that have, or had, a path or a command that it names.

        Many repositories have a `src/` and a `make test`, so that what is not in one of them says nothing of a note
        that names nothing of it.
        """
        return tuple(tree for tree in self._code if any(_knows(tree, reference) for reference in references))

    def _verdict(self, path: str, reference: Reference, home: Sequence[CodeTree]) -> Verdict:
        match reference.kind:
            case "link":
                return self._link(path, reference)
            case "command":
                return self._command(reference, home)
            case "path":
                return Alive(reference) if self._is_ours(path, reference.text) else self._path(reference, home)
            case "symbol":
                return Untold(reference)

    def _is_ours(self, path: str, name: str) -> bool:
        """Whether a path may be one of the memory itself: from its root, or from the folder of the note."""
        folder = path.rpartition("/")[0]
        return name in self._paths or f"{folder}/{name}" in self._paths

    def _link(self, path: str, reference: Reference) -> Verdict:
        link = reference.link
        if link is None or link.image:
            return Untold(reference)
        if candidates(path, link, self._paths):
            return Alive(reference)
        is_mended = self._moves.target(path, link) is not None
        if is_mended or not _means_a_note(path, link) or self._is_rooted_elsewhere(link):
            return Untold(reference)
        return Dead(reference=reference, holder="the memory")

    def _is_rooted_elsewhere(self, link: Link) -> bool:
        """Whether a link begins at a root, but at a folder that the memory does not have."""
        first, slash, _ = link.target.lstrip("/").partition("/")
        return link.target.startswith("/") and bool(slash) and first not in self._folders

    def _command(self, reference: Reference, home: Sequence[CodeTree]) -> Verdict:
        """A command is gone where every repository that the note is about settles that it does not define it."""
        if any(tree.presence_of_command(reference.text) is Presence.PRESENT for tree in self._code):
            return Alive(reference)
        if self._is_down or not home:
            return Untold(reference)
        if all(tree.presence_of_command(reference.text) is Presence.ABSENT for tree in home):
            return Dead(reference=reference, holder=_names(home))
        return Untold(reference)

    def _path(self, reference: Reference, home: Sequence[CodeTree]) -> Verdict:
        """A path is gone where one repository that the note is about shows it, and no other has it."""
        if any(tree.presence(reference.text) is Presence.PRESENT for tree in self._code):
            return Alive(reference)
        if self._is_down:
            return Untold(reference)
        absent = [tree for tree in home if tree.presence(reference.text) is Presence.ABSENT]
        renames = [(tree, rename) for tree in absent if (rename := tree.renamed_to(reference.text))]
        if len(renames) == 1 and len(absent) == 1:
            return Renamed(reference=reference, tree=renames[0][0], rename=renames[0][1])
        if not absent:
            return Untold(reference)
        gone = [(tree, deletion) for tree in absent if (deletion := tree.existed(reference.text))]
        if len(gone) == 1:
            return Dead(reference=reference, holder=gone[0][0].name, commit=gone[0][1].commit)
        return Dead(reference=reference, holder=_names(absent))

    @property
    def _is_down(self) -> bool:
        """Whether a repository that might have it could not be read tonight."""
        return any(tree.unknown for tree in self._code)


def finding(path: str, verdict: Renamed | Dead) -> str:
    """Return a line for the report, such as `services/x.md:12 names src/a.py, which web does not have since 1a2b3c`."""
    reference = verdict.reference
    place = f"{path}:{reference.line + 1}"
    match verdict:
        case Renamed(tree=tree, rename=rename):
            return (
                f"{place} names {reference.text}, which {tree.name} has as {rename.to} "
                f"since {rename.commit[:SHOWN_COMMIT]}"
            )
        case Dead(holder=holder, commit=commit):
            verb = "links to" if reference.kind == "link" else "names"
            since = f" since {commit[:SHOWN_COMMIT]}" if commit else ""
            has_not = "do not have" if " and " in holder else "does not have"
            return f"{place} {verb} {reference.text}, which {holder} {has_not}{since}"


def _knows(tree: CodeTree, reference: Reference) -> bool:
    match reference.kind:
        case "path" if "/" in reference.text:
            return tree.presence(reference.text) is Presence.PRESENT or tree.existed(reference.text) is not None
        case "command" if reference.text.split()[-1] not in _EVERYWHERE:
            return tree.presence_of_command(reference.text) is Presence.PRESENT
        case _:
            return False


def _names(trees: Sequence[CodeTree]) -> str:
    return " and ".join(tree.name for tree in trees)


def _means_a_note(path: str, link: Link) -> bool:
    """Whether a link that leads nowhere can only mean a note: folders, assets and what is outside may be elsewhere."""
    if link.kind == "wiki":
        return _NAME.fullmatch(link.target) is not None
    target = link.target
    if target[-3:].lower() != ".md" or target.startswith(("~", "$")) or "\\" in target:
        return False
    depth = 0 if target.startswith("/") else path.count("/")
    for part in target.split("/"):
        depth += -1 if part == ".." else 0 if part in {"", "."} else 1
        if depth < 0:
            return False
    return True
