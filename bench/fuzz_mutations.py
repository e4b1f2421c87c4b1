"""Feeds spoilt files to every reader of reel: python bench/fuzz_mutations.py --inputs 100000 --seed 1

Needs nothing beside reel (`bench/fuzz_readers.py` is guided by coverage, and needs atheris). Each input is a
real file or one of the tests' samples with a few things wrong: in what it says, in its lines, in its bytes. A
reader may give something back or refuse it with one printable line; any other exception and any input that
takes over five seconds of the processor is a fault. Faults are listed once a place, with the seed and the
number that make the input again: --only NUMBER runs that one.
"""

# ruff: noqa: E501 (the tables of readers and of odd texts have one a line)

import argparse
import collections
import io
import json
import os
import random
import signal
import struct
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

import kit_seeds

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange import consolidation, schema
from reel_cli.core.exchange.reader import islands, labels, reader
from reel_cli.core.files import (
    checkpoint_file,
    commit_message,
    exemplar_file,
    index_file,
    ledger_file,
    memory_file,
    review_file,
    settings_file,
    working_file,
    yaml_text,
)
from reel_cli.core.git import identity
from reel_cli.core.tape import events_file, session_file
from reel_cli.core.tape.format_rows import FORMATS
from reel_cli.core.tape.formats.open_source import open_intake
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values import sizes
from reel_cli.core.values import talk as tape
from reel_cli.features.cards import (
    card_file,
    charx,
    macros,
)
from reel_cli.features.cards.lore import (
    book,
    memory_list,
    notes,
)
from reel_cli.features.cards.lore import vault as read_vault
from reel_cli.features.dream import cursor_file as dream_cursor
from reel_cli.features.dream import reply as dreaming
from reel_cli.features.dream import reply_items as dream_items
from reel_cli.features.dream.comparing import key_file as comparison_key
from reel_cli.features.dream.comparing import reply as comparing
from reel_cli.features.dream.context import files as context_file
from reel_cli.features.dream.story import files as story_file
from reel_cli.features.dream.story import missed_file
from reel_cli.features.dream.story import reply as regrounding
from reel_cli.features.dream.story import source as story_source
from reel_cli.features.facts import files as facts_file
from reel_cli.features.facts import reply as told_facts
from reel_cli.features.facts import rounds as fact_rounds
from reel_cli.features.init import template
from reel_cli.features.intake import files as intake_file
from reel_cli.features.intake import reply as remembering
from reel_cli.features.models import gguf
from reel_cli.features.page.notes import working_notes as reply_notes
from reel_cli.features.page.reply import coherence, reported_drift
from reel_cli.features.recall.embeddings import endpoint as semantic_endpoint
from reel_cli.features.shelf import files as shelf_files
from reel_cli.features.shelf import sidecar_file
from reel_cli.features.shelf.advice import files as manifest_files
from reel_cli.features.shelf.advice import reply as advising
from reel_cli.features.shelf.summaries import files as summary_files
from reel_cli.features.stream import files as stream_file
from reel_cli.features.stream import reply as sifting
from reel_cli.features.tables import query as domain_query
from reel_cli.features.tables import rows_file as domain_rows
from reel_cli.features.tables import schema_file as domain_schema
from reel_cli.features.watch import chat_spool
from reel_cli.features.wire import (
    address,
    connection,
    wire_error,
)
from reel_cli.features.wire import chat as wire_chat
from tests.support.chat_samples import real_samples, samples
from tests.support.file_damage import spoil
from tests.support.gguf_files import alphabet, render_gguf

