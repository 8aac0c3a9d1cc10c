"""Questions of a night: each once, not too many nor too fast, and none to what fails again and again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.production.answers import BadAnswersError
from dream.sources.production.port import Answer, Down, Found, Line, Nothing, Operation, Proof, Query, Refused
from dream.sources.production.recording import Recorder, Recording
from dream.sources.production.recordings import parse_recordings, render_recordings

_START = datetime(2026, 11, 30, 2, tzinfo=UTC)
_FOUND = Found(lines=(Line(text="replicas=7", fields=(("replicas", "7"),)),), values=("7",), names=("orders-api",))


@dataclass
class _Scripted:
    """A probe that answers what it is told to, in turn and then for ever the last."""

    name: str
    answers: list[Answer | Exception]
    asked: list[tuple[str, str]] = field(default_factory=list)
    objections: Mapping[str, str] = field(default_factory=dict)

    @property
    def operations(self) -> tuple[Operation, ...]:
        return ()

    def objection(self, operation: str, text: str) -> str:
        if operation == "break":
            raise RuntimeError(text)
        return self.objections.get(text, "")

    def ask(self, operation: str, text: str) -> Answer:
        self.asked.append((operation, text))
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def examine(self) -> tuple[Proof, ...]:
        return ()


@dataclass
class _Clock:
    """A clock that only sleeping moves."""

    seconds: float = 0
    slept: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return _START + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


def _recorder(
    *probes: _Scripted,
    clock: _Clock | None = None,
    calls: int = 100,
    failures: int = 3,
    rates: Mapping[str, int] | None = None,
) -> Recorder:
    used = clock or _Clock()
    return Recorder(
        probes,
        now=used.now,
        monotonic=used.monotonic,
        sleep=used.sleep,
        calls=calls,
        failures=failures,
        rates=rates or {},
    )


def _query(text: str = "a", probe: str = "web", operation: str = "get") -> Query:
    return Query(probe=probe, operation=operation, text=text)


def test_a_question_is_put_once_and_its_answer_kept_under_its_place() -> None:
    web, metrics = _Scripted("web", [_FOUND]), _Scripted("metrics", [Nothing("empty")])
    recorder = _recorder(web, metrics)
    first, second, again = recorder.ask(_query()), recorder.ask(_query(probe="metrics")), recorder.ask(_query())
    assert first == again == Recording(id="o1", query=_query(), answer=_FOUND, at=_START)
    assert (second.id, second.answer) == ("o2", Nothing("empty"))
    assert recorder.recordings == (first, second)
    assert (web.asked, recorder.probes) == ([("get", "a")], (web, metrics))


def test_what_may_not_be_asked_is_recorded_as_refused_and_costs_nothing() -> None:
    web = _Scripted("web", [_FOUND], objections={"/..": "no such path"})
    recorder = _recorder(web, calls=1)
    assert recorder.objection(_query("/..")) == "no such path"
    assert recorder.ask(_query("/..")).answer == Refused("no such path")
    assert recorder.ask(_query(probe="gone")).answer == Refused("there is no probe of that name")
    assert web.asked == []
    assert [recorder.ask(_query()).answer, recorder.ask(_query("b")).answer] == [
        _FOUND,
        Refused("all questions of this night have been asked"),
    ]
    assert [recording.id for recording in recorder.recordings] == ["o1", "o2", "o3", "o4"]


def test_what_fails_again_and_again_is_asked_no_more_and_others_are() -> None:
    down, web = _Scripted("metrics", [Down("no answer")]), _Scripted("web", [_FOUND])
    recorder = _recorder(down, web, failures=2)
    answers = [recorder.ask(_query(str(number), probe="metrics")).answer for number in range(4)]
    given_up = Down("it is asked no more tonight, after 2 failures in a row: no answer")
    assert answers == [Down("no answer"), Down("no answer"), given_up, given_up]
    assert (len(down.asked), recorder.ask(_query()).answer) == (2, _FOUND)
    assert recorder.down == {"metrics": "no answer"}


def test_only_failures_in_a_row_count() -> None:
    answers: list[Answer | Exception] = [Down("x"), _FOUND, Down("x"), Refused("no"), Down("y"), Nothing("z"), _FOUND]
    web = _Scripted("web", answers)
    recorder = _recorder(web, failures=2)
    assert [recorder.ask(_query(str(number))).answer for number in range(7)] == answers
    assert recorder.down == {}


def test_a_probe_that_breaks_is_down_and_the_night_goes_on() -> None:
    web = _Scripted("web", [RuntimeError("s3cret"), _FOUND])
    recorder = _recorder(web)
    assert recorder.ask(_query()).answer == Down("the probe itself is broken: RuntimeError")
    assert recorder.ask(_query("b")).answer == _FOUND
    assert recorder.objection(_query("s3cret", operation="break")) == "the probe itself is broken: RuntimeError"


def test_a_probe_is_asked_no_faster_than_it_may_be() -> None:
    clock = _Clock()
    web, metrics = _Scripted("web", [_FOUND]), _Scripted("metrics", [_FOUND])
    recorder = _recorder(web, metrics, clock=clock, rates={"web": 2})
    for number in range(5):
        recorder.ask(_query(str(number)))
        recorder.ask(_query(str(number), probe="metrics"))
    assert clock.slept == [60, 60]
    assert [recording.at for recording in recorder.recordings if recording.query.probe == "web"] == [
        _START + timedelta(seconds=seconds) for seconds in (0, 0, 60, 60, 120)
    ]


@given(st.integers(1, 5), st.lists(st.floats(0, 90), max_size=30))
def test_no_minute_has_more_questions_than_it_may(most: int, pauses: list[float]) -> None:
    clock = _Clock()
    recorder = _recorder(_Scripted("web", [_FOUND]), clock=clock, rates={"web": most})
    times = []
    for number, pause in enumerate(pauses):
        clock.seconds += pause
        recorder.ask(_query(str(number)))
        times.append(clock.seconds)
    assert all(later - earlier >= 59.999 for earlier, later in zip(times, times[most:], strict=False))


_RECORDINGS = (
    Recording(id="o1", query=_query("/a $.ü\n"), answer=_FOUND, at=_START),
    Recording(id="o2", query=_query(probe="metrics"), answer=Down("no answer"), at=_START + timedelta(seconds=1)),
)


def test_recordings_are_read_as_they_were_written() -> None:
    data = render_recordings(_RECORDINGS)
    assert data.count(b"\n") == 2
    assert parse_recordings(data) == _RECORDINGS
    assert render_recordings(parse_recordings(data)) == data
    assert (render_recordings(()), parse_recordings(b"")) == (b"", ())


@pytest.mark.parametrize(
    "spoil", [lambda data: data[:-9], lambda data: data.replace(b"+00:00", b""), lambda _: b"7", lambda _: b"\n"]
)
def test_a_line_that_is_no_recording_is_named(spoil: Callable[[bytes], bytes]) -> None:
    first = render_recordings(_RECORDINGS[:1])
    with pytest.raises(BadAnswersError, match="line 2: "):
        parse_recordings(first + spoil(first.rstrip(b"\n")))


def test_a_credential_in_an_answer_is_not_kept_wherever_it_stands() -> None:
    line = Line(text='password="hunter2" user="a"', fields=(("password", "hunter2"), ("user", "a")))
    answer = Found(lines=(line,), values=("hunter2", "a"), names=("a",))
    (kept,) = parse_recordings(
        render_recordings(
            [Recording(id="o1", query=_query("hunter2!"), answer=answer, at=_START)],
            mask=lambda text: text.replace('password="hunter2"', 'password="*******"').replace("hunter2!", "********"),
        )
    )
    assert kept.query.text == "********"
    assert kept.answer == Found(
        lines=(Line(text='password="*******" user="a"', fields=(("password", "*******"), ("user", "a"))),),
        values=("*******", "a"),
        names=("a",),
    )


def test_a_probe_is_refusing_while_it_refuses_and_answers_nothing_else() -> None:
    refused = Refused("a role that can write: dream_writer")
    recorder = _recorder(
        _Scripted("closed", [refused]),
        _Scripted("partly", [refused, Nothing("no row")]),
        _Scripted("late", [refused, Down("no answer")]),
        _Scripted("never", [_FOUND], objections={"a": "not that"}),
    )
    for name in ("closed", "partly", "late", "never"):
        for text in ("a", "b")[: 1 if name == "never" else 2]:
            recorder.ask(Query(probe=name, operation="get", text=text))
    assert recorder.refusing == {"closed": refused.reason, "late": refused.reason}
