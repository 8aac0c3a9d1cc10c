"""The wording by which a turn that looks like a person's shows that nobody typed it.

Wording only ever takes the role of a person away; it never gives one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dream.sources.sessions.values import Role

_OPENINGS = re.compile(
    r"<(?:"
    r"command-(?:name|message|args|contents)|local-command-[a-z]+|bash-(?:input|stdout|stderr)"
    r"|system-reminder|system_reminder|task-notification|task-[a-z]+|teammate-message|agent-message"
    r"|scheduled-task|ide_[a-z_]+|[a-z-]+-hook|session-[a-z-]+|new-diagnostics|tool_use_error"
    r"|environment_context|user_instructions|permissions instructions|turn_aborted|subagent_notification|skill"
    r"|user_shell_command|collaboration_mode|personality_spec|model_switch|app-context|session_context"
    r")[ >]"
    r"|Caveat: The messages below were generated"
    r"|\[Request interrupted by user"
    r"|\[SYSTEM NOTIFICATION|\[Image: source:|\[Image: original"
    r"|This session is being continued from a previous conversation"
    r"|Your task is to create a detailed summary of the conversation so far"
    r"|Implement the following plan:\n"
    r"|Base directory for this skill: "
    r"|Stop hook feedback:|[A-Za-z]{1,40} hook (?:feedback|additional context|blocking error)"
    r"|Unknown (?:skill|slash command): "
    r"|Warmup\Z"
)
_RECALLED = re.compile(
    r"# (?:AGENTS|CLAUDE|GEMINI|MEMORY)\.md instructions for |<INSTRUCTIONS>|<memory>|<recalled_memory>|<claude_?md>"
    r"|Contents of [^\n]{1,500}(?:CLAUDE|AGENTS|GEMINI|MEMORY|CLAUDE\.local)\.md"
)
_TITLING = "<TEXTBLOCK>"
_REMINDER = ("<system-reminder>", "</system-reminder>")


def role_of_spoken(text: str) -> Role:
    """Return what a turn that the structure gives to a person really is: PERSON, unless its wording gives it away."""
    opening = text.lstrip()
    if _RECALLED.match(opening):
        return Role.RECALLED
    if _OPENINGS.match(opening) or _TITLING in text:
        return Role.HARNESS
    return Role.PERSON


def split_reminders(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the stretches of a turn in order, each with whether the harness put it there as a reminder."""
    opening, closing = _REMINDER
    position = 0
    while (start := text.find(opening, position)) >= 0:
        if _says_something(before := text[position:start]):
            yield before, False
        end = text.find(closing, start)
        stop = len(text) if end < 0 else end + len(closing)
        yield text[start:stop], True
        position = stop
    if _says_something(rest := text[position:]):
        yield rest, False


def _says_something(text: str) -> bool:
    return bool(text) and not text.isspace()