SHARED = CHECKOUT.parent / "shared" / "data"
MOST_TIME = 5
"""So much of the processor an input may take, in seconds."""
LARGEST = 48_000
"""A sample is cut to so many bytes, or few inputs would be tried."""
NAMES = ["Ada", "Bo", "[x]"]
TEXTS = (
    "\n", "\r\n", "\r", "\x00", "\x1b[2J", "\u2028", "\ufeff", "\u202e", "---", "---\n", "## ", "# ", "- ", "> ", "```",
    "<!-- {", "-->", "|", '"', "'", "\\", "{", "}", "[", "]", ":", ": ", "&a [*a]", "*a", "!!python/object:os", "- - - -",
    "{{char}}", "{{user}}", "{{random:a,b}}", "{{" * 30, "}}" * 30, "1e999", "-0", "9" * 40, "0x1F", "2026-02-30", "24:61",
    "../../etc/passwd", "/", "a/b", "C:\\x", ".git", "M-001", "M-999999999999", "2026-01-01-1#1-2", "#12-3", "no", "null",
    "~", "true", "é" * 20, "\ud800", "🙂", "%s%n", "=1+1", "\t", ",,,", ";;", "A" * 3000, "[" * 3000, "(" * 500, "> " * 500,
    "  " * 300, "- " * 300, "a: &x\n  b: *x\n", "<<: *a", "? ", "| \n", "data: ", "data: [DONE]", ": ping", "immune",
)  # fmt: skip


@dataclass(frozen=True)
class Target:
    """A reader: what it is called, the files it begins from, and how it is given one."""

    name: str
    seeds: Sequence[tuple[str, bytes]]
    read: Callable[[str, bytes, random.Random], object]


def files(*patterns: str) -> list[tuple[str, bytes]]:
    """The files of the checkout that match, cut where they are long."""
    paths = sorted({path for pattern in patterns for path in CHECKOUT.glob(pattern) if path.is_file()})
    found = [(path.name, path.read_bytes()[:LARGEST]) for path in paths]
    if not found:
        sys.exit(f"no seeds match {patterns}")
    return found


def said(text: str, name: str = "x") -> list[tuple[str, bytes]]:
    """One seed that is written here."""
    return [(name, text.encode())]


def on_text(read: Callable[[str], object]) -> Callable[[str, bytes, random.Random], object]:
    """A reader of text, as a file of the kit is given to it."""
    return lambda _name, data, _dice: drained(read(data.decode("utf-8", "replace")))


def on_bytes(read: Callable[[bytes], object]) -> Callable[[str, bytes, random.Random], object]:
    """A reader of bytes."""
    return lambda _name, data, _dice: drained(read(data))


def on_lines(read: Callable[[str], object]) -> Callable[[str, bytes, random.Random], object]:
    """A reader of one line."""
    return lambda _name, data, _dice: [
        read(line) for line in data.decode("utf-8", "replace").split("\n")[:40]
    ]


def on_file(read: Callable[[Path], object]) -> Callable[[str, bytes, random.Random], object]:
    """A reader of a file where it lies."""

    def opened(name: str, data: bytes, _dice: random.Random) -> object:
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            path = Path(folder, Path(name).name or "x")
            path.write_bytes(data)
            return drained(read(path))

    return opened


MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108


def drained(value: object) -> object:
    """Return the whole of a stream."""
    return list(value) if isinstance(value, Iterator) else value


def read_transcript(name: str, data: bytes, dice: random.Random) -> object:
    chosen = dice.choice(("auto", "auto", "auto", *FORMATS))
    if data.startswith(b"SQLite"):
        return on_file(lambda path: list(open_intake(path, persona_names=NAMES)))("x.db", data, dice)
    found = read_source(data, filename=name, format=chosen, persona_names=NAMES, user_names=["Bo"])
    for conversation in found:
        stored = session_file.render_session("2026-01-01-1", conversation)
        session = session_file.parse_session(stored, "tape/2026/2026-01-01-1.md")
        if [entry.message for entry in session.entries] != list(conversation.messages):
            message = "it is not read back as it was stored"
            raise AssertionError(message)
    return found


def read_archive(name: str, data: bytes, dice: random.Random) -> object:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(f"chats/{Path(name).name or 'x'}", data)
    spoilt = spoil_bytes(packed.getvalue(), dice) if dice.random() < 0.5 else packed.getvalue()
    return list(open_intake(spoilt, persona_names=NAMES))


