"""The hook that guards `.dream/` where a memory is hosted."""

from __future__ import annotations

import shlex
from importlib import resources
from pathlib import Path

from dream.errors import UsageError
from dream.repository.commits import Identity
from dream.repository.failures import writing
from dream.repository.kept_files import replace_file
from dream.repository.tree_objects import is_forbidden_name

_MARK = "# dream: guards "
_EXECUTABLE = 0o755


def render_hook(identity: Identity, prefix: str = "") -> str:
    """Return the pre-receive hook that lets only commits of `identity` change `.dream/` under the folder `prefix`.

    Raises UsageError for a prefix that is no path.
    """
    folder = f"{prefix.strip('/')}/.dream".lstrip("/")
    if "\n" in folder or any(is_forbidden_name(name) for name in folder.split("/")):
        message = f"{prefix!r} is no path of a folder in a repository"
        raise UsageError(message, way_out="correct memory.path")
    text = resources.files("dream.repository").joinpath("pre-receive.sh").read_text("utf-8")
    return text % {
        "folder": folder,
        "quoted_folder": shlex.quote(folder),
        "quoted_identity": shlex.quote(f"{identity.name} <{identity.mail}>"),
    }


def install_hook(repository: Path, identity: Identity, prefix: str = "") -> Path:
    """Put the hook into a bare repository, or renew it, and return its path.

    Raises UsageError where another pre-receive hook stands, which is left as it is.
    """
    text = render_hook(identity, prefix)
    hook = repository / "hooks" / "pre-receive"
    with writing(repository, "the hook"):
        present = hook.read_text("utf-8", "replace") if hook.exists() else _MARK
        if _MARK not in present:
            message = f"{hook} is there already, and `dream init` did not put it there"
            raise UsageError(message, way_out="move it away, run `dream init` again, and call it from the new hook")
        hook.parent.mkdir(exist_ok=True)
    replace_file(hook, text.encode(), "the hook", mode=_EXECUTABLE)
    return hook
