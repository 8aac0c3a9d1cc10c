"""Calls that only look something up: what they give back is in a file or on a page, and nobody's result."""

from __future__ import annotations

import re

_TOOLS = re.compile(
    r"(?:Read|Grep|Glob|LS|NotebookRead|WebFetch|WebSearch|attachment|grep|glob|find|ls|list|view|read"
    r"|(?:read|view|open)_files?|read_many_files|list_(?:dir|directory|files)|search_files|file_search|grep_search"
    r"|codebase_search|search_file_content|web_?fetch|web_?search|google_web_search|fetch)(?::|\Z)"
)
_VIEWERS = re.compile(
    r"(?:cd [^&;\n]{1,300}(?:&&|;) {0,4})?"
    r"(?:cat|sed -n|nl|head|tail|ls|find|fd|rg|grep|ag|tree|git (?:show|diff|log|blame|grep))(?: |\Z)"
)


def is_lookup(tool: str) -> bool:
    """Return whether a call, as a message's `tool` tells it, reads or searches and does nothing else."""
    return _TOOLS.match(tool) is not None


def is_viewing(command: str) -> bool:
    """Return whether a shell command begins with one that prints what stands in files."""
    return _VIEWERS.match(command) is not None
