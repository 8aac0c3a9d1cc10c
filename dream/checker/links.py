"""Links that lead nowhere, to several notes or to no heading, and notes that no link leads to."""

from __future__ import annotations

from collections.abc import Iterator

from dream.checker.finding import Finding, find, shown
from dream.checker.subject import Subject
from dream.memory.index.reach import reachable_notes
from dream.memory.layouts import Layout
from dream.memory.links.anchors import Anchors, find_anchors
from dream.memory.notes import Note
from dream.memory.paths import is_topic


def check_links(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong with the links of a memory, and its orphans where it has an index."""
    for broken in subject.links.broken:
        rule = "ambiguous-link" if broken.found else "dangling-link"
        yield find(rule, broken.path, shown(broken.link.target), line=broken.link.line + 1)
    for path, links in subject.links.addresses.items():
        target = f"{shown(links[0].target)}{f' and {len(links) - 1} more' if len(links) > 1 else ''}"
        yield find("site-link", path, target, line=links[0].line + 1)
    yield from _dead_anchors(subject)
    if subject.tree.blob(subject.index_path) is None:
        return  # one finding says so already; that then no note is linked from it says nothing more
    reached = subject.links.reached_from(_loaded(subject))
    for path in subject.tree.paths():
        if is_topic(path) and path not in reached:
            yield find("orphan-note", path, "no link leads to it from the index")


def _loaded(subject: Subject) -> frozenset[str]:
    """Return what an agent has, or has a link to, once it has loaded the index."""
    if subject.layout is Layout.FIVE_FILES:
        return frozenset(path for path in subject.notes if "/" not in path)
    return reachable_notes(subject.tree, limits=subject.index)


def _dead_anchors(subject: Subject) -> Iterator[Finding]:
    known: dict[str, Anchors] = {}
    for anchored in subject.links.anchored:
        (target,) = anchored.found
        note = subject.notes.get(target)
        if not isinstance(note, Note):
            continue  # what is no note has places of its own kind, such as the lines of code
        if target not in known:
            known[target] = find_anchors(note.text)
        link = anchored.link
        if known[target].find(link.anchor, is_wiki=link.kind == "wiki") is None:
            yield find("dangling-anchor", anchored.path, shown(f"{link.target}#{link.anchor}"), line=link.line + 1)
