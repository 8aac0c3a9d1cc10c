from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from dream.guards.specifics import guard_specifics
from dream.memory.applying import apply_operation
from dream.memory.notes import NoteCache
from dream.memory.operations import Proposal, Refusal
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, OverlayTree, Tree
from dream.sources.production.code.tree import CodeTree
from tasks.production_verification import propose as propose_plan
from tests.conftest import ROOT
from tests.tasks.code import make_code, read
from tests.tasks.stories import memory, planted, reasons, text_of

TODAY = date(2026, 10, 22)


class Code:
    """The repository `web`, its commits, and this project's own checkout beside it."""

    def __init__(self, folder: Path) -> None:
        self.start, self.moved, self.taken = make_code(folder / "web")
        self.web = read("web", folder / "web", folder / "home")
        self.ours = read("dreaming", ROOT, folder / "home")


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Code:
    return Code(tmp_path_factory.mktemp("code"))


def propose(
    tree: Tree, code: Sequence[CodeTree], *, chosen: Sequence[str] | None = None, overdue: Sequence[str] = ()
) -> Plan:
    paths = [path for path in tree.paths() if path != "MEMORY.md"] if chosen is None else chosen
    return propose_plan(tree=tree, notes=NoteCache(), chosen=paths, code=code, today=TODAY, overdue=overdue)


DEAD_LINES = {
    "a path of a deleted file in a code span": "Backfills run `scripts/backfill.sh` by hand.",
    "a path in prose": "Backfills run scripts/backfill.sh by hand.",
    "a path at the end of a sentence": "Synonyms are kept in src/finder/aliases.ts.",
    "a path in bold": "Synonyms are kept in **`src/finder/aliases.ts`** for now.",
    "a path with a dot before it": "Seed with `./scripts/seed.sh` in staging.",
    "a path with a line number": "See `src/finder/aliases.ts:12` for the list.",
    "a path with an anchor": "See `tests/finder.test.ts#L4` for how.",
    "a path in a table": "| what | where |\n|---|---|\n| seeds | `scripts/seed.sh` |",
    "a path in a quotation": "> Run `scripts/seed.sh` twice.",
    "a path in a numbered step": "1. Run `scripts/seed.sh` and wait.",
    "a path in a shell fence": "```sh\nscripts/backfill.sh --all\n```",
    "a path in a fence without a language": "```\n$ scripts/seed.sh\n```",
    "a path that never was, in a folder that is": "Refunds are in `src/desk/refunds.ts`.",
    "a folder that never was": "Look into `src/payments` first.",
    "a path without its leading folder": "Look into `finder/aliases.ts` first.",
    "a file that was at the root's own folder": "`docs/manual.md` says more.",
    "a make target that is gone": "Run `make reload` before each demo.",
    "a make target in a shell fence": "```bash\nmake reload\n```",
    "a script of npm that is gone": "Run `npm run typecheck` before a push.",
    "a script of npm in prose of a list": "- Always run `npm run format` first.",
    "a link to a note that is gone": "See [the old note](gone.md) for more.",
    "a link from the root": "See [the old note](/services/gone.md) for more.",
    "a link with an anchor": "See [the old note](../alerts/gone.md#when) for more.",
    "a link by name": "See [[a note that never was]] for more.",
    "a link by reference": "See [the old note][old] for more.\n\n[old]: gone.md",
    "a renamed path in a note about the past": "The list of tries was in `src/desk/retry.ts`.",
    "a renamed path with a line number": "Three tries: `src/desk/retry.ts:3`.",
}

LIVE_LINES = (
    "The indexer is `src/finder/indexer.ts`, its settings are in config/finder.toml.",
    "Tries are counted in `src/desk/retries.ts:2` and `desk/retries.ts`.",
    "Deploy with `make deploy`, test with `make test` or `npm test`, lint with `npm run lint`.",
    "```sh\nmake deploy && npm run lint\nscripts/deploy.sh\n```",
    "```python\nopen('src/finder/aliases.ts')\n```",
    "See [the alert](../alerts/slow.md), [[slow]], [here](#live) and [out](https://x.invalid/gone.md).",
    "Anything like `src/*/gone.ts`, `<name>/x.ts`, `$HOME/x.sh`, `~/x.sh`, `/etc/x.conf` or `../x.ts` is elsewhere.",
    "Other repositories have `terraform/main.tf`, `services/orders/main.go` and `app/models/user.rb`.",
    "Products such as node.js, Next.js, ratios such as 3/4, and/or, TCP/IP, 24/7 and acme/web are no paths.",
    "https://git.example/acme/web/blob/main/src/finder/aliases.ts is an address.",
    "<!-- src/finder/aliases.ts -->",
    "This very memory has `alerts/slow.md` and `slow.md`.",
    "The dream is in `dream/memory/tree.py`, `tasks/tidy.py`, and tests/conftest.py of another repository.",
    "Their `pyproject.toml` and `Makefile` have `make lint` and `make demo`.",
    "Folders: `src/desk`, `src/desk/`, `docs/operations/`, ![a picture](gone.png), [a folder](../alerts/).",
    "`Src/Finder/Indexer.ts` differs in case alone.",
)


