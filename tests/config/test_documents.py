from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.documents import MAX_BYTES, MAX_DEPTH, read_mapping
from dream.errors import UsageError


def _file(folder: Path, text: str | bytes) -> Path:
    path = folder / "acme.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_words_that_older_yaml_takes_for_truth_values_stay_words(tmp_path: Path) -> None:
    assert read_mapping(_file(tmp_path, "branch: no\nperson: on\ncount: 3\nflag: true\n")) == {
        "branch": "no",
        "person": "on",
        "count": 3,
        "flag": True,
    }


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path: Path) -> None:
    assert read_mapping(_file(tmp_path, b"\xef\xbb\xbforganisation: acme\n")) == {"organisation": "acme"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "holds no mapping of keys"),
        ("- a\n- b\n", "holds no mapping of keys"),
        ("just words\n", "holds no mapping of keys"),
        (b"\xff\xfe\x00", "is not UTF-8: byte 0"),
        ("a: [1, 2\n", "line 2 is no YAML"),
        ("a: 1\nb: {c: 1, d: 2, c: hunter2}\n", "b.c stands twice, in lines 2 and 2"),
        ("a: 1\na: hunter2\n", "a stands twice, in lines 1 and 2"),
        ("a: [{b: 1, b: hunter2}]\n", "a[0].b stands twice, in lines 1 and 1"),
        ("a: &x hunter2\nb: *x\n", "line 1 has an anchor or alias"),
        ("a: *x\n", "line 1 has an anchor or alias"),
        ("a: !!python/object/apply:os.system [hunter2]\n", "line 1 has a tag"),
        ("a: !secret hunter2\n", "line 1 has a tag"),
        ("? [a, b]\n: 1\n", "line 1 has a key that is no word"),
        ("a: 1\n---\nb: 2\n", "line 2 is no YAML"),
        ("a: \x07\n", "is no YAML"),
        ("a: " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), f"line 1 is nested more than {MAX_DEPTH} deep"),
        ("a: " + "x" * MAX_BYTES, f"is larger than {MAX_BYTES:,} bytes"),
        ("a: 2026-02-30\n", "is no YAML"),
    ],
)
def test_what_is_no_plain_mapping_is_refused_by_name_and_cause(
    tmp_path: Path, text: str | bytes, complaint: str
) -> None:
    path = _file(tmp_path, text)
    with pytest.raises(UsageError) as refusal:
        read_mapping(path)
    assert str(refusal.value).startswith(f"{path}: {complaint}")
    assert "hunter2" not in str(refusal.value)
    assert refusal.value.way_out


def test_an_anchor_bomb_costs_no_more_than_its_own_length(tmp_path: Path) -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]" for old, new in zip("abcdefgh", "bcdefghi", strict=True)]
    with pytest.raises(UsageError, match="line 1 has an anchor"):
        read_mapping(_file(tmp_path, "\n".join(lines)))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"acme\.yaml: cannot be read: No such file"):
        read_mapping(tmp_path / "acme.yaml")


@given(st.one_of(st.binary(max_size=200), st.text(alphabet='ab:-?[]{}&*!|>"%\n #,', max_size=60).map(str.encode)))
def test_no_bytes_bring_out_another_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = _file(tmp_path_factory.getbasetemp(), data)
    with contextlib.suppress(UsageError):
        assert isinstance(read_mapping(path), dict)
