from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from config.limits import Limits, Loss, Verification
from config.loading import BrokenOrganisation, load_organisation, load_organisations
from config.organisation import Memory, Organisation
from dream.errors import UsageError
from dream.sources.sessions.formats.registry import formats

EXAMPLES = Path(str(resources.files("config") / "examples"))


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _minimal(name: str) -> str:
    return f'organisation: {name}\nmemory: {{url: "https://git.{name}.example/memory.git"}}\n'


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    _write(tmp_path, "2.yaml", _minimal("beta"))
    _write(tmp_path, "1.yml", _minimal("gamma"))
    _write(tmp_path, "3.yaml", _minimal("acme"))
    found = load_organisations(tmp_path)
    assert [organisation.organisation for organisation in found.organisations] == ["acme", "beta", "gamma"]
    assert found.broken == ()


def test_hidden_files_other_files_and_folders_inside_are_left_alone(tmp_path: Path) -> None:
    _write(tmp_path, "acme.yaml", _minimal("acme"))
    for name in (".acme.yaml", "acme.yaml.bak", "README.md", "acme.json"):
        _write(tmp_path, name, "not: [an organisation")
    (tmp_path / "retired").mkdir()
    _write(tmp_path / "retired", "old.yaml", "x")
    found = load_organisations(tmp_path)
    assert ([one.organisation for one in found.organisations], found.broken) == (["acme"], ())


def test_no_program_is_given_what_another_organisation_is_reached_with(tmp_path: Path) -> None:
    mcp = "production: [{{name: notes, kind: mcp, command: [notes], environment: [PATH, {}]}}]\n"
    keyed = 'organisation: {0}\nmemory: {{url: "https://git.{0}.example/m.git", credential: "env:{1}"}}\n'
    _write(tmp_path, "acme.yaml", keyed.format("acme", "ACME_TOKEN"))
    thief = _write(tmp_path, "birch.yaml", _minimal("birch") + mcp.format("ACME_TOKEN"))
    _write(tmp_path, "cedar.yaml", keyed.format("cedar", "CEDAR_TOKEN") + mcp.format("CEDAR_TOKEN"))
    _write(tmp_path, "dahlia.yaml", keyed.format("dahlia", "SHARED_TOKEN") + mcp.format("SHARED_TOKEN"))
    _write(tmp_path, "elm.yaml", keyed.format("elm", "SHARED_TOKEN"))
    found = load_organisations(tmp_path)
    assert [one.organisation for one in found.organisations] == ["acme", "cedar", "dahlia", "elm"]
    assert [(one.name, str(one.error)) for one in found.broken] == [
        ("birch", f"{thief}: a program would be given ACME_TOKEN, which another organisation is reached with")
    ]


def test_a_broken_file_never_stops_the_others(tmp_path: Path) -> None:
    _write(tmp_path, "acme.yaml", _minimal("acme"))
    text = _write(tmp_path, "text.yaml", "organisation: [")
    keyed = _write(tmp_path, "keyed.yaml", _minimal("beta") + "sesions: []\n")
    (tmp_path / "folder.yaml").mkdir()
    found = load_organisations(tmp_path)
    assert [organisation.organisation for organisation in found.organisations] == ["acme"]
    assert [(one.name, one.path) for one in found.broken] == [
        ("beta", keyed),
        ("folder", tmp_path / "folder.yaml"),
        ("text", text),
    ]
    assert str(found.broken[0].error) == f"{keyed}: sesions: unknown key; did you mean sessions?"
    assert all(one.error.exit_code == 2 and one.error.way_out for one in found.broken)


@pytest.mark.parametrize(
    ("second", "what"),
    [
        ('organisation: acme\nmemory: {url: "https://elsewhere.example/m"}\n', "organisation"),
        ('organisation: beta\nmemory: {url: "https://git.acme.example/memory"}\n', "memory"),
    ],
)
def test_two_files_that_claim_the_same_are_both_broken(tmp_path: Path, second: str, what: str) -> None:
    one = _write(tmp_path, "1.yaml", _minimal("acme"))
    other = _write(tmp_path, "2.yaml", second)
    _write(tmp_path, "3.yaml", _minimal("gamma"))
    found = load_organisations(tmp_path)
    assert [organisation.organisation for organisation in found.organisations] == ["gamma"]
    assert [(broken.path, str(broken.error)) for broken in found.broken] == [
        (one, f"{one}: names the same {what} as {other}"),
        (other, f"{other}: names the same {what} as {one}"),
    ]


def test_two_folders_of_one_repository_are_two_memories(tmp_path: Path) -> None:
    for name in ("acme", "beta"):
        _write(tmp_path, f"{name}.yaml", f"organisation: {name}\nmemory: {{url: /srv/all.git, path: {name}}}\n")
    assert len(load_organisations(tmp_path).organisations) == 2


