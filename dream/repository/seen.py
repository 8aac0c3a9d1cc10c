"""The last tip that was seen on a remote's branch, kept outside the mirror so that it outlives it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import structlog

from dream.repository.failures import writing
from dream.repository.kept_files import private_folder, replace_file
from dream.repository.tree_objects import is_object_id

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class LastSeen:
    """A small file per branch in an organisation's home."""

    home: Path
    branch: str

    @property
    def path(self) -> Path:
        """The file."""
        return self.home / "seen" / quote(self.branch, safe="")

    def read(self) -> str | None:
        """Return the commit, or None where none was seen or the file is damaged."""
        try:
            text = self.path.read_text("ascii").strip()
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError):
            text = ""
        if not is_object_id(text):
            log.warning("seen.unreadable", path=str(self.path))
            return None
        return text

    def write(self, commit: str | None) -> None:
        """Remember a commit, or forget the last one; raises TransientError where the disk is full."""
        if commit == self.read():
            return
        with writing(self.home, "the last tip seen"):
            private_folder(self.path.parent)
            if commit is None:
                self.path.unlink(missing_ok=True)
                return
        replace_file(self.path, f"{commit}\n".encode("ascii"), "the last tip seen")
