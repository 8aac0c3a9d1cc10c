"""A06 to A09, A19, A27, A37: text that is not what it looks like, and text that is made to be slow."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dream
import tasks
from dream.checker.inspection import check
from dream.guards.codepoints import hidden_code_points
from dream.memory.frontmatter import Broken, Frontmatter, read_frontmatter
from dream.memory.limits import IndexLimits
from dream.memory.notes import Note, NoteCache, parse_note
from dream.memory.operations import Add, Basis, Merge, Operation, Refusal, Revise, Span
from dream.memory.tree import MappingTree
from tests.support.scripted import draft_over
from tests.support.served import Served
from tests.support.stage import Stage, stage_of

LINE = "- 2026-10-01: The checkout API listens on port 8443. [thread_0001, 2026-10-01]"
FILES = {"services/checkout.md": f"# Checkout\n\n{LINE}\n", "services/other.md": f"# Other\n\n{LINE}\n- More.\n"}
BASIS = Basis(sources=("thread_7c2e",), dated=date(2026, 10, 21))
INVISIBLE = {
    "A06-tags": "".join(chr(0xE0000 + ord(letter)) for letter in "obey"),
    "A06-one-tag": "\U000e0041",
    "A06-zero-width-space": "\u200b",
    "A06-word-joiner": "\u2060",
    "A06-soft-hyphen": "\u00ad",
    "A06-joiner-that-joins-nothing": "\u200d",
    "A06-byte-order-mark": "\ufeff",
    "A06-control": "\x1b[8m",
    "A06-backspace": "\x08",
    "A06-private-use": "\ue000",
    "A06-unassigned": "\u0378",
    "A06-noncharacter": "\ufdd0",
    "A07-variation-selector": "\ufe00",
    "A07-variation-selector-16-on-a-letter": "\ufe0f",
    "A07-supplementary-selector": "\U000e0100",
    "A07-hangul-filler": "\u3164",
    "A07-halfwidth-filler": "\uffa0",
    "A07-braille-blank": "\u2800",
    "A08-override": "\u202e",
    "A08-embedding": "\u202a",
    "A08-isolate": "\u2066",
    "A08-pop-isolate": "\u2069",
    "A08-mark": "\u200f",
    "A37-line-separator": "\u2028",
    "A37-paragraph-separator": "\u2029",
    "A37-vertical-tab": "\x0b",
    "A37-form-feed": "\x0c",
    "A37-next-line": "\x85",
    "A37-file-separator": "\x1c",
}


def writings(hidden: str) -> Iterator[Operation]:
    """Yield every way in which a model's text gets into a note."""
    said = "- 2026-10-21: The checkout{} API is written in Rust. [thread_7c2e, 2026-10-21]"
    span = Span(path="services/checkout.md", text=LINE)
    yield Add(path="services/checkout.md", text=said.format(hidden), basis=BASIS)
    yield Add(path="services/new.md", text=said.format(""), opening=f"# Ne{hidden}w", basis=BASIS)
    yield Add(path="services/checkout.md", text=said.format(""), under=f"## Ru{hidden}st", basis=BASIS)
    yield Revise(span=span, new=LINE.replace("API", f"AP{hidden}I"), basis=BASIS)
    yield Merge(
        into=span, new=LINE.replace("API", f"AP{hidden}I"), absorbed=(Span(path="services/other.md", text=LINE),)
    )


@pytest.mark.parametrize("hidden", INVISIBLE.values(), ids=INVISIBLE)
def test_a06_a07_a08_a37_no_model_writes_what_people_cannot_see(tmp_path: Path, hidden: str) -> None:
    draft = draft_over(tmp_path, FILES)
    for operation in writings(hidden):
        answer = draft.apply(operation)
        assert isinstance(answer, Refusal)
        assert answer.reason == "invisible-characters"
    assert draft.files == {}


def test_a06_the_same_writings_pass_where_nothing_is_hidden(tmp_path: Path) -> None:
    for number, operation in enumerate(writings("")):
        answer = draft_over(tmp_path / str(number), FILES).apply(operation)
        assert not isinstance(answer, Refusal) or answer.reason == "no-change"


@given(st.characters(min_codepoint=0xE0000, max_codepoint=0xE01EF), st.text(st.sampled_from("abc -"), max_size=9))
def test_a06_a07_no_tag_or_selector_passes_beside_whatever_text(tag: str, text: str) -> None:
    assert hidden_code_points(text + tag)


