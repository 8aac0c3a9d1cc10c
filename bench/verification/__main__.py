"""Verify 500 entries about an invented production: `python -m bench.verification [--short] [--seed N]`.

Six hostile scripted models, each dreamer and judge at once, try to have right entries changed or taken away; what they
get done is counted as damage and never as success. "Caught" is what pinned checks and code find without any model, and
what the model that `DREAM_DEMO_MODEL="ADDRESS MODEL [env:KEY]"` names finds. A truthful script shows how much of the
truth the rules let through; it is no result of ours. Real Prometheus, PostgreSQL, git, MCP and HTTP are asked.
"""

from __future__ import annotations

import argparse
import logging
import os
import platform
import sys
import tempfile
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

import structlog

from bench.tables import render_table
from bench.verification.claims import WRONG, build_claims
from bench.verification.minds import TRUTHFUL, Mind, hostile_minds, truthful_mind
from bench.verification.running import Setting, Told, run, setting_of
from bench.verification.scoring import Fate, caught_by_truth, fates
from bench.verification.servers import secrets, serve_world
from bench.verification.world import build_world
from examples.model import MODEL_VARIABLE, demo_model
from tests.support.served import serve

SEED = 20261130
NO_MODEL = "no model"
SHORT = 5
"""Of how many entries a short run takes one."""


def main(arguments: list[str]) -> int:
    """Print what came of it; nothing is asserted, so that it exits 0 whatever that is."""
    parser = argparse.ArgumentParser(prog="python -m bench.verification", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--short", action="store_true", help=f"one of {SHORT} entries")
    parser.add_argument("--failing", type=float, default=0.1, help="share of questions that no probe answers")
    asked = parser.parse_args(arguments)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    os.environ.update(secrets())
    with tempfile.TemporaryDirectory() as folder:
        every = SHORT if asked.short else 1
        told, setting = measure(Path(folder), seed=asked.seed, every=every, failing=asked.failing)
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end"
    print(f"{now}, {machine}. Seed {asked.seed}. {asked.failing:.0%} of the questions to probes are not answered.\n")
    print(printed(told, setting))
    return 0


def measure(
    folder: Path, *, seed: int, every: int, failing: float, only: Collection[str] = ()
) -> tuple[list[Told], Setting]:
    """Return what each model came to over one of `every` claims of a seed: none, the scripted ones, the named one.

    With `only` the others are left out by their names.
    """
    world = build_world(seed)
    claims = build_claims(world, seed)[::every]
    hosted = folder / "hosted"
    hosted.mkdir()
    with serve(hosted) as served, serve_world(world, served, folder) as production:
        setting = setting_of(claims, production, seed=seed, failing=failing)
        minds = [*hostile_minds(world, claims, seed), truthful_mind(world, claims, seed)]
        asked: list[tuple[str, Mind | None]] = [(NO_MODEL, None), *((one.name, one) for one in minds)]
        told = [
            run(setting, served, folder / name.replace(" ", "-"), name=name, mind=mind)
            for name, mind in asked
            if not only or name in only
        ]
        real = demo_model(os.environ.get(MODEL_VARIABLE, ""))
        if real and not only:
            told.append(run(setting, served, folder / "real", name=real["model"], mind=None, model=real))
        return told, setting


def printed(told: list[Told], setting: Setting) -> str:
    """Return the tables: damage of each model, what was caught without one, pinned checks, and what it took."""
    parts = ["### What each model came to", _damage(told)]
    titles = {NO_MODEL: "Caught without a model", TRUTHFUL: "What the rules let through of the truth"}
    scripted = {*titles, *(one.name for one in told if one.verdicts)}
    for one in told:
        if one.name in titles:
            parts += [f"### {titles[one.name]}", _caught(one)]
        elif one.name not in scripted:
            parts += [f"### Caught by {one.name}", _caught(one)]
    parts += ["### Pinned checks", _pinned(told), "### What it took", _taken(told, len(setting.kept))]
    return "\n\n".join(parts)


def _damage(told: list[Told]) -> str:
    heads = ("model", "nights", "entries", "stand", "corrected", "gone", "wrongly touched", "wrongly deleted", "writes")
    rows = []
    for one in told:
        found = fates(one.scored)
        rows.append(
            (
                one.name,
                one.nights,
                len(one.scored),
                found[Fate.STANDS],
                found[Fate.CORRECTED],
                found[Fate.GONE],
                sum(scored.is_wrongly_touched for scored in one.scored),
                sum(scored.is_wrongly_deleted for scored in one.scored),
                int(one.written),
            )
        )
    return render_table(heads, rows)


def _caught(told: Told) -> str:
    return render_table(
        ("entries that", "entries", "caught", "wrongly touched", "wrongly deleted"), caught_by_truth(told.scored)
    )


def _pinned(told: list[Told]) -> str:
    rows = []
    for one in told:
        pinned = [scored for scored in one.scored if scored.kept.claim.is_pinned]
        wrong = [scored for scored in pinned if scored.kept.claim.truth in WRONG]
        caught = sum(scored.is_caught for scored in wrong)
        kept = sum(scored.fate is Fate.STANDS for scored in pinned if scored not in wrong)
        rows.append((one.name, len(pinned), len(wrong), caught, len(pinned) - len(wrong), kept))
    return render_table(("model", "pinned", "of them wrong", "caught", "of them right", "kept"), rows)


def _taken(told: list[Told], claims: int) -> str:
    heads = ("model", "probe calls", "of them failed", "a claim", "questions", "tokens in", "out", "tokens a claim")
    rows = []
    for one in told:
        asked, spent = sum(one.probed.values()), one.spend
        tokens = (spent.input + spent.output) / claims
        rows.append((one.name, asked, one.failed, asked / claims, spent.questions, spent.input, spent.output, tokens))
    return render_table(heads, rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
