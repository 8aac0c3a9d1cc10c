"""Git's tree objects as raw entries, so that hostile ones can be read and untouched ones are kept bit for bit."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pygit2

from dream.errors import FatalError
from dream.repository.failures import BrokenMirrorError, broken, reading, writing

FOLDER = b"40000"
FILE = b"100644"
PROGRAM = b"100755"

# every part is bounded, so that a damaged object of any length is scanned in linear time
_ENTRY = re.compile(rb"([0-7]{5,6}) ([^\0]{1,4096})\0([\s\S]{20})")
_FOLDERS = {FOLDER, b"0" + FOLDER}
_FILES = {FILE, PROGRAM}
_OBJECT_ID = re.compile(r"[0-9a-f]{40}")

_GIT_NAMES = {".git", "git~1"}
_FIRST_LETTERS = {"", ".", "g", "G"}
_IGNORED_BY_MACS = dict.fromkeys(
    (0x200C, 0x200D, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF)
)


TreeEntry = tuple[bytes, bytes, bytes]
"""Mode, name and binary id of one entry of a tree object, as git stores them; a plain tuple, for there are many."""


def is_folder(entry: TreeEntry) -> bool:
    """Whether an entry is another tree; some old programs wrote its mode with a leading zero."""
    return entry[0] in _FOLDERS


def is_plain_file(entry: TreeEntry) -> bool:
    """Whether an entry is a regular file with one of the two modes that git writes."""
    return entry[0] in _FILES


class TreeObjects:
    """Reads tree objects of one repository and keeps the recent ones, by their id."""

    def __init__(self, repository: pygit2.Repository, *, most_entries: int = 200_000) -> None:
        """Keep at most about `most_entries` entries."""
        self.repository = repository
        self._odb = repository.odb
        self._most = most_entries
        self._held = 0
        self._cache: dict[bytes, tuple[TreeEntry, ...]] = {}

    def entries(self, oid: bytes) -> tuple[TreeEntry, ...]:
        """Return the entries of the tree with this binary id, in git's order; raises BrokenMirrorError."""
        if (known := self._cache.get(oid)) is not None:
            return known
        data = self._read(oid)
        entries: tuple[TreeEntry, ...] = tuple(_ENTRY.findall(data))
        # what the pattern skipped is missing; a space and a zero byte of each entry are in no group
        length = len(b"".join(map(b"".join, entries))) + 2 * len(entries)
        if length != len(data):
            raise self._malformed(oid)
        if self._held > self._most:
            self._cache.clear()
            self._held = 0
        self._cache[oid] = entries
        self._held += len(entries)
        return entries

    def find(self, oid: bytes, path: str) -> TreeEntry | None:
        """Return the entry at `path` under a tree, or None where there is none."""
        *folders, name = path.encode("utf-8", "surrogateescape").split(b"/")
        for folder in folders:
            entry = self._entry(oid, folder)
            if entry is None or not is_folder(entry):
                return None
            oid = entry[2]
        return self._entry(oid, name)

    def write(self, entries: Iterable[TreeEntry]) -> bytes:
        """Store a tree of these entries in git's order and return its binary id."""
        ordered = tuple(sorted(entries, key=_order))
        with writing(self.repository.path, "a tree"):
            data = b"".join([b"%b %b\0%b" % entry for entry in ordered])
            oid = self.repository.write(pygit2.enums.ObjectType.TREE, data).raw
        self._cache[oid] = ordered
        self._held += len(ordered)
        return oid

    def _entry(self, oid: bytes, name: bytes) -> TreeEntry | None:
        """Find one entry without taking a whole large tree apart: the night's own folder stands near the front."""
        if (known := self._cache.get(oid)) is not None:
            return next((entry for entry in known if entry[1] == name), None)
        data, end = self._read(oid), 0
        for match in _ENTRY.finditer(data):
            if match.start() != end:
                break
            if match[2] == name:
                return match[1], match[2], match[3]
            end = match.end()
        if end != len(data):
            raise self._malformed(oid)
        return None

    def _read(self, oid: bytes) -> bytes:
        with reading(self.repository, f"tree {oid.hex()}"):
            kind, data = self._odb.read(pygit2.Oid(raw=oid))
        if kind != pygit2.enums.ObjectType.TREE:
            raise self._malformed(oid)
        return data

    def _malformed(self, oid: bytes) -> BrokenMirrorError:
        return broken(self.repository.path, f"tree {oid.hex()}", "it is no well-formed tree")


def tree_of(repository: pygit2.Repository, at: str) -> bytes:
    """Return the binary id of the tree that a commit, or a tree, stands for.

    Raises FatalError where `at` is no full object id, and BrokenMirrorError where there is no such object.
    """
    if not is_object_id(at):
        message = f"{at!r} is no object id"
        raise FatalError(message, way_out="give all 40 hexadecimal digits")
    oid = pygit2.Oid(hex=at)
    with reading(repository, f"commit {at}"):
        kind, _ = repository.odb.read_header(oid)
        # libgit2 would take a tree apart to look at it, and refuse an odd one
        return oid.raw if kind == pygit2.enums.ObjectType.TREE else repository[oid].peel(pygit2.Commit).tree_id.raw


def is_object_id(text: str) -> bool:
    """Whether a text is spelt like an object id: 40 lower-case hexadecimal digits."""
    return _OBJECT_ID.fullmatch(text) is not None


def is_forbidden_name(name: str) -> bool:
    """Whether no file or folder may have this name, since git or a file system takes it for something else."""
    if name.isascii() and name[:1] not in _FIRST_LETTERS and "/" not in name and "\0" not in name:
        return False  # nearly every name; the rest of the test is slower
    if name in {"", ".", ".."} or "/" in name or "\0" in name:
        return True
    plain = name.translate(_IGNORED_BY_MACS).casefold().split(":", maxsplit=1)[0].rstrip(". ")
    return plain in _GIT_NAMES


def _order(entry: TreeEntry) -> bytes:
    return entry[1] + b"/" if is_folder(entry) else entry[1]
