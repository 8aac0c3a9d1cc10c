"""The page as a browser shows it: Chromium of the distribution, which is given no network and asks for none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Dialog, sync_playwright
from playwright.sync_api import Page as Tab

from dream.memory.records import LossRecord
from dream.report.escaping import visible
from dream.report.html.page import render_html
from tests.report.html.pages import full_story, read_page
from tests.report.records import record, task

pytestmark = pytest.mark.xdist_group("chromium")

Scheme = Literal["light", "dark"]
DESKTOP, PHONE, NARROW = 1280, 390, 320
_SPARING = ("--disable-gpu", "--disable-dev-shm-usage")
"""What a small machine, or a container with little shared memory, can give a browser."""
HOSTILE = (
    "<script>window.hacked = 1; alert(1)</script>",
    "</style><script>window.hacked = 1</script><style>",
    "</script><script>window.hacked = 1</script>",
    "\"><img src=x onerror='window.hacked = 1'>",
    "' onmouseover='window.hacked = 1' x='",
    "<a href='javascript:window.hacked = 1'>here</a> [here](javascript:alert(1))",
    "<iframe srcdoc='<script>parent.hacked = 1</script>'></iframe>",
    "<svg><use href='data:image/svg+xml;base64,PHN2Zz48L3N2Zz4#x'/></svg>",
    "<meta http-equiv=refresh content='0;url=https://example.com/'>",
    "<link rel=stylesheet href=https://example.com/x.css><base href=https://example.com/>",
    "<!-- --!> <![CDATA[ ]]> <plaintext><title></title></textarea><noscript>",
    "{{ 7 * 7 }}{% raw %}{# x #}&lt;b&gt;&amp;&#0;",
    "right\u202eleft zero\u200bwidth \u2066hidden\u2069 tag\U000e0041 \x00\x1b[31m\x7f\ud800",
)


@dataclass(slots=True)
class Seen:
    """What a tab did that a page of ours must never do."""

    requests: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def refuse(self, dialog: Dialog) -> None:
        """Note a dialog and close it."""
        self.dialogs.append(dialog.message)
        dialog.dismiss()


def _chromium() -> str:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no Chromium: apt-get install chromium")
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this module, and gone after it: its loop would be in the way of others."""
    path = _chromium()
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=_SPARING, env=dict(environment))
        yield running
        running.close()


@contextmanager
def _opened(browser: Browser, folder: Path, *pages: str, **how: Any) -> Iterator[tuple[Tab, Seen]]:
    """Open the first of `pages`; whichever are looked at must ask for nothing and say nothing."""
    how.setdefault("viewport", {"width": DESKTOP, "height": 900})
    files = [folder / f"{number}.html" for number in range(len(pages))]
    for file, html in zip(files, pages, strict=True):
        file.write_text(html, encoding="utf-8")
    context = browser.new_context(**how)
    tab, seen = context.new_page(), Seen()
    context.on("request", lambda one: seen.requests.append(one.url))
    tab.on("console", lambda one: seen.told.append(one.text))
    tab.on("pageerror", lambda one: seen.told.append(str(one)))
    tab.on("dialog", lambda one: seen.refuse(one))  # noqa: PLW0108  # a method would be marked, and it has slots
    _go(tab, folder, 0)
    yield tab, seen
    assert (seen.told, seen.dialogs) == ([], [])
    assert set(seen.requests) == {file.as_uri() for file in files}
    context.close()


def _go(tab: Tab, folder: Path, number: int) -> None:
    tab.goto((folder / f"{number}.html").as_uri())


def _tags(html: str) -> set[str]:
    return {one.tag for one in read_page(html).elements}


def test_words_of_others_are_shown_and_do_nothing(browser: Browser, tmp_path: Path) -> None:
    pages = [render_html(full_story(words)) for words in HOSTILE]
    plain = _tags(render_html(full_story()))
    assert [_tags(html) for html in pages] == [plain] * len(pages)
    with _opened(browser, tmp_path, *pages) as (tab, _):
        for number, words in enumerate(HOSTILE):
            _go(tab, tmp_path, number)
            tab.evaluate(_UNFOLD)
            tab.mouse.move(300, 300)
            assert tab.evaluate("window.hacked") is None
            assert tab.evaluate("[...document.links].every((one) => one.getAttribute('href').startsWith('#'))")
            shown = tab.evaluate("document.body.textContent")
            assert not set(shown) & set("\u202e\u200b\u2066\u2069\U000e0041\x00\x1b\x7f\ufffd")
            assert visible(words) in shown


