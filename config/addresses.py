"""What may stand where git expects an address, a branch or a folder, and where a relative path starts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, ValidationInfo

_SCHEMES = ("https", "http", "ssh", "git", "file")
_SCP_ADDRESS = re.compile(r"(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9._-]+:[^:].*")
_BRANCH = re.compile(r"(?![-/.])[^\x00-\x20\x7f~^:?*\[\\]+(?<![/.])")
_NO_PART_OF_A_BRANCH = re.compile(r"\.\.|//|@\{|/\.|\.lock(?:/|\Z)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def placed(path: Path, info: ValidationInfo) -> Path:
    """Return `path` seen from the folder of the file that it is written in."""
    folder = (info.context or {}).get("folder")
    try:
        path = path.expanduser()
    except RuntimeError as error:
        message = f"names a home directory that cannot be found: {error}"
        raise ValueError(message) from error
    return path if folder is None else Path(folder) / path


def _address(url: str, info: ValidationInfo) -> str:
    """Return `url` if git can be given it and it holds no secret; a relative path is placed."""
    if not url or url.startswith("-") or _CONTROL.search(url):
        raise _not_an_address()
    if "::" in url.partition("/")[0]:
        message = "names a remote helper; use an https, ssh or file address"
        raise ValueError(message)
    if "://" not in url:
        return url if _SCP_ADDRESS.fullmatch(url) else str(placed(Path(url), info))
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError as error:
        raise _not_an_address() from error
    if parts.scheme not in _SCHEMES:
        message = f"has no scheme that git is allowed here; known: {', '.join(_SCHEMES)}"
        raise ValueError(message)
    if host.startswith("-") or not (host or parts.scheme == "file"):
        raise _not_an_address()
    if _holds_a_login(parts):
        message = "holds a login; write `credential: env:NAME` or `credential: file:PATH` beside it"
        raise ValueError(message)
    return url


def _holds_a_login(parts: SplitResult) -> bool:
    return parts.password is not None or (parts.scheme in {"http", "https"} and parts.username is not None)


def _not_an_address() -> ValueError:
    return ValueError("is no address of a git repository")


def _branch(name: str) -> str:
    if name and (not _BRANCH.fullmatch(name) or _NO_PART_OF_A_BRANCH.search(name)):
        message = "is no name of a branch"
        raise ValueError(message)
    return name


def _folder(path: str) -> str:
    parts = path.rstrip("/").split("/")
    if path and any(part in {"", ".", ".."} for part in parts):
        message = "must be a folder inside the repository, such as .claude/memory"
        raise ValueError(message)
    if any(part.casefold() == ".git" for part in parts) or _CONTROL.search(path) or "\\" in path:
        message = "cannot be the folder of a memory"
        raise ValueError(message)
    return path.rstrip("/")


Address = Annotated[str, AfterValidator(_address)]
Branch = Annotated[str, AfterValidator(_branch)]
FolderInRepository = Annotated[str, AfterValidator(_folder)]
PlacedPath = Annotated[Path, AfterValidator(placed)]
