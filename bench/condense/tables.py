"""The tables of `python -m bench.condense`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bench.condense.corpus import Collection
from bench.condense.measuring import Answers, Measured, Speeds
from bench.condense.questions import Kind
from bench.tables import render_table

CHARACTERS_A_TOKEN = 4
RAW_TARGET = 15
FULL_TARGET = 5
_LARGE = 50_000
_LONG_SESSION = 20_000
_SHOWN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """Everything that was measured of one format."""

    collection: Collection
    units: Sequence[Measured]
    speeds: Speeds

    @property
    def name(self) -> str:
        """The tool, as tables name it."""
        return f"{self.collection.tool} ({self.collection.kind})"


def printed(tools: Sequence[Tool]) -> str:
    """Return all tables, each under what it says."""
    measured = [tool for tool in tools if tool.units]
    blocks = [
        "Bytes, each file once; a token is four characters.",
        render_table(_SIZE_HEADS, [*(_sizes(one.name, one.units) for one in measured), *_totals(measured)]),
        f"Ratios by file, those of {_LARGE // 1000} kB and more.",
        render_table(_RATIO_HEADS, [row for one in measured for row in _ratios(one)]),
        "Processor time, the best of five, in the same minutes; the share is of the speed of parsing alone.",
        render_table(_SPEED_HEADS, [_speed(one) for one in measured]),
        "Questions that all of a session answers, and how many of them the condensed text answers.",
        render_table(
            _ANSWER_HEADS, [*(_answers(one.name, one.units) for one in measured), _answers("all", _all(tools))]
        ),
        "The same by what is asked for.",
        render_table(_KIND_HEADS, list(_kinds(_all(tools)))),
        "What was not read, and what was read too small to be smaller.",
        render_table(
            ("tool", "files", "not read", "files in which the ratio is not reached"), [_rest(one) for one in tools]
        ),
    ]
    return "\n\n".join(blocks)


def lost_lines(tools: Sequence[Tool], *, most: int) -> Iterator[str]:
    """Yield up to `most` lost questions of each kind, in one line each."""
    seen: Counter[Kind] = Counter()
    for tool in tools:
        for unit in tool.units:
            for source, question in unit.answers.lost:
                seen[question.kind] += 1
                if seen[question.kind] <= most:
                    expected = " ".join(question.expected.split())
                    yield f"{question.kind}: {source} {question.message}: {question.search!r}: {expected[:_SHOWN]!r}"


_SIZE_HEADS = (
    "tool",
    "files",
    "sessions",
    "raw",
    "rendered",
    "condensed",
    "raw : condensed",
    "rendered : condensed",
    "tokens raw",
    "tokens rendered",
    "tokens condensed",
)
_RATIO_HEADS = ("tool", "against", "target", "files", "median", "worst", "reached by")
_SPEED_HEADS = (
    "tool", "MB", "parsing MB/s", "reading MB/s", "condensing MB/s", "both MB/s", "both, share", "condensing, share"
)  # fmt: skip
_ANSWER_HEADS = (
    "tool",
    "not answered by all of it",
    "questions",
    "answered %",
    "median %",
    "worst %",
    "a plain cut of that length %",
)
_KIND_HEADS = ("asked for", "questions", "answered", "%", "a plain cut %")


def _all(tools: Sequence[Tool]) -> list[Measured]:
    return [unit for tool in tools for unit in tool.units]


def _sizes(name: str, units: Sequence[Measured], *, of: int = 1) -> Sequence[object]:
    """Return what `units` come to, divided by `of`."""
    raw, full, short = (sum(getattr(unit, which) for unit in units) for which in ("raw", "full", "condensed"))
    characters = (
        raw,
        sum(unit.full_characters for unit in units),
        sum(unit.condensed_characters for unit in units),
    )
    return (
        name,
        len(units),
        sum(unit.sessions for unit in units),
        raw // of,
        full // of,
        short // of,
        raw / short,
        full / short,
        *(count // CHARACTERS_A_TOKEN // of for count in characters),
    )


def _totals(tools: Sequence[Tool]) -> Iterator[Sequence[object]]:
    """Yield the sums, and what one long session comes to on average."""
    json = [unit for tool in tools if tool.collection.is_json for unit in tool.units]
    for name, units in (("JSON", json), ("", _all(tools))):
        if units:
            yield _sizes(f"all {name}".strip(), units)
    for name, units in (("JSON", json), ("", _all(tools))):
        long = [unit for unit in units if _is_long(unit)]
        if long:
            what = " ".join(f"one {name} session of {_LONG_SESSION} tokens and more, on average".split())
            yield _sizes(what, long, of=len(long))


def _is_long(unit: Measured) -> bool:
    return unit.sessions == 1 and unit.full_characters >= _LONG_SESSION * CHARACTERS_A_TOKEN


def _ratios(tool: Tool) -> Iterator[Sequence[object]]:
    large = [unit for unit in tool.units if unit.raw >= _LARGE]
    if not large:
        return
    against_raw = [unit.against_raw for unit in large]
    against_full = [unit.against_full for unit in large]
    for against, target, ratios in (("raw", RAW_TARGET, against_raw), ("rendered", FULL_TARGET, against_full)):
        reached = sum(ratio >= target for ratio in ratios)
        yield tool.name, against, target, len(ratios), median(ratios), min(ratios), f"{reached} of {len(ratios)}"


def _speed(tool: Tool) -> Sequence[object]:
    taken, size = tool.speeds, tool.speeds.size / 1e6
    both = taken.reading + taken.condensing
    parsing = taken.parsing
    return (
        tool.name,
        size,
        "" if parsing is None else size / parsing,
        size / taken.reading,
        size / taken.condensing,
        size / both,
        "" if parsing is None else parsing / both,
        "" if parsing is None else parsing / taken.condensing,
    )


def _answers(name: str, units: Sequence[Measured]) -> Sequence[object]:
    answers = Answers()
    for unit in units:
        answers.take(unit.answers)
    shares = [unit.answers.share for unit in units if unit.answers.count]
    if not shares:
        return name, answers.unanswerable, 0, "", "", "", ""
    return (
        name,
        answers.unanswerable,
        answers.count,
        answers.share,
        median(shares),
        min(shares),
        answers.cut_share,
    )


def _kinds(units: Sequence[Measured]) -> Iterator[Sequence[object]]:
    answers = Answers()
    for unit in units:
        answers.take(unit.answers)
    for kind in Kind:
        asked, found = answers.asked[kind], answers.found[kind]
        if asked:
            yield kind, asked, found, 100 * found / asked, 100 * answers.cut[kind] / asked


def _rest(tool: Tool) -> Sequence[object]:
    small = [unit for unit in tool.units if unit.against_full < FULL_TARGET or unit.against_raw < RAW_TARGET]
    reasons = Counter(tool.collection.skipped.values())
    told = ", ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
    sizes = sorted(unit.raw for unit in small)
    which = f"{len(small)}, of {sizes[0]} to {sizes[-1]} bytes, median {median(sizes):.0f}" if small else ""
    return tool.name, len(tool.collection.files), told, which
