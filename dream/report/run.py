"""What a person is told at the end of a run, on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dream.memory.records import RoleSpend
from dream.report.accounts import Account, counted, many, spoken, total_of
from dream.report.escaping import one_line
from dream.report.spend import SpendAccount, spend_of
from dream.report.tables import text_table

MOST_FINDINGS = 5
"""The rest is in the report."""

_ALL_IS_WELL = ("nothing-to-do", "paused", "shadow")
"""Runs that have not failed, and that something can be done about nevertheless."""


def render_run(document: Mapping[str, Any]) -> str:
    """Return how one organisation's night ended: its tasks, what it took away, where its report lies, what it needs."""
    lines = [_headline(document)]
    told = (document["reason"], document["way_out"] if document["status"] in _ALL_IS_WELL else "")
    lines += [f"  {one_line(text)}" for text in told if text]
    if document["tasks"]:
        lines += ["", *_tasks(document["tasks"]), ""]
        refused = total_of(_account(task) for task in document["tasks"].values()).refusals
        if refused:
            lines.append(f"operations refused: {counted(refused)}")
    if document["spent"]:
        lines.append(f"taken away: {_spent(document['spent']['night'])} tonight")
        lines.append(f"            {_spent(document['spent']['lately'])} lately")
    spend = _models(document["tasks"])
    if spend.questions:
        lines.append(f"models: {spend}")
    findings: Sequence[str] = document["findings"]
    if findings:
        lines.append(f"findings: {len(findings)}")
        lines += [f"  {one_line(finding)}" for finding in findings[:MOST_FINDINGS]]
        if len(findings) > MOST_FINDINGS:
            lines.append(f"  … and {len(findings) - MOST_FINDINGS} more, all in the report")
    if document["report"]:
        lines.append(f"report: {document['report']}")
    for need in document["needs"]:
        lines.append(f"needs {one_line(need['wanted'])}: {one_line(need['why'])}")
        lines += [f"  {one_line(need['way_out'])}"] if need["way_out"] else []
    return "\n".join(lines)


def render_nightly(document: Mapping[str, Any]) -> str:
    """Return how the night of every organisation ended, a line each, and what those that failed need."""
    rows = [
        (
            str(one["organisation"]),
            str(one.get("status", "not-landed")),
            str(one["exit"]),
            str(one.get("tip", ""))[:12],
            _why(one),
        )
        for one in document["organisations"]
    ]
    failed = document["failed"]
    last = f"{many(len(rows), 'organisation')}, {len(failed)} failed" + (
        f": {', '.join(map(str, failed))}" if failed else ""
    )
    table = text_table(("organisation", "ended", "exit", "tip", "why"), rows, aligned="<<>")
    return "\n".join([*table, "", last, *_rings(document), *_next_steps(document)])


def _why(one: Mapping[str, Any]) -> str:
    tries = int(one.get("attempts", 1))
    return str(one.get("reason", "")) + (f" (after {tries} tries)" if tries > 1 else "")


def _rings(document: Mapping[str, Any]) -> list[str]:
    """Return which ring kept others from being begun, and how they are begun all the same."""
    left = len(document.get("not_started", ()))
    unsound = [one for one in document.get("rings", ()) if not one["sound"]]
    if not left or not unsound:
        return [f"not begun: {left}", "  dream nightly"] if left else []
    told = f"not begun: {left}, since ring {unsound[0]['ring']} is not sound: {one_line(unsound[0]['why'])}"
    return [told, "  dream nightly --all-rings"]


def _next_steps(document: Mapping[str, Any]) -> list[str]:
    """Return what each that failed needs, as far as it is told; the rest is in `dream status`."""
    failed = set(document["failed"])
    steps = [
        f"{one['organisation']}: {one_line(str(one['way_out']))}"
        for one in document["organisations"]
        if one["organisation"] in failed and one.get("way_out")
    ]
    more = len(steps) - MOST_FINDINGS
    return [*steps[:MOST_FINDINGS], *([f"… and {more} more: dream status"] if more > 0 else [])]


def _headline(document: Mapping[str, Any]) -> str:
    ended = {
        "landed": "landed",
        "nothing-to-do": "has nothing left to do",
        "superseded": "is superseded",
        "paused": "is paused",
        "shadow": "is rehearsed in shadow and landed nowhere",
        "dry-run": "would land (dry run, nothing was pushed)",
    }.get(document["status"], str(document["status"]))
    tip = f" at {document['tip'][:12]}" if document["tip"] and document["status"] != "shadow" else ""
    tries = f" after {document['tries']} tries" if document["tries"] > 1 else ""
    return f"{document['organisation']}: the night of {document['night']} {ended}{tip}{tries}"


def _tasks(tasks: Mapping[str, Mapping[str, Any]]) -> list[str]:
    accounts = {name: _account(task) for name, task in tasks.items()}
    rows = [(spoken(name), str(task["outcome"]), *_cells(accounts[name])) for name, task in tasks.items()]
    head = ("task", "outcome", "in", "written", "pending", "not written")
    return text_table(head, [*rows, ("all", "", *_cells(total_of(accounts.values())))], aligned="<<>>>")


def _cells(account: Account) -> tuple[str, ...]:
    return str(account.inputs), str(account.written), str(account.pending), counted(account.not_written)


def _account(task: Mapping[str, Any]) -> Account:
    return Account(
        inputs=task.get("inputs", 0),
        written=task.get("written", 0),
        not_written=task.get("not_written", {}),
        pending=task.get("pending", 0),
        refusals=task.get("refusals", {}),
    )


def _models(tasks: Mapping[str, Mapping[str, Any]]) -> SpendAccount:
    return spend_of(RoleSpend.model_validate(one) for task in tasks.values() for one in task.get("spend", {}).values())


def _spent(loss: Mapping[str, Any]) -> str:
    parts = []
    for what in ("notes", "statements"):
        budget = loss.get(f"{what}_budget")
        parts.append(f"{loss[what]} of {budget} {what}" if budget is not None else f"{loss[what]} {what}")
    return ", ".join(parts)
