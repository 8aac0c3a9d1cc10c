"""What stands under `.dream/`, where only the flow writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dream.checker.finding import Finding, find, shown
from dream.errors import NewerStateError
from dream.guards.ownership import is_flow_file
from dream.memory.documents import UnreadableDocumentError
from dream.memory.records import parse_record
from dream.memory.state import STATE_PATH, parse_state
from dream.memory.tree import Tree


def check_flow_file(tree: Tree, path: str, foreign: Mapping[str, str]) -> Iterator[Finding]:
    """Yield that `path` is no file of the flow, or one that the flow did not write; `foreign` by which commit."""
    if path in foreign:
        yield find("flow-file-foreign", path, f"{foreign[path]}, which changed other files too, changed it last")
    if not is_flow_file(path):
        yield find("flow-file-unknown", path, "not a file of the flow")
        return
    data = tree.read(path) or b""
    try:
        if path == STATE_PATH:
            parse_state(data)
        else:
            parse_record(data)
    except (UnreadableDocumentError, NewerStateError) as error:
        yield find("flow-file-invalid", path, shown(str(error)))
