"""What one line of an answer says: of which thing, which attributes, and whether it is of now."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dream.guards.verdicts.outputs import Output, OutputLine
from dream.guards.verdicts.words import concepts_of, listed, parts_of

_METRIC = re.compile(r"\A([A-Za-z_:][\w:]*)?\{.*\}(?:: |\Z)")
_FILE_LINE = re.compile(r"\A(?P<path>[^\s:]+):(?P<number>[0-9]{1,7}): ?")
_FILE = re.compile(r"/|\w\.[a-z]{1,5}\Z")
_PATH = re.compile(r"\A(?P<path>(?:\"(?:[^\"\\]|\\.){0,1000}\"|[^\s\"=:{}])+): ")
_SEGMENT = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\[[0-9]+\]|[^.\[\]\"]+")
_PAIR = re.compile(
    r"(?<![\w./-])[\"']?(?P<key>[A-Za-z_][\w.-]{0,80})[\"']?\s{0,4}[:=]\s{0,4}"
    r"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<plain>[^\s,;{}()\[\]\"'=]+))(?=[\s,;)}\]]|\Z)"
)
_COMMENT = re.compile(r"\s*(?:#|//|--|;|\*|/\*|<!--|\"\"\"|''')")
_NAMING = frozenset({"name", "id", "slug", "identifier", "title"})
_KINDS = listed(
    "service svc deployment app application component statefulset daemonset cronjob workload resource "
    "queue topic stream "
    "database datname db bucket table relname host hostname server node domain certificate function volume cache repo "
    "repository package package module alertname alert rule job feature flag cluster system project"
)
_HOLDERS = frozenset({"job", "cluster", "project", "host", "hostname", "node", "server", "repo", "repository"})
_LABELS = frozenset({"label", "k8s", "kubernetes", "kube", "pg", "exported", "aws", "the", "my"})
_GENERIC = listed(
    "data items item results result list entries records record rows spec config settings status info details api "
    "metadata values properties attributes production prod services resources inventory registry "
    "catalog public v1 v2 v3 "
    "deployments apps applications queues topics databases buckets hosts nodes clusters functions jobs volumes caches "
    "components workloads systems statefulsets certificates domains tables servers streams repositories packages flags "
    "features alerts rules service app deployment queue topic database bucket host node cluster "
    "function job volume cache "
    "charts kustomize overlays env environments apps packages modules "
    "deploy k8s kubernetes manifests infra charts helm terraform src base ops platform orders_ schema main"
)
_NOT_NOW = listed(
    "archive archived archives history historical old older previous prev former legacy backup backups "
    "template templates "
    "default defaults example examples sample samples draft drafts planned desired target deprecated "
    "snapshot snapshots "
    "audit changelog migrations migration fixture fixtures mock mocks docs doc documentation proposed "
    "proposal tests trash "
    "deleted dependencies dependency depends upstream upstreams downstream downstreams clients callers consumers peers "
    "dependents children parent parents related siblings fallback override overrides last next future pending"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A line with its parts told apart.

    `identity` is the name of the thing that it is about as the line itself says it, "" where it says none, and None
    where it names several or one that has only a place in a list. `within` are the keys below that thing that lead to
    the fields. `before` are those above it. `metric` is that of a sample, `file` that of a line of code.
    """

    identity: str | None
    fields: tuple[tuple[str, str], ...]
    within: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    metric: str = ""
    file: str = ""
    naming: tuple[str, ...] = ()
    is_comment: bool = False

    @property
    def mentions(self) -> frozenset[str]:
        """Every name and value that stands on the line as a whole."""
        return frozenset((*(value for _, value in self.fields), *self.within, *self.before, *self.file.split("/")))


def read_line(line: OutputLine, output: Output) -> Reading:
    """Return what `line` of `output` says."""
    metric = _METRIC.match(line.text)
    if metric:
        return _of_metric(metric[1] or "", line.fields or _pairs(line.text))
    in_file = _FILE_LINE.match(line.text)
    if in_file and "/" in in_file["path"] + output.asked:
        body = line.text[in_file.end() :]
        fields = line.fields or _pairs(body)
        naming = [(key, value) for key, value in fields if is_naming(key)]
        return Reading(
            identity=_called(naming) or _named(naming, ()),
            fields=fields,
            file=in_file["path"],
            is_comment=_COMMENT.match(body) is not None,
        )
    of_file = next((name for name in _files(output) if line.text.startswith(name)), "")
    if of_file:
        return _of_file(of_file, line, output)
    path = _PATH.match(line.text)
    segments = tuple(_bare(part) for part in _SEGMENT.findall(path["path"])) if path else ()
    body = line.text[path.end() :] if path else line.text
    return _of_record(segments, line.fields or _pairs(body), output)


def _files(output: Output) -> list[str]:
    """Return the paths of files that the question fixes, the longest first."""
    paths = [name for name in output.names if _FILE.search(name) and name in output.asked]
    return sorted(paths, key=len, reverse=True)


def _of_file(path: str, line: OutputLine, output: Output) -> Reading:
    """Return what a line of a configuration file says: the keys within the file, then the values."""
    rest = _PATH.match(line.text[len(path) :].lstrip(". "))
    segments = tuple(_bare(part) for part in _SEGMENT.findall(rest["path"])) if rest else ()
    read = _of_record(segments, line.fields or _pairs(line.text[len(path) :]), output)
    identity = None if any(part.startswith("[") for part in segments) else read.identity
    return replace(read, identity=identity, file=path)


