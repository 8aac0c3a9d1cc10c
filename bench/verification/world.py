"""An invented production of 78 resources behind five kinds of systems, drawn from a seed.

Names are alike on purpose (`orders-api`, `orders-api-canary`, `orders-worker`), and so are their values, so that what
is said of one is easily read as said of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from random import Random

_TRADES = ("orders", "billing", "catalog", "search", "checkout", "identity", "ledger", "pricing", "returns", "shipping")
_EVENTS = ("order", "invoice", "refund", "email", "parcel", "audit", "price")
_REGIONS = ("eu-1", "eu-2", "us-1", "ap-1")
_LEVELS = ("debug", "info", "warning", "error")


class Kind(StrEnum):
    """What a resource is."""

    SERVICE = "service"
    QUEUE = "queue"
    DATABASE = "database"
    JOB = "job"


class End(StrEnum):
    """What became of a resource."""

    RUNS = "runs"
    GONE = "gone"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One thing in production: its values now, by attribute; `was` is its name before it was renamed."""

    name: str
    kind: Kind
    values: Mapping[str, str]
    end: End = End.RUNS
    was: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """All of production; `moved` are configuration files, each with the path where it was before."""

    resources: tuple[Resource, ...]
    moved: Mapping[str, str]

    def of(self, kind: Kind, *ends: End) -> list[Resource]:
        """Return the resources of a kind that came to one of `ends`, or that run."""
        return [one for one in self.resources if one.kind is kind and one.end in (ends or (End.RUNS,))]

    def files(self) -> dict[str, str]:
        """Return the code repository's files as they are: one of settings for each service that runs."""
        return {settings_path(one.name, self.moved): _settings(one) for one in self.of(Kind.SERVICE)}


def build_world(seed: int) -> World:
    """Return the production of a seed."""
    random = Random(f"{seed}/world")  # noqa: S311  # invented figures
    services = [f"{trade}-{suffix}" for trade in _TRADES for suffix in ("api", "worker")]
    resources = [_service(name, random) for name in services]
    resources += [_service(f"{trade}-api-canary", random) for trade in _TRADES[:6]]
    resources += [_service(f"{trade}-legacy", random, End.GONE) for trade in _TRADES[:8]]
    resources += [_queue(f"{event}-{suffix}", random) for event in _EVENTS for suffix in ("events", "retries")]
    resources += [_queue(f"{event}-batches", random, End.GONE) for event in _EVENTS[:4]]
    resources += [_queue(f"{event}-stream", random, End.RENAMED, f"{event}-feed") for event in _EVENTS[:6]]
    resources += [_database(f"{trade}-db", random) for trade in _TRADES]
    resources += [_job(f"nightly-{trade}", random) for trade in _TRADES]
    moved = {f"deploy/{name}.yaml": f"config/services/{name}.yaml" for name in services[:16]}
    return World(resources=tuple(resources), moved={new: old for old, new in moved.items()})


def settings_path(name: str, moved: Mapping[str, str]) -> str:
    """Return where the settings of a service are now."""
    new = f"config/services/{name}.yaml"
    return new if new in moved else f"deploy/{name}.yaml"


def other_value(attribute: str, value: str, random: Random) -> str:
    """Return a value that an attribute could as well have, and has not."""
    choices = {"region": _REGIONS, "log_level": _LEVELS}.get(attribute)
    if choices:
        return random.choice([one for one in choices if one != value])
    if attribute == "consumer":
        return random.choice([one for one in _TRADES if not value.startswith(one)]) + "-worker"
    if attribute in {"version", "engine_version"}:
        first, *rest = value.split(".")
        return ".".join([str(int(first) + random.choice((-1, 1, 2))), *rest])
    return str(max(1, int(value) + random.choice((-2, -1, 1, 2, 5)) * _step(attribute)))


def _step(attribute: str) -> int:
    return {"port": 11, "max_length": 500, "max_connections": 25, "retention_days": 15}.get(attribute, 1) * 2


def _service(name: str, random: Random, end: End = End.RUNS) -> Resource:
    values = {
        "version": f"{random.randint(2, 9)}.{random.randint(0, 30)}.{random.randint(0, 9)}",
        "port": str(random.randint(7_100, 9_800)),
        "region": random.choice(_REGIONS),
        "replicas": str(random.randint(9, 60)),
        "timeout_seconds": str(random.randint(65, 99)),
        "log_level": random.choice(_LEVELS),
    }
    return Resource(name=name, kind=Kind.SERVICE, values=values, end=end)


def _queue(name: str, random: Random, end: End = End.RUNS, was: str = "") -> Resource:
    values = {
        "max_length": str(random.randint(20, 90) * 1_000),
        "consumer": f"{random.choice(_TRADES)}-worker",
        "visibility_seconds": str(random.randint(100, 300)),
    }
    return Resource(name=name, kind=Kind.QUEUE, values=values, end=end, was=was)


def _database(name: str, random: Random) -> Resource:
    values = {
        "max_connections": str(random.randint(12, 40) * 25),
        "engine_version": f"{random.randint(13, 17)}.{random.randint(1, 9)}",
        "retention_days": str(random.randint(400, 900)),
    }
    return Resource(name=name, kind=Kind.DATABASE, values=values)


def _job(name: str, random: Random) -> Resource:
    values = {"start_minute": str(random.randint(1, 59)), "timeout_minutes": str(random.randint(61, 240))}
    return Resource(name=name, kind=Kind.JOB, values=values)


def _settings(one: Resource) -> str:
    keys = ("timeout_seconds", "log_level")
    return f"name: {one.name}\n" + "".join(f"{key}: {one.values[key]}\n" for key in keys)
