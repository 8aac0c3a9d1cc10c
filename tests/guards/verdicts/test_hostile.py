"""Whatever a model says, an entry only ever comes to say what is so in an invented production."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dream.guards.verdicts.corrections import check_correction
from dream.guards.verdicts.falsehoods import check_falsehood
from dream.guards.verdicts.outputs import Citation, Output, OutputLine
from dream.guards.verdicts.rulings import Confirmed, Correction, Falsehood, Target
from dream.guards.verdicts.truths import check_true
from dream.memory.operations import Refusal
from tests.guards.verdicts.heard import cite, output, record, sample, target
from tests.guards.verdicts.invented import THINGS, Case, cases, outputs, said

ROUNDS = 250
PLAIN = 30
"""How many of the answers, the first, were asked for by nobody hostile."""
CASES = cases()
OUTPUTS = outputs()


def _near(case: Case, answers: Sequence[Output]) -> list[tuple[Output, OutputLine]]:
    """Return the lines that a hostile judge would cite: those that have something of the entry's thing."""
    name = case.target.path.removeprefix("services/").removesuffix(".md")
    return [(one, line) for one in answers for line in one.lines if name in line.text or name in one.asked]


def _statements(case: Case, line: OutputLine, draw: random.Random) -> Iterator[str]:
    """Yield the truth, and the entry with one or two of its words replaced by what the line, or nobody, says."""
    key = case.target.entry.key
    yield case.truth or key
    words = key.split()
    values = [value for _, value in line.fields] + ["88", "enabled", "disabled", "ghost-svc"]
    numbers = [at for at, word in enumerate(words) if any(map(str.isdigit, word))]
    for count in (1, 1, 2):
        changed = list(words)
        for _ in range(count):
            at = draw.choice(numbers) if numbers and draw.random() < 0.5 else draw.randrange(len(words))
            bare = words[at].rstrip(".,?")
            changed[at] = draw.choice(values) + words[at][len(bare) :]
        yield " ".join(changed)


@pytest.mark.parametrize("seed", range(3))
def test_no_verdict_makes_an_entry_false_or_takes_a_true_one_away(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311  # the same cases every time
    accepted = 0
    for _ in range(ROUNDS):
        case = draw.choice(CASES)
        answer, line = draw.choice(_near(case, OUTPUTS[:PLAIN] if draw.random() < 0.3 else OUTPUTS))
        shown = (answer,) if draw.random() < 0.7 else (*draw.sample(OUTPUTS, 3), answer)
        cited = (Citation(output=answer.id, quote=line.text),)
        for statement in _statements(case, line, draw):
            ruling = check_correction(case.target, statement, cited, shown)
            if isinstance(ruling, Correction):
                accepted += 1
                assert ruling.new_statement == case.truth != case.target.entry.key, line.text
        if isinstance(check_true(case.target, cited, shown), Confirmed):
            assert case.target.entry.key == case.truth, line.text
        if isinstance(check_falsehood(case.target, cited, shown), Falsehood):
            assert case.ended, line.text
    assert accepted


@pytest.mark.parametrize("case", [case for case in CASES if case.truth and case.truth != case.target.entry.key][::4])
def test_an_honest_verdict_puts_a_wrong_entry_right(case: Case) -> None:
    listing = OUTPUTS[0]
    name = case.target.path.removeprefix("services/").removesuffix(".md")
    line = next(one for one in listing.lines if one.text.startswith(f"services.{name}: "))
    ruling = check_correction(case.target, case.truth, cite(line, listing.id), (listing,))
    assert isinstance(ruling, Correction)
    assert ruling.new_statement == case.truth


NAMES = st.sampled_from([thing.name for thing in THINGS]) | st.from_regex(
    r"[a-z]{2,6}(-[a-z]{2,6}){1,2}(-[0-9])?", fullmatch=True
)


def _lines_about(name: str, value: int) -> tuple[Output, ...]:
    """Return what each kind of probe would say of a thing."""
    row = record("ops.services", name=name, replicas=value, status="deleted")
    bare = record("ops.services", replicas=value, status="deleted")
    asked = f"/services/{name}"
    return (
        output(record(f"services.{name}", replicas=value, status="deleted")),
        output(row, asked="SELECT * FROM ops.services"),
        output(bare, asked=" ".join(("SELECT * FROM ops.services WHERE name =", f"'{name}'")), names=(name,)),
        output(record("", replicas=value, deleted=True), asked=asked, names=("services", name)),
        output(sample("kube_deployment_spec_replicas", value, deployment=name), asked="kube_deployment_spec_replicas"),
        output(OutputLine(text=f"deploy/{name}.yaml:1: replicas: {value}"), asked=f"deploy/{name}.yaml replicas"),
    )


@given(ours=NAMES, theirs=NAMES, value=st.integers(2, 90), unnamed=st.booleans(), statement=st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_what_is_said_of_one_thing_says_nothing_of_another(
    ours: str, theirs: str, value: int, *, unnamed: bool, statement: str
) -> None:
    if ours == theirs:
        return
    text = "Runs 1 replicas." if unnamed else f"`{ours}` runs 1 replicas."
    entry: Target = target(f"# {ours}\n\n- {text}\n", path=f"services/{ours}.md")
    for answer in _lines_about(theirs, value):
        cited = cite(answer.lines[0])
        for proposed in (text.replace(" 1 ", f" {said(value)} "), statement):
            assert isinstance(check_correction(entry, proposed, cited, (answer,)), Refusal)
        assert isinstance(check_true(entry, cited, (answer,)), Refusal)
        assert isinstance(check_falsehood(entry, cited, (answer,)), Refusal)
