"""Files that the two example kits lack, as reel itself writes them: seeds for bench/fuzz_mutations.py."""

import json
import zlib
from base64 import b64encode
from collections.abc import Sequence

from reel_cli.core.files.review_file import pair_key
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.dream.comparing.comparison import STARTS, Comparison
from reel_cli.features.dream.comparing.key_file import parse_key, render_key
from reel_cli.features.dream.cursor_file import render_cursor
from reel_cli.features.dream.dream import Chapter, Cursor, DreamState, Mode, Status, Thread
from reel_cli.features.dream.story.files import add_chapter
from reel_cli.features.dream.story.missed_file import add_threads
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import add_facts
from reel_cli.features.intake.entry import Candidate, DecidedCandidate, Decision
from reel_cli.features.intake.files import edit_intake
from reel_cli.features.shelf.advice.advice import HotEntry as KeptAtHand
from reel_cli.features.shelf.advice.advice import LetGo
from reel_cli.features.shelf.advice.files import Cold, Hot, render_cold, render_hot
from reel_cli.features.shelf.shelf_file import ShelfFile, WatchedFile
from reel_cli.features.shelf.sidecar_file import render_sidecar, render_watched, set_sidecar
from reel_cli.features.shelf.summaries.files import render_summary
from reel_cli.features.shelf.summaries.summary import Summary, SummarySource
from reel_cli.features.stream.files import render_stream
from reel_cli.features.stream.stream import KeptConversation

Seeds = Sequence[tuple[str, bytes]]
_SPAN = "2026-02-10-1#12-48"


def _seeds(*texts: str) -> Seeds:
    return [("x", text.encode()) for text in texts]


def fact_seeds() -> Seeds:
    """`facts.yaml`: noted, replaced, dropped, with and without a source."""
    facts = [
        Fact("place", "where Bo lives", "Aarhus", "high", "2026-02-10-1#3", "2026-02-10", origin="told"),
        Fact("place", "where Bo lives", "Bergen", "0.8", _SPAN, "2026-03-01", replaces="Aarhus"),
        Fact("person", "Bo's boat", 'Perhaps: "a sloop" #7', "low", dropped="he sold it"),
        Fact("preference", "tea", "no", when="2026-03-02"),
    ]
    hand = (
        "# noted by hand\n- category: place\n  key: the house\n  value: |\n    with a red roof\n  mine: yes\n"
    )
    return _seeds(add_facts("", facts), add_facts(hand, facts[:2]), "[]\n")


def intake_seeds() -> Seeds:
    """`intake.yaml`: what waits and what was decided."""
    waits = [
        Candidate("2026-02-10-1#3", "The boat is called Perhaps.", "Bo", "2026-02-10T10:00:00Z", "a name"),
        Candidate("2026-02-10-1#5", 'Never say "sorry": it isn\'t you', "Bo", where="directive"),
    ]
    done = DecidedCandidate(waits[0], Decision("facts", "it holds", "Ada", "2026-02-10-1"))
    text = edit_intake("", {}, waits, [done], 100).text
    settled = edit_intake(text, {0: Decision("memory", "why not", "Bo")}, [], [], 100).text
    return _seeds(text, settled, text.replace("\n", "\n# mine\n", 1))


def stream_seeds() -> Seeds:
    """`stream.md`: kept once, and a second time with all it may hold."""
    first = KeptConversation("2026-02-10-1", 12, "We talked about the boat.\n\n### Then\nAnd it rained.")
    span = SourceRange("2026-02-10-1", 12, 48)
    more = KeptConversation(
        *("2026-02-11-1", 48, "It went on.", "2026-02-11T10:00:00Z", 3, (span, span)),
        pinned=("Say no to forty pages",),
        overlap=400,
        noticed=("M-001", "M-014"),
    )
    return _seeds(render_stream(first), render_stream(more, "---\nmine: 3\n---\n\n## My own\n\nText.\n"))


def summary_seeds() -> Seeds:
    """Pages of `summaries/`."""
    sources = (SummarySource("shelf/plan.md", "0" * 64), SummarySource("shelf/a b/[x].md", ""))
    one = Summary(
        *("summaries/plan.md", sources, "2026-02-10T10:00:00Z", "narrative", "The plan"),
        *("- A red roof.\n- Text. [plan.md](../shelf/plan.md)", "Ada", "abc1234", "A house."),
    )
    return _seeds(render_summary(one), render_summary(one, lambda _: False).replace("\n", "\r\n"))


