"""What probes answered tonight, as a model is shown it and as a commit and a report tell of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dream.guards.masking import mask_secrets
from dream.guards.screen import shown_or_withheld
from dream.guards.verdicts.outputs import Output, OutputLine, is_withheld
from dream.memory.sources import Origin
from dream.sources.production.port import Found, Query

LONGEST_SHOWN = 120
"""Characters of a value or a question in a finding."""

LONGEST_EVIDENCE = 600
"""Characters of a question, and of a line of its answer, in a commit."""

LONGEST_QUESTION = 2_000
"""Characters of a question as a model is shown it again."""


def shown(text: str, *, most: int = LONGEST_SHOWN) -> str:
    """Return `text` of others on one line: credentials masked, what cannot be seen escaped, at most `most` long."""
    line = "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in mask_secrets(text[: 4 * most])
    )
    return line if len(line) <= most else f"{line[: most - 1]}…"


def evidence_of(identity: str, question: str, line: str) -> str:
    """Return what a commit holds of an answer: ``o3 metrics instant `up` -> up{job="api"}: value=1``."""
    return f"{identity} {shown(question, most=LONGEST_EVIDENCE)} -> {shown(line, most=LONGEST_EVIDENCE)}"


def output_of(identity: str, query: Query, answer: Found, *, at: datetime, most: int) -> Output:
    """Return the first `most` lines of an answer as evidence; that one may not be cited is for the rules to say."""
    lines = tuple(OutputLine(text=line.text, fields=line.fields) for line in answer.lines[:most])
    return Output(
        id=identity,
        probe=query.probe,
        question=str(query),
        asked=query.text,
        at=at,
        lines=lines,
        names=answer.names,
        cut=answer.cut or len(answer.lines) > most,
    )


def outputs_text(outputs: Sequence[Output]) -> str:
    """Return `outputs` as a model is shown them: each under its id and its question, a line for each of its lines."""
    return "\n".join(line for output in outputs for line in _shown_output(output))


def _shown_output(output: Output) -> list[str]:
    question = shown_or_withheld(shown(output.question, most=LONGEST_QUESTION), Origin.EXTERNAL)
    lines = [f"  {_shown_line(line.text)}" for line in output.lines]
    return [f"{output.id} {question}", *lines, *(["  (there is more that is not shown)"] if output.cut else [])]


def _shown_line(text: str) -> str:
    return "(withheld, may not be cited)" if is_withheld(text) else text
