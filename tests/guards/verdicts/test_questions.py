"""What a question does not fix as the thing itself, and what lies below a thing, says nothing of it."""

from __future__ import annotations

import pytest

from dream.guards.verdicts.corrections import check_correction
from dream.guards.verdicts.falsehoods import check_falsehood
from dream.guards.verdicts.outputs import Output, OutputLine
from dream.guards.verdicts.rulings import Correction
from dream.guards.verdicts.truths import check_true
from dream.memory.operations import Refusal
from tests.guards.verdicts.heard import Value, cite, output, record, target

NOTE = "# orders-api\n\n- Runs 5 replicas.\n"
_SELECT = "SELECT * FROM ops.services WHERE "


def _row(condition: str) -> Output:
    return output(record("ops.services", replicas=7, deleted=True), asked=_SELECT + condition, names=("orders-api",))


def _page(path: str, **fields: Value) -> Output:
    names = tuple(path.strip("/").split("/"))
    return output(record("", **(fields or {"replicas": 7, "deleted": True})), asked=path, names=names)


def _file(path: str) -> Output:
    names = (path, *path.split("/"))
    line = OutputLine(text=f"{path}:3: replicas: 7", fields=(("replicas", "7"),))
    return output(line, asked=f"{path} replicas", names=names)


def _alive(answer: Output) -> Output:
    """Return the answer without what says that the thing has ended."""
    lines = (
        OutputLine(text=line.text, fields=tuple(field for field in line.fields if field[0] != "deleted"))
        for line in answer.lines
    )
    return output(*lines, asked=answer.asked, names=answer.names)


@pytest.mark.parametrize(
    "answer",
    [
        _row("depends_on = 'orders-api'"),
        _row("depends_on          = 'orders-api'"),
        _row("depends_on\t\n\n\n\n\n=\n\n\n\n\n\n'orders-api'"),
        _row("queue = 'billing' AND 'orders-api' = replicas"),
        _row("replicas > 3 -- orders-api"),
        _row("'orders-api' = service"),
        output(
            record("ops.services", replicas=7), asked="SELECT * FROM ops.services -- orders-api", names=("orders-api",)
        ),
        _page("/services/orders-api/database"),
        _page("/services/orders-api/queue"),
        _page("/services/orders-api/dependencies"),
        _page("/services/orders-api/v2/cache"),
        _page("/clusters/orders-api/node"),
        _page("/services/orders-api", **{"orders-api": 7, "billing": 2}),
        _page("/services", **{"orders-api": 7, "billing": 2}),
        output(
            record("replicas", **{"orders-api": 7, "billing": 7}), asked="/services/orders-api", names=("orders-api",)
        ),
        _file("deploy/orders-api/worker/values.yaml"),
        _file("deploy/orders-api/database/values.yaml"),
        _file("deploy/orders-api/worker.yaml"),
        _file("deploy/orders-api/db.yaml"),
    ],
)
def test_what_is_not_the_thing_itself_changes_nothing(answer: Output) -> None:
    entry, alive = target(NOTE), _alive(answer)
    for ruling in (
        check_correction(entry, "Runs 7 replicas.", cite(alive.lines[0]), (alive,)),
        check_true(target(NOTE.replace("5", "7")), cite(alive.lines[0]), (alive,)),
        check_falsehood(entry, cite(answer.lines[0]), (answer,)),
    ):
        assert isinstance(ruling, Refusal)


@pytest.mark.parametrize("thing", ["billing", "database"])
def test_a_map_of_many_things_says_nothing_of_any_other(thing: str) -> None:
    answer = _page("/services/orders-api/dependencies", **{"orders-api": 7, "billing": 2, "database": 3})
    entry = target(f"# {thing}\n\n- Runs 5 replicas.\n", path=f"services/{thing}.md")
    for value in ("7", "2", "3"):
        ruling = check_correction(entry, f"Runs {value} replicas.", cite(answer.lines[0]), (answer,))
        assert isinstance(ruling, Refusal)


@pytest.mark.parametrize(
    "answer",
    [
        _row("name = 'orders-api'"),
        _row("name          =          'orders-api'"),
        _page("/services/orders-api"),
        _page("/services/orders-api/spec"),
        _page("/v2/services/orders-api/status"),
        _file("deploy/orders-api/values.yaml"),
        _file("deploy/orders-api/production/values.yaml"),
        _file("deploy/orders-api.yaml"),
    ],
)
def test_what_is_asked_of_the_thing_itself_does(answer: Output) -> None:
    alive = _alive(answer)
    ruling = check_correction(target(NOTE), "Runs 7 replicas.", cite(alive.lines[0]), (alive,))
    assert isinstance(ruling, Correction)
    assert ruling.new_statement == "Runs 7 replicas."
