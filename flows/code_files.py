"""What files of an organisation's code say, as the night has read them: for comparing, never for showing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import structlog

from dream.sources.production.port import Probe

log = structlog.get_logger()


def file_reader(probes: Sequence[Probe]) -> Callable[[str, str], str]:
    """Return what reads a file by its repository's name and its path: its text, empty where that cannot be had.

    It reads as much of a file, for as long, as one question to the repository may take. A repository whose server gave
    no answer once is asked no more, so that it costs a night the time of one question.
    """
    # What reads code is loaded only where a statement names a file of it.
    from dream.sources.production.code.contents import UnreadableError  # noqa: PLC0415
    from dream.sources.production.code.probe import CodeProbe  # noqa: PLC0415

    code = {probe.name: probe for probe in probes if isinstance(probe, CodeProbe)}

    def read(name: str, path: str) -> str:
        if name not in code:
            return ""
        try:
            return code[name].text(path)
        except UnreadableError as error:
            if error.late:
                log.warning("code.silent", probe=name)
                del code[name]
            return ""

    return read