def sidecar_seeds() -> Seeds:
    """Pages beside files of the shelf."""
    watched = WatchedFile("/home/bo/plan.md", 300, "0" * 64, "2026-02-10T10:00:00Z")
    one = ShelfFile(
        "shelf/plan.md", title="The plan", summary="A house: red", tags=("house", "a b"), pin=True,
        created_by="Bo", created_at="2026-02-10T10:00:00Z", source="https://example.org/plan",
    )  # fmt: skip
    text = render_sidecar(one, 50)
    more = {"watched": render_watched(watched), "also_summarized_in": "[summaries/a.md, summaries/b.md]"}
    gone = {"working_set": "false", "collected": "2026-03-01", "collected_as": "archive"}
    return _seeds(text, set_sidecar(text, more), set_sidecar(text, {**gone, "mine": "[a, {b: c}]"}))


def cursor_seeds() -> Seeds:
    """`story/cursor.yaml`: under way, and done."""
    runs = Cursor(
        DreamState.RUNNING, Mode.FULL, "2026-02-10T10:00:00Z", 8192, "2026-02-10-1", 3,
        {"2026-02-10-1": ((1, 48), (50, 50)), "2026-02-11-1": ((1, 3),)}, 'she: "flat"', "qwen3-8b",
        {"2026-02-10-1": 2}, "story/past/2026-02-01",
    )  # fmt: skip
    return _seeds(
        render_cursor(runs), render_cursor(Cursor(DreamState.DONE, Mode.INCREMENTAL, "", 32768), "mine: 1\n")
    )


def thread_seeds() -> Seeds:
    """`story/missed.md`, with a word on a thread."""
    threads = [
        Thread(1, Status.OPEN, "2026-02-10", "Bo", "to send the pages"),
        Thread(2, Status.DONE, "", "Ada", "x"),
    ]
    text = add_threads("", threads, [], "2026-02-10")
    return _seeds(text, text.replace("\n2.", "\n   - done · 2026-02-11 · he sent them\n2."))


def story_seeds() -> Seeds:
    """`story/history.md`: chapters with their comments."""
    about: dict[str, object] = {"read": [_SPAN], "on": "2026-02-10", "model": "qwen3-8b", "unsaid": ["abcd"]}
    text = add_chapter("", "story/history.md", Chapter("The boat", "It rained.\n\n> Bo: Perhaps."), about)
    return _seeds(
        text,
        add_chapter(
            text, "story/history.md", Chapter("Then: -->", "## No\n<!-- x"), {**about, "held": [_SPAN]}
        ),
    )


def manifest_seeds() -> Seeds:
    """`hot.yml` and `cold.yml`."""
    hot = Hot(
        (KeptAtHand("shelf/plan.md", "we work on it: now", "2026-02-10T10:00:00Z", 3, promoted=True),),
        "2026-02-10T10:00:00Z",
    )
    cold = Cold(
        (
            LetGo(
                "shelf/a b.md",
                "done",
                "2026-02-10T10:00:00Z",
                "2026-02-10-1",
                "",
                "archive",
                "2026-02-10-1#3",
            ),
        ),
        "2026-02-10T10:00:00Z",
        trigger_gc=True,
    )
    return _seeds(
        render_hot("", hot),
        render_cold("", cold),
        render_hot("# mine\nkeep: []\n", hot) + render_cold("", cold),
    )


def settled_seeds() -> Seeds:
    """`review/settled.yaml`."""
    key = pair_key("The boat is red.", "The boat is green.")
    return _seeds(
        f"{key}:\n  word: both\n  day: 2026-02-10\n  older: 'M-001: The boat is red.'\n  newer: 'x: y'\n"
    )


def context_seeds() -> Seeds:
    """`SHARED-CONTEXT.md`."""
    note = json.dumps(
        {"known": "2026-02-10-1#48", "said": "2026-02-10T10:00:00Z", "on": "2026-02-10", "model": "q"}
    )
    heads = (
        "Where things stand",
        "The last 48 hours",
        "How the person is",
        "What is broken or blocked",
        "Mine",
    )
    parts = "".join(f"\n## {head}\n- one\n- two\n" for head in heads)
    return _seeds(f"# Shared context\n<!-- context: {note} -->\n{parts}", parts.replace("## ", "# ").upper())


def key_seeds() -> Seeds:
    """Return the content of a comparison's key, as JSON; `sealed` makes the file."""
    questions, orders = ("Who are you?", "And now?"), (STARTS, STARTS[::-1])
    one = Comparison("bcd-fgh", "3", questions, STARTS, orders, dict.fromkeys(STARTS, 900))
    parse_key(render_key(one))
    value = {
        "name": one.name, "seed": one.seed, "questions": one.questions, "chats": one.chats,
        "orders": one.orders, "tokens": dict(one.tokens),
    }  # fmt: skip
    return [("sealed", json.dumps(value).encode()), ("as it is", render_key(one).encode())]


def sealed(data: bytes) -> str:
    """A key with this inside, as `render_key` writes it."""
    packed = zlib.compress(data)
    mark = render_key.__globals__["_MARK"]
    return f"x\n{mark} bcd-fgh {zlib.crc32(packed):08x}\n{b64encode(packed).decode()}\n"
