"""What a fleet's night took, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from bench.fleet.running import Ran
from bench.tables import render_table

_MB = 1 << 20
_ROLES = ("flow run", "Prefect server", "worker", "PostgreSQL", "git server and model")


def night_table(done: Sequence[Ran]) -> str:
    """Return how fast each way was, what its processes held at most, and what the database grew by."""
    rows = [
        (
            ran.name,
            ran.organisations,
            round(ran.seconds),
            round(ran.organisations * 60 / ran.seconds, 1),
            ran.requests,
            *(round(ran.watch.peak_bytes.get(role, 0) / _MB) or "" for role in _ROLES[:4]),
            round(ran.database_bytes / _MB, 1),
            len(ran.problems),
        )
        for ran in done
    ]
    heads = ["", "nights", "seconds", "nights a minute", "questions", *(f"{role}, MB" for role in _ROLES[:4])]
    return render_table([*heads, "database grew, MB", "problems"], rows)


def cost_table(done: Sequence[Ran]) -> str:
    """Return the CPU seconds of each role's processes, per night, the git programs of each apart."""
    rows = []
    for ran in done:
        seconds = ran.watch.seconds()
        own = {role: seconds.get(role, (0.0, 0.0))[0] / ran.organisations for role in _ROLES}
        git = seconds.get("flow run", (0.0, 0.0))[1] / ran.organisations
        served = ran.served_seconds / ran.organisations
        rows.append(
            (ran.name, own["flow run"], git, own["git server and model"], served, *(own[r] for r in _ROLES[1:4]))
        )
    heads = ["CPU seconds a night", "the night", "its git", "git server and model", "their git", *_ROLES[1:4]]
    return render_table(heads, rows)


def waiting_lines(done: Sequence[Ran]) -> Iterator[str]:
    """Yield a line on who waited for what, where Prefect tells it."""
    for ran in done:
        if ran.waiting is None or not ran.waiting.turns:
            continue
        turns, nights = ran.waiting.turns, ran.waiting.nights
        yield (
            f"{ran.name}: the nightly run waited {ran.waiting.worker:.0f} s for a worker; organisations waited "
            f"{median(turns):.0f} s for their turn (median; {turns[-1]:.0f} s the last) and then dreamt "
            f"{median(nights):.0f} s ({nights[-1]:.0f} s the longest)."
        )
