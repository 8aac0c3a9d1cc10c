"""What `dream doctor` says of the systems of an organisation: what of each is reached, and that none can be written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from config.production import CodeProbe, HttpProbe, McpProbe, Production, PrometheusProbe, RecordedProbe, SqlProbe
from dream.guards.masking import mask_secrets
from dream.report.checks import Check, fail, ok
from dream.sources.production.code.tree import CodeTree
from flows.probes import open_probes
from flows.workplace import Workplace


def check_probes(workplace: Workplace, code: Sequence[CodeTree]) -> Iterator[Check]:
    """Yield, for each system, what was tried on it and how that ended; what is not as it must be fails."""
    systems = {system.name: system for system in workplace.organisation.production}
    with open_probes(workplace.organisation, code=code, home=workplace.home) as probes:
        for probe in probes:
            thing = f"{workplace.name} probe {probe.name}"
            for proof in probe.examine():
                told = mask_secrets(f"{proof.tried}: {proof.seen}")
                yield ok(thing, told) if proof.sound else fail(thing, told, _way_out(systems[probe.name]))


def _way_out(system: Production) -> str:
    match system:
        case CodeProbe():
            return "correct its url, branch or credential, and see that `internal` is right"
        case HttpProbe() | PrometheusProbe():
            return "correct its url or credential, and see that `internal` is right"
        case SqlProbe():
            return "correct its url or credential, and give it a role that may only read: docs/production.md"
        case McpProbe():
            return "correct its url or command, and name only tools that the server marks read-only"
        case RecordedProbe():
            return "correct its path, or record the file anew with `dream probe … --record FILE`"
        case _ as unreachable:
            assert_never(unreachable)
