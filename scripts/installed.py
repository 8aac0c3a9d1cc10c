"""Shows that the installed package is whole: its entrypoints load, and every packaged text can be read.

Reads from standard input the files that the packages hold in the checkout, one path a line.
"""

from __future__ import annotations

import sys
from importlib import metadata, resources

from prefect import Flow
from prefect.flows import load_flow_from_entrypoint

ENTRYPOINTS = (
    "flows.nightly.nightly",
    "flows.shard.dream_shard",
    "flows.organisation.dream_organisation",
    "flows.taking_back.take_back",
)


def main() -> None:
    """Print what was found, or stop at the first thing that is missing."""
    sys.stdout.write(f"nightly-dreaming {metadata.version('nightly-dreaming')}\n")
    for entrypoint in ENTRYPOINTS:
        flow: Flow[..., object] = load_flow_from_entrypoint(entrypoint, use_placeholder_flow=False)
        sys.stdout.write(f"{entrypoint}: {flow.name}\n")
    for line in sys.stdin:
        package, _, name = line.rstrip("\n").partition("/")
        text = resources.files(package).joinpath(name).read_text(encoding="utf-8")
        sys.stdout.write(f"{package}/{name}: {len(text)} characters\n")


if __name__ == "__main__":
    main()