def read_sse(_name: str, data: bytes, dice: random.Random) -> object:
    class Body:
        def pieces(self) -> Iterator[bytes]:
            at = 0
            while at < len(data):
                size = dice.choice((1, 7, 100, 5000))
                yield data[at : at + size]
                at += size

    reply = wire_chat._PartialReply(wire_chat.Listener(lambda _: None, lambda *_: None))  # noqa: SLF001
    try:
        for event in wire_chat.events(Body()):  # type: ignore[arg-type]
            reply.take(event)
            if reply.over:
                break
        found = reply.reply()
    except wire_error.WireError as error:
        return error.why.encode()
    return (found.text + found.thought).encode()


def read_why(data: bytes) -> object:
    try:
        return connection.told_why(data).encode(), connection.read_json(data)
    except wire_error.WireError:
        return None


def read_vectors(data: bytes) -> object:
    try:
        return semantic_endpoint.parse_vectors(data, 2)
    except semantic_endpoint.EmbeddingError:
        return None


NOTED = json.dumps(
    {
        "memories": [
            {"title": "Boat", "content": "It is called Perhaps.", "created_at": "2026-02-10"},
            "- a\n- b",
        ],
        "entries": {"1": {"text": "x"}},
    }
)
TABLE = "title: Boats\nkey: name\ncolumns:\n  name: text\n  length: number\n  built: date\n  sails: yes/no\n  rig: [sloop, ketch]\n"
CSV = 'name,length,built,sails,rig\nPerhaps,7.5,2020-01-02,yes,sloop\n"Two, too",12,,no,ketch\n'


def read_table_rows(text: str) -> object:
    table = domain_schema.parse_schema(TABLE, "boats")
    return domain_rows.read_rows(text, table, "domain/boats.csv")


def read_key(name: str, data: bytes, _dice: random.Random) -> object:
    text = kit_seeds.sealed(data) if name == "sealed" else data.decode("utf-8", "replace")
    return comparison_key.parse_key(text)


def gguf_seed() -> list[tuple[str, bytes]]:
    tokens = [*alphabet(), "he", "hel"]
    about: dict[str, Any] = {
        "general.architecture": "llama",
        "general.name": "Tiny",
        "llama.context_length": 4096,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [1] * len(tokens),
        "tokenizer.ggml.merges": ["h e", "he l"],
    }
    return [("tiny.gguf", render_gguf(about))]


def read_model_file(path: Path) -> object:
    header = gguf.read_header(path)
    return sorted(header)


def replies() -> list[tuple[str, bytes]]:
    return files(
        "tests/fixtures/replies/**/*",
        "tests/fixtures/advice/**/*",
        "tests/fixtures/checks/**/*",
        "tests/fixtures/rewritings/**/*",
    )


def read_any_reply(_name: str, data: bytes, dice: random.Random) -> object:
    text = data.decode("utf-8", "replace")
    ways: Sequence[Callable[[], object]] = (
        lambda: reader.read_reply(text, schema.CONSOLIDATION, names=NAMES),
        lambda: consolidation.parse_consolidation(reader.read_reply(text, schema.CONSOLIDATION, names=NAMES)),
        lambda: reader.read_reply(text, schema.CHECKPOINT, names=NAMES),
        lambda: reader.read_reply(text, schema.COMBINED, names=NAMES),
        lambda: dreaming.parse_dream(
            dreaming.read_dream([text], prompt="", names=NAMES), name="Ada", user="Bo", known=3
        ),
        lambda: sifting.parse_patterns(sifting.read_sift([text], prompt="", names=NAMES, rows=True)),
        lambda: told_facts.read_facts_reply(text, "", NAMES),
        lambda: list(told_facts.read_told(text)),
        lambda: advising.read_advice(text),
        lambda: advising.read_advice_lines(text, "advice"),
        lambda: comparing.read_answers(text, ("Who are you?", "And now?"), "", NAMES),
        lambda: regrounding.parse_reground(
            regrounding.read_reground(text, prompt="", names=NAMES), text, NAMES
        ),
        lambda: (
            coherence.read_coherence(text),
            reported_drift.read_drift(text),
            reported_drift.read_detected(text),
        ),
        lambda: list(remembering.read_answers(text, 3)),
        lambda: remembering.read_remember_lines(text, "Remember"),
        lambda: (list(told_facts.read_facts(text)), dream_items.read_threads(text, "Ada", "Bo", 3)),
        lambda: reply_notes.parse_notes(text, ()),
    )
    return drained(dice.choice(ways)())


