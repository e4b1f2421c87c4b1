"""Presets for SillyTavern. What it makes of them was looked at in its own page, version 1.19.0.

The keys are those of SillyTavern/SillyTavern `default/content/presets/openai/Default.json` and
`public/scripts/preset-manager.js` (`performMasterImport`).
"""

import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.features.export.sillytavern import MOST_ANSWER, answer_size, chat_preset, text_preset
from tests.support.cli import Reel


def order(preset: Any) -> list[tuple[str, bool]]:
    [every] = preset["prompt_order"]
    return [(one["identifier"], one["enabled"]) for one in every["order"]]


def test_chat_completion_sends_the_bundles_fields_and_lore_and_nothing_of_an_imported_card_twice() -> None:
    preset = chat_preset(16384)
    sent = [key for key, enabled in order(preset) if enabled]
    assert sent == [
        *("main", "worldInfoBefore", "personaDescription", "charDescription", "scenario", "worldInfoAfter"),
        "chatHistory",
    ]
    assert {"dialogueExamples", "charPersonality", "jailbreak"} <= {
        key for key, sent in order(preset) if not sent
    }
    named = {prompt["identifier"] for prompt in preset["prompts"]}  # type: ignore[index,union-attr,call-overload]
    assert named == {key for key, _ in order(preset)}


def test_the_context_is_the_kits_and_unlocked() -> None:
    preset = chat_preset(16384)
    assert (preset["openai_max_context"], preset["max_context_unlocked"]) == (16384, True)


@pytest.mark.parametrize(("cap", "size"), [(2048, 256), (8192, 1024), (131072, MOST_ANSWER)])
def test_an_answer_takes_no_more_than_an_eighth(cap: int, size: int) -> None:
    assert answer_size(cap) == size


def test_text_completion_has_a_section_for_each_thing_the_import_asks_about() -> None:
    preset: Any = text_preset("Mira", 8192)
    assert {"name", "story_string"} <= preset["context"].keys()
    assert {"name", "content"} <= preset["sysprompt"].keys()
    assert {"temp", "top_k", "top_p", "rep_pen"} <= preset["preset"].keys()
    assert (preset["preset"]["max_length"], preset["preset"]["genamt"]) == (8192, 1024)
    story = preset["context"]["story_string"]
    places = [story.index(part) for part in ("{{system}}", "{{description}}", "{{scenario}}")]
    assert places == sorted(places)
    assert "personality" not in story
    assert "mesExamples" not in story


def test_on_the_screen(reel: Reel, kit: Path) -> None:
    out = kit.parent / "ada.json"
    run = reel("export", "preset", "--for", "sillytavern", "--window", "16k", "--out", out).ok()
    assert json.loads(out.read_text())["openai_max_context"] == 16384
    assert "AI Response Configuration → Import preset" in run.err
    assert "reel start --for sillytavern" in run.err
    assert (
        json.loads(reel("export", "preset", "--for", "sillytavern-text").ok().out)["preset"]["name"] == "Ada"
    )
    wrong = reel("export", "preset", "--for", "silytavern")
    assert (wrong.code, "did you mean  --for sillytavern ?" in wrong.err) == (2, True)


def test_the_place_says_where_each_field_is_and_what_to_empty(reel: Reel, kit: Path) -> None:
    del kit
    told = json.loads(reel("pack", "--for", "sillytavern", "--json").ok().out)
    assert [field["name"] for field in told["fields"]] == [
        "Advanced Definitions → Prompt Overrides → Main Prompt",
        "Description",
        "Advanced Definitions → Scenario",
    ]
    for what in ("Examples of dialogue", "Unlocked Context Size", "8192"):
        assert what in told["place"]["note"]
