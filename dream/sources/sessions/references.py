"""What a session points at: pull requests, the repository it worked in, and the paths it edited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_PULL_URL = re.compile(
    r"https?://[A-Za-z0-9.-]{1,100}(?::[0-9]{1,5})?/([A-Za-z0-9_.-]{1,100})/([A-Za-z0-9_.-]{1,100})/pull/([0-9]{1,9})(?![0-9])"
)
_NUMBERED = re.compile(r"#([0-9]{1,9})(?![0-9A-Za-z])")
_NAMED = re.compile(r"(?<![A-Za-z0-9_./-])([A-Za-z0-9][A-Za-z0-9-]{0,38})/([A-Za-z0-9_.-]{1,100})\Z")
_LONGEST_NAMED = 141
_CALLED = re.compile(r"(?<![A-Za-z0-9])(?:PR|[Pp]ull [Rr]equest) \Z")
_LONGEST_CALLED = 14
_OPENS_PULL_REQUEST = re.compile(
    r"gh pr (?:create|view|merge|edit|ready|comment|close|checks)|create_pull_request|hub pull-request"
)
_MEMORY = re.compile(
    r"(?:^|[\s/\\\"'`=:])(?:CLAUDE|CLAUDE\.local|AGENTS|GEMINI|MEMORY|CATALOG)\.md(?![A-Za-z0-9])"
    r"|[/\\](?:memory|memories|\.dream)[/\\]"
)
_MEMORY_TOOL = re.compile(r"(?:^|_)(?:read|search|list|view|recall|get)?_?memor(?:y|ies)(?:_|:|$)|readMemory|recall")
_HOMES = re.compile(r"/|/root|/tmp|/(?:home|Users)(?:/[^/]{0,255})?|[A-Za-z]:(?:/Users(?:/[^/]{0,255})?)?")
_WORKTREE = re.compile(r"/\.(?:claude|codex|cursor)/worktrees/")


def pull_requests_in(text: str) -> set[str]:
    """Return the pull requests that a speaker names, as `owner/name#41`, or `#41` where no repository is named."""
    found: set[str] = set()
    if "/pull/" in text:
        found |= {f"{owner}/{name}#{int(number)}" for owner, name, number in _PULL_URL.findall(text)}
    if "#" in text:
        found |= set(_numbered_in(text))
    return found


def _numbered_in(text: str) -> Iterator[str]:
    """Yield each `owner/name#41`, and `#41` of `PR #41`; both are looked for where a number stands, as few do."""
    for numbered in _NUMBERED.finditer(text):
        place = numbered.start()
        named = _NAMED.search(text[max(place - _LONGEST_NAMED, 0) : place])
        if named is not None:
            yield f"{named[1]}/{named[2]}#{int(numbered[1])}"
        elif _CALLED.search(text[max(place - _LONGEST_CALLED, 0) : place]):
            yield f"#{int(numbered[1])}"


def pull_requests_opened(call: str, output: str) -> set[str]:
    """Return the pull requests linked in what a tool printed, if the call was about one pull request."""
    if "/pull/" not in output or not _OPENS_PULL_REQUEST.search(call):
        return set()
    return {f"{owner}/{name}#{int(number)}" for owner, name, number in _PULL_URL.findall(output)}


def recalls_memory(tool: str, call: str) -> bool:
    """Return whether a tool call reads what agents are told to remember, so that its output is recalled text."""
    if ("emor" in tool or "recall" in tool) and _MEMORY_TOOL.search(tool):
        return True
    return (".md" in call or "memor" in call or ".dream" in call) and _MEMORY.search(call) is not None


def folder_name(cwd: str) -> str:
    """Return the last part of a working directory, "" for a home, a temporary folder or the root."""
    path = cwd.replace("\\", "/").rstrip("/") or "/"
    path = _WORKTREE.split(path, maxsplit=1)[0]
    if _HOMES.fullmatch(path):
        return ""
    return path.rsplit("/", 1)[-1]


def relative_path(path: str, cwd: str) -> str:
    """Return an edited path with `/`, relative to the working directory where it stands in it."""
    edited, folder = path.replace("\\", "/"), cwd.replace("\\", "/").rstrip("/")
    if folder and edited.startswith(folder + "/"):
        return edited[len(folder) + 1 :]
    return edited.removeprefix("./")


def repository_of(*, stated: Iterable[str], folder: str, pull_requests: Iterable[str], default: str) -> str:
    """Return `owner/name` where it is known, else the configured default, else the folder's name.

    It is known where the structure states it, or where every pull request of that name has the same owner.
    """
    for name in stated:
        return name
    owners = {reference.partition("#")[0] for reference in pull_requests}
    matching = {name for name in owners if name.rpartition("/")[2].casefold() == folder.casefold() and "/" in name}
    if folder and len(matching) == 1:
        return matching.pop()
    return default or folder


def qualified(pull_requests: Iterable[str], repository: str) -> tuple[str, ...]:
    """Return the pull requests sorted, bare numbers with the repository where that is known."""
    known = repository if "/" in repository else ""
    return tuple(sorted({known + reference if reference.startswith("#") else reference for reference in pull_requests}))