def spool_seed() -> list[tuple[str, bytes]]:
    lines: list[dict[str, object]] = [
        {
            "reel": 1,
            "format": "chat",
            "key": "chat:x",
            "started": "2026-01-01T10:00:00Z",
            "inode": 1,
            "base": 0,
        },
        {"at": 0, "message": {"role": "system", "text": "# Ada", "kind": "system"}},
        {"at": 1, "message": {"role": "user", "text": "Hello", "kind": "said"}},
        {"try": "qwen", "time": "2026-01-01T10:00:01Z"},
        {"words": "<think>Hm</think>Well"},
        {"part": "One"},
        {"words": " then"},
        {"back": 1},
    ]
    return [("x.jsonl", b"".join(json.dumps(line).encode() + b"\n" for line in lines))]


def targets() -> list[Target]:
    """Every reader there is."""
    names = macros.Names("Ada", "Bo")
    chats = [*samples(), *real_samples(SHARED)] if SHARED.exists() else samples()
    cards = [
        *files(
            "tests/fixtures/cards/**/*.png",
            "tests/fixtures/cards/**/*.json",
            "tests/fixtures/cards/**/*.charx",
        )
    ]
    memories = files("kits/*/ring3/*.md")
    every_yaml = files("kits/**/*.yaml", "templates/**/*.yaml")
    sse = b"".join(
        b"data: "
        + json.dumps({"choices": [{"delta": {"content": text}, "finish_reason": end}]}).encode()
        + b"\n\n"
        for text, end in (("<think>a</think>", None), ("We", None), (" said\ud83d", None), ("\ude42", "stop"))
    )
    return [
        Target("transcripts", chats, read_transcript),
        Target("transcripts in fixtures", files("tests/fixtures/chats/**/*"), read_transcript),
        Target("archives", [s for s in chats if not s[1].startswith(b"SQLite")], read_archive),
        Target("session files", files("kits/*/tape/20*/*.md"), on_bytes(lambda d: session_file.parse_session(d, "t.md"))),
        Target("what was said", files("kits/*/tape/20*/*.md"), on_bytes(lambda d: session_file.read_said(d, "t.md"))),
        Target("events", files("kits/*/tape/events.md"), on_bytes(lambda d: events_file.parse_events(d, "e.md"))),
        Target("cards", cards, lambda n, d, _: card_file.read_card(d, n)),
        Target("lorebooks", [c for c in cards if c[0].endswith(".json")], lambda n, d, _: book.read_lorebook(d, n, names)),
        Target("memories of other apps", said(NOTED, "memories.json") + files("tests/fixtures/cards/*.json"), lambda n, d, _: notes.read_memories(d, n)),
        Target("packed cards", [c for c in cards if c[0].endswith(".charx")], lambda n, d, _: charx.read_charx(d, n)),
        Target("lists of memories", memories, on_text(memory_list.read_list)),
        Target("notes", memories, lambda n, d, _: read_vault.read_vault([(n, d)], "vault")),
        Target("memories", memories, lambda n, d, _: memory_file.parse_memory(d.decode("utf-8", "replace"), f"ring3/{n}")),
        Target("exemplars", files("kits/*/ring1/*.md"), on_text(lambda t: exemplar_file.parse_exemplar(t, "ring1/x.md"))),
        Target("active sets", files("kits/*/ring1/*.yaml"), on_text(lambda t: exemplar_file.parse_active(t, "ring1/active.yaml"))),
        Target("index", files("kits/*/ring4/index.md"), on_text(index_file.parse_index)),
        Target("index lines", files("kits/*/ring4/index.md"), on_lines(index_file.parse_line)),
        Target("settings", files("kits/*/kit.yaml", "templates/**/kit.yaml"), on_text(lambda t: settings_file.parse_settings(t, fallback_name="ada"))),
        Target("YAML", every_yaml, on_text(lambda t: yaml_text.parse_yaml(t, "x.yaml"))),
        Target("checkpoints", files("kits/*/checkpoints/*.yaml"), on_text(lambda t: (checkpoint_file.read_checkpoint(t, "c.yaml"), checkpoint_file.read_measured(t, "c.yaml")))),
        Target("journal", files("kits/*/journal/*.jsonl"), on_lines(ledger_file.parse_entry)),
        Target("touches", files("kits/*/journal/*.jsonl"), on_text(lambda t: shelf_files.parse_touches(t.split("\n")))),
        Target("proposals", files("kits/*/review/*.md"), on_text(lambda t: review_file.parse_proposal(t, "review/x.md"))),
        Target("settled proposals", kit_seeds.settled_seeds(), on_text(review_file.read_settled)),
        Target("working memory", files("kits/*/ring2/working.md"), on_text(lambda t: (working_file.read_body(t), list(working_file.read_items(t))))),
        Target("facts", kit_seeds.fact_seeds(), on_text(facts_file.parse_facts)),
        Target("intake", kit_seeds.intake_seeds(), on_text(intake_file.parse_intake)),
        Target("stream", kit_seeds.stream_seeds(), on_text(stream_file.parse_stream)),
        Target("summaries", kit_seeds.summary_seeds(), on_text(lambda t: summary_files.parse_summary(t, "summaries/a.md"))),
        Target("sidecars", kit_seeds.sidecar_seeds(), on_text(lambda t: sidecar_file.parse_sidecar(t, "shelf/a.md"))),
        Target("hot and cold", kit_seeds.manifest_seeds(), on_text(lambda t: (manifest_files.parse_hot(t), manifest_files.parse_cold(t)))),
        Target("tables", said(TABLE), on_text(lambda t: domain_schema.parse_schema(t, "boats"))),
        Target("rows", said(CSV), on_text(read_table_rows)),
        Target("shared context", kit_seeds.context_seeds(), on_text(context_file.parse_context)),
        Target("story", kit_seeds.story_seeds(), on_text(lambda t: (story_file.parse_chapters(t), story_source.parse_sourced(t)))),
        Target("threads", kit_seeds.thread_seeds(), on_text(missed_file.parse_threads)),
        Target("dream cursor", kit_seeds.cursor_seeds(), on_text(dream_cursor.parse_cursor)),
        Target("comparison key", kit_seeds.key_seeds(), read_key),
        Target("fact rounds", said("2026-01-01-1#1-12 kept=3 refused=1"), on_lines(fact_rounds.parse_round)),
        Target("trailers", said('record: x\n\nbody\n\nReel-Op: record\nReel-Session: 2026-01-01-1\nReel-Forgot: M-004 L2->L3 231->74 source=2026-02-10-1#12-48 was=00 why="x"\n'), on_text(commit_message.parse_trailers)),
        Target("losses", said('M-004 L2->L3 231->74 source=2026-02-10-1#12-48 was=abcd why="190 days"'), on_lines(commit_message.parse_forgotten)),
        Target("names of people", said("Bo Lind <bo@example.org>"), on_lines(identity.parse_identity)),
        Target("sources", said("2026-02-10-1#12-48"), on_lines(tape.parse_source)),
        Target("token counts and days", said("8k\n32768\n1.5m\n190 days\n2 weeks"), on_lines(lambda line: (quiet(sizes.parse_tokens, line), quiet(sizes.parse_days, line)))),
        Target("addresses", said("http://127.0.0.1:1234/v1\nlmstudio\nhttps://[::1]:80/x\n"), on_lines(lambda line: quiet(address.parse_address, line))),
        Target("questions to tables", said("boats where length > 7 and rig = sloop sort by built\nboats count"), on_lines(lambda line: quiet(ask_table, line))),
        Target("templates", said("companion"), on_lines(lambda line: quiet(template.read_template, line[:200]) if "/" not in line and ".." not in line else None)),
        Target("replies", replies(), read_any_reply),
        Target("JSON in replies", replies(), on_text(lambda t: (islands.read_json(t, NAME_LABELS), islands.read_tags(t, NAME_LABELS)))),
        Target("streams of a server", [("x", sse + b"data: [DONE]\n\n")], read_sse),
        Target("errors of a server", said('{"error": {"message": "no model"}}'), on_bytes(read_why)),
        Target("vectors of a server", said('{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [3, 4]}]}'), on_bytes(read_vectors)),
        Target("model files", gguf_seed(), on_file(read_model_file)),
        Target("chats put aside", spool_seed(), on_bytes(lambda d: chat_spool.read_spool(d, 1))),
    ]  # fmt: skip


