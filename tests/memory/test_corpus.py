"""Every note of nine real memories, read, written and edited; the counts against an independent parser.

Where an entry or a link differs from what the oracle sees there is a named rule for it, which has to hold for that very
block or link: `is_comment`, `is_only_tags`, `is_empty_item`, `dates_the_note`; definitions and uses of references.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from dream.memory.entries import EntryStyle
from dream.memory.frontmatter import frontmatter_end
from dream.memory.links.notation import scan_links
from dream.memory.notes import Note, NoteStyle, Unreadable, find_span, parse_note, replace_lines
from dream.memory.operations import Span
from dream.memory.references import find_references
from dream.memory.scan import Shape, scan
from tests.memory.markdown_oracle import Seen, normalised, see_blocks, see_links

Corpus = Mapping[str, bytes]

BOM = "\ufeff"
UNITS = frozenset({"paragraph", "item", "fence", "code", "table", "quote", "html"})
TREES = 9


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> Corpus:
    """Every distinct Markdown file, by the first path that it stands at."""
    root = shared_data / "memory_trees"
    files = sorted(path for path in root.rglob("*.md") if path.is_file())
    distinct: dict[bytes, str] = {}
    for path in files:
        distinct.setdefault(path.read_bytes(), str(path.relative_to(root)))
    assert len({path.relative_to(root).parts[0] for path in files}) == TREES
    assert len(distinct) > 600
    return {name: data for data, name in distinct.items()}


@pytest.fixture(scope="module")
def notes(corpus: Corpus) -> Mapping[str, Note]:
    read = {name: parse_note(data) for name, data in corpus.items()}
    assert [name for name, note in read.items() if isinstance(note, Unreadable)] == []
    return {name: note for name, note in read.items() if isinstance(note, Note)}


def body_of(note: Note) -> tuple[list[str], int]:
    """Return the lines of a note without byte order mark, and the line that its body begins at."""
    lines = note.text.removeprefix(BOM).split("\n")
    return lines, frontmatter_end(lines)


def test_every_file_is_rendered_byte_for_byte(corpus: Corpus, notes: Mapping[str, Note]) -> None:
    assert {name: note.text.encode() for name, note in notes.items()} == dict(corpus)


def test_no_frontmatter_is_broken_and_every_note_with_text_has_a_title(notes: Mapping[str, Note]) -> None:
    assert {name: note.broken for name, note in notes.items() if note.broken} == {}
    assert [name for name, note in notes.items() if bool(note.title) != bool(note.text.strip())] == []


def test_every_kind_of_note_and_entry_of_the_data_is_found(notes: Mapping[str, Note]) -> None:
    styles = Counter(note.style for note in notes.values())
    kinds = Counter(entry.style for note in notes.values() for entry in note.entries)
    assert styles[NoteStyle.PLAIN] > 500
    assert styles[NoteStyle.FRONTMATTER] > 20
    assert kinds[EntryStyle.ITEM] > 15_000
    assert kinds[EntryStyle.PARAGRAPH] > 10_000
    assert kinds[EntryStyle.BODY] == styles[NoteStyle.FRONTMATTER]


def test_every_unit_is_found_and_replaced_by_itself_without_a_change(notes: Mapping[str, Note]) -> None:
    for note in notes.values():
        for entry in note.entries:
            occurrence = 0
            while place := find_span(note.text, Span(path="x.md", text=entry.raw, occurrence=occurrence)):
                if place[0] >= entry.start:
                    break
                occurrence += 1
            assert place == (entry.start, entry.end)
            assert replace_lines(note.text, *place, entry.raw) == note.text


def test_a_revised_unit_changes_only_its_lines(notes: Mapping[str, Note]) -> None:
    for note in notes.values():
        bom = BOM if note.text.startswith(BOM) else ""
        old = note.text.removeprefix(bom).split("\n")
        ending = "\r" if note.newline == "\r\n" else ""
        for entry in note.entries:
            result = replace_lines(note.text, entry.start, entry.end, "- revised\n  twice")
            new = [f"- revised{ending}", f"  twice{ending if entry.end < len(old) else ''}"]
            assert result == bom + "\n".join([*old[: entry.start], *new, *old[entry.end :]])


def test_a_removed_unit_takes_its_lines_and_at_most_one_blank_line(notes: Mapping[str, Note]) -> None:
    for note in list(notes.values())[::4]:
        bom = BOM if note.text.startswith(BOM) else ""
        old = note.text.removeprefix(bom).split("\n")
        for entry in note.entries:
            result = replace_lines(note.text, entry.start, entry.end, None).removeprefix(bom).split("\n")
            kept = [*old[: entry.start], *old[entry.end :]] or [""]
            assert list(filter(str.strip, result)) == list(filter(str.strip, kept))
            assert abs(len(result) - len(kept)) <= 1


def test_blocks_are_exactly_those_of_the_independent_parser(notes: Mapping[str, Note]) -> None:
    for name, note in notes.items():
        lines, start = body_of(note)
        blocks = [block for block in scan(lines[start:]).blocks if block.shape is not Shape.DEFINITION]
        ours = [("html" if b.shape is Shape.COMMENT else b.shape.value, b.start, b.end) for b in blocks]
        assert ours == [(seen.shape, seen.start, seen.end) for seen in see_blocks(lines[start:])], name


def is_comment(seen: Seen) -> bool:
    return seen.shape == "html" and re.fullmatch(r"\s*<!--.*-->\s*", seen.content, re.DOTALL) is not None


def is_only_tags(seen: Seen) -> bool:
    return seen.shape == "html" and not re.sub(r"<[^<>]*>", "", seen.content).strip()


def is_empty_item(seen: Seen) -> bool:
    return seen.shape == "item" and not seen.content


def dates_the_note(seen: Seen) -> bool:
    is_line = seen.shape == "paragraph" and seen.end == seen.start + 1
    return is_line and re.match(r"\*\*Updated(:\*\*|\*\*:) ?[0-9-]{10}", seen.content) is not None


RULES: tuple[Callable[[Seen], bool], ...] = (is_comment, is_only_tags, is_empty_item, dates_the_note)


def test_entries_are_the_items_and_paragraphs_of_the_independent_parser_but_for_named_rules(
    notes: Mapping[str, Note],
) -> None:
    used: Counter[str] = Counter()
    for name, note in notes.items():
        if note.style is not NoteStyle.PLAIN:
            continue
        lines, start = body_of(note)
        expected = []
        for seen in see_blocks(lines[start:]):
            rule = next((rule.__name__ for rule in RULES if rule(seen)), None)
            used.update([rule] if rule else [])
            if seen.shape in UNITS and not rule:
                expected.append((seen.start + start, seen.end + start))
        assert [(entry.start, entry.end) for entry in note.entries] == expected, name
    assert set(used) <= {rule.__name__ for rule in RULES}
    assert sum(used.values()) < 0.01 * sum(len(note.entries) for note in notes.values())


def test_links_are_those_of_the_independent_parser_and_their_targets_stand_where_they_say(
    notes: Mapping[str, Note],
) -> None:
    total = 0
    for name, note in notes.items():
        lines, start = body_of(note)
        found = [link for link in scan_links("\n".join(lines[start:])) if link.kind == "markdown"]
        for link in found:
            assert lines[start + link.line][link.target_start : link.target_end] == link.target
        ours = Counter(normalised(f"{link.target}#{link.anchor}" if link.anchor else link.target) for link in found)
        seen = see_links("\n".join(lines[start:]))
        for defined in seen.defined:
            # A definition is one link to us, and as many to the oracle as there are uses of it.
            del ours[defined]
            del seen.inline[defined]
        assert ours == seen.inline, name
        total += sum(ours.values())
    assert total > 500


def test_wiki_links_are_links_and_the_tests_of_a_shell_are_none(notes: Mapping[str, Note]) -> None:
    named = Counter(link.target for note in notes.values() for link in scan_links(note.text) if link.kind == "wiki")
    assert named["project_bga_mode_detection"] > 0
    assert [name for name in named if name.startswith(("-", "$", '"', " "))] == []


def test_references_are_found_on_the_lines_that_they_name(notes: Mapping[str, Note]) -> None:
    found = 0
    for note in list(notes.values())[::4]:
        for reference in find_references(note.text):
            if reference.kind == "path":
                assert reference.text in note.lines[reference.line]
                found += 1
    assert found > 1000


def in_crlf(data: bytes) -> bytes:
    return re.sub(rb"(?<!\r)\n", b"\r\n", data)


@pytest.mark.parametrize(
    "encode", [in_crlf, lambda data: BOM.encode() + data, lambda data: data.replace(b"\n", b"\n\x0b")]
)
def test_other_line_ends_a_mark_of_byte_order_and_odd_characters_are_kept_too(
    corpus: Corpus, encode: Callable[[bytes], bytes]
) -> None:
    for name, data in _sample(corpus):
        odd = encode(data)
        note = parse_note(odd)
        assert isinstance(note, Note), name
        assert note.text.encode() == odd
        for entry in note.entries:
            assert replace_lines(note.text, entry.start, entry.end, entry.raw) == note.text


@pytest.mark.parametrize("encode", [in_crlf, lambda data: BOM.encode() + data.removeprefix(BOM.encode())])
def test_line_ends_and_a_mark_of_byte_order_change_no_entry_key_title_or_link(
    corpus: Corpus, encode: Callable[[bytes], bytes]
) -> None:
    for name, data in _sample(corpus):
        plain, odd = parse_note(data), parse_note(encode(data))
        assert isinstance(plain, Note)
        assert isinstance(odd, Note)
        assert [(e.start, e.end, e.key) for e in odd.entries] == [(e.start, e.end, e.key) for e in plain.entries], name
        assert (odd.style, odd.title, odd.other) == (plain.style, plain.title, plain.other)
        links = [[(link.line, link.target) for link in scan_links(note.text)] for note in (plain, odd)]
        assert links[0] == links[1]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "cp949", "gb18030", "utf-8 cut short"])
def test_what_is_not_utf8_is_left_alone(corpus: Corpus, encoding: str) -> None:
    refused: Counter[str] = Counter()
    for name, data in _sample(corpus):
        other = data[:-1] + b"\xe4\xb8" if encoding.startswith("utf-8") else _encoded(data.decode(), encoding)
        if other.isascii() and b"\0" not in other:
            continue
        note = parse_note(other)
        assert isinstance(note, Unreadable), name
        refused[note.reason] += 1
    assert refused.total() > 50
    assert set(refused) <= {"not UTF-8", "holds NUL bytes"}


def _encoded(text: str, encoding: str) -> bytes:
    """Return `text` with some Korean, and without what the encoding cannot say."""
    return f"{text}\n한국어\n".encode(encoding, errors="ignore")


def _sample(corpus: Corpus) -> Iterator[tuple[str, bytes]]:
    """Yield every fifth file, and all that have no line feeds alone."""
    for number, (name, data) in enumerate(corpus.items()):
        if number % 5 == 0 or b"\r" in data or data.startswith(BOM.encode()):
            yield name, data
