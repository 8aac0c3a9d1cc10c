from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from markdown_it import MarkdownIt

from dream.memory.records import Change, Effect, LeftOut, LossRecord
from dream.memory.state import PendingInput
from dream.report.night import MOST_DIFF_LINES, MOST_RUNS, render_report
from dream.report.story import NightCommit, Story
from tests.report.records import NIGHT, attempt, record, spend, task

ORDER = ("daily_note", "tidy", "index_rewrite", "state_update")
TIDY = NightCommit(
    id="2" * 40,
    task="tidy",
    subject="tidy: 1 of 2 inputs, 1 edits (night 2026-10-22)",
    body="- merge a.md into b.md: the same statement stands twice\n  evidence: b.md:4\n  sources: thread_7c2e",
    files=("a.md", "b.md"),
    diff=("--- a/a.md", "+++ b/a.md", "@@ -1 +0,0 @@", "-- 2026-10-01: It is so. [thread_7c2e, 2026-10-01]"),
)
STATE = NightCommit(id="3" * 40, task="state_update", subject="state update", files=(".dream/state.json",))
STORY = Story(
    organisation="acme",
    night=NIGHT,
    record=record(
        {
            "state_update": task(),
            "tidy": task(
                reason="1 of 2 inputs, 1 edits",
                commit=TIDY.id,
                inputs=2,
                written=1,
                not_written={"declined": 1},
                refusals={"near-duplicate": 2, "secret": 1},
                findings=("a.md:3 links to nothing",),
            ),
            "daily_note": task("failed", reason="broken", inputs=3, pending=3),
        },
        loss=LossRecord(notes=0, statements=1, topic_notes=20, statement_count=100, by_task={"tidy": (0, 1)}),
        findings=("undone since: add of tidy in c.md", "state.json was changed by others"),
        arrived=("services/new.md",),
    ),
    commits=(TIDY, STATE),
    attempts=(attempt("landed", exit=1, needs="a retry", findings=("session file x.jsonl left out: empty",)),),
    pending=(PendingInput(task="daily_note", input="thread_1", nights=3, set_aside=True),),
    tip=STATE.id,
    order=ORDER,
)
STORY = replace(STORY, records=(STORY.record,))  # type: ignore[arg-type]

REPORT = """\
# acme: the night of 2026-10-22

- **Landed, tasks failed** at `333333333333` on `main`, 2 commits
- Inputs: 5 in = 1 written + 1 not written + 3 pending
- Loss: 0 of 3 notes, 1 of 15 statements tonight; 0 of 5 notes, 1 of 25 statements in 30 nights
- Spend: 0 tokens
- Needs a person
  - a retry: daily note failed: broken: dream run acme --night 2026-10-22
  - a person: daily note has set aside thread\\_1: see why with: dream report acme

## Tasks

| task | outcome | in | written | not written | pending | commit |
| --- | --- | ---: | ---: | --- | ---: | --- |
| daily note | failed: broken | 3 | 0 |  | 3 |  |
| tidy | changed: 1 of 2 inputs, 1 edits | 2 | 1 | 1 declined | 0 | `222222222222` |
| state update | changed | 0 | 0 |  | 0 |  |
| **all** |  | 5 | 1 | 1 declined | 3 |  |

- daily note: 3 in = 0 written + 0 not written + 3 pending
- tidy: 2 in = 1 written + 1 not written + 0 pending

## Operations that rules refused

| rule | task | operations |
| --- | --- | ---: |
| near-duplicate | tidy | 2 |
| secret | tidy | 1 |

## What changed

### tidy: `222222222222`, 2 files

tidy: 1 of 2 inputs, 1 edits (night 2026-10-22)

```text
- merge a.md into b.md: the same statement stands twice
  evidence: b.md:4
  sources: thread_7c2e
```

```diff
--- a/a.md
+++ b/a.md
@@ -1 +0,0 @@
-- 2026-10-01: It is so. [thread_7c2e, 2026-10-01]
```

### state update: `333333333333`, 1 file

state update

- `.dream/state.json`

## How to take one back

- tidy: `dream revert acme --night 2026-10-22 --task tidy`, or in a clone `git revert \
2222222222222222222222222222222222222222`

All of it: `dream revert acme --night 2026-10-22`

## Loss

| in | taken away |
| --- | --- |
| this night | 0 of 3 notes, 1 of 15 statements |
| 30 nights | 0 of 5 notes, 1 of 25 statements |
| of it tidy | 0 notes, 1 statements |

## Undone by people, and not done again

- add of tidy in c.md

## Findings

- state.json was changed by others
- a.md:3 links to nothing
- session file x.jsonl left out: empty

## Arrived from others while this night was planned

- services/new.md

## Set aside after too many failed nights

- daily note: thread\\_1 (3 nights)

## Runs

| ended at | how | exit | why | way out |
| --- | --- | ---: | --- | --- |
| 2026-10-22 04:01:00 UTC | landed | 1 |  |  |
"""


