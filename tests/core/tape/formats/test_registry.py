import json
import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ExitCode, ReelError
from reel_cli.core.tape import formats
from reel_cli.core.tape.format_rows import FORMAT_ROWS, FORMATS, FormatRow
from reel_cli.core.tape.formats.file_recognition import CERTAIN
from reel_cli.core.tape.formats.open_source import open_intake
from reel_cli.core.tape.formats.registry import KNOWN, could_be, read_source, reader_of
from reel_cli.core.tape.formats.source import Source
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.talk import Conversation
from tests.support.chat_fixtures import CHATS, brief
from tests.support.chat_samples import real_samples, samples
from tests.support.cli import CHECKOUT

FIXTURES = sorted(path for path in CHATS.rglob("*") if path.is_file())


def refusal(data: bytes, filename: str | None = None, format: str = "auto") -> ReelError:  # noqa: A002
    with pytest.raises(ReelError) as error:
        read_source(data, filename=filename, format=format)
    assert error.value.message.isprintable()
    return error.value


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_every_fixture_is_told_apart_by_itself_and_by_its_content_alone(path: Path) -> None:
    data = path.read_bytes()
    folder = path.parent.name
    named = read_source(data, filename=str(path))
    nameless = read_source(data)
    expected = {"pasted": {"markdown", "text"}}.get(folder, {folder})
    assert {c.format for c in named} <= expected
    assert [brief(c) for c in named] == [brief(c) for c in nameless] or folder == "lmstudio"


UNKNOWN = "is JSON, but no chat that reel knows:"
LINES = "is JSON Lines (one object a line) of no program that reel knows:"
TOO_MANY = "holds far too many parts to be a chat."
TOO_DEEP = "cannot be read: it is nested too deeply, or holds a number too long to be one."


