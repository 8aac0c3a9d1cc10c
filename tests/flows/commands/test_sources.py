"""Where an entry comes from, from the memory down to the lines that somebody typed."""

from __future__ import annotations

import json
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from dream.errors import FatalError
from dream.memory.sources import render_citation
from flows.commands.answers import Answer
from flows.commands.sources import tell_source
from tests.support.commands import configure
from tests.support.probes import TableProbe, found, serving
from tests.support.sensible import converse
from tests.support.served import Served
from tests.support.spoiled import CALM
from tests.support.stage import Stage, stage_of
from tests.support.town import THREADS, settle

ASKED = "Two things:\nthe port is 9443, not 8443.\nThat is all."
DONE = "I changed the port in its configuration."
QUOTE = "the port is 9443"
START = ASKED.index(QUOTE)
MARK = f"thread_00000001/m1:{START}-{START + len(QUOTE)} {sha256(QUOTE.encode()).hexdigest()}"
LINE = "2026-10-21 09:00  1m  ana  web@main  I changed the port in its configuration.  -  thread_00000001"


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    converse(made, 1, ASKED, DONE)
    cited = render_citation(["person:ana@thread_00000001"], date(2026, 10, 21))
    ada = made.person()
    ada.commit({"services/port.md": f"# Port\n\nIt is ours.\n\n- 2026-10-21: The port is 9443. {cited}\n"})
    ada.push()
    made.dream()
    return made


def told(stage: Stage, source: str) -> Answer:
    return tell_source(configure(stage), "acme", source, clock=stage.clock())


def test_the_mark_of_a_quote_gives_its_lines_with_who_said_them_and_when(stage: Stage) -> None:
    answer = told(stage, MARK)
    assert (answer.text.split("\n"), answer.exit_code) == (
        [
            LINE,
            "# m1  2026-10-21 09:00:00  person  ana",
            "thread_00000001:m1: the port is 9443, not 8443.",
            f"# characters {START} to {START + len(QUOTE)}: the port is 9443",
            "# its digest holds",
        ],
        0,
    )
    assert answer.document["quote"] == {
        "start": START, "end": START + len(QUOTE), "text": QUOTE, "checked": True,
    }  # fmt: skip
    assert answer.document["message"]["author"] == "ana"


def test_a_message_is_given_whole(stage: Stage) -> None:
    assert told(stage, "thread_00000001/m1").text.split("\n") == [
        LINE,
        "# m1  2026-10-21 09:00:00  person  ana",
        *(f"thread_00000001:m1: {line}" for line in ASKED.split("\n")),
    ]
    assert told(stage, "person:ana@thread_00000001/m2").text.endswith(f"thread_00000001:m2: {DONE}")


def test_a_place_without_a_digest_says_that_nothing_was_checked(stage: Stage) -> None:
    answer = told(stage, MARK.partition(" ")[0])
    assert answer.text.endswith("# without a digest nothing tells whether these are the words")
    assert answer.document["quote"]["checked"] is False


def test_words_that_are_not_there_are_exit_1_and_are_not_made_up(stage: Stage) -> None:
    for mark, why in (
        (MARK[:-1] + ("0" if MARK[-1] != "0" else "1"), "these words are not in it"),
        ("thread_00000001/m9", "these words are not in it"),
        ("thread_00000009/m1", "no such session is kept"),
    ):
        answer = told(stage, mark)
        assert (answer.exit_code, answer.document["quote"]) == (1, None)
        assert answer.text == f"# {mark.partition(':')[0].partition(' ')[0]}: {why}"


@pytest.mark.parametrize("source", ["thread_00000001", "person:ana@thread_00000001"])
def test_a_thread_gives_the_entries_that_rest_on_it_and_the_nights_that_wrote_of_it(stage: Stage, source: str) -> None:
    answer = told(stage, source)
    lines = answer.text.split("\n")
    assert (lines[0], answer.exit_code) == (LINE, 0)
    assert "services/port.md:5: - 2026-10-21: The port is 9443. [person:ana@thread_00000001, 2026-10-21]" in lines
    assert "# the night of 2026-10-22, daily_note, add: daily/2026-10-21.md" in lines
    assert {"path": "services/port.md", "line": 5} in [
        {key: one[key] for key in ("path", "line")} for one in answer.document["entries"]
    ]


def test_a_thread_of_which_nothing_is_kept_gives_the_entries_alone(stage: Stage) -> None:
    statement = "Payments are captured within seven days of the order."
    answer = told(stage, "thread_0002")
    assert (answer.text.split("\n"), answer.exit_code) == (
        [
            "# no session called thread_0002 is kept",
            f"services/checkout.md:4: - 2026-10-02: {statement} [thread_0002, 2026-10-02]",
        ],
        0,
    )


def test_the_checks_of_an_entry_stand_on_lines_of_their_own(stage: Stage) -> None:
    cited = render_citation(["person:ana@thread_00000001"], date(2026, 10, 21))
    checks = "  check: status get `/port` is `9443`\n  check: status status `/` is `200`\n"
    stage.person("Bo Person").edit(
        {"services/port.md": f"# Port\n\n- 2026-10-21: The port is\n  9443. {cited}\n{checks}"}
    )
    assert [
        line for line in told(stage, "thread_00000001").text.split("\n") if line.startswith("services/port.md")
    ] == [
        f"services/port.md:3: - 2026-10-21: The port is 9443. {cited}",
        "services/port.md:5: check: status get `/port` is `9443`",
        "services/port.md:6: check: status status `/` is `200`",
    ]


