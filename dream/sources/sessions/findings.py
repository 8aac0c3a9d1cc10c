"""What a reader of the report is told of the files that gave nothing or not all: few lines, however many files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dream.sources.sessions.values import Reading, Remark, SkippedFile

_NAMED = 3


def findings_of(reading: Reading) -> tuple[str, ...]:
    """Return a line for each reason why files gave nothing, and for each thing that was left out of files.

    Files that somebody may have to look into are named, up to three for each reason; of the others there is a number.
    """
    return (*_of_skipped(reading.skipped), *_of_remarks(reading.remarks))


def _of_skipped(skipped: Iterable[SkippedFile]) -> Iterator[str]:
    by_reason: dict[tuple[bool, str], list[str]] = {}
    for one in skipped:
        by_reason.setdefault((one.expected, one.reason), []).append(one.path)
    for (expected, reason), paths in sorted(by_reason.items()):
        if expected:
            yield f"{_files(len(paths))} left out: {reason}"
        elif len(paths) == 1:
            yield f"session file {paths[0]} left out: {reason}"
        else:
            yield f"{_files(len(paths))} left out: {reason} ({_named(paths)})"


def _of_remarks(remarks: Iterable[Remark]) -> Iterator[str]:
    by_what: dict[str, list[Remark]] = {}
    for one in remarks:
        by_what.setdefault(one.what, []).append(one)
    for what, told in sorted(by_what.items()):
        count = sum(one.count for one in told)
        if len(told) == 1:
            yield f"session file {told[0].path}: {what} ({count})"
        else:
            yield f"{_files(len(told))}: {what} ({count}; {_named([one.path for one in told])})"


def _files(count: int) -> str:
    return f"{count} session {'file' if count == 1 else 'files'}"


def _named(paths: Sequence[str]) -> str:
    more = len(paths) - _NAMED
    return ", ".join([*sorted(paths)[:_NAMED], *([f"{more} more"] if more > 0 else [])])
