"""A stage with two conversations and a vendor of models that a test makes well and ill, night after night."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from dream.memory.records import TaskRecord
from dream.night.result import NightResult
from tests.support.repositories import git_bytes
from tests.support.sensible import KEY, asks, converse, fenced
from tests.support.spoiled import CALM, CHECKOUT, LEDGER, STORMY, Spoiled, logged
from tests.support.stage import NIGHT, Stage
from tests.support.vendors import Answer, Request, Response, VendorServer, vendor_server

THREADS = ("thread_00000001", "thread_00000002")
"""The calm conversation and the stormy one, which is asked about second."""


@dataclass(kw_only=True)
class Town:
    """A stage with two conversations, and a vendor whom a test makes well and ill."""

    stage: Stage
    server: VendorServer
    vendor: Answer = field(default_factory=Spoiled)
    log: str = ""

    def dream(self, vendor: Answer | None = None, **options: object) -> NightResult:
        """Dream the stage's night with `vendor`, or the next one."""
        self.vendor = vendor or self.vendor
        with logged() as stream:
            result = self.stage.dream(**options)  # type: ignore[arg-type]  # whatever a stage knows
        self.log += stream.getvalue()
        return result

    def dream_on(self, vendor: Answer) -> NightResult:
        """Dream the next night."""
        self.stage.now += timedelta(days=1)
        return self.dream(vendor, night=None)

    def task(self, name: str = "distil", *, nights: int = 0) -> TaskRecord:
        """The record of a task of the first night, or of one so many nights later."""
        return self.stage.record(NIGHT + timedelta(days=nights)).tasks[name]

    def note(self, path: str) -> str:
        """A note at the tip, empty where there is none."""
        return self.stage.files().get(path, b"").decode()

    def conversations(self) -> list[str]:
        """The findings whose conversation was shown to somebody, in the order of questions."""
        asked = [fenced(request).get("one conversation", "") for request in self.server.questions]
        shown = [one.quote for text in asked for one in (CALM, STORMY) if one.quote in text]
        self.server.requests.clear()
        return shown

    def report(self, nights: int = 0) -> str:
        """The report of a night, as its reader sees it."""
        day = NIGHT + timedelta(days=nights)
        text = (self.stage.root / "home" / "acme" / "reports" / f"{day.isoformat()}.md").read_text()
        return text.replace("\\", "")


@contextmanager
def settle(stage: Stage) -> Iterator[Town]:
    """Leave the two conversations on `stage`, and serve its vendor for as long as the context lasts."""
    (stage.sessions / "summaries.jsonl").unlink(missing_ok=True)
    converse(stage, 1, CALM.quote, "Noted.")
    converse(stage, 2, STORMY.quote, "Noted.")
    current: list[Town] = []

    def answer(request: Request) -> Response:
        return current[0].vendor(request)

    with vendor_server(answer) as server:
        asks(stage, server)
        current.append(Town(stage=stage, server=server))
        yield current[0]


def assert_accounted(town: Town, nights: int = 0) -> None:
    """Assert that every input of a night is written, not written for a reason, or pending."""
    for name, told in town.stage.record(NIGHT + timedelta(days=nights)).tasks.items():
        assert told.inputs == told.written + sum(told.not_written.values()) + told.pending, name


def assert_kept_to_itself(town: Town, *texts: str) -> None:
    """Assert that neither the key nor a prompt nor any of `texts` can be read anywhere but at the vendor."""
    hosted = town.stage.hosted.path
    objects = git_bytes(hosted, "cat-file", "--batch-all-objects", "--batch").decode("latin-1")
    home = town.stage.root / "home"
    files = [path.read_text("latin-1") for path in home.rglob("*") if path.is_file()]
    for told in (objects, town.log, *files):
        assert [text for text in (KEY, "<<<", "You read a conversation", *texts) if text in told] == []


def assert_taken_up(town: Town, *, nights: int = 1) -> None:
    """Assert that the next night, the vendor being well, writes what waits, and the one after it asks nobody."""
    town.server.requests.clear()
    assert town.dream_on(Spoiled()).exit_code == 0
    assert town.note(CHECKOUT).count("port 9443") == 1
    assert "port 8443" not in town.note(CHECKOUT)
    assert town.note(LEDGER).count("closes at noon") == 1
    assert town.task(nights=nights).pending == 0
    assert_accounted(town, nights)
    town.server.requests.clear()
    assert town.dream_on(Spoiled()).exit_code == 0
    assert town.server.questions == []
    assert (town.note(CHECKOUT).count("port 9443"), town.note(LEDGER).count("closes at noon")) == (1, 1)
