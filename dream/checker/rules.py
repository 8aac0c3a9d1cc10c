"""The rules of the checker by their stable ids: how bad each is, where it holds, what helps, how it can be waived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, auto
from types import MappingProxyType


class Severity(StrEnum):
    """How bad a finding is.

    An ERROR stops a note or a night from being read right, a WARNING is untidy, and INFO is what comes with time or
    what the next night mends: it is shown and makes no exit of 1.
    """

    ERROR = auto()
    WARNING = auto()
    INFO = auto()


class Scope(StrEnum):
    """Where a rule holds."""

    EVERYWHERE = "every memory"
    INDEXED = "MEMORY.md as index"
    FIVE_FILES = "five files"
    DATED = "dated notes"
    FRONTMATTER = "frontmatter notes"
    LEARNINGS = "learnings"
    PINNED = "pinned checks"


class Waiving(StrEnum):
    """How a memory may waive a rule: by patterns, by naming the very line, or not at all."""

    BY_PATTERN = auto()
    BY_LINE = auto()
    NEVER = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule: `finds` says what it finds, `way_out` what helps; `is_fixed` where `--fix` can mend it."""

    severity: Severity
    finds: str
    way_out: str
    scope: Scope = Scope.EVERYWHERE
    waiving: Waiving = Waiving.BY_PATTERN
    is_fixed: bool = False


def _error(finds: str, way_out: str, scope: Scope = Scope.EVERYWHERE, waiving: Waiving = Waiving.BY_PATTERN) -> Rule:
    return Rule(severity=Severity.ERROR, finds=finds, way_out=way_out, scope=scope, waiving=waiving)


def _warning(finds: str, way_out: str, scope: Scope = Scope.EVERYWHERE, *, is_fixed: bool = False) -> Rule:
    return Rule(severity=Severity.WARNING, finds=finds, way_out=way_out, scope=scope, is_fixed=is_fixed)


def _info(finds: str, way_out: str, scope: Scope = Scope.EVERYWHERE, *, is_fixed: bool = False) -> Rule:
    return Rule(severity=Severity.INFO, finds=finds, way_out=way_out, scope=scope, is_fixed=is_fixed)


