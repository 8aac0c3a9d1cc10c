"""Runs every compiled pattern of the modules that it is given over text made to be slow, and says how many searches."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator

SIZE = 100_000
CHARACTERS = (
    " ",
    "a",
    "A",
    "0",
    "`",
    "[",
    "<",
    "\n",
    "-",
    ".",
    '"',
    "?",
    "a ",
    "a.",
    "1,",
    "1-",
    "no ",
    "A a ",
    "[(",
    "\t-",
)


def adversarial(pattern: re.Pattern[str]) -> Iterator[str]:
    """Yield one repetition after another, and of the pattern's own words, each with an end that matches nothing."""
    words = list(dict.fromkeys(re.findall(r"[a-z]{2,12}", pattern.pattern)))
    seeds = [*CHARACTERS, *(f"{word} " for word in words[:2]), f"{' '.join(words[-2:])}, "]
    for seed in seeds:
        yield (seed * (SIZE // len(seed) + 1))[:SIZE] + "\x00"


def patterns_of(name: str) -> Iterator[re.Pattern[str]]:
    """Yield the patterns among a module's constants, those in tuples and mappings too."""
    for value in vars(importlib.import_module(name)).values():
        many = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
        yield from (one for one in many if isinstance(one, re.Pattern))


def main(modules: list[str]) -> None:
    """Search, match and go through all matches."""
    searches = 0
    for module in modules:
        for pattern in patterns_of(module):
            for text in adversarial(pattern):
                pattern.match(text)
                searches += sum(1 for _ in pattern.finditer(text)) >= 0
    sys.stdout.write(f"{searches}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