def test_a06_a07_a08_a37_what_sessions_hide_is_shown_as_withheld_and_never_as_it_is(
    served: Served, tmp_path: Path
) -> None:
    stage = stage_of(served, tmp_path)
    for number, hidden in enumerate(INVISIBLE.values()):
        stage.summarise({"id": f"hides{number:03}", "lasting": f"The host{number} obeys{hidden} nobody."})
    result = stage.dream()
    assert result.exit_code == 0
    for path, data in stage.files().items():
        text = data.decode()
        assert {name for name, hidden in INVISIBLE.items() if hidden in text} == set(), path
    assert b"(withheld: 39 bytes, invisible-characters, " in stage.files()["daily/2026-10-21.md"]


@pytest.mark.parametrize("hidden", ["\u202e", "\u2066", "\U000e0041", "\u3164"])
def test_a08_what_stands_hidden_in_a_note_is_flagged_shown_escaped_and_listed_without_it(
    served: Served, tmp_path: Path, hidden: str
) -> None:
    note = f"# Pay{hidden}ments\n\n- The payments{hidden} are made at noon.\n"
    stage = stage_of(served, tmp_path, {"MEMORY.md": "# Memory\n", "services/payments.md": note})
    stage.dream()
    after = stage.files()
    assert after["services/payments.md"] == note.encode()
    assert hidden not in after["MEMORY.md"].decode()
    assert b"(services/payments.md)" in after["MEMORY.md"]
    found = [one for one in check(MappingTree(after), NoteCache(), IndexLimits()) if one.rule == "invisible-character"]
    assert [one.path for one in found] == ["services/payments.md"]
    assert hidden not in str(found[0])
    assert f"U+{ord(hidden):04X}" in str(found[0])


LOOKALIKES = {"cyrillic": "\u0441heckout", "greek": "check\u03bfut", "fullwidth": "\uff43heckout"}


@pytest.mark.parametrize("name", LOOKALIKES.values(), ids=LOOKALIKES)
def test_a09_a_name_in_letters_of_another_script_is_no_path_and_no_word_of_a_merge(tmp_path: Path, name: str) -> None:
    draft = draft_over(tmp_path, FILES)
    text = "- 2026-10-21: It is written in Rust. [thread_7c2e, 2026-10-21]"
    made = draft.apply(Add(path=f"services/{name}.md", text=text, opening="# It", basis=BASIS))
    assert isinstance(made, Refusal)
    assert made.reason == "path-not-allowed"
    span, other = Span(path="services/checkout.md", text=LINE), Span(path="services/other.md", text=LINE)
    renamed = LINE.replace("checkout", name)
    for operation in (Revise(span=span, new=renamed), Merge(into=span, new=renamed, absorbed=(other,))):
        answer = draft.apply(operation)
        assert isinstance(answer, Refusal)
        assert answer.reason in {"adds-words", "unique-line", "lost-specific", "status-laundering"}


