"""A new tree made of an old one and some changes, touching only the folders that change."""

from __future__ import annotations

from collections.abc import Mapping

import pygit2

from dream.memory.tree import blob_id
from dream.repository.failures import PathConflictError, writing
from dream.repository.tree_objects import (
    FILE,
    FOLDER,
    TreeEntry,
    TreeObjects,
    is_folder,
    is_forbidden_name,
    is_plain_file,
    tree_of,
)
from dream.repository.trees import GitTree


def write_tree(
    repository: pygit2.Repository,
    base: str | None,
    changes: Mapping[str, bytes | None],
    prefix: str = "",
    *,
    sibling: GitTree | None = None,
) -> str:
    """Store the tree that `changes` make of the tree or commit `base`, and return its id.

    None takes a file away, and folders that this leaves empty; taking away what is not there changes nothing. A file
    keeps its mode, and whatever is not named is kept bit for bit. A `sibling` of the same repository shares what it
    knows. Raises PathConflictError where a file, folder, symlink or submodule stands in the way, or git forbids a name.
    """
    objects = sibling.objects if sibling else TreeObjects(repository)
    root = None if base is None else tree_of(repository, base)
    folder = prefix.strip("/")
    wanted = _Folder()
    for path, data in changes.items():
        full = f"{folder}/{path}" if folder else path
        if any(is_forbidden_name(name) for name in full.split("/")):
            message = f"{path!r} cannot be written: git forbids the name"
            raise PathConflictError(message, path=path)
        wanted.add(full, data)
    made = _apply(objects, root, wanted, "")
    return (objects.write(()) if made is None else made).hex()


class _Folder:
    """Changes, nested as git nests trees."""

    def __init__(self) -> None:
        self.files: dict[str, bytes | None] = {}
        self.folders: dict[str, _Folder] = {}

    def add(self, path: str, data: bytes | None) -> None:
        """Note a change at a path below this folder."""
        *names, last = path.split("/")
        here = self
        for name in names:
            here = here.folders.setdefault(name, _Folder())
        here.files[last] = data

    def only_removes(self) -> bool:
        """Whether nothing is to be written anywhere below."""
        return all(data is None for data in self.files.values()) and all(
            folder.only_removes() for folder in self.folders.values()
        )


def _apply(objects: TreeObjects, oid: bytes | None, wanted: _Folder, at: str) -> bytes | None:
    """Return the changed tree's binary id, or None where nothing is left in it.

    Files go first, then folders change, then files come, so that one set of changes can put a folder in a file's place.
    """
    old = () if oid is None else objects.entries(oid)
    by_name = {entry[1]: entry for entry in old}
    twice = [entry for entry in old if by_name[entry[1]] is not entry] if len(by_name) < len(old) else []
    changed = dict(by_name)
    for name in [*wanted.files, *wanted.folders]:
        if any(entry[1] == name.encode() for entry in twice):
            message = f"{at}{name} cannot be written: its name is there twice"
            raise PathConflictError(message, path=at + name)
    for name, data in wanted.files.items():
        if data is None and (there := changed.get(name.encode())) is not None:
            _check_file(there, at + name)
            del changed[there[1]]
    for name, folder in wanted.folders.items():
        _change_folder(objects, changed, name, folder, at)
    for name, data in wanted.files.items():
        if data is not None:
            _write_file(objects, changed, name, data, at)
    if changed == by_name:
        return oid
    entries = [*twice, *changed.values()]
    return objects.write(entries) if entries else None


def _write_file(objects: TreeObjects, changed: dict[bytes, TreeEntry], name: str, data: bytes, at: str) -> None:
    key = name.encode()
    there = changed.get(key)
    if there is not None:
        _check_file(there, at + name)
    if there is None or there[2].hex() != blob_id(data):
        with writing(objects.repository.path, "a blob"):
            oid = objects.repository.create_blob(data).raw
        changed[key] = (there[0] if there else FILE, key, oid)


def _change_folder(objects: TreeObjects, changed: dict[bytes, TreeEntry], name: str, wanted: _Folder, at: str) -> None:
    key = name.encode()
    there = changed.get(key)
    if there is not None and not is_folder(there):
        if wanted.only_removes():
            return
        message = f"nothing can be written under {at}{name}: it is no folder"
        raise PathConflictError(message, way_out="move that file away", path=at + name)
    made = _apply(objects, there[2] if there else None, wanted, f"{at}{name}/")
    if made is not None:
        changed[key] = (there[0] if there else FOLDER, key, made)
    elif there is not None:
        del changed[key]


def _check_file(there: TreeEntry, path: str) -> None:
    if is_plain_file(there):
        return
    what = "a folder" if is_folder(there) else "no regular file"
    message = f"{path} cannot be changed: {what} stands there"
    raise PathConflictError(message, way_out="move it away", path=path)
