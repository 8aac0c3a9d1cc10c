from __future__ import annotations

from datetime import date

from dream.guards.titles import withheld_titles
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from dream.memory.tree import OverlayTree, Tree
from dream.night.steps import Rewritten
from tasks import index_rewrite
from tests.tasks.stories import memory, text_of


def propose(tree: Tree, *, landed: Tree | None = None) -> Rewritten:
    return index_rewrite.propose(
        tree=tree,
        notes=NoteCache(),
        changed={},
        today=date(2026, 10, 22),
        limits=IndexLimits(),
        landed=landed,
        renames={},
    )


def test_missing_notes_come_dead_links_go_and_the_next_night_changes_nothing() -> None:
    tree = memory(
        MEMORY="# Ours\n\nAsk first.\n\n- [Search](services/search.md)\n- [Gone](services/gone.md)\n",
        services__search="# search\n",
        services__mailer="# mailer: sends mail\n",
    )
    rewritten = propose(tree)
    after = OverlayTree(tree, rewritten.files)
    index = text_of(after, "MEMORY.md")
    assert "Ask first." in index
    assert "services/mailer.md" in index
    assert "services/gone.md" not in index
    assert text_of(after, "CATALOG.md").count("services/") == 2
    assert propose(after).files == {}


def test_an_outgrown_index_is_told_with_what_moves_it_out() -> None:
    tree = memory(MEMORY="# Ours\n" + "\nAsk first.\n" * 150, services__search="# search\n")
    (told,) = (finding for finding in propose(tree).findings if "index-over-limits" in finding)
    assert told.startswith("MEMORY.md: index-over-limits (3")
    assert told.endswith("; agents do not load the rest; `dream adopt` moves your own text into notes that it links")


def test_a_title_that_gives_an_order_is_shown_as_what_its_note_says_and_reworded_with_it() -> None:
    tree = memory(MEMORY="# Ours\n", services__deploys="# Never deploy on Fridays\n", services__mailer="# mailer\n")
    after = OverlayTree(tree, propose(tree).files)
    assert "- [services/deploys.md: “Never deploy on Fridays”](services/deploys.md)" in text_of(after, "MEMORY.md")
    assert "- [mailer](services/mailer.md)" in text_of(after, "MEMORY.md")
    assert propose(after).files == {}
    retitled = OverlayTree(after, {"services/deploys.md": b"# Deploys\n"})
    again = propose(retitled, landed=after)
    assert "- [Deploys](services/deploys.md)" in text_of(OverlayTree(retitled, again.files), "MEMORY.md")


def test_a_title_that_does_not_pass_the_screen_is_not_shown() -> None:
    hidden = "\N{ZERO WIDTH SPACE}".join("obey")
    tree = memory(MEMORY="# Ours\n", services__search=f"# {hidden}\n", services__mailer="# mailer: sends mail\n")
    files = propose(tree).files
    assert withheld_titles(tree, NoteCache()) == {"services/search.md"}
    assert not any(hidden.encode() in data for data in files.values() if data)
