"""The report of one night as Markdown: what it did, why, what it refused, and how to take each of it back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dream.report.accounts import account_of, counted, many, night_account, spoken, total_of
from dream.report.alarms.alarm import Alarm
from dream.report.commands import revert_commands
from dream.report.escaping import code, fenced, inline
from dream.report.losses import loss_lately, loss_tonight
from dream.report.shadow import LET_LAND, turn_on
from dream.report.spend import shown_dollars
from dream.report.story import UNDONE, NightCommit, Story
from dream.report.tables import markdown_table

MOST_FINDINGS = 200
MOST_RUNS = 30
MOST_BODY_LINES = 120
MOST_DIFF_LINES = 200
"""Of each commit; the whole of it is in git."""

AFRESH = ("index_rewrite", "state_update")
"""Tasks that are made afresh at every landing: taking them back would change nothing for long."""

NO_DIFF = ("state_update",)
"""Tasks whose diffs are bookkeeping that nobody reads."""


def render_report(story: Story) -> str:
    """Return the report of a night; nothing in it that others wrote can act on a terminal or break its Markdown."""
    sections = [_title(story), _glance(story)]
    if story.record is not None:
        sections += [_tasks(story), _refusals(story), _left_out(story), _changes(story), _reverts(story), _loss(story)]
        sections.append(_spend(story))
    others = [finding for finding in story.found if not finding.startswith(UNDONE)]
    sections += [
        _listed("Undone by people, and not done again", story.undone),
        _listed("Findings", others),
        _listed("Arrived from others while this night was planned", story.record.arrived if story.record else ()),
        _listed("Set aside after too many failed nights", story.set_aside),
        _runs(story),
    ]
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def _title(story: Story) -> list[str]:
    return [f"# {inline(story.organisation)}: the night of {story.night.isoformat()}"]


def _glance(story: Story) -> list[str]:
    record = story.record
    lines = [f"- **{inline(story.ended[:1].upper() + story.ended[1:], most=1000)}**" + _where(story)]
    if story.shadow:
        lines.append(f"- {inline(LET_LAND[:1].upper() + LET_LAND[1:])}: {code(turn_on(story.organisation))}")
    if record is not None:
        lines.append(f"- Inputs: {night_account(record)}")
        lines.append(
            f"- Loss: {loss_tonight(record, story.limits)} tonight; "
            f"{loss_lately(story.records, story.night, story.limits)} in {story.limits.month_nights} nights"
        )
        lines.append(f"- Spend: {inline(str(story.spend), most=1000)}")
    paid = next((one.paid for one in reversed(story.attempts) if one.paid), "")
    if paid:
        lines.append(f"- Paid on this machine, in all runs of this night: {inline(paid)}")
    lines.append(f"- Needs {story.wanted}")
    lines += [f"  - {inline(str(need), most=1000)}" for need in story.needs]
    lines += [f"- **Degraded** since {_alarm(alarm)}" for alarm in story.alarms]
    lines += [f"- Note: {inline(remark)}" for remark in story.remarks]
    return lines


def _alarm(alarm: Alarm) -> str:
    return f"{alarm.since.isoformat()}: {inline(alarm.why, most=1000)}: {code(alarm.way_out)}"


def _where(story: Story) -> str:
    if not story.tip:
        return ""
    landings = f" in {story.record.landings} landings" if story.record and story.record.landings > 1 else ""
    return f" at `{story.tip[:12]}` on {code(story.branch)}, {many(len(story.commits), 'commit')}{landings}"


def _tasks(story: Story) -> list[str]:
    accounts = {name: account_of(task) for name, task in story.tasks.items()}
    rows = [
        (
            spoken(name),
            f"{task.outcome}: {inline(task.reason)}" if task.reason else task.outcome,
            str(accounts[name].inputs),
            str(accounts[name].written),
            inline(counted(accounts[name].not_written)),
            str(accounts[name].pending),
            f"`{task.commit[:12]}`" if task.commit else "",
        )
        for name, task in story.tasks.items()
    ]
    total = total_of(accounts.values())
    whole = ("**all**", "", str(total.inputs), str(total.written), inline(counted(total.not_written)))
    head = ("task", "outcome", "in", "written", "not written", "pending", "commit")
    table = markdown_table(head, [*rows, (*whole, str(total.pending), "")], aligned="<<>><><")
    sums = [f"- {spoken(name)}: {account}" for name, account in accounts.items() if account.inputs]
    return ["## Tasks", "", *table, *(["", *sums] if sums else [])]


def _refusals(story: Story) -> list[str]:
    rows = [
        (inline(reason), spoken(name), str(count))
        for name, task in story.tasks.items()
        for reason, count in sorted(task.refusals.items(), key=lambda item: (-item[1], item[0]))
    ]
    if not rows:
        return []
    table = markdown_table(("rule", "task", "operations"), rows, aligned="<<>")
    return ["## Operations that rules refused", "", *table]


def _left_out(story: Story) -> list[str]:
    return _listed(
        "Left out tonight, one by one",
        [f"{spoken(name)}: {one}" for name, task in story.tasks.items() for one in task.left_out],
    )


def _changes(story: Story) -> list[str]:
    if not story.commits:
        return ["## What changed", "", "Nothing."]
    lines = ["## What changed"]
    for commit in story.commits:
        lines += ["", *_change(commit)]
    return lines


def _change(commit: NightCommit) -> Iterator[str]:
    verb = "taken back: " if commit.is_revert else ""
    yield f"### {verb}{inline(spoken(commit.task))}: `{commit.id[:12]}`, {many(len(commit.files), 'file')}"
    yield ""
    yield inline(commit.subject)
    if commit.body:
        yield ""
        yield from fenced(commit.body.split("\n"), most_lines=MOST_BODY_LINES)
    if commit.diff and commit.task not in NO_DIFF:
        yield ""
        yield from fenced(commit.diff, language="diff", most_lines=MOST_DIFF_LINES)
    elif commit.files and not commit.body:
        yield ""
        yield from (f"- {code(path)}" for path in commit.files[:MOST_FINDINGS])


def _reverts(story: Story) -> list[str]:
    commits = [] if story.dry else [one for one in story.commits if not one.is_revert and one.task not in AFRESH]
    if not commits:
        return []
    lines = ["## How to take one back", ""]
    for commit in commits:
        ours, plain = revert_commands(story.organisation, story.night, commit.task, commit.id)
        lines.append(f"- {spoken(commit.task)}: {code(ours)}, or in a clone {code(plain)}")
    lines += ["", f"All of it: {code(f'dream revert {story.organisation} --night {story.night.isoformat()}')}"]
    taken = [effect for effect in (story.record.effects if story.record else ()) if effect.reverted]
    if taken:
        lines += ["", f"Taken back with `dream revert` by now: {many(len(taken), 'edit')} of this night."]
    return lines


def _loss(story: Story) -> list[str]:
    if story.record is None:
        return []
    tonight = loss_tonight(story.record, story.limits)
    lately = loss_lately(story.records, story.night, story.limits)
    rows = [("this night", str(tonight)), (f"{story.limits.month_nights} nights", str(lately))]
    rows += [
        (f"of it {spoken(name)}", f"{notes} notes, {statements} statements")
        for name, (notes, statements) in story.record.loss.by_task.items()
    ]
    return ["## Loss", "", *markdown_table(("in", "taken away"), rows)]


def _spend(story: Story) -> list[str]:
    """Return what each model took for each task, whenever its answers were paid for."""
    rows = [
        (
            spoken(name),
            inline(role),
            inline(one.model),
            str(one.questions),
            inline(counted(one.unanswered)),
            str(one.calls),
            f"{one.input:,}",
            f"{one.cached:,}",
            f"{one.output:,}",
            shown_dollars(one),
        )
        for name, task in story.tasks.items()
        for role, one in sorted(task.spend.items())
    ]
    if not rows:
        return []
    head = (
        "task",
        "role",
        "model",
        "questions",
        "no answer",
        "calls",
        "tokens in",
        "of them cached",
        "out",
        "US dollars",
    )
    days = sorted(
        {one.priced.isoformat() for task in story.tasks.values() for one in task.spend.values() if one.priced}
    )
    priced = ["", f"By prices of {', '.join(days)}."] if days else []
    return ["## Spend", "", *markdown_table(head, rows, aligned="<<<><>>>>>"), *priced]


def _listed(title: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    left = len(lines) - MOST_FINDINGS
    more = [f"- … and {left} more"] if left > 0 else []
    return [f"## {title}", "", *(f"- {inline(line, most=1000)}" for line in lines[:MOST_FINDINGS]), *more]


def _runs(story: Story) -> list[str]:
    if not story.attempts:
        return []
    rows = [
        (f"{one.at:%Y-%m-%d %H:%M:%S} UTC", inline(one.status), str(one.exit), inline(one.reason), inline(one.way_out))
        for one in story.attempts[-MOST_RUNS:]
    ]
    earlier = len(story.attempts) - MOST_RUNS
    more = ["", f"… and {many(earlier, 'run')} before these"] if earlier > 0 else []
    return ["## Runs", "", *markdown_table(("ended at", "how", "exit", "why", "way out"), rows, aligned="<<>"), *more]
