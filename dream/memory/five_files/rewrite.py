"""The index of a memory of five files, made afresh: `index.md` alone, or with a catalog where it cannot list all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from dream.memory.five_files.index import DAILY, FiveIndex
from dream.memory.five_files.page import FiveAround, FivePage, read_five
from dream.memory.five_files.settling import Settling
from dream.memory.five_files.topics import Topic, find_topics, read_anchors
from dream.memory.limits import IndexLimits
from dream.memory.links.anchors import Anchors
from dream.memory.links.notation import PathLookup
from dream.memory.listing.catalog import Catalog, is_catalogued, retire_catalog, rewrite_catalog
from dream.memory.listing.findings import IndexFinding, IndexRewrite
from dream.memory.listing.lines import STANDING, Titles
from dream.memory.listing.obstacles import Obstacles
from dream.memory.notes import NoteCache
from dream.memory.paths import CATALOG, FIVE_INDEX, Kind, kind_of
from dream.memory.tree import OverlayTree, Tree


def rewrite_five(
    notes: NoteCache,
    *,
    titles: Titles,
    earlier: Sequence[Titles],
    obstacles: Obstacles,
    changed: Mapping[str, date],
    today: date,
    limits: IndexLimits,
    renames: Mapping[str, str],
) -> IndexRewrite:
    """Return `index.md`, and the catalog where there is one, of the tree of `titles`.

    `titles` say what notes are called, `earlier` what they may have been called when the page was written.
    """
    tree = titles.tree
    in_the_way = obstacles.to(FIVE_INDEX)
    if in_the_way:
        return IndexRewrite(files={}, findings=(IndexFinding(FIVE_INDEX, "index-left-alone", in_the_way),))
    called = {path: titles.of(path) for path in tree.paths() if is_catalogued(path, index=FIVE_INDEX)}
    anchors = read_anchors(tree, notes)
    found = find_topics(tree, notes, anchors, longest=limits.description, today=today)
    making = _Making(
        tree=tree,
        called=called,
        earlier={path: [form for one in earlier for form in one.forms(path)] for path in called},
        known=frozenset(path for one in earlier for path in one.tree.paths()),
        topics=_shown_topics(found, titles),
        anchors=anchors,
        changed=changed,
        today=today,
        limits=limits,
        renames=renames,
    )
    catalog = retire_catalog(tree, obstacles=obstacles, renames=renames)
    made = making.beside(catalog)
    if _is_too_much(called, made, tree, limits):
        catalog = rewrite_catalog(tree, called, obstacles=obstacles, limits=limits, renames=renames)
        made = making.beside(catalog)
    files = dict(catalog.files)
    if made.page.data != making.old:
        files[FIVE_INDEX] = made.page.data
    return IndexRewrite(files=files, findings=(*catalog.findings, *made.findings))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """The page as it comes out, and what of it leads to which note."""

    index: FiveIndex
    page: FivePage
    findings: Sequence[IndexFinding]


@dataclass(frozen=True, kw_only=True)
class _Making:
    """All that decides how `index.md` reads but for the catalog beside it.

    Notes are `called` something now, and were something `earlier`, when the page was written and `known` were there.
    """

    tree: Tree
    called: Mapping[str, str]
    earlier: Mapping[str, Sequence[str]]
    known: frozenset[str]
    topics: Sequence[Topic]
    anchors: Mapping[str, Anchors]
    changed: Mapping[str, date]
    today: date
    limits: IndexLimits
    renames: Mapping[str, str]

    @cached_property
    def old(self) -> bytes:
        """The page as it stands."""
        return self.tree.read(FIVE_INDEX) or b""

    def beside(self, catalog: Catalog) -> _Made:
        """Return the page as it comes out beside `catalog`."""
        after = OverlayTree(self.tree, catalog.files)
        has_daily = any(kind_of(path) is Kind.DAILY for path in self.called)
        around = FiveAround(
            paths=PathLookup({*after.paths(), *self.tree.oddities()}),
            folders={DAILY.rstrip("/"): has_daily},
            renames=self.renames,
            anchors=self.anchors,
        )
        standing = [CATALOG] * (CATALOG in catalog.paths) + [DAILY] * has_daily
        index = FiveIndex(
            page=read_five(self.old, around),
            around=around,
            titles=self.called,
            topics=self.topics,
            lines=Settling(around=around, titles=self.called, earlier=self.earlier, known=self.known),
            changed=self.changed,
            today=self.today,
            limits=self.limits,
            standing={name: STANDING[name] for name in standing},
        )
        page, findings = index.settle()
        return _Made(index=index, page=page, findings=findings)


def _shown_topics(topics: Iterable[Topic], titles: Titles) -> tuple[Topic, ...]:
    """Return the topics whose headings may be shown: the screen lets them pass, and they tell no reader what to do."""
    hidden = {*titles.withheld, *titles.reported}
    return tuple(topic for topic in topics if topic.place.key not in hidden)


def _is_too_much(called: Collection[str], made: _Made, tree: Tree, limits: IndexLimits) -> bool:
    """Whether a catalog is needed: the index cannot list all, or, where there is one, it just could."""
    shown = made.index.shown(made.page)
    if any(path not in shown for path in called if kind_of(path) is not Kind.DAILY):
        return True
    used = 100 + limits.slack_percent
    is_near = len(made.page.lines) * used > limits.lines * 100 or len(made.page.data) * used > limits.bytes * 100
    return tree.blob(CATALOG) is not None and is_near
