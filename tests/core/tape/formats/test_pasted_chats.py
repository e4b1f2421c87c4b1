import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation, Kind, Message
from tests.support.chat_fixtures import brief, read_chat


def read(
    text: str, filename: str | None = None, *, users: tuple[str, ...] = (), personas: tuple[str, ...] = ()
) -> Conversation:
    [conversation] = read_source(text.encode(), filename=filename, user_names=users, persona_names=personas)
    return conversation


def turns(text: str, *, users: tuple[str, ...] = (), personas: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(m.role, m.text) for m in read(text, users=users, personas=personas).said()]


HI = [("user", "hi"), ("assistant", "hello"), ("user", "bye"), ("assistant", "bye")]


@pytest.mark.parametrize(
    "text",
    [
        "**You:** hi\n\n**Ada:** hello\n\n**You:** bye\n\n**Ada:** bye\n",
        "**You**: hi\n**Ada**: hello\n**You:** bye\n**Ada:** bye",
        "__You:__ hi\n__Ada:__ hello\n__You:__ bye\n__Ada:__ bye",
        "*You:* hi\n*Ada:* hello\n*You:* bye\n*Ada:* bye",
        "- **You:** hi\n- **Ada:** hello\n- **You:** bye\n- **Ada:** bye",
        "**You**\nhi\n\n**Ada**\nhello\n\n**You**\nbye\n\n**Ada**\nbye",
        "**You** [21:14]: hi\n**Ada** [21:15]: hello\n**You** [21:16]: bye\n**Ada** [21:16]: bye",
        "## You\nhi\n## Ada\nhello\n## You\nbye\n## Ada\nbye",
        "### **You:**\n\nhi\n\n### **Ada:**\n\nhello\n\n### **You:**\nbye\n### **Ada:**\nbye",
        "#### You said:\nhi\n#### Ada said:\nhello\n#### You said:\nbye\n#### Ada said:\nbye",
        "You: hi\nAda: hello\nYou: bye\nAda: bye",
        "YOU: hi\nADA: hello\nYou: bye\nada: bye",
        "You:\nhi\n\nAda:\nhello\n\nYou:\nbye\n\nAda:\nbye\n",
        "Me： hi\nAda： hello\nMe：bye\nAda：bye",
        "👤 You: hi\n🤖 Ada: hello\n👤 You: bye\n🤖 Ada: bye",
        "You said:\nhi\nAda said:\nhello\nYou said:\nbye\nAda said:\nbye",
        "[21:14] You: hi\n[21:14] Ada: hello\n[21:15] You: bye\n[21:15] Ada: bye",
        "2/1/26, 9:14 - You: hi\n2/1/26, 9:14 - Ada: hello\n2/1/26, 9:15 - You: bye\n2/1/26, 9:16 - Ada: bye",
        "(9:14 PM) You: hi\n(9:14 PM) Ada: hello\n(9:15 PM) You: bye\n(9:15 PM) Ada: bye",
        "21:14 <You> hi\n21:14 <Ada> hello\n21:15 <You> bye\n21:15 <Ada> bye",
        "[You]: hi\n[Ada]: hello\n[You]: bye\n[Ada]: bye",
        "[You]:\nhi\n\n[Ada]:\nhello\n\n[You]:\nbye\n\n[Ada]:\nbye",
        "[Bo]: hi\n[Ada]: hello\n[Bo]: bye\n[Ada]: bye",
        "[21:14] [User]: hi\n[21:14] [Ada]: hello\n[21:15] [User]: bye\n[21:15] [Ada]: bye",
        "[You] (21:14): hi\n[Ada] (21:14): hello\n[You] (21:15): bye\n[Ada] (21:16): bye",
        "You\nhi\nChatGPT\nhello\nYou\nbye\nChatGPT\nbye",
        "> You: hi\n> Ada: hello\n>\n> You: bye\n> Ada: bye",
        "```\nYou: hi\nAda: hello\nYou: bye\nAda: bye\n```",
        "You: hi\r\nAda: hello\r\nYou: bye\r\nAda: bye\r\n",
        "You: hi\rAda: hello\rYou: bye\rAda: bye",
        "## You\nhi\n\n---\n\n## Ada\nhello\n\n---\n\n## You\nbye\n\n---\n\n## Ada\nbye\n\n---\n",
    ],
)
def test_the_ways_people_paste(text: str) -> None:
    assert turns(text, personas=("Ada",)) == HI
    assert turns("\ufeff" + text, personas=("Ada",)) == HI


