"""Sessions of Codex, Gemini CLI, gptme, pi, aider, VS Code, Cursor, OpenCode and oterm.

Shapes read off the programs themselves: the PyPI packages gptme 0.35.1 (`gptme/message.py`), oterm 0.26.1
(`oterm/store/store.py`), aider-chat 0.86.2 (`aider/io.py`); the npm packages @google/gemini-cli-core 0.61.0
(`services/chatRecordingTypes.d.ts`) and @mariozechner/pi-coding-agent 0.73.1 (`docs/session-format.md`);
microsoft/vscode `src/vs/workbench/contrib/chat/common/model/objectMutationLog.ts`. Others: Sinity/polylogue
`polylogue/schemas/providers/codex`, byteowlz/hstry `testdata/codex` and `adapters/opencode/adapter.ts`,
hanzoai/agents `docs/desktop/CURSOR_MESSAGE_HISTORY.md`.
"""

import json
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.open_source import open_intake
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation, Kind
from tests.support.agent_samples import (
    AIDER,
    codex_records,
    cursor_database,
    gemini_cli_records,
    gptme_messages,
    lines,
    opencode_database,
    opencode_export,
    oterm_database,
    pi_entries,
    vscode_session,
)
from tests.support.database_samples import Sample


def read(data: bytes, name: str = "x.jsonl") -> Conversation:
    [conversation] = read_source(data, filename=name)
    return conversation


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(m.role, m.text) for m in conversation.said()]


def beside(conversation: Conversation) -> list[tuple[str, str]]:
    return [(m.kind.value, m.text) for m in conversation.messages if m.kind is not Kind.SAID]


def from_folder(folder: Path, sample: Sample) -> tuple[list[Conversation], tuple[str, ...]]:
    (folder / sample[0]).write_bytes(sample[1])
    intake = open_intake(folder)
    return [one.conversation for one in intake], intake.remarks


def test_in_codex_only_what_a_person_typed_is_said_and_a_turn_rolled_back_is_a_road() -> None:
    found = read(lines(*codex_records()))
    assert (found.format, found.key, found.model) == ("codex", "codex:s1", "gpt-5-codex")
    assert said(found) == [
        *(("user", "hi"), ("assistant", "hello"), ("user", "right way"), ("assistant", "done")),
    ]
    assert ("system", "something put in") in beside(found)
    assert [(m.text, m.road) for m in found.messages if m.kind is Kind.VERSION] == [
        ("wrong way", 1),
        ("yo", 1),
    ]


def test_an_early_rollout_of_codex_has_bare_items_and_no_doubles() -> None:
    def item(role: str, text: str) -> dict[str, object]:
        return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}

    header: dict[str, object] = {
        "id": "s0",
        "timestamp": "2025-07-01T10:00:00Z",
        "instructions": None,
        "git": {},
    }
    put_in = item("user", "<environment_context>x</environment_context>")
    found = read(
        lines(header, {"record_type": "state"}, put_in, item("user", "hi"), item("assistant", "hello"))
    )
    assert (found.key, found.started) == ("codex:s0", "2025-07-01T10:00:00+00:00")
    assert said(found) == [("user", "hi"), ("assistant", "hello")]


def test_what_codex_shows_and_did_not_send_is_said_where_it_stands() -> None:
    records = [
        *codex_records()[:2],
        {"type": "event_msg", "payload": {"type": "user_message", "message": "hi"}},
        {"type": "event_msg", "payload": {"type": "turn_aborted", "reason": "interrupted"}},
    ]
    found = read(lines(*records))
    assert said(found) == [("user", "hi")]
    assert found.problems == ("an answer was broken off (interrupted)",)


def test_what_an_editor_puts_above_a_request_to_codex_is_not_said() -> None:
    above = "# Files mentioned by the user:\n\n## a.png: /x/a.png\n\n## My request for Codex:\n"
    parts = [f"{above}look\n<image name=[Image #1]>", "</image>"]
    content = [{"type": "input_text", "text": text} for text in parts]
    sent = {"type": "response_item", "payload": {"type": "message", "role": "user", "content": content}}
    shown = {"type": "event_msg", "payload": {"type": "user_message", "message": "look"}}
    found = read(lines(codex_records()[0], sent, shown))
    assert said(found) == [("user", "look")]
    assert beside(found) == [("system", "# Files mentioned by the user:\n\n## a.png: /x/a.png")]


@pytest.mark.parametrize(
    "first",
    [
        {"type": "session_meta", "payload": {"id": "s", "source": {"internal": "memory_consolidation"}}},
        {"sessionId": "g", "projectHash": "x", "kind": "helper", "messages": []},
    ],
)
def test_a_helper_s_session_is_refused_as_one(first: dict[str, object]) -> None:
    with pytest.raises(ReelError, match="holds only what a helper of a"):
        read(lines(first, {"id": "m", "type": "user", "content": "hi"}))


