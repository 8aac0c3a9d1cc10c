"""Status, log and report, from the branch and from this installation's own notes."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from dream.errors import FatalError, RemoteError, UsageError
from dream.repository.lock import lock
from flows.commands.night_log import tell_commits
from flows.commands.reading import tell_report, tell_status
from flows.publishing import publish_failure
from tests.support.commands import configure
from tests.support.repositories import import_commit
from tests.support.served import ANY_STEP, Fault, Served
from tests.support.stage import MEMORY, NIGHT, Stage, failing, stage_of


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    return made


def status(stage: Stage, name: str = "acme") -> dict[str, object]:
    answer = tell_status(configure(stage), name, clock=stage.clock())
    (document,) = answer.document["organisations"]
    return {key: document[key] for key in ("needs", "newest_landed", "failing_since", "without_landing")}


def reasons(stage: Stage) -> list[str]:
    answer = tell_status(configure(stage), "acme", clock=stage.clock())
    return [reason["why"] for reason in answer.document["organisations"][0]["reasons"]]


def test_a_night_that_landed_needs_nothing(stage: Stage) -> None:
    stage.dream()
    assert status(stage) == {
        "needs": "nothing",
        "newest_landed": "2026-10-22",
        "failing_since": None,
        "without_landing": [],
    }


def test_a_task_that_failed_needs_a_retry_and_then_nothing(stage: Stage) -> None:
    stage.dream(steps=failing("tidy"))
    assert (status(stage)["needs"], status(stage)["failing_since"]) == ("a retry", "2026-10-22")
    stage.dream()
    assert (status(stage)["needs"], status(stage)["failing_since"]) == ("nothing", None)


def test_nights_without_a_landing_are_told_from_this_installations_notes(stage: Stage) -> None:
    stage.dream()
    stage.now += timedelta(days=2)
    publish_failure(stage.workplace(), NIGHT + timedelta(days=2), RemoteError("the remote was down"), at=stage.now)
    assert status(stage) == {
        "needs": "a retry",
        "newest_landed": "2026-10-22",
        "failing_since": "2026-10-23",
        "without_landing": ["2026-10-24", "2026-10-23"],
    }


def test_status_works_while_the_remote_is_down_and_says_so(stage: Stage, served: Served) -> None:
    stage.dream()
    served.fail(Fault.REFUSE, on=ANY_STEP, times=None)
    answer = tell_status(configure(stage), "acme", clock=stage.clock())
    (document,) = answer.document["organisations"]
    assert (document["newest_landed"], document["needs"]) == ("2026-10-22", "a retry")
    assert document["remarks"] == ["the remote could not be asked; this is the branch as it was last fetched"]
    assert "refuses to serve" in document["reasons"][0]["why"]
    assert answer.exit_code == 0


def test_status_works_while_a_run_is_at_work_and_says_so(stage: Stage) -> None:
    stage.dream()
    with lock(stage.workplace().home):
        answer = tell_status(configure(stage), "acme", clock=stage.clock())
    (document,) = answer.document["organisations"]
    assert (document["newest_landed"], document["needs"]) == ("2026-10-22", "nothing")
    assert document["remarks"][0].startswith("a run is at work now (process ")


def test_a_rewritten_history_needs_a_person_and_the_way_out_is_named(stage: Stage) -> None:
    stage.dream()
    import_commit(stage.hosted, MEMORY, message="memory: begun again")
    answer = tell_status(configure(stage), "acme", clock=stage.clock())
    (document,) = answer.document["organisations"]
    assert document["needs"] == "a person"
    assert "was rewritten" in document["reasons"][0]["why"]
    assert document["reasons"][0]["way_out"].endswith("dream run acme --accept-history")


def test_a_state_that_somebody_forged_is_told(stage: Stage) -> None:
    stage.dream()
    stage.person().edit({".dream/state.json": '{"version": 1, "lastCommit": ""}'})
    answer = tell_status(configure(stage), "acme", clock=stage.clock())
    assert ".dream/state.json of " in answer.text
    assert "was passed over: it was committed by Ada Person" in answer.text


def test_a_newer_state_needs_a_person(stage: Stage) -> None:
    stage.dream()
    stage.person().edit({".dream/state.json": '{"version": 7}'})
    assert reasons(stage)[0].startswith(".dream/state.json has version 7")


def test_a_missing_credential_needs_a_person_and_the_notes_are_told_all_the_same(stage: Stage) -> None:
    stage.dream()
    stage.extra = {"memory": {"url": stage.hosted.url, "credential": "env:ACME_NO_SUCH_VARIABLE"}}
    told = status(stage)
    assert told["needs"] == "a person"
    assert reasons(stage)[0] == (
        "organisation acme: the credential env:ACME_NO_SUCH_VARIABLE is missing: the variable is not set"
    )
    with pytest.raises(FatalError, match="ACME_NO_SUCH_VARIABLE"):
        tell_commits(configure(stage), "acme", night=None, clock=stage.clock())
    report = tell_report(configure(stage), "acme", night=None, clock=stage.clock())
    assert report.text.startswith("# acme: the night of 2026-10-22\n")


def test_a_system_whose_credential_is_missing_needs_a_person_who_is_told_which_and_how(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.dream()
    closed = {"name": "orders-db", "kind": "sql", "url": "postgresql://reader@db.acme.example/orders"}
    stage.extra = {"production": [{**closed, "credential": "env:ACME_ORDERS_DB"}]}
    answer = tell_status(configure(stage), "acme", clock=stage.clock())
    assert answer.document["organisations"][0]["reasons"] == [
        {
            "wanted": "a person",
            "why": "system orders-db is not asked, and what it could bear out stays unverified: organisation acme: "
            "the credential env:ACME_ORDERS_DB is missing: the variable is not set",
            "way_out": "set ACME_ORDERS_DB where this runs",
        }
    ]
    monkeypatch.setenv("ACME_ORDERS_DB", "s3cr3t-3")
    assert status(stage)["needs"] == "nothing"


def test_one_broken_organisation_does_not_hide_the_others(stage: Stage) -> None:
    stage.dream()
    settings = configure(stage)
    (stage.root / "broken.yaml").write_text("organisation: broken\nmemory: {url: x, brunch: main}\n")
    answer = tell_status(settings, "", clock=stage.clock())
    told = [(document["organisation"], document["needs"]) for document in answer.document["organisations"]]
    assert told == [("acme", "nothing"), ("broken", "a person")]
    assert "did you mean branch?" in answer.text
    assert answer.exit_code == 2


def test_status_of_an_unknown_organisation_is_wrong_usage(stage: Stage) -> None:
    with pytest.raises(UsageError, match="no organisation 'acne'"):
        tell_status(configure(stage), "acne", clock=stage.clock())


def test_the_log_of_the_newest_night_lists_its_commits_as_git_has_them(stage: Stage) -> None:
    before = stage.hosted.tip()
    stage.dream()
    answer = tell_commits(configure(stage), "acme", night=None, clock=stage.clock())
    told = [(commit["id"], commit["subject"]) for commit in reversed(answer.document["commits"])]
    subjects = stage.hosted.log(f"{before}..main")
    assert [subject for _, subject in told] == subjects
    assert told[0][0] == stage.hosted.tip()
    assert answer.text.startswith("acme: the night of 2026-10-22, 4 commits\n")


def test_the_log_of_a_night_that_did_not_land_names_those_that_did(stage: Stage) -> None:
    settings = configure(stage)
    assert tell_commits(settings, "acme", night=None, clock=stage.clock()).text == "acme: no night has landed yet"
    stage.dream()
    with pytest.raises(UsageError, match=r"acme has no night of 2026-10-21") as refusal:
        tell_commits(settings, "acme", night=NIGHT - timedelta(days=1), clock=stage.clock())
    assert refusal.value.way_out == "the newest that it has: 2026-10-22"


def test_a_report_is_told_from_the_branch_where_nothing_was_left_here(stage: Stage) -> None:
    stage.dream(home="elsewhere")
    report = tell_report(configure(stage), "acme", night=None, clock=stage.clock())
    assert report.text.startswith("# acme: the night of 2026-10-22\n\n- **Landed** at `")
    assert "## Runs" not in report.text
    assert "## How to take one back" in report.text


def test_a_report_after_a_revert_tells_of_it(stage: Stage) -> None:
    stage.dream()
    stage.revert("tidy")
    report = tell_report(configure(stage), "acme", night=NIGHT, clock=stage.clock())
    assert "### taken back: tidy: `" in report.text
    assert "Taken back with `dream revert` by now: 1 edit of this night." in report.text


def test_what_people_undid_is_told_the_night_after(stage: Stage) -> None:
    stage.dream()
    stage.person().revert(stage.commit_of("tidy"))
    stage.next_night()
    report = tell_report(configure(stage), "acme", night=None, clock=stage.clock())
    assert "## Undone by people, and not done again\n\n- merge of tidy in " in report.text


def test_a_report_of_a_night_that_never_ran_is_wrong_usage(stage: Stage) -> None:
    settings = configure(stage)
    assert tell_report(settings, "acme", night=None, clock=stage.clock()).text == "# acme: no night has run yet"
    with pytest.raises(UsageError) as refusal:
        tell_report(settings, "acme", night=NIGHT, clock=stage.clock())
    assert refusal.value.way_out == "dream run acme"
