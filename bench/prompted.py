"""What a scripted model looks for in a question, and in what came of its answer."""

from __future__ import annotations

import json
from importlib import resources

from dream.models.prompt import Prompt, Untrusted


def part_of(prompt: Prompt, label: str) -> str:
    """Return the text of the first untrusted part whose label begins with `label`; raises StopIteration without one."""
    return next(one.text for one in prompt.parts if isinstance(one, Untrusted) and one.label.startswith(label))


def bare(text: str) -> str:
    """Return the letters and digits of a text, which the marks of a note or a file leave as they are."""
    return "".join(filter(str.isalnum, text.casefold()))


def examination() -> dict[str, bool]:
    """Return the claims of a judge's examination, each with whether it is borne out."""
    document = json.loads(resources.files("prompts").joinpath("judge/canary.json").read_bytes())
    return {case["statement"]: case["supported"] for case in document["cases"]}
