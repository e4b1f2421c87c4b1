"""Presets for SillyTavern: how much it may send, and in which order what it has of the persona.

The bundle itself is pasted into the character's fields (`--for sillytavern`) and is in no preset, so one
preset does for all evenings. It leaves out what an imported card has beside those fields, which the bundle
says already: personality, examples, what follows the chat.
"""

from collections.abc import Mapping, Sequence

from reel_cli.core.files.json_text import Json, render_json

MOST_ANSWER = 1024
"""Tokens kept free for an answer, of which a small context gives less."""
_SHARE = 8
_MAIN = "Write {{char}}'s next reply in a conversation with {{user}}."
"""Main prompt of a character that has none of its own."""
_MARKERS: Sequence[tuple[str, str]] = (
    ("worldInfoBefore", "World Info (before)"),
    ("personaDescription", "Persona Description"),
    ("charDescription", "Char Description"),
    ("scenario", "Scenario"),
    ("worldInfoAfter", "World Info (after)"),
    ("chatHistory", "Chat History"),
    ("charPersonality", "Char Personality"),
    ("dialogueExamples", "Chat Examples"),
)
"""Parts that the app fills in, by its own names for them."""
_TEXTS: Sequence[tuple[str, str, str]] = (
    ("main", "Main Prompt", _MAIN),
    ("nsfw", "Auxiliary Prompt", ""),
    ("jailbreak", "Post-History Instructions", ""),
)
_UNUSED = frozenset({"charPersonality", "dialogueExamples", "nsfw", "jailbreak"})
"""Parts that are not sent: the bundle has them, or they would follow the newest message."""
_ALL_CHARACTERS = 100001
"""The app's number for an order that holds for every character."""
_STORY = "".join(
    f"{{{{#if {part}}}}}{{{{{part}}}}}\n{{{{/if}}}}"
    for part in ("system", "wiBefore", "persona", "description", "scenario", "wiAfter")
)


def chat_preset(cap: int) -> Mapping[str, Json]:
    """Return a preset for chat completion, for a context of `cap` tokens."""
    prompts: list[Json] = [
        {"identifier": key, "name": name, "role": "system", "content": text, "system_prompt": True}
        for key, name, text in _TEXTS
    ]
    prompts += [
        {"identifier": key, "name": name, "system_prompt": True, "marker": True} for key, name in _MARKERS
    ]
    keys = ["main", *(key for key, _ in _MARKERS), "nsfw", "jailbreak"]
    order: list[Json] = [{"identifier": key, "enabled": key not in _UNUSED} for key in keys]
    return {
        "max_context_unlocked": True,
        "openai_max_context": cap,
        "openai_max_tokens": answer_size(cap),
        "wi_format": "{0}",
        "scenario_format": "{{scenario}}",
        "personality_format": "{{personality}}",
        "prompts": prompts,
        "prompt_order": [{"character_id": _ALL_CHARACTERS, "order": order}],
    }


def text_preset(name: str, cap: int) -> Mapping[str, Json]:
    """Return a preset for text completion as the app's master import takes it, for `cap` tokens.

    Its samplers are neutral: the import wants some.
    """
    return {
        "context": {
            "name": name,
            "story_string": f"{_STORY}{{{{trim}}}}",
            "example_separator": "",
            "chat_start": "",
            "use_stop_strings": False,
            "names_as_stop_strings": True,
            "story_string_position": 0,
            "story_string_depth": 1,
            "story_string_role": 0,
            "always_force_name2": True,
            "trim_sentences": False,
            "single_line": False,
        },
        "sysprompt": {"name": name, "content": _MAIN, "post_history": ""},
        "preset": {
            "name": name,
            "temp": 1,
            "top_k": 0,
            "top_p": 1,
            "min_p": 0.05,
            "rep_pen": 1,
            "max_length": cap,
            "genamt": answer_size(cap),
        },
    }


def answer_size(cap: int) -> int:
    """Return the tokens that are kept free for an answer."""
    return min(MOST_ANSWER, cap // _SHARE)


def render(preset: Mapping[str, Json]) -> bytes:
    """Return a preset as a file."""
    return render_json(dict(preset), indent=2) + b"\n"
