"""Pages read with the parser of the standard library, and a night that has something of everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from html.parser import HTMLParser

from dream.memory.records import Change, DoneInput, Effect, LeftOut, LossRecord, NightRecord
from dream.memory.state import PendingInput
from dream.report.standing import Standing
from dream.report.story import NightCommit, Story
from tests.report.records import NIGHT, attempt, nights_before, record, spend, task

_VOID = {"meta", "link", "br", "img", "input", "hr"}
ORDER = ("daily_note", "distil", "tidy", "index_rewrite", "state_update")


@dataclass(slots=True)
class Element:
    """One element of a page, with the text in it."""

    tag: str
    attributes: dict[str, str]
    within: tuple[str, ...]
    text: str = ""


@dataclass(slots=True)
class Page:
    """The elements of a page, in order."""

    elements: list[Element] = field(default_factory=list)

    def all(self, *tags: str) -> list[Element]:
        """Return the elements of these tags."""
        return [one for one in self.elements if one.tag in tags]

    def text(self) -> str:
        """Return all that is shown."""
        return next(one.text for one in self.elements if one.tag == "body")


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, tuple(one.tag for one in self.open))
        self.page.elements.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        for one in self.open:
            one.text += data


def read_page(html: str) -> Page:
    """Return the elements of `html`, every one of which must be closed."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser.page


def full_story(words: str = "It listens on port 80.") -> Story:
    """A night with something of everything, in all of which somebody wrote `words`."""
    tonight = _tonight(words)
    before = [
        record(
            {"tidy": task(spend=spend(calls=2, input=900, output=100))},
            night=night,
            loss=LossRecord(topic_notes=20, statement_count=90),
        )
        for night in nights_before(12, NIGHT - timedelta(days=1))
    ]
    return Story(
        organisation="acme",
        night=NIGHT,
        record=tonight,
        records=(*before, tonight),
        commits=tuple(_commits(words)),
        attempts=(attempt("landed", exit=1, reason=words, way_out=f"dream run {words}", findings=(f"run: {words}",)),),
        pending=(PendingInput(task="daily_note", input=words, nights=3, set_aside=True),),
        remarks=(f"remark: {words}",),
        tip="3" * 40,
        order=ORDER,
        standing=Standing(
            index_path="MEMORY.md",
            index=f"# Index\n\n- [Checkout](services/checkout.md): {words}\n",
            index_bytes=60,
            checked={"services/checkout.md": NIGHT, "services/pay.md": None},
            unverified=("services/pay.md",),
        ),
    )


def _tonight(words: str) -> NightRecord:
    effect = Effect(
        id="1111",
        task="tidy",
        kind="revise",
        changes=(Change(path=f"services/{words}.md", line=3, removed=(words,), added=(f"{words} again",)),),
        created=(f"new {words}.md",),
        deleted={f"old {words}.md": "1" * 40},
        sources=("thread_7c2e", words),
        quotes=(f"thread_7c2e/{words}",),
    )
    return record(
        {
            "tidy": task(
                reason=words,
                commit="2" * 40,
                inputs=3,
                written=1,
                not_written={words: 2},
                refusals={f"rule {words}": 4},
                left_out=(LeftOut(input=words, operation=words, reason=words),),
                done=(DoneInput(id=words),),
                findings=(f"tidy: {words}",),
                spend=spend(model=words, calls=1, input=10, unanswered={words: 1}),
            ),
            "daily_note": task("failed", reason=words, inputs=1, pending=1),
            "state_update": task(),
        },
        loss=LossRecord(statements=4, topic_notes=20, statement_count=10, by_task={"tidy": (0, 4)}),
        effects=(effect,),
        findings=(f"undone since: {words}", f"night: {words}"),
        arrived=(words,),
    )


def _commits(words: str) -> Iterator[NightCommit]:
    lines = words.split("\n")
    tidy = NightCommit(
        id="2" * 40,
        task="tidy",
        subject=f"tidy: {words}",
        body=f"- revise in services/{lines[0]}.md: because of {lines[0]}\n  evidence: o3: {lines[0]}\n  sources: x",
        files=(f"services/{words}.md",),
        diff=(
            f"--- a/services/{lines[0]}.md",
            f"+++ b/services/{lines[0]}.md",
            f"@@ -3,{len(lines)} +3,{len(lines)} @@",
            *(f"-{line}" for line in lines),
            *(f"+{line} again" for line in lines),
        ),
    )
    yield tidy
    yield replace(tidy, id="4" * 40, is_revert=True)
    yield NightCommit(id="3" * 40, task="state_update", subject="state update", files=(".dream/state.json",))
