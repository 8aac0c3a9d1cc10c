"""The words by which an entry and a system speak of the same attribute, and those that say nothing of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from dream.guards.vocabulary import content_words
from dream.memory.similarity import word_set


def listed(words: str) -> frozenset[str]:
    """Return the words of a text between blanks, as a set."""
    return frozenset(words.split())


_PARTS = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+|[^\W\d_A-Za-z]+")
_SAME = (
    "replica replicas instance instances copies pods replicacount",
    "port ports listens listening listen puerto escucha",
    "memory ram mem arbeitsspeicher speicher",
    "cpu cpus core cores vcpu vcpus",
    "timeout timeouts",
    "retry retries retried attempts",
    "retention retained retains keeps kept",
    "version versions release tag",
    "region regions location located zone",
    "owner owned owns maintainer maintained owners",
    "schedule scheduled cron",
    "disk storage volume",
    "connection connections conns",
    "interval every",
    "max maximum most upper limit limits maximal up",
    "min minimum least lower minimal",
    "url endpoint address",
    "enabled enable enables",
    "cache cached caching caches",
    "backup backups",
    "partition partitions",
    "consumer consumers",
    "shard shards",
    "database db",
    "environment env",
    "channel slack",
    "language lang runtime",
    "log logs logging",
    "image container",
)
_CONCEPTS = {word: group.split()[0] for group in _SAME for word in group.split()}
_NEUTRAL = listed(
    "a an and are as at be been being by can could does do for from has had have having here in is it its of on or our "
    "per so than that the their them then there these they this those to we which with both also just currently now "
    "today present presently right exactly total run runs running use uses using set sets configured configure "
    "provides serves exposes exposed allows allow allowed permits accepts accept deployed hosted lives value values "
    "count number setting settings size amount current service app application component resource system up "
    "times moment anzahl "
    "consume consumes get gets given holds hold stored stores store needs via after production prod live kept deploys "
    "der die das ein eine ist sind hat haben läuft laufen mit auf und im in am von zu derzeit aktuell "
    "dienst wird den dem "
    "le la les un une est sont el los las es son en del de du "
    "einen einem beträgt liegt nutzt verwendet stehen steht"
) - {"per", "after", "needs", "up", "or"}
_IGNORED_IN_KEYS = listed(
    "resources kube spec current count number num n value setting settings config configuration the is of total "
    "info pg kubernetes "
    "status data properties attributes details parameters params options"
) - {"status", "total"}
_GENERIC_HEADINGS = listed(
    "overview facts fact configuration config capacity limits settings deployment operations notes note "
    "details current "
    "state status about summary infrastructure runtime general basics resources sizing scaling setup reference info "
    "information key service production"
)
ATTRIBUTES = frozenset(_CONCEPTS.values()) | {
    "name",
    "host",
    "size",
    "rate",
    "quota",
    "budget",
    "path",
    "team",
    "plan",
    "tier",
    "class",
    "engine",
    "protocol",
    "status",
    "state",
    "concurrency",
    "batch",
    "pool",
    "ttl",
}


@lru_cache(maxsize=10_000)
def concept(word: str) -> str:
    """Return a word as what it speaks of: a plural and a synonym are no other word."""
    lower = word.lower()
    if lower in _CONCEPTS:
        return _CONCEPTS[lower]
    stems = content_words(lower)
    stem = next(iter(stems), lower) if len(stems) == 1 else lower
    return _CONCEPTS.get(stem, stem)


@lru_cache(maxsize=10_000)
def parts_of(name: str) -> tuple[str, ...]:
    """Return the words of a key or a name, split at marks and at capitals, in lower case."""
    return tuple(part.lower() for part in _PARTS.findall(name))


def concepts_of(names: Iterable[str]) -> frozenset[str]:
    """Return what the words of keys, names or texts speak of."""
    return frozenset(concept(part) for name in names for part in parts_of(name))


def is_neutral(word: str) -> bool:
    """Whether a word of an entry says nothing that could make its value another thing's."""
    return word.lower() in _NEUTRAL


def says_nothing_in_a_key(part: str) -> bool:
    """Whether a part of a key tells nothing of which attribute it is."""
    return part in _IGNORED_IN_KEYS


def is_generic_heading(text: str) -> bool:
    """Whether a heading names a group of facts, and no thing of its own."""
    return all(word in _GENERIC_HEADINGS or word in _NEUTRAL or concept(word) in ATTRIBUTES for word in word_set(text))
