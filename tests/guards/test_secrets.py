from __future__ import annotations

import hashlib
import uuid
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.secret_kinds import LEAST_WORD, SECRET_KINDS
from dream.guards.secrets import Secret, find_secrets, fold_secrets, guard_secrets, redact_secrets
from dream.memory.operations import Add, Basis, Refusal, Revise, Span
from dream.memory.tree import blob_id
from tests.guards.planted_secrets import planted_secrets
from tests.guards.proposals import propose

PLANTED = planted_secrets()
TREES = Path("../shared/data/memory_trees")


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED.keys())
def test_every_planted_kind_is_found_in_a_sentence(planted: str) -> None:
    text = f"For the record, Ana used {planted} yesterday."
    assert find_secrets(text)


def test_at_least_forty_kinds_are_planted() -> None:
    assert len(PLANTED) >= 40


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED.keys())
def test_a_mask_leaves_nothing_of_a_secret(planted: str) -> None:
    found = find_secrets(planted)
    masked = redact_secrets(f"use {planted} now")
    assert all(planted[secret.start : secret.end] not in masked for secret in found)
    assert masked.startswith("use ")
    assert masked.endswith(" now")


@given(st.integers(min_value=1, max_value=4_000))
def test_other_credentials_of_the_same_kinds_are_found(seed: int) -> None:
    assert [kind for kind, planted in planted_secrets(seed).items() if not find_secrets(f"so {planted} it is")] == []


@given(st.binary(max_size=64), st.uuids())
def test_hashes_ids_and_paths_are_no_secrets(data: bytes, identifier: uuid.UUID) -> None:
    sha1, sha256 = blob_id(data), hashlib.sha256(data).hexdigest()
    text = (
        f"commit {sha1} of blob {sha256}, run {identifier}, sha256:{sha256}, digest = '{sha256}', id: {identifier}, "
        f"see src/auth/token_store.py and .dream/nights/2026-10-21.json at {sha1[:7]}"
    )
    assert find_secrets(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "credential: env:ACME_GIT_TOKEN",
        'api_key = os.environ["OPENAI_API_KEY"]',
        "password: ${DB_PASSWORD}",
        'password = "{{ vault.password }}"',
        "token: <your-token>",
        'api_key = "your_api_key_here"',
        "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxx",
        "postgres://user:password@localhost/db",
        "AKIAIOSFODNN7EXAMPLE",
        "token: string",
        "secret: settings.secret_key",
        "the token is validated by middleware",
        "password: required",
        "token_url = https://auth.acme.example/oauth/token",
        "tokens: 12000",
        "max_tokens=4096",
        "the key is in services/checkout-api.md",
        "password hashing uses argon2id with 64 MiB",
        "public_key: keys/main.pub",
    ],
)
def test_names_and_stand_ins_of_secrets_are_none(text: str) -> None:
    assert find_secrets(text) == ()


def test_a_secret_is_named_and_placed_and_its_characters_are_not_kept() -> None:
    token = PLANTED["github personal"]
    assert find_secrets(f"a {token} b") == (Secret("github-token", 2, 2 + len(token)),)
    assert token not in repr(find_secrets(token))


BEGIN, END = (f"-----{word} RSA " + "PRIVATE KEY-----" for word in ("BEGIN", "END"))
BODY = ("MIIEowIBAAKCAQEA" * 4, "9bFlIkpYt5HfavHY" * 4, "KYqGgyL5BFgR==")


@pytest.mark.parametrize(
    "lines",
    [
        (BEGIN, *BODY, END),
        (BEGIN, *BODY),
        (BEGIN, "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,0A", "", *BODY, END),
    ],
)
@pytest.mark.parametrize("break_", ["\n", "\r\n", "\n+", "\n    "])
def test_a_private_key_is_all_of_its_lines(lines: tuple[str, ...], break_: str) -> None:
    key = break_.join(lines)
    assert redact_secrets(f"see\n{key}\nand then, at last, more") == (
        "see\n[secret: private-key]\nand then, at last, more"
    )
    assert fold_secrets(f"see\n{key}\nand then, at last, more").count("\n") == 2


def test_what_holds_no_credential_of_several_lines_folds_to_itself() -> None:
    text = f"grep for {BEGIN} here\n\n{PLANTED['npm']}\nand there: no key\n"
    assert fold_secrets(text) == text


def test_nothing_is_found_twice() -> None:
    text = "\n".join(PLANTED.values())
    found = find_secrets(text)
    assert all(first.end <= second.start for first, second in pairwise(found))


def test_every_kind_can_be_found_by_its_literal() -> None:
    """A literal that is not lower case, or not in what the pattern matches, would switch its kind off."""
    assert [kind.name for kind in SECRET_KINDS if kind.literal != kind.literal.lower()] == []


def test_new_text_with_a_secret_is_refused_and_the_detail_masks_it() -> None:
    token = PLANTED["anthropic"]
    refusal = guard_secrets(propose(Add(path="a.md", text=f"- use {token}"), {"a.md": "- one\n"}))
    assert refusal == Refusal("secret", f"anthropic-key of {len(token)} characters in its text")


def test_a_secret_in_the_basis_or_the_path_is_refused() -> None:
    token = PLANTED["npm"]
    basis = Basis(evidence=(f"npm login {token}",))
    assert guard_secrets(propose(Add(path="a.md", text="- x", basis=basis), {"a.md": ""})) == Refusal(
        "secret", "npm-token of 40 characters in its basis"
    )
    opened = Add(path=f"{token}.md", text="- x", opening="# x")
    assert guard_secrets(propose(opened, {})) == Refusal("secret", "npm-token of 40 characters in its path")


def test_a_secret_that_stands_there_already_does_not_stop_a_mended_link() -> None:
    line = f"- {PLANTED['npm']} and [old](old.md)"
    revise = Revise(span=Span(path="a.md", text=line), new=line.replace("old.md", "new.md"))
    assert guard_secrets(propose(revise, {"a.md": f"{line}\n"})) is None


@pytest.mark.skipif(not TREES.is_dir(), reason="../shared/data is not here")
def test_at_most_one_line_in_two_hundred_of_real_memories_is_taken_for_a_secret() -> None:
    lines = [
        line
        for path in sorted(TREES.rglob("*"))
        if path.is_file()
        for line in path.read_bytes().decode(errors="replace").split("\n")
        if line.strip()
    ]
    hits = sum(bool(find_secrets(line)) for line in lines)
    assert hits <= 0.005 * len(lines)


def test_kinds_that_are_looked_for_in_words_alone_match_no_blank_and_nothing_shorter() -> None:
    words = [kind for kind in SECRET_KINDS if kind.is_word]
    assert len(words) > 50
    assert [kind.name for kind in words if " " in kind.pattern.pattern or "\\s" in kind.pattern.pattern] == []
    for kind in words:
        for secret in planted_secrets().values():
            for match in kind.pattern.finditer(secret):
                assert len(match[0]) >= LEAST_WORD
                assert kind.literal in match[0].lower()
