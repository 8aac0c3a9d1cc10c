"""A judge's answer on pairs of statements, of the packaged cases the truth unless told otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable

from tasks.tidying.attesting import Attestations, PairAttested, packaged_controls

_PAIR = re.compile(
    r"^pair ([0-9]+)\nfirst:\n(.*?)\nsecond:\n(.*?)(?=\n\npair |\n?\Z|\n[^ \n])", re.DOTALL | re.MULTILINE
)


def attested(text: str, follows: Callable[[str, str], bool], *, is_honest: bool = True) -> Attestations:
    """Return what is said of the pairs in the question `text`, where `follows` tells whether two statements are one."""
    known = {control.said: control.same for control in packaged_controls()} if is_honest else {}
    pairs = []
    for match in _PAIR.finditer(text):
        one, other = ("\n".join(line.strip() for line in side.split("\n")) for side in (match[2], match[3]))
        is_one = known[one, other] if (one, other) in known else follows(one, other)
        said = "supported" if is_one else "unsure"
        told = {"number": int(match[1]), "second_from_first": said, "first_from_second": said}
        pairs.append(PairAttested.model_validate(told))
    return Attestations(reasoning="", pairs=pairs)
