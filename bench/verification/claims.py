"""What a memory says of the invented production: 500 entries, of which 120 are wrong and 60 cannot be checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from bench.verification.world import End, Kind, Resource, World, other_value, settings_path


class Truth(StrEnum):
    """How an entry stands to production; all but the first and the last are wrong."""

    HOLDS = "holds"
    CHANGED = "changed value"
    NEVER = "never true"
    MOVED = "moved"
    RENAMED = "renamed"
    DELETED = "deleted"
    UNCHECKABLE = "cannot be checked"


WRONG = (Truth.CHANGED, Truth.NEVER, Truth.MOVED, Truth.RENAMED, Truth.DELETED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a probe is best asked."""

    probe: str
    operation: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One entry: what it states, what it would state if it were right, and how anybody could find out.

    `told` is the value that it states, `value` the one that is so; both are empty where it states none. `right` is the
    statement with nothing but what is wrong put right, empty where there is no such statement.
    """

    subject: str
    kind: Kind
    attribute: str
    statement: str
    truth: Truth
    told: str = ""
    value: str = ""
    right: str = ""
    question: Question | None = None
    telling: int = 0
    is_pinned: bool = False


HOLDING, CHANGED, NEVER, UNCHECKABLE = 320, 48, 20, 60
PINNED = {Truth.HOLDS: 60, Truth.CHANGED: 30, Truth.NEVER: 10}

_FORMS = {
    "version": ("`{name}` runs version {value}", "The version of `{name}` in production is {value}"),
    "port": ("`{name}` listens on port {value}", "Port {value} is where `{name}` is reached"),
    "region": ("`{name}` runs in the region {value}", "`{name}` is deployed to region `{value}`"),
    "replicas": ("`{name}` has {value} replicas", "There are {value} replicas of `{name}`"),
    "timeout_seconds": ("The timeout of `{name}` is {value} seconds", "`{name}` gives up after a timeout of {value} s"),
    "log_level": ("The log level of `{name}` is `{value}`", "`{name}` logs at log level {value}"),
    "max_length": ("`{name}` has a maximum length of {value}", "The max length of the queue `{name}` is {value}"),
    "consumer": ("The consumer of `{name}` is `{value}`", "`{name}` is read by its consumer `{value}`"),
    "visibility_seconds": (
        "The visibility timeout of `{name}` is {value} seconds",
        "`{name}` has a visibility of {value} s",
    ),
    "max_connections": ("`{name}` allows {value} max connections", "Max connections of `{name}`: {value}"),
    "engine_version": ("`{name}` has engine version {value}", "The engine version of `{name}` is {value}"),
    "retention_days": (
        "Backups of `{name}` have a retention of {value} days",
        "`{name}` has {value} days of retention",
    ),
    "start_minute": ("`{name}` has its start at minute {value}", "The start minute of `{name}` is {value}"),
    "timeout_minutes": ("`{name}` has a timeout of {value} minutes", "The timeout of `{name}` is {value} min"),
}
_SELECT = "SELECT {column}, name FROM inventory.databases WHERE name = '{name}'"  # invented names
_OPINIONS = (
    "Ask {person} before anything of `{name}` is restarted",
    "`{name}` was split off in spring because one team could not own both halves",
    "We chose `{name}` over a library so that on-call has one place to look",
    "{person} wants reviews of `{name}` to name the reason for every new dependency",
    "The plan is to move `{name}` to the new network after the audit",
)
_PEOPLE = ("Ada", "Ben", "Cleo", "Dan")


def build_claims(world: World, seed: int) -> tuple[Claim, ...]:
    """Return the entries of a seed."""
    random = Random(f"{seed}/claims")  # noqa: S311  # invented figures
    slots = [(one, attribute, telling) for one in _told(world) for attribute in one.values for telling in (0, 1)]
    random.shuffle(slots)
    truths = [*[Truth.HOLDS] * HOLDING, *[Truth.CHANGED] * CHANGED, *[Truth.NEVER] * NEVER]
    left = dict(PINNED)
    claims = []
    for (one, attribute, telling), truth in zip(slots, truths, strict=False):
        is_pinned = left[truth] > 0
        left[truth] -= is_pinned
        value = one.values[attribute]
        told = value if truth is Truth.HOLDS else other_value(attribute, value, random)
        question = question_for(one, attribute, world)
        claims.append(_valued(one, attribute, truth, told, question=question, telling=telling, is_pinned=is_pinned))
    return (*claims, *_moved(world), *_renamed(world), *_deleted(world), *_unchecked(world, random))


def question_for(one: Resource, attribute: str, world: World) -> Question:
    """Return what is best asked about an attribute of a resource."""
    match one.kind:
        case Kind.SERVICE if attribute == "replicas":
            return Question(probe="metrics", operation="instant", text=f'service_replicas{{service="{one.name}"}}')
        case Kind.SERVICE if attribute in {"timeout_seconds", "log_level"}:
            text = f"{settings_path(one.name, world.moved)} $.{attribute}"
            return Question(probe="web", operation="config", text=text)
        case Kind.SERVICE:
            return Question(probe="status", operation="get", text=f"/services/{one.name} $.{attribute}")
        case Kind.DATABASE:
            text = _SELECT.format(column=attribute, name=one.name)
            return Question(probe="inventory", operation="select", text=text)
        case Kind.QUEUE:
            return Question(probe="deployments", operation="get_queue", text=f'{{"name": "{one.name}"}}')
        case Kind.JOB:
            return Question(probe="deployments", operation="get_job", text=f'{{"name": "{one.name}"}}')


def _told(world: World) -> list[Resource]:
    """Return what the memory has values of: what runs, the canaries apart, which are there to be mixed up with."""
    return [one for kind in Kind for one in world.of(kind) if not one.name.endswith("-canary")]


def _valued(
    one: Resource, attribute: str, truth: Truth, told: str, *, question: Question, telling: int, is_pinned: bool
) -> Claim:
    value = one.values[attribute]
    form = _FORMS[attribute][telling]
    return Claim(
        subject=one.name,
        kind=one.kind,
        attribute=attribute,
        statement=form.format(name=one.name, value=told),
        truth=truth,
        told=told,
        value=value,
        right=form.format(name=one.name, value=value),
        question=question,
        telling=telling,
        is_pinned=is_pinned,
    )


def _moved(world: World) -> Iterator[Claim]:
    for new, old in world.moved.items():
        name = new.rpartition("/")[2].removesuffix(".yaml")
        form = "The settings of `{name}` are kept in `{path}`"
        yield Claim(
            subject=name,
            kind=Kind.SERVICE,
            attribute="settings",
            statement=form.format(name=name, path=old),
            truth=Truth.MOVED,
            told=old,
            value=new,
            right=form.format(name=name, path=new),
            question=Question(probe="web", operation="history", text=old),
        )


def _renamed(world: World) -> Iterator[Claim]:
    for one in world.of(Kind.QUEUE, End.RENAMED):
        for attribute in ("consumer", "max_length"):
            form = _FORMS[attribute][0]
            yield Claim(
                subject=one.was,
                kind=one.kind,
                attribute=attribute,
                statement=form.format(name=one.was, value=one.values[attribute]),
                truth=Truth.RENAMED,
                told=one.was,
                value=one.name,
                right=form.format(name=one.name, value=one.values[attribute]),
                question=Question(probe="deployments", operation="get_queue", text=f'{{"name": "{one.was}"}}'),
            )


def _deleted(world: World) -> Iterator[Claim]:
    for one in (*world.of(Kind.SERVICE, End.GONE), *world.of(Kind.QUEUE, End.GONE)):
        for attribute in list(one.values)[:2]:
            question = question_for(one, attribute, world)
            if question.probe == "status":
                question = Question(probe="status", operation="get", text=f"/services/{one.name}")
            yield Claim(
                subject=one.name,
                kind=one.kind,
                attribute=attribute,
                statement=_FORMS[attribute][0].format(name=one.name, value=one.values[attribute]),
                truth=Truth.DELETED,
                told=one.values[attribute],
                question=question,
            )


def _unchecked(world: World, random: Random) -> Iterator[Claim]:
    told = _told(world)
    for number in range(UNCHECKABLE):
        one = told[number % len(told)]
        opinion = _OPINIONS[number % len(_OPINIONS)].format(name=one.name, person=random.choice(_PEOPLE))
        statement = f"{opinion} ({number + 1})" if number >= len(told) else opinion
        question = question_for(one, next(iter(one.values)), world)
        yield Claim(
            subject=one.name,
            kind=one.kind,
            attribute="",
            statement=statement,
            truth=Truth.UNCHECKABLE,
            question=question,
        )
