"""Pull requests from recorded JSON: one record a file, a list of records, or a folder of such files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import structlog

from dream.sources.files import UnreadableError, find_files, open_file, reason_of
from dream.sources.pull_requests.actors import with_machines
from dream.sources.pull_requests.agents import AgentMarks, agent_of
from dream.sources.pull_requests.records import read_record
from dream.sources.pull_requests.values import PullRequest, PullRequestReading, PullRequestSource, SkippedRecord
from dream.sources.strict_json import BadJSONError, parse_json

log = structlog.get_logger()

FILE_BYTES = 64_000_000
_OTHER = "another record of the same pull request knows more"


def read_pull_requests(
    sources: Sequence[PullRequestSource],
    *,
    agents: Sequence[AgentMarks] | None = None,
    machines: Collection[str] = (),
) -> PullRequestReading:
    """Return the recorded pull requests, sorted by repository and number, and why any record was skipped.

    Where `agents` are given, only those that bear a mark of one are read; a record that names its agent itself bears
    one. Of several records of one pull request the one that knows most of its end counts. The accounts called
    `machines` are bots in all of them. No record raises.
    """
    latest: dict[str, list[tuple[str, PullRequest]]] = {}
    skipped: list[SkippedRecord] = []
    unmarked: Counter[str] = Counter()
    records = 0
    for place, record in _records(sources):
        records += 1
        read = record if isinstance(record, SkippedRecord) else read_record(place, record)
        if isinstance(read, SkippedRecord):
            skipped.append(read)
            continue
        if agents is not None and not (read.agent or agent_of(read, agents)):
            unmarked[read.repository] += 1
            continue
        better, *rest = sorted(
            [(place, read), *latest.get(read.source, [])], key=lambda held: _weight(held[1]), reverse=True
        )
        latest[read.source] = [better]
        skipped.extend(SkippedRecord(place=other, reason=_OTHER) for other, _ in rest)
    pull_requests = sorted(
        (with_machines(read, machines) for held in latest.values() for _, read in held),
        key=lambda read: (read.repository, read.number),
    )
    log.info("pull_requests.read", records=records, pull_requests=len(pull_requests), skipped=len(skipped))
    return PullRequestReading(
        pull_requests=tuple(pull_requests),
        skipped=tuple(skipped),
        records=records,
        unmarked=unmarked.total(),
        findings=tuple(unmarked_finding(repository, count) for repository, count in sorted(unmarked.items())),
    )


def unmarked_finding(repository: str, count: int) -> str:
    """Return the words for `count` pull requests of a repository that no rule knows for an agent's."""
    several = "1 pull request bears" if count == 1 else f"{count} pull requests bear"
    read = "was not read" if count == 1 else "were not read"
    return f"{repository}: {several} no mark of an agent and {read}"


def _records(sources: Sequence[PullRequestSource]) -> Iterator[tuple[str, Any]]:
    paths = {found.path: found for source in sources for found in find_files(source.path, suffixes=(".json",))}
    for path, found in paths.items():
        if found.refused:
            yield path, SkippedRecord(place=path, reason=found.refused)
            continue
        try:
            with open_file(path, limit=FILE_BYTES) as handle:
                held = parse_json(handle.read())
        except (UnreadableError, BadJSONError) as error:
            yield path, SkippedRecord(place=path, reason=str(error))
        except OSError as error:
            yield path, SkippedRecord(place=path, reason=reason_of(error))
        else:
            if isinstance(held, list):
                yield from ((f"{path}[{position}]", record) for position, record in enumerate(held))
            else:
                yield path, held


def _weight(pull_request: PullRequest) -> tuple[bool, int, str]:
    parts = (
        pull_request.commits,
        pull_request.reviews,
        pull_request.comments,
        pull_request.timeline,
        pull_request.threads,
        pull_request.edits,
    )
    return pull_request.state != "open", sum(len(part or ()) for part in parts), pull_request.digest
