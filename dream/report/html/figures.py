"""Which charts a report has: loss against its budget, spend, coverage and growth."""

from __future__ import annotations

from collections.abc import Iterator

from dream.memory.records import NightRecord
from dream.report.accounts import spoken
from dream.report.html.charts import Bar, Chart, bars, columns, curve
from dream.report.html.series import COVERED_NIGHTS, coverage_over, statements_over, tokens_over, topics_over
from dream.report.losses import LossAccount, loss_lately, loss_tonight
from dream.report.spend import SpendAccount, tasks_spend
from dream.report.story import Story


def charts_of(story: Story) -> list[Chart]:
    """Return the charts that there is something to show in."""
    if story.record is None:
        return []
    found = [_loss(story, story.record)]
    spent = [
        Bar(spoken(name), one.tokens, _tokens(one))
        for name, one in ((name, tasks_spend([task])) for name, task in story.tasks.items())
        if one.calls
    ]
    if spent:
        found.append(bars("spend", "Spend of each task", spent, head=("task", "tokens and US dollars")))
    tokens = tokens_over(story)
    if any(point.value for point in tokens):
        found.append(columns("spend-nights", "Spend over nights", tokens, unit="tokens"))
    coverage = coverage_over(story)
    if coverage:
        title = f"Notes looked at within {COVERED_NIGHTS} nights"
        found.append(curve("coverage", title, coverage, unit="share of topic notes", is_share=True))
    topics = topics_over(story)
    if topics:
        found.append(curve("topics", "Topic notes", topics, unit="topic notes"))
        found.append(curve("statements", "Statements", statements_over(story), unit="statements"))
    return found


def _loss(story: Story, record: NightRecord) -> Chart:
    lately = f"{story.limits.month_nights} nights"
    listed = [
        *_bars("this night", loss_tonight(record, story.limits)),
        *_bars(lately, loss_lately(story.records, story.night, story.limits)),
    ]
    return bars("loss", "Taken away, against what may be", listed, head=("in", "taken away"))


def _tokens(spent: SpendAccount) -> str:
    """Return the tokens, with dollars only where all of them are known: what stands over a bar is short."""
    return f"{spent.tokens:,} tokens" + ("" if spent.unpriced else f", {spent.shown_dollars}")


def _bars(when: str, loss: LossAccount) -> Iterator[Bar]:
    for noun, count in (("notes", loss.notes), ("statements", loss.statements)):
        most = getattr(loss.budget, noun) if loss.budget else None
        shown = f"{count} of {most}" if most is not None else f"{count}, budget not known"
        yield Bar(f"{noun}, {when}", count, shown, most)
