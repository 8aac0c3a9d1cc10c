"""One note held against the real systems: the checks that are pinned to it, and what a model makes of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from dream.guards.statements.claims import Claim
from dream.guards.verdicts.outputs import Citation, Output
from dream.memory.notes import Entry, Note
from dream.memory.operations import Operation, Refusal
from dream.memory.pinned import PinnedCheck
from dream.models.port import Model, Unanswered
from dream.sources.production.port import Down, Found, Nothing, Probe, Query
from dream.sources.production.recording import Recorder
from tasks.verification.inquiries import Asked, Inquiry
from tasks.verification.limits import VerificationLimits
from tasks.verification.model_verdicts import Bench, Settled, Verdicts, verdict_question
from tasks.verification.pinned_verdicts import Failed, Held, LeftAlone, PutRight, pinned_verdicts
from tasks.verification.plans import CheckPlan, plan_question, queries_of, select_entries
from tasks.verification.recorded_outputs import shown

_MOST_REFUSED = 3
"""Of how many questions about one note that were not put a person is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probing:
    """What tonight's entries are checked with: the probes, and who plans, says and judges; no `dreamer`, no model.

    `rules_on` says why a judge does not agree with a claim, `unfit` why none may be asked, empty where one may.
    `undone` says whether a person took back what an operation would do.
    """

    recorder: Recorder
    probes: Sequence[Probe]
    limits: VerificationLimits
    undone: Callable[[Operation], bool]
    dreamer: Model | None = None
    rules_on: Callable[[Claim], Refusal | None] = lambda _: Refusal("judge-no-model")
    unfit: Callable[[], str] = lambda: "no judge is configured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A value that an entry had and the one that it has now, with what shows it; `is_judged` where a model said so."""

    entry: Entry
    old: str
    new: str
    output: Output
    citation: Citation
    is_judged: bool = False


@dataclass(kw_only=True)
class Look:
    """What the look at one note came to; entries go by the line that they begin on, `down` are probes, and why.

    `held` are the checks that hold, of the entries that have no others.
    """

    path: str
    note: Note
    operations: dict[int, Operation] = field(default_factory=dict)
    verified: set[int] = field(default_factory=set)
    held: dict[int, tuple[PinnedCheck, ...]] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)
    down: dict[str, str] = field(default_factory=dict)

    def settle(self, entry: Entry, operation: Operation | None, end: str, *, probing: Probing) -> bool:
        """Take up what follows for `entry`, and return whether it stands: what a person took back is disputed."""
        place = f"{self.path}:{entry.start + 1}"
        if operation is not None and self.note.broken:
            self.ends["frontmatter-broken"] += 1
            self.findings.append(f"{place} is not put right, because the note's frontmatter cannot be read")
            return False
        if operation is not None and probing.undone(operation):
            self.ends["disputed"] += 1
            self.findings.append(f"{place} is disputed: {operation.basis.why}, which a person took back")
            return False
        self.ends[end] += 1
        self.verified.add(entry.start)
        if operation is not None:
            self.operations[entry.start] = operation
        return True


