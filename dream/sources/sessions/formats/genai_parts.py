"""What stands in the messages of tools that keep them as Gemini's API has them: lists of parts; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dream.sources.sessions.formats.diffs import Edit, hunks_of
from dream.sources.sessions.formats.objects import is_map, map_at, text_at
from dream.sources.sessions.formats.telling import LONGEST_PATH, Call, Output
from dream.sources.sessions.values import Role

_REFERENCED = "--- Content from referenced files ---"
_INJECTED = re.compile(
    r"</?(?:qwen:[a-z-]{1,60}|hook_context|state_snapshot|session_context|environment_context|[a-z]{1,40}_context)[ >]"
    r"|This is the (?:Gemini CLI|Qwen Code)\. We are setting up the context"
)
_OPENING = re.compile(r"Output: |\(no output\)")
_TRAILER = re.compile(r"(?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*){1,8}\s{0,8}\Z")
_EXIT = re.compile(r"\nExit Code: (-?[0-9]{1,10})(?![0-9])")


def texts_of(content: object) -> Iterator[str]:
    """Yield the texts of a content that is one text, a part or a list of parts; thinking is none."""
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str) and isinstance(content, list):
            yield part
        elif is_map(part) and not part.get("thought") and text_at(part, "text"):
            yield text_at(part, "text")


def turns_of_user(content: object, shown: str) -> Iterator[tuple[Role, str]]:
    """Yield what a user's message holds: what was typed, the files that it refers to, and injected context.

    `shown` is what the tool says was typed, "" if it does not say; of the rest nothing is then a person's.
    """
    referenced = False
    texts = list(texts_of(content))
    is_told = any(text.strip() == shown.strip() for text in texts) and bool(shown.strip())
    if shown.strip() and not is_told:
        yield Role.PERSON, shown
    for text in texts:
        referenced = referenced or text.strip().startswith(_REFERENCED)
        if referenced:
            yield Role.TOOL, text
        elif (shown.strip() and text.strip() != shown.strip()) or _INJECTED.match(text.lstrip()):
            yield Role.HARNESS, text
        else:
            yield Role.PERSON, text


def responses_in(content: object) -> Iterator[Mapping[str, Any]]:
    """Yield what the tools answered among the parts of a message: each with `id`, `name` and `response`."""
    for part in content if isinstance(content, list) else []:
        if is_map(part) and is_map(part.get("functionResponse")):
            yield part["functionResponse"]


def output_of(response: Mapping[str, Any], told: Mapping[str, Any], call: Call | None, *, most: int) -> Output:
    """Return what a call came to, by the tool's answer and by what is `told` beside it: its status and its display.

    The wrapper around what a command printed is left away; the exit code is its.
    """
    answer = map_at(response, "response")
    shown, status = told.get("resultDisplay"), text_at(told, "status").lower()
    text = text_at(answer, "output", "error") or (shown if isinstance(shown, str) else "")
    failed = status in {"error", "cancelled", "canceled"} or ("error" in answer and "output" not in answer)
    code = None
    if call is None or call.command:
        text, code = _unwrapped(text, succeeded=status == "success")
        told_code = shown.get("exitCode") if is_map(shown) else None
        code = told_code if isinstance(told_code, int) and not isinstance(told_code, bool) else code
    edits = _edits_shown(shown, call, most) if is_map(shown) else ()
    return Output(text=text, exit_code=code, failed=failed or bool(code), edits=edits)


def _unwrapped(text: str, *, succeeded: bool) -> tuple[str, int | None]:
    """Return what a command printed and its exit code, which newer wrappers leave out where it is 0."""
    start = text.find("\nOutput: ") + 1 if text.startswith("Command: ") else 0
    opening = _OPENING.match(text, start)
    if opening is None:
        return text, None
    trailer = _TRAILER.search(text, opening.end())
    told = trailer[0] if trailer else ""
    code = _EXIT.search(told)
    ended = succeeded and "\nSignal: " not in told
    end = trailer.start() if trailer else len(text)
    return text[opening.end() : end], int(code[1]) if code else 0 if ended else None


def _edits_shown(shown: Mapping[str, Any], call: Call | None, most: int) -> tuple[Edit, ...]:
    path = call.edits[0].path if call and call.edits else text_at(shown, "filePath", "fileName", most=LONGEST_PATH)
    diff = text_at(shown, "fileDiff")
    return (Edit(path, hunks_of(diff, most=most)),) if path and diff else ()
