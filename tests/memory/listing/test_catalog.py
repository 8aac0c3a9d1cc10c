"""The catalog: every note, one line each, on one page or many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.index.rewrite import rewrite_index
from dream.memory.limits import IndexLimits
from dream.memory.links.notation import PathLookup, resolve, scan_links
from dream.memory.listing.catalog import Catalog, is_catalogued, rewrite_catalog
from dream.memory.listing.findings import IndexFinding
from dream.memory.listing.obstacles import Obstacles
from dream.memory.notes import NoteCache
from dream.memory.paths import is_creatable
from dream.memory.tree import MappingTree, OverlayTree, Tree

SMALL = IndexLimits(catalog_notes=3)


def tree(files: Mapping[str, str] | Iterable[str]) -> MappingTree:
    texts = files if isinstance(files, Mapping) else dict.fromkeys(files, "")
    return MappingTree({path: text.encode() for path, text in texts.items()})


def catalog_of(memory: Tree, *, limits: IndexLimits | None = None) -> Catalog:
    """Return the catalog of a memory whose notes are called by their paths."""
    limits = limits or IndexLimits()
    titles = {path: path for path in memory.paths() if is_catalogued(path)}
    return rewrite_catalog(memory, titles, obstacles=Obstacles(memory, file_bytes=limits.file_bytes), limits=limits)


def text(catalog: Catalog, path: str = "CATALOG.md") -> str:
    return (catalog.files[path] or b"").decode()


def linked(memory: Tree, catalog: Catalog) -> list[str | None]:
    """Return what every link of every page points at."""
    after = OverlayTree(memory, catalog.files)
    lookup = PathLookup(after.paths())
    pages = sorted(catalog.paths)
    return [resolve(page, link, lookup) for page in pages for link in scan_links((after.read(page) or b"").decode())]


def test_every_note_has_one_line_whatever_it_is_for() -> None:
    notes = ["a.md", "archive/old.md", "daily/2026-10-21.md", "learnings/ask/SKILL.md", "preferences/slack/ops.md"]
    others = ["MEMORY.md", "asset.txt", ".dream/state.md", ".github/x.md"]
    assert text(catalog_of(tree([*notes, *others]))) == (
        "# Catalog\n\n"
        "- [a.md](a.md)\n"
        "- [archive/old.md](archive/old.md)\n"
        "- [daily/2026-10-21.md](daily/2026-10-21.md)\n"
        "- [learnings/ask/SKILL.md](learnings/ask/SKILL.md)\n"
        "- [preferences/slack/ops.md](preferences/slack/ops.md)\n"
    )


def test_above_its_limit_it_has_a_page_for_each_folder() -> None:
    memory = tree(["services/a.md", "services/deep/b.md", "queues/c.md", "root.md"])
    catalog = catalog_of(memory, limits=SMALL)
    root = next(path for path in catalog.paths if path.startswith("CATALOG/folder-"))
    assert text(catalog) == (
        "# Catalog\n\n"
        f"- [notes at the root]({root})\n"
        "- [queues/](CATALOG/queues.md)\n"
        "- [services/](CATALOG/services.md)\n"
    )
    assert text(catalog, "CATALOG/services.md") == (
        "# Catalog: services/\n\n- [services/a.md](../services/a.md)\n- [services/deep/b.md](../services/deep/b.md)\n"
    )
    assert sorted(path or "" for path in linked(memory, catalog)) == sorted(
        [*memory.paths(), "CATALOG/queues.md", "CATALOG/services.md", root]
    )


def test_pages_are_cut_at_their_size() -> None:
    memory = tree(f"services/{'long-name-' * 10}{n:04}.md" for n in range(2_000))
    catalog = catalog_of(memory)
    pages = ["CATALOG/services.md", *(f"CATALOG/services-{number}.md" for number in range(2, 7))]
    assert sorted(catalog.paths) == sorted(["CATALOG.md", *pages])
    assert all(len(data or b"") <= 200_000 for data in catalog.files.values())
    assert "- [services/, page 2](CATALOG/services-2.md)\n" in text(catalog)


def test_a_note_that_comes_into_a_folder_of_many_pages_changes_few_lines() -> None:
    notes = [f"services/{'long-name-' * 8}{n:05}.md" for n in range(6_000)]
    before = OverlayTree(tree(notes), catalog_of(tree(notes)).files)
    assert len([path for path in before.paths() if path.startswith("CATALOG/")]) > 6
    for number in (3, 2_500, 5_990):
        more = OverlayTree(before, {f"services/{'long-name-' * 8}{number:05}-and-more.md": b""})
        files = catalog_of(more).files
        changes = [
            set((data or b"").split(b"\n")) ^ set((before.read(path) or b"").split(b"\n"))
            for path, data in files.items()
        ]
        assert len(changes) <= 3
        assert sum(map(len, changes)) <= 5


def test_a_thousand_long_titles_are_pages_too() -> None:
    names = [f"services/{n:04}.md" for n in range(900)]
    memory = tree(names)
    titles = dict.fromkeys(names, "日本語の題名" * 20)
    catalog = rewrite_catalog(memory, titles, obstacles=Obstacles(memory, file_bytes=1), limits=IndexLimits())
    assert len(catalog.paths) > 2
    assert all(len(data or b"") <= 200_000 for data in catalog.files.values())


def test_thousands_of_folders_share_pages() -> None:
    memory = tree(f"folder-{n:05}/note.md" for n in range(6_000))
    catalog = catalog_of(memory)
    assert len(catalog.paths) < 10
    assert all(len(data or b"") <= 200_000 for data in catalog.files.values())
    assert set(memory.paths()) <= set(linked(memory, catalog))


FOLDERS = [
    "x",
    "x-2",
    "X",
    "x-3",
    "con",
    "\u00dcber uns",
    "\u00fcber-uns",
    "a b",
    "a-b",
    "a.b",
    "-",
    "aux",
    "a" * 200,
    "%2F",
    "root",
    "folder",
]


def test_no_two_folders_share_a_page_and_every_name_can_be_made() -> None:
    memory = tree([f"{folder}/{n}.md" for folder in FOLDERS for n in range(2)])
    catalog = catalog_of(memory, limits=IndexLimits(catalog_notes=3, page_bytes=1_200))
    folded = {path.casefold() for path in catalog.paths}
    assert len(folded) == len(catalog.paths) == len(FOLDERS) + 1
    assert all(is_creatable(path) for path in catalog.paths)
    assert set(memory.paths()) <= set(linked(memory, catalog))


ODD = [
    "a b.md",
    "a (b).md",
    "a(b.md",
    "100%.md",
    "50%20off.md",
    "q?.md",
    "h#1.md",
    "am&amp;p.md",
    "quo\"te'.md",
    "back\\slash.md",
    "br[a]ck.md",
    "less<than>.md",
    "c:d.md",
    "mailto:x.md",
    "gr\u00f6\u00dfe.md",
    "gro\u0308\u00dfe2.md",
    "\u65e5\u672c.md",
    "\u202egnp.md",
    "ti`ck.md",
    "star*s_.md",
    "~x.md",
    "tab\t.md",
    " lead.md",
    "x/new\nline.md",
    "UPPER.MD",
]


@pytest.mark.parametrize("name", ODD)
def test_a_link_leads_to_its_note_however_that_is_called(name: str) -> None:
    for path in (name, f"dir (1)/{name}"):
        memory = tree([path])
        assert linked(memory, catalog_of(memory)) == [path]
        paged = catalog_of(memory, limits=IndexLimits(catalog_notes=0))
        assert path in linked(memory, paged)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=8), max_size=4))
def test_all_links_lead_to_notes_for_any_names(names: list[str]) -> None:
    paths = {f"x{name}/z{name}.md" for name in names}
    memory = tree(paths)
    assert set(linked(memory, catalog_of(memory))) == set(memory.paths())


def test_a_catalog_that_is_right_is_not_written() -> None:
    memory = tree(f"services/{n}.md" for n in range(10))
    for limits in (IndexLimits(), SMALL):
        after = OverlayTree(memory, catalog_of(memory, limits=limits).files)
        assert catalog_of(after, limits=limits).files == {}


def test_a_new_title_changes_one_line() -> None:
    memory = tree({"a.md": "# A\n", "b.md": "# B\n"})
    notes, limits = NoteCache(), IndexLimits()

    def night(current: Tree) -> Tree:
        result = rewrite_index(current, notes, changed={}, today=date(2026, 10, 22), limits=limits, landed=memory)
        return OverlayTree(current, result.files)

    first = night(memory)
    second = night(OverlayTree(first, {"b.md": b"# Bee\n"}))
    assert second.read("CATALOG.md") == (first.read("CATALOG.md") or b"").replace(b"[B]", b"[Bee]")
    assert second.read("MEMORY.md") == (first.read("MEMORY.md") or b"").replace(b"[B]", b"[Bee]")


def test_what_people_wrote_in_it_stays_and_their_wording_while_the_note_lives() -> None:
    old = (
        "# All we know\r\n\r\nKeep this tidy.\r\n\r\n* [B](b.md) - our best\r\n* [Gone](gone.md)\r\n* [plain](a.md)\r\n"
        "\r\nSee [gone](gone.md).\r\n"
    )
    memory = tree({"CATALOG.md": old, "a.md": "", "b.md": "", "c.md": ""})
    assert text(catalog_of(memory)) == old.replace(
        "* [Gone](gone.md)\r\n* [plain](a.md)\r\n", "* [c.md](c.md)\r\n"
    ).replace("* [B]", "* [a.md](a.md)\r\n* [B]")


def test_a_page_that_lists_nothing_goes_unless_people_wrote_in_it() -> None:
    memory = tree(
        {
            "a.md": "",
            "CATALOG/services.md": "# Catalog: services/\n\n- [x](../services/x.md)\n",
            "CATALOG/mine.md": "# Catalog: mine/\n\nRead this.\n\n- [x](../mine/x.md)\n",
            "CATALOG/picture.png": "x",
        }
    )
    catalog = catalog_of(memory)
    assert catalog.files == {
        "CATALOG.md": b"# Catalog\n\n- [a.md](a.md)\n",
        "CATALOG/services.md": None,
        "CATALOG/mine.md": b"# Catalog: mine/\n\nRead this.\n\n",
    }
    assert catalog.findings == (IndexFinding("CATALOG/mine.md", "catalog-page-has-other-text"),)


def test_growing_and_shrinking_leaves_no_page_behind() -> None:
    small = tree(f"services/{n}.md" for n in range(3))
    grown = OverlayTree(small, {"queues/x.md": b""})
    paged = OverlayTree(grown, catalog_of(grown, limits=SMALL).files)
    assert [path for path in paged.paths() if path.startswith("CATALOG/")] == [
        "CATALOG/queues.md",
        "CATALOG/services.md",
    ]
    one_less = OverlayTree(paged, {"queues/x.md": None})
    still = catalog_of(one_less, limits=SMALL)
    assert {path for path, data in still.files.items() if data is None} == {"CATALOG/queues.md"}
    shrunk = OverlayTree(paged, {"queues/x.md": None, "services/0.md": None})
    after = OverlayTree(shrunk, catalog_of(shrunk, limits=SMALL).files)
    assert [path for path in after.paths() if path.startswith("CATALOG")] == ["CATALOG.md"]


def test_a_note_that_comes_and_goes_at_the_limit_does_not_write_the_catalog_anew() -> None:
    notes = [f"{'abcdefghi'[n % 9]}/note-{n:04}.md" for n in range(1000)]
    whole = OverlayTree(tree(notes), catalog_of(tree(notes)).files)
    one_more = OverlayTree(whole, {"a/zz.md": b""})
    split = OverlayTree(one_more, catalog_of(one_more).files)
    back = OverlayTree(split, {"a/zz.md": None})
    assert set(catalog_of(back).files) == {"CATALOG/a.md"}


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("CATALOG.md", b"\xff", "not UTF-8"),
        ("CATALOG.md", b"x" * 256_001, "over 256 kB"),
        ("catalog.md", b"# Products", "catalog.md has the same name but for its case"),
        ("CATALOG.md/x.md", b"", "it is a folder"),
    ],
)
def test_a_catalog_that_cannot_be_written_is_reported(path: str, data: bytes, reason: str) -> None:
    memory = MappingTree({path: data, "a.md": b""})
    catalog = catalog_of(memory)
    assert catalog == Catalog(
        files={}, paths=frozenset(), findings=(IndexFinding("CATALOG.md", "catalog-not-written", reason),)
    )
    result = rewrite_index(memory, NoteCache(), changed={}, today=date(2026, 10, 22), limits=IndexLimits())
    assert b"(CATALOG.md)" not in (result.files["MEMORY.md"] or b"")


def test_a_file_where_the_pages_would_be_is_reported() -> None:
    memory = tree(["CATALOG", *(f"services/{n}.md" for n in range(4))])
    catalog = catalog_of(memory, limits=SMALL)
    assert catalog.findings == (IndexFinding("CATALOG/services.md", "catalog-not-written", "CATALOG is a file"),)


def test_every_real_memory_is_catalogued_whole(shared_data: Path) -> None:
    for folder in sorted((shared_data / "memory_trees").iterdir()):
        if folder.is_dir():
            files = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
            memory = tree(files)
            expected = {path for path in files if is_catalogued(path)}
            assert set(linked(memory, catalog_of(memory))) == expected
            paged = catalog_of(memory, limits=IndexLimits(catalog_notes=10, page_bytes=20_000))
            assert {path for path in linked(memory, paged) if path and not path.startswith("CATALOG")} == expected
