"""Room is never left while something kept could use it, whatever is kept and whatever the window."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import example, given, settings
from hypothesis import strategies as st

from reel_cli.core.files.exemplar_file import exemplar_path, render_exemplar
from reel_cli.core.files.index_file import parse_index, put_lines
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.kit.read_holdings import read_holdings
from reel_cli.core.pack.budget import NoRoomError
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.pack.exemplars import list_lines
from reel_cli.core.pack.render import MARKDOWN
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.memory import Exemplar, IndexLine, Level, Memory, format_id, memory_path
from reel_cli.core.values.settings import SMALL_WINDOW
from reel_cli.core.values.talk import Conversation, Message, SourceRange, session_path
from tests.support.kits_at_random import Files, kits, said_with

SPOKEN = said_with(
    *("The lamp went out again.", "I met Lida on the pier, at 7.", "Why?", "日本語の話。", "\n\n", "no", "…"),
    *("It was Thursday, and he denied it, as far as I could tell, and then it rained.", "x" * 60, "Ünï"),
    most=40,
)

HEADING = 50
"""Tokens that a heading takes which a memory needs in another form."""
SCENE = 80
"""Tokens that the shortest part of a talk takes, with the words around it, beside such a heading."""


@st.composite
def lives(draw: st.DrawFn) -> Files:
    """A kit with a tape of up to twelve talks."""
    kit = draw(kits(most=8))
    files = dict(kit.files)
    said = draw(st.lists(SPOKEN, min_size=1, max_size=6))
    for number in range(draw(st.integers(0, 12))):
        files.update(tell(number, said, draw(st.integers(1, 30))))
    for number in range(draw(st.sampled_from([0, 3, 30]))):
        opening = ("Aye", "Bless", "Come", "Dear", "Ever", "Fine")[number % 6]
        text = f"\n**Bo:** {said[0]}\n\n**{name_of(kit)}:** {opening}, {number}. {said[-1]}\n"
        files[exemplar_path(f"s{number}")] = render_exemplar(
            Exemplar(f"s{number}", f"Said {number}", "general", text, "2026-02-01", "2026-01-01-1#1-2")
        ).encode()
    files["facts.yaml"] = "".join(
        f"- category: {draw(st.sampled_from(['identity', 'context', 'constraints']))}\n"
        f"  key: thing {number}\n  value: {render_scalar(f'{said[number % len(said)]} {number}')}\n"
        "  confidence: high\n  when: 2026-01-01\n  origin: extraction\n"
        for number in range(draw(st.sampled_from([0, 0, 5, 60, 250])))
    ).encode()
    lines = [
        IndexLine(format_id(200 + number), f"{said[number % len(said)]} {number}", "lamp", pruned=True)
        for number in range(draw(st.sampled_from([0, 0, 60])))
    ]
    index = parse_index(files["ring4/index.md"].decode())
    files["ring4/index.md"] = put_lines("", [*index.lines.values(), *lines]).encode()
    return Files(files)


def name_of(kit: Files) -> str:
    return kit.snapshot().settings.name


def tell(number: int, said: Sequence[str], turns: int) -> dict[str, bytes]:
    """The file of one talk, of so many turns."""
    at = datetime(2026, 1, 1, 20, tzinfo=UTC) + timedelta(days=3 * number)
    messages = [
        Message(
            "assistant" if turn % 2 else "user",
            f"{said[(turn + number) % len(said)]} {number}.",
            time=(at + timedelta(minutes=turn)).isoformat(),
        )
        for turn in range(turns)
    ]
    name = f"{at:%Y-%m-%d}-1"
    return {session_path(name): render_session(name, Conversation("generic", messages))}


def lore(words: int, times: int) -> Files:
    """A life with one memory lived and one from elsewhere, beside an identity of so many words."""
    page = f"\n## What happened\n\n{'The lamp went out again. ' * times}\n"
    held = [
        Memory(
            format_id(number),
            f"Lamp {number}",
            Level.L1,
            page,
            created="2026-02-10T21:00:00+00:00",
            source=(SourceRange(f"2026-02-0{number}-1", 1, 1),),
            tags=tags,
            marker="The lamp.",
            tag="lamp",
        )
        for number, tags in ((1, ()), (2, ("imported",)))
    ]
    files = {memory_path(memory.id): render_memory(memory) for memory in held} | {
        "kit.yaml": "name: Ada\ntokenizer: cl100k_base\n",
        "ring0/identity.md": f"---\nkind: x\n---\n{'I mend lamps. ' * words}",
    }
    return Files({path: text.encode() for path, text in files.items()})


def is_all_there(kit: Files, bundle: Bundle) -> bool:
    """Whether the bundle holds all that is kept.

    That is every memory whole that fits, every talk from end to end, and above 8K every fact, every line of
    the index, and of every example that was said at least the persona's line.
    """
    left = bundle.cap - bundle.live - bundle.tokens - HEADING
    held = list(read_holdings(kit.snapshot(), MARKDOWN, get_tokenizer).memories.newest())
    told = {item.id: item.tokens for item in bundle.loaded if item.ring == "3"}
    whole = {item.id for item in bundle.loaded if item.ring == "3" and item.resolution == "whole"}
    # a line that ends a list may take a token less, as its end is counted with it
    missing = [row.whole - told.get(row.id, 0) for row in held if row.id not in whole]
    # a memory whose shortest telling is longer than the room that is left can only be left out
    shortest = {row.id: min(row.whole, row.marker, row.tag) for row in held}
    out = [one for one in bundle.left_out if one.ring == "3" and shortest[one.id] <= left]
    cut = any(item.ring == "scenes" and item.resolution != "whole" for item in bundle.loaded) or any(
        one.ring == "scenes" for one in bundle.left_out
    )
    return (
        (bundle.cap <= SMALL_WINDOW or not list_left(kit, bundle, left))
        and all(more <= 1 or more > left for more in missing)
        and not out
        and (not cut or left < SCENE)
    )


def list_left(kit: Files, bundle: Bundle, left: int) -> Sequence[str]:
    """Facts, lines of the index and own lines of the persona that would fit into what is `left`."""
    count = get_tokenizer(bundle.tokenizer).count
    snapshot = kit.snapshot()
    core = read_holdings(snapshot, MARKDOWN, get_tokenizer).core
    texts = {f"facts/{row.id}": MARKDOWN.fact(row.key, row.value) for row in core.facts}
    texts |= {f"4/{name}": MARKDOWN.line(line) for name, line in snapshot.index.lines.items()}
    told = {f"{one.ring}/{one.id}" for one in bundle.loaded}
    if (voice := bundle.rings["1"]).tokens < voice.max - HEADING:
        heard = [one for one in snapshot.exemplars.values() if f"1/{one.slug}" in told]
        own = list_lines([*snapshot.exemplars.values()], heard, snapshot.settings.name) if heard else ()
        texts |= {f"1/{one.slug}": MARKDOWN.line_of_voice(line) for one, line in own}
    return [name for name, text in texts.items() if name not in told and count(text) <= left]


@example(lore(388, 16), 4096, BundleRequest(boot=True))
@example(lore(403, 12), 4096, BundleRequest())
@given(
    lives(),
    st.sampled_from([4096, 8192, 9000, 16384, 32768, 131072]),
    st.sampled_from([BundleRequest(), BundleRequest(boot=True), BundleRequest(cue="the lamp")]),
)
@settings(max_examples=60, deadline=None)
def test_a_bundle_is_full_or_holds_all_there_is(kit: Files, window: int, wish: BundleRequest) -> None:
    try:
        bundle = pack_snapshot(kit.snapshot(), wish._replace(window=window))
    except NoRoomError:
        return
    room = bundle.cap - bundle.live
    assert bundle.tokens <= room
    assert bundle.tokens * 100 >= room * 97 or is_all_there(kit, bundle)
