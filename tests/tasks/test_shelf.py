from __future__ import annotations

from collections.abc import Callable, Mapping

from dream.memory.notes import NoteCache
from dream.memory.similarity import word_set
from dream.memory.tree import MappingTree
from dream.models.prompt import Untrusted
from tasks.questions import place_question
from tasks.shelf import Shelf, ShelfLimits


def shown(files: Mapping[str, str], words: str, *, screen: Callable[[str], str] = lambda line: line) -> str:
    shelf = Shelf(NoteCache())
    tree = MappingTree({path: text.encode() for path, text in files.items()})
    shelf.take(tree)
    return shelf.view(tree, word_set(words), limits=ShelfLimits(), screen=screen).text


def test_the_folders_are_shown_however_much_the_notes_say() -> None:
    said = "\n".join(f"- The service rule {number} is {'long ' * 60}" for number in range(60))
    memory = shown({f"services/s{number}.md": f"# S{number}\n\n{said}\n" for number in range(10)}, "service rule")
    prompt = place_question(["service rule: the rule of the service is long"], memory=memory)
    asked = next(one for one in prompt.parts if isinstance(one, Untrusted))
    assert ", the first 60000 of" in asked.label
    assert asked.text.split("\n")[0] == "Folders: services"


def test_lines_are_screened_whole_and_cut_afterwards() -> None:
    text = shown(
        {"services/checkout.md": f"# Checkout\n\n- checkout {'x' * 400} secret\n"},
        "checkout",
        screen=lambda line: "withheld" if "secret" in line else line,
    )
    assert text == "Folders: services\nservices/checkout.md: Checkout\n  e1: withheld"
