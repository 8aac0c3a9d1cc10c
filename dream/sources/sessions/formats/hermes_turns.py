"""What the messages of Hermes say, wherever they are kept. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dream.sources.sessions.formats.objects import Record, is_map, map_at, maps_at, text_at
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, Call, Output, Telling
from dream.sources.sessions.formats.tool_inputs import call_of, given_in
from dream.sources.sessions.values import Role

TOOL = "Hermes"
_NOBODY = re.compile(
    r"\s{0,8}\[(?:System|SYSTEM|IMPORTANT|ASYNC|OUT-OF-BAND|CONTEXT|Context|Your active task list|The user sent an? )"
    r"|\s{0,8}(?:Gateway message origin|Review the conversation above|You've reached the maximum number of tool)"
)
_DISCOVERED = "\n\n[Subdirectory context discovered: "


class Turns:
    """Takes the messages of one session in order."""

    def __init__(self, telling: Telling, file: SessionFile) -> None:
        """Begin to add to `telling` what is said."""
        self._telling = telling
        self._most = file.limits.captured

    def take(self, message: Record, began: object) -> None:
        """Take a message, said at its own instant or at that at which its session began."""
        telling = self._telling
        stamp = message.get("timestamp") or began
        match message.get("role"):
            case "user":
                for text in _texts(message.get("content")):
                    telling.say(Role.HARNESS if _NOBODY.match(text) else Role.PERSON, text, stamp)
            case "assistant":
                for text in _texts(message.get("content")):
                    telling.say(Role.AGENT, text, stamp)
                for call in maps_at(message, "tool_calls"):
                    asked = map_at(call, "function")
                    name = text_at(asked, "name", most=LONGEST_ID)
                    given = given_in(asked.get("arguments"))
                    key = text_at(call, "id", "call_id", most=LONGEST_ID)
                    telling.call(key, call_of(name, given, most=self._most), stamp)
            case "tool":
                self._take_result(message, stamp)
            case "system" | "developer":
                for text in _texts(message.get("content")):
                    telling.say(Role.HARNESS, text, stamp)

    def _take_result(self, message: Record, stamp: object) -> None:
        telling = self._telling
        key = text_at(message, "tool_call_id", most=LONGEST_ID)
        call = telling.called(key)
        if call is None:
            call = call_of(text_at(message, "tool_name", "name", most=LONGEST_ID), {}, most=0)
            telling.call(key, call, stamp)
        text = "\n".join(_texts(message.get("content")))
        told, mark, discovered = text.partition(_DISCOVERED)
        output = _output(call, told, failed=message.get("finish_reason") == "error")
        telling.answer(key, output, stamp)
        telling.say(Role.RECALLED, mark.strip("\n") + discovered, stamp)


def _output(call: Call, text: str, *, failed: bool) -> Output:
    """Return what a call came to; a command's output is an object with its exit code."""
    result = given_in(text) if text.startswith('{"') else {}
    error = text_at(result, "error")
    code = result.get("exit_code")
    if not isinstance(result.get("output"), str) or not call.command:
        return Output(text=text, failed=failed or bool(error) or result.get("success") is False)
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    printed = text_at(result, "output")
    return Output(text=printed or error, exit_code=exit_code, failed=failed or bool(error) or bool(exit_code))


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        yield from (text_at(block, "text") for block in content if is_map(block) and block.get("type") == "text")