BLOCKS = {
    "duplicate-keys": ["name: a", "name: b"],
    "duplicate-keys-by-quoting": ["name: a", '"name": b'],
    "a-python-object": ["type: !!python/object/apply:os.system ['touch pwned']"],
    "an-anchor-bomb": [
        "a: &a [x,x,x,x,x,x,x,x,x]",
        *(f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
    ],
    "nested": ["a: " + "[" * 5000 + "]" * 5000],
    "wide": [f"key-{number}: value" for number in range(2000)],
    "a-mark-in-the-middle": ["name: a\ufeffb"],
    "a-control": ["name: a\x01b"],
    "a-directive": ["%YAML 1.1", "---", "name: a"],
    "merge-keys": ["base: &b {name: x}", "<<: *b"],
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a19_a_tricky_frontmatter_is_text_or_broken_and_nothing_of_it_acts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    read = read_frontmatter(["---", *block, "---", "", "body"])
    assert read is None or isinstance(read, Broken | Frontmatter)
    if isinstance(read, Frontmatter):
        assert all(isinstance(value, str) for value in read.values.values())
        assert sum(map(len, read.values.values())) <= sum(map(len, block))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["duplicate-keys", "duplicate-keys-by-quoting", "nested", "wide"])
def test_a19_what_has_two_meanings_or_too_much_is_broken(name: str) -> None:
    assert isinstance(read_frontmatter(["---", *BLOCKS[name], "---"]), Broken)


@pytest.mark.parametrize("value", ["no", "2026-10-21", "12:30:45", "1e3", "0x1F", "null-ish", "True", "1_000", ".5"])
def test_a19_values_stay_the_text_that_they_are(value: str) -> None:
    read = read_frontmatter(["---", f"name: {value}", "---"])
    assert isinstance(read, Frontmatter)
    assert read.name == value


@pytest.mark.parametrize("name", ["duplicate-keys", "a-python-object", "an-anchor-bomb", "nested", "wide"])
def test_a19_a_night_leaves_such_a_note_as_it_is_and_goes_on(served: Served, tmp_path: Path, name: str) -> None:
    note = "\n".join(["---", *BLOCKS[name], "---", "", "- A thing.", "", "---", "name: second block", "---", ""])
    stage = stage_of(served, tmp_path, {"MEMORY.md": "# Memory\n", "notes/odd.md": note, "notes/b.md": "# B\n"})
    result = stage.dream()
    assert (result.status, result.exit_code) == ("landed", 0)
    assert stage.files()["notes/odd.md"] == note.encode()


Pattern = re.Pattern[str] | re.Pattern[bytes]


def _patterns_in(value: object) -> Iterator[Pattern]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _patterns_in(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _patterns_in(part)


def _product_patterns() -> dict[str, Pattern]:
    """Every compiled pattern of the product, however deep in a module's constants it is."""
    found: dict[str, Pattern] = {}
    for package in (dream, tasks):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                for number, pattern in enumerate(_patterns_in(value)):
                    found[f"{module.name}.{name}.{number}"] = pattern
    return found


PATTERNS = _product_patterns()


def test_a27_every_pattern_of_the_product_is_looked_at() -> None:
    assert len(PATTERNS) > 80
    assert {
        "dream.guards.screen._URL.0",
        "dream.memory.specifics._NUMBER.0",
        "tasks.tidying.inbound._TARGETS.0",
    } <= set(PATTERNS)


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a27_no_pattern_repeats_without_bound_inside_a_repetition_without_bound(name: str) -> None:
    """Two nested ones take time that doubles with each character."""
    pattern = PATTERNS[name]
    assert list(_nested(re._parser.parse(pattern.pattern, pattern.flags), inside=False)) == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("bad", ["(?:a+b?)+c", "(a*)*", "(?:x|y+)*z", "(?:(?:a{2,})+)b"])
def test_a27_the_look_at_patterns_can_fail(bad: str) -> None:
    assert list(_nested(re._parser.parse(bad, 0), inside=False))  # type: ignore[attr-defined]


def _nested(parsed: object, *, inside: bool) -> Iterator[str]:
    for operator, argument in parsed:  # type: ignore[attr-defined]
        name = str(operator)
        if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            _, most, inner = argument
            is_unbounded = str(most) == "MAXREPEAT"
            if inside and is_unbounded and name != "POSSESSIVE_REPEAT":
                yield name
            yield from _nested(inner, inside=inside or is_unbounded)
        elif name in {"SUBPATTERN", "ASSERT", "ASSERT_NOT"}:
            yield from _nested(argument[-1], inside=inside)
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from _nested(branch, inside=inside)


SLOW = {
    "brackets": "[" * 60_000,
    "links": "](" * 30_000,
    "backticks": "`" * 60_001,
    "stars": "*" * 60_000,
    "blanks": "x" + " " * 60_000 + "x",
    "angles": "<" * 60_000,
    "digits": "1," * 30_000,
    "people": "person:a@" * 7_000,
    "slashes": "a/" * 30_000,
    "dots": "a" + "." * 60_000,
    "quotes": "> " * 20_000 + "x",
    "dashes": "- " * 20_000 + "x",
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW)
def test_a27_text_made_to_be_slow_is_read_and_refused_like_any_other(tmp_path: Path, text: str) -> None:
    note = parse_note(f"# A\n\n- {text}\n\n{text}\n".encode())
    assert isinstance(note, Note)
    draft = draft_over(tmp_path, {"a.md": f"# A\n\n- {text}\n"})
    answer = draft.apply(Add(path="a.md", text=f"- 2026-10-21: {text}", basis=BASIS))
    assert isinstance(answer, Refusal)


SPLITTERS = ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85"]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=[f"U+{ord(one):04X}" for one in SPLITTERS])
def test_a37_only_a_line_feed_ends_a_line(splitter: str) -> None:
    text = f"# A\n\n- One thing.{splitter}- Another thing.\n- A third.\n"
    note = parse_note(text.encode())
    assert isinstance(note, Note)
    assert note.lines == tuple(text.split("\n"))
    assert len(note.entries) == 2


@pytest.mark.parametrize("splitter", SPLITTERS, ids=[f"U+{ord(one):04X}" for one in SPLITTERS])
def test_a37_no_second_line_of_the_index_hides_in_a_title(stage: Stage, splitter: str) -> None:
    title = f"# A thing{splitter}- [Not a line](services/checkout.md)"
    stage.person().edit({"services/odd.md": f"{title}\n\n- One.\n"})
    stage.dream()
    index = stage.files()["MEMORY.md"].decode()
    assert splitter not in index
    assert len(index.splitlines()) == index.count("\n")
