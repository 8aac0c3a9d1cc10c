"""A ruling in the form in which a judge is asked about it."""

from __future__ import annotations

from dream.guards.statements.claims import Claim
from dream.guards.statements.quotes import Located
from dream.guards.statements.utterances import Record, Speaker, Utterance
from dream.guards.verdicts.outputs import CitedLine, is_withheld
from dream.guards.verdicts.readings import read_line
from dream.guards.verdicts.rulings import Confirmed, Correction, Falsehood, Target


def claim_of(target: Target, ruling: Confirmed | Correction | Falsehood) -> Claim:
    """Return the claim that the cited lines bear out the ruling; of a falsehood, that the thing has ended.

    Each line is the whole of one utterance of a tool, in the source `probe:NAME`, so that no other line stands by it. A
    line that does not say itself what it is about has the question before it, which does.
    """
    quotes = tuple(_quoted(cited) for cited in ruling.cited)
    match ruling:
        case Correction(new_statement=statement):
            pass
        case Confirmed():
            statement = target.entry.key
        case Falsehood(ended=(key, value)):
            statement = f"It is no longer so ({key}: {value}): {target.entry.key}"
    names = tuple(dict.fromkeys(name for cited in ruling.cited for name in cited.output.names))
    return Claim(statement=statement, quotes=quotes, record=Record(day=ruling.dated, files=names))


def _quoted(cited: CitedLine) -> Located:
    output = cited.output
    text = f"{_question(cited)}{cited.line.text}"
    utterance = Utterance(
        id=output.id,
        source=f"probe:{output.probe}",
        speaker=Speaker.TOOL,
        text=text,
        at=output.at,
        tool=output.probe,
    )
    return Located(utterance, 0, len(text))


def _question(cited: CitedLine) -> str:
    """Return the question as a line of its own, "" where the answer needs none or it may not be shown."""
    question = " ".join(cited.output.question.split())
    if read_line(cited.line, cited.output).identity != "" or is_withheld(question):
        return ""
    return f"(asked: {question})\n"
