"""What a code repository holds and held, so that a reference to it can be called alive, dead or unknown. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from dream.memory.paths import folders_of
from dream.sources.production.code.commands import presence_of
from dream.sources.production.code.history import History
from dream.sources.production.code.manifests import Manifest
from dream.sources.production.code.values import Deletion, Presence, Rename

_PLACE = re.compile(r"(?::[0-9]{1,7}(?:-[0-9]{1,7})?(?::[0-9]{1,5})?|#L[0-9]{1,7}(?:-L?[0-9]{1,7})?)\Z")
_PATTERN = re.compile(r"[*?<>{}$|\s\"'`,;!()=…]")
_LONGEST = 1_000


class CodeTree:
    """A repository at one commit; where `unknown` gives a reason, nothing can be said of it at all.

    Where `remark` says something, not all of it could be read, and that is for the report.
    """

    def __init__(
        self,
        *,
        name: str,
        commit: str = "",
        paths: Iterable[str] = (),
        opaque: Iterable[str] = (),
        history: History | None = None,
        manifests: Iterable[Manifest] = (),
        ignored: Iterable[str] = (),
        unknown: str = "",
        remark: str = "",
    ) -> None:
        """Take the files at `commit`, their history, and what cannot be looked into.

        `opaque` are submodules and symlinks, `ignored` the patterns of the repository's ignore files.
        """
        self.name = name
        self.commit = commit
        self.unknown = unknown
        self.remark = remark
        self._files = frozenset(paths)
        self._folders = frozenset(folder for path in self._files for folder in folders_of(path))
        self._opaque = tuple(opaque)
        self._ignored = tuple(pattern for pattern in (_core(line) for line in ignored) if pattern)
        self._history = history or History()
        self._gone_folders = frozenset(folder for path in self._history.deletions for folder in folders_of(path))
        self._manifests = tuple(manifests)
        self._endings = _by_last_segment(self._files | self._folders)
        self._gone_endings = _by_last_segment(self._history.deletions.keys() | self._gone_folders)
        self._folded = frozenset(path.casefold() for path in self._files | self._folders)

    @property
    def paths(self) -> frozenset[str]:
        """Every file at the commit."""
        return self._files

    def presence(self, path: str) -> Presence:
        """Return whether a path stands in the repository.

        A reference may leave out leading folders, if only one path ends in it. It is ABSENT only where its form shows
        that it means this repository: it stood here once, or its first folder does. What may be generated, matches a
        pattern, or differs in case alone is UNKNOWN.
        """
        wanted = reference(path)
        if self.unknown or not wanted:
            return Presence.UNKNOWN
        if self.place_of(path):
            return Presence.PRESENT
        if _ending_in(self._endings, wanted) or not self._can_be_told(wanted):
            return Presence.UNKNOWN
        if self._past(wanted):
            return Presence.ABSENT
        first, _, rest = wanted.partition("/")
        return Presence.ABSENT if rest and first in self._folders else Presence.UNKNOWN

    def place_of(self, path: str) -> str:
        """Return the file or folder that a reference means, itself or the only one that ends in it; "" for none."""
        wanted = reference(path)
        if self.unknown or not wanted:
            return ""
        if wanted in self._files or wanted in self._folders:
            return wanted
        ending = _ending_in(self._endings, wanted)
        return ending[0] if len(ending) == 1 else ""

    def past_of(self, path: str) -> str:
        """Return the file or folder that is gone and that a reference means, "" where that is none, or several."""
        past = [] if self.unknown or self.place_of(path) else self._past(reference(path))
        return past[0] if len(past) == 1 else ""

    def renamed_to(self, path: str) -> Rename | None:
        """Return where a file, or every file of a folder, that is gone from `path` stands now."""
        wanted = reference(path)
        if self.presence(path) is Presence.PRESENT or not wanted:
            return None
        past = self._past(wanted)
        if len(past) != 1:
            return None
        if past[0] in self._history.deletions:
            return self._history.where(past[0], self._files)
        return self._folder_renamed_to(past[0])

    def existed(self, path: str) -> Deletion | None:
        """Return the commit that took a path away, None for one that is here or never was."""
        wanted = reference(path)
        if not wanted or self.presence(path) is Presence.PRESENT:
            return None
        past = self._past(wanted)
        if len(past) != 1:
            return None
        below = [past[0]] if past[0] in self._history.deletions else self._gone_below(past[0])
        return max((self._history.deletions[gone] for gone in below), key=lambda deletion: deletion.on)

    def presence_of_command(self, command: str) -> Presence:
        """Return whether a command (`make test`, `npm run lint`, `uv run serve`, `./scripts/x.sh`) is defined here."""
        return Presence.UNKNOWN if self.unknown else presence_of(command, self._manifests, self.presence)

    def _can_be_told(self, wanted: str) -> bool:
        return not (
            _PATTERN.search(wanted)
            or wanted.casefold() in self._folded
            or any(wanted.startswith(opaque + "/") for opaque in self._opaque)
            or any(_may_match(wanted, pattern) for pattern in self._ignored)
        )

    def _past(self, wanted: str) -> list[str]:
        """Return the paths that are gone and that a reference can mean: itself, else all that end in it."""
        if wanted in self._history.deletions or wanted in self._gone_folders:
            return [wanted]
        return _ending_in(self._gone_endings, wanted) if "/" in wanted else []

    def _gone_below(self, folder: str) -> list[str]:
        return [path for path in self._history.deletions if path.startswith(folder + "/") and path not in self._files]

    def _folder_renamed_to(self, folder: str) -> Rename | None:
        renames = [(gone, self._history.where(gone, self._files)) for gone in self._gone_below(folder)]
        now: set[str] = set()
        for gone, rename in renames:
            inner = gone[len(folder) :]
            if rename is None or not rename.to.endswith(inner):
                return None
            now.add(rename.to.removesuffix(inner))
        last = max((rename for _, rename in renames if rename), key=lambda rename: rename.on, default=None)
        if len(now) != 1 or last is None:
            return None
        return Rename(to=now.pop(), commit=last.commit, on=last.on)


def reference(path: str) -> str:
    """Return a reference as a path of a repository, without `./`, line numbers and a final `/`; "" if it is none."""
    if len(path) > _LONGEST:
        return ""
    cleaned = _PLACE.sub("", path.strip().replace("\\", "/")).rstrip("/")
    while cleaned.startswith("./"):
        cleaned = cleaned[2:]
    segments = cleaned.split("/")
    return "" if cleaned.startswith(("/", "~")) or {"", ".", ".."} & set(segments) or ":" in cleaned else cleaned


def _by_last_segment(paths: Iterable[str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sorted(paths):
        found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def _ending_in(endings: Mapping[str, list[str]], wanted: str) -> list[str]:
    return [path for path in endings.get(wanted.rpartition("/")[2], ()) if path.endswith("/" + wanted)]


def _core(line: str) -> str:
    pattern = line.strip()
    return "" if pattern.startswith(("#", "!")) else pattern.replace("**", "*").strip("/")


def _may_match(path: str, pattern: str) -> bool:
    """Whether an ignore pattern can mean a path or a folder above it: generous, for it only withholds a verdict."""
    above = [path, *folders_of(path)]
    if "/" in pattern:
        return any(fnmatchcase(part, pattern) or fnmatchcase(part, "*/" + pattern) for part in above)
    return any(fnmatchcase(part.rpartition("/")[2], pattern) for part in above)
