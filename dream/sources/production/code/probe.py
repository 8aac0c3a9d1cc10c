"""Code as a probe: what the files of a repository hold at the commit that the night read, and where they went."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dream.errors import RemoteError
from dream.sources.production.code.contents import Contents, UnreadableError
from dream.sources.production.code.definitions import NAME
from dream.sources.production.code.git import Git, last_words
from dream.sources.production.code.network import git_settings
from dream.sources.production.code.questions import (
    Asked,
    find_command,
    find_file,
    find_history,
    find_lines,
    find_symbol,
    read_config,
)
from dream.sources.production.code.reading import NOWHERE, mirror_of
from dream.sources.production.code.tree import CodeTree, reference
from dream.sources.production.code.values import CodeSource
from dream.sources.production.fields import kept_lines
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.operations import no_operation
from dream.sources.production.port import Answer, Down, Found, Nothing, Operation, Proof, Refused
from dream.sources.production.selections import objection_to_path

OPERATIONS = (
    Operation(name="file", form="PATH", meaning="whether a file or folder is there: present or absent"),
    Operation(name="lines", form="PATH WORD", meaning="the lines of a file that hold a word"),
    Operation(name="symbol", form="NAME", meaning="where a function, class, constant, table or resource is defined"),
    Operation(name="manifest", form="COMMAND", meaning="whether the repository defines a command: present or absent"),
    Operation(name="config", form="PATH $.JSONPATH", meaning="what a JSON, YAML or TOML file says, or a part of it"),
    Operation(name="history", form="PATH", meaning="the last commits of a path, and the one that took it away"),
)
_QUESTIONS = {
    "file": find_file,
    "lines": find_lines,
    "symbol": find_symbol,
    "manifest": find_command,
    "config": read_config,
    "history": find_history,
}
_LONGEST = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeProbe:
    """A repository at the commit of `tree`, which `read_code` made from `source` with its mirror under `home`.

    A file that the mirror left on the server is fetched with `environment`; nothing else needs the network, nothing is
    checked out, and nothing of the repository runs.
    """

    tree: CodeTree
    source: CodeSource
    home: Path
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    limits: ProbeLimits = field(default_factory=ProbeLimits)

    @property
    def name(self) -> str:
        """How the organisation calls it."""
        return self.source.name

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The ways to ask it."""
        return OPERATIONS

    def objection(self, operation: str, text: str) -> str:
        """Return why a question may not be put, "" where it may."""
        if operation not in {known.name for known in OPERATIONS}:
            return no_operation(operation, OPERATIONS)
        if not text.strip() or len(text) > _LONGEST or not text.isprintable():
            return f"{operation} needs one line of at most {_LONGEST} characters"
        return _objection(operation, text.strip())

    def ask(self, operation: str, text: str) -> Answer:
        """Return what the repository holds; what nothing settles is Nothing, and only a file that is gone is absent."""
        if objection := self.objection(operation, text):
            return Refused(objection)
        if self.tree.unknown:
            return Down(self.tree.unknown)
        asked = Asked(tree=self.tree, contents=self._contents(), limits=self.limits)
        try:
            return self._bounded(_QUESTIONS[operation](asked, text.strip()))
        except UnreadableError as error:
            return Down(str(error)) if error.late else Nothing(str(error))

    def text(self, path: str) -> str:
        """Return the beginning of a file of `tree`, as much as an answer may hold; raises UnreadableError."""
        if self.tree.unknown or path not in self.tree.paths:
            return ""
        data, _ = self._contents().file(path)
        return data.decode("utf-8", "replace")

    def examine(self) -> tuple[Proof, ...]:
        """Return what was read, and how an attempt to push through the mirror ended, which goes no further than git."""
        if self.tree.unknown:
            return (Proof(tried="read", sound=False, seen=self.tree.unknown),)
        read = Proof(tried="read", sound=True, seen=f"{len(self.tree.paths)} paths at {self.tree.commit}")
        git = Git(
            repository=mirror_of(self.source, self.home), seconds=self.limits.seconds, environment=self.environment
        )
        try:
            address = git.ask("config", "--get-all", "remote.origin.pushurl").decode("utf-8", "replace").strip()
            pushed = git.run("push", "--dry-run", "origin", f"{self.tree.commit}:refs/heads/dream-proof")
        except RemoteError as error:
            return (read, Proof(tried="push", sound=False, seen=str(error)))
        refused = address == NOWHERE and pushed.status != 0 and not pushed.timed_out
        seen = f"refused: {last_words(pushed)}" if refused else "the mirror could be pushed from"
        return (read, Proof(tried="push", sound=refused, seen=seen))

    def _contents(self) -> Contents:
        return Contents(
            repository=mirror_of(self.source, self.home),
            commit=self.tree.commit,
            deadline=time.monotonic() + self.limits.seconds,
            most=self.limits.output_bytes,
            environment=self.environment,
            settings=self._settings,
        )

    def _settings(self) -> tuple[str, ...]:
        settings = git_settings(self.source.url, internal=self.source.internal, environment=self.environment)
        if isinstance(settings, Down | Refused):
            raise UnreadableError(settings.reason, late=isinstance(settings, Down))
        return settings

    def _bounded(self, answer: Answer) -> Answer:
        if not isinstance(answer, Found):
            return answer
        lines, cut = kept_lines(answer.lines, self.limits)
        values = answer.values[: self.limits.lines]
        cut = cut or answer.cut or values != answer.values
        return Found(lines=lines, values=values, names=answer.names, cut=cut)


def _objection(operation: str, text: str) -> str:
    match operation:
        case "symbol":
            return "" if NAME.fullmatch(text) else "symbol needs one name"
        case "file" | "history":
            return "" if reference(text) else "that is no path of a repository"
        case "lines":
            return "" if " " in text else "lines needs a path and a word"
        case "config":
            _, dollar, rest = text.partition(" $")
            return objection_to_path(f"${rest}") if dollar else ""
        case _:
            return ""
