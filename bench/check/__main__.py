"""`python -m bench.check`: what `dream check` finds in real memories, beside a linter and a link checker.

Nothing is asserted. The other tools are no dependencies: `npm install markdownlint-cli2 markdown-link-check` in any
folder, and `--tools FOLDER/node_modules/.bin`.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.check.comparing import Account, compare
from bench.check.others import LINKS, LINTER, Tools, dead_links, find_tools, lint
from bench.check.trees import DATA, ROOTS, Memory, read_memories
from bench.tables import render_table
from dream.checker.inspection import find_all
from dream.checker.rules import RULES, Severity
from dream.checker.subject import Subject, read_subject
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache

TODAY = datetime(2026, 11, 30, tzinfo=UTC).date()
"""The day that ages are counted from, so that every run says the same."""

SHORT = ("bga-assistant", "agentic-memory")
_OFTEN = 12


def main(arguments: list[str]) -> int:
    """Print the tables; exits 0 whatever is found."""
    parser = argparse.ArgumentParser(prog="python -m bench.check", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, help="where real memories are")
    parser.add_argument("--short", action="store_true", help="two small memories, and no other tools")
    parser.add_argument("--tools", type=Path, help="the folder with the programs of the other tools")
    parser.add_argument("--list", metavar="RULE", help="print every finding of one rule, to be looked at by hand")
    asked = parser.parse_args(arguments)
    if not asked.folder.is_dir():
        parser.error(f"{asked.folder} is not here")
    tools = Tools(linter=None, links=None) if asked.short else find_tools(asked.tools)
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    print(f"{now}, Python {platform.python_version()}, {os.cpu_count()} cores. Nothing is drawn by chance.")
    memories = list(read_memories(asked.folder, SHORT if asked.short else tuple(ROOTS)))
    found, subjects = {}, {}
    for memory in memories:
        before = time.process_time()
        subjects[memory.name] = read_subject(memory.tree, NoteCache(), IndexLimits(), today=TODAY)
        findings = find_all(subjects[memory.name])
        found[memory.name] = Counter(one.rule for one in findings), time.process_time() - before
        if asked.list:
            print(*(f"{memory.name}/{one}" for one in findings if one.rule == asked.list), sep="\n")
    print(f"\n### What `dream check` finds\n\n{_findings(memories, found)}")
    with tempfile.TemporaryDirectory() as folder:
        for memory in memories:
            memory.write(Path(folder) / memory.name)
        _beside(tools, memories, subjects, Path(folder))
    return 0


def _findings(memories: Sequence[Memory], found: Mapping[str, tuple[Counter[str], float]]) -> str:
    heads = ["rule", "severity", *(memory.name for memory in memories), "all"]
    rows: list[list[object]] = [
        [f"`{rule}`", known.severity, *counts, sum(counts)]
        for rule, known in RULES.items()
        if any(counts := [found[memory.name][0][rule] for memory in memories])
    ]
    for severity in Severity:
        ruled = [rule for rule, known in RULES.items() if known.severity is severity]
        counts = [sum(found[memory.name][0][rule] for rule in ruled) for memory in memories]
        rows.append(["all", severity, *counts, sum(counts)])
    files = [len(memory.tree.paths()) for memory in memories]
    seconds = [found[memory.name][1] for memory in memories]
    rows += [["files", "", *files, sum(files)], ["CPU s", "", *seconds, sum(seconds)]]
    return render_table(heads, rows)


def _beside(tools: Tools, memories: Sequence[Memory], subjects: Mapping[str, Subject], folder: Path) -> None:
    if tools.linter is None:
        print(f"\n{LINTER} is not here: nothing to set beside.")
    else:
        counts = {memory.name: lint(tools.linter, folder / memory.name) for memory in memories}
        print(f"\n### What markdownlint finds, with its defaults\n\n{_linted(memories, counts)}")
    if tools.links is None:
        print(f"\n{LINKS} is not here: nothing to set beside.")
        return
    accounts = {
        memory.name: compare(memory, subjects[memory.name], dead_links(tools.links, memory, folder / memory.name))
        for memory in memories
    }
    print(f"\n### Links that lead nowhere, one by one\n\n{_compared(memories, accounts)}")
    apart = [
        [one.whose, name, f"`{one.file}:{one.line}`", f"`{one.target[:80]}`", one.why]
        for name, told in accounts.items()
        for one in told
        if one.whose != "both"
    ]
    print("\n" + render_table(["whose", "memory", "where", "target", "why"], apart))


def _linted(memories: Sequence[Memory], counts: Mapping[str, Mapping[str, int]]) -> str:
    total: Counter[str] = Counter()
    for each in counts.values():
        total.update(each)
    often = [rule for rule, _ in total.most_common(_OFTEN)]
    rows: list[list[object]] = [
        [rule, *(counts[memory.name].get(rule, 0) for memory in memories), total[rule]] for rule in often
    ]
    rows.append(
        [
            f"{len(total) - len(often)} others",
            *(sum(n for rule, n in counts[memory.name].items() if rule not in often) for memory in memories),
            sum(n for rule, n in total.items() if rule not in often),
        ]
    )
    rows.append(["all", *(sum(counts[memory.name].values()) for memory in memories), sum(total.values())])
    return render_table(["rule", *(memory.name for memory in memories), "all"], rows)


def _compared(memories: Sequence[Memory], accounts: Mapping[str, Sequence[Account]]) -> str:
    pairs = sorted({(one.whose, one.why) for told in accounts.values() for one in told})
    rows = []
    for whose, why in pairs:
        counts = [sum((one.whose, one.why) == (whose, why) for one in accounts[memory.name]) for memory in memories]
        rows.append([whose, why, *counts, sum(counts)])
    return render_table(["whose", "why", *(memory.name for memory in memories), "all"], rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
