"""What Prefect's page shows of a night: counts and where its report lies, or the whole report."""

from __future__ import annotations

from config.fleet import Artifacts
from dream.memory.records import TaskRecord
from dream.night.result import NightResult
from dream.report.accounts import account_of, in_order, spoken
from dream.report.escaping import inline
from dream.report.spend import tasks_spend
from flows.publishing import report_path
from flows.telling.events import next_step, why_of
from flows.telling.figures import Figures
from flows.workplace import Workplace
from tasks.order import TASKS

MOST_CHARACTERS = 500_000
"""Of a whole report so much is shown; the rest is where it lies."""

_HEAD = "| task | came to | in | written | not written | pending | refused | tokens | US dollars |"
_LINE = "|---|---|---:|---:|---:|---:|---:|---:|---:|"


def artifact_key(organisation: str) -> str:
    """Return under what Prefect keeps the nights of an organisation, newest last."""
    return f"night-{organisation}"


def night_markdown(workplace: Workplace, result: NightResult, *, figures: Figures, reason: str, way_out: str) -> str:
    """Return the Markdown that Prefect shows of a night, as much of it as the organisation allows.

    `reason` and `way_out` are why it did not land; they may be read by everybody there.
    """
    shown: Artifacts = workplace.organisation.artifacts
    whole = _report(workplace, result) if shown == "full" else ""
    return whole or _counts(workplace, result, figures, reason, way_out)


def _report(workplace: Workplace, result: NightResult) -> str:
    """Return the report of the night; nothing where it cannot be read."""
    path = report_path(workplace.home, result.night, dry=result.status == "dry-run")
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    cut = "" if len(text) <= MOST_CHARACTERS else f"\n\n… cut here; the whole of it is in `{path}`\n"
    return text[:MOST_CHARACTERS] + cut


def _counts(workplace: Workplace, result: NightResult, figures: Figures, reason: str, way_out: str) -> str:
    """Return the night in counts: of what stands in a memory, or comes out of one, only how much of it there is."""
    night = result.night.isoformat()
    tasks = in_order(
        {name: task for name, task in (result.record.tasks if result.record else {}).items() if name in TASKS}, TASKS
    )
    lines = [f"# {result.organisation}, night {night}: {result.status}", ""]
    why = reason or why_of(result)
    if why:
        lines += [f"**{inline(why)}**", "", f"Next: {inline(way_out or next_step(result))}", ""]
    if tasks:
        lines += [_HEAD, _LINE, *(_row(name, task) for name, task in tasks.items()), "", _sums(figures), ""]
    path = report_path(workplace.home, result.night, dry=result.status == "dry-run")
    command = f"dream report {result.organisation} --night {night}"
    lines.append(f"Read it with `{command}`, on the machine that dreamed it in `{path}`.")
    return "\n".join(lines) + "\n"


def _sums(figures: Figures) -> str:
    return (
        f"Taken away: {figures['notes_lost']} of {figures['notes']} notes, "
        f"{figures['statements_lost']} of {figures['statements']} statements. "
        f"{figures['questions']} questions, {figures['tokens']:,} tokens, "
        f"{figures['dollars']:.4f} US dollars by the prices that are known; "
        f"{figures['seconds']} s, {figures['tries']} tries to land."
    )


def _row(name: str, task: TaskRecord) -> str:
    account, spend = account_of(task), tasks_spend([task])
    cells = (
        spoken(name),
        task.outcome,
        account.inputs,
        account.written,
        sum(account.not_written.values()),
        account.pending,
        sum(account.refusals.values()),
        f"{spend.tokens:,}",
        f"{spend.dollars:.4f}" if not spend.unpriced else "not known",
    )
    return f"| {' | '.join(str(cell) for cell in cells)} |"
