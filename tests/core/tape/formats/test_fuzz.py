"""Every reader gives whole conversations, or says in one line why not, whatever a file holds."""

import io
import json
import random
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import reel_cli
from reel_cli.core.errors import ReelError
from reel_cli.core.tape.format_rows import FORMATS
from reel_cli.core.tape.formats.open_source import open_intake
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.talk import Conversation, Kind
from tests.support.chat_samples import real_samples, samples
from tests.support.database_samples import Sample
from tests.support.file_damage import NASTY, dump, places, spoil

OURS = str(Path(reel_cli.__file__).parent)
SAMPLES = samples()
JSON_SAMPLES = [sample for sample in SAMPLES if sample[0].endswith((".json", ".jsonl"))]
DATABASES = [sample for sample in SAMPLES if sample[1].startswith(b"SQLite")]
IDS = [f"{number}-{name}" for number, (name, _) in enumerate(SAMPLES)]
MANY = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
FEW = settings(MANY, max_examples=30)
dices = st.integers(0, 2**32).map(random.Random)


class TooMuchWorkError(Exception):
    """More calls than a file of that size may take."""


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Allow so many calls in reel's own code: what counts time where a clock would not do."""
    count = 0

    def count_call(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        if event in {"call", "c_call"} and frame.f_code.co_filename.startswith(OURS):
            count += 1
            if count > calls:
                raise TooMuchWorkError

    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        yield
    finally:
        sys.setprofile(before)


def check(sample: Sample, format: str = "auto") -> list[Conversation]:  # noqa: A002
    """Read the sample; nothing for what is refused in one line. Anything else fails the test."""
    name, data = sample
    refused = None
    try:
        with at_most(20_000 + 40 * len(data)):
            found = read(name, data, format)
    except ReelError as error:
        refused = error
    if refused is not None:
        check_refusal(refused)
        return []
    assert found
    for conversation in found:
        check_whole(conversation)
    return found


def read(name: str, data: bytes, format: str) -> list[Conversation]:  # noqa: A002
    """Return what is in the sample; a database is read from a file, as there is no other way."""
    users, personas = ["Bo"], ["Ada", "[x]"]
    if not data.startswith(b"SQLite format 3"):
        return read_source(data, filename=name, format=format, user_names=users, persona_names=personas)
    with TemporaryDirectory() as folder:
        path = Path(folder, "x.db")
        path.write_bytes(data)
        intake = open_intake(path, format=format, user_names=users, persona_names=personas)
        return [taken.conversation for taken in intake]


def check_refusal(error: ReelError) -> None:
    """One sentence on one line, and a hint that is one."""
    assert error.message.endswith(".")
    assert (error.message + (error.hint or "")).isprintable()


def check_whole(conversation: Conversation) -> None:
    """The conversation says something, can be stored, and its roads are numbered."""
    assert conversation.said()
    assert all(m.text.strip() for m in conversation.messages)
    assert all(m.road is None for m in conversation.said())
    roads = [m.road for m in conversation.messages if m.kind is Kind.VERSION]
    assert all(road is not None and road > 0 for road in roads), roads
    assert all(line.isprintable() for line in conversation.problems), conversation.problems
    stored = render_session("2026-01-01-1", conversation)
    session = parse_session(stored, "tape/2026/2026-01-01-1.md")
    assert [entry.message for entry in session.entries] == list(conversation.messages)
    assert (session.title, session.model, session.started) == (
        conversation.title,
        conversation.model,
        conversation.started,
    )


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_every_sample_is_read_as_what_it_is(sample: Sample) -> None:
    assert check(sample), sample[0]


def test_there_is_a_sample_of_every_format() -> None:
    assert {c.format for sample in SAMPLES for c in check(sample)} == set(FORMATS)


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
@given(dice=dices)
@FEW
def test_a_spoilt_file_is_read_or_refused(sample: Sample, dice: random.Random) -> None:
    check(spoil(sample, dice))


@given(sample=st.sampled_from(SAMPLES), format=st.sampled_from(FORMATS), dice=dices)
@MANY
def test_a_spoilt_file_is_read_or_refused_by_the_reader_that_is_asked_for(
    sample: Sample,
    format: str,  # noqa: A002
    dice: random.Random,
) -> None:
    check(spoil(sample, dice), format)


@pytest.mark.parametrize("format", FORMATS)
def test_a_reader_takes_no_harm_from_another_format(format: str) -> None:  # noqa: A002
    for sample in SAMPLES:
        check(sample, format)


@given(dice=dices)
@MANY
def test_real_files_that_were_spoilt_are_read_or_refused(shared_data: Path, dice: random.Random) -> None:
    check(spoil(dice.choice(real_samples(shared_data)), dice))


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_a_file_cut_off_anywhere_is_read_or_refused(sample: Sample) -> None:
    name, data = sample
    step = max(1, len(data) // 25)
    for end in range(0, len(data), step):
        check((name, data[:end]))


def _keys(data: bytes) -> set[str]:
    values = [json.loads(line) for line in data.decode().split("\n")]
    return {key for _, key in places(values) if isinstance(key, str)}


KNOWN_KEYS = sorted({key for _, data in JSON_SAMPLES for key in _keys(data)})
leaves = st.sampled_from(NASTY) | st.text(max_size=8) | st.integers() | st.floats()
trees = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KNOWN_KEYS), inner, max_size=8)
    ),
    max_leaves=40,
)


