"""Ways to say the facts of the treadmill in really new words: slots between bars, each choice another wording.

Written as people write, and not taken from the tables of what code takes for the same; `{r}` is the service, `{v}` the
value. None of them says more or less than the fact.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bench.tidy.unseen import UNSEEN

_SLOT = re.compile(r"\(([^()]*)\)")

WORDINGS: Mapping[str, Sequence[str]] = {
    "port": (
        "(Dial|Knock at|Aim at|Ring) {v} (to talk to|to speak with|to get hold of) {r}",
        "{r} (sits|hides|lives) behind {v}",
        "(Traffic|Everything) (meant|destined) for {r} (arrives|lands|turns up) at {v}",
        "The (door|gate|entrance) of {r} (is|bears) (the number |){v}",
        "{r} (takes|greets|welcomes) its (callers|visitors|guests) at {v}",
        "(Whoever|Anybody who) (wants|needs|seeks) {r} (goes to|heads for|asks at) {v}",
        "{v} is (how|where) you (find|meet|catch) {r}",
        "The socket that {r} (holds open|has|offers) (bears|carries) the number {v}",
        "(Curl|Telnet to|Browse) {r} at {v}",
        "{r} (speaks|talks) to the (world|others) (at|through) {v}",
    ),
    "pool": (
        "{r} (juggles|gets along with|works with|makes do with) {v} connections",
        "{v} connections (are what|is all) {r} (has to hand|hands out|shares out)",
        "The (stock|basket|supply) of {r} (comes to|counts|numbers) {v} connections",
        "{r} (lends|hands) out (from a stock of |among its |)(its |){v} connections",
        "(Picture|Imagine|Reckon with) {v} connections (inside|within|at) {r}",
        "{r} (shares|spreads) its (work|load) over {v} connections",
        "{v} connections (sit|rest|lie) (ready|prepared) in {r}",
        "What {r} (draws|takes) connections out of (counts|comes to) {v}",
    ),
    "timeout": (
        "{r} (cuts|shakes|throws) a (stalled|silent|hung) (caller|peer|visitor) (off|loose) after {v} s",
        "(Patience|Tolerance|Endurance) of {r} (is spent|is exhausted|expires) after {v} seconds",
        "A (hung|stalled|stuck) call to {r} (dies|lapses|is abandoned) after {v} s",
        "{v} seconds is how long {r} (hangs on|sits there|bears with you)",
        "{r} (tolerates|puts up with|bears|endures) {v} s of silence",
        "{r} (loses|drops) (heart|interest|patience) after {v} s",
        "(Silence|Stillness) towards {r} is (borne|tolerated|suffered) for {v} seconds",
        "{r} (walks away|turns its back|hangs the phone) after {v} s",
    ),
    "retention": (
        "What {r} (jots|notes|writes) down (lingers|survives|can be read) for {v} days",
        "The (diary|journal|trail) of {r} (reaches|goes|stretches) {v} days back",
        "{v} days of (history|past|diary) is what {r} (offers|remembers|gives you)",
        "{r} (remembers|recalls) {v} days",
        "(Lines|Entries) of {r} (age|live|survive) {v} days",
        "(Traces|Tracks|Footprints) of {r} (vanish|disappear|evaporate) after {v} days",
        "You can (look|scroll|dig) {v} days back in what {r} (said|told|reported)",
        "{r} (sweeps|tidies|wipes) (out |)its (journal|diary) after {v} days",
    ),
    "owner": (
        "{r} is the (business|baby|child|affair) of team {v}",
        "Team {v} (looks after|tends|cares for|nurses) {r}",
        "For {r}, (turn to|go to|knock at|write to) team {v}",
        "(Trouble|Problems) with {r} (goes|go) to team {v}",
        "Team {v} has {r} (on its plate|in its hands|under its wing)",
        "The (people|folks|hands) behind {r} (sit in|are) team {v}",
        "{r} (sits|rests|lies) with team {v}",
        "Team {v} (answers|stands) for {r}",
    ),
}  # fmt: skip

LEADS = ("", "", "", "Note that ", "As of today, ", "Confirmed: ")


def reworded(attribute: str, resource: str, value: str, dice: random.Random, *, unseen: bool = False) -> str:
    """Return a fact in words that the dice choose; `unseen` takes the wordings that nobody had in view."""
    known = UNSEEN if unseen else WORDINGS
    words = _SLOT.sub(lambda slot: dice.choice(slot[1].split("|")), dice.choice(known[attribute]))
    return f"{dice.choice(LEADS)}{words.format(r=resource, v=value)}."


def is_reworded(text: str, attribute: str, resource: str, value: str) -> bool:
    """Whether `text` says a fact in any of its new words."""
    return any(pattern.search(text) for pattern in _patterns(attribute, resource, value))


@lru_cache(maxsize=1_000)
def _patterns(attribute: str, resource: str, value: str) -> tuple[re.Pattern[str], ...]:
    both = (*WORDINGS[attribute], *UNSEEN[attribute])
    return tuple(re.compile(_SLOT.sub(_either, words).format(r=resource, v=value)) for words in both)


def _either(slot: re.Match[str]) -> str:
    return f"(?:{slot[1]})"
