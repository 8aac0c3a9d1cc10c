"""`dream check`: what people should mend in a memory, wherever it is."""

from __future__ import annotations

from pathlib import Path

from config.organisation import is_slug
from dream.checker.inspection import Finding, check
from dream.checker.pins import Asking
from dream.errors import UsageError
from dream.memory.notes import NoteCache
from dream.memory.tree import Tree
from dream.report.escaping import visible
from dream.repository.local import is_bare_repository, read_bare
from dream.repository.lock import lock
from flows.bookkeeping import index_limits
from flows.commands.answers import Answer
from flows.commands.folders import FolderTree
from flows.installation import all_organisations, open_installation
from flows.opening import fetch_head
from flows.probes import unopened_probes
from flows.workplace import Workplace


def check_memory(target: str) -> Answer:
    """Return one line for each finding in the memory `target`: an organisation's name, a folder, or a bare repository.

    A name goes before a path; `./name` is the path. Exit 1 on findings.

    Raises:
        UsageError: there is neither.
        DreamError: the organisation's remote cannot be read.
    """
    workplace = _workplace(target)
    tree = _organisations_tree(workplace) if workplace else _tree_at(Path(target))
    limits = index_limits(workplace.organisation.limits if workplace else open_installation().limits)
    asking = _asking(workplace) if workplace else None
    findings = check(tree, NoteCache(max_bytes=limits.file_bytes), limits, asking=asking)
    errors = sum(finding.severity == "error" for finding in findings)
    found, files = len(findings), len(tree.paths())
    count = f"{_number(found, 'finding')} ({_number(errors, 'error')}) in {_number(files, 'file')}"
    return Answer(
        text="\n".join([*(visible(str(finding)) for finding in findings), count if findings else f"nothing: {count}"]),
        document={
            "target": target,
            "files": files,
            "findings": [_payload(finding) for finding in findings],
        },
        exit_code=1 if findings else 0,
    )


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _workplace(target: str) -> Workplace | None:
    """Return the organisation of that name; None where there is none, or no configuration, and a path is meant."""
    if not is_slug(target):
        return None
    try:
        settings = open_installation()
        organisation = all_organisations(settings).get(target)
    except UsageError:
        if Path(target).exists():
            return None
        raise
    return Workplace(organisation=organisation, settings=settings)


def _asking(workplace: Workplace) -> Asking:
    """Return what may be asked of the organisation's systems, none of which is asked."""
    probes = {probe.name: probe for probe in unopened_probes(workplace.organisation, home=workplace.home)}
    return Asking(probes=tuple(probes), objection=lambda name, operation, text: probes[name].objection(operation, text))


def _organisations_tree(workplace: Workplace) -> Tree:
    with lock(workplace.home, wait_seconds=workplace.settings.lock_wait_seconds):
        mirror = workplace.mirror()
        return mirror.tree(fetch_head(workplace, mirror) or None)


def _tree_at(path: Path) -> Tree:
    if not path.exists():
        message = f"there is no {path}"
        raise UsageError(message, way_out="name a folder, a bare git repository or an organisation", path=str(path))
    if not path.is_dir():
        message = f"{path} is no folder"
        raise UsageError(message, way_out="name the folder that is the memory", path=str(path))
    return read_bare(path) if is_bare_repository(path) else FolderTree(path)


def _payload(finding: Finding) -> dict[str, str | int]:
    return {
        "path": finding.path,
        "line": finding.line,
        "rule": finding.rule,
        "severity": str(finding.severity),
        "message": finding.message,
        "way_out": finding.way_out,
    }