@pytest.mark.parametrize(
    ("data", "filename", "message"),
    [
        (b"", None, "the pasted text is empty."),
        (b" \n\t\n", "chat.txt", "chat.txt is empty."),
        (b"\x89PNG\r\n\x1a\n\0\0", "holiday.png", "holiday.png is an image, not a chat."),
        (b"\xff\xd8\xff\xe0..", "/home/bo/holiday.jpg", "holiday.jpg is an image, not a chat."),
        (b"RIFF\0\0\0\0WEBPVP8 ", "x", "x is an image, not a chat."),
        (b"%PDF-1.7", "x.pdf", "x.pdf is a PDF, not a chat."),
        (b"PK\x03\x04....", "x.docx", "x.docx is a zip archive or an office document, not a chat."),
        (b"SQLite format 3\0", "x.db", "x.db is a database, which can only be read from a file."),
        (bytes(range(256)) * 4, "x.bin", "x.bin is a binary file, not a chat."),
        ("You: hi\nAda: hello".encode("utf-16-le"), "x.txt", "x.txt is a binary file, not a chat."),
        (b"<!DOCTYPE html>", "x", "x is a web page or another program's document, not a chat."),
        (b'{"a": 1, "b": {}, "c": []}', "x.json", f"x.json {UNKNOWN} an object with a, b, c."),
        (b"{}", "x.json", f"x.json {UNKNOWN} an empty object."),
        (b"[]", "x.json", f"x.json {UNKNOWN} a list without messages."),
        (b'[{"speaker": "x", "text": 1}]', "x", f"x {UNKNOWN} a list of objects with speaker, text."),
        (b'{"messages": [', "x.json", "x.json cannot be read: it stops in the middle, at line 1."),
        (b'{"messages": [\n{"role": "us', "x", "x cannot be read: it stops in the middle, at line 2."),
        (b'{"messages": [\n}', "x.json", "x.json cannot be read: line 2 is not JSON."),
        (b"[" * 200_000, "x.json", f"x.json {TOO_DEEP}"),
        (b'{"a":' * 200_000, "x.json", f"x.json {TOO_DEEP}"),
        (b'{"a": ' + b"9" * 5000 + b"}", "x.json", f"x.json {TOO_DEEP}"),
        (b"[" + b"{}," * 2_500_000 + b"{}]", "x.json", f"x.json {UNKNOWN} a list without messages."),
        (b'{"a": [' + b"{}," * 2_500_000 + b"{}]}", "x", f"x {TOO_MANY}"),
        (b"[[" + b"{}," * 2_500_000 + b"{}]]", "x", f"x {TOO_MANY}"),
        (b'{"messages": []}', "x.json", "x.json has no message in it."),
        (b'{"a": 1, "b": 2}\n{"a": 3}\n', "x.jsonl", f"x.jsonl {LINES} a, b."),
        (b'{"a": 1}\n{"a":', "x.jsonl", f"x.jsonl {LINES} a."),
        (b"no speakers here", "a\x1b[2Jb\n.txt", "a [2Jb .txt has no line that says who speaks."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_in_one_line(data: bytes, filename: str | None, message: str) -> None:
    error = refusal(data, filename)
    assert error.message == message
    assert error.exit_code == ExitCode.MENDABLE


def test_a_known_file_whose_messages_cannot_be_read_names_their_number_and_the_first() -> None:
    def chat(name: str) -> dict[str, object]:
        return {"name": name, "chat_messages": [{"sender": "human", "content": [{"type": "hologram"}]}]}

    error = refusal(json.dumps([chat("The lamp"), chat("The boat")]).encode(), "conversations.json")
    assert error.message == (
        "conversations.json has no message in it that reel can read, in 2 conversations. "
        "The first: “The lamp”: a part of an unknown kind was left out (“hologram”)."
    )
    assert error.hint == "copy the chat from its window and paste it:  reel record -"


def test_an_unknown_shape_of_json_gets_a_hint_on_what_is_read() -> None:
    assert refusal(b'{"a": 1}').hint == KNOWN


def test_no_reader_that_could_read_a_file_is_passed_over_by_its_signs(shared_data: Path) -> None:
    for name, data in (
        *samples(),
        *real_samples(shared_data),
        *((path.name, path.read_bytes()) for path in FIXTURES),
    ):
        source = Source(data, name)
        passed = [row for row in FORMAT_ROWS if not row.pasted and row not in could_be(source)]
        assert [row.name for row in passed if _sniff(row, source)] == []


def _sniff(row: FormatRow, source: Source) -> int:
    """Return how sure a reader is of a file; of one that is no text it is not."""
    with suppress(ReelError):
        return reader_of(row).sniff(source)
    return 0


def test_an_unknown_format_is_a_wrong_command_line() -> None:
    error = refusal(b"You: hi", format="chatgtp")
    assert (error.message, error.hint, error.exit_code) == (
        "'chatgtp' is not a format reel reads.",
        f"one of  auto {' '.join(FORMATS)}",
        ExitCode.USAGE,
    )


def test_a_folder_of_any_format_s_chats_is_read(tmp_path: Path) -> None:
    assert tuple(reader_of(row).name for row in FORMAT_ROWS) == FORMATS
    modules = [
        f"{folder}.{name}"
        for folder in ("agents", "apps", "messengers", "pasted")
        for name in _readers_in(folder)
    ]
    left = {*modules} - {row.place for row in FORMAT_ROWS}
    assert not left, f"readers without a row in core/tape/format_rows.py: {left}"
    found: set[str] = set()
    for number, (name, data) in enumerate(samples()):
        place = tmp_path / str(number) / name
        place.parent.mkdir(parents=True)
        place.write_bytes(data)
        ending = place.suffix
        known = [row.name for row in FORMAT_ROWS if ending in row.endings]
        assert known, f"{name} is passed over: its ending is in no row of core/tape/format_rows.py"
        found |= {one.conversation.format for one in open_intake(tmp_path / str(number))}
    left = {*FORMATS} - found
    assert not left, f"formats without a sample among samples() of tests/support/chat_samples.py: {left}"


NO_CHATS: dict[str, tuple[str, ...]] = {
    ".csv": (
        "article,text,from,date\n1001,lamp oil,Brno,2026-02-10\n1002,thin rope,Brno,2026-02-11\n",
        "Name;Message;Sender\r\nlamp oil;two left;Netta\r\n",
    ),
    ".tsv": ("article\ttext\tfrom\tdate\n1001\tlamp oil\tBrno\t2026-02-10\n",),
    ".md": (
        "# Soup\n\n## You need\n\n- leeks: three\n- salt\n\n## Notes\n\n> Less salt: it was too much.\n",
        "---\ntitle: The ferry\ntags: [draft]\n---\n\n#### The island\n\nIt had rained.\n",
    ),
    ".txt": (
        "10 February 2026\n\nIt rained. Netta said: bring the lamp. I did not.\n",
        "[10/02/2026, 14:32:05] backup started\n[10/02/2026, 14:32:09] backup ended\n",
        "2026-02-10 14:32 - oven on\n2026-02-10 16:10 - oven off\n",
    ),
    "": ("The lamp: in the shed.\nThe rope: with Netta.\n",),
}
"""Files that are no chat, by an ending that some format has or is likely to get."""


def test_a_file_that_is_no_chat_is_passed_over_in_a_folder() -> None:
    """No reader takes a table, a log, a recipe or a draft for its own, whether or not it knows any name."""
    plain = [row for row in FORMAT_ROWS if not (row.signs or row.pasted or row.is_database)]
    left = {ending for row in plain for ending in row.endings} - NO_CHATS.keys()
    assert not left, f"NO_CHATS needs a file with such an ending that is no chat: {left}"
    greedy = [
        (row.name, f"x{ending}", text)
        for ending, texts in NO_CHATS.items()
        for text in texts
        for row in FORMAT_ROWS
        if not row.pasted
        for names in ((), ("Netta",))
        if _sniff(row, Source(text.encode(), f"x{ending}", user_names=names)) >= CERTAIN
    ]
    assert greedy == []


def _readers_in(folder: str) -> list[str]:
    """The modules of a folder of `formats` that hold a reader."""
    place = Path(formats.__file__).parent / folder
    return [file.stem for file in sorted(place.glob("*.py")) if "\nREADER = " in file.read_text()]


def test_the_docs_name_every_format() -> None:
    page = (CHECKOUT / "docs/chats.md").read_text(encoding="utf-8")
    left = [name for name in FORMATS if f"`{name}`" not in page]
    assert not left, f"formats without a line in the table of docs/chats.md: {left}"


def test_a_named_format_is_not_guessed_at() -> None:
    data = b'You: {"role": "user", "content": "hi"}\nAda: ok\nYou: x\nAda: y'
    assert [c.format for c in read_source(data, format="text")] == ["text"]
    assert refusal(data, "x", "messages").message == "x cannot be read: it is not JSON."
    assert (
        refusal(b'{"role": "user", "content": "hi"}', "x", "text").message
        == "x has no line that says who speaks."
    )


def only(data: bytes, **more: str) -> Conversation:
    [conversation] = read_source(data, **more)  # type: ignore[arg-type]
    return conversation


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize(
    "text",
    [
        "You: hé\nAda: ok 🙂\nYou: x\nAda: y",
        '[{"role": "user", "content": "hé"}, {"role": "ai", "content": "ok 🙂"}]',
    ],
)
def test_marked_encodings_are_read(encoding: str, text: str) -> None:
    assert [m.text for m in only(text.encode(encoding)).messages[:2]] == ["hé", "ok 🙂"]


def test_text_that_is_not_utf8_is_read_and_that_is_said() -> None:
    old = only("You: café\nAda: “ok”\nYou: x\nAda: y".encode("cp1252"))
    assert [m.text for m in old.messages[:2]] == ["café", "“ok”"]
    assert old.problems[0] == "it is not valid UTF-8 and was read as Windows-1252"
    broken = only(("You: h🙂\nAda: ok\n" * 100).encode() + b"You: \xff\n")
    assert (broken.messages[0].text, broken.messages[-1].text) == ("h🙂", "\ufffd")
    assert broken.problems[0] == "it is not valid UTF-8 and was read as UTF-8 with broken characters replaced"


def test_what_json_allows_and_what_it_only_bears_is_read() -> None:
    twice = b'"role": "assistant", "role": "user"'
    odd = only(b'{"messages": [{' + twice + b', "content": "a\\u0000b\\ud800\x01", "score": NaN}]}')
    assert [(m.role, m.text) for m in odd.messages] == [("user", "a\0b\ufffd\x01")]
    assert odd.problems == (
        "a name stands twice in one JSON object, and its last value was taken (role)",
        "half of a character (a lone surrogate) was replaced by \ufffd",
    )
    assert parse_session(render_session("2026-02-10-1", odd), "x").entries[0].message.text == "a\0b\ufffd\x01"


def check_anything(data: bytes, filename: str | None, format: str) -> None:  # noqa: A002
    """Read it to conversations that can be recorded, or refuse it in one printable line."""
    conversations: list[Conversation] = []
    refused: ReelError | None = None
    try:
        conversations = read_source(data, filename=filename, format=format, persona_names=["Ada"])
    except ReelError as error:
        refused = error
    assert bool(conversations) == (refused is None)
    assert refused is None or refused.message.isprintable()
    for conversation in conversations:
        assert conversation.said()
        session = parse_session(render_session("2026-02-10-1", conversation), "x")
        assert [e.message for e in session.entries] == list(conversation.messages)
        assert all(m.text.strip() for m in conversation.messages)


NAMES = st.sampled_from([None, "x.txt", "x.md", "x.json", "x.jsonl", "1740513600000.conversation.json"])
ANY_FORMAT = st.sampled_from(["auto", *FORMATS])


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300), NAMES, ANY_FORMAT)
def test_random_bytes(data: bytes, filename: str | None, format: str) -> None:  # noqa: A002
    check_anything(data, filename, format)


PIECES = (
    *("You:", "Ada:", "**You:**", "## You", "[21:14] ", "said", " hi", "é", "\0"),
    *("\n", "\n", "\r", "```", "---", "> ", "<think>", "</think>"),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30), ANY_FORMAT)
