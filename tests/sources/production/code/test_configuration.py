from __future__ import annotations

import pytest

from dream.sources.production.code.configuration import BadConfigurationError, Document, read_configuration

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)


def test_numbers_and_dates_that_are_written_unusually_stay_as_they_stand() -> None:
    written = b"version: 1.10\nmode: 0755\nport: 8080\nshare: 0.5\non: 2026-01-02\nyes: no\nbig: 1_000\nnone: ~\n"
    (document,) = read_configuration("a.yaml", written)
    assert document.value == {
        "version": "1.10",
        "mode": "0755",
        "port": 8080,
        "share": 0.5,
        "on": "2026-01-02",
        "yes": "no",
        "big": "1_000",
        "none": None,
    }
    (toml,) = read_configuration("a.toml", b"version = 1.10\nat = 2026-01-02T03:04:05Z\n")
    assert toml.value == {"version": "1.10", "at": "2026-01-02T03:04:05+00:00"}


def test_documents_of_one_file_are_numbered_and_named_by_what_they_are_about() -> None:
    data = b"kind: Service\nmetadata: {name: web}\n---\na: 1\n"
    assert read_configuration("a.yml", data) == (
        Document("#1 Service/web", {"kind": "Service", "metadata": {"name": "web"}}),
        Document("#2", {"a": 1}),
    )


def test_an_anchor_that_is_used_again_is_read() -> None:
    (document,) = read_configuration("a.yaml", b"base: &b {a: 1}\nweb: {<<: *b, c: 2}\nagain: *b\n")
    assert document.value == {"base": {"a": 1}, "web": {"a": 1, "c": 2}, "again": {"a": 1}}


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("a.yaml", BOMB.encode(), "it holds more than 50000 values"),
        ("a.yaml", b"a: &a [*a]\n", "it refers to itself"),
        ("a.yaml", b"a: 1\na: 2\n", "it cannot be read as YAML"),
        ("a.yaml", b"a: !!python/object/apply:os.system [id]\n", "it cannot be read as YAML"),
        ("a.yaml", b"a: !Ref b\n", "it cannot be read as YAML"),
        ("a.yaml", b"a: [" * 3_000, "it is nested too deep"),
        ("a.yaml", b"# " + b"x" * 130_000, "it holds more than 128000 bytes of YAML"),
        ("a.yaml", b"\xff\xfe", "it cannot be read as YAML"),
        ("a.yaml", b"---\na: 1\n" * 600, "it holds more than 500 documents"),
        ("a.json", b'{"a": NaN}', "it cannot be read as JSON"),
        ("a.json", b"[" * 100_000, "it cannot be read as JSON"),
        ("a.json", b" " * 1_000_001, "it holds more than 1000000 bytes"),
        ("a.toml", b"a = 1\na = 2\n", "it cannot be read as TOML"),
        ("a.ini", b"[a]\n", "its name is none of JSON, YAML or TOML"),
    ],
)
def test_what_cannot_be_read_safely_says_why(path: str, data: bytes, reason: str) -> None:
    with pytest.raises(BadConfigurationError) as raised:
        read_configuration(path, data)
    assert str(raised.value) == reason
