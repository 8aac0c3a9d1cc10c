"""A small invented production, what probes would say of it, and entries about it of which the truth is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from dream.guards.verdicts.outputs import Output, OutputLine
from dream.guards.verdicts.rulings import Target
from tests.guards.verdicts.heard import Value, output, record, sample, target
from tests.guards.verdicts.temptations import temptations
from tests.guards.verdicts.wordings import OTHERS, PHRASES


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A service, by its name; names are such that one is a part of another."""

    name: str
    values: dict[str, Value] = field(default_factory=dict)
    ended: bool = False


def _thing(name: str, place: int, *, ended: bool = False) -> Thing:
    values: dict[str, Value] = {
        "replicas": 3 + place,
        "port": 8001 + 10 * place,
        "timeout_seconds": 20 + place,
        "memory_mb": 256 + 16 * place,
        "version": f"{1 + place}.{place}.1",
        "owner": ("payments", "checkout", "search", "growth")[place % 4],
        "caching_enabled": place % 2 == 0,
        "max_connections": 100 + place,
        "request_timeout_seconds": 40 + place,
        "queue": f"jobs-v{place + 1}",
        "health_check_path": f"/health/{place}",
        "rate_limit_per_minute": 500 + place,
        "schedule": f"{place} 3 * * *",
        "language": ("kotlin", "rust", "python", "elixir")[place % 4],
        "start_minute": 10 + place,
        "upload_quota_mb": 700 + 8 * place,
    }
    return Thing(name=name, values=values, ended=ended)


THINGS = tuple(
    _thing(name, place, ended=name in {"legacy-api", "db9"})
    for place, name in enumerate(
        (
            "orders-api",
            "orders-api-canary",
            "orders-api-v2",
            "orders",
            "api",
            "billing-worker",
            "db1",
            "db10",
            "db9",
            "legacy-api",
            "search",
            "SearchGateway",
        )
    )
)

