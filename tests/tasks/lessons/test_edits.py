from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.pull_requests.values import FileEdit
from tasks.lessons.diffs import digest_of_edits, runs_of
from tasks.lessons.edits import Change, changes_in, suffix_of
from tests.tasks.lessons.records import patch


def file(path: str, *pairs: tuple[str, str], status: str = "modified", around: str = "") -> FileEdit:
    return FileEdit(path=path, status=status, patch=patch(*pairs, around=around))


def changes(*edits: FileEdit, most: int = 200, characters: int = 4_000) -> tuple[Change, ...]:
    return changes_in(edits, most=most, characters=characters)


def parts(old: str, new: str, path: str = "src/a.ts") -> list[tuple[str, str]]:
    return [(one.old, one.new) for one in changes(file(path, (old, new)))]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("  console.log(err);", "  logger.error(err);", ("console.log", "logger.error")),
        ("  let total = 0;", "  const total = 0;", ("let", "const")),
        ("const a = load();", "const a = await load();", ("load", "await load")),
        ("catch (e: any) {", "catch (e: unknown) {", ("any", "unknown")),
        ("if (x == null) {", "if (x === null) {", ("==", "===")),
        ("import moment from 'moment';", "import dayjs from 'dayjs';", ("moment from 'moment'", "dayjs from 'dayjs'")),
        ("assert.equal(a, b)", "expect(a).toBe(b)", None),
        ("return 1;", "throw new Error('no');", None),
    ],
)
def test_what_of_a_line_became_what(old: str, new: str, expected: tuple[str, str] | None) -> None:
    assert parts(old, new) == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("const a = 'x';", 'const a = "x";'),
        ("call(a,b)", "call(a, b);"),
        ("  call(a)", "    call(a)"),
        ('"react": "18.2.0",', '"react": "18.3.1",'),
        ("image: web:v1.2.3", "image: web:v1.2.4"),
        ("timeout = 30", "timeout = 60"),
        ("import { a, b } from 'c'", "import { b, a } from 'c'"),
        ("from x import a, b", "from x import b, a"),
        ("# This is it", "# This is it."),
        ("Updated on 3 March 2026", "Updated on 4 April 2026"),
        ("<b>one</b>", "<strong>one</strong>"),
        ("const data = load();", "const rows = load();"),
        ("for (i of a) {", "for (j of a) {"),
        ("x: int = 3", "x: int | None = 3"),
        ("uses: actions/checkout@a1b2c3d4e5f6a7b8", "uses: actions/checkout@b1b2c3d4e5f6a7b9"),
        ("call(`a`)", "call(`b`)"),
    ],
)
def test_form_order_versions_and_single_names_are_no_change(old: str, new: str) -> None:
    assert parts(old, new) == []


@pytest.mark.parametrize(
    "path",
    [
        "package-lock.json",
        "web/yarn.lock",
        "Cargo.lock",
        "go.sum",
        "CHANGELOG.md",
        "dist/a.js",
        "src/__snapshots__/a.ts",
        "api/v1_pb2.py",
        "lib/a.min.js",
        "vendor/x/a.go",
    ],
)
def test_nothing_of_a_generated_file_counts(path: str) -> None:
    assert changes(file(path, ("console.log(err)", "logger.error(err)"))) == ()


def test_a_line_that_moved_was_not_changed() -> None:
    moved = file("a.ts", ("first.call(one)", "second.call(one)"), ("second.call(one)", "first.call(one)"))
    assert changes(moved) == ()


def test_a_name_that_is_renamed_throughout_counts() -> None:
    renamed = file("a.ts", ("getUser(1)", "fetchUser(1)"), ("getUser(2)", "fetchUser(2)"))
    assert [(one.old, one.new, one.times) for one in changes(renamed)] == [("getUser", "fetchUser", 2)]


def test_runs_of_different_length_are_matched_by_what_is_alike() -> None:
    run = file("a.py", ("x = 1\nprint(total)", "log.info(total)"))
    assert [(one.old, one.new) for one in changes(run)] == [("print", "log.info")]


def test_a_removed_file_counts_by_its_name_or_where_that_says_nothing_by_its_path() -> None:
    removed = [FileEdit(path=path, status="removed") for path in ("docs/PLAN.md", "src/index.ts", "web/yarn.lock")]
    assert [one.old for one in changes(*removed)] == ["src/index.ts", "PLAN.md"]


def test_the_same_change_in_files_of_one_kind_has_one_key() -> None:
    pair = ("console.log(err)", "logger.error(err)")
    keys = [changes(file(path, pair))[0].key for path in ("src/a.ts", "web/b.ts", "web/b.js")]
    assert keys[0] == keys[1] != keys[2]
    assert (suffix_of("a/Makefile"), suffix_of("a/.env"), suffix_of("a.b.ts")) == ("Makefile", ".env", ".ts")


def test_files_patches_and_lines_are_bounded() -> None:
    pair = ("console.log(err)", "logger.error(err)")
    assert len(changes(file("a.ts", pair), file("b.js", pair), most=1)) == 1
    assert changes(file("a.ts", ("x" * 400 + ".a(b)", "x" * 400 + ".c(b)"))) == ()
    assert changes(file("a.ts", ("one = 1", "two = 2"), pair), characters=30) == ()


def test_the_digest_says_nothing_of_where_in_a_file_it_was() -> None:
    edits = [file("a.ts", ("a", "b")), file("b.ts", ("c", "d"))]
    moved = FileEdit(path="a.ts", status="modified", patch=(edits[0].patch or "").replace("@@ -1", "@@ -9"))
    assert digest_of_edits(edits) == digest_of_edits([edits[1], moved]) != digest_of_edits(edits[:1])


LINES = st.lists(st.sampled_from(["+a.b(c)", "-a.d(c)", " x", "@@ -1 +1 @@", "\\ No newline", "", "-", "+", "--- a"]))


@given(LINES, st.text(max_size=80))
def test_any_patch_is_read_and_its_runs_stand_in_it(lines: list[str], junk: str) -> None:
    edit = FileEdit(path="a.ts", status="modified", patch="\n".join([*lines, junk]))
    for run in runs_of([edit], characters=4_000):
        assert run.gone or run.come
    assert all(one.old and (one.new or one.run is None) for one in changes(edit))
