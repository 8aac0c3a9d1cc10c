"""What an item of a user in a rollout of Codex is: typed by a person, or context that was injected in their name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dream.sources.sessions.formats.objects import is_map, text_at
from dream.sources.sessions.values import Role

_REQUEST = "## My request for Codex:"
_ABOVE_A_REQUEST = re.compile(r"# (?:Context from my IDE setup|Files mentioned by the user|[A-Za-z ]{1,60}):?\s*\n")
_RECALLED = re.compile(
    r"<user_instructions>|# AGENTS\.md instructions|<INSTRUCTIONS>"
    r"|# [^\s/]{1,100} instructions(?: for [^\n]{1,1000})?\n\s{0,4}<INSTRUCTIONS>"
)
_INJECTED = re.compile(
    r"</?[A-Za-z][A-Za-z0-9_:-]{0,60}[ >/]"
    r"|Warning: (?:The maximum number of unified exec|apply_patch was requested|Your account)"
    r"|Another language model started to solve this problem"
    r"|You are (?:performing a|acting as a) (?:CONTEXT|code reviewer|reviewer)"
    r"|Continue working toward the active thread goal"
)
_IMAGE = re.compile(r"</?image(?: [^>\n]{0,2000})?>")


def texts_of(item: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of an item, whichever generation wrote it; marks that stand around an image are none."""
    content = item.get("content", item.get("message"))
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        text = text_at(block, "text") if is_map(block) else ""
        if text.strip() and not _IMAGE.fullmatch(text.strip()):
            yield text


def request_of(text: str) -> tuple[str, str]:
    """Return what an editor put above a person's request, "" if nothing, and the request."""
    position = text.find(_REQUEST)
    if position < 0 or not _ABOVE_A_REQUEST.match(text.lstrip()):
        return "", text
    return text[:position], text[position + len(_REQUEST) :].lstrip("\n")


def typed_text(text: str) -> str:
    """Return the part of a text that its item and its event have in common."""
    return _IMAGE.sub("", request_of(text)[1]).strip()


def role_of_context(text: str) -> Role:
    """Return whose words a text of a user is where no event tells that it was typed."""
    opening = text.lstrip()
    if _RECALLED.match(opening):
        return Role.RECALLED
    return Role.HARNESS if _INJECTED.match(opening) else Role.PERSON


def is_typed_kind(event: Mapping[str, Any]) -> bool:
    """Return whether an event of a user's message tells of typed words; older ones told of injected context too."""
    return text_at(event, "kind") in {"", "plain"} or text_at(event, "kind").startswith("[")
