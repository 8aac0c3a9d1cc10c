from __future__ import annotations

import re
from importlib import resources

import pytest

STYLE = resources.files("dream.report.html").joinpath("templates", "style.css").read_text(encoding="utf-8")
SCHEMES = dict(
    zip(("light", "dark", "print"), re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL), strict=True),
)
WORDS = ("text", "quiet", "link", "good", "bad")
GROUNDS = ("ground", "raised", "urgent", "added", "removed")
ENOUGH_FOR_WORDS, ENOUGH_FOR_SHAPES = 4.5, 3.0


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_words_can_be_read_on_every_ground(scheme: str) -> None:
    colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", SCHEMES[scheme]))
    told = {(word, ground): _contrast(colours[word], colours[ground]) for word in WORDS for ground in GROUNDS}
    assert {pair: contrast for pair, contrast in told.items() if contrast < ENOUGH_FOR_WORDS} == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_shapes_of_charts_and_the_focus_can_be_told_from_their_ground(scheme: str) -> None:
    colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", SCHEMES[scheme]))
    told = {shape: _contrast(colours[shape], colours["ground"]) for shape in ("value", "over", "quiet", "focus")}
    assert {shape: contrast for shape, contrast in told.items() if contrast < ENOUGH_FOR_SHAPES} == {}


def test_no_colour_stands_in_the_style_but_by_its_name() -> None:
    rules = re.sub(r":root \{.*?\}", "", STYLE, flags=re.DOTALL)
    assert re.findall(r"#[0-9a-f]{3,8}\b|\brgba?\(|\bhsl", rules) == []