NAME_LABELS = labels.Names(schema.CHECKPOINT)


def ask_table(line: str) -> object:
    table = domain_schema.parse_schema(TABLE, "boats")
    return domain_query.parse_query(line, lambda name: table if name == "boats" else None, ["boats"])


def quiet(read: Callable[[str], object], line: str) -> object:
    """Read a line, the refusal of one not being the end of the others."""
    try:
        return read(line)
    except ReelError as error:
        check_refusal(error)
        return None


def spoil_lines(data: bytes, dice: random.Random) -> bytes:
    """Drop, repeat, swap, set in or join lines, or put something odd into one."""
    text = data.decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    for _ in range(dice.choice((1, 1, 2, 4))):
        at = dice.randrange(len(lines))
        way = dice.randrange(7)
        if way == 0:
            del lines[at : at + dice.choice((1, 1, 5))]
        elif way == 1:
            lines[at:at] = [lines[at]] * dice.choice((1, 2, 60))
        elif way == 2:
            other = dice.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif way == 3:
            lines[at] = dice.choice((" ", "  ", "\t", "- ", "> ", "# ", "    ")) + lines[at]
        elif way == 4 and lines[at]:
            here = dice.randrange(len(lines[at]))
            lines[at] = lines[at][:here] + dice.choice(TEXTS) + lines[at][here + dice.choice((0, 0, 1, 8)) :]
        elif way == 5:
            lines[at] = dice.choice(TEXTS)
        else:
            name, mark, _ = lines[at].partition(":")
            lines[at] = f"{name}{mark} {dice.choice(TEXTS)}"
        lines = lines or [""]
    return (
        "\n".join(lines).encode("utf-8", "surrogatepass" if "\ud800" in "".join(lines) else "surrogateescape")
        if _sound(lines)
        else data
    )