def test_random_pieces_of_pasted_chats(pieces: list[str], format: str) -> None:  # noqa: A002
    check_anything("".join(pieces).encode(), None, format)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(FIXTURES), st.randoms(use_true_random=False), ANY_FORMAT)
def test_mutated_files(path: Path, chance: random.Random, format: str) -> None:  # noqa: A002
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                del data[at : at + chance.randint(1, 40)]
            case 1:
                data[at:at] = chance.choice(
                    [b"\0", b"\xff", b'"', b"[", b"{", b"\n", b"\\ud800", b"null", b"-1e999"]
                )
            case 2:
                data[at:at] = data[: chance.randint(0, 60)]
            case _:
                data = data[: max(at, 1)]
    check_anything(bytes(data), path.name, format)


KEYS = (
    *(
        "messages",
        "versions",
        "currentlySelected",
        "role",
        "content",
        "steps",
        "type",
        "text",
        "style",
        "name",
    ),
    *("id", "createdAt", "timestamp", "tool_calls", "reasoning", "perChatPredictionConfig", "fields", "key"),
    *("value", "senderInfo", "genInfo", "stepIdentifier"),
)
WORDS = ("user", "assistant", "text", "contentBlock", "multiStep", "thinking", "1740513600000-0.1")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner | st.sampled_from(WORDS),
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=100, deadline=None)
@given(VALUES, st.sampled_from(["auto", "lmstudio", "messages"]))
def test_json_of_wrong_types(value: object, format: str) -> None:  # noqa: A002
    versions = {"messages": [{"versions": [value], "currentlySelected": 0}, value]}
    holder = {"messages": [{"role": "user", "content": value}, value], "perChatPredictionConfig": value}
    for wrapped in (versions, holder, [value]):
        check_anything(json.dumps(wrapped).encode(), None, format)


def test_large_and_hostile_texts_take_no_longer_than_their_size() -> None:
    lines = "You: hi\nAda: hello\n" * 8_000
    assert len(only(lines.encode()).messages) == 16_000
    for hostile in (
        "```a\n" * 20_000,
        "<think>\n" * 20_000,
        "** " * 40_000,
        "> " * 40_000,
        "[" * 50,
        "#" * 40_000,
    ):
        check_anything(f"You: x\nAda: {hostile}\nYou: y\nAda: z".encode(), None, "auto")
        check_anything(hostile.encode(), None, "auto")
