"""The memory that holds the claims, in the shapes in which people and nights keep theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.verification.claims import Claim, Truth
from dream.memory.pinned import PinnedCheck, Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A claim, and the note that holds it."""

    claim: Claim
    path: str
    layout: str


def build_memory(claims: Sequence[Claim]) -> tuple[dict[str, str], tuple[Kept, ...]]:
    """Return the files of a memory that holds every claim once, and where each stands."""
    kept = [_kept(claim, number) for number, claim in enumerate(claims)]
    notes: dict[str, list[Kept]] = defaultdict(list)
    for one in kept:
        notes[one.path].append(one)
    files = {path: _WRITERS[held[0].layout](held) for path, held in notes.items()}
    links = "".join(f"- [{path.rpartition('/')[2].removesuffix('.md')}]({path})\n" for path in sorted(files)[:150])
    return {"MEMORY.md": f"# Memory\n\n{links}", **files}, tuple(kept)


def _kept(claim: Claim, number: int) -> Kept:
    """Tell a thing first in its own note, and the second time somewhere else."""
    if claim.telling == 0 and claim.truth is not Truth.UNCHECKABLE:
        return Kept(claim=claim, path=f"{claim.kind}s/{claim.subject}.md", layout="dated bullets")
    match number % 4:
        case 0:
            return Kept(claim=claim, path=f"runbooks/{claim.subject}.md", layout="paragraphs")
        case 1:
            return Kept(claim=claim, path=f"areas/group-{claim.subject[0]}.md", layout="plain list")
        case 2:
            name = f"{claim.subject}-{claim.attribute or 'habit'}-{number}".replace("_", "-")
            return Kept(claim=claim, path=f"reference/{name}.md", layout="frontmatter notes")
        case _:
            return Kept(claim=claim, path="facts.md", layout="updated sections")


def check_of(claim: Claim) -> str:
    """Return the check that a person pinned to a claim, as its line reads."""
    question = claim.question
    assert question is not None
    return str(
        PinnedCheck(
            probe=question.probe,
            operation=question.operation,
            text=_pinned_text(claim),
            relation=Relation.IS,
            expected=claim.told,
        )
    )


def _pinned_text(claim: Claim) -> str:
    """Return the text of a pinned question; that of a tool names the value itself, or nothing could be compared."""
    question = claim.question
    assert question is not None
    if question.probe != "deployments":
        return question.text
    return question.text.removesuffix("}") + f', "field": "{claim.attribute}"}}'


def _lines(one: Kept, indent: str) -> str:
    return f"\n{indent}{check_of(one.claim)}" if one.claim.is_pinned else ""


def _bullets(held: Sequence[Kept]) -> str:
    lines = [
        f"- 2026-0{number % 8 + 1}-14: {one.claim.statement}. [thread_{number:08x}, 2026-0{number % 8 + 1}-14]"
        + _lines(one, "  ")
        for number, one in enumerate(held)
    ]
    return f"# {held[0].claim.subject}\n\nWhat is known of `{held[0].claim.subject}`:\n\n" + "\n".join(lines) + "\n"


def _paragraphs(held: Sequence[Kept]) -> str:
    told = "\n\n".join(f"{one.claim.statement}." + _lines(one, "    ").replace("\n    ", "\n  ") for one in held)
    return f"# Runbook {held[0].claim.subject}\n\n{told}\n"


def _list(held: Sequence[Kept]) -> str:
    return (
        f"# Things under {held[0].claim.subject[0].upper()}\n\n"
        + "\n".join(f"* {one.claim.statement}" + _lines(one, "  ") for one in held)
        + "\n"
    )


def _frontmatter(held: Sequence[Kept]) -> str:
    (one,) = held
    name = one.path.rpartition("/")[2].removesuffix(".md")
    head = f"---\nname: {name}\ndescription: {one.claim.subject}\ntype: reference\n---\n\n"
    return head + f"{one.claim.statement}." + _lines(one, "  ") + "\n"


def _sections(held: Sequence[Kept]) -> str:
    told = "\n\n".join(
        f"## {one.claim.subject} {number}\n\n**Updated:** 2026-08-14\n\n{one.claim.statement}." + _lines(one, "  ")
        for number, one in enumerate(held)
    )
    return f"# Facts\n\n{told}\n"


_WRITERS: Mapping[str, Callable[[Sequence[Kept]], str]] = {
    "dated bullets": _bullets,
    "paragraphs": _paragraphs,
    "plain list": _list,
    "frontmatter notes": _frontmatter,
    "updated sections": _sections,
}
