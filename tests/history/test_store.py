from __future__ import annotations

import gzip
import stat
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import fsspec
import pytest
from fsspec.implementations.asyn_wrapper import AsyncFileSystemWrapper
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import given
from hypothesis import strategies as st

from dream.errors import UsageError
from dream.history.store import Describe, HistoryStore
from dream.history.values import HistoryLine, Kept, NamedPullRequest
from dream.object_store import StoreDownError
from dream.sources.sessions.tools import LONGEST_CALL, brief_call
from dream.sources.sessions.values import Role, Session
from tests.guards.planted_secrets import planted_secrets
from tests.history.sessions import SAID, STARTED, UUID, condensed, message, session, store

ESC = "\x1b"


def keep(history: HistoryStore, *sessions: Session) -> list[Kept]:
    return [history.keep(one, condense=condensed) for one in sessions]


def saying(words: str) -> Describe:
    return lambda _: words


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def written(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def mark(text: str, quote: str, *, message: str = "m1", source: str = "thread_7c2e91aa") -> str:
    start = text.index(quote)
    return f"{source}/{message}:{start}-{start + len(quote)} {sha256(quote.encode()).hexdigest()}"


def test_a_session_is_kept_as_a_line_with_its_texts_beside_it(tmp_path: Path) -> None:
    assert keep(store(tmp_path), session()) == [Kept.NEW]
    (line,) = store(tmp_path).lines()
    assert line == HistoryLine(
        name=line.name,
        source="thread_7c2e91aa",
        sources=("thread_7c2e91aa",),
        id=UUID,
        tool="Claude Code",
        started=STARTED,
        ended=STARTED + timedelta(minutes=30),
        path=f"2026-10/{line.name}",
        condensed=sha256(condensed(session()).encode()).hexdigest(),
        messages=4,
        people=("ana",),
        repository="acme/web",
        branch="fix-queue",
        description="I renamed the queue to orders-v2 and fixed its consumer.",
        pull_requests=(NamedPullRequest(name="acme/web#41"),),
    )
    assert store(tmp_path).condensed(line) == condensed(session())
    assert store(tmp_path).full(line) == session().messages
    again = store(tmp_path).session(line)
    assert again is not None
    assert condensed(again) == condensed(session())


def test_its_objects_have_one_readable_name_in_folders_for_their_owner_alone(tmp_path: Path) -> None:
    keep(store(tmp_path / "made"), session())
    (line,) = store(tmp_path / "made").lines()
    assert sorted(files(tmp_path)) == [f"made/history/{line.path}{end}" for end in (".json", ".jsonl.gz", ".txt")]
    assert line.name.startswith("thread_7c2e91aa.")
    assert stat.S_IMODE((tmp_path / "made" / "history").stat().st_mode) == 0o700


def test_another_kind_of_store_serves_as_well() -> None:
    keep(store("memory://one/acme"), session())
    (line,) = store("memory://one/acme").lines()
    assert store("memory://one/acme").full(line) == session().messages
    assert store("memory://one/acme").forget(datetime(2028, 1, 1, tzinfo=UTC), cited=tuple) == 1
    assert store("memory://one/acme").lines() == ()


def test_what_is_read_again_is_not_written_again(tmp_path: Path) -> None:
    sessions = [session(f"{number:08x}" + UUID[8:]) for number in range(20)]
    keep(store(tmp_path), *sessions)
    before = files(tmp_path), written(tmp_path)
    again = store(tmp_path)
    again.expect(sessions)
    assert keep(again, *sessions) == [Kept.UNCHANGED] * 20
    assert (files(tmp_path), written(tmp_path)) == before


def test_two_stores_that_are_told_the_same_hold_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        keep(store(tmp_path / folder), session())
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_a_session_that_has_grown_replaces_its_own(tmp_path: Path) -> None:
    keep(store(tmp_path), session(said=SAID[:2]))
    assert keep(store(tmp_path), session()) == [Kept.GROWN]
    (line,) = store(tmp_path).lines()
    assert (line.messages, store(tmp_path).full(line)) == (4, session().messages)
    assert len(files(tmp_path)) == 3


def test_messages_that_a_later_reading_lacks_stay(tmp_path: Path) -> None:
    whole = session().messages
    keep(store(tmp_path), session(messages=whole[:3]))
    assert keep(store(tmp_path), session(messages=(whole[0], whole[3]))) == [Kept.GROWN]
    (line,) = store(tmp_path).lines()
    assert store(tmp_path).full(line) == whole


def test_a_run_that_read_less_takes_nothing_from_one_that_has_kept_more_meanwhile(tmp_path: Path) -> None:
    late = store(tmp_path)
    late.expect([session(said=SAID[:2])])
    keep(store(tmp_path), session())
    keep(late, session(said=SAID[:2]))
    (line,) = store(tmp_path).lines()
    assert [one.text for one in store(tmp_path).full(line) or ()] == [text for _, text in SAID]
    assert store(tmp_path).condensed(line) is not None


def test_a_description_that_somebody_gives_later_is_taken_up_once(tmp_path: Path) -> None:
    keep(store(tmp_path), session())
    told = [
        store(tmp_path).keep(session(), condense=condensed, describe=saying(words))
        for words in ("", "Renamed the queue.", "Said otherwise.", "")
    ]
    assert told == [Kept.UNCHANGED, Kept.DESCRIBED, Kept.UNCHANGED, Kept.UNCHANGED]
    assert [line.description for line in store(tmp_path).lines()] == ["Renamed the queue."]


def test_a_session_is_found_by_whatever_it_was_ever_called(tmp_path: Path) -> None:
    keep(store(tmp_path), session(), session("11111111" + UUID[8:]))
    assert keep(store(tmp_path), session(short="7c2e91aa0b1c")) == [Kept.UNCHANGED]
    history = store(tmp_path)
    (line,) = history.find("thread_7c2e91aa")
    assert line.sources == ("thread_7c2e91aa", "thread_7c2e91aa0b1c")
    for wanted in ("thread_7c2e91aa0b1c", line.name, UUID, UUID[:9], "thread_7c2e91a"):
        assert history.find(wanted) == (line,), wanted
        assert store(tmp_path).find(wanted) == (line,), wanted
    assert len(history.find("thread_")) == 2
    assert history.find("7c2e") == ()
    assert history.find("nothing") == ()


def test_two_sessions_of_one_name_are_two(tmp_path: Path) -> None:
    one, other = session("first", short="same"), session("second", short="same", said=SAID[:2])
    assert keep(store(tmp_path), one, other) == [Kept.NEW, Kept.NEW]
    assert keep(store(tmp_path), one, other) == [Kept.UNCHANGED, Kept.UNCHANGED]
    assert {line.id for line in store(tmp_path).find("thread_same")} == {"first", "second"}


def test_a_ready_summary_and_the_session_it_is_of_are_two(tmp_path: Path) -> None:
    keep(store(tmp_path), session(), session(tool="summary", said=SAID[:1]))
    assert sorted(line.tool for line in store(tmp_path).lines()) == ["Claude Code", "summary"]


@pytest.mark.parametrize("address", ["folder", "memory://two"])
def test_no_organisation_reaches_what_another_has_kept(tmp_path: Path, address: str) -> None:
    place = tmp_path if address == "folder" else address
    keep(store(place, organisation="acme"), session(said=((Role.PERSON, "canary-of-acme"),)))
    other = store(place, organisation="other")
    assert (other.lines(), other.find("thread_7c2e91aa"), other.find(UUID)) == ((), (), ())
    text = mark("canary-of-acme", "canary-of-acme")
    assert (store(place, organisation="acme").resolve(text), other.resolve(text)) == ("canary-of-acme", None)
    assert other.forget(datetime(2030, 1, 1, tzinfo=UTC), cited=tuple) == 0
    assert keep(other, session()) == [Kept.NEW]
    assert [line.messages for line in store(place, organisation="acme").lines()] == [1]


def test_a_record_under_a_name_that_is_not_its_own_is_passed_over_and_told(tmp_path: Path) -> None:
    keep(store(tmp_path), session(), session("11111111" + UUID[8:]))
    one, other = sorted(tmp_path.rglob("*.json"))
    one.write_bytes(other.read_bytes())
    history = store(tmp_path)
    assert len(history.lines()) == 1
    assert history.damages == (f"{one.relative_to(tmp_path / 'history')}: it belongs to something else",)


def test_of_no_kind_of_credential_is_anything_stored_wherever_it_stood(tmp_path: Path) -> None:
    planted = planted_secrets()
    assert len(planted) >= 40
    for number, secret in enumerate(planted.values(), 1):
        plain = message(1, Role.PERSON, f"It is\n{secret}\nas I said.")
        call = message(2, Role.TOOL, f"{secret}\n", tool=f"Bash: {secret}", command=secret, edits=secret, diff=secret)
        last = message(3, Role.AGENT, f"I used {secret} for it.")
        keep(
            store(tmp_path),
            session(
                f"session-{number}", messages=(plain, call, last), title=secret, branch=secret, repository=secret,
                pull_requests=(secret,), files=(secret,), origin_files=(secret,), tool=secret,
            ),
            session(secret, said=SAID[:1]),
        )  # fmt: skip
        history = store(tmp_path)
        named = (secret, f"acme/{secret}#41")
        history.refresh({named[1]: "merged"}, named=named, on=date(2026, 10, 22), before=date(2025, 9, 17))
        history.keep(session(f"described-{number}"), condense=condensed, describe=saying(f"It used {secret} here."))
        (line,) = history.find(f"session-{number}")
        kept = history.full(line) or ()
        assert [len(one.text) for one in kept] == [len(plain.text), len(call.text), len(last.text)]
        quote = mark(plain.text, "as I said.", source=f"thread_session-{number}")
        assert history.resolve(quote) == "as I said."
    held = [
        name.encode() + (gzip.decompress(data) if name.endswith(".gz") else data)
        for name, data in files(tmp_path).items()
    ]
    leaked = [
        kind
        for kind, secret in planted.items()
        if any(secret.encode() in data or secret[8:28].encode() in data for data in held)
    ]
    assert leaked == []


def test_of_no_credential_that_a_limit_has_cut_anything_is_stored(tmp_path: Path) -> None:
    tokens = [one for kind, one in planted_secrets().items() if kind == "basic auth url" or not set(one) & set(' =:"')]
    assert len(tokens) >= 30
    for number, secret in enumerate(tokens):
        half = secret[: len(secret) // 2]
        command = f"{'x ' * ((LONGEST_CALL - 6 - len(half)) // 2)}{secret}"
        said = replace(message(1, Role.PERSON, f"It is {half}"), cut=9)
        ran = message(2, Role.TOOL, "done", tool=brief_call("Bash", f"{'-' * len(half)}{command}"))
        found = message(3, Role.TOOL, "done", tool=brief_call("Bash", f"{' ' * 200}{command}"), command=secret)
        keep(store(tmp_path), session(f"s-{number}", messages=(said, ran, found), title=f"{half:.>500}"))
        (line,) = store(tmp_path).find(f"thread_s-{number}")
        kept = store(tmp_path).full(line) or ()
        assert kept[0].text == f"It is {'*' * len(half)}"
        told = [*(one.text + one.tool for one in kept), store(tmp_path).condensed(line) or "", line.description]
        assert not any(half[-10:] in text for text in told), secret


def test_hostile_names_leave_no_folder_and_no_line(tmp_path: Path) -> None:
    hostile = ["../../etc/passwd", "a/b", "..", "con", "x\ny", f"{ESC}[2J", "\ud800", "a" * 5000, "-rf", "A", "a", " "]
    sessions = [session(one, title=f"{ESC}]0;owned\x07\n" * 9, branch="a\nb", said=SAID[:1]) for one in hostile]
    assert keep(store(tmp_path / "in"), *sessions) == [Kept.NEW] * len(hostile)
    names = list(files(tmp_path))
    assert len(names) == 3 * len(hostile)
    assert {Path(name).parent for name in names} == {Path("in/history/2026-10")}
    assert len({name.casefold() for name in names}) == len(names)
    assert max(len(Path(name).name) for name in names) < 120
    for line in store(tmp_path / "in").lines():
        told = (line.name, line.source, line.id, line.branch, line.description, *line.people)
        assert not any(character in text for text in told for character in f"\n\r{ESC}\x07\ud800")
        assert max(map(len, told)) <= 120
    assert keep(store(tmp_path / "in"), *sessions) == [Kept.UNCHANGED] * len(hostile)


def test_a_quote_resolves_to_its_words_and_only_by_its_digest(tmp_path: Path) -> None:
    keep(store(tmp_path), session())
    history = store(tmp_path)
    words = "rename the queue"
    whole = mark(SAID[0][1], words)
    assert history.resolve(whole) == words
    assert history.resolve(whole.replace("7c2e91aa/", "00000000/")) is None
    assert history.resolve(whole[:-1] + ("0" if whole[-1] != "0" else "1")) is None
    assert history.resolve(whole.partition(" ")[0]) is None
    assert history.resolve("") is None
    assert history.resolve("thread_7c2e91aa/m1:5-2 " + "0" * 64) is None


def test_a_quote_is_found_where_messages_that_came_late_have_moved_it(tmp_path: Path) -> None:
    early = replace(message(9, Role.PERSON, "Good morning."), at=STARTED - timedelta(hours=1))
    keep(store(tmp_path), session(messages=(early, *session().messages)))
    assert store(tmp_path).resolve(mark(SAID[0][1], "rename the queue")) == "rename the queue"


def damages_of(whole: bytes) -> Sequence[bytes]:
    half = len(whole) // 2
    return (b"", whole[:half], whole[:half] + b"\xff" + whole[half + 1 :], b"[" * 9999, b"{}", b"null")


@pytest.mark.parametrize("suffix", [".json", ".txt", ".jsonl.gz"])
@pytest.mark.parametrize("number", range(6))
def test_a_damaged_object_is_told_passed_over_and_put_aside(tmp_path: Path, suffix: str, number: int) -> None:
    keep(store(tmp_path), session(), session("11111111" + UUID[8:], said=SAID[:1]))
    (path,) = tmp_path.rglob(f"thread_7c2e91aa.*{suffix}")
    damaged = damages_of(path.read_bytes())[number]
    path.write_bytes(damaged)
    history = store(tmp_path)
    lines = history.lines()
    assert len(lines) == (1 if suffix == ".json" else 2)
    texts = [text for _, text in history.texts(lines)]
    wholes = [history.full(line) for line in lines]
    assert (texts.count(None), wholes.count(None)) == {".json": (0, 0), ".txt": (1, 0), ".jsonl.gz": (0, 1)}[suffix]
    assert len(history.damages) == 1
    assert path.read_bytes() == damaged
    history.keep(session(said=(*SAID, (Role.PERSON, "Thanks."))), condense=condensed)
    assert (tmp_path / "history" / "damaged" / "2026-10" / path.name).read_bytes() == damaged
    (line,) = store(tmp_path).find("thread_7c2e91aa")
    assert len(store(tmp_path).full(line) or ()) == 5


@given(data=st.data())
def test_whatever_becomes_of_a_byte_nothing_raises_and_nothing_false_is_told(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    keep(store(folder), session())
    path = data.draw(st.sampled_from(sorted(path for path in folder.rglob("*") if path.is_file())))
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    path.write_bytes(whole[:place] + data.draw(st.binary(max_size=3)) + whole[place + 1 :])
    history = store(folder)
    for line in history.lines():
        assert history.condensed(line) in (None, condensed(session()))
        assert history.resolve(mark(SAID[0][1], "rename the queue")) in (None, "rename the queue")
    keep(history, session())


@pytest.mark.parametrize("missing", [(".json",), (".json", ".txt"), (".txt",), (".jsonl.gz",)])
def test_what_a_run_that_died_has_left_is_no_session_and_is_made_whole_again(
    tmp_path: Path, missing: tuple[str, ...]
) -> None:
    keep(store(tmp_path / "undisturbed"), session())
    keep(store(tmp_path / "died"), session())
    for suffix in missing:
        next((tmp_path / "died").rglob(f"*{suffix}")).unlink()
    assert len(store(tmp_path / "died").lines()) == (0 if ".json" in missing else 1)
    keep(store(tmp_path / "died"), session())
    assert files(tmp_path / "died") == files(tmp_path / "undisturbed")


def test_only_what_is_old_and_cited_by_no_entry_is_forgotten(tmp_path: Path) -> None:
    keep(store(tmp_path), session(), session("11111111" + UUID[8:]), session("22222222" + UUID[8:]))
    history = store(tmp_path)
    asked: list[int] = []

    def cited() -> list[str]:
        asked.append(1)
        return ["thread_11111111", "thread_99999999"]

    assert history.forget(STARTED, cited=cited) == 0
    assert asked == []
    assert history.forget(STARTED + timedelta(days=1), cited=cited) == 2
    assert [line.source for line in store(tmp_path).lines()] == ["thread_11111111"]
    assert len(files(tmp_path)) == 3


def test_what_runs_that_died_have_left_goes_as_well_once_it_is_old(tmp_path: Path) -> None:
    keep(store(tmp_path), session(), session("11111111" + UUID[8:]))
    (record,) = tmp_path.rglob("thread_7c2e91aa.*.json")
    half = record.with_name(f"{record.name}.7-7.new")
    half.write_bytes(record.read_bytes())
    record.unlink()
    assert store(tmp_path).forget(datetime(2026, 10, 31, tzinfo=UTC), cited=lambda: ["thread_11111111"]) == 0
    assert len(files(tmp_path)) == 6
    assert store(tmp_path).forget(datetime(2026, 11, 1, tzinfo=UTC), cited=lambda: ["thread_11111111"]) == 0
    assert len(files(tmp_path)) == 3
    assert [line.source for line in store(tmp_path).lines()] == ["thread_11111111"]


def test_states_of_pull_requests_are_told_beside_the_lines_and_rewrite_none(tmp_path: Path) -> None:
    keep(store(tmp_path), session())
    day, before = date(2026, 10, 22), date(2025, 9, 17)

    def refresh(state: str, on: date = day) -> tuple[int, str]:
        history = store(tmp_path)
        new = history.refresh({"acme/web#41": state, "acme/web#7": "open"}, named=["acme/web#41"], on=on, before=before)
        return new, store(tmp_path).lines()[0].pull_requests[0].state

    record = next(tmp_path.rglob("thread_*.json")).read_bytes()
    assert refresh("open") == (1, "open")
    held = written(tmp_path)
    assert refresh("open", on=day + timedelta(days=1)) == (0, "open")
    assert written(tmp_path) == held
    assert refresh("merged") == (1, "merged")
    assert refresh("on fire") == (0, "merged")
    assert next(tmp_path.rglob("thread_*.json")).read_bytes() == record
    assert b"#7" not in (tmp_path / "history" / "pull-requests.json").read_bytes()
    assert store(tmp_path).refresh({}, named=[], on=day, before=date(2028, 1, 1)) == 0
    assert store(tmp_path).lines()[0].pull_requests[0].state == ""


def test_damaged_states_are_told_and_put_aside_before_others_take_their_place(tmp_path: Path) -> None:
    keep(store(tmp_path), session())
    place = tmp_path / "history" / "pull-requests.json"
    place.write_bytes(b'{"version": 1')
    history = store(tmp_path)
    assert len(history.lines()) == 1
    assert history.damages == ("pull-requests.json: it is cut or changed",)
    history.refresh({"acme/web#41": "open"}, named=["acme/web#41"], on=date(2026, 10, 22), before=date(2026, 1, 1))
    assert (tmp_path / "history" / "damaged" / "pull-requests.json").read_bytes() == b'{"version": 1'
    assert store(tmp_path).lines()[0].pull_requests[0].state == "open"


def test_a_store_that_is_down_says_so_without_its_address(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    with pytest.raises(StoreDownError, match="NotADirectoryError"):
        keep(store(tmp_path / "file"), session())
    with pytest.raises(UsageError, match="nothing can be kept at nosuch: ValueError"):
        store("nosuch://key:secret@host/x").connect()
    with pytest.raises(StoreDownError) as raised:
        store("nosuch://key:secret@host/x").lines()
    assert "secret" not in str(raised.value)


class Unlisted(MemoryFileSystem):  # type: ignore[misc]  # fsspec tells no types
    """A store that answers no question about what it holds."""

    protocol = "unlisted"

    def ls(self, path: str, detail: bool = True, **more: object) -> list[object]:  # noqa: FBT001, FBT002
        del path, detail, more
        message = "timed out"
        raise ConnectionError(message)


def test_a_store_that_cannot_be_listed_is_down_and_not_empty() -> None:
    fsspec.register_implementation("unlisted", Unlisted, clobber=True)
    with pytest.raises(StoreDownError, match="at unlisted cannot be read or written: ConnectionError"):
        store("unlisted://x").lines()
    with pytest.raises(StoreDownError):
        keep(store("unlisted://x"), session())


class Owned(MemoryFileSystem):  # type: ignore[misc]  # fsspec tells no types
    """A store that is somebody else's, as one that was first written by another user of the machine."""

    protocol = "owned"

    def ls(self, path: str, detail: bool = True, **more: object) -> list[object]:  # noqa: FBT001, FBT002
        del detail, more
        raise PermissionError(13, "Permission denied", path)


def test_a_store_of_another_user_says_whose_it_is_to_be() -> None:
    fsspec.register_implementation("owned", Owned, clobber=True)
    with pytest.raises(StoreDownError, match="at owned cannot be read or written: PermissionError") as raised:
        store("owned://x").lines()
    assert raised.value.way_out == (
        "let the user that runs the nights own all that is there, and give commands as that user"
    )


class Unread(MemoryFileSystem):  # type: ignore[misc]  # fsspec tells no types
    """A store that lists what it holds and then answers no more."""

    protocol = "unread"
    down = False

    def cat_file(self, path: str, *place: int, **more: object) -> bytes:
        if self.down:
            message = "timed out"
            raise ConnectionError(message)
        return bytes(super().cat_file(path, *place, **more))


def test_a_store_that_breaks_off_is_down_and_nothing_in_it_is_taken_for_damaged() -> None:
    fsspec.register_implementation("unread", Unread, clobber=True)
    keep(store("unread://x"), session())
    Unread.down = True
    history = store("unread://x")
    with pytest.raises(StoreDownError):
        history.lines()
    with pytest.raises(StoreDownError):
        keep(history, session(said=(*SAID, SAID[0])))
    assert history.damages == ()
    Unread.down = False
    assert [line.messages for line in store("unread://x").lines()] == [4]


class Far(AsyncFileSystemWrapper):  # type: ignore[misc]  # fsspec tells no types
    """A store that is asked for many things at once, as those of clouds are."""

    protocol = "far"

    def __init__(self, **options: object) -> None:
        super().__init__(MemoryFileSystem(**options), asynchronous=False)

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(MemoryFileSystem._strip_protocol(path.replace("far://", "memory://")))


def test_a_store_that_is_asked_for_many_objects_at_once_serves_as_well() -> None:
    fsspec.register_implementation("far", Far, clobber=True)
    sessions = [session(f"far-{number}") for number in range(5)]
    assert keep(store("far://x"), *sessions) == [Kept.NEW] * 5
    assert keep(store("far://x"), *sessions) == [Kept.UNCHANGED] * 5
    history = store("far://x")
    lines = history.lines()
    assert [text for _, text in history.texts(lines)] == [condensed(session(line.id)) for line in lines]
    assert history.forget(datetime(2030, 1, 1, tzinfo=UTC), cited=tuple) == 5
    assert (store("far://x").lines(), history.damages) == ((), ())


def test_an_address_with_signs_of_a_pattern_is_a_place_like_any_other(tmp_path: Path) -> None:
    keep(store(tmp_path / "a[b]*?"), session())
    assert len(store(tmp_path / "a[b]*?").lines()) == 1