@pytest.mark.parametrize("began", ["cli", "vscode", "exec", {"custom": "an editor"}, None])
def test_a_session_that_a_person_began_is_read(began: object) -> None:
    first = {"type": "session_meta", "payload": {"id": "s", "source": began}}
    content = [{"type": "input_text", "text": "hi"}]
    sent = {"type": "response_item", "payload": {"type": "message", "role": "user", "content": content}}
    assert said(read(lines(first, sent))) == [("user", "hi")]


@pytest.mark.parametrize("tag", ["<environment_context>", "<helper_notification>", "<skill name='x'>"])
def test_what_codex_puts_into_a_turn_is_not_said(tag: str) -> None:
    parts = [f"{tag}\nthe folder is /x", "hi"]
    sent = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": one}]} for one in parts
    ]
    found = read(lines(codex_records()[0], *({"type": "response_item", "payload": one} for one in sent)))
    assert said(found) == [("user", "hi")]


def test_lines_of_gptme_itself_are_not_said_and_its_times_are_local(tmp_path: Path) -> None:
    path = tmp_path / "2026-02-02-quiet-lamp" / "conversation.jsonl"
    path.parent.mkdir()
    path.write_bytes(lines(*gptme_messages()))
    [taken] = open_intake(path, zone=timezone(timedelta(hours=2)))
    found = taken.conversation
    assert (found.key, found.model) == ("gptme:2026-02-02-quiet-lamp", "q")
    assert said(found) == [("user", "hi"), ("assistant", "hello")]
    assert beside(found) == [
        ("system", "You are gptme."),
        ("attachment", "[file: a.txt]"),
        ("tool", "Ran command"),
    ]
    assert found.said()[0].time == "2026-02-02T07:24:01.806+02:00"


def test_a_prompt_put_anew_in_pi_leaves_the_first_as_a_road() -> None:
    found = read(lines(*pi_entries()))
    assert (found.key, found.title, found.model) == ("pi:p1", "A chat", "q")
    assert said(found) == [("user", "yo"), ("assistant", "hello")]
    assert {m.road for m in found.messages if m.kind is not Kind.SAID} == {1}
    assert ("reasoning", "hm") in beside(found)


def test_an_entry_of_pi_with_the_id_of_another_takes_nobody_s_place() -> None:
    def entry(text: str, parent: str | None) -> dict[str, object]:
        content = [{"type": "text", "text": text}]
        message = {"role": "user", "content": content}
        return {"type": "message", "id": "e1", "parentId": parent, "message": message}

    header = {"type": "session", "id": "p1", "cwd": "/x"}
    [found] = read_source(lines(header, entry("first", None), entry("second", "e1")), filename="x.jsonl")
    assert [m.text for m in found.said()] == ["first", "second"]


def test_gemini_cli_s_log_is_read_as_the_program_would_load_it() -> None:
    found = read(lines(*gemini_cli_records()))
    assert (found.key, found.title) == ("gemini-cli:g1", "A chat")
    assert said(found) == [("user", "hi"), ("assistant", "hello"), ("user", "yo")]
    assert ("version", "wrong way") in beside(found)
    assert found.problems == ("a line of the program's own was left out (info)",)


def test_a_session_of_gemini_cli_as_one_object_and_a_saved_chat_are_read() -> None:
    messages = [record for record in gemini_cli_records() if "content" in record][:1]
    whole = {"sessionId": "g1", "projectHash": "x", "messages": messages}
    assert said(read(json.dumps(whole).encode(), "session-1.json")) == [("user", "hi")]
    turns = [{"role": "user", "parts": [{"text": "hi"}, {"inlineData": {"mimeType": "image/png"}}]}]
    saved = read(json.dumps({"history": turns}).encode(), "checkpoint-x.json")
    assert (said(saved), beside(saved)) == ([("user", "hi")], [("attachment", "[file]")])


def test_aider_s_history_has_a_chat_for_each_start_and_keeps_headings_of_answers(tmp_path: Path) -> None:
    (first, second), _ = from_folder(tmp_path, (".aider.chat.history.md", AIDER.encode()))
    assert (first.key, first.model) == ("aider:2026-02-02T07:24:02", "q")
    assert said(first) == [("user", "hi\nthere"), ("assistant", "hello\n\n#### A heading\n> a quote")]
    assert [kind for kind, _ in beside(first)] == ["tool", "tool"]
    assert said(second) == [("user", "yo"), ("assistant", "hello")]
    bare = "\n".join(line.rstrip() for line in AIDER.splitlines())
    assert said(read_source(bare.encode(), filename="x.md")[1]) == [("user", "yo"), ("assistant", "hello")]


