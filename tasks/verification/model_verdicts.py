"""What a model says of entries by recorded output, and what the rules, and then a judge, let follow from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict

from dream.guards.statements.claims import Claim
from dream.guards.verdicts.asking import claim_of
from dream.guards.verdicts.corrections import check_correction
from dream.guards.verdicts.falsehoods import check_falsehood
from dream.guards.verdicts.outputs import Citation, CitedLine, Output
from dream.guards.verdicts.rulings import Correction, Falsehood, Target
from dream.guards.verdicts.truths import check_true
from dream.memory.notes import Entry, Note
from dream.memory.operations import Basis, Operation, Refusal, Remove
from dream.models.prompt import Prompt
from prompts.loading import load_template
from tasks.entries import span_of
from tasks.verification.corrected_values import is_persons, revision
from tasks.verification.plans import numbered, title_of
from tasks.verification.recorded_outputs import evidence_of, outputs_text, shown

UNFIT = "judge-unfit"


class OutputQuote(BaseModel):
    """Words from within one line of a recorded output."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    output: str
    quote: str


class EntryVerdict(BaseModel):
    """Whether one entry holds, the lines that show it, and how it reads if it is put right."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    entry: int
    verdict: Literal["true", "false", "unsure"]
    quotes: list[OutputQuote]
    statement: str


class Verdicts(BaseModel):
    """The verdicts on the entries of a note."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    reasoning: str
    verdicts: list[EntryVerdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What follows for one entry: no `operation` where it was confirmed; `changes` are its old values and new ones."""

    entry: Entry
    operation: Operation | None = None
    changes: tuple[tuple[str, str], ...] = ()
    cited: tuple[CitedLine, ...] = ()
    end: str = "true"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsettled:
    """The entry stays and is not verified, for `reason`; `told` is what a person should see, if anything."""

    entry: Entry
    reason: str
    told: str = ""


Judged = Settled | Unsettled


def verdict_question(path: str, note: Note, entries: Mapping[int, Entry], outputs: Sequence[Output]) -> Prompt:
    """Return the question whether `entries` hold by `outputs`."""
    return load_template("verification/verdict").render(
        {"count": len(entries)},
        {"title": title_of(path, note), "entries": numbered(entries), "outputs": outputs_text(outputs)},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What rules on the verdicts of one note: its entries by number, what was recorded, the judge, and the day.

    `others` are the names of the memory's other notes. `rules_on` says why a judge does not agree, `unfit` why none may
    be asked tonight; neither is called for an entry that stays as it is.
    """

    path: str
    note: Note
    entries: Mapping[int, Entry]
    outputs: Sequence[Output]
    others: Callable[[], tuple[str, ...]]
    rules_on: Callable[[Claim], Refusal | None]
    unfit: Callable[[], str]
    today: date

    def rule(self, verdicts: Sequence[EntryVerdict]) -> Iterator[Judged]:
        """Yield what follows for each entry that was asked about; two verdicts on one entry are none."""
        for number, entry in self.entries.items():
            given = [one for one in verdicts if one.entry == number]
            if len(given) == 1:
                yield self._ruled(entry, given[0])
            else:
                yield Unsettled(entry=entry, reason="no-verdict" if not given else "several-verdicts")

    def _ruled(self, entry: Entry, verdict: EntryVerdict) -> Judged:
        target = Target(path=self.path, note=self.note, entry=entry, others=self.others())
        citations = [Citation(output=one.output, quote=one.quote) for one in verdict.quotes]
        match verdict.verdict:
            case "unsure":
                return Unsettled(entry=entry, reason="unsure")
            case "true":
                confirmed = check_true(target, citations, self.outputs)
                if isinstance(confirmed, Refusal):
                    return Unsettled(entry=entry, reason=confirmed.reason)
                return Settled(entry=entry)
            case "false":
                return self._changed(target, verdict.statement, citations)

    def _changed(self, target: Target, statement: str, citations: Sequence[Citation]) -> Judged:
        ruling = (
            check_correction(target, statement, citations, self.outputs)
            if statement.strip()
            else check_falsehood(target, citations, self.outputs)
        )
        if isinstance(ruling, Refusal):
            return Unsettled(entry=target.entry, reason=ruling.reason)
        return self.judged(target, ruling)

    def judged(self, target: Target, ruling: Correction | Falsehood) -> Judged:
        """Return what `ruling` does to its entry where a judge agrees; one that is not to be believed is not asked."""
        if self.unfit():
            return Unsettled(
                entry=target.entry, reason=UNFIT, told=self._would(target, ruling, "no judge may be asked")
            )
        refusal = self.rules_on(claim_of(target, ruling))
        if refusal is not None:
            return Unsettled(
                entry=target.entry, reason=refusal.reason, told=self._would(target, ruling, "the judge does not agree")
            )
        match ruling:
            case Correction():
                return self.corrected(target, ruling)
            case Falsehood():
                return self._removed(target, ruling)

    def corrected(self, target: Target, ruling: Correction) -> Settled:
        """Return the revision that `ruling` comes to, whatever a judge says."""
        why = "; ".join(f"{one.key} is {shown(one.new)}, not {shown(one.old)}" for one in ruling.changed)
        return Settled(
            entry=target.entry,
            operation=revision(
                span_of(self.path, self.note, target.entry),
                target.entry,
                ruling.new_raw,
                probes=_probes(ruling.cited),
                evidence=_evidence(ruling.cited),
                why=why,
                today=self.today,
            ),
            changes=tuple((one.old, one.new) for one in ruling.changed),
            cited=ruling.cited,
            end="corrected",
        )

    def _removed(self, target: Target, ruling: Falsehood) -> Settled:
        why = f"it is no longer so: {shown(': '.join(ruling.ended))}"
        if is_persons(target.entry):
            why += "; a person's entry, removed on production evidence"
        basis = Basis(
            sources=tuple(f"probe:{name}" for name in _probes(ruling.cited)),
            dated=self.today,
            evidence=_evidence(ruling.cited),
            why=why,
        )
        span = span_of(self.path, self.note, target.entry)
        return Settled(entry=target.entry, operation=Remove(span=span, basis=basis), cited=ruling.cited, end="removed")

    def _would(self, target: Target, ruling: Correction | Falsehood, why: str) -> str:
        place = f"{self.path}:{target.entry.start + 1}"
        match ruling:
            case Correction(changed=changed):
                says = "; ".join(f"{shown(one.old)} may be {shown(one.new)}" for one in changed)
            case Falsehood(ended=ended):
                says = f"it may be no longer so ({shown(': '.join(ended))})"
        return f"{place}: {says} by {', '.join(_probes(ruling.cited))}; {why}, so it stays"


def _probes(cited: Sequence[CitedLine]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.output.probe for one in cited))


def _evidence(cited: Sequence[CitedLine]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(evidence_of(one.output.id, one.output.question, one.line.text) for one in cited))
