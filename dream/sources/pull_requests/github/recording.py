"""What GitHub said, kept as JSON, and a GitHub that says it again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dream.sources.pull_requests.github.port import Answered, Missing, Platform, Unanswered, Want
from dream.sources.strict_json import BadJSONError, parse_json

VERSION = 1
_KIND = "github-answers"


class BadRecordingError(Exception):
    """Bytes that are no recording; the message says why, in few and fixed words."""


class Recorder:
    """A platform that keeps every answer of another; no credential is ever part of a question or an answer."""

    def __init__(self, platform: Platform) -> None:
        """Ask `platform`."""
        self._platform = platform
        self._kept: dict[str, Any] = {}

    def ask(self, operation: str, variables: Mapping[str, Any]) -> Answered | Unanswered:
        """Return the answer to one operation of the packaged query, and keep it."""
        answer = self._platform.ask(operation, variables)
        told = _refusal(answer) if isinstance(answer, Unanswered) else _data(answer)
        self._keep(_asked(operation, variables), told)
        return answer

    def compare(self, repository: str, base: str, head: str) -> tuple[Mapping[str, Any], ...] | Unanswered:
        """Return the files that differ between two commits, and keep them."""
        files = self._platform.compare(repository, base, head)
        told = _refusal(files) if isinstance(files, Unanswered) else {"files": list(files)}
        self._keep(_compared(repository, base, head), told)
        return files

    def recording(self) -> bytes:
        """Return everything that was asked, with the last answer to each question."""
        kept = {"kind": _KIND, "version": VERSION, "answers": self._kept}
        return json.dumps(kept, sort_keys=True, indent=1).encode()

    def _keep(self, question: str, told: Mapping[str, Any]) -> None:
        # at once and as text: whoever reads an answer may settle what is missing from it
        self._kept[question] = json.loads(json.dumps(told))


class Recorded:
    """A recording that answers as the platform did; what was not asked then is not there."""

    def __init__(self, data: bytes) -> None:
        """Read a recording. Raises BadRecordingError for what is none."""
        try:
            held = parse_json(data)
        except BadJSONError as error:
            raise BadRecordingError(str(error)) from error
        match held:
            case {"kind": "github-answers", "version": 1, "answers": dict(answers)}:
                self._answers = {question: json.dumps(told) for question, told in answers.items()}
            case _:
                message = "not a recording of this version"
                raise BadRecordingError(message)

    def ask(self, operation: str, variables: Mapping[str, Any]) -> Answered | Unanswered:
        """Return the recorded answer to one operation."""
        told = self._told(_asked(operation, variables))
        if isinstance(told, Unanswered):
            return told
        match told:
            case {"data": dict(data), "missing": list(missing)}:
                return Answered(data=data, missing=tuple(_missing(part) for part in missing if isinstance(part, dict)))
            case _:
                return Unanswered(want=Want.DOWN, reason="what is recorded is no answer")

    def compare(self, repository: str, base: str, head: str) -> tuple[Mapping[str, Any], ...] | Unanswered:
        """Return the recorded files that differ between two commits."""
        told = self._told(_compared(repository, base, head))
        if isinstance(told, Unanswered):
            return told
        match told:
            case {"files": list(files)}:
                return tuple(file for file in files if isinstance(file, dict))
            case _:
                return Unanswered(want=Want.DOWN, reason="what is recorded is no comparison")

    def _told(self, question: str) -> Any:
        if question not in self._answers:
            return Unanswered(want=Want.ABSENT, reason="it was not recorded")
        told = json.loads(self._answers[question])
        match told:
            case {"want": str(want), "reason": str(reason)} if want in Want.__members__:
                return Unanswered(want=Want[want], reason=reason)
            case _:
                return told


def _asked(operation: str, variables: Mapping[str, Any]) -> str:
    return f"{operation} {json.dumps(dict(variables), sort_keys=True)}"


def _compared(repository: str, base: str, head: str) -> str:
    return f"compare {json.dumps([repository, base, head])}"


def _data(answer: Answered) -> Mapping[str, Any]:
    missing = [{"path": list(part.path), "kind": part.kind} for part in answer.missing]
    return {"data": dict(answer.data), "missing": missing}


def _refusal(answer: Unanswered) -> Mapping[str, Any]:
    return {"want": answer.want.name, "reason": answer.reason}


def _missing(part: Mapping[str, Any]) -> Missing:
    path, kind = part.get("path"), part.get("kind")
    return Missing(
        path=tuple(step for step in path if isinstance(step, str | int)) if isinstance(path, list) else (),
        kind=kind if isinstance(kind, str) else "",
    )
