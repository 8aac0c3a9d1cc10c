"""Every number that decides what one organisation's night may do, each with its default, in this one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from config.fleet import Alarms, Breaker
from config.order import Checking, Ranking, Tidy, Topics
from config.quantities import AtLeastASecond, AtLeastOne, Count, Frozen, Percent, Seconds, Similarity
from config.teaching import Learnings, Lessons, Triggers


class Verification(Frozen):
    """How many notes are checked in a night, and how many of those are kept for the longest unchecked.

    Probes are asked up to `calls` times a night, `calls_per_note` for one note and `calls_per_entry` for one entry; a
    question to a model shows up to `entries` of a note and so many `lines` of what one probe answered. A note whose
    probe is down keeps its date for `down_nights`, and a probe that did not answer `failures` times in a row is asked
    no more that night.
    """

    notes: Count = 25
    reserved: Count = 5
    calls: Count = 500
    calls_per_note: Count = 40
    calls_per_entry: Count = 3
    entries: AtLeastOne = 30
    lines: AtLeastOne = 40
    down_nights: Count = 3
    failures: AtLeastOne = 3

    @model_validator(mode="after")
    def _reserve_fits(self) -> Self:
        if self.reserved > self.notes:
            message = f"reserved is {self.reserved}, more than the {self.notes} notes of a night"
            raise ValueError(message)
        return self


class Loss(Frozen):
    """What nights may take away: `percent` of what tonight's base holds, or the plain number if that is more.

    A note is new, and costs nothing where others take in all that it says, for `new_nights` from the one that first
    sees it; it is not merged away in that one, so that with 1 only what nights write themselves would ever be new.
    """

    night_notes: Count = 3
    night_statements: Count = 5
    night_percent: Percent = 15
    month_notes: Count = 3
    month_statements: Count = 15
    month_percent: Percent = 25
    month_nights: AtLeastOne = 30
    most_notes_percent: Percent = 50
    verification_percent: Percent = 50
    new_nights: AtLeastOne = 2


class Window(Frozen):
    """How far a night looks: back for sessions not yet done, and past the branch's newest commit, in days."""

    look_back_days: AtLeastOne = 14
    history_gap_days: AtLeastOne = 35


class Condensing(Frozen):
    """How much of a session is kept for reading, in characters unless a name says lines.

    Of what a person says, of an agent's message, of its last one (of a block of code in these `code_lines`), of what
    the harness says, of a command; of output the last `output_lines`, if it failed `failed_lines`, if it only shows a
    file `viewed_lines`, with up to `troubles` lines that tell of an error; changes of up to `diff_lines`, and so many
    `links` that stand nowhere else.
    """

    person: AtLeastOne = 8_000
    agent: AtLeastOne = 900
    final: AtLeastOne = 3_000
    code_lines: Count = 4
    harness: Count = 120
    command: AtLeastOne = 1_200
    output_lines: AtLeastOne = 5
    output: AtLeastOne = 600
    failed_lines: AtLeastOne = 12
    failed: AtLeastOne = 1_500
    viewed_lines: Count = 2
    troubles: Count = 3
    line: Annotated[int, Field(ge=40)] = 400
    diff_lines: Count = 10
    diff: Count = 500
    links: Count = 200


class Landing(Frozen):
    """For how long a night tries to land on a branch that keeps moving."""

    seconds: Seconds = 900


class Records(Frozen):
    """How many nights' records are kept, and after how many failed nights an input is set aside."""

    kept: AtLeastOne = 90
    failed_nights: AtLeastOne = 3


class Notes(Frozen):
    """What is too large to be read as a note, in bytes."""

    most_bytes: AtLeastOne = 256_000


class Index(Frozen):
    """How long `MEMORY.md` and the pages of the catalog get, and how far below the cut a listed note stays."""

    lines: AtLeastOne = 200
    bytes: AtLeastOne = 25_000
    slack_percent: Percent = 10
    catalog_notes: AtLeastOne = 1_000
    catalog_page_bytes: AtLeastOne = 200_000


class Duplicates(Frozen):
    """From which similarity two statements are the same, and how many nights a declined pair stays away."""

    same: Similarity = 0.85
    declined_nights: Count = 30


class Undone(Frozen):
    """From which similarity an operation is one that people took back."""

    alike: Similarity = 0.85


class DailyNote(Frozen):
    """How many lines a day's note is given; threads beyond are told together, counted."""

    lines: AtLeastOne = 40