def test_every_planted_dead_reference_is_found_and_no_live_one_is_flagged(code: Code) -> None:
    anchor = "web is written in TypeScript, starting at `src/desk/app.ts`.\n\n"
    dead = {f"services/d{number:02}.md": line for number, line in enumerate(DEAD_LINES.values())}
    live = {f"live/l{number:02}.md": line for number, line in enumerate(LIVE_LINES)}
    notes = {path: f"# Note\n\n{anchor}{line}\n".encode() for path, line in {**dead, **live}.items()}
    tree = MappingTree({**notes, "alerts/slow.md": b"# slow\n"})
    plan = propose(tree, [code.web, code.ours])
    flagged = [finding.partition(":")[0] for finding in plan.findings]
    assert len(dead) >= 20
    assert {path: line for path, line in dead.items() if path not in flagged} == {}
    assert [finding for finding in plan.findings if finding.startswith("live/")] == []
    assert all(not item.operations for item in plan.items)
    assert len(plan.findings) == len(dead)


def test_a_finding_names_the_line_the_repository_and_the_commit(code: Code) -> None:
    tree = memory(
        services__search="# search\n\nThe list is in `src/finder/aliases.ts`,\nand a rule in `src/finder/rules.ts`.\n"
        "\n- It was `src/desk/retry.ts` once.\n- See [x](gone.md).\n"
    )
    assert propose(tree, [code.web]).findings == (
        f"services/search.md:3 names src/finder/aliases.ts, which web does not have since {code.taken[:12]}",
        "services/search.md:4 names src/finder/rules.ts, which web does not have",
        (f"services/search.md:6 names src/desk/retry.ts, which web has as src/desk/retries.ts since {code.moved[:12]}"),
        "services/search.md:7 links to gone.md, which the memory does not have",
    )


def test_an_entry_about_a_renamed_path_is_put_right_in_place_with_the_commit_as_evidence(code: Code) -> None:
    tree = memory(
        services__desk="# desk\r\n\r\n"
        "- 2026-09-14: desk tries three times; see `src/desk/retry.ts` and ./src/desk/retry.ts. "
        "[thread_19ab, 2026-09-14]\r\n"
        "- 2026-10-12: Its limits stand in `config/desk.toml`: no others do. (tentative) [thread_2, 2026-10-12]\r\n"
    )
    plan = propose(tree, [code.web])
    first, second = plan.items[0].operations
    (evidence,) = first.basis.evidence
    assert evidence == (
        f"web at {code.taken[:12]}: src/desk/retry.ts became src/desk/retries.ts in {code.moved[:12]} on 2026-10-09"
    )
    assert (first.basis.sources, first.basis.dated) == (("probe:web",), date(2026, 10, 9))
    assert second.basis.dated == date(2026, 10, 12)
    assert text_of(planted(tree, plan), "services/desk.md") == (
        "# desk\r\n\r\n"
        "- 2026-10-09: desk tries three times; see `src/desk/retries.ts` and ./src/desk/retries.ts. "
        "[thread_19ab, probe:web, 2026-10-09]\r\n"
        "- 2026-10-12: Its limits stand in `config/services/desk.toml`: no others do. (tentative) "
        "[thread_2, probe:web, 2026-10-12]\r\n"
    )
    assert plan.findings == ()
    assert propose(planted(tree, plan), [code.web]).items[0].reason == "references-alive"


def test_a_plain_entry_keeps_its_form(code: Code) -> None:
    tree = memory(
        manuals__web="# Web\n\n1. Read `docs/handbook.md`.\n2. Edit files in `src/legacy/`.\n\nSee docs/handbook.md.\n"
    )
    assert text_of(planted(tree, propose(tree, [code.web])), "manuals/web.md") == (
        "# Web\n\n1. Read `docs/operations/handbook.md`.\n2. Edit files in `src/baskets/`.\n\n"
        "See docs/operations/handbook.md.\n"
    )


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("services__web", "- 2026-09-14: `docs/handbook.md` was written in a hurry. [thread_1, 2026-09-14]"),
        ("services__web", "- [x] Read `docs/handbook.md` on Monday."),
        ("services__web", "- Read `docs/handbook.md:12` on Monday."),
        ("services__web", "- Read `docs/handbook.md` and https://x.invalid/docs/handbook.md on Monday."),
        ("services__CHANGELOG", "- Read `docs/handbook.md` on Monday."),
        ("decisions__one", "- Read `docs/handbook.md` on Monday."),
        ("notes__2026-09-14", "- Read `docs/handbook.md` on Monday."),
        ("incidents__web", "- Read `docs/handbook.md` on Monday."),
    ],
)
def test_what_may_be_about_the_past_is_reported_and_left_as_it_is(code: Code, path: str, line: str) -> None:
    plan = propose(memory(**{path: f"# x\n\n{line}\n"}), [code.web])
    assert list(reasons(plan).values()) == ["dead-reference"]
    assert len(plan.findings) == 1