@given(value=trees, format=st.sampled_from(("auto", *FORMATS)), lines=st.booleans())
@MANY
def test_json_of_known_keys_in_any_shape_is_read_or_refused(
    value: object,
    format: str,  # noqa: A002
    lines: bool,  # noqa: FBT001
) -> None:
    parts = value if lines and isinstance(value, list) else [value]
    check(("x.json", "\n".join(dump(part) for part in parts).encode()), format)


@given(data=st.binary(max_size=400), format=st.sampled_from(("auto", *FORMATS)))
@MANY
def test_any_bytes_are_read_or_refused(data: bytes, format: str) -> None:  # noqa: A002
    check(("x", data), format)
    check(("x.db", b"SQLite format 3\x00" + data), format)


speech = st.sampled_from(
    (
        "You: ",
        "Ada:",
        "**Ada:** ",
        "## You",
        "### Ada (q)",
        "[x]: ",
        "[21:14] Bo: ",
        "You said:",
        "> You: ",
        "```",
        "---",
        "# 2025-05-01T10:00:00    conversation: a id: b",
        "## Prompt",
        "## Response",
        "### Tool calls",
        "Thought for 3s",
        "35 tok/sec",
        "\r",
        "\x00",
        "\ufeff",
        "Ada",
        "Title: x",
        "<think>",
        "</think>",
        "System: be",
        "- **You:** x",
        " ",
    )
)


@given(lines=st.lists(speech | st.text(max_size=20), max_size=20), end=st.sampled_from(("\n", "\r\n", "\r")))
@MANY
def test_any_paste_is_read_or_refused(lines: list[str], end: str) -> None:
    check(("", end.join(lines).encode("utf-8", "surrogatepass")))