def test_no_credential_that_somebody_wrote_into_an_entry_is_shown(stage: Stage) -> None:
    token = "gh" + "p_" + "a1B2c3D4e5" * 4
    ada = stage.person("eve")
    ada.commit({"services/token.md": f"# Token\n\n- 2026-10-21: It is {token}. [thread_0005, 2026-10-21]\n"})
    ada.push()
    stage.now += timedelta(days=1)
    stage.dream(date(2026, 10, 23))
    answer = told(stage, "thread_0005")
    assert [one["line"] for one in answer.document["entries"]] == [3]
    assert token not in answer.text + json.dumps(answer.document)


def test_what_nobody_knows_is_exit_1(stage: Stage) -> None:
    answer = told(stage, "thread_nowhere")
    assert (answer.exit_code, answer.document["entries"], answer.document["sessions"]) == (1, [], [])


def test_of_other_sources_it_is_said_where_they_are_found(stage: Stage) -> None:
    path = str(stage.root / "pull-requests.json")
    (stage.root / "pull-requests.json").write_text(json.dumps([]), encoding="utf-8")
    stage.extra = {
        "pull_requests": [{"kind": "recorded", "path": path}],
        "production": [{"name": "web", "kind": "code", "url": "https://git.acme.example/web.git"}],
    }
    assert told(stage, "acme/web#41").text.split("\n")[0] == (
        f"# acme/web#41 is a pull request; its record is read from {path}"
    )
    assert told(stage, "probe:web").text.split("\n")[0] == (
        "# probe:web is the repository at https://git.acme.example/web.git; what it answered is in the commit messages "
        "of the nights below"
    )
    assert told(stage, "probe:web").text.split("\n")[1] == (
        f"# all that it answered in a night is kept in production/ of {stage.root}/home/acme/store; "
        "dream source acme o3@2026-10-22 shows o3 of that night"
    )
    assert "a system that is not configured any more" in told(stage, "probe:gone").text
    assert "nothing of it is kept" in told(stage, "web:docs.example").text


def test_what_a_system_answered_in_a_night_is_shown_under_the_id_that_commits_cite(
    served: Served, tmp_path: Path
) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    entry = "- 2026-10-01: orders runs 7 replicas. [thread_0001, 2026-10-01]"
    note = f"# orders\n\n{entry}\n  check: metrics get `orders` is `7`\n"
    stage = stage_of(served, tmp_path, {"services/orders.md": note})
    answers = {("get", "orders"): found("orders", replicas="7", token=secret)}
    stage.dream(probes=serving(TableProbe(answers=answers)))
    shown = told(stage, "o1@2026-10-22")
    assert (shown.exit_code, shown.text.split("\n")) == (
        0,
        [
            "# o1 of production/2026-10/2026-10-22.jsonl, 2026-10-22 04:00:05 UTC",
            "metrics get `orders`",
            "value: 7",
            f"line: orders: replicas=7 token={'*' * len(secret)}",
            "name: orders",
        ],
    )
    assert [(one["id"], one["values"]) for one in shown.document["answers"]] == [("o1", ["7"])]
    stage.person().edit({"services/new.md": note.replace("orders", "queue")})
    stage.dream(probes=serving(TableProbe(down="it is off")), redo=["production_verification"])
    assert told(stage, "o1@2026-10-22").text.split("\n")[5:] == [
        "# o1 of production/2026-10/2026-10-22.2.jsonl, 2026-10-22 04:00:05 UTC",
        "metrics get `queue`",
        "down: it is off",
    ]
    for nothing in ("o9@2026-10-22", "o1@2026-10-20"):
        assert (told(stage, nothing).exit_code, "nothing is kept of" in told(stage, nothing).text) == (1, True)
    assert "no session called o1@2026-10-99" in told(stage, "o1@2026-10-99").text
    (tmp_path / "home/acme/store/production/2026-10/2026-10-22.jsonl").write_text("{}")
    with pytest.raises(FatalError, match=r"2026-10-22\.jsonl is no file of answers: line 1: "):
        told(stage, "o1@2026-10-22")


def test_a_memory_that_cannot_be_asked_leaves_what_is_kept(stage: Stage, served: Served) -> None:
    served.close()
    answer = told(stage, "thread_00000001")
    assert answer.text.split("\n")[0] == LINE
    assert any("could not be asked" in remark for remark in answer.document["remarks"])


def test_the_words_that_a_night_rested_on_are_told_with_it(served: Served, tmp_path: Path) -> None:
    stage = stage_of(served, tmp_path)
    with settle(stage) as town:
        assert town.dream().exit_code == 0
        answer = told(stage, THREADS[0])
    lines = answer.text.split("\n")
    (distilled,) = [one for one in answer.document["nights"] if one["task"] == "distil"]
    assert CALM.quote in [quote["text"] for quote in distilled["quotes"]]
    assert f"# the night of 2026-10-22, distil, {distilled['kind']}: {distilled['paths'][0]}" in lines
    (quoted,) = [line for line in lines if line.startswith(f"{THREADS[0]}/m1:")]
    assert quoted.endswith(f": {CALM.quote}")
    again = told(stage, next(quote["mark"] for quote in distilled["quotes"] if quote["text"] == CALM.quote))
    assert (again.document["quote"]["text"], again.document["quote"]["checked"]) == (CALM.quote, True)