def test_a_link_that_a_rename_left_behind_is_no_finding() -> None:
    tree = memory(services__basket="# basket\n", services__web="# web\n\n- See [the cart](cart.md) and [x](gone.md).\n")
    plan = propose_plan(
        tree=tree,
        notes=NoteCache(),
        chosen=["services/web.md"],
        code=[],
        today=TODAY,
        renames={"services/cart.md": "services/basket.md"},
    )
    assert plan.findings == ("services/web.md:3 links to gone.md, which the memory does not have",)


def test_an_entry_that_names_the_new_path_as_well_needs_nothing(code: Code) -> None:
    line = "- 2026-10-14: `docs/handbook.md` is now `docs/operations/handbook.md`. [thread_1, 2026-10-14]"
    plan = propose(memory(services__web=f"# web\n\n{line}\n"), [code.web])
    assert plan.findings == ()
    assert reasons(plan) == {"services/web.md": "references-alive"}


def test_a_correction_passes_the_guard_that_lets_nothing_new_in(code: Code) -> None:
    tree = memory(services__web="# web\n\n- 2026-09-14: See `docs/handbook.md`. [thread_1, 2026-09-14]\n")
    (operation,) = propose(tree, [code.web]).items[0].operations
    files = apply_operation(tree, operation)
    assert not isinstance(files, Refusal)
    proposal = Proposal(
        task="production_verification",
        operation=operation,
        before=tree,
        after=OverlayTree(tree, files),
        touched=frozenset(files),
    )
    assert guard_specifics(proposal) is None


def test_every_chosen_note_is_accounted_for_and_what_is_there_is_checked(code: Code) -> None:
    tree = MappingTree(
        {
            "a.md": b"# A\n\nNothing to look up.\n",
            "b.md": b"# B\n\n- `src/desk/app.ts`\n- [A](a.md)\n",
            "c.md": b"# C\n\nThe app is in `src/desk/app.ts`.\n",
            "d.md": b"\xff\xfe",
            "e.md": b"# E\n",
            "f.md": b"# F\n\nThe app is in `terraform/main.tf`.\n",
            "g.md": b"# G\n\nNot chosen: `src/finder/aliases.ts`.\n",
        }
    )
    plan = propose(tree, [code.web], chosen=["a.md", "b.md", "c.md", "d.md", "e.md", "f.md", "gone.md"])
    assert reasons(plan) == {
        "a.md": "no-reference",
        "b.md": "references-alive",
        "c.md": "references-alive",
        "d.md": "unreadable",
        "e.md": "no-reference",
        "f.md": "not-resolvable",
        "gone.md": "unreadable",
    }
    assert plan.checked == {"a.md", "b.md", "c.md", "d.md", "e.md", "f.md"}
    assert plan.unverified == {"a.md", "c.md", "d.md", "f.md"}
    assert plan.findings == ("d.md was left alone: not UTF-8", "gone.md was left alone: no such file")


def test_a_repository_that_is_down_settles_nothing(code: Code) -> None:
    tree = memory(
        services__web="# web\n\n- See `src/finder/aliases.ts`, `docs/handbook.md`, `make reload`, [x](gone.md).\n"
    )
    down = CodeTree(name="infra", unknown="no answer")
    plan = propose(tree, [code.web, down])
    assert plan.findings == ("services/web.md:3 links to gone.md, which the memory does not have",)
    assert plan.unverified == plan.waiting == {"services/web.md"}
    assert not plan.checked
    assert not plan.items[0].operations
    overdue = propose(tree, [code.web, down], overdue=["services/web.md"])
    assert overdue.unverified == overdue.checked == {"services/web.md"}
    assert not overdue.waiting


def test_no_configured_repository_settles_nothing() -> None:
    tree = memory(services__web="# web\n\n- See `src/finder/aliases.ts` and `make reload`.\n")
    assert reasons(propose(tree, [])) == {"services/web.md": "not-resolvable"}


def test_what_another_repository_has_is_alive_and_what_it_lacks_says_nothing_of_this_one(code: Code) -> None:
    tree = memory(
        services__web="# web\n\n`src/desk/app.ts` and `docs/later.md`.\n",
        services__both="# both\n\n`src/desk/app.ts` calls `tasks/tidy.py`, see `docs/later.md`.\n",
        services__elsewhere="# elsewhere\n\nIt has `src/main.go` and `docs/index.md` and `make dist`.\n",
    )
    assert propose(tree, [code.web, code.ours]).findings == (
        "services/both.md:3 names docs/later.md, which web and dreaming do not have",
        "services/web.md:3 names docs/later.md, which web does not have",
    )
