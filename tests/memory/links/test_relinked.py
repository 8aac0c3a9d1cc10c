"""Edits that only point links elsewhere."""

from __future__ import annotations

import pytest

from dream.memory.links.relinked import is_relinked


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"See [the cart](cart.md).\n", b"See [the cart](../shop/cart.md).\n"),
        (b"# A\n\nSee [[cart]] and [[b|the other]].\n", b"# A\n\nSee [[basket]] and [[b|the other]].\n"),
        (b"See [it][1].\n\n[1]: cart.md\n", b"See [it][1].\n\n[1]: basket.md\n"),
        (b"[a](a.md#x) [b](b.md)\r\n", b"[a](c.md#x) [b](d.md)\r\n"),
        (b"\xff [a](a.md)\n", b"\xff [a](b.md)\n"),
    ],
)
def test_a_link_that_was_pointed_elsewhere_changes_nothing_that_the_note_says(before: bytes, after: bytes) -> None:
    assert is_relinked(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"See [the cart](cart.md).\n", b"See [the basket](basket.md).\n"),
        (b"See [the cart](cart.md).\n", b"See [the cart](cart.md). It listens.\n"),
        (b"See [the cart](cart.md).\n", b"See [the cart](cart.md).\nIt listens.\n"),
        (b"See [the cart](cart.md).\n", b"See the cart.\n"),
        (b"The port is 8443.\n", b"The port is 443.\n"),
        (b"`[a](a.md)`\n", b"`[a](b.md)`\n"),
        (b"the same\n", b"the same\n"),
        (b"", b"# A\n"),
    ],
)
def test_anything_else_is_a_change(before: bytes, after: bytes) -> None:
    assert not is_relinked(before, after)