def test_a_report_tells_what_a_night_did_why_and_how_to_take_it_back() -> None:
    assert render_report(STORY) == REPORT


def test_a_report_of_the_same_night_is_the_same_text() -> None:
    assert render_report(STORY) == render_report(replace(STORY, commits=list(STORY.commits)))


def test_a_night_that_landed_nothing_says_why_and_what_helps() -> None:
    failed = attempt("not-landed", exit=3, reason="the remote | is down", way_out="run again", needs="a retry")
    assert render_report(Story(organisation="acme", night=NIGHT, attempts=(failed,))) == (
        "# acme: the night of 2026-10-22\n\n"
        "- **Nothing landed**\n"
        "- Needs a retry\n"
        "  - a retry: nothing landed: the remote \\| is down: run again\n\n"
        "## Runs\n\n"
        "| ended at | how | exit | why | way out |\n"
        "| --- | --- | ---: | --- | --- |\n"
        "| 2026-10-22 04:01:00 UTC | not-landed | 3 | the remote \\| is down | run again |\n"
    )


def test_everything_that_was_left_out_is_named_with_its_rule() -> None:
    left_out = (
        LeftOut(input="services/checkout.md", operation="remove services/checkout.md", reason="deferred-night-notes"),
        LeftOut(input="thread_7c2e", reason="failed"),
    )
    tasks = {"tidy": task(inputs=2, pending=2, refusals={"deferred-night-notes": 1}, left_out=left_out)}
    assert (
        "## Left out tonight, one by one\n\n"
        "- tidy: remove services/checkout.md of services/checkout.md: deferred-night-notes\n"
        "- tidy: thread\\_7c2e: failed\n"
    ) in render_report(replace(STORY, record=record(tasks)))


def test_a_dry_run_offers_nothing_to_take_back() -> None:
    report = render_report(replace(STORY, dry=True))
    assert "- **Dry run** at" in report
    assert "## How to take one back" not in report


def test_an_effect_that_was_taken_back_is_told() -> None:
    effect = Effect(id="1", task="tidy", kind="merge", changes=(Change(path="b.md"),), reverted=True)
    assert STORY.record is not None
    story = replace(STORY, record=STORY.record.model_copy(update={"effects": (effect,)}))
    assert "Taken back with `dream revert` by now: 1 edit of this night." in render_report(story)


def test_a_long_diff_is_cut_and_says_so() -> None:
    commit = replace(TIDY, diff=tuple(f"+{number}" for number in range(MOST_DIFF_LINES + 5)))
    report = render_report(replace(STORY, commits=(commit,)))
    assert f"+{MOST_DIFF_LINES - 1}\n```\n… and 5 more lines\n" in report
    assert f"+{MOST_DIFF_LINES}\n" not in report


def test_a_night_that_was_tried_over_and_over_lists_its_last_runs() -> None:
    runs = tuple(attempt("not-landed", reason=f"try {number}", needs="a retry") for number in range(MOST_RUNS + 3))
    report = render_report(Story(organisation="acme", night=NIGHT, attempts=runs))
    assert "try 2 " not in report
    assert report.endswith(f"| try {MOST_RUNS + 2} |  |\n\n… and 3 runs before these\n")


HOSTILE = "```\n# Ignore the report\n<script>x</script> | `a` ![i](https://evil.example/?q) \x1b[31m\u202e"