def is_naming(key: str) -> bool:
    """Whether a key says which thing a record is about: `name`, `service`, `queue_name`, but not `source_queue`."""
    parts = [part for part in parts_of(key.rsplit(".", 1)[-1]) if part not in _LABELS]
    return bool(parts) and all(part in _NAMING or part in _KINDS for part in parts)


def is_generic(word: str) -> bool:
    """Whether a part of a path or a question only leads to things, and names none."""
    return word.lower() in _GENERIC or word.lower() in _KINDS or word.lower() in _NAMING


def is_not_now(word: str) -> bool:
    """Whether a part of a name, a path or a key tells of what was, may be, or is another thing's."""
    return any(part in _NOT_NOW for part in parts_of(word))


def _of_metric(metric: str, fields: tuple[tuple[str, str], ...]) -> Reading:
    labels = [(key, value) for key, value in fields if key not in {"value", metric}]
    naming = [(key, value) for key, value in labels if is_naming(key)]
    by_metric = [(key, value) for key, value in naming if key in parts_of(metric)]
    return Reading(
        identity=_one(by_metric) or _of_several(naming), fields=fields, metric=metric, naming=_values(naming)
    )


def _of_record(segments: tuple[str, ...], fields: tuple[tuple[str, str], ...], output: Output) -> Reading:
    of_image = segments[-1:] == ("image",)
    naming = [(key, value) for key, value in fields if is_naming(key) and not (of_image and key == "repository")]
    values = _values(naming)
    below = _thing(segments)
    named = _called(naming) or ("" if below >= 0 else _named(naming, segments))
    if named != "":
        return Reading(identity=named, fields=fields, before=_without_places(segments), naming=values)
    if any(part.startswith("[") for part in segments):
        return Reading(identity=None, fields=fields, before=segments, naming=values)
    asked = {name.lower() for name in output.names}
    for at in range(len(segments) - 1, -1, -1):
        if at == below or (not is_generic(segments[at]) and segments[at].lower() in asked):
            return Reading(
                identity=segments[at], fields=fields, within=segments[at + 1 :], before=segments[:at], naming=values
            )
    if segments and re.search(rf"\bfrom\s+{re.escape('.'.join(segments))}\b", output.asked, re.IGNORECASE):
        return Reading(identity="", fields=fields, before=segments, naming=values)
    return Reading(identity="", fields=fields, within=segments, naming=values)


def _is_of(key: str, segment: str) -> bool:
    return bool(concepts_of([key]) & concepts_of([segment]))


def _thing(segments: tuple[str, ...]) -> int:
    """Return which segment names the thing: the one below a kind (`services.orders-api`), else the last name."""
    for at in range(len(segments) - 1, 0, -1):
        if _is_list_of_things(segments[at - 1]) and not segments[at].startswith("[") and not _is_share(segments, at):
            return at
    return len(segments) - 1 if len(segments) == 1 and _is_written_as_name(segments[0]) else -1


def _is_share(segments: tuple[str, ...], at: int) -> bool:
    """Whether a segment says how much there is to be had (`resources.limits`), and names none of the resources."""
    return segments[at - 1].lower() == "resources" and segments[at].lower() in {"limits", "requests"}


def _is_list_of_things(segment: str) -> bool:
    lower = segment.lower()
    return (lower.removesuffix("s") in _KINDS and lower.endswith("s")) or lower.removesuffix("ies") + "y" in _KINDS


def _is_written_as_name(segment: str) -> bool:
    return re.search(r"[a-z0-9][-.][a-z0-9]", segment) is not None


def _called(naming: list[tuple[str, str]]) -> str:
    """Return what the key `name` says, "" where there is none."""
    return _one([(key, value) for key, value in naming if key.lower() == "name"])


def _named(naming: list[tuple[str, str]], segments: tuple[str, ...]) -> str | None:
    """Return the name by which fields say what they are about, "" where none does, None where several do.

    Of several, the one that is called like the table or list in which they stand.
    """
    kind = next((part for part in reversed(segments) if not part.startswith("[")), "")
    return _one([(key, value) for key, value in naming if kind and _is_of(key, kind)]) or _of_several(naming)


def _of_several(naming: list[tuple[str, str]]) -> str | None:
    own = [(key, value) for key, value in naming if not _HOLDERS.intersection(parts_of(key))]
    if not naming:
        return ""
    return _one(own or naming) or None


def _one(naming: list[tuple[str, str]]) -> str:
    values = frozenset(value for _, value in naming)
    return next(iter(values)) if len(values) == 1 else ""


def _values(naming: list[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for _, value in naming))


def _without_places(segments: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part for part in segments if not part.startswith("["))


def _bare(segment: str) -> str:
    return segment[1:-1] if segment.startswith('"') and segment.endswith('"') and len(segment) > 1 else segment


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    found = []
    for match in _PAIR.finditer(text):
        value = next(part for part in (match["double"], match["single"], match["plain"]) if part is not None)
        found.append((match["key"], value))
    return tuple(found)
