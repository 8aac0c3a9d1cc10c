from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dream.guards.state import seal_holds, seal_state

KEY = b"one organisation's key"
STATE: dict[str, Any] = {"version": 1, "checked": {"b.md": "2026-10-22", "a.md": "2026-10-21"}, "note": "ünïcode"}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_a_seal_holds_over_what_it_was_made_over() -> None:
    assert seal_holds({**STATE, "seal": seal_state(STATE, KEY)}, KEY)


def test_a_seal_is_64_hex_and_does_not_depend_on_the_order_of_keys() -> None:
    seal = seal_state(STATE, KEY)
    assert len(bytes.fromhex(seal)) == 32
    assert seal_state(dict(reversed(STATE.items())), KEY) == seal


def test_a_seal_is_not_taken_over_itself() -> None:
    assert seal_state({**STATE, "seal": "whatever"}, KEY) == seal_state(STATE, KEY)


@given(st.dictionaries(st.text(), json_values), st.text(), json_values)
def test_any_other_payload_breaks_the_seal(payload: dict[str, Any], key: str, value: Any) -> None:
    sealed = {**payload, "seal": seal_state(payload, KEY)}
    changed = {**sealed, key: value}
    assume(json.dumps(changed, sort_keys=True) != json.dumps(sealed, sort_keys=True))
    assert not seal_holds(changed, KEY)


def test_another_organisations_key_does_not_verify() -> None:
    assert not seal_holds({**STATE, "seal": seal_state(STATE, KEY)}, b"another key")


@pytest.mark.parametrize("seal", [None, "", "0" * 64, 5, "é", ["x"]])
def test_a_missing_or_malformed_seal_does_not_hold(seal: object) -> None:
    assert not seal_holds({**STATE, "seal": seal}, KEY)
    assert not seal_holds(STATE, KEY)


def test_an_empty_key_neither_seals_nor_verifies() -> None:
    with pytest.raises(ValueError, match="empty key"):
        seal_state(STATE, b"")
    assert not seal_holds({**STATE, "seal": "0" * 64}, b"")


def test_what_json_cannot_hold_does_not_verify() -> None:
    assert not seal_holds({"x": float("nan"), "seal": "0" * 64}, KEY)
    assert not seal_holds({"x": object(), "seal": "0" * 64}, KEY)
