"""Who speaks in one line of a Claude Code transcript: decided by its structure alone, pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from dream.sources.sessions.formats.claude_calls import Call, Ending, calls_of, ending_of
from dream.sources.sessions.harness import role_of_spoken, split_reminders
from dream.sources.sessions.references import recalls_memory
from dream.sources.sessions.tools import QUESTIONS, brief_call, kept_output, role_of_output
from dream.sources.sessions.values import Role

_ANSWERS = ("toolUseResult", "sourceToolUseID", "sourceToolAssistantUUID", "toolDenialKind", "interruptedMessageId")
_PEERS = frozenset({"peer", "agent", "teammate"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One stretch of text with its speaker; `call` is what it answers, and `ending` how that ended.

    The first stretch of an output has both, further ones the call alone. It is there even if nothing was printed, where
    the call ran a command or edited a file.
    """

    role: Role
    text: str
    call: Call | None = None
    ending: Ending | None = None

    @property
    def tool(self) -> str:
        """The call that this answers, in one line."""
        return brief_call(self.call.tool, self.call.details) if self.call else ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said and nothing was done."""
        done = self.ending is not None and self.call is not None and (self.call.command or self.call.edits)
        return not done and (not self.text or self.text.isspace())


def called_in(record: Mapping[str, Any]) -> Iterator[tuple[str, Call]]:
    """Yield the tool calls of an assistant's line by their ids."""
    return calls_of(_blocks(_content(record)))


def turns_of(record: Mapping[str, Any], calls: Mapping[str, Call], *, most: int) -> Iterator[Turn]:
    """Return what is said in a line, in its order; nothing for lines that carry no text. Diffs to `most` characters."""
    match record.get("type"):
        case "user":
            return _user_turns(record, _content(record), calls, most)
        case "assistant":
            role = Role.HARNESS if _is_synthetic(record) else Role.AGENT
            return (Turn(role=role, text=text) for text in _texts(_content(record)))
        case "attachment":
            attachment = record.get("attachment")
            return _attachment_turns(record, attachment) if _is_map(attachment) else iter(())
    return iter(())


def _user_turns(record: Mapping[str, Any], content: object, calls: Mapping[str, Call], most: int) -> Iterator[Turn]:
    speaker = _speaker(record)
    if isinstance(content, str):
        yield from _spoken(content, speaker)
        return
    blocks = _blocks(content)
    result = record.get("toolUseResult") if len(blocks) == 1 else None
    for block in blocks:
        if block.get("type") == "tool_result":
            call = calls.get(str(block.get("tool_use_id", "")))
            yield from _output_turns(block, call, result, most)
            if call is not None and call.tool == QUESTIONS and speaker is not Role.AGENT:
                yield from _typed_answers(record.get("toolUseResult"))
        elif block.get("type") == "text" and isinstance(block.get("text"), str):
            yield from _spoken(block["text"], speaker)


def _speaker(record: Mapping[str, Any]) -> Role:
    """Whose words the text of a `user` line is, as far as its structure says."""
    origin = record.get("origin")
    kind = str(origin.get("kind", "human")) if _is_map(origin) else "human"
    message = record.get("message")
    if record.get("isMeta") or record.get("isCompactSummary") or record.get("isVisibleInTranscriptOnly"):
        return Role.HARNESS
    if record.get("isSidechain") or record.get("agentId") or record.get("planContent") or kind in _PEERS:
        return Role.AGENT
    if kind != "human" or not _is_map(message) or message.get("role") != "user":
        return Role.HARNESS
    return Role.HARNESS if any(map(record.get, _ANSWERS)) else Role.PERSON


def _spoken(text: str, speaker: Role) -> Iterator[Turn]:
    for stretch, is_reminder in split_reminders(text):
        role = Role.HARNESS if is_reminder else speaker
        yield Turn(role=role_of_spoken(stretch) if role is Role.PERSON else role, text=stretch)


def _output_turns(block: Mapping[str, Any], call: Call | None, result: object, most: int) -> Iterator[Turn]:
    text = "\n".join(_texts(block.get("content")))
    tool, details = (call.tool, call.details) if call else ("", "")
    role = role_of_output(tool, details, text)
    ending: Ending | None = ending_of(call, text, failed=block.get("is_error") is True, result=result, most=most)
    for stretch, is_reminder in split_reminders(kept_output(tool, text)) if text else ():
        if is_reminder:
            yield Turn(role=Role.HARNESS, text=stretch, call=call)
        else:
            yield Turn(role=role, text=stretch, call=call, ending=ending)
            ending = None
    if ending is not None:
        yield Turn(role=role, text="", call=call, ending=ending)


def _typed_answers(result: object) -> Iterator[Turn]:
    """Yield the answers to an agent's questions that are none of the options that the agent offered."""
    if not _is_map(result) or not _is_map(result.get("answers")) or not isinstance(result.get("questions"), list):
        return
    offered = {
        option["label"]
        for question in result["questions"]
        if _is_map(question) and isinstance(question.get("options"), list)
        for option in question["options"]
        if _is_map(option) and isinstance(option.get("label"), str)
    }
    for answer in result["answers"].values():
        if isinstance(answer, str) and answer.strip() and not {answer, *answer.split(", ")} & offered:
            yield from _spoken(answer, Role.PERSON)


def _attachment_turns(record: Mapping[str, Any], attachment: Mapping[str, Any]) -> Iterator[Turn]:
    kind, content = attachment.get("type"), attachment.get("content")
    if kind == "queued_command":
        typed = attachment.get("commandMode", "prompt") == "prompt" and not attachment.get("isMeta")
        origin = attachment.get("origin", record.get("origin"))
        stands_for = {**record, "origin": origin, "message": {"role": "user"}}
        for text in _texts(attachment.get("prompt")):
            yield from _spoken(text, _speaker(stands_for) if typed else Role.HARNESS)
    elif kind == "nested_memory" and _is_map(content):
        yield from (Turn(role=Role.RECALLED, text=text) for text in _texts(content.get("content")))
    elif kind == "file" and _is_map(content) and _is_map(content.get("file")):
        call = Call(tool="attachment", details=str(attachment.get("filename", "")))
        role = Role.RECALLED if recalls_memory("", call.details) else Role.TOOL
        yield from (Turn(role=role, text=text, call=call) for text in _texts(content["file"].get("content")))
    elif isinstance(kind, str) and kind.startswith("hook_"):
        yield from (Turn(role=Role.HARNESS, text=text) for text in _texts(content or attachment.get("stdout")))


def _is_synthetic(record: Mapping[str, Any]) -> bool:
    message = record.get("message")
    return bool(record.get("isApiErrorMessage")) or (_is_map(message) and message.get("model") == "<synthetic>")


def _content(record: Mapping[str, Any]) -> object:
    message = record.get("message")
    return message.get("content") if isinstance(message, dict) else None


def _blocks(content: object) -> list[Mapping[str, Any]]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _texts(content: object) -> Iterator[str]:
    """Yield the texts of a content that is one string, or a list of blocks."""
    if isinstance(content, str):
        if content and not content.isspace():
            yield content
    elif isinstance(content, list):
        for block in content:
            text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
            if isinstance(text, str) and text and not text.isspace():
                yield text


def _is_map(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)
