from __future__ import annotations

from dream.memory.tree import MappingTree
from dream.models.port import Reason, Replied, Reply, Unanswered
from dream.models.prompt import Prompt
from tasks.tidying.asking import Answers, Ruling, ask_rulings
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominations import Nomination
from tests.tasks.tidying.rulers import Ruler, pair, ruled

TREE = MappingTree({f"n/{name}.md": f"# {name}\n\n- {name} keeps 20 connections.\n".encode() for name in "abcdef"})
PAIRS = [pair(TREE, "n/a.md", "n/b.md"), pair(TREE, "n/c.md", "n/d.md"), pair(TREE, "n/e.md", "n/f.md")]


def asked(ruler: Ruler, *, together: int = 8, hidden: str = "\0") -> Answers:
    return ask_rulings(
        PAIRS, ruler, screen=lambda line, _: line.replace(hidden, "…"), limits=TidyLimits(together=together), salt="x"
    )


def numbered(answers: Answers) -> dict[int, str]:
    return {PAIRS.index(one): answers.rulings[one.id].ruling for one in PAIRS if one.id in answers.rulings}


class _Told:
    """Gives one reply whatever it is asked."""

    name = "scripted/told"

    def __init__(self, *rulings: dict[str, object]) -> None:
        self._rulings = rulings

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        del prompt
        return Replied(reply=reply.model_validate({"reasoning": "", "rulings": list(self._rulings)}))


def test_a_pair_is_shown_with_where_it_stands_and_several_make_one_question() -> None:
    ruler = Ruler()
    assert numbered(asked(ruler, together=2)) == {0: "same", 1: "same", 2: "same"}
    assert len(ruler.asked) == 2
    shown = ruler.asked[1].user_text(b"secret")
    assert "first: n/e.md, 'e', 'e', undated, agent\n  e keeps 20 connections." in shown
    assert ruler.asked[0].salt == "x"


def test_missing_repeated_and_unknown_numbers_are_unsure_and_counted() -> None:
    told = _Told(ruled(1, "same", "first"), ruled(2, "same"), ruled(2, "different"), ruled(9, "same"))
    answers = ask_rulings(PAIRS, told, screen=lambda line, _: line, limits=TidyLimits())
    assert [answers.rulings[one.id] for one in PAIRS] == [
        Ruling(ruling="same", best=0),
        Ruling(ruling="unsure"),
        Ruling(ruling="unsure"),
    ]
    assert answers.odd == {"unknown": 1, "repeated": 1, "missing": 1}


def test_a_pair_of_which_a_line_is_withheld_is_not_asked_about() -> None:
    answers = asked(ruler := Ruler(), hidden="c keeps")
    assert answers.not_shown == {PAIRS[1].id: "withheld"}
    assert "d keeps" not in ruler.asked[0].user_text(b"secret")


def test_an_answer_that_breaks_off_is_asked_for_in_halves_and_the_one_that_breaks_it_waits() -> None:
    answers = asked(ruler := Ruler(fails=[Reason.TRUNCATED, Reason.TRUNCATED]))
    assert numbered(answers) == {1: "same", 2: "same"}
    assert answers.waiting == {PAIRS[0].id: "failed-model-truncated"}
    assert len(ruler.asked) == 3


def test_nobody_is_asked_any_more_once_the_budget_is_used_up_and_the_pairs_wait() -> None:
    answers = asked(ruler := Ruler(fails=[Reason.OVER_BUDGET]), together=1)
    assert answers.waiting == {one.id: "model-over-budget" for one in PAIRS}
    assert (len(ruler.asked), answers.rulings) == (1, {})


def test_a_rate_limit_leaves_the_pairs_of_its_question_waiting_and_no_others() -> None:
    answers = asked(Ruler(fails=[Reason.RATE_LIMITED]), together=2)
    assert answers.waiting == {one.id: "model-rate-limited" for one in PAIRS[:2]}
    assert numbered(answers) == {2: "same"}


def test_a_nomination_is_another_one_once_a_side_says_something_else() -> None:
    other = MappingTree(
        {**{path: TREE.read(path) or b"" for path in TREE.paths()}, "n/b.md": b"# b\n\n- b keeps 30.\n"}
    )
    again: Nomination = pair(other, "n/a.md", "n/b.md")
    assert (again.id, again.digest) != (PAIRS[0].id, PAIRS[0].digest)


def test_a_question_shows_as_many_characters_as_it_may_and_a_longer_pair_to_nobody() -> None:
    ruler = Ruler()
    answers = ask_rulings(PAIRS, ruler, screen=lambda line, _: line, limits=TidyLimits(question_characters=350))
    assert (len(ruler.asked), len(answers.rulings)) == (2, 3)
    silent = ask_rulings(PAIRS, Ruler(), screen=lambda line, _: line, limits=TidyLimits(question_characters=20))
    assert set(silent.not_shown.values()) == {"too-long"}