def test_a_command_to_aider_is_not_said_and_the_question_in_one_is_said_once() -> None:
    # as aider-chat 0.86.2 writes it: `/ask WORDS`, and then the words as a turn of their own
    told = "#### /tokens  \n> 56 system messages  \n\n#### /ask And what did she say?  \n\n"
    told += "#### And what did she say?  \n\nNothing.\n\n#### !ls  \n\n#### /exit  \n"
    last = read_source(f"{AIDER}\n{told}".encode(), filename="x.md")[-1]
    assert said(last) == [
        *[("user", "yo"), ("assistant", "hello")],
        *[("user", "And what did she say?"), ("assistant", "Nothing.")],
    ]
    assert [text for _, text in beside(last)] == [
        "/tokens",
        "56 system messages",
        "/ask And what did she say?",
        "!ls",
        "/exit",
    ]


def test_what_no_person_and_no_persona_said_is_beside_the_chat() -> None:
    tag = "thinking-content-7bbeb8e1441453ad999a0bbba8a46d4b"
    thought = AIDER.replace("\nhello\n", f"\n<{tag}>\nHe greets me.\n</{tag}>\n\nhello\n", 1)
    assert thought != AIDER
    first = read_source(thought.encode(), filename="x.md")[0]
    assert said(first)[1][1].startswith("hello")
    assert ("reasoning", "He greets me.") in [(kind, text) for kind, text in beside(first)]
    nudge = {
        "role": "user",
        "content": "<system>No tool call detected.</system>",
        "timestamp": "2026-02-02T07:26:00",
    }
    (found,) = read_source(lines(*gptme_messages(), nudge), filename="conversation.jsonl")
    assert "No tool call" not in str(said(found))


def test_a_chat_session_of_vs_code_is_read_from_its_file_and_from_its_log() -> None:
    session = vscode_session()
    request = session["requests"][0]
    log = [
        {"kind": 0, "v": {**session, "requests": [], "customTitle": "Old"}},
        {"kind": 1, "k": ["customTitle"], "v": "A chat"},
        {"kind": 2, "k": ["requests"], "v": [{**request, "response": [{"value": "x"}]}, request]},
        {"kind": 2, "k": ["requests"], "v": [{**request, "response": []}], "i": 0},
        {"kind": 2, "k": ["requests", 0, "response"], "v": request["response"]},
        {"kind": 1, "k": ["requests", 7, "x"], "v": 1},
    ]
    for found in (read(json.dumps(session).encode(), "v1.json"), read(lines(*log))):
        assert (found.key, found.title, found.model) == ("vscode:v1", "A chat", "gpt-4o")
        assert said(found) == [("user", "hi"), ("assistant", "hello in `a.py`")]
        assert [kind for kind, _ in beside(found)] == ["attachment", "reasoning", "tool"]
    assert found.problems == ("a change that fits nowhere was left out (line 6)",)


def test_cursor_s_chats_are_found_by_their_keys(tmp_path: Path) -> None:
    (chat, early), _ = from_folder(tmp_path, cursor_database())
    assert (chat.key, chat.title, chat.model) == ("cursor:c1", "A chat", "q")
    assert said(chat) == [("user", "hi"), ("assistant", "hello")]
    assert [kind for kind, _ in beside(chat)] == ["tool", "reasoning"]
    assert chat.problems == ("a message that is not in the database was left out",)
    assert (early.title, said(early)) == ("Early", [("user", "hi")])


def test_opencode_s_database_and_its_export_say_the_same(tmp_path: Path) -> None:
    [stored], remarks = from_folder(tmp_path, opencode_database())
    printed = read(json.dumps(opencode_export()).encode(), "session.json")
    assert stored.messages == printed.messages
    assert (stored.key, stored.title, stored.model) == ("opencode:ses_1", "A chat", "q")
    assert said(stored) == [("user", "hi"), ("assistant", "hello")]
    assert ("version", "wrong way") in beside(stored)
    assert remarks == ()
    assert stored.problems == ("a session of a helper was left out (A helper)",)


def test_oterm_s_store_gives_chats_without_times(tmp_path: Path) -> None:
    [found], _ = from_folder(tmp_path, oterm_database())
    assert (found.key, found.title, found.model) == (None, "A chat", "qwen")
    assert said(found) == [("user", "hi"), ("assistant", "hello")]
    assert beside(found) == [("system", "Be."), ("attachment", "[image]"), ("reasoning", "hm")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_blank_lines_before_the_first_one_and_a_windows_shell_s_encoding_do_no_harm(encoding: str) -> None:
    whole = lines(*gptme_messages())
    data = f"\r\n\n{whole.decode()}".encode(encoding)
    assert said(read(data, "conversation.jsonl")) == said(read(whole, "conversation.jsonl"))
