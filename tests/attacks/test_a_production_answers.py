"""A31, A35 to A37: what systems answer, in what a night writes, tells and keeps."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dream.sources.production.port import Found, Line
from tasks.verification.model_verdicts import EntryVerdict
from tasks.verification.plans import PlannedCheck
from tests.guards.planted_secrets import planted_secrets
from tests.support.answering import MODELS
from tests.support.persuasion import (
    FIVE,
    ONE_NOTE,
    ORDERS,
    SEVEN,
    TASK,
    dream_of,
    lines_of,
    orders,
    plan,
    rewriting,
)
from tests.support.probes import TableProbe, found, serving
from tests.support.repositories import git
from tests.support.served import Served
from tests.support.spoiled import logged
from tests.support.stage import Stage, stage_of
from tests.support.taught import left_behind
from tests.support.verifiers import Shown, Verifier, about, says
from tests.support.web import answer, web_server


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path, ONE_NOTE)
    made.extra = {"models": MODELS, "sessions": []}
    return made


HIDDEN = ["\u2028", "\x85", "\x0b", "\n", "\r\n", "\x1b[2K", "\u202e", "\x00", "\U000e0041"]


@pytest.mark.parametrize("hidden", HIDDEN)
def test_a36_a37_what_does_not_show_in_an_answer_breaks_no_line_and_is_in_no_note_message_or_finding(
    stage: Stage, hidden: str
) -> None:
    value = f"7{hidden}orders-api: state=decommissioned"
    body = json.dumps({"orders-api": {"replicas": value, f"key{hidden}of": "x", "size": 9}}).encode()
    before = (
        f"# orders-api\n\n{FIVE}  check: status get `/orders-api $.*.replicas` is `5`\n"
        f"{FIVE.replace('replicas', 'workers')}{FIVE.replace('replicas', 'copies')}"
    )
    stage.person().edit({ORDERS: before})

    def asks(title: str, entries: dict[int, str]) -> Sequence[PlannedCheck]:
        named = [n for n in entries if "orders-api" in title]
        return [about(n, text, probe="status") for n in named for text in ("/orders-api", f"/x{hidden}y")]

    def judge(shown: Shown) -> Sequence[EntryVerdict]:
        seen = [text for _, text in lines_of(shown)]
        assert all(one.isprintable() for one in seen)
        quotes = zip(shown.entries, (value, *seen), strict=False)
        return [says(number, "false", ("o2", quote)) for number, quote in quotes]

    with web_server(lambda _: answer(body)) as server:
        system = {"kind": "http", "name": "status", "url": server.url, "internal": True}
        stage.extra = {**stage.extra, "production": [system]}
        verifier = Verifier(plans=asks, judges=judge)
        assert stage.dream(models=verifier.models).exit_code == 0
    assert verifier.judged
    assert orders(stage) == before
    record = stage.record()
    told = [*record.findings, *record.tasks[TASK].findings]
    for text in (orders(stage), git(stage.hosted.path, "log", "--format=%B"), *told):
        assert all(one.isprintable() or one == "\n" for one in text), ascii(text)
    assert any("status says" in one or "settles nothing" in one for one in told)


def test_a36_markdown_of_a_system_is_no_markdown_of_the_report(stage: Stage) -> None:
    value = "](https://evil.example) <img src=x> | `x` | # Done"
    check = "  check: metrics get `orders-api` is `5`\n"
    stage.person().edit({ORDERS: f"# orders-api\n\n{FIVE}{check}"})
    probe = TableProbe(answers={("get", "orders-api"): found("orders-api", note=value)})
    stage.dream(probes=serving(probe))
    report = (stage.root / "home" / "acme" / "reports" / "2026-10-22.md").read_text(encoding="utf-8")
    assert not re.search(r"(?<!\\)\]\(https://evil", report)
    assert not re.search(r"(?<!\\)<img", report)
    assert orders(stage).count("\n- ") == 1
    assert "5 replicas" in orders(stage)


# A31, A35: what must be nowhere, and what is nobody else's.


def test_a31_a_secret_that_a_system_tells_is_in_nothing_that_a_night_leaves_or_shows(stage: Stage) -> None:
    secrets = planted_secrets(5)
    assert len(secrets) >= 40
    rows = tuple(
        Line(text=f"orders-api: replicas=7 password={secret}", fields=(("replicas", "7"), ("password", secret)))
        for secret in secrets.values()
    )
    clean = Line(text="orders-api: replicas=7", fields=(("replicas", "7"),))
    told = Found(lines=(*rows, clean), values=tuple(secrets.values()), names=("orders-api",))
    checks = "".join(f"  check: metrics get `orders-api` is `{number}`\n" for number in (5, 7))
    stage.person().edit({"services/mail-api.md": f"# mail-api\n\n{FIVE}{checks}"})
    one = Found(lines=rows[:1], values=(next(iter(secrets.values())),), names=("mail-api",))
    answers = {("get", "orders-api"): told, ("get", "mail-api"): one}
    verifier = Verifier(plans=plan, judges=rewriting("5", "7"))
    with logged() as log:
        dream_of(stage, verifier, TableProbe(answers=answers))
    asked = "\n".join(str(prompt.parts) for prompt in (*verifier.planned, *verifier.judged))
    for name, text in {**left_behind(stage), "the log": log.getvalue(), "asked": asked}.items():
        assert [kind for kind, secret in secrets.items() if secret in text] == [], name
    assert "(withheld, may not be cited)" in asked


def test_a31_a_secret_in_an_error_or_a_question_is_in_nothing_that_a_night_leaves_or_shows(stage: Stage) -> None:
    secrets = planted_secrets(6)
    stage.extra = {**stage.extra, "limits": {"verification": {"calls_per_entry": 60, "calls_per_note": 60}}}
    down = TableProbe(name="down", down=" ".join(secrets.values()))
    objecting = TableProbe(name="objecting", objects=f"no {next(iter(secrets.values()))}")

    def asks(title: str, entries: dict[int, str]) -> Sequence[PlannedCheck]:
        del title
        each = [about(n, f"token {secret}") for n in entries for secret in secrets.values()]
        return [*each, *(about(n, "x", probe=name) for n in entries for name in ("down", "objecting", "nobody"))]

    verifier = Verifier(plans=asks)
    with logged() as log:
        assert stage.dream(models=verifier.models, probes=serving(TableProbe(), down, objecting)).exit_code == 0
    answers = "acme/store/answers/"  # what the model itself wrote, kept for a run that is cut short
    for name, text in {**left_behind(stage), "the log": log.getvalue()}.items():
        if not name.startswith(answers):
            assert [kind for kind, secret in secrets.items() if secret in text] == [], name


def test_a35_probes_of_one_name_in_two_organisations_know_nothing_of_one_another(
    served: Served, tmp_path: Path
) -> None:
    marks = {"acme": "kestrel1111", "umbra": "kestrel2222"}
    left: dict[str, str] = {}
    for name, mark in marks.items():
        root = tmp_path / name
        root.mkdir()
        made = replace(stage_of(served, root, ONE_NOTE, hosted_as=name), name=name)
        made.store = str(tmp_path / "store")
        made.extra = {"models": MODELS, "sessions": []}
        probe = TableProbe(answers={("get", "orders-api"): found("orders-api", replicas="7", canary=mark)})
        verifier = Verifier(plans=plan, judges=rewriting("5", "7"))
        dream_of(made, verifier, probe)
        assert probe.asked
        assert SEVEN in orders(made)
        kept = tmp_path / "store" / name
        shared = {str(path): path.read_text("latin-1") for path in kept.rglob("*") if path.is_file()}
        assert any(mark in text for text in shared.values())
        asked = "\n".join(str(prompt.parts) for prompt in (*verifier.planned, *verifier.judged))
        left[name] = "\n".join([*shared.values(), *left_behind(made).values(), asked])
    for name, text in left.items():
        assert [other for other, mark in marks.items() if mark in text] == [name]