@dataclass(kw_only=True)
class NoteCheck:
    """Looks at one note; `others` are the names of the memory's other notes, found out only where they matter."""

    path: str
    note: Note
    probing: Probing
    others: Callable[[], tuple[str, ...]]
    today: date

    def look(self, settled: Collection[int]) -> Look:
        """Return what its entries come to; a model is asked nothing about those that begin on the lines `settled`."""
        self._found = Look(path=self.path, note=self.note)
        self._inquiry = Inquiry(recorder=self.probing.recorder, limits=self.probing.limits)
        pinned = self._pinned()
        if self.probing.dreamer is not None and self.probing.probes:
            self._plan(self.probing.dreamer, {*settled, *pinned})
        return self._found

    def _pinned(self) -> set[int]:
        """Settle the entries that have checks and return them: where a person said how, no model has a say."""
        verdicts = pinned_verdicts(self.path, self.note, ask=self._inquiry.ask, today=self.today)
        for one in verdicts:
            match one:
                case Held(entry=entry, checks=checks):
                    self._found.held[entry.start] = checks
                    self._found.settle(entry, None, "held", probing=self.probing)
                case PutRight(entry=entry, revision=revision, failed=failed):
                    if self._found.settle(entry, revision, "corrected", probing=self.probing):
                        self._found.changes += [one for check in failed for one in self._changes(entry, check)]
                case LeftAlone(told=told, down=down):
                    self._found.findings += told
                    self._found.down.update(down)
                    self._found.ends["probe-down" if down else "unsettled"] += 1
        return {one.entry.start for one in verdicts}

    def _changes(self, entry: Entry, failed: Failed) -> Iterator[Change]:
        output = failed.asked.output(most=self.probing.limits.lines)
        if output is not None:
            citation = Citation(output=output.id, quote=failed.line)
            yield Change(entry=entry, old=failed.check.expected, new=failed.observed, output=output, citation=citation)

    def _plan(self, dreamer: Model, settled: Collection[int]) -> None:
        limits = self.probing.limits
        chosen = select_entries(self.path, self.note, settled, most=limits.entries, today=self.today)
        if chosen.left:
            self._found.findings.append(f"{self.path}: {chosen.left} more entries are for another night")
        if not chosen.entries:
            return
        question = plan_question(self.path, self.note, chosen.entries, self.probing.probes, most=limits.calls_per_entry)
        plan = dreamer.ask(question, CheckPlan)
        if isinstance(plan, Unanswered):
            self._found.ends[f"model-{plan.reason.value}"] += len(chosen.entries)
            return
        asked = self._asked(queries_of(plan.reply, chosen.entries), chosen.entries)
        heard = {number: chosen.entries[number] for number in sorted(asked)}
        if heard:
            self._hear(dreamer, heard, [one for found in asked.values() for one in found])

    def _asked(self, queries: Sequence[tuple[int, Query]], entries: Mapping[int, Entry]) -> dict[int, list[Asked]]:
        """Put the questions and return what was found, by the number of the entry; count why nothing was."""
        found: dict[int, list[Asked]] = {}
        ends = dict.fromkeys(entries, "not-checkable")
        refused: list[str] = []
        for number, query in queries:
            objection = self.probing.recorder.objection(query)
            if objection:
                refused.append(f"{self.path}: not asked: {shown(str(query))}: {shown(objection)}")
                ends[number] = "question-refused"
                continue
            asked = self._inquiry.ask(entries[number].start, query)
            match asked.answer:
                case Found():
                    found.setdefault(number, []).append(asked)
                case Nothing():
                    ends[number] = "nothing-found"
                case Down(reason=reason):
                    ends[number] = "probe-down"
                    self._found.down[query.probe] = reason
                case _:
                    refused.append(f"{self.path}: no answer to {shown(str(query))}: {shown(asked.answer.reason)}")
                    ends[number] = "answer-refused"
        self._found.ends.update(end for number, end in ends.items() if number not in found)
        self._found.findings += refused[:_MOST_REFUSED]
        if len(refused) > _MOST_REFUSED:
            self._found.findings.append(f"{self.path}: {len(refused) - _MOST_REFUSED} more questions have no answer")
        return found

    def _hear(self, dreamer: Model, entries: Mapping[int, Entry], asked: Sequence[Asked]) -> None:
        shown_outputs = (answer.output(most=self.probing.limits.lines) for answer in dict.fromkeys(asked))
        outputs = [output for output in shown_outputs if output is not None]
        answer = dreamer.ask(verdict_question(self.path, self.note, entries, outputs), Verdicts)
        if isinstance(answer, Unanswered):
            self._found.ends[f"model-{answer.reason.value}"] += len(entries)
            return
        bench = Bench(
            path=self.path,
            note=self.note,
            entries=entries,
            outputs=outputs,
            others=self.others,
            rules_on=self.probing.rules_on,
            unfit=self.probing.unfit,
            today=self.today,
        )
        for one in bench.rule(answer.reply.verdicts):
            if not isinstance(one, Settled):
                self._found.ends[one.reason] += 1
                self._found.findings += [one.told] if one.told else []
            elif self._found.settle(one.entry, one.operation, one.end, probing=self.probing):
                self._found.changes += [
                    Change(
                        entry=one.entry,
                        old=old,
                        new=new,
                        output=line.output,
                        citation=Citation(output=line.output.id, quote=line.quote),
                        is_judged=True,
                    )
                    for old, new in one.changes
                    for line in one.cited
                ]
