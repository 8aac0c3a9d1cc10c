"""What people changed on top of an agent's work: the lines that took the place of others, file by file. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dream.sources.pull_requests.values import FileEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Consecutive lines of one file that went and those that came in their place, either of which may be none.

    `id` (`e3`) names it within its pull request, so that a quote says where it stands.
    """

    id: str
    path: str
    gone: tuple[str, ...]
    come: tuple[str, ...]

    @property
    def text(self) -> str:
        """The lines as a diff shows them, with a blank behind each sign, so that it is part of no name."""
        return "\n".join([*(f"- {line}" for line in self.gone), *(f"+ {line}" for line in self.come)])


def runs_of(edits: Sequence[FileEdit], *, characters: int) -> tuple[Run, ...]:
    """Return the runs of `edits`, of each file as many as its first `characters` of patch hold whole."""
    found: list[Run] = []
    for edit in edits:
        for gone, come in _runs(_cut(edit.patch or "", characters)):
            found.append(Run(id=f"e{len(found) + 1}", path=edit.path, gone=gone, come=come))
    return tuple(found)


def digest_of_edits(edits: Iterable[FileEdit]) -> str:
    """Return the digest of what changed where: the same in a pull request and in one that posts it again.

    Of which lines of a file they are it says nothing, because a base that moved on does not make them others.
    """
    lines = []
    for edit in sorted(edits, key=lambda edit: edit.path):
        patch = [line for line in (edit.patch or "").split("\n") if not line.startswith(("@@", "\\"))]
        lines += [f"{edit.status} {edit.path}", *patch]
    return hashlib.sha256("\n".join(lines).encode(errors="surrogatepass")).hexdigest()


def _cut(patch: str, characters: int) -> str:
    if len(patch) <= characters:
        return patch
    return patch[:characters].rpartition("\n")[0]


def _runs(patch: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    gone: list[str] = []
    come: list[str] = []
    for line in [*patch.split("\n"), ""]:
        if line.startswith("-") and not come:
            gone.append(_plain(line))
        elif line.startswith("+"):
            come.append(_plain(line))
        elif not line.startswith("\\"):
            if gone or come:
                yield tuple(gone), tuple(come)
            gone, come = ([_plain(line)] if line.startswith("-") else []), []


def _plain(line: str) -> str:
    return line[1:].rstrip("\r")