@pytest.mark.parametrize("sample", JSON_SAMPLES, ids=[name for name, _ in JSON_SAMPLES])
def test_deep_nesting_anywhere_is_refused_or_left_out(sample: Sample) -> None:
    name, data = sample
    lines = data.decode().split("\n")
    for number, line in enumerate(lines):
        spots = len(places([json.loads(line)]))
        for spot in range(0, spots, max(1, spots // 12)):
            value = [json.loads(line)]
            holder, key = places(value)[spot]
            holder[key] = "@deep"
            check((name, "\n".join([*lines[:number], dump(value[0]), *lines[number + 1 :]]).encode()))


WORDS = {"hi", "hello", "yo", "One."}
WITH_WORDS = [(name, data) for name, data in JSON_SAMPLES if any(f'"{w}"'.encode() in data for w in WORDS)]


@pytest.mark.parametrize("sample", WITH_WORDS, ids=[name for name, _ in WITH_WORDS])
@pytest.mark.parametrize(
    "filler", ["x", "[", "\n", "<think>\n", "(", "**You:** a\n", "{{[INPUT]}}", "<details>", "`"]
)
def test_a_message_without_end_is_kept_whole(sample: Sample, filler: str) -> None:
    name, data = sample
    # what takes the square of its length is beyond what `check` allows long before the shorter of these
    size = 400_000 if filler == "x" else 120_000
    long = ("a" + filler * size)[:size] + "z"
    values = [json.loads(line) for line in data.decode().split("\n")]
    texts = [(h, k) for h, k in places(values) if isinstance(h[k], str) and h[k] in WORDS]
    word = texts[0][0][texts[0][1]]
    for holder, key in texts:
        holder[key] = long if holder[key] == word else holder[key]
    read = check((name, "\n".join(json.dumps(value) for value in values).encode()))
    marks_only = filler == "{{[INPUT]}}" and read[0].format == "koboldai"
    assert marks_only or sum(len(m.text) for c in read for m in c.messages) >= 100_000


@pytest.mark.parametrize("sample", DATABASES, ids=[name for name, _ in DATABASES])
@given(dice=dices)
@FEW
def test_a_spoilt_database_is_read_or_refused(sample: Sample, dice: random.Random) -> None:
    name, data = sample
    spoilt = bytearray(data)
    for _ in range(dice.choice((1, 4, 30))):
        # the schema and the pages' heads, where most harm is done, more often than the rest
        at = dice.choice((dice.randrange(len(spoilt)), dice.randrange(min(200, len(spoilt)))))
        spoilt[at] = dice.choice((0, 1, 5, 13, 255, dice.randrange(256)))
    check((name, bytes(spoilt[: dice.choice((len(spoilt), dice.randrange(len(spoilt))))])))


@given(sample=st.sampled_from(SAMPLES), dice=dices)
@FEW
def test_what_is_named_on_the_command_line_is_taken_in_or_refused(
    tmp_path_factory: pytest.TempPathFactory, sample: Sample, dice: random.Random
) -> None:
    name, data = spoil(sample, dice)
    folder = tmp_path_factory.mktemp("chats")
    (folder / name).write_bytes(data)
    (folder / "thread.json").write_bytes(spoil(dice.choice(SAMPLES), dice)[1])
    for what in (data, folder / name, folder):
        try:
            taken = [one.conversation for one in open_intake(what, user_names=["Bo"], persona_names=["Ada"])]
        except ReelError as error:
            check_refusal(error)
            continue
        for conversation in taken:
            check_whole(conversation)


def archive_of(sample: Sample, dice: random.Random) -> bytes:
    """An archive with the sample in it, under an odd name, and something wrong with its bytes."""
    buffer = io.BytesIO()
    odd = (
        "a",
        "../x",
        "/x",
        "C:x",
        "@",
        "x.\x01",
        "x\n.json",
        "a/",
        "é" * 300,
        "__MACOSX/x",
        ".x",
        "x.zip",
    )
    with zipfile.ZipFile(buffer, "w", dice.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        archive.writestr(f"chats/{sample[0]}", sample[1])
        archive.writestr(dice.choice(odd), spoil(sample, dice)[1])
    data = bytearray(buffer.getvalue().replace(b"@", b"\x00"))
    for _ in range(dice.choice((0, 1, 3))):
        data[dice.randrange(len(data))] = dice.choice((0, 1, 255, dice.randrange(256)))
    return bytes(data)


@given(sample=st.sampled_from(SAMPLES), dice=dices)
@MANY
def test_an_archive_that_was_spoilt_is_taken_in_or_refused(sample: Sample, dice: random.Random) -> None:
    try:
        taken = [one.conversation for one in open_intake(archive_of(sample, dice), persona_names=["Ada"])]
    except ReelError as error:
        check_refusal(error)
        return
    for conversation in taken:
        check_whole(conversation)


def test_an_archives_member_without_a_name_is_passed_over() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("@", b"You: hi")
        archive.writestr("chat.txt", b"You: hi\nAda: hello")
    nameless = buffer.getvalue().replace(b"@", b"\x00")
    [taken] = open_intake(nameless, persona_names=["Ada"])
    assert [m.text for m in taken.conversation.said()] == ["hi", "hello"]


KINDS = {"type", "kind", "content_type", "role", "sender", "from"}
"""Fields by whose values readers tell what a message or a part is."""


@pytest.mark.parametrize("sample", JSON_SAMPLES, ids=[name for name, _ in JSON_SAMPLES])
def test_no_message_of_an_unknown_kind_is_passed_over_in_silence(sample: Sample) -> None:
    name, data = sample
    lines = data.decode().split("\n")
    whole = read_source(data, filename=name, user_names=["Bo"], persona_names=["Ada"])
    said = Counter(m.text for c in whole for m in c.said())
    known = sum(len(c.problems) for c in whole)
    spots = [i for i, (h, k) in enumerate(places([json.loads(line) for line in lines])) if _tells_kind(h, k)]
    for spot in spots:
        values = [json.loads(line) for line in lines]
        holder, key = places(values)[spot]
        holder[key] = "strange"
        text = "\n".join(json.dumps(value) for value in values)
        try:
            found = read(name, text.encode(), whole[0].format)
        except ReelError:
            continue
        lost = said - Counter(m.text for c in found for m in c.said())
        words = {m.text for c in found for m in c.messages}
        told = sum(len(c.problems) for c in found)
        assert told > known or words.issuperset(lost), f"{lost} at {key} of {holder}"


def _tells_kind(holder: object, key: object) -> bool:
    return key in KINDS and isinstance(holder, dict) and isinstance(holder[key], str)