def test_strings_made_to_attack_readers_are_shown_as_they_are(
    browser: Browser, tmp_path: Path, shared_data: Path
) -> None:
    files = sorted(path for path in (shared_data / "injection").rglob("*") if path.is_file())
    texts = [path.read_text(encoding="utf-8", errors="replace")[:1_000] for path in files]
    night = record({"tidy": task(findings=tuple(texts))}, loss=LossRecord(topic_notes=1, statement_count=1))
    story = full_story()
    assert texts
    with _opened(browser, tmp_path, render_html(replace(story, record=night))) as (tab, _):
        assert tab.locator("article li").count() == len(texts)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_can_be_told_from_what_is_behind_it(browser: Browser, tmp_path: Path, scheme: Scheme) -> None:
    with _opened(browser, tmp_path, render_html(full_story()), color_scheme=scheme) as (tab, _):
        found = tab.evaluate(_CONTRASTS)
        ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert len(found) > 100
    assert [one for one in found if one["contrast"] < 4.5] == []
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


@pytest.mark.parametrize("width", [PHONE, NARROW])
def test_nothing_is_wider_than_a_phone(browser: Browser, tmp_path: Path, width: int) -> None:
    html = render_html(full_story("averylongwordwithoutanyplacetobreakit" * 8))
    with _opened(browser, tmp_path, html, viewport={"width": width, "height": 800}) as (tab, _):
        tab.evaluate(_UNFOLD)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.evaluate(_TOO_WIDE, width) == []


def test_a_page_is_read_with_the_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    with _opened(browser, tmp_path, render_html(full_story())) as (tab, _):
        focused = "document.activeElement.id"
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.textContent") == "Skip to the night"
        assert tab.evaluate("document.activeElement.getBoundingClientRect().left >= 0")
        tab.keyboard.press("Enter")
        assert tab.evaluate(focused) == "main"
        pressed: Sequence[str] = ("j", "j", "ArrowRight", "k", "ArrowLeft", "k")
        seen = []
        for key in pressed:
            tab.keyboard.press(key)
            seen.append(tab.evaluate(focused))
        assert seen == ["task-1", "task-2", "task-3", "task-2", "task-1", "task-1"]
        assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        tab.keyboard.press("?")
        assert tab.locator("#keys").is_visible()
        tab.keyboard.press("Escape")
        assert not tab.locator("#keys").is_visible()
        assert tab.locator("#hint").is_visible()


def test_a_page_without_script_tells_the_same(browser: Browser, tmp_path: Path) -> None:
    with _opened(browser, tmp_path, render_html(full_story()), java_script_enabled=False) as (tab, _):
        assert tab.locator("article").count() == 3
        assert tab.locator("#hint").is_hidden()
        assert tab.locator("#keys").is_hidden()


def test_what_is_folded_is_printed(browser: Browser, tmp_path: Path) -> None:
    with _opened(browser, tmp_path, render_html(full_story())) as (tab, _):
        folded = tab.locator("figure details table").first
        height = "(one) => one.checkVisibility({ contentVisibilityAuto: true })"
        assert not folded.evaluate(height)
        tab.emulate_media(media="print")
        assert folded.evaluate(height)
        assert tab.locator("nav").is_hidden()


_UNFOLD = "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
_CONTRASTS = """() => {
  const parse = (text) => (text.match(/[0-9.]+/g) || []).map(Number);
  const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [x, y, z] = colour.map(linear);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || ["SCRIPT", "title", "desc"].includes(one.tagName)) continue;
    const style = getComputedStyle(one);
    const [a, b] = [light(parse(one instanceof SVGElement ? style.fill : style.color)), light(ground(one))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.push({ text: walker.currentNode.data.slice(0, 40), contrast });
  }
  return found;
}"""
"""The contrast of every text with the ground that it stands on, folded text as well."""

_TOO_WIDE = """(width) => [...document.querySelectorAll("body *")]
  .filter((one) => !one.closest(".skip, .unseen, thead, dialog, script") && one.getClientRects().length)
  .filter((one) => one.getBoundingClientRect().right > width + 1)
  .map((one) => one.tagName + ": " + one.textContent.slice(0, 40))"""