def test_an_organisation_is_found_by_name_or_said_to_be_missing(tmp_path: Path) -> None:
    _write(tmp_path, "acme.yaml", _minimal("acme"))
    broken = _write(tmp_path, "beta.yaml", "organisation: beta\n")
    found = load_organisations(tmp_path)
    assert found.get("acme").organisation == "acme"
    with pytest.raises(UsageError, match="memory: is missing") as refusal:
        found.get("beta")
    assert refusal.value.data == {"path": str(broken)}
    with pytest.raises(UsageError, match="no organisation 'acm'") as refusal:
        found.get("acm")
    assert refusal.value.way_out == "did you mean acme?"


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refusal:
        load_organisations(tmp_path / "none")
    assert "cannot be read: No such file or directory" in str(refusal.value)
    assert refusal.value.way_out == "set DREAM_ORGANISATIONS to a folder of YAML files"


def test_an_empty_folder_has_no_organisations_and_says_how_to_write_one(tmp_path: Path) -> None:
    found = load_organisations(tmp_path)
    assert (found.organisations, found.broken) == ((), ())
    with pytest.raises(UsageError, match="no organisation 'acme'"):
        found.get("acme")


def test_an_organisations_own_limits_go_before_those_of_the_installation(tmp_path: Path) -> None:
    installation = Limits(loss=Loss(night_percent=10, month_percent=20))
    path = _write(
        tmp_path, "acme.yaml", _minimal("acme") + "limits: {loss: {month_percent: 5}, verification: {notes: 40}}\n"
    )
    organisation = load_organisation(path, limits=installation)
    assert isinstance(organisation, Organisation)
    assert organisation.limits == Limits(
        loss=Loss(night_percent=10, month_percent=5), verification=Verification(notes=40)
    )


@pytest.mark.parametrize(
    ("limits", "complaint"),
    [
        ("{los: {}}", "limits.los: unknown key; did you mean loss?"),
        ("{loss: {night_percnt: 1}}", "limits.loss.night_percnt: unknown key; did you mean night_percent?"),
        ("{loss: 3}", "limits.loss: must be a mapping of keys"),
        ("[]", "limits: must be a mapping of keys"),
        ("{verification: {notes: 1}}", "limits.verification: reserved is 5, more than the 1 notes of a night"),
    ],
)
def test_a_limit_that_does_not_fit_is_named(tmp_path: Path, limits: str, complaint: str) -> None:
    path = _write(tmp_path, "acme.yaml", _minimal("acme") + f"limits: {limits}\n")
    outcome = load_organisation(path)
    assert isinstance(outcome, BrokenOrganisation)
    assert str(outcome.error) == f"{path}: {complaint}"


def test_every_problem_of_a_file_is_named_at_once(tmp_path: Path) -> None:
    path = _write(tmp_path, "acme.yaml", "organisation: Acme\nmemory: {}\ntimezone: Mars\n")
    outcome = load_organisation(path)
    assert isinstance(outcome, BrokenOrganisation)
    assert [key for key in ("organisation: ", "memory.url: ", "timezone: ") if key not in str(outcome.error)] == []


def test_a_file_of_nothing_but_wrong_keys_is_answered_in_a_few_lines(tmp_path: Path) -> None:
    keys = "".join(f'"{number}\\e{"x" * 200}": 1\n' for number in range(200))
    path = _write(tmp_path, "acme.yaml", _minimal("acme") + keys)
    outcome = load_organisation(path)
    assert isinstance(outcome, BrokenOrganisation)
    assert len(str(outcome.error)) < 4_000
    assert str(outcome.error).isprintable()


def test_the_minimal_example_is_an_organisation() -> None:
    organisation = load_organisation(EXAMPLES / "minimal.yaml")
    assert isinstance(organisation, Organisation)
    assert organisation.memory == Memory(url="https://git.acme.example/memory.git", credential="env:ACME_GIT_TOKEN")


def test_the_full_example_shows_every_key_with_its_default() -> None:
    organisation = load_organisation(EXAMPLES / "full.yaml")
    assert isinstance(organisation, Organisation)
    shown = _keys(YAML(typ="safe").load(EXAMPLES / "full.yaml"))
    assert shown == _keys(organisation.model_dump())
    plain = Organisation(organisation="x", memory=Memory(url="/x"))
    for key in ("models", "timezone", "limits"):
        assert getattr(organisation, key) == getattr(plain, key)


def test_the_full_example_names_every_kind_of_sessions() -> None:
    text = (EXAMPLES / "full.yaml").read_text(encoding="utf-8")
    assert {kind for kind in formats() if not re.search(rf"(?<![a-z-]){kind}(?![a-z-])", text)} == set()


def _keys(value: Any) -> set[str]:
    match value:
        case dict():
            return set(value) | {f"{key}.{inner}" for key, item in value.items() for inner in _keys(item)}
        case list() | tuple():
            return {key for item in value for key in _keys(item)}
        case _:
            return set()


def test_sessions_of_no_known_format_are_refused_with_the_formats_there_are(tmp_path: Path) -> None:
    path = _write(tmp_path, "acme.yaml", _minimal("acme") + "sessions: [{kind: codecs, path: /srv}]\n")
    (broken,) = load_organisations(tmp_path, session_kinds=("codex", "aider")).broken
    assert str(broken.error) == f"{path}: sessions[0].kind: must be one of aider, codex"
    assert load_organisations(tmp_path).broken == ()
