"""Judges that say of pairs of statements what a test has them say, and of the packaged cases what is true."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dream.models.port import Reason, Replied, Reply, Unanswered
from dream.models.prompt import Prompt, Untrusted
from tasks.tidying.attesting import Attester, packaged_controls

_PAIR = re.compile(r"^pair ([0-9]+)\nfirst:\n(.*?)\nsecond:\n(.*?)(?=\n\npair |\Z)", re.DOTALL | re.MULTILINE)
_KNOWN = {control.said: control.same for control in packaged_controls()}

Says = Callable[[str, str], str]


def yes(_one: str, _other: str) -> str:
    """Support everything."""
    return "supported"


@dataclass(kw_only=True)
class EquivalenceJudge:
    """Says `says(first, second)` both ways; of the packaged cases what is true where it `is_honest`."""

    says: Says = yes
    is_honest: bool = True
    fails: Sequence[Reason] = ()
    asked: list[Prompt] = field(default_factory=list)
    name: str = "scripted/judge"

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        """Return what it says of the pairs of a question."""
        self.asked.append(prompt)
        if len(self.asked) <= len(self.fails):
            return Unanswered(reason=self.fails[len(self.asked) - 1])
        text = next(part.text for part in prompt.parts if isinstance(part, Untrusted))
        told = [self._said(int(number), _plain(one), _plain(other)) for number, one, other in _PAIR.findall(text)]
        return Replied(reply=reply.model_validate_json(json.dumps({"reasoning": "", "pairs": told})))

    def _said(self, number: int, one: str, other: str) -> dict[str, object]:
        known = _KNOWN.get((one, other)) if self.is_honest else None
        if known is not None:
            first = second = "supported" if known else "unsure"
        else:
            first, second = self.says(one, other), self.says(other, one)
        return {"number": number, "second_from_first": first, "first_from_second": second}


def attester(judge: EquivalenceJudge, *, together: int = 8, examined: dict[str, str] | None = None) -> Attester:
    """Who attests with this judge."""
    found = {} if examined is None else examined
    return Attester(model=judge, controls=packaged_controls(), together=together, salt="tonight", examined=found)


def _plain(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n"))
