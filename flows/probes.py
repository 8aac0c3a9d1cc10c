"""The systems of an organisation as probes, from its configuration: what is asked of them never writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import assert_never

from config.credentials import resolve_credential
from config.environment import process_environment
from config.organisation import Organisation
from config.production import CodeProbe, HttpProbe, McpProbe, Production, PrometheusProbe, RecordedProbe, SqlProbe
from dream.errors import UsageError
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Probe
from dream.sources.production.unreachable import UnreachableProbe
from flows.code_repositories import code_environment, code_home, code_source

NOT_READ = "the repository has not been read"


@contextmanager
def open_probes(
    organisation: Organisation, *, code: Sequence[CodeTree], home: Path, only: str = ""
) -> Iterator[tuple[Probe, ...]]:
    """Give the probes of an organisation, or the one called `only`, and let go of what they hold at the end.

    Code is asked as it was read into `code`, by the mirrors in the organisation's own folder `home`. Secrets are looked
    up here; a probe whose secret is missing answers that it is down. Nothing is asked of any system yet.
    """
    trees = {tree.name: tree for tree in code}
    systems = [system for system in organisation.production if only in {"", system.name}]
    with ExitStack() as stack:
        probes = tuple(_open(system, organisation.organisation, trees, home) for system in systems)
        for probe in probes:
            close = getattr(probe, "close", None)
            if close is not None:
                stack.callback(close)
        yield probes


def unopened_probes(organisation: Organisation, *, home: Path) -> tuple[Probe, ...]:
    """Return the probes of an organisation to look at and not to ask: no secret is looked up and no code is read."""
    return tuple(_probe(system, "", {}, home, {}) for system in organisation.production)


def limits_of(system: Production) -> ProbeLimits:
    """Return what one question to a system may take and give."""
    return ProbeLimits(
        seconds=system.seconds,
        output_bytes=system.output_bytes,
        lines=system.lines,
        line_characters=system.line_characters,
    )


def _open(system: Production, organisation: str, trees: Mapping[str, CodeTree], home: Path) -> Probe:
    try:
        if isinstance(system, CodeProbe):
            return _probe(system, "", trees, home, code_environment(system, organisation))
        secret = resolve_credential(system.credential, organisation=organisation)
    except UsageError as error:
        probe = _probe(system, "", {}, home, {})
        known = () if isinstance(system, McpProbe) else probe.operations  # its tools are the server's to tell
        return UnreachableProbe(probe=probe, reason=str(error), operations=known)
    return _probe(system, secret.get_secret_value() if secret else "", trees, home, {})


def _probe(
    system: Production, secret: str, trees: Mapping[str, CodeTree], home: Path, environment: Mapping[str, str]
) -> Probe:
    """Make the probe of a system; what speaks to it is loaded only where an organisation has one of its kind."""
    limits = limits_of(system)
    match system:
        case CodeProbe():
            return _code(system, trees, home, environment, limits)
        case HttpProbe():
            return _http(system, secret, limits)
        case PrometheusProbe():
            return _prometheus(system, secret, limits)
        case SqlProbe():
            return _sql(system, secret, limits)
        case McpProbe():
            return _mcp(system, secret, limits)
        case RecordedProbe():
            return _recorded(system, limits)
        case _ as unreachable:
            assert_never(unreachable)


def _code(
    system: CodeProbe,
    trees: Mapping[str, CodeTree],
    home: Path,
    environment: Mapping[str, str],
    limits: ProbeLimits,
) -> Probe:
    from dream.sources.production.code import probe as code  # noqa: PLC0415

    tree = trees.get(system.name) or CodeTree(name=system.name, unknown=NOT_READ)
    return code.CodeProbe(
        tree=tree, source=code_source(system), home=code_home(system, home), environment=environment, limits=limits
    )


def _http(system: HttpProbe, secret: str, limits: ProbeLimits) -> Probe:
    from dream.sources.production.http import probe as http  # noqa: PLC0415

    source = http.HttpSource(
        name=system.name,
        url=system.url,
        paths=system.paths,
        headers=system.headers,
        credential_header=system.credential_header,
        internal=system.internal,
    )
    return http.HttpProbe(source, secret=secret, limits=limits)


def _prometheus(system: PrometheusProbe, secret: str, limits: ProbeLimits) -> Probe:
    from dream.sources.production.prometheus import probe as prometheus  # noqa: PLC0415

    source = prometheus.PrometheusSource(name=system.name, url=system.url, internal=system.internal)
    return prometheus.PrometheusProbe(source, secret=secret, limits=limits)


def _sql(system: SqlProbe, secret: str, limits: ProbeLimits) -> Probe:
    from dream.sources.production.sql import probe as sql  # noqa: PLC0415

    source = sql.SqlSource(
        name=system.name,
        url=system.url,
        functions=system.functions,
        tables=system.tables,
        rows=system.rows,
        internal=system.internal,
    )
    return sql.SqlProbe(source, secret=secret, limits=limits)


def _mcp(system: McpProbe, secret: str, limits: ProbeLimits) -> Probe:
    from dream.sources.production.mcp import probe as mcp  # noqa: PLC0415
    from dream.sources.production.mcp.limits import SessionLimits  # noqa: PLC0415
    from dream.sources.production.mcp.source import McpSource  # noqa: PLC0415

    source = McpSource(
        name=system.name,
        url=system.url,
        command=system.command,
        credential_variable=system.credential_variable,
        environment=system.environment,
        tools=system.tools,
        internal=system.internal,
    )
    return mcp.McpProbe(
        source,
        secret=secret,
        environment=process_environment(),
        limits=limits,
        sessions=SessionLimits(deaths=system.deaths),
    )


def _recorded(system: RecordedProbe, limits: ProbeLimits) -> Probe:
    from dream.sources.production import recorded  # noqa: PLC0415

    return recorded.RecordedProbe(system.name, system.path, limits=limits)