def test_markdown_and_plain_text_are_told_apart_by_their_speaker_lines() -> None:
    assert read("**You:** hi\n**Ada:** hello").format == "markdown"
    assert read("You: hi\nAda: hello\nYou: x\nAda: y").format == "text"
    assert read("You: hi\nAda: hello\nYou: x\nAda: y", "chat.md").format == "markdown"


def test_a_file_with_title_notes_and_code_is_read() -> None:
    [conversation] = read_chat("pasted/bold.md")
    answer = """Let her carry it first. Three things:

**Note:** it is not hers.

**Note:** the lamp is out.

```text
**You:** this stands in a code block
```"""
    assert conversation == Conversation(
        format="markdown",
        title="lighthouse, ch. 4",
        messages=(
            Message("user", "The keeper finds a letter.\n\nShould she open it?"),
            Message("assistant", answer, name="Ada"),
            Message("user", "Wine: faults next"),
        ),
        problems=("a speaker's line inside a code block was kept as text (line 14)",),
    )


def test_front_matter_says_what_the_chat_is() -> None:
    [conversation] = read_chat("pasted/headings.md")
    assert (conversation.title, conversation.started) == ("The wrong train", "2026-02-10T21:14:00+01:00")
    assert [m.text for m in conversation.messages] == [
        "I took the wrong train.",
        "Which way?\n\n### Plan\n\n1. Get off.",
        "Home.",
    ]


def test_lines_that_look_like_speakers_are_content() -> None:
    [conversation] = read_chat("pasted/plain-crlf.txt")
    assert brief(conversation) == [
        ("said", "user", "shopping list\nWine: faults next\nWine: more of it"),
        ("said", "assistant", "Noted."),
        ("said", "user", "ok"),
        ("said", "assistant", "Good."),
    ]


SONG = """\
[Verse 1]: the lamp is lit
[Chorus]: and lit again
[Verse 1]: the boat is out
[Chorus]: and out again"""
LINKS = """\
See [ref] and [Ada].

[ref]: https://example.org/a "A page"
[Ref Two]: <https://example.org/b>
[^1]: A note."""
NOTES = "[21:14]: the light\n[2026-02-25]: the lamp\n[x]: done\n[NB]: oil"
STRANGERS = "[Sam]: hi\n[Lee]: ho\n" * 3