def test_nothing_that_others_wrote_breaks_the_report() -> None:
    """Sections, tables and blocks are the same whatever stands in the memory, the branch or an error."""
    hostile_task = task(
        "changed", reason=HOSTILE, commit=TIDY.id, not_written={HOSTILE: 1}, inputs=1, findings=(HOSTILE,)
    )
    story = replace(
        STORY,
        record=record({"tidy": hostile_task}, findings=(HOSTILE,), arrived=(HOSTILE,)),
        commits=(replace(TIDY, subject=HOSTILE, body=HOSTILE, diff=tuple(HOSTILE.split("\n")), files=(HOSTILE,)),),
        attempts=(attempt(HOSTILE, reason=HOSTILE, way_out=HOSTILE),),
        pending=(PendingInput(task=HOSTILE, input=HOSTILE, set_aside=True),),
        remarks=(HOSTILE,),
        branch=HOSTILE,
    )
    report = render_report(story)
    assert "\x1b" not in report
    assert "\u202e" not in report
    tokens = MarkdownIt("commonmark").enable("table").parse(report)
    children = [child.type for token in tokens for child in token.children or ()]
    assert {"html_inline", "image", "link_open"} & set(children) == set()
    assert "html_block" not in {token.type for token in tokens}
    headings = [tokens[place + 1].content for place, token in enumerate(tokens) if token.type == "heading_open"]
    assert [heading.partition(":")[0] for heading in headings] == [
        "acme",
        "Tasks",
        "What changed",
        "tidy",
        "How to take one back",
        "Loss",
        "Findings",
        "Arrived from others while this night was planned",
        "Set aside after too many failed nights",
        "Runs",
    ]


def test_the_document_of_a_night_holds_its_account_its_commits_and_its_runs() -> None:
    document = STORY.payload()
    assert document["inputs"] == "5 in = 1 written + 1 not written + 3 pending"
    assert [commit["id"] for commit in document["commits"]] == [TIDY.id, STATE.id]
    assert document["tasks"]["tidy"] == {
        "outcome": "changed",
        "reason": "1 of 2 inputs, 1 edits",
        "commit": TIDY.id,
        "inputs": 2,
        "written": 1,
        "not_written": {"declined": 1},
        "pending": 0,
        "refusals": {"near-duplicate": 2, "secret": 1},
        "left_out": [],
        "adds_up": True,
        "spend": {},
    }
    assert document["loss"] == {
        "night": {"notes": 0, "notes_budget": 3, "statements": 1, "statements_budget": 15},
        "lately": {"notes": 0, "notes_budget": 5, "statements": 1, "statements_budget": 25},
        "by_task": {"tidy": [0, 1]},
    }
    assert [run["status"] for run in document["runs"]] == ["landed"]


def test_a_failure_counts_from_the_nights_before_and_not_from_those_after() -> None:
    failed = {"tidy": task("failed", reason="broken")}
    days = [NIGHT - timedelta(days=2), NIGHT - timedelta(days=1), NIGHT, NIGHT + timedelta(days=1)]
    records = [record(failed, night=day) for day in days]
    middle = Story(organisation="acme", night=days[1], record=records[1], records=records)
    newest = Story(organisation="acme", night=days[3], record=records[3], records=records)
    assert [need.wanted for need in middle.needs] == ["a retry"]
    assert [need.wanted for need in newest.needs] == ["a person"]


def test_what_models_took_is_told_by_task_and_role_with_the_day_of_the_prices() -> None:
    asked = task(
        spend={
            **spend(questions=3, unanswered={"refused": 1}, calls=4, input=12_000, cached=8_000, output=900),
            **spend("judge", "anthropic/small", calls=1, input=10, output=5, dollars="0.00125", priced="2026-11-01"),
        }
    )
    spent = record({"distil": asked})
    report = render_report(Story(organisation="acme", night=NIGHT, record=spent, records=(spent,)))
    assert (
        "- Spend: 12,915 tokens in 5 calls, at least 0.0012 US dollars (no price is known for openai/large)\n" in report
    )
    assert report.partition("## Spend\n\n")[2] == (
        "| task | role | model | questions | no answer | calls | tokens in | of them cached | out | US dollars |\n"
        "| --- | --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n"
        "| distil | dreamer | openai/large | 3 | 1 refused | 4 | 12,000 | 8,000 | 900 | not known |\n"
        "| distil | judge | anthropic/small | 1 |  | 1 | 10 | 0 | 5 | 0.0012 |\n"
        "\n"
        "By prices of 2026-11-01.\n"
    )
