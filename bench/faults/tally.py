"""How often something was tried, and how often what must hold did hold."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

SHOWN = 20
"""So many failures of one test are shown; all are counted."""


@dataclass(kw_only=True)
class Tally:
    """One test's account; `passed` counts the tries that had no problem."""

    id: str
    seed: int
    tries: int = 0
    passed: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)
    kills: Counter[str] = field(default_factory=Counter)
    remarks: list[str] = field(default_factory=list)

    def note(self, what: str, problems: Sequence[str]) -> None:
        """Count one try, which passed if there are no `problems`."""
        self.tries += 1
        if problems:
            self.problems.append(f"{what}: {'; '.join(problems)}")
            say(f"  {self.id} FAILED {self.problems[-1]}")
        else:
            self.passed += 1

    def remark(self, text: str) -> None:
        """Keep a line that belongs under the table."""
        if text not in self.remarks:
            self.remarks.append(text)

    def chance(self, salt: str = "") -> random.Random:
        """Return the test's own random numbers, the same for the same seed."""
        return random.Random(f"{self.seed}/{self.id}/{salt}")  # noqa: S311 - repeatable on purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultTest:
    """One of the fault tests: what it is called and how it is run, short or at length."""

    id: str
    title: str
    run: Callable[[Tally, bool], None]
    is_long: bool = False
    """Whether even its short version is more than a test suite has time for."""


def take(test: FaultTest, *, seed: int, short: bool) -> Tally:
    """Run a test and return its account."""
    tally = Tally(id=test.id, seed=seed)
    say(f"{test.id} {test.title} …")
    start = time.perf_counter()
    test.run(tally, short)
    tally.seconds = time.perf_counter() - start
    say(f"{test.id} {tally.passed} of {tally.tries} in {tally.seconds:.1f} s")
    return tally


def say(line: str) -> None:
    """Tell the person who waits."""
    print(line, file=sys.stderr, flush=True)
