"""Gemini, Google AI Studio and Grok, in shapes read off public readers of real exports.

AI Studio and Grok: Sinity/polylogue `polylogue/schemas/providers/gemini` (inferred from real files) and
`polylogue/sources/parsers/grok.py`; codeface-io/mac-stack `grok/export_conversations/README.md`. Gemini's
activities: jetpack3331/ai-chat-history-manager `GEMINI.md`. Claude's designs: Sinity/polylogue
`tests/unit/sources/test_parsers_claude_design.py`.
"""

import json
from typing import Any
from zoneinfo import ZoneInfo

from reel_cli.core.tape.formats.html_text import html_to_text
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation
from tests.support.export_samples import aistudio_prompt, gemini_activities, gemini_conversation, grok_export


def read(value: object, name: str = "x.json") -> list[Conversation]:
    return read_source(json.dumps(value).encode(), filename=name)


def brief(conversation: Conversation) -> list[tuple[str, str, str]]:
    return [(m.kind.value, m.role, m.text) for m in conversation.messages]


def test_a_prompt_of_ai_studio_is_read_with_its_name_its_thoughts_and_its_files() -> None:
    [found] = read(aistudio_prompt(), "The lamp v1.5")
    assert (found.format, found.title, found.model) == ("aistudio", "The lamp v1.5", "gemini-2.5-pro")
    assert found.started == "2026-01-29T14:32:00.123+00:00"
    assert brief(found) == [
        ("system", "system", "Be."),
        ("said", "user", "hi"),
        ("attachment", "user", "[file: 1aB]"),
        ("said", "assistant", "hello"),
        ("reasoning", "assistant", "hm"),
        ("tool", "tool", '{"executableCode": {"code": "1", "language": "PYTHON"}}'),
    ]
    assert found.problems == (
        "a message that was edited later is kept as it was last",
        "what was typed and not sent was left out (“and”)",
    )


def test_prompts_of_gemini_are_put_together_by_their_chat_or_their_day() -> None:
    chat, day = read(gemini_activities(), "MyActivity.json")
    assert (chat.key, brief(chat)) == ("gemini:abcdef12", [("said", "user", "x"), ("said", "assistant", "y")])
    assert day.key == "gemini:2026-02-02"
    assert brief(day) == [
        ("said", "user", "hi"),
        ("said", "assistant", "hello"),
        ("said", "user", "and then?"),
        ("attachment", "user", "[file: a.png]"),
        ("said", "assistant", "yo **you**\n\n- a"),
    ]
    assert day.problems == (
        "prompts that do not say which chat they belong to were put together by their day",
        "an activity that is no prompt was left out (“Gave feedback: Good response”)",
    )


def test_prompts_of_gemini_are_put_together_by_the_day_where_the_person_is() -> None:
    def entry(title: str, time: str) -> dict[str, object]:
        answer = [{"html": f"<p>re {title}</p>"}]
        return {"header": "Gemini Apps", "title": f"Prompted {title}", "time": time, "safeHtmlItem": answer}

    # an evening in California, and the next morning, are of one day in UTC
    entries = [entry("two", "2024-03-02T18:10:00Z"), entry("one", "2024-03-02T03:50:00.123Z")]
    data = json.dumps(entries).encode()
    found = read_source(data, filename="MyActivity.json", zone=ZoneInfo("America/Los_Angeles"))
    assert [(chat.key, [m.text for m in chat.said()]) for chat in found] == [
        ("gemini:2024-03-01", ["one", "re one"]),
        ("gemini:2024-03-02", ["two", "re two"]),
    ]


def test_prompts_of_gemini_in_another_language_lose_the_word_they_all_begin_with() -> None:
    found = gemini_activities()[1:]
    for entry in found:
        entry["title"] = entry["title"].replace("Prompted ", "Eingegebener Prompt: ")
    assert [m.text for c in read(found) for m in c.said() if m.role == "user"] == ["x", "hi", "and then?"]
    [alone] = read(found[1:2])
    assert alone.said()[0].text == "Eingegebener Prompt: hi"
    assert (
        "a prompt is kept with the word that Google puts before it (“Eingegebener Prompt: hi”)"
        in alone.problems
    )


def test_a_conversation_of_gemini_is_read_from_a_file_of_its_own() -> None:
    [found] = read(gemini_conversation(), "conversation_1.txt")
    assert (found.key, found.title) == ("gemini:conversation_1:2026-02-02T07:24:02+00:00", "A chat")
    assert brief(found) == [
        ("said", "user", "hi"),
        ("said", "assistant", "hello\n\nyo"),
        ("reasoning", "assistant", "Thinking\n\nhm"),
        ("attachment", "assistant", "[image: conversation_1_turn_1_images_0]"),
    ]


def test_grok_s_other_answer_is_kept_beside_the_newest() -> None:
    [found] = read(grok_export(), "prod-grok-backend.json")
    assert (found.key, found.title, found.model) == ("grok:c1", "A chat", "grok-3")
    assert [(m.kind.value, m.text, m.road) for m in found.messages] == [
        ("said", "hi", None),
        ("attachment", "[file: f1]", None),
        ("said", "yo", None),
        ("reasoning", "hm", None),
        ("version", "hello", 1),
    ]
    assert found.messages[0].time == "2023-11-14T22:13:21+00:00"


def test_grok_without_links_or_wraps_is_read_in_order() -> None:
    flat = [
        {"sender": "human", "message": "hi"},
        {"sender": "assistant", "message": "hello"},
        {"sender": "x"},
    ]
    [found] = read({"conversations": [{"conversation": {"title": "A"}, "responses": flat}, {"a": 1}]})
    assert brief(found) == [("said", "user", "hi"), ("said", "assistant", "hello")]
    assert found.problems[0] == "an entry that is no conversation was left out (a)"


def test_a_chat_of_a_claude_design_is_claude_s() -> None:
    def message(role: str, **inner: Any) -> dict[str, Any]:
        return {
            "uuid": role,
            "role": role,
            "content": {"role": role, "timestamp": "2026-07-09T11:30:00Z", **inner},
        }

    blocks = [{"type": "thinking", "text": "hm"}, {"type": "text", "text": "Done."}]
    chat = {
        "uuid": "d1",
        "title": "The lamp",
        "project": {"uuid": "p"},
        "messages": [
            message("user", content="build it"),
            message("assistant", content="", contentBlocks=blocks),
        ],
    }
    [found] = read(chat, "design.json")
    assert (found.format, found.key, found.title) == ("claude", "claude:d1", "The lamp")
    assert brief(found) == [
        ("said", "user", "build it"),
        ("said", "assistant", "Done."),
        ("reasoning", "assistant", "hm"),
    ]


def test_html_becomes_text_with_its_marks() -> None:
    page = (
        "<h2>Two</h2><p>a &amp; <strong>b</strong>\n c <a href='https://x.org'>there</a></p>"
        "<pre><code>x  =\n 1</code></pre><table><tr><td>1</td><td>2</td></tr></table>1 < 2"
    )
    assert html_to_text(page) == (
        "## Two\n\na & **b** c there (https://x.org)\n\n```\nx  =\n 1\n```\n\n1 | 2 |\n\n1 < 2"
    )
    assert len(html_to_text("<" * 200_000)) == 200_000