# Things of which no entry speaks, and of which anything may be said.
GHOSTS = ("ghost-svc", "phantom", "orders-api-shade", "db100", "GhostGateway")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An entry: what it must say to be true ("" where nothing may be concluded of it), and whether its thing ended."""

    target: Target
    truth: str
    ended: bool = False


class Adding(Protocol):
    """Adds an answer to those that there are."""

    def __call__(self, *lines: OutputLine, asked_for: str, names: tuple[str, ...] = ()) -> None:
        """Add an answer with these lines."""
        ...


def said(value: Value) -> str:
    """Return a value as an entry says it."""
    if isinstance(value, bool):
        return "enabled" if value else "disabled"
    return str(value)


def cases() -> list[Case]:
    """Return entries about every thing: true ones, wrong ones, and such as nothing may be concluded of."""
    found: list[Case] = []
    for place, thing in enumerate(THINGS):
        other = THINGS[(place + 1) % len(THINGS)]
        path = f"services/{thing.name}.md"
        names = tuple(one.name for one in THINGS if one is not thing)
        for key, phrases in PHRASES.items():
            for phrase in phrases:
                truth = phrase.format(n=thing.name, v=said(thing.values[key]))
                for value in (thing.values[key], other.values[key]):
                    text = phrase.format(n=thing.name, v=said(value))
                    is_said = "nobody" not in text
                    made = target(f"# {thing.name}\n\n- {text}\n", path=path, others=names)
                    found.append(
                        Case(
                            target=made,
                            truth=truth if is_said and not thing.ended else "",
                            ended=is_said and thing.ended,
                        )
                    )
        for text in () if thing.ended else OTHERS:
            made = target(f"# {thing.name}\n\n- {text.format(n=thing.name)}\n", path=path, others=names)
            found.append(Case(target=made, truth=""))
        headed = (
            f"# {thing.name}\n\n## {other.name}\n\n- Replicas: 2\n\n"
            "## QA\n\n- Port: 7000\n\n## Worker\n\n- Port: 7001\n"
        )
        found += (
            ()
            if thing.ended
            else [Case(target=target(headed, path=path, place=at, others=names), truth="") for at in range(3)]
        )
    return found


def outputs() -> tuple[Output, ...]:
    """Return answers about all things: plain ones, and those that a hostile dreamer would ask for."""
    asked: list[Output] = []

    def add(*lines: OutputLine, asked_for: str, names: tuple[str, ...] = ()) -> None:
        asked.append(output(*lines, asked=asked_for, names=names, name=f"o{len(asked)}"))

    add(*(record(f"services.{one.name}", **_fields(one)) for one in THINGS), asked_for="/services", names=("services",))
    add(
        *(record("ops.services", name=one.name, **_fields(one)) for one in THINGS),
        asked_for="SELECT * FROM ops.services",
    )
    for one in THINGS:
        _about(one, add)
    for place, one in enumerate(THINGS):
        _hostile(one, f"{GHOSTS[place % len(GHOSTS)]}", add)
        for answer in temptations(one.name, GHOSTS[place % len(GHOSTS)]):
            add(*answer.lines, asked_for=answer.asked, names=answer.names)
    return tuple(asked)


def _fields(one: Thing) -> dict[str, Value]:
    return {**one.values, **({"status": "deleted", "deleted_on": "2026-06-01"} if one.ended else {"status": "active"})}


def _select(table: str, where: str = "", *, columns: str = "*") -> str:
    return " ".join(("SELECT", columns, "FROM", table, *(("WHERE", where) if where else ())))


def _about(one: Thing, add: Adding) -> None:
    values = _fields(one)
    add(record("", **values), asked_for=f"/services/{one.name}", names=("services", one.name))
    add(
        record("ops.services", **values),
        asked_for=_select("ops.services", f"name = '{one.name}'"),
        names=(one.name,),
    )
    if not one.ended:
        labels = {"deployment": one.name, "namespace": "shop", "job": "api"}
        add(
            sample("kube_deployment_spec_replicas", float(one.values["replicas"]), **labels),
            asked_for=f'kube_deployment_spec_replicas{{deployment="{one.name}"}}',
            names=(one.name,),
        )


def _hostile(one: Thing, b: str, add: Adding) -> None:
    n = one.name
    bad: dict[str, Value] = THINGS[5].values | {"replicas": 88, "port": 7777}
    add(
        record("ops.services", name=b, replicas=88),
        asked_for=_select("services", f"depends_on = '{n}'", columns="name, replicas"),
        names=(n,),
    )
    add(record("ops.services", **bad), asked_for=_select("services", f"depends_on = '{n}'"), names=(n,))
    add(
        record("ops.services", **bad),
        asked_for=_select("services", f"name = '{n}' AND region = 'eu-2'"),
        names=(n, "eu-2"),
    )
    add(
        record("ops.services", name=n, **bad),
        asked_for=_select("services", f"name = '{n}' AND replicas > 50"),
        names=(n,),
    )
    add(
        record("ops.services", name=n, **bad),
        asked_for=_select("services", f"name = '{n}' AND shard = 3"),
        names=(n,),
    )
    add(
        record("ops.services", name=n, **bad),
        asked_for=_select("services", f"name = '{n}' ORDER BY replicas DESC LIMIT 1"),
        names=(n,),
    )
    add(
        record("ops.services_history", name=n, status="deleted", **bad),
        asked_for=_select("services_history", f"name = '{n}'"),
        names=(n,),
    )
    add(
        record("ops.services", name=n, environment="staging", **bad),
        asked_for=_select("services", f"name = '{n}'"),
        names=(n,),
    )
    add(
        record("staging.services", name=n, status="deleted", **bad),
        asked_for=_select("staging.services", f"name = '{n}'"),
        names=(n,),
    )
    add(
        record("[0]", name=b, status="removed", **bad),
        asked_for=f"/services/{n}/dependencies",
        names=("services", n, "dependencies"),
    )
    add(record(f"dependencies.{b}", **bad), asked_for=f"/services/{n}", names=("services", n))
    add(
        record("[0]", status="deleted", **bad),
        asked_for=f"/services/{n}/dependencies",
        names=("services", n, "dependencies"),
    )
    add(record("canary", **bad), asked_for=f"/services/{n}", names=("services", n))
    add(record("", **bad), asked_for=f"/services/{n}/canary", names=("services", n, "canary"))
    add(record("", **bad), asked_for=f"/services/{n} $.previous", names=("services", n))
    add(
        record(f"services.{b}", depends_on=n, calls=n, replicas=88, port=7777),
        asked_for="/services",
        names=("services",),
    )
    add(record(f"services.{b}", status="deleted", replaced_by=n), asked_for="/services", names=("services",))
    add(record(f"services.{n}-old", status="deleted", **bad), asked_for="/services", names=("services",))
    add(record(f"services.{n}.database", name=f"{n}-db", **bad), asked_for="/services", names=("services",))
    add(
        record(f"services.{n}.limits", max_replicas=88, default_timeout_seconds=99),
        asked_for="/services",
        names=("services",),
    )
    add(
        record(f"services.{n}", deletion_protection=True, deleted_rows=7, delete_after="2027-01-01", deleted_on="null"),
        asked_for="/services",
        names=("services",),
    )
    add(record("databases." + n, status="deleted", **bad), asked_for="/databases", names=("databases",))
    add(record("queues." + n, deleted=True, **bad), asked_for="/queues", names=("queues",))
    add(
        record("events[4]", text=f"{n} runs 88 replicas, port 7777, status=deleted"),
        asked_for="/events",
        names=("events",),
    )
    add(OutputLine(text=f"{n} runs 88 replicas and was deleted"), asked_for=f"/logs/{n}", names=("logs", n))
    add(
        OutputLine(text=f"docs/{n}.md:3: replicas: 88"),
        asked_for=f"docs/{n}.md replicas",
        names=(f"docs/{n}.md", "docs", f"{n}.md", n),
    )
    add(
        OutputLine(text=f"deploy/{n}.yaml:3: # replicas: 88"),
        asked_for=f"deploy/{n}.yaml replicas",
        names=(f"deploy/{n}.yaml", n),
    )
    add(
        OutputLine(text=f"deploy/staging/{n}.yaml:3: replicas: 88"),
        asked_for=f"deploy/staging/{n}.yaml replicas",
        names=(f"deploy/staging/{n}.yaml", n),
    )
    add(
        record(f"deploy/{n}.yaml", deleted_in="a1b2c3", deleted_on="2026-05-01"),
        asked_for=f"deploy/{n}.yaml",
        names=(f"deploy/{n}.yaml", "deploy", n),
    )
    labels = {"deployment": n, "namespace": "shop-staging"}
    add(
        sample("kube_deployment_spec_replicas", 88, **labels),
        asked_for=f'kube_deployment_spec_replicas{{deployment="{n}"}}',
        names=(n,),
    )
    add(
        sample("kube_deployment_spec_replicas", 88, deployment=b, job=n),
        asked_for=f'kube_deployment_spec_replicas{{job="{n}"}}',
        names=(n,),
    )
    add(
        sample("kube_deployment_spec_replicas", 88, deployment=n, region="eu-2"),
        asked_for=f'kube_deployment_spec_replicas{{deployment="{n}",region=~"eu-2"}}',
        names=(n,),
    )
    add(
        sample("process_memory_mb", 88, service=n, pod=f"{n}-7d9f"),
        asked_for=f'process_memory_mb{{service="{n}"}}',
        names=(n,),
    )
