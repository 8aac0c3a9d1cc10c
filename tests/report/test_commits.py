from __future__ import annotations

from dream.report.commits import MOST_FILES, commits_payload, render_commits
from dream.report.story import NightCommit
from tests.report.records import NIGHT

COMMITS = (
    NightCommit(id="1" * 40, task="daily_note", subject="daily note: 2 of 2 inputs", files=("daily/2026-10-21.md",)),
    NightCommit(id="2" * 40, task="tidy", subject="revert tidy\x1b[1m", files=("a.md", "b\n.md"), is_revert=True),
)


def test_each_commit_stands_with_its_task_its_subject_and_its_files() -> None:
    assert render_commits("acme", NIGHT, COMMITS, remarks=["the remote could not be asked"]).split("\n") == [
        "acme: the night of 2026-10-22, 2 commits",
        "note: the remote could not be asked",
        "",
        f"{'1' * 40}  daily note",
        "  daily note: 2 of 2 inputs",
        "    daily/2026-10-21.md",
        "",
        f"{'2' * 40}  revert tidy",
        "  revert tidy\\x1b[1m",
        "    a.md",
        "    b .md",
    ]


def test_a_commit_of_very_many_files_says_how_many_more_there_are() -> None:
    many = NightCommit(id="1" * 40, task="tidy", subject="tidy", files=tuple(f"{n}.md" for n in range(MOST_FILES + 2)))
    assert render_commits("acme", NIGHT, [many]).endswith(f"    {MOST_FILES - 1}.md\n    … and 2 more files")


def test_the_document_of_the_list_holds_whole_messages() -> None:
    document = commits_payload("acme", NIGHT, COMMITS[:1])
    assert document == {
        "organisation": "acme",
        "night": "2026-10-22",
        "commits": [
            {
                "id": "1" * 40,
                "task": "daily_note",
                "subject": "daily note: 2 of 2 inputs",
                "body": "",
                "files": ["daily/2026-10-21.md"],
                "revert": False,
            }
        ],
        "remarks": [],
    }
