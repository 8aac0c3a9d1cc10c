"""A ruling in the form in which a judge is asked about it."""

from __future__ import annotations

from dream.guards.statements.claims import Claim
from dream.guards.statements.quotes import Located
from dream.guards.statements.utterances import Record, Speaker, Utterance
from dream.guards.verdicts.rulings import Confirmed, Correction, Falsehood, Target


def claim_of(target: Target, ruling: Confirmed | Correction | Falsehood) -> Claim:
    """Return the claim that the cited lines bear out the ruling; of a falsehood, that the thing has ended.

    Each line is the whole of one utterance of a tool, in the source `probe:NAME`, so that no other line stands by it.
    """
    quotes = tuple(
        Located(
            Utterance(
                id=cited.output.id,
                source=f"probe:{cited.output.probe}",
                speaker=Speaker.TOOL,
                text=cited.line.text,
                at=cited.output.at,
                tool=cited.output.probe,
            ),
            0,
            len(cited.line.text),
        )
        for cited in ruling.cited
    )
    match ruling:
        case Correction(new_statement=statement):
            pass
        case Confirmed():
            statement = target.entry.key
        case Falsehood(ended=(key, value)):
            statement = f"It is no longer so ({key}: {value}): {target.entry.key}"
    names = tuple(dict.fromkeys(name for cited in ruling.cited for name in cited.output.names))
    return Claim(statement=statement, quotes=quotes, record=Record(day=ruling.dated, files=names))
