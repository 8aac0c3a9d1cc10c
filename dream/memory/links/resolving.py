"""What a link points at, and how to write a link to a path."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from dream.memory.links.link import Link

_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_SEPARATORS = re.compile(r"[\s_-]+")


class PathLookup(Collection[str]):
    """The paths of one tree, made once and asked for every link.

    `names` are other names that `[[name]]` may use (the `name` of a note's frontmatter), each with its path.
    """

    def __init__(self, paths: Collection[str], *, names: Mapping[str, str] | None = None) -> None:
        """Take `paths` as they are, and a set without copying it."""
        self._paths = paths if isinstance(paths, AbstractSet | Mapping) else frozenset(paths)
        self._names = {} if names is None else names
        self._gone: AbstractSet[str] = frozenset()

    def without(self, gone: AbstractSet[str]) -> PathLookup:
        """Return the lookup of the same paths without those in `gone`, at no cost beyond that of a set."""
        lookup = PathLookup(frozenset(self._paths) - gone, names=self._names)
        lookup._gone = self._gone | gone
        lookup._tiers = self._tiers
        return lookup

    def __contains__(self, path: object) -> bool:
        """Whether `path` is one of the paths."""
        return path in self._paths

    def __iter__(self) -> Iterator[str]:
        """Every path."""
        return iter(self._paths)

    def __len__(self) -> int:
        """How many paths there are."""
        return len(self._paths)

    def named(self, name: str) -> tuple[str, ...]:
        """Return the paths that `[[name]]` may mean: of the same name, else but for case, else but for separators."""
        for form, tier in zip(_FORMS, self._tiers, strict=True):
            found = tier.get(form(name), set()) - self._gone
            if found:
                return tuple(sorted(found))
        return ()

    def composed(self, path: str) -> tuple[str, ...]:
        """Return the paths that differ from `path` in Unicode form only."""
        return tuple(sorted(self._composed.get(_nfc(path), ())))

    @cached_property
    def _tiers(self) -> tuple[Mapping[str, set[str]], ...]:
        tiers: tuple[dict[str, set[str]], ...] = tuple({} for _ in _FORMS)
        stems = ((path.rpartition("/")[2].removesuffix(".md"), path) for path in self._paths)
        for name, path in [*stems, *self._names.items()]:
            for form, tier in zip(_FORMS, tiers, strict=True):
                tier.setdefault(form(name), set()).add(path)
        return tiers

    @cached_property
    def _composed(self) -> Mapping[str, set[str]]:
        composed: dict[str, set[str]] = {}
        for path in self._paths:
            if not path.isascii():
                composed.setdefault(_nfc(path), set()).add(path)
        return composed


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _folded(name: str) -> str:
    return _nfc(_nfc(name).casefold())


def _slug(name: str) -> str:
    return _SEPARATORS.sub("-", _folded(name))


_FORMS = (_nfc, _folded, _slug)


def loose_name(target: str) -> str:
    """Return the last part of a path, or of what a link is written to lead to, in the loosest form of a name.

    What a link may mean has the same form as its target, which finds out cheaply what need not be resolved.
    """
    name = unquote(_ESCAPE.sub(r"\1", unescape(target))).rpartition("/")[2].strip()
    return _SEPARATORS.sub("", _folded(name).removesuffix(".md"))


def is_external(link: Link) -> bool:
    """Whether `link` leaves the memory: it has a scheme or a host."""
    return link.kind == "markdown" and _EXTERNAL.match(link.target) is not None


def resolve(path: str, link: Link, paths: Collection[str]) -> str | None:
    """Return the path that `link` in the note at `path` points at; None if none, a folder, outside, or ambiguous.

    Pass a `PathLookup` where there are many links. A link that is only an anchor points at its own note.
    """
    found = candidates(path, link, paths)
    return found[0] if len(found) == 1 else None


def candidates(path: str, link: Link, paths: Collection[str]) -> tuple[str, ...]:
    """Return every path that `link` in the note at `path` may mean: none if it dangles, several if it is ambiguous.

    Relative targets count from the note's folder, those with a leading `/` from the memory's root. A `[[name]]` is
    looked up by stem: exactly, then without regard to case, then with `-`, `_` and blanks alike.
    """
    if is_external(link):
        return ()
    if not link.target:
        return (path,) if link.anchor else ()
    lookup = paths if isinstance(paths, PathLookup) else PathLookup(paths)
    if link.kind == "wiki":
        return _wiki_candidates(path, link.target, lookup)
    plain = _ESCAPE.sub(r"\1", unescape(link.target))
    for spelling in dict.fromkeys((link.target, plain, unquote(plain))):
        joined = _join(path, spelling)
        if joined is None:
            continue
        if joined in lookup:
            return (joined,)
        if not joined.isascii() and lookup.composed(joined):
            return lookup.composed(joined)
    return ()


def _wiki_candidates(path: str, target: str, lookup: PathLookup) -> tuple[str, ...]:
    name = target.strip().removesuffix(".md")
    folder, slash, stem = name.rpartition("/")
    if not slash:
        return lookup.named(name)
    for joined in (_join(path, f"/{name}.md"), _join(path, f"{name}.md")):
        if joined is not None and joined in lookup:
            return (joined,)
    ending = f"/{folder.strip('./')}/".lower()
    return tuple(found for found in lookup.named(stem) if f"/{found}".rpartition("/")[0].lower().endswith(ending[:-1]))


def _join(path: str, target: str) -> str | None:
    """Return the path that `target` names from the note at `path`; None for a folder and for what is outside."""
    if not target or target.endswith("/"):
        return None
    parts = [] if target.startswith("/") else path.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def target_to(path: str, link: Link, to: str) -> str:
    """Return how `link` in the note at `path` is written to point at `to`, in the manner it is written now."""
    if link.kind == "wiki":
        name = to if link.target.endswith(".md") else to.removesuffix(".md")
        return name if "/" in link.target else name.rpartition("/")[2]
    if link.target.startswith("/"):
        written = f"/{to}"
    else:
        written = posixpath.relpath(f"/{to}", f"/{path.rpartition('/')[0]}")
        if link.target.startswith("./") and not written.startswith("../"):
            written = f"./{written}"
    return quote(written, safe="/:@!$&'*+,;=~") if written.isascii() else _quoted(written)


def _quoted(written: str) -> str:
    return "".join(quote(char, safe="/:@!$&'*+,;=~") if char.isascii() else char for char in written)