class Summaries(Frozen):
    """How much of a conversation one question shows (in characters), and how much its summary may give.

    A conversation is shown in up to `excerpts` parts, the last ones, each of which may give so many `lasting` and
    `stale` statements. No part is longer than what a question shows of any text.
    """

    excerpt_characters: Annotated[int, Field(ge=4_000, le=60_000)] = 24_000
    excerpts: AtLeastOne = 20
    lasting: AtLeastOne = 12
    stale: AtLeastOne = 2


class Distil(Frozen):
    """How much of the memory one question shows, in notes and entries, so that a place for each statement is found.

    `notes` are shown by title, `opened` of them with up to `entries` entries each; a question places so many
    `statements`.
    """

    statements: AtLeastOne = 40
    notes: AtLeastOne = 30
    opened: Count = 8
    entries: AtLeastOne = 40


class Gates(Frozen):
    """What a new statement must be, and what tonight's judge must get right before it decides anything.

    A statement has `least_words` words and `most_characters` characters, and cites up to `most_quotes` quotes of
    `least_quote` to `most_quote` characters. `least_in_common` is the share of its words that stand in the cited lines;
    `supporting_…` are those that a tool's output must hold for an agent's words beside it to count. A judge supports
    `least_true` of the true cases, no more than `allowed_false` false ones, and is asked no more after `most_silences`.
    """

    least_words: AtLeastOne = 3
    most_characters: AtLeastOne = 400
    most_quotes: AtLeastOne = 8
    least_quote: AtLeastOne = 10
    most_quote: AtLeastOne = 2_000
    least_in_common: Similarity = 0.3
    supporting_names: Similarity = 0.5
    supporting_words: Similarity = 0.5
    supporting_words_beside_names: Similarity = 0.25
    least_true: Similarity = 0.8
    allowed_false: Count = 0
    most_silences: AtLeastOne = 3


class Spend(Frozen):
    """What one organisation's night may spend on models: tokens in and out, US dollars, calls, minutes of waiting."""

    tokens: Count = 2_000_000
    dollars: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 5
    calls: Count = 500
    minutes: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 60


class Calls(Frozen):
    """What one request to a model may take, and how often and for how long one question is put."""

    seconds: AtLeastASecond = 600
    connect_seconds: AtLeastASecond = 10
    output_tokens: AtLeastOne = 16_000
    reply_bytes: AtLeastOne = 1_000_000
    reply_depth: AtLeastOne = 32
    tries: AtLeastOne = 5
    deadline_seconds: Seconds = 1_200
    longest_wait_seconds: Seconds = 300
    first_wait_seconds: Seconds = 2


class Answers(Frozen):
    """For how many days the answers of models are kept, so that no night pays for one twice."""

    kept_days: AtLeastOne = 35


class History(Frozen):
    """How long past sessions are kept, how they are found, and how long their lines and a search's answers get.

    A session is kept for `days` after its end, and longer while an entry cites it; it is found by the first
    `least_name` characters of its name. In characters: a `description`, a whole `line`, a `hit` of a search, which
    gives up to `hits` and takes at most `seconds`.
    """

    days: AtLeastOne = 400
    least_name: AtLeastOne = 6
    description: AtLeastOne = 120
    line: Annotated[int, Field(ge=80)] = 300
    hit: Annotated[int, Field(ge=40)] = 200
    hits: AtLeastOne = 200
    seconds: AtLeastOne = 60


class Limits(Frozen):
    """All limits of a night."""

    verification: Verification = Verification()
    loss: Loss = Loss()
    window: Window = Window()
    condensing: Condensing = Condensing()
    landing: Landing = Landing()
    records: Records = Records()
    notes: Notes = Notes()
    index: Index = Index()
    duplicates: Duplicates = Duplicates()
    tidy: Tidy = Tidy()
    topics: Topics = Topics()
    ranking: Ranking = Ranking()
    checking: Checking = Checking()
    undone: Undone = Undone()
    daily_note: DailyNote = DailyNote()
    summaries: Summaries = Summaries()
    distil: Distil = Distil()
    learnings: Learnings = Learnings()
    lessons: Lessons = Lessons()
    triggers: Triggers = Triggers()
    gates: Gates = Gates()
    spend: Spend = Spend()
    calls: Calls = Calls()
    answers: Answers = Answers()
    history: History = History()
    breaker: Breaker = Breaker()
    alarms: Alarms = Alarms()


def overridden(limits: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return `limits` with the keys of `overrides` in their place, group by group; neither is validated here."""
    merged = dict(limits)
    for key, value in overrides.items():
        known = merged.get(key)
        merged[key] = overridden(known, value) if isinstance(known, Mapping) and isinstance(value, Mapping) else value
    return merged
