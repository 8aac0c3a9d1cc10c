"""What is left behind for people after a run: the night's report and a note of how the run ended; repeatable."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import structlog

from dream.errors import DreamError
from dream.night.result import NightResult
from dream.report.attempts import Attempt
from dream.report.html.page import render_html
from dream.report.needs import need_after
from dream.report.night import render_report
from dream.report.story import Story
from dream.repository.failures import write_failure
from dream.repository.kept_files import private_folder, replace_file
from dream.repository.mirror import Mirror
from flows.attempts import REPORTS, forget_old, note_attempt, read_attempts
from flows.crashes import crash_way_out, write_crash
from flows.spending import read_spent
from flows.stories import read_story
from flows.workplace import Workplace

log = structlog.get_logger()


def publish(workplace: Workplace, mirror: Mirror, result: NightResult, *, at: datetime | None = None) -> NightResult:
    """Write the night's report, note this run, and return `result`; `at` is when it ended, now by default.

    The night has ended before this begins, so what goes wrong here is found and told (exit 1), never raised.
    """
    dry, shadow = result.status == "dry-run", result.status == "shadow"
    try:
        if not dry:
            attempt = _attempt(result, at or datetime.now(UTC))
            note_attempt(workplace.home, result.night, _with_payment(attempt, workplace.home, result.night))
            forget_old(workplace.home, result.night)
        head = result.tip or mirror.tracked() or ""
        findings = result.findings if dry else ()
        story = read_story(workplace, mirror, result.night, head=head, findings=findings, dry=dry, shadow=shadow)
        write_report(workplace.home, story)
    except DreamError as error:
        return _unpublished(result, str(error))
    except OSError as error:
        return _unpublished(result, str(write_failure(workplace.home, "the report", error)))
    except Exception as error:  # noqa: BLE001  # the night has landed, and no defect here may call that in question
        crash = write_crash(workplace.home, error, ["publish", workplace.name], at=at or datetime.now(UTC))
        log.error("report.failed", error=type(error).__name__, crash=str(crash))  # noqa: TRY400  # it may quote a note
        return _unpublished(result, f"a defect: {type(error).__name__}; {crash_way_out(crash)}")
    log.info("report.written", path=str(report_path(workplace.home, result.night, dry=dry)))
    return result


def publish_failure(workplace: Workplace, night: date, error: Exception, *, at: datetime | None = None) -> None:
    """Note that a run of `night` landed nothing, and why; a report of what landed before is left as it is."""
    attempt = _failed_attempt(error, at or datetime.now(UTC))
    try:
        note_attempt(workplace.home, night, _with_payment(attempt, workplace.home, night))
        if not _has_landed(workplace.home, night):
            story = Story(
                organisation=workplace.name,
                night=night,
                attempts=read_attempts(workplace.home, night),
                branch=workplace.organisation.memory.branch,
                limits=workplace.loss_limits(),
            )
            write_report(workplace.home, story)
    except Exception as second:  # noqa: BLE001  # the failure itself is on its way to whoever asked, and comes first
        log.error("failure.not_noted", error=type(second).__name__)  # noqa: TRY400


def report_path(home: Path, night: date, *, dry: bool = False) -> Path:
    """Return where the report of `night` is written."""
    return home / REPORTS / f"{night.isoformat()}{'.dry-run' if dry else ''}.md"


def write_report(home: Path, story: Story) -> Path:
    """Write the report of a night as Markdown, with its page and its JSON beside it; raises DreamError if it cannot."""
    path = report_path(home, story.night, dry=story.dry and not story.shadow)
    private_folder(path.parent)
    payload = json.dumps(story.payload(), indent=1, sort_keys=True) + "\n"
    replace_file(path, render_report(story).encode(), "the report")
    replace_file(path.with_suffix(".html"), render_html(story).encode(), "the report")
    replace_file(path.with_suffix(".json"), payload.encode("ascii"), "the report")
    return path


def _has_landed(home: Path, night: date) -> bool:
    """Whether there is a report of what landed, or in shadow would have."""
    try:
        document = json.loads(report_path(home, night).with_suffix(".json").read_bytes())
        return bool(document["tip"] or document["shadow"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _unpublished(result: NightResult, cause: str) -> NightResult:
    finding = f"the report could not be written: {cause}"
    return replace(result, findings=(*result.findings, finding), exit_code=result.exit_code or 1)


def _with_payment(attempt: Attempt, home: Path, night: date) -> Attempt:
    """Return `attempt` with what the runs of its night have paid; with nothing where that is not known."""
    try:
        spent = read_spent(home, night)
    except DreamError:
        return attempt
    if not spent.calls:
        return attempt
    paid = (
        f"{spent.tokens:,} tokens in {spent.calls} calls, {spent.dollars:.4f} US dollars by the prices that are known"
    )
    return attempt.model_copy(update={"paid": paid})


def _attempt(result: NightResult, at: datetime) -> Attempt:
    return Attempt(
        at=at,
        status=result.status,
        exit=result.exit_code,
        reason=result.reason,
        way_out=result.way_out,
        needs="a retry" if result.failed else "nothing",
        tip=result.tip,
        tries=result.tries,
        failed=result.failed,
        findings=_beside_the_record(result),
    )


def _beside_the_record(result: NightResult) -> tuple[str, ...]:
    """Return what a run found that no task's record tells: a task that is done again is told as it then went."""
    tasks = result.record.tasks.values() if result.record else ()
    told = {finding for task in tasks for finding in task.findings}
    return tuple(finding for finding in result.findings if finding not in told)


def _failed_attempt(error: Exception, at: datetime) -> Attempt:
    if isinstance(error, DreamError):
        return Attempt(
            at=at,
            status="not-landed",
            exit=error.exit_code,
            reason=str(error),
            way_out=error.way_out,
            needs=need_after(error).wanted,
        )
    return Attempt(
        at=at,
        status="not-landed",
        exit=3,
        reason=f"a defect: {type(error).__name__}: {error}",
        way_out="report it with the crash report",
        needs="a person",
    )
