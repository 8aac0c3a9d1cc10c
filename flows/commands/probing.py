"""`dream probe`: which systems an organisation has, what can be asked of them, and one question to one of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from config.production import CodeProbe
from dream.errors import UsageError
from dream.guards.masking import mask_secrets
from dream.report.escaping import one_line
from dream.repository.lock import lock
from dream.sources.production.port import Answer as Told
from dream.sources.production.port import Found, Operation, Query
from dream.sources.production.recordings import masked_answer
from flows.code_repositories import read_code_trees
from flows.commands.answers import Answer
from flows.commands.probe_answers import answer_document, answer_lines, shown
from flows.installation import open_installation, open_workplace
from flows.probes import open_probes
from flows.workplace import Workplace


def list_probes(workplace: Workplace, *, only: str = "") -> Answer:
    """Return the systems of an organisation, or the one called `only`, each with its operations.

    No question is put; only MCP servers are asked, for their tools.
    """
    kinds = {system.name: system.kind for system in workplace.organisation.production}
    with open_probes(workplace.organisation, code=(), home=workplace.home, only=only) as probes:
        told = [(probe.name, probe.operations) for probe in probes]
    lines = [line for name, operations in told for line in (f"{name} ({kinds[name]})", *_operation_lines(operations))]
    return Answer(
        text="\n".join(lines) if told else "no system is configured under production",
        document={
            "probes": [
                {"name": name, "kind": kinds[name], "operations": [_payload(one) for one in operations]}
                for name, operations in told
            ]
        },
    )


def ask_probe(workplace: Workplace, query: Query, *, record: Path | None = None) -> Answer:
    """Return what a system says to one question: exit 0 where it answered, 1 where it has nothing, is down or refuses.

    Credentials in the answer are masked. With `record`, it is put into a file of recorded answers.
    """
    answer = masked_answer(_asked(workplace, query), mask_secrets)
    if record is not None:
        record_answer(record, query, answer)
    moves = query.operation == "symbol" and _is_code(workplace, query.probe)
    return Answer(
        text="\n".join(answer_lines(query, answer, can_be_pinned=not moves)),
        document=answer_document(query, answer),
        exit_code=0 if isinstance(answer, Found) else 1,
    )


def record_answer(path: Path, query: Query, answer: Told) -> None:
    """Put an answer into a file of recorded ones, in place of what was recorded of the same question.

    Raises UsageError where the file holds anything else, or cannot be written.
    """
    from dream.sources.production.answers import BadAnswersError  # noqa: PLC0415  # only recording needs them
    from dream.sources.production.recorded import RecordedAnswer, read_answers, write_answers  # noqa: PLC0415

    new = RecordedAnswer(operation=query.operation, text=query.text, answer=answer)
    try:
        known = read_answers(path.read_bytes()) if path.exists() else ()
        kept = [one for one in known if (one.operation, one.text) != (new.operation, new.text)]
        written = path.with_name(f"{path.name}.new")
        written.write_bytes(write_answers([*kept, new]))
        written.replace(path)
    except BadAnswersError as error:
        message = f"{path} is no file of recorded answers: {error}"
        raise UsageError(message, way_out="name another file; the answer was not recorded") from error
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}"
        raise UsageError(message, way_out="name a file that this user may write") from error


def probe_command(name: str, probe: str, operation: str, text: str, *, record: Path | None) -> Answer:
    """Return the answer of `dream probe`; raises UsageError where there is no such organisation or system."""
    workplace = open_workplace(open_installation(), name)
    if probe:
        _expect(probe, [system.name for system in workplace.organisation.production], "system", f"dream probe {name}")
    if not operation:
        if record is not None:
            message = "there is nothing to record without a question"
            raise UsageError(message, way_out=f"dream probe {name} NAME OPERATION TEXT --record FILE")
        return list_probes(workplace, only=probe)
    return ask_probe(workplace, Query(probe=probe, operation=operation, text=text), record=record)


def _expect(wanted: str, known: list[str], what: str, listing: str) -> None:
    if wanted not in known:
        message = f"there is no {what} called {one_line(wanted, most=80)}"
        raise UsageError(message, way_out=f"name one of {', '.join(known) or 'none'}: {listing}")


def _is_code(workplace: Workplace, name: str) -> bool:
    return any(isinstance(one, CodeProbe) and one.name == name for one in workplace.organisation.production)


def _asked(workplace: Workplace, query: Query) -> Told:
    organisation = workplace.organisation
    if not _is_code(workplace, query.probe):
        with open_probes(organisation, code=(), home=workplace.home, only=query.probe) as (probe,):
            return probe.ask(query.operation, query.text)
    with lock(workplace.home, wait_seconds=workplace.settings.lock_wait_seconds):
        code = read_code_trees(organisation, workplace.home, only=query.probe)
        with open_probes(organisation, code=code, home=workplace.home, only=query.probe) as (probe,):
            return probe.ask(query.operation, query.text)


def _operation_lines(operations: tuple[Operation, ...]) -> Iterator[str]:
    if not operations:
        yield "  as things are it does not say what it can be asked; see `dream doctor`"
    for one in operations:
        yield f"  {shown(one.name)} {shown(one.form)}"
        yield f"      {shown(one.meaning)}"


def _payload(operation: Operation) -> dict[str, str]:
    return {
        "name": mask_secrets(operation.name),
        "form": mask_secrets(operation.form),
        "meaning": mask_secrets(operation.meaning),
    }
