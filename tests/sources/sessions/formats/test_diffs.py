from __future__ import annotations

from dream.sources.sessions.formats.diffs import Edit, edits_of_patch, hunks_of

MOST = 1000


def test_a_patch_is_its_files_with_what_changes_in_each() -> None:
    patch = (
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@ def f():\n x\n-1\n+2\n"
        "*** End of File\n*** Delete File: old.txt\n*** Add File: new.txt\n+one\n+two\n*** End Patch\n+not this\nEOF"
    )
    assert edits_of_patch(patch, most=MOST) == (
        Edit("b.py", "@@ def f():\n x\n-1\n+2"),
        Edit("old.txt", ""),
        Edit("new.txt", "+one\n+two"),
    )


def test_a_patch_that_is_none_or_cut_off_edits_what_is_whole() -> None:
    assert edits_of_patch("git diff", most=MOST) == ()
    assert edits_of_patch("*** Begin Patch\n*** Add File: a\n+1\n*** Add File: b\n+2", most=MOST) == (Edit("a", "+1"),)


def test_a_diff_is_bounded_by_whole_lines() -> None:
    patch = "*** Begin Patch\n*** Add File: a\n" + "+0123456789\n" * 50 + "*** End Patch"
    (edit,) = edits_of_patch(patch, most=30)
    assert edit.diff == "+0123456789\n+0123456789"


def test_hunks_are_without_the_headers_of_their_files() -> None:
    diff = (
        "diff --git a/a b/a\nindex 1..2\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n\\ No newline at end of file\n"
        "diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1,2 @@\n 1\n+2\n"
    )
    assert hunks_of(diff, most=MOST) == "@@ -1 +1 @@\n-1\n+2\n@@ -1 +1,2 @@\n 1\n+2"
    assert hunks_of("Index: a\n====\n--- a\n+++ a\n@@ -1 +1 @@\n-- 1\n++ 2", most=MOST) == "@@ -1 +1 @@\n-- 1\n++ 2"
    assert hunks_of("no diff", most=MOST) == ""
