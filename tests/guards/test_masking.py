from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.masking import mask_cut_secrets, mask_secrets
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


BODY = ("MIIEowIBAAKCAQEA7Zk1", "q3/+0aIBAAKCAQEA7Zk2", "tU4=")


@pytest.mark.parametrize("line_break", ["\n", "\\n", "\\\\n", "\\r\\n", " "])
def test_a_private_key_is_all_of_its_lines_however_these_are_broken(line_break: str) -> None:
    key = line_break.join(("-----BEGIN " + "PRIVATE KEY-----", *BODY, "-----END " + "PRIVATE KEY-----"))
    masked = mask_secrets(f'"private_key": "{key}", "client": "me"')
    assert not any(line in masked for line in BODY)
    assert masked.startswith('"private_key": "***')
    assert masked.endswith('***", "client": "me"')


def test_words_behind_what_only_begins_like_a_private_key_stay() -> None:
    text = "-----BEGIN " + "PRIVATE KEY----- is what the log says, and nothing else."
    assert mask_secrets(text).endswith("* is what the log says, and nothing else.")


@pytest.mark.parametrize("kind", sorted(PLANTED))
def test_of_the_word_in_which_a_credential_was_cut_nothing_stays(kind: str) -> None:
    secret = PLANTED[kind]
    for length in range(1, len(secret)):
        cut = f"curl {secret[:length]}"
        words, blank, last = cut.rpartition(" ")
        masked = mask_cut_secrets(cut)
        assert (len(masked), masked[len(words + blank) :]) == (len(cut), "*" * len(last)), length


def test_of_a_text_that_was_cut_behind_a_word_all_stays() -> None:
    assert mask_cut_secrets("make test \n") == "make test \n"
    assert mask_cut_secrets("") == ""


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