@pytest.mark.parametrize("within", [SONG, LINKS, NOTES])
@pytest.mark.parametrize("mark", ["{}: ", "**{}:** ", "[{}]: "])
def test_what_else_stands_in_brackets_is_content(within: str, mark: str) -> None:
    you, ada = mark.format("You"), mark.format("Ada")
    text = f"{you}go on\n\n{ada}Here:\n\n{within}\n\n{you}thanks\n\n{ada}gladly\n"
    assert turns(text, personas=("Ada",)) == [
        ("user", "go on"), ("assistant", f"Here:\n\n{within}"), ("user", "thanks"), ("assistant", "gladly"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", [SONG, LINKS, STRANGERS])
def test_of_unknown_names_in_brackets_nobody_is_taken_to_speak(text: str) -> None:
    with pytest.raises(ReelError, match="no line that says who speaks"):
        read(text)


def test_a_link_alone_in_brackets_is_said_by_who_is_known() -> None:
    text = "[Bo]: https://example.org/a\n[Ada]: I read it.\n[Bo]: and?\n[Ada]: Late."
    assert turns(text, users=("Bo",), personas=("Ada",))[0] == ("user", "https://example.org/a")


def test_a_quoted_chat_is_unquoted_once() -> None:
    [conversation] = read_chat("pasted/quoted.txt")
    assert [m.text for m in conversation.messages] == ["hi", "> hello you\nwith two lines", "bye", "bye"]


def test_times_with_a_day_are_kept_and_others_are_noted() -> None:
    [conversation] = read_chat("pasted/stamped.txt")
    assert [(m.name, m.time, m.text) for m in conversation.messages] == [
        ("Bo", "2026-02-10T21:14:00+00:00", "hi"),
        ("Ada", "2026-02-10T21:15:00+00:00", "hello\n  there"),
        ("Bo", "2026-02-10T21:16:00+00:00", "bye"),
    ]
    noted = read("[21:14] You: hi\n[21:15] Ada: hello")
    assert (
        "times that do not say their day for certain were left out (2 times; first: [21:14])"
        in noted.problems
    )


def test_of_two_unknown_names_the_first_is_taken_as_the_user_and_that_is_said() -> None:
    [conversation] = read_chat("pasted/strangers.txt")
    assert [(m.role, m.name) for m in conversation.messages] == [
        ("user", "Caroline"),
        ("assistant", "Melanie"),
    ] * 2
    assert conversation.problems == (
        "neither name is known: “Caroline” was taken as you, “Melanie” as the persona",
    )


def test_names_weigh_more_than_who_speaks_first() -> None:
    text = "Ada: hello\nBo: hi\nAda: so?\nBo: bye"
    expected = [("assistant", "hello"), ("user", "hi"), ("assistant", "so?"), ("user", "bye")]
    assert turns(text, users=("bo",)) == expected
    assert turns(text, personas=("ADA",)) == expected
    assert read(text, personas=("Ada",)).problems == ()
    swapped = [("user" if role == "assistant" else "assistant", text) for role, text in expected]
    assert turns(text) == swapped


def test_a_role_word_can_be_a_name() -> None:
    assert turns("Claude: hi\nAda: hello\nClaude: x\nAda: y", users=("Claude",))[0] == ("user", "hi")


def test_a_known_word_in_a_list_is_no_third_speaker() -> None:
    text = "User: my car\nAssistant: which?\nModel: a Volvo, I guess\nUser: no\nAssistant: so\nModel: a Saab"
    conversation = read(text)
    assert [m.text for m in conversation.messages] == [
        "my car",
        "which?\nModel: a Volvo, I guess",
        "no",
        "so\nModel: a Saab",
    ]
    assert conversation.problems == ("2 lines that begin with “Model” were kept as part of what was said",)


GROUP = (
    ("Vesna", "Evening. I brought forty metres of tarred rope."),
    ("Jonas", "I brought bread, Vesna."),
    ("Petra", "Sit down, both of you."),
    ("Vesna", "My code is QX-7741."),
    ("Jonas", "Write it down."),
    ("Petra", "I will, Jonas."),
    ("Vesna", "Good."),
)
SHAPES = ["**{}:** {}", "{}: {}", "## {}\n{}", "[21:14] {}: {}", "<{}> {}", "**{}**\n{}"]


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("users", [(), ("Jonas",)])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_third_one_in_a_group_speaks_for_themselves(shape: str, users: tuple[str, ...], gap: str) -> None:
    """REEL §12.1: what each in a group chat said is theirs, and not the person's or the persona's."""
    text = gap.join(shape.format(who, said) for who, said in GROUP)
    conversation = read(text, users=users, personas=("Petra",))
    assert [(m.name, m.text) for m in conversation.messages] == list(GROUP)
    assert {m.name: m.role for m in conversation.messages} == {
        "Vesna": "user",
        "Jonas": "user",
        "Petra": "assistant",
    }
    assert conversation.title is None
    other = "Vesna" if users else "Jonas"
    assert f"“{other}” was taken as another who speaks" in conversation.problems


@pytest.mark.parametrize("shape", ["{}: {}", "**{}:** {}"])
def test_a_third_one_who_opens_a_group_and_speaks_again_is_heard(shape: str) -> None:
    talk = (
        ("Vesna", "The vault code is QX-7741."),
        ("Jonas", "Thanks."),
        ("Petra", "Good evening."),
        ("Jonas", "Sit down."),
        ("Vesna", "Hi."),
        ("Petra", "What did I miss?"),
    )
    conversation = read("\n".join(shape.format(*one) for one in talk), users=("Jonas",), personas=("Petra",))
    assert [(m.name, m.text) for m in conversation.messages] == list(talk)


def test_what_one_speaker_heads_lines_with_is_no_third_speaker() -> None:
    talk = (
        ("Bo", "And now?"),
        ("Ada", "Rest.\n\n**Homework:** write to him."),
        ("Bo", "Done."),
    )
    text = "\n\n".join(f"**{who}:** {said}" for who, said in (*talk, *talk))
    conversation = read(text, users=("Bo",), personas=("Ada",))
    assert len(conversation.messages) == 6
    assert conversation.problems == ("2 lines that begin with “Homework” were kept as part of what was said",)


@pytest.mark.parametrize("shape", ["**{}:** {}", "{}: {}", "## {}\n{}", "**{}**\n{}"])
@pytest.mark.parametrize("user", ["Bo", "You"])
def test_a_third_speaker_who_speaks_once_is_told_of(shape: str, user: str) -> None:
    talk = (user, "Good evening."), ("Ada", "Hello."), ("Mara", "Hi."), (user, "Cake?"), ("Ada", "Yes.")
    text = "\n\n".join(shape.format(who, said) for who, said in talk)
    conversation = read(text, users=("Bo",), personas=("Ada",))
    assert "Mara" in conversation.messages[1].text
    assert conversation.problems[0] == "1 line that begins with “Mara” was kept as part of what was said"


def test_a_word_that_heads_a_line_of_notes_is_no_third_speaker() -> None:
    text = "Bo: a cake?\nAda: this one.\nIngredients: flour, eggs\nNote: no salt\nBo: thanks\nAda: gladly"
    assert read(text, users=("Bo",), personas=("Ada",)).problems == ()


def test_a_chat_quoted_within_a_chat_is_content() -> None:
    inner = "User: a\nAssistant: b\nUser: c"
    text = f"## You\n\nlook:\n\n{inner}\n\n## Luna\n\nfunny\n\n## You\n\nyes\n\n## Luna\n\n:)"
    assert turns(text) == [
        ("user", f"look:\n\n{inner}"),
        ("assistant", "funny"),
        ("user", "yes"),
        ("assistant", ":)"),
    ]


def test_what_stands_before_the_first_speaker_is_title_or_noted() -> None:
    plain = read("My chat with Ada\n\nYou: hi\nAda: hello", personas=("Ada",))
    assert (plain.title, plain.problems) == (
        "My chat with Ada",
        ("the line before the first speaker is taken for its title (“My chat with Ada”)",),
    )
    about = read(
        "Title: Trains\nDate: 2026-02-10 21:14\nModel: qwen\n\nYou: hi\nAda: hello", personas=("Ada",)
    )
    assert (about.title, about.started, about.model) == ("Trains", "2026-02-10T21:14:00+00:00", "qwen")
    chatter = read("Here is our chat.\nI cut it a little.\n\nYou: hi\nAda: hello", personas=("Ada",))
    assert chatter.problems == (
        "2 lines before the first speaker are kept, but counted as no message (“Here is our chat.”)",
    )
    assert chatter.messages[0] == Message("system", "Here is our chat.\nI cut it a little.", Kind.SYSTEM)


@pytest.mark.parametrize(
    "half",
    [
        "ot at all, and I meant it when I said the attic is where the letters are.",
        "The attic is where all of the letters are.",
    ],
)
def test_half_a_message_before_the_first_speaker_is_kept_and_is_no_title(half: str) -> None:
    """It became the chat's title, was in no message, and nothing said so."""
    chat = read(f"{half}\nAda: Then leave them there.\nYou: For now.", personas=("Ada",))
    assert chat.title is None
    assert chat.messages[0] == Message("system", half, Kind.SYSTEM)
    assert [one.kind for one in chat.messages[1:]] == [Kind.SAID, Kind.SAID]
    (told,) = chat.problems
    assert told.startswith("1 line before the first speaker is kept, but counted as no message (“")


def test_a_system_prompt_at_the_beginning_is_kept_as_one() -> None:
    conversation = read("System: You are Ada.\nUser: hi\nAssistant: hello\nSystem: Windows 11")
    assert conversation.messages == (
        Message("system", "You are Ada.", Kind.SYSTEM),
        Message("user", "hi"),
        Message("assistant", "hello\nSystem: Windows 11"),
    )


def test_the_models_name_behind_the_speakers_is_kept() -> None:
    conversation = read("**You:** hi\n**Assistant (qwen2.5):** hello")
    assert (conversation.model, conversation.messages[1].name) == ("qwen2.5", None)


def test_one_exchange_is_enough_where_one_side_is_known() -> None:
    conversation = read("You: hi\nLuna: hello there")
    assert [(m.role, m.text) for m in conversation.messages] == [("user", "hi"), ("assistant", "hello there")]
    assert conversation.problems == ("“Luna” was taken as a speaker, going by one line",)


def test_hidden_reasoning_is_split_off() -> None:
    assert brief(read("You: hi\nAssistant: <think>\nWine: no\n</think>\n\nhello")) == [
        ("said", "user", "hi"),
        ("said", "assistant", "hello"),
        ("reasoning", "assistant", "Wine: no"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Just an essay.\n\nIt has two paragraphs, and says: nothing.",
        "Wine: faults next\nCheese: brie",
        "Date: today\nNote: one\nNote: two",
        "# Plan\n\n1. Get off: now\n2. Go home",
        "http://example.org: a page\nhttp://example.org: again",
    ],
)
def test_a_text_in_which_nobody_speaks_is_refused(text: str) -> None:
    with pytest.raises(ReelError) as error:
        read(text, "notes.txt")
    assert error.value.message == "notes.txt has no line that says who speaks."
    assert error.value.hint == "begin each turn with a line such as  You:  or  Ada:"


def renderings(chat: list[tuple[str, str]]) -> Iterator[str]:
    """The same turns as Markdown and plain text, in the styles people use."""
    yield "# A title\n\n" + "\n\n".join(f"**{name}:** {text}" for name, text in chat) + "\n"
    yield "\n\n".join(f"**{name}**: {text}" for name, text in chat)
    yield "\n\n---\n\n".join(f"### {name}\n\n{text}" for name, text in chat) + "\n"
    yield "\n".join(f"{name}: {text}" for name, text in chat)
    yield "\r\n\r\n".join(f"{name}:\r\n{text}" for name, text in chat)
    yield "\n".join(f"[2026-02-10 21:14] {name}: {text}" for name, text in chat)
    yield "\n".join(f"> {line}" for line in "\n".join(f"{n}: {t}" for n, t in chat).split("\n"))
    messages = [{"role": "user" if name == "Bo" else "assistant", "content": text} for name, text in chat]
    yield "\n".join(json.dumps(message) for message in messages)
    yield json.dumps({"title": "A title", "messages": messages})


def test_every_session_of_a_real_person_reads_back_to_the_same_turns(shared_data: Path) -> None:
    people = json.loads((shared_data / "realmem" / "Liam_O_Connor_dialogues_256k.json").read_text())
    names = {"User": "Bo", "Assistant": "Ada"}
    checked = 0
    for session in people["dialogues"]:
        chat = [
            (names[t["speaker"]], t["content"].strip())
            for t in session["dialogue_turns"]
            if t["content"].strip()
        ]
        for text in renderings(chat):
            [conversation] = read_source(text.encode(), user_names=["Bo"], persona_names=["Ada"])
            read_back = [("Bo" if m.role == "user" else "Ada", m.text) for m in conversation.said()]
            assert read_back == chat, session["session_uuid"]
            checked += 1
    assert checked == 226 * 9


def test_a_real_conversation_of_two_people_reads_back_without_their_names(shared_data: Path) -> None:
    item = json.loads((shared_data / "locomo" / "dev.json").read_text())[0]["conversation"]
    sessions = [item[f"session_{n}"] for n in range(1, 100) if item.get(f"session_{n}")]
    assert len(sessions) == 19
    for session in sessions:
        chat = [(turn["speaker"], turn["text"].strip()) for turn in session]
        for text in list(renderings(chat))[:7]:
            assert [(m.name, m.text) for m in read(text).said()] == chat


ODD_NAMES = (
    'A*d"a', "\\1 \\g<0>", ".*+(?:", "a: b # c", "---", "עדה", "null", "$HOME `id`", "{name}", "../../x",
    "🦊",
    "[x]", "| a | b |", "*a & b", "# x", "**", "1.", "ẞtraße", "_", "{{name}}", "12:30", "[21:14]", "Model",
    "Title", "Ada (the second)", "> y",
)  # fmt: skip


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("you", ["You", "Bo"])
def test_a_name_of_the_kits_is_a_speaker_whatever_it_is_made_of(name: str, you: str) -> None:
    chat = [(you, "hi"), (name, "hello"), (you, "bye"), (name, "so: bye")]
    expected = [("user", "hi"), ("assistant", "hello"), ("user", "bye"), ("assistant", "so: bye")]
    for text in (
        *(text for text in renderings(chat) if "role" not in text),
        "\n\n".join(f"**{who}**\n{text}" for who, text in chat),
        "\n".join(f"🙂 {who}: {text}" for who, text in chat),
        "\n\n".join(f"{who} said:\n{text}" for who, text in chat),
        "\n\n".join(f"**{who} (a model)**: {text}" for who, text in chat),
    ):
        assert turns(text, users=("Bo",), personas=(name,)) == expected
        named = read(text, users=("Bo",), personas=(name,)).said()[1]
        assert named.name == name


def test_an_emoji_alone_on_its_line_speaks_and_a_rule_does_not() -> None:
    assert turns("Bo\nhi\n🦊\nhello\nBo\nbye\n🦊\nbye", users=("Bo",), personas=("🦊",)) == HI
    assert turns("You: hi\n\n---\n\nAda: hello", personas=("Ada", "---"))[1] == ("assistant", "hello")


def test_a_chat_copied_from_chatgpt_whole() -> None:
    text = """You said:
hi

ChatGPT said:

Thought for 12 seconds

hello

You said:
bye

ChatGPT said:
bye

ChatGPT can make mistakes. Check important info.
"""
    conversation = read(text)
    assert [(m.role, m.text) for m in conversation.said()] == HI
    assert conversation.problems == (
        "what the app's window shows around a turn was left out (2 times; first: “Thought for 12 seconds”)",
    )
    inline = text.replace("You said:\n", "You said: ").replace("ChatGPT said:\n\n", "Claude responded: ")
    assert [m.text for m in read(inline.replace("ChatGPT said:\n", "Claude responded: ")).said()][-1] == "bye"


def test_the_label_of_a_window_is_no_name_of_the_persona() -> None:
    chat = "You said:\nhi\nChatGPT said:\nhello\n"
    answer = read(chat).said()[-1]
    assert (answer.name, answer.model) == (None, "ChatGPT")
    # where the kit knows it by that name, or the person has a name too, it is one
    assert read(chat, personas=("ChatGPT",)).said()[-1].name == "ChatGPT"
    assert read("Bo: hi\nClaude: hello\n", users=("Bo",)).said()[-1].name == "Claude"


def test_a_chat_copied_from_lm_studio_whole() -> None:
    text = """You
hi
qwen/qwen3-4b-2507
hello

35.24 tok/sec
•
412 tokens
•
0.31s to first token
•
Stop reason: EOS Token Found
You
bye
qwen/qwen3-4b-2507
bye
"""
    conversation = read(text)
    assert [(m.role, m.text) for m in conversation.said()] == HI
    assert (conversation.said()[1].name, conversation.said()[1].model) == (None, "qwen/qwen3-4b-2507")


def test_a_chat_copied_from_sillytavern_whole() -> None:
    text = """Bo
February 10, 2026 9:14 PM
#3
hi
Ada
February 10, 2026 9:15 PM
12.4s
118t
#4
hello
Bo
February 10, 2026 9:16 PM
bye
Ada
February 10, 2026 9:17 PM
bye
"""
    conversation = read(text, users=("Bo",), personas=("Ada",))
    assert [(m.role, m.text) for m in conversation.said()] == HI
    assert conversation.said()[1].time == "2026-02-10T21:15:00+00:00"


def test_words_of_a_window_within_what_was_said_stay() -> None:
    answer = "Thought for food: bread.\n\n412 tokens\n\nClaude can make mistakes. Or so they say."
    kept = turns(f"You: hi\nAda: {answer}\nYou: bye\nAda: 412 tokens", personas=("Ada",))
    assert kept == [("user", "hi"), ("assistant", answer), ("user", "bye"), ("assistant", "412 tokens")]


def test_what_llm_prints_of_its_log_is_read_by_conversation() -> None:
    text = """# 2025-05-01T10:00:00    conversation: 01aa id: 01ab

Model: **gpt-4o-mini** (resolved: **gpt-4o-mini-2024-07-18**)

## Prompt

Name a pelican.

## System

Be brief.

## Response

Percy.

## Prompt

is no heading of llm's here.

## Token usage

10 input, 4 output

# 2025-05-01T10:05:00    conversation: 01bb id: 01bc

Model: **qwen3**

## Prompt

-- none --

### Prompt fragments

- 12ab

## Response

### Tool calls

- **clock**: `x`

It is ten.

# 2025-05-01T10:06:00    conversation: 01aa id: 01ad

Model: **gpt-4o-mini**

## Prompt

Another.

## Response

Pete.
"""
    first, second = read_source(text.encode())
    assert brief(first) == [
        ("said", "user", "Name a pelican."),
        ("system", "system", "Be brief."),
        ("said", "assistant", "Percy.\n\n## Prompt\n\nis no heading of llm's here."),
        ("said", "user", "Another."),
        ("said", "assistant", "Pete."),
    ]
    assert brief(second) == [
        ("attachment", "user", "- 12ab"),
        ("said", "assistant", "It is ten."),
        ("tool", "tool", "- **clock**: `x`"),
    ]
    assert (first.started, first.model, first.format) == (
        "2025-05-01T10:00:00+00:00",
        "gpt-4o-mini",
        "markdown",
    )
