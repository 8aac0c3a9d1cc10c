"""What a question fixes, picks and says itself: nothing of that is what a system answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dream.guards.verdicts.environments import environments_in
from dream.guards.verdicts.outputs import Citation, CitedLine, Output, locate
from dream.guards.verdicts.paths import part_below, path_of
from dream.guards.verdicts.quantities import quantity_of
from dream.guards.verdicts.readings import Reading, is_generic, is_naming, is_not_now
from dream.guards.verdicts.subjects import Subjects, same_name, same_subject
from dream.guards.verdicts.words import concept, listed, parts_of
from dream.memory.operations import Refusal

_EQUAL = re.compile(
    r"(?<![\w.])(?P<key>[A-Za-z_][\w.]*)[\"']?\s*(?:==?|:)\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<plain>[\w.-]+))"
)
_QUERY = re.compile(r"[?&]([\w.-]+)=([^&\s]*)")
_PICKS = re.compile(
    r"<|>|!=|=~|!~|~|\[-?[0-9]+\]|\[[^\]\[\"'@]{0,40}:-?[0-9]*\]|\boffset\b|\blimit\s{1,20}1\b", re.IGNORECASE
)
_LIMIT = re.compile(r"\blimit\s+([0-9]{1,9})\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_LANGUAGE = listed("select from where and limit get instant alerts targets rules true")
_CONTAINERS = frozenset(
    {"namespace", "ns", "schema", "project", "org", "organisation", "organization", "account", "job"}
)
_ENDS = re.compile(r"\.(?:ya?ml|json|toml|ini|conf|cfg|env|properties|tf|hcl|py|ts|js|go|rb|java|kt|md|sql|sh)\Z")


def echoes(value: str, unit: str, asked: str) -> bool:
    """Whether a value stands in the question itself, as such or as the same amount."""
    amount = quantity_of(value, unit)
    for token in _WORD.findall(asked):
        if token.lower() == value.lower():
            return True
        other = quantity_of(token)
        if amount is not None and other is not None and other.value in {amount.value, _bare(value)}:
            return True
    return value.lower() in asked.lower() and len(value) > 3  # noqa: PLR2004  # within a longer word


def is_cut(output: Output) -> bool:
    """Whether the system had more to say than the answer holds, and so perhaps something else."""
    limits = [int(match[1]) for match in _LIMIT.finditer(output.asked)]
    return output.cut or any(limit <= len(output.lines) for limit in limits)


def locate_all(citations: Iterable[Citation], outputs: Sequence[Output]) -> tuple[CitedLine, ...] | Refusal:
    """Return the line of each citation, all of whole answers; reasons: those of `locate`, `cut-off`, `no-citation`."""
    found: list[CitedLine] = []
    for citation in citations:
        one = locate(citation, outputs)
        if isinstance(one, Refusal):
            return one
        if is_cut(one.output):
            return Refusal("cut-off", one.output.id)
        found.append(one)
    return tuple(found) if found else Refusal("no-citation")


def objection_to_question(output: Output, reading: Reading, subjects: Subjects) -> str:
    """Return the word by which the question picks among what there is, "" where it asks for all of one thing.

    It may name the thing, what holds it, and what the line or the entry says as well. Then a thing that has several
    lines shows them all, and if they differ that is a conflict.
    """
    asked = output.asked
    pick = _PICKS.search(asked)
    if pick:
        return asked[pick.start() : pick.end()]
    below = part_below(asked, reading, subjects)
    if below:
        return below
    for key, value in _fixed(asked):
        if not (_is_subject(value, subjects) or key.lower() in _CONTAINERS or _is_neutral_page(key)):
            return value
    known = _said(reading, subjects)
    words = (match[0] for match in _WORD.finditer(asked))
    return next((word for word in words if not _is_known(word, known, subjects)), "")


def is_fixed_as_identity(name: str, output: Output) -> bool:
    """Whether the question fixes `name` as that of the thing, and not as what another thing has or needs.

    It stands behind the sign of equality of a key that names things, or else as a segment of a path or as all that is
    asked: where neither can be seen, nothing is taken to be fixed.
    """
    if not any(one.lower() == name.lower() or _ENDS.sub("", one.lower()) == name.lower() for one in output.names):
        return False
    keys = [key for key, value in _fixed(output.asked) if value.lower() == name.lower()]
    if keys:
        return all(is_naming(key) for key in keys)
    segments = {form for part in path_of(output.asked) for form in (part.lower(), _ENDS.sub("", part.lower()))}
    return name.lower() in segments or name.lower() in {output.asked.strip().lower(), "/".join(path_of(output.asked))}


def _fixed(asked: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = [
        (match["key"], next(part for part in (match["double"], match["single"], match["plain"]) if part is not None))
        for match in _EQUAL.finditer(asked)
    ]
    return pairs + [(match[1], match[2]) for match in _QUERY.finditer(asked)]


def _is_neutral_page(key: str) -> bool:
    return key.lower() in {"per_page", "page_size", "pretty", "format"}


def _is_subject(value: str, subjects: Subjects) -> bool:
    return (
        any(same_name(name, value) for name in subjects.stated)
        or any(same_subject(name, value) for name in subjects.own)
        or _is_environment(value, subjects)
        or value.lower() in subjects.regions
    )


def _is_environment(value: str, subjects: Subjects) -> bool:
    said = environments_in([value])
    return bool(said) and len(parts_of(value)) == 1 and said <= subjects.environments | {"production"}


def _said(reading: Reading, subjects: Subjects) -> frozenset[str]:
    """Return what the line says itself, and what leads to it; of a name, no part."""
    keys = tuple(key for key, _ in reading.fields)
    whole = {reading.metric, *keys, *reading.mentions, *subjects.names}
    parts = (part for key in (*keys, reading.metric, *reading.before) for part in parts_of(key))
    return frozenset(word.lower() for word in whole) | frozenset(parts)


def _is_known(word: str, known: frozenset[str], subjects: Subjects) -> bool:
    lower = word.lower().strip(".")
    bare = _ENDS.sub("", lower)
    if not lower or {lower, bare} & known or lower in _LANGUAGE or is_generic(lower):
        return True
    if is_not_now(lower):
        return False
    if any(same_name(name, bare) or same_subject(name, bare) for name in (*subjects.stated, *subjects.own)):
        return True
    said = subjects.words - frozenset(concept(part) for name in subjects.names for part in parts_of(name))
    return all(part in known or is_generic(part) or concept(part) in said or part.isdigit() for part in parts_of(bare))


def _bare(value: str) -> object:
    amount = quantity_of(re.sub(r"[A-Za-z%µ ]+\Z", "", value))
    return amount.value if amount else None
