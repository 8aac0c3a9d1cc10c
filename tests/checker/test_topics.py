from __future__ import annotations

from tests.checker.memories import brief, found


def text(start: int, end: int) -> str:
    return " ".join(f"word{number}" for number in range(start, end))


def test_a_note_with_two_titles_that_share_no_words_is_about_two_things() -> None:
    one, two = text(1, 40), text(50, 90)
    assert brief({"a.md": f"# Orders\n\n{one}\n\n# Carts\n\n{two}\n"}) == [("several-topics", "a.md", 5)]
    assert brief({"a.md": f"# Orders\n\n{one}\n\n# Carts\n\n{one}\n"}) == []
    assert brief({"a.md": f"# Orders\n\n{one}\n\n## Carts\n\n{two}\n"}) == []


def test_notes_that_hardly_differ_are_one_finding_at_the_first_of_them() -> None:
    bodies = {"a.md": text(0, 40), "b.md": f"{text(0, 40)} more", "c.md": f"{text(0, 40)} less", "d.md": "none"}
    (finding,) = found({path: f"# {path}\n\n{body}\n" for path, body in bodies.items()})[-1:]
    assert (finding.rule, finding.path, finding.message) == ("same-topic", "a.md", "as b.md, c.md")


def test_notes_with_one_title_are_about_one_thing_only_where_their_texts_have_much_in_common() -> None:
    one = {"x/a.md": f"# Orders database\n\n{text(0, 40)}\n"}
    assert brief({**one, "y/b.md": f"# Orders database\n\n{text(20, 60)}\n"}) == [("same-topic", "x/a.md", 0)]
    assert brief({**one, "y/b.md": f"# Orders database\n\n{text(36, 80)}\n"}) == []
    assert brief({**one, "y/b.md": f"# Carts\n\n{text(20, 60)}\n"}) == []


def test_what_happened_twice_is_no_topic_twice() -> None:
    assert brief({"logs/2026-10-01.md": text(0, 40), "logs/2026-10-02.md": text(0, 40)}) == []
