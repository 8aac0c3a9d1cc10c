"""`dream check`: what people should mend in a memory, wherever it is, and what can be mended for them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from config.environment import process_environment
from dream.checker.finding import Finding
from dream.checker.inspection import Inspection, inspect
from dream.checker.limits import CheckLimits
from dream.checker.mending import mend
from dream.checker.rules import RULES, Severity
from dream.checker.subject import Subject, read_subject
from dream.errors import UsageError
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from dream.memory.paths import FLOW_FOLDER
from dream.memory.tree import Tree
from dream.report.escaping import visible
from flows.commands.answers import Answer
from flows.commands.folders import FolderTree

_LIMITS = "DREAM_LIMITS"
_MAY_BE_A_NAME = re.compile(r"[a-z0-9-]+")
_FAILING = frozenset({Severity.ERROR, Severity.WARNING})


def check_memory(target: str, *, files: Sequence[str] = (), fix: bool = False) -> Answer:
    """Return one line for each finding in the memory `target`: an organisation's name, a folder, or a bare repository.

    A name goes before a path; `./name` is the path. With `files` only findings in these are told. With `fix` what has
    one answer is mended first. Exit 1 on errors and warnings that are left.

    Raises:
        UsageError: there is neither, or `fix` is asked for what is no folder.
        DreamError: the organisation's remote cannot be read, or a file cannot be written.
    """
    subject = _organisation(target) or _at(Path(target))
    named = _within(Path(target), files) if isinstance(subject.tree, FolderTree) else frozenset(files)
    wanted = named if files else None
    fixed: dict[str, tuple[str, ...]] = {}
    if fix:
        if not isinstance(subject.tree, FolderTree):
            message = f"{target} is no folder, and only a folder is mended"
            raise UsageError(message, way_out="clone it and run `dream check PATH --fix` there, or let the night do it")
        fixed = _fix(Path(target), subject, wanted)
        subject = _at(Path(target)) if fixed else subject
    inspection = inspect(subject)
    found = _of(inspection.findings, wanted)
    return Answer(
        text=_text(found, inspection, fixed, files=len(subject.tree.paths())),
        document={
            "target": target,
            "layout": str(inspection.layout).replace("_", "-"),
            "files": len(subject.tree.paths()),
            "findings": [_payload(finding) for finding in found],
            "counts": {str(severity): sum(one.severity is severity for one in found) for severity in Severity},
            "waived": dict(inspection.waived),
            "fixed": [{"path": path, "rules": list(rules)} for path, rules in fixed.items()],
        },
        exit_code=1 if any(finding.severity in _FAILING for finding in found) else 0,
    )


def list_rules() -> Answer:
    """Return every rule with its severity, where it holds and what it finds."""
    width = max(map(len, RULES))
    lines = [
        f"{name:{width}}  {rule.severity:7}  {rule.scope:18}  {'fix' if rule.is_fixed else '   '}  {rule.finds}"
        for name, rule in RULES.items()
    ]
    document = [
        {
            "rule": name,
            "severity": str(rule.severity),
            "scope": str(rule.scope),
            "waiving": str(rule.waiving).replace("_", "-"),
            "fix": rule.is_fixed,
            "finds": rule.finds,
            "way_out": rule.way_out,
        }
        for name, rule in RULES.items()
    ]
    return Answer(text="\n".join(lines), document={"rules": document})


def _organisation(target: str) -> Subject | None:
    """Return the memory of the organisation of that name, None where a path is meant."""
    if not _MAY_BE_A_NAME.fullmatch(target):
        return None
    from flows.commands.check_organisation import organisations_memory  # noqa: PLC0415  # a folder needs none of it

    try:
        return organisations_memory(target)
    except UsageError as error:
        if Path(target).exists():
            raise
        message = f"there is no folder {target}, and no memory of an organisation of that name can be read: {error}"
        raise UsageError(message, way_out=error.way_out) from error


def _at(path: Path) -> Subject:
    if not path.exists():
        message = f"there is no {path}"
        raise UsageError(message, way_out="name a folder, a bare git repository or an organisation", path=str(path))
    if not path.is_dir():
        message = f"{path} is no folder"
        raise UsageError(message, way_out="name the folder that is the memory", path=str(path))
    index, limits = _limits()
    tree = _tree_at(path)
    cache = NoteCache(max_bytes=index.file_bytes)
    foreign = _foreign(path) if isinstance(tree, FolderTree) else {}
    return read_subject(tree, cache, index, limits=limits, today=datetime.now(UTC).date(), foreign=foreign)


def _foreign(path: Path) -> Mapping[str, str]:
    if not (path / FLOW_FOLDER).is_dir():
        return {}
    from flows.commands.flow_history import foreign_flow_files  # noqa: PLC0415  # most folders are no night's

    return foreign_flow_files(path)


def _tree_at(path: Path) -> Tree:
    if (path / "HEAD").is_file() and (path / "objects").is_dir():
        from dream.repository.local import is_bare_repository, read_bare  # noqa: PLC0415  # a folder needs no git

        if is_bare_repository(path):
            return read_bare(path)
    return FolderTree(path)


def _limits() -> tuple[IndexLimits, CheckLimits]:
    """Return how much is too much: the defaults, unless the environment says otherwise, which takes a while to read."""
    if not any(name.upper().startswith(_LIMITS) for name in process_environment()):
        return IndexLimits(), CheckLimits()
    from flows.commands.check_organisation import configured_limits  # noqa: PLC0415

    return configured_limits()


def _fix(folder: Path, subject: Subject, wanted: frozenset[str] | None) -> dict[str, tuple[str, ...]]:
    from flows.commands.fixing import write_files  # noqa: PLC0415  # a check needs none of it

    mended = mend(subject, _of(inspect(subject).findings, wanted))
    write_files(folder, mended.files, known={path: subject.tree.blob(path) for path in mended.files})
    return dict(mended.rules)


def _within(folder: Path, files: Sequence[str]) -> frozenset[str]:
    """Return `files`, named from where this runs, as paths of the memory; those beside it are left out."""
    root = os.path.abspath(folder)  # noqa: PTH100  # links are not followed, here as everywhere
    paths = (os.path.relpath(os.path.abspath(file), root) for file in files)  # noqa: PTH100
    return frozenset(path.replace(os.sep, "/") for path in paths if path.partition(os.sep)[0] != os.pardir)


def _of(findings: Collection[Finding], wanted: Collection[str] | None) -> list[Finding]:
    return [finding for finding in findings if wanted is None or finding.path in wanted]


def _text(found: Sequence[Finding], inspection: Inspection, fixed: dict[str, tuple[str, ...]], *, files: int) -> str:
    errors = sum(finding.severity is Severity.ERROR for finding in found)
    count = f"{_number(len(found), 'finding')} ({_number(errors, 'error')}) in {_number(files, 'file')}"
    waived = sum(inspection.waived.values())
    count += f", {waived} waived" if waived else ""
    lines = [f"fixed: {ascii(path)[1:-1]}: {', '.join(rules)}" for path, rules in fixed.items()]
    lines += [visible(str(finding)) for finding in found]
    return "\n".join([*lines, count if found else f"nothing: {count}"])


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _payload(finding: Finding) -> dict[str, Any]:
    return {
        "path": finding.path,
        "line": finding.line,
        "rule": finding.rule,
        "severity": str(finding.severity),
        "message": finding.message,
        "way_out": finding.way_out,
        "mark": finding.mark,
    }
