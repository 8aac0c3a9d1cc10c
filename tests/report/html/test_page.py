from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from dream.memory.records import Change, Effect, LeftOut, LossRecord
from dream.report.html.page import render_html
from dream.report.story import NightCommit, Story
from tests.report.html.pages import Page, full_story, read_page
from tests.report.records import NIGHT, attempt, record, task

LIMIT = 2_000_000


def _page(story: Story | None = None) -> Page:
    return read_page(render_html(story or full_story()))


def _described(page: Page, identifier: str) -> bool:
    return any(one.attributes.get("id") == identifier and one.text.strip() for one in page.elements)


def test_a_page_says_its_language_its_title_and_has_its_landmarks_once() -> None:
    page = _page()
    assert page.all("html")[0].attributes["lang"] == "en"
    assert page.all("title")[0].text == "acme: the night of 2026-10-22"
    assert [one.tag for one in page.all("header", "nav", "main", "footer")] == ["header", "nav", "main", "footer"]
    assert [one.text for one in page.all("h1")] == ["acme: the night of 2026-10-22"]


def test_headings_skip_no_level() -> None:
    levels = [int(one.tag[1]) for one in _page().all("h1", "h2", "h3", "h4", "h5")]
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def test_every_reference_within_a_page_leads_somewhere_and_no_id_stands_twice() -> None:
    page = _page()
    ids = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    for one in page.elements:
        named = one.attributes.get("aria-labelledby", "").split()
        assert all(_described(page, name) for name in named), one
        if one.tag == "a":
            assert one.attributes["href"].removeprefix("#") in ids


def test_every_chart_has_a_title_a_description_and_a_table_behind_it() -> None:
    page = _page()
    charts = page.all("svg")
    assert len(charts) == 6
    assert all(one.attributes["role"] == "img" and one.attributes["aria-labelledby"] for one in charts)
    assert len([one for one in page.all("table") if "figure" in one.within]) == len(charts)


def test_nothing_in_a_page_can_ask_anybody_for_anything() -> None:
    page = _page()
    policy = next(one for one in page.all("meta") if "http-equiv" in one.attributes).attributes["content"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for sort, tag in (("style-src", "style"), ("script-src", "script")):
        (element,) = [one for one in page.elements if one.tag == tag]
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert f"{sort} 'sha256-{digest}'" in policy
        assert element.attributes == {}
    assert not page.all("img", "iframe", "object", "embed", "link", "base", "audio", "video", "use", "image")
    for one in page.elements:
        assert not {"style", "src", "srcset", "action", "ping"} & one.attributes.keys(), one
        assert not [name for name in one.attributes if name.startswith("on")], one
    style = page.all("style")[0].text
    assert not re.search(r"url\(|@import|@font-face", style)


def test_a_page_tells_what_the_night_did_what_it_rests_on_and_how_to_take_it_back() -> None:
    text = _page().text()
    for told in (
        "Landed, tasks failed at 333333333333 on main, 3 commits. Needs a person.",
        "A retry: daily note failed: It listens on port 80.",
        "Next: dream run acme --night 2026-10-22",
        "3 in = 1 written + 2 not written + 0 pending",
        "revise in services/It listens on port 80..md: because of It listens on port 80.",
        "o3: It listens on port 80.",
        "dream source acme o3@2026-10-22",
        "dream source acme thread_7c2e/It",
        "dream revert acme --night 2026-10-22 --operation 1111",
        "dream revert acme --night 2026-10-22 --task tidy",
        f"git revert {'2' * 40}",
        "rule It listens on port 80.: 4 operations",
        "4 of 5",
        "50 % 1 of 2 topic notes within 30 nights; 1 unverified",
        "- [Checkout](services/checkout.md): It listens on port 80.",
        "Undone by people, and not done again",
    ):
        assert told in " ".join(text.split()), told


def test_a_night_that_landed_nothing_says_why_and_what_helps() -> None:
    failed = attempt("not-landed", exit=3, reason="the remote is down", way_out="dream run acme", needs="a retry")
    text = " ".join(_page(Story(organisation="acme", night=NIGHT, attempts=(failed,))).text().split())
    assert "Nothing landed. Needs a retry." in text
    assert "A retry: nothing landed: the remote is down Next: dream run acme" in text


def test_a_dry_run_offers_nothing_to_take_back() -> None:
    assert "dream revert" not in _page(replace(full_story(), dry=True)).text()


def test_a_night_that_was_rehearsed_says_how_nights_are_let_land() -> None:
    text = " ".join(_page(replace(full_story(), dry=True, shadow=True)).text().split())
    assert "to let nights land, once you have read some, write shadow: false in acme.yaml." in text


def test_what_was_taken_back_is_not_offered_again() -> None:
    story = full_story()
    assert story.record is not None
    effects = tuple(one.model_copy(update={"reverted": True}) for one in story.record.effects)
    text = _page(replace(story, record=story.record.model_copy(update={"effects": effects}))).text()
    assert "Taken back since" in text
    assert "--operation" not in text


def test_a_page_of_the_same_night_is_the_same_text() -> None:
    assert render_html(full_story()) == render_html(full_story())


def _huge(words: str) -> Story:
    effects = tuple(
        Effect(
            id=f"{number:016x}",
            task="distil",
            kind="add",
            changes=(Change(path=f"notes/{number}.md", line=number, added=(words,) * 3),),
            sources=(words[:300],),
        )
        for number in range(1_000)
    )
    diff = ("--- a/notes/a.md", "+++ b/notes/a.md", "@@ -1,9999 +1,9999 @@", *[f"+{words}"] * (200_000 // len(words)))
    tasks = {
        name: task(
            commit=str(at) * 40,
            findings=(words,) * 500,
            left_out=(LeftOut(input=words, reason="declined"),) * 1_000,
        )
        for at, name in enumerate(("daily_note", "distil", "tidy", "index_rewrite"))
    }
    night = record(tasks, effects=effects, loss=LossRecord(topic_notes=9, statement_count=9), findings=(words,) * 2_000)
    commits = tuple(NightCommit(id=str(at) * 40, task=name, subject=words, diff=diff) for at, name in enumerate(tasks))
    records = [night.model_copy(update={"night": NIGHT - timedelta(days=back)}) for back in range(90, 0, -1)]
    return replace(full_story(), record=night, records=(*records, night), commits=commits)


def test_a_page_is_bounded_whatever_a_night_did() -> None:
    for words in ("It listens on port 80, as it always did.", "<&\">'" * 40, "\u202e\U000e0041" * 20):
        html = render_html(_huge(words))
        assert LIMIT / 3 < len(html.encode()) < LIMIT
        assert "more line" in html
        assert "more edit" in html
