"""Whether a path that a question names leads to a thing itself, or to something that only stands below it."""

from __future__ import annotations

import re

from dream.guards.verdicts.environments import environments_in, regions_in
from dream.guards.verdicts.readings import Reading
from dream.guards.verdicts.subjects import Subjects, same_name, same_subject
from dream.guards.verdicts.words import listed, parts_of

_OF_THING = listed(
    "config configuration settings spec status state info details data metadata properties attributes values limits "
    "deployment deployments service app application manifest manifests k8s kubernetes helm chart charts deploy "
    "kustomization env src main index package pyproject v1 v2 v3"
)
_EXTENSION = re.compile(r"(?<=\w)\.[A-Za-z]{1,10}\Z")


def path_of(asked: str) -> tuple[str, ...]:
    """Return the segments of the path with which a question begins, without what follows `?` or `$`; () for none."""
    first = asked.strip().partition(" ")[0].partition("?")[0].partition("$")[0]
    if "/" not in first or any(mark in first for mark in "{}\"'=<>"):
        return ()
    return tuple(part for part in first.split("/") if part)


def part_below(asked: str, reading: Reading, subjects: Subjects) -> str:
    """Return the segment by which a path leads from the thing on to something of it, "" where it ends with the thing.

    What a service's database or worker has is none of its own. A file may stand below that only says of what sort it
    is (`values.yaml`), and so may an environment, and a key that is on the line.
    """
    segments = path_of(asked)
    places = [at for at, segment in enumerate(segments) if is_called(segment, subjects)]
    if not places:
        return ""
    keys = frozenset(key.lower() for key, _ in reading.fields)
    return next((part for part in segments[places[-1] + 1 :] if not _is_of_thing(part, keys)), "")


def is_called(segment: str, subjects: Subjects) -> bool:
    """Whether a segment of a path, or a file by its name without what it ends in, is what the subject is called."""
    forms = {segment, _EXTENSION.sub("", segment)}
    return any(
        any(same_name(name, form) for name in subjects.stated) or any(same_subject(own, form) for own in subjects.own)
        for form in forms
    )


def _is_of_thing(segment: str, keys: frozenset[str]) -> bool:
    bare = _EXTENSION.sub("", segment).lower().strip(".")
    if bare in keys:
        return True
    return all(part in _OF_THING or bool(environments_in([part])) for part in parts_of(bare)) or bare in regions_in(
        [bare]
    )
