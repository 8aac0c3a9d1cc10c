"""The questions that a code repository can be asked, each from what its tree and its files say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from dream.sources.production.code.configuration import BadConfigurationError, read_configuration
from dream.sources.production.code.contents import Contents
from dream.sources.production.code.definitions import defines
from dream.sources.production.code.tree import CodeTree, reference
from dream.sources.production.code.values import Presence
from dream.sources.production.fields import cut_text, json_lines, printable
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Found, Line, Nothing, Refused
from dream.sources.production.selections import select

_KEY = re.compile(r"""(?:-\s+|export\s+)?["']?([A-Za-z_][\w.-]{0,99})["']?\s*[:=]""")
_QUOTES = frozenset({'"', "'"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The repository that is asked: its tree, its files at the same commit, and how much may be said."""

    tree: CodeTree
    contents: Contents
    limits: ProbeLimits

    def line(self, text: str, *fields: tuple[str, str]) -> Line:
        """Return one printable line; one that has to be cut has no fields."""
        shown, longest = printable(text), self.limits.line_characters
        if len(shown) > longest:
            return Line(text=cut_text(shown, longest))
        return Line(text=shown, fields=fields)


def find_file(asked: Asked, path: str) -> Found | Nothing:
    """Return whether a path is there; absent only where the tree shows that it means this repository."""
    place = asked.tree.place_of(path)
    if place:
        line = asked.line(f"{place}: present", ("presence", "present"))
        return Found(lines=(line,), values=("present",), names=_names(place))
    if asked.tree.presence(path) is not Presence.ABSENT:
        return Nothing("nothing settles whether it is there")
    return Found(
        lines=(_gone(asked, path),), values=("absent",), names=_names(asked.tree.past_of(path) or reference(path))
    )


def find_lines(asked: Asked, text: str) -> Found | Nothing:
    """Return the lines of a file that hold a word as such; `text` is the path, a blank and the word."""
    path, word = _split(asked.tree, text)
    if not path:
        return Nothing("no one file has that path")
    data, whole = asked.contents.file(path)
    wanted = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    lines = data.decode("utf-8", "replace").split("\n")
    found = [(number, line.strip()) for number, line in enumerate(lines, start=1) if wanted.search(line)]
    if not found:
        return Nothing("no line of it holds that word" if whole else "the beginning of it holds no such line")
    return Found(
        lines=tuple(asked.line(f"{path}:{number}: {line}", *_setting(line)) for number, line in found),
        values=tuple(printable(line) for _, line in found),
        names=_names(path),
        cut=not whole,
    )


def find_symbol(asked: Asked, name: str) -> Found | Nothing:
    """Return where a name is defined; absent only where it stands nowhere and a commit took its last place away."""
    search = asked.contents.search(name)
    found = [match for match in search.matches if defines(match.text, name)]
    if found:
        places = [f"{match.path}:{match.number}" for match in found]
        lines = (asked.line(f"{place}: {match.text.strip()}") for place, match in zip(places, found, strict=True))
        return Found(lines=tuple(lines), values=tuple(places), names=(name,), cut=not search.whole)
    if search.matches:
        return Nothing("it is named, and no place can be told to define it")
    if not search.whole or asked.contents.has_submodules():
        return Nothing("it was found nowhere, but not everything could be looked into")
    removal = asked.contents.removal(name)
    if removal is None:
        return Nothing("it was found nowhere, and no commit is known to have taken it away")
    since = (("deleted_in", removal.commit), ("deleted_on", removal.on))
    return Found(lines=(asked.line(f"{name}: absent{_shown(since)}", *since),), values=("absent",), names=(name,))


def find_command(asked: Asked, command: str) -> Found | Nothing:
    """Return whether the repository defines a command, where one of its files settles that."""
    presence = asked.tree.presence_of_command(command)
    if presence is Presence.UNKNOWN:
        return Nothing("no file settles whether that command is defined")
    told = str(presence)
    return Found(lines=(asked.line(f"{command}: {told}", ("presence", told)),), values=(told,), names=(command,))


def read_config(asked: Asked, text: str) -> Found | Nothing | Refused:
    """Return what a JSON, YAML or TOML file says, or what a JSONPath after its path selects, document by document."""
    wanted, dollar, rest = text.partition(" $")
    path = asked.tree.place_of(wanted)
    if not path:
        return Nothing("no one file has that path")
    data, whole = asked.contents.file(path)
    if not whole:
        return Nothing(f"it holds more than {asked.limits.output_bytes} bytes")
    try:
        documents = read_configuration(path, data)
    except BadConfigurationError as error:
        return Nothing(str(error))
    lines: list[Line] = []
    values: list[str] = []
    for document in documents:
        root = f"{path} {document.name}" if document.name else path
        if dollar:
            selected = select(document.value, f"${rest}", root=root, limits=asked.limits)
            if isinstance(selected, Refused):
                return selected
            lines += selected.lines
            values += selected.values
        else:
            lines += json_lines(document.value, root, limits=asked.limits)
    if not lines:
        return Nothing("the file says nothing at that place")
    return Found(lines=tuple(lines), values=tuple(values), names=_names(path))


def find_history(asked: Asked, path: str) -> Found | Nothing:
    """Return the last commits of a path, or the one that took it away, with where its content went.

    What their authors say of them is left out: it tells what somebody meant, and is no state of anything.
    """
    place = asked.tree.place_of(path)
    gone = asked.tree.past_of(path)
    if not place and not gone:
        return Nothing("no one path of the repository, now or before, is that")
    changes = asked.contents.changes(place or gone)
    lines = [] if place else [_gone(asked, path)]
    for change in changes:
        known = (("commit", change.commit), ("date", change.on))
        lines.append(asked.line(f"{place or gone}:{_shown(known)}", *known))
    if not lines:
        return Nothing("no commit of it can be read")
    return Found(lines=tuple(lines), values=tuple(change.commit for change in changes), names=_names(place or gone))


def _gone(asked: Asked, path: str) -> Line:
    known: list[tuple[str, str]] = []
    if deletion := asked.tree.existed(path):
        known += [("deleted_in", deletion.commit), ("deleted_on", deletion.on.isoformat())]
    if rename := asked.tree.renamed_to(path):
        known.append(("now", rename.to))
    return asked.line(
        f"{asked.tree.past_of(path) or reference(path)}: absent{_shown(known)}", ("presence", "absent"), *known
    )


def _shown(known: Iterable[tuple[str, str]]) -> str:
    return "".join(f" {key}={value}" for key, value in known)


def _split(tree: CodeTree, text: str) -> tuple[str, str]:
    """Return the file and the word that a question names; a path may hold blanks."""
    blanks = [found.start() for found in re.finditer(r" +", text)]
    for blank in blanks:
        path = tree.place_of(text[:blank])
        if path in tree.paths:
            return path, text[blank:].strip()
    return "", ""


def _setting(line: str) -> tuple[tuple[str, str], ...]:
    """Return the key and the value of a line that sets one, without quotes and the comma at its end."""
    found = _KEY.match(line)
    if found is None:
        return ()
    written = line[found.end() :].strip().removesuffix(",").rstrip()
    value = written[written[:1] in _QUOTES : len(written) - (written[-1:] in _QUOTES)]
    return () if not value or _QUOTES & set(value) else ((found[1], value),)


def _names(path: str) -> tuple[str, ...]:
    pure = PurePosixPath(path)
    return tuple(dict.fromkeys((path, *pure.parts, pure.stem)))
