from __future__ import annotations

from pathlib import Path

from prompts.versions import prompt_versions


def test_every_template_and_nothing_else_is_part_of_the_digest_of_prompts(tmp_path: Path) -> None:
    folder = tmp_path / "distil"
    folder.mkdir()
    seen = [prompt_versions(tmp_path)]
    for name, text in (("place.md", "Place it."), ("place.md", "Place it!"), ("told.md", "Place it!")):
        (folder / name).write_text(text, encoding="utf-8")
        seen.append(prompt_versions(tmp_path))
    assert len(set(seen)) == len(seen) == 4
    (folder / "place.sample.yaml").write_text("day: 2026-10-22", encoding="utf-8")
    assert prompt_versions(tmp_path) == seen[-1]


def test_the_packaged_templates_are_those_of_the_digest() -> None:
    assert prompt_versions() == prompt_versions(Path(__file__).parents[2] / "prompts")
