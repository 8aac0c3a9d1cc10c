#!/bin/sh
# Makes .venv what the lock says, or returns at once where it already is.
# The stamp is a digest, not a time: a copied or moved checkout, another Python or another lock starts over.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }

recent_enough() { "$1" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python; do
        if [ -n "$candidate" ] && recent_enough "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    say "No Python 3.11 or newer was found. Install one, or name it: make PYTHON=/path/to/python3.12 …"
    exit 2
}

create() {
    python=$(find_python)
    say "Making .venv with $("$python" --version)"
    rm -rf .venv
    if ! message=$("$python" -m venv .venv 2>&1); then
        rm -rf .venv
        say "$message"
        say "$python cannot make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv"
        exit 2
    fi
}

if ! command -v git >/dev/null 2>&1; then
    say "The git program was not found: install git."
    exit 2
fi

wanted=$({ pwd && cat requirements-dev.lock pyproject.toml scripts/environment.sh; } | git hash-object --stdin)
if [ -x .venv/bin/python ] && [ "$(cat .venv/stamp 2>/dev/null || true)" = "$wanted" ] && recent_enough .venv/bin/python; then
    exit 0
fi

if ! recent_enough .venv/bin/python || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    create
fi
rm -f .venv/stamp
say "Installing what requirements-dev.lock pins"
.venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-dev.lock
.venv/bin/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --no-index --editable .
printf '%s\n' "$wanted" >.venv/stamp
