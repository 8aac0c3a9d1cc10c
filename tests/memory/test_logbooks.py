from __future__ import annotations

import pytest

from dream.memory.logbooks import is_logbook


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("decisions/orders.md", True),
        ("services/orders-incidents.md", True),
        ("notes/2026-10-planning.md", True),
        ("adrs/0007-queues.md", True),
        ("services/orders-api.md", False),
        ("catalogs/goods.md", False),
        ("runbooks/restore-orders.md", False),
    ],
)
def test_a_note_of_what_happened_is_known_by_a_word_or_a_month_of_its_path(path: str, kept: object) -> None:
    assert is_logbook(path) == kept
