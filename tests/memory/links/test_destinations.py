from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from dream.memory.links.anchors import find_anchors
from dream.memory.links.destinations import Destination, Destinations, Leading
from dream.memory.links.notation import scan_links
from dream.memory.notes import Note, NoteCache, parse_note
from dream.memory.paths import Kind, kind_of
from dream.memory.tree import MappingTree
from tests.memory.links_oracle import see_leads, see_slugs, see_wiki

FILES = {
    "MEMORY.md": "# Memory\n",
    "services/orders.md": "---\nname: Order desk\n---\n# Orders\n\n## Limits\n\nTen a second. ^ten\n",
    "services/self.md": "# Self\n\n## Here\n",
    "alerts/disk.md": "# Disk\n",
    "queues/disk.md": "# Disk\n",
    "img/a.png": "x",
}
TREE = MappingTree({path: text.encode() for path, text in FILES.items()})


def follow(text: str, tree: MappingTree = TREE) -> Destination:
    (link,) = scan_links(text)
    return Destinations(NoteCache()).find(tree, "services/self.md", link)


@pytest.mark.parametrize(
    ("text", "leading", "paths"),
    [
        ("[x](orders.md)", Leading.LEADS, ("services/orders.md",)),
        ("[x](orders.md#limits)", Leading.LEADS, ("services/orders.md",)),
        ("[x](orders.md#Limits)", Leading.LEADS, ("services/orders.md",)),
        ("[x](orders.md#L3)", Leading.LEADS, ("services/orders.md",)),
        ("[x](#here)", Leading.LEADS, ("services/self.md",)),
        ("[x](#)", Leading.LEADS, ("services/self.md",)),
        ("[x]()", Leading.LEADS, ("services/self.md",)),
        ("[[orders#^ten]]", Leading.LEADS, ("services/orders.md",)),
        ("[[Order desk#Limits]]", Leading.LEADS, ("services/orders.md",)),
        ("[[orders#Orders#Limits]]", Leading.LEADS, ("services/orders.md",)),
        ("[[#Here]]", Leading.LEADS, ("services/self.md",)),
        ("![x](../img/a.png#part)", Leading.LEADS, ("img/a.png",)),
        ("[x](order.md)", Leading.NOTE_DANGLES, ()),
        ("[x](order.md#limits)", Leading.NOTE_DANGLES, ()),
        ("[[nobody]]", Leading.NOTE_DANGLES, ()),
        ("[x](orders.md#limit)", Leading.ANCHOR_DANGLES, ("services/orders.md",)),
        ("[[orders#^eleven]]", Leading.ANCHOR_DANGLES, ("services/orders.md",)),
        ("[[orders#Limits#Orders]]", Leading.ANCHOR_DANGLES, ("services/orders.md",)),
        ("[x](#there)", Leading.ANCHOR_DANGLES, ("services/self.md",)),
        ("[[disk]]", Leading.AMBIGUOUS, ("alerts/disk.md", "queues/disk.md")),
        ("[x](https://example.org/a.md)", Leading.EXTERNAL, ()),
        ("[x](mailto:a@example.org)", Leading.EXTERNAL, ()),
        ("[x](../../code/a.py)", Leading.EXTERNAL, ()),
        ("[x](../alerts)", Leading.FOLDER, ()),
        ("[x](../alerts/)", Leading.FOLDER, ()),
        ("[x](/)", Leading.FOLDER, ()),
        ("[x](../nothing/)", Leading.NOTE_DANGLES, ()),
    ],
)
def test_a_link_is_followed_to_where_it_leads(text: str, leading: Leading, paths: tuple[str, ...]) -> None:
    assert follow(text) == Destination(leading=leading, paths=paths)


def test_what_was_read_of_a_note_is_not_what_another_note_says() -> None:
    destinations = Destinations(NoteCache())
    (link,) = scan_links("[x](orders.md#limits)")
    later = MappingTree({"services/self.md": b"x", "services/orders.md": b"# Orders\n"})
    assert destinations.find(TREE, "services/self.md", link).leading is Leading.LEADS
    assert destinations.find(later, "services/self.md", link).leading is Leading.ANCHOR_DANGLES
    assert destinations.find(TREE, "services/self.md", link).leading is Leading.LEADS


@pytest.fixture(scope="module")
def memories(shared_data: Path) -> Mapping[str, Mapping[str, bytes]]:
    """The real memories, each with every file by its path."""
    folders = sorted(path for path in (shared_data / "memory_trees").iterdir() if path.is_dir())
    return {
        folder.name: {
            str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
        }
        for folder in folders
    }


def texts_of(files: Mapping[str, bytes]) -> dict[str, str]:
    notes = {path: parse_note(data) for path, data in files.items() if kind_of(path) not in {Kind.ASSET, Kind.DOT}}
    return {path: note.text for path, note in notes.items() if isinstance(note, Note)}


def test_the_headings_of_real_notes_are_called_what_an_independent_reading_calls_them(
    memories: Mapping[str, Mapping[str, bytes]],
) -> None:
    texts = [text for files in memories.values() for text in texts_of(files).values() if "<h" not in text]
    expected = [see_slugs(text) for text in texts]
    assert [[one.slug for one in find_anchors(text).headings] for text in texts] == expected
    assert sum(map(len, expected)) > 9_000


NAMES = {
    Leading.LEADS: "leads",
    Leading.NOTE_DANGLES: "note",
    Leading.ANCHOR_DANGLES: "anchor",
    Leading.EXTERNAL: "external",
    Leading.FOLDER: "folder",
}


def test_links_of_real_memories_lead_where_an_independent_reading_says(
    memories: Mapping[str, Mapping[str, bytes]],
) -> None:
    ours: dict[str, Counter[str]] = {}
    for name, files in memories.items():
        tree, destinations = MappingTree(files), Destinations(NoteCache())
        ours[name] = Counter(
            NAMES[destinations.find(tree, path, link).leading]
            for path, text in texts_of(files).items()
            for link in scan_links(text)
            if link.kind == "markdown"
        )
    naive = {name: see_leads({**dict.fromkeys(files, ""), **texts_of(files)}) for name, files in memories.items()}
    assert ours == naive


def test_wiki_links_of_real_memories_are_those_that_an_independent_reading_sees(
    memories: Mapping[str, Mapping[str, bytes]],
) -> None:
    texts = [text for files in memories.values() for text in texts_of(files).values() if "[[" in text]
    ours = [sorted(link.target.strip() for link in scan_links(text) if link.kind == "wiki") for text in texts]
    naive = [sorted(name.partition("#")[0].strip() for name in see_wiki(text)) for text in texts]
    assert [len(found) for found in ours if found] == [len(found) for found in naive if found]


def test_a_tree_with_fewer_notes_is_asked_as_if_it_were_the_first() -> None:
    texts = {"a/disk.md": "# A\n", "b/disk.md": "---\nname: Rack\n---\n# B\n", "c/Disk.md": "# C\n", "d.md": "# D\n"}
    everything = {path: text.encode() for path, text in texts.items()}
    destinations = Destinations(NoteCache())
    links = [link for name in ("disk", "DISK", "Rack", "b/disk", "d", "nobody") for link in scan_links(f"[[{name}]]")]
    for gone in ([], ["a/disk.md"], ["a/disk.md", "b/disk.md"], ["b/disk.md"], ["a/disk.md", "b/disk.md", "c/Disk.md"]):
        tree = MappingTree({path: data for path, data in everything.items() if path not in gone})
        found = [destinations.find(tree, "d.md", link) for link in links]
        assert found == [Destinations(NoteCache()).find(tree, "d.md", link) for link in links]
