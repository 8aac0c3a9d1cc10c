from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dream.guards.masking import mask_secrets
from dream.guards.secrets import find_secrets
from tests.guards.planted_secrets import planted_secrets

PLANTED = planted_secrets()


def test_of_every_kind_of_credential_nothing_can_be_read_and_what_stands_around_it_can() -> None:
    assert len(PLANTED) >= 40
    for kind, secret in PLANTED.items():
        text = f"Ana pasted this:\n{secret}\nand went on."
        masked = mask_secrets(text)
        assert secret not in masked, kind
        assert len(masked) == len(text), kind
        assert (masked[:17], masked[-13:]) == (text[:17], text[-13:]), kind
        assert find_secrets(masked) == (), kind


def test_a_private_key_keeps_its_lines_and_nothing_else() -> None:
    key = "-----BEGIN RSA " + "PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEA\n" * 3 + "-----END RSA " + "PRIVATE KEY-----"
    masked = mask_secrets(f"key:\n{key}\nend")
    assert masked == "key:\n" + "\n".join("*" * len(line) for line in key.split("\n")) + "\nend"


def test_of_two_credentials_that_overlap_neither_end_is_left() -> None:
    token = "gh" + "p_" + "a1B2c3D4e5" * 4
    text = f'password="{token}@db-7.internal"'
    masked = mask_secrets(text)
    assert masked == 'password="' + "*" * (len(token) + 14) + '"'


@given(st.lists(st.one_of(st.sampled_from(sorted(PLANTED.values())), st.text(max_size=20)), max_size=6).map(" ".join))
def test_a_masked_text_is_as_long_and_breaks_its_lines_where_it_did(text: str) -> None:
    masked = mask_secrets(text)
    assert len(masked) == len(text)
    assert [at for at, one in enumerate(masked) if one == "\n"] == [at for at, one in enumerate(text) if one == "\n"]