_NAMES = {
    "odd-file": _warning(
        "what is no regular file", "the night leaves it alone; replace it by a regular file if it is a note"
    ),
    "path-collision": _error(
        "names that differ only in case or Unicode form", "rename one of them: some file systems can hold only one"
    ),
}
_NOTES = {
    "note-unreadable": _error("a note that is no UTF-8 text", "save it as UTF-8 text"),
    "note-too-large": _error("a note above 256 kB", "split it into several notes"),
    "frontmatter-broken": _error(
        "frontmatter that is no YAML", "mend the YAML between the --- lines; until then nobody edits the note"
    ),
    "conflict-marker": _error("a merge left unfinished", "finish the merge and delete the markers"),
    "invisible-character": _warning("characters that nobody sees", "delete it, or write the word anew"),
}
_LINKS = {
    "dangling-link": _warning(
        "a link or `[[name]]` that leads nowhere", "point the link at a note that exists, or take it out", is_fixed=True
    ),
    "ambiguous-link": _warning("a `[[name]]` that several notes have", "write the folder into the link"),
    "dangling-anchor": _warning(
        "a link to a heading that its note does not have", "name a heading that the note has, or link the note alone"
    ),
    "site-link": _info(
        "links written as the addresses of a site", "link the files: what reads them cannot follow an address"
    ),
    "orphan-note": _warning(
        "a topic note that no link leads to from the index", "link it; the next night lists it in the catalog"
    ),
}
_INDEX = {
    "index-missing": _warning("no index at the root", "the next night makes one, or run `dream init`", Scope.INDEXED),
    "index-over-limits": _error(
        "more lines or bytes than agents load",
        "agents do not load the rest: shorten your own lines, or have `dream adopt ORG` move them out",
    ),
    "index-line-long": _warning(
        "a line that agents' tools cut off", "break the line: what is beyond is not shown to agents"
    ),
    "dead-index-link": _warning("a line of the index whose note is gone", "the next night takes it out"),
    "catalog-stale": _info(
        "a catalog that is not as it would be made afresh", "the next night makes it, or --fix", is_fixed=True
    ),
}
_DATED = {
    "entry-undated": _warning(
        "an item without a date among dated ones, or a section without `**Updated:**` among such",
        "begin it with `- YYYY-MM-DD: `: as it stands no night verifies it",
        Scope.DATED,
    ),
    "entry-unsourced": _info(
        "a dated entry without a source, where others have one", "end it with `[source, YYYY-MM-DD]`", Scope.DATED
    ),
    "entry-format": _info(
        "a dated entry not written as the others of its note",
        "write it as they are, or --fix",
        Scope.DATED,
        is_fixed=True,
    ),
    "date-ahead": _warning("an entry or `**Updated:**` of a day to come", "write the day that it was written"),
    "updated-malformed": _warning("an `**Updated:**` without a day", "write `**Updated:** YYYY-MM-DD`"),
    "updated-stale": _info(
        "an `**Updated:**` of long ago", "read it again, and write the day on which it was found true"
    ),
}
_FRONTMATTER = {
    "type-missing": _warning("no `type`", "write one of user, feedback, project, reference", Scope.FRONTMATTER),
    "type-unknown": _warning(
        "a `type` that is none of the four", "write one of user, feedback, project, reference", Scope.FRONTMATTER
    ),
    "name-missing": _warning("no `name`", "write what the note is called", Scope.FRONTMATTER),
    "description-missing": _warning(
        "no `description`", "write on one line what it is about: agents choose by it", Scope.FRONTMATTER
    ),
    "why-missing": _warning(
        "a feedback or project note without **Why:**",
        "write the reason, so that edge cases can be judged",
        Scope.FRONTMATTER,
    ),
    "how-to-apply-missing": _warning(
        "a feedback or project note without **How to apply:**", "write when and where it holds", Scope.FRONTMATTER
    ),
}
_FIVE_FILES = {
    "task-completed": _info("a task that is done, in tasks.md", "take it out; the next night does", Scope.FIVE_FILES),
}
_TOPICS = {
    "several-topics": _info("a note about several things", "give each a note of its own"),
    "same-topic": _warning("two notes about one thing", "merge them, or say in each what the other is for"),
}
_LEARNINGS = {
    "learning-invalid": _warning(
        "a skill that breaks the published rules",
        "mend it by the Agent Skills rules: as it stands agents may not load it",
        Scope.LEARNINGS,
    ),
}
_PINNED = {
    "check-unreadable": _error("a check that cannot be read", "mend it: as it stands no night asks it", Scope.PINNED),
    "check-unattached": _error(
        "a check below no entry", "write it below the entry that it checks, indented by two blanks", Scope.PINNED
    ),
    "check-unknown-probe": _error(
        "a system that is not configured",
        "name a system that the organisation's file has under production",
        Scope.PINNED,
    ),
    "check-refused": _error(
        "a question that a system would refuse",
        "ask it with `dream probe` until it is answered, and write that down",
        Scope.PINNED,
    ),
    "check-undecidable": _error("a bound that is no number", "write a number as what is expected", Scope.PINNED),
    "check-not-asked": _warning("a check where no night verifies", "pin it to an entry of a topic note", Scope.PINNED),
    "check-repeated": _warning("a question asked twice in a note", "take one of them away", Scope.PINNED),
    "check-unstated": _warning(
        "a value that the entry does not state",
        "state it, so that the entry is corrected when it changes",
        Scope.PINNED,
    ),
}
_SAFETY = {
    "secret": _error(
        "a credential", "revoke it, then take it out of the note: history keeps it", waiving=Waiving.BY_LINE
    ),
    "agent-instruction": _error(
        "an instruction aimed at agents in what no person said, or where no reader sees it",
        "take it out, or state it as what somebody wants, with who",
        waiving=Waiving.BY_LINE,
    ),
    "hides-or-leaks": _error(
        "an order to keep something from people, or to carry something out",
        "take it out, and ask who wrote it",
        waiving=Waiving.BY_LINE,
    ),
    "flow-file-invalid": _error(
        "a file of the flow that cannot be read",
        "restore it from history; only the flow writes under .dream/",
        waiving=Waiving.NEVER,
    ),
    "flow-file-unknown": _error(
        "a file under .dream/ that is none of the flow's",
        "move it: only the flow writes under .dream/",
        waiving=Waiving.NEVER,
    ),
    "flow-file-foreign": _error(
        "a state that a commit changed which is not the flow's, by the history of a checkout",
        "restore it from the last night's commit; only the flow writes under .dream/",
        waiving=Waiving.NEVER,
    ),
    "waivers-invalid": _error(
        "a .dreamcheck.yaml that cannot be relied on",
        "mend it: as it stands it waives nothing",
        waiving=Waiving.NEVER,
    ),
    "waiver-unused": _info("a waiver of what is not found", "take it out of .dreamcheck.yaml"),
}
RULES: Mapping[str, Rule] = MappingProxyType(
    {
        **_NAMES, **_NOTES, **_LINKS, **_INDEX, **_DATED, **_FRONTMATTER, **_FIVE_FILES, **_TOPICS, **_LEARNINGS,
        **_PINNED, **_SAFETY,
    }
)  # fmt: skip
