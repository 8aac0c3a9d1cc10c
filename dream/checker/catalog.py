"""The catalog as it would be made afresh, where a memory keeps one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dream.checker.finding import Finding, find
from dream.checker.subject import Subject
from dream.guards.titles import reported_titles, withheld_titles
from dream.memory.layouts import Layout
from dream.memory.listing.catalog import is_catalogued, rewrite_catalog
from dream.memory.listing.lines import Titles
from dream.memory.listing.obstacles import Obstacles
from dream.memory.paths import CATALOG, FLOW_FOLDER, INDEX


def fresh_catalog(subject: Subject) -> Mapping[str, bytes | None]:
    """Return the files of the catalog that differ from how a night would make them, None for one that goes.

    Nothing in a memory that keeps no catalog: one with neither a catalog nor, beside an index, what the flow keeps.
    """
    tree = subject.tree
    is_dreamt = tree.blob(INDEX) is not None and any(path.startswith(FLOW_FOLDER) for path in tree.paths())
    if subject.layout is Layout.FIVE_FILES or not (tree.blob(CATALOG) or is_dreamt):
        return {}
    titles = Titles(
        tree=tree,
        notes=subject.cache,
        longest=subject.index.description,
        withheld=withheld_titles(tree, subject.cache),
        reported=reported_titles(tree, subject.cache),
    )
    listed = {path: titles.of(path) for path in tree.paths() if is_catalogued(path)}
    obstacles = Obstacles(tree, file_bytes=subject.index.file_bytes)
    return rewrite_catalog(tree, listed, obstacles=obstacles, limits=subject.index).files


def check_catalog(subject: Subject) -> Iterator[Finding]:
    """Yield which files of the catalog are not as they would be made afresh."""
    for path, data in sorted(fresh_catalog(subject).items()):
        what = "lists nothing any more" if data is None else "differs" if subject.tree.blob(path) else "is missing"
        yield find("catalog-stale", path, f"it {what}")