def _sound(lines: list[str]) -> bool:
    try:
        "\n".join(lines).encode("utf-8", "surrogatepass")
    except UnicodeEncodeError:
        return False
    return True


def spoil_bytes(data: bytes, dice: random.Random) -> bytes:
    """Cut, set or repeat bytes; lengths are set to what lengths should not be."""
    if not data:
        return data
    spoilt = bytearray(data)
    for _ in range(dice.choice((1, 1, 3, 10))):
        at = dice.randrange(len(spoilt))
        way = dice.randrange(5)
        if way == 0:
            spoilt[at] = dice.choice((0, 1, 127, 128, 255, dice.randrange(256)))
        elif way == 1:
            number = dice.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 31))
            spoilt[at : at + 4] = struct.pack(dice.choice(("<I", ">I")), number)
        elif way == 2:
            spoilt[at : at + 8] = struct.pack("<Q", dice.choice((0, 1 << 62, (1 << 64) - 1, 1 << 20)))
        elif way == 3:
            del spoilt[at : at + dice.choice((1, 4, 100, len(spoilt)))]
        else:
            spoilt[at:at] = spoilt[at : at + dice.choice((1, 16, 400))]
        if not spoilt:
            return b""
    return bytes(spoilt)


def make(target: Target, dice: random.Random) -> tuple[str, bytes]:
    """One input for a reader."""
    name, data = dice.choice(target.seeds)
    for _ in range(dice.choice((1, 1, 2))):
        way = dice.randrange(4)
        if way == 0:
            with suppress(RecursionError):  # nested too deeply already to be spoilt by what it says
                name, data = spoil((name, data), dice)
        elif way == 1 and b"\0" in data[:100]:
            data = spoil_bytes(data, dice)
        elif way == 1:
            _, other = dice.choice(target.seeds)
            data = data[: dice.randrange(len(data) + 1)] + other[dice.randrange(len(other) + 1) :]
        elif way == 2:
            data = spoil_lines(data, dice)
        else:
            data = spoil_bytes(data, dice)
    return name, data


