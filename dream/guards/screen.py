"""What may be shown and written: by where text comes from first, by what it hides second."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from dream.guards.addressing import speaks_to_reader
from dream.guards.codepoints import hidden_code_points, name_code_points
from dream.guards.hidden import Hiding, encoded_payloads, hidden_markup, unsafe_links
from dream.guards.instructions import instructions_to_agents, leaks_or_hides, plain_form
from dream.guards.secrets import find_secrets
from dream.guards.wording import fresh_lines, replaced_text
from dream.memory.operations import Add, Proposal, Refusal, Revise
from dream.memory.sources import Origin, weakest
from dream.memory.tree import blob_id

_URL = re.compile(r"[a-z][a-z0-9+.-]{1,15}://[^\s<>()\[\]\"'`]{1,2000}", re.IGNORECASE)
_TAG = re.compile(r"(?<!\\)<[a-z/!?][^<>\n]{0,200}", re.IGNORECASE)
_SHOWN = 40
# Its lines are made of titles that each went through the screen, links and tags escaped.
_WORDED_BY_CODE = frozenset({"daily_note"})
_UNTRUSTED = frozenset({Origin.AGENT, Origin.EXTERNAL})
# Its gates let nothing through but what people typed, also where the transcript does not name them.
_PEOPLES_WORDS = frozenset({"learnings"})


@dataclass(frozen=True, slots=True)
class Withheld:
    """Why a text is not shown; `detail` is escaped and short, for the report."""

    reason: str
    detail: str = ""


def screen_text(
    text: str, *, origin: Origin, known: Collection[str] = (), carriage_returns: bool = False
) -> Withheld | None:
    """Return why `text` must be withheld, None where it passes.

    Invisible characters, hidden HTML, encoded payloads, exfiltrating links and orders to hide or leak are caught
    whatever the origin; instructions to agents where the origin is external or an agent. What stands verbatim in a
    `known` text passes. Reasons: `invisible-characters`, `hidden-html`, `unsafe-link`, `exfiltrating-link`,
    `encoded-payload`, `hides-or-leaks`, `agent-instruction`.
    """
    offsets = hidden_code_points(text, known=known, carriage_returns=carriage_returns)
    if offsets:
        return Withheld("invisible-characters", name_code_points(text, offsets))
    found = next(_unknown(_hidings(text, origin), known), None)
    return None if found is None else Withheld(found.reason, ascii(found.text[:_SHOWN])[1:-1])


def shown_or_withheld(line: str, origin: Origin) -> str:
    """Return `line` where it passes `screen_line`, else the marker that stands for it."""
    withheld = screen_line(line, origin)
    return line if withheld is None else withheld_marker(line.encode(errors="surrogatepass"), withheld.reason)


def screen_line(line: str, origin: Origin) -> Withheld | None:
    """Return why a line may not be shown even with its markup escaped, which then hides nothing; secrets count."""
    if hidden_code_points(line):
        return Withheld("invisible-characters")
    if find_secrets(line):
        return Withheld("secret")
    hidings = (hiding for hiding in _hidings(line, origin) if hiding.reason != "hidden-html")
    found = next(hidings, None)
    return None if found is None else Withheld(found.reason)


def withheld_marker(data: bytes, reason: str, blob: str = "") -> str:
    """Return what stands for `data` where it is not shown, so that nobody takes it for empty, missing or cut off."""
    return f"[withheld: {len(data)} bytes, {reason}, {blob or blob_id(data)}]"


def guard_screen(proposal: Proposal) -> Refusal | None:
    """Refuse new text that the screen withholds, and links and tags that stand in no input and no evidence.

    What no person said is told in the third person, unless what it replaces tells its reader what to do already.
    Reasons: those of `screen_text`, `unknown-link`, `raw-html`, `speaks-to-reader`.
    """
    operation = proposal.operation
    standing = replaced_text(operation, proposal.before)
    fresh = "\n".join(fresh_lines(operation, proposal.before))
    if not fresh:
        return None
    origin = Origin.PERSON if proposal.task in _PEOPLES_WORDS else weakest(operation.basis.sources) or Origin.AGENT
    withheld = screen_text(
        fresh,
        origin=origin,
        known=(standing,),
        carriage_returns=_has_carriage_returns(proposal),
    )
    if withheld:
        return Refusal(withheld.reason, withheld.detail)
    if proposal.task in _WORDED_BY_CODE:
        return None
    if origin in _UNTRUSTED and isinstance(operation, Add | Revise) and _turns_to_reader(fresh, standing):
        return Refusal("speaks-to-reader")
    cited = "\n".join((standing, *operation.basis.evidence))
    for reason, pattern in (("unknown-link", _URL), ("raw-html", _TAG)):
        for match in pattern.finditer(fresh):
            if match[0] not in cited:
                return Refusal(reason, ascii(match[0][:_SHOWN])[1:-1])
    return None


def _hidings(text: str, origin: Origin) -> Iterator[Hiding]:
    yield from hidden_markup(text)
    yield from unsafe_links(text)
    yield from encoded_payloads(text)
    yield from leaks_or_hides(text)
    if origin in _UNTRUSTED:
        yield from instructions_to_agents(text)


def _unknown(hidings: Iterator[Hiding], known: Collection[str]) -> Iterator[Hiding]:
    plain_known = [plain_form(text) for text in known]
    for hiding in hidings:
        if not any(hiding.text in text for text in (*known, *plain_known)):
            yield hiding


def _turns_to_reader(fresh: str, standing: str) -> bool:
    return speaks_to_reader(fresh) and not speaks_to_reader(standing)


def _has_carriage_returns(proposal: Proposal) -> bool:
    return any(b"\r\n" in (proposal.before.read(path) or b"") for path in proposal.touched)
