"""What became of every proposal of a night, seen where tasks rule on it; the tasks themselves are as they are.

Only the process of a replayed night is watched: four functions of its tasks are called through ones that write down
what goes in and what comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tasks.daily_note
import tasks.daily_told
import tasks.distil
import tasks.two_part
from bench.nights.dreamer import Dreamer
from dream.memory.operations import Add, Refusal, Revise
from dream.memory.outcomes import Plan
from tasks.ruling import Ruled


def watch(dreamer: Dreamer) -> None:
    """Let `dreamer` know what is about to be asked on, and write down what becomes of what it offers."""
    _watch_plans(dreamer)
    _watch_excerpts(dreamer)
    _watch_distil(dreamer)
    _watch_daily_note(dreamer)


def _watch_plans(dreamer: Dreamer) -> None:
    for name, module in (("distil", tasks.distil), ("daily_note", tasks.daily_note)):
        module.propose = _told_plan(dreamer, name, module.propose)  # type: ignore[attr-defined]


def _told_plan(dreamer: Dreamer, name: str, propose: Callable[..., Plan]) -> Callable[..., Plan]:
    def told(**given: Any) -> Plan:
        dreamer.write("planned", task=name)
        return propose(**given)

    return told


def _watch_excerpts(dreamer: Dreamer) -> None:
    summarising: Any = tasks.two_part
    excerpts_of = summarising.excerpts_of

    def told(utterances: Any, **limits: Any) -> Any:
        dreamer.utterances = tuple(utterances)
        return excerpts_of(dreamer.utterances, **limits)

    summarising.excerpts_of = told


def _watch_distil(dreamer: Dreamer) -> None:
    distilling: Any = tasks.distil
    ruled = distilling._ruled  # noqa: SLF001  # this is where an offer still has its name
    night = distilling._Night  # noqa: SLF001
    placed = night._placed  # noqa: SLF001

    def told_ruled(one: Any, gates: Any, **others: Any) -> Ruled:
        answer: Ruled = ruled(one, gates, **others)
        _write_ruled(dreamer, "distil", one.told.reasoning, answer)
        return answer

    def told_placed(self: Any, subject: Any, one: Any, admitted: Any, manifest: Any) -> Any:
        answer, name = placed(self, subject, one, admitted, manifest), one.told.reasoning
        if isinstance(answer, Refusal):
            dreamer.write("placed", task="distil", id=name, end=answer.reason)
            return answer
        named = manifest.entries.get(one.place.replaces)
        operations = [_operation(operation, named[1].raw if named else "") for operation in answer]
        dreamer.write("placed", task="distil", id=name, end="", text=admitted.statement, operations=operations)
        return answer

    distilling._ruled = told_ruled  # noqa: SLF001
    night._placed = told_placed  # noqa: SLF001


def _watch_daily_note(dreamer: Dreamer) -> None:
    teller: Any = tasks.daily_told.Teller
    told = teller._told  # noqa: SLF001
    telling: Any = tasks.daily_told
    rule_on = telling.rule_on
    names: dict[Any, list[str]] = {}

    def told_told(self: Any, subject: Any, proposed: Sequence[Any], **others: Any) -> Any:
        names.clear()
        for one in proposed:
            names.setdefault(_key(one.statement, one.resource, one.quotes), []).append(one.reasoning)
        dreamer.write("told", ids=[one.reasoning for one in proposed])
        return told(self, subject, proposed, **others)

    def told_rule_on(statement: str, resource: str, quotes: Any, **others: Any) -> Ruled:
        answer: Ruled = rule_on(statement, resource, quotes, **others)
        _write_ruled(dreamer, "daily_note", names[_key(statement, resource, quotes)].pop(0), answer)
        return answer

    teller._told = told_told  # noqa: SLF001
    telling.rule_on = told_rule_on


def _write_ruled(dreamer: Dreamer, task: str, name: str, said: Ruled) -> None:
    answer = said.answer
    end, text = (answer.reason, "") if isinstance(answer, Refusal) else ("", answer.statement)
    dreamer.write("ruled", task=task, id=name, end=end, text=text)


def _operation(operation: Any, named: str) -> dict[str, Any]:
    replaced = operation.span.text if isinstance(operation, Revise) else ""
    path = operation.path if isinstance(operation, Add) else operation.span.path
    return {"kind": type(operation).__name__, "path": path, "replaces_named": bool(named) and replaced == named}


def _key(statement: str, resource: str, quotes: Sequence[Any]) -> tuple[object, ...]:
    return (statement, resource, *((quote.message, quote.quote) for quote in quotes))