def check_refusal(error: ReelError) -> None:
    """Fail where a refusal would not stand on one line of a terminal."""
    if not (error.message + (error.hint or "")).isprintable():
        raise AssertionError(error.message) from error


class TooLongError(Exception):
    """An input took too long."""


def run_one(target: Target, seed: int, number: int) -> str:
    """Feed one input; "" or the fault, in words that are the same for the same place."""
    dice = random.Random(f"{seed} {number}")  # noqa: S311
    name, data = make(target, dice)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_TIME)
    try:
        target.read(name, data, dice)
    except ReelError as error:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if not (error.message + (error.hint or "")).isprintable():
            return f"{target.name}: a refusal with control codes: {error.message!r}"
    except Exception as error:  # noqa: BLE001 (whatever it is, it is the fault looked for)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        where = [f for f in traceback.extract_tb(error.__traceback__) if "/reel_cli/" in f.filename]
        place = f"{Path(where[-1].filename).name}:{where[-1].lineno}" if where else "?"
        return f"{target.name}: {type(error).__name__} at {place}: {str(error)[:90]!r}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def main() -> int:
    """Feed so many inputs, each reader in its turn, and say what came of it."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--inputs", type=int, default=100_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--minutes", type=float, default=1e9, help="stop after so long")
    asked.add_argument("--only", type=int, help="feed this one alone, and show its traceback")
    asked.add_argument("--reader", default="", help="only readers with this in their names")
    given = asked.parse_args()

    def too_long(*_: object) -> None:
        message = f"over {MOST_TIME} s"
        raise TooLongError(message)

    signal.signal(signal.SIGVTALRM, too_long)
    every = [target for target in targets() if given.reader in target.name]
    if given.only is not None:
        dice = random.Random(f"{given.seed} {given.only}")  # noqa: S311
        target = every[given.only % len(every)]
        name, data = make(target, dice)
        print(target.name, name, data[:3000])
        target.read(name, data, dice)
        return 0
    fed: collections.Counter[str] = collections.Counter()
    faults: dict[str, tuple[int, int]] = {}
    began, number = time.monotonic(), 0
    while number < given.inputs and time.monotonic() - began < given.minutes * 60:
        target = every[number % len(every)]
        fault = run_one(target, given.seed, number)
        if fault:
            first, times = faults.get(fault, (number, 0))
            faults[fault] = first, times + 1
            if not times:
                print(f"  --only {number}: {fault}", flush=True)
        fed[target.name] += 1
        number += 1
        if number % 20_000 == 0:
            print(f"{number:,} inputs, {len(faults)} faults", flush=True)
    for name, count in fed.items():
        print(f"{count:>9,}  {name}")
    print(f"{number:,} inputs over {len(every)} readers, seed {given.seed}: {len(faults)} places at fault")
    for fault, (first, times) in faults.items():
        print(f"  {times} times, first --only {first}: {fault}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
