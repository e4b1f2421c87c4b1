"""Room of a page's prompt: at most 1,200 words for an 8K window, and everything that is due gets its turn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.exchange.page_part import page_parts
from reel_cli.core.files.exemplar_file import exemplar_path, render_exemplar, set_active
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.kit.approved_rings import Ring0
from reel_cli.core.kit.snapshot import ACTIVE, EVENTS, WORKING
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.memory import FIELDS, ActiveSet, Exemplar, Level, Memory, memory_path
from reel_cli.core.values.talk import Conversation, Event, Message, SourceRange, session_path
from reel_cli.features.page.ask import ask_checkpoint
from reel_cli.features.page.prompt.room import OTHERS_FIRST, OTHERS_NEXT
from reel_cli.features.page.prompt.values import prompt_words
from tests.support.cli import Reel
from tests.support.installed_features import is_installed
from tests.support.kits_at_random import Files
from tests.support.pages import chat
from tests.support.warm_start import CONTEXT, HISTORY, story

SESSION = "2026-02-26-1"
IDENTITY = "You keep the light, and count the days. " * 45
"""About as many words as ring 0 may have in an 8K window."""


@dataclass(frozen=True)
class Much:
    """How many of each a kit has, each of `long` words."""

    notes: int = 0
    facts: int = 0
    examples: int = 0
    memories: int = 0
    noticed: int = 0
    flags: int = 0
    long: int = 6
    pages: int = 0
    context: bool = False
    said: str = ""


def ask(window: int, much: Much) -> Ask:
    """Return the ask for a page of such a kit."""
    words = " ".join(f"word{n}" for n in range(much.long))
    threads = "".join(f"- Thread {n}: {words}\n" for n in range(much.notes))
    loops = "".join(f"- Whether {words} comes by {n % 28 + 1} January 2026\n" for n in range(much.notes))
    said = [Message(("user", "assistant")[n % 2], f"Thing {n}: {words}") for n in range(8)]
    said[0] = Message("user", much.said or said[0].text)
    slugs = [f"e{n}" for n in range(much.examples)]
    parts: dict[str, str | bytes] = {
        "kit.yaml": f"name: Ada\nuser: Ellen\nwindow: {window}\n",
        WORKING: (
            f"## Active threads\n\n{threads}\n## State\n\nHome. {words}\n\n## Open loops\n\n{loops}\n"
            f"## Her own\n\n{words}\n"
        ),
        session_path(SESSION): render_session(SESSION, Conversation("messages", said)),
        EVENTS: append_events(
            None,
            [
                Event(n, "flag", f"2026-02-26T10:{n:02}:00+00:00", f"Mark {n}: {words}")
                for n in range(much.flags)
            ],
            EVENTS,
        ),
        ACTIVE: set_active("", ActiveSet(slugs[0] if slugs else None, tuple(slugs[1:]))),
        **{
            exemplar_path(one): render_exemplar(Exemplar(one, f"{one} {words}", "general", "\nhello\n"))
            for one in slugs
        },
        **{
            f"checkpoints/2026-01-{n % 28 + 1:02}-{n // 28 + 1}.1.yaml": "kept: x\n"
            for n in range(much.pages)
        },
        **{memory_path(one.id): render_memory(one) for one in map(memory, range(much.memories))},
    }
    if is_installed("facts"):
        from reel_cli.features.facts.fact import Fact
        from reel_cli.features.facts.files import add_facts

        parts["facts.yaml"] = add_facts(
            "", [Fact("history", f"fact {n}", words, "high", when="2026-02-20") for n in range(much.facts)]
        )
    if is_installed("intake"):
        waiting = "".join(
            f"  - source: {SESSION}#{n % 8 + 1}\n    who: Ellen\n    words: Noticed {n} {words}\n"
            for n in range(much.noticed)
        )
        parts["intake.yaml"] = f"waiting:\n{waiting}decided: []\n"
    if is_installed("dream") and much.context:
        parts[HISTORY] = story([("A chapter", words)])
        parts[CONTEXT] = f"## How things are\n\n- {words}\n"
    files = {path: text.encode() if isinstance(text, str) else text for path, text in parts.items() if text}
    ring0 = Ring0(IDENTITY, "", (), "0" * 40)
    return ask_checkpoint(Files(files).snapshot(), ring0, date(2026, 2, 27))


def memory(number: int) -> Memory:
    body = render_body(dict.fromkeys(FIELDS, "The boat came in."))
    source = (SourceRange("2026-01-10-1", number + 1, number + 1),)
    return Memory(f"M-{number + 1:03}", f"Boat {number}", Level.L1, body, source=source, tags=("factual",))


MANY = st.integers(0, 60)
KITS = st.builds(
    Much,
    MANY,
    MANY,
    MANY,
    st.integers(0, 8),
    MANY,
    st.integers(0, 59),
    st.integers(1, 90),
    st.integers(0, 9),
    st.booleans(),
)


@given(KITS)
@example(Much(notes=7, examples=14, flags=25, long=1, pages=1))
@settings(max_examples=25, deadline=None)
def test_whatever_a_kit_has_become_its_prompt_stays_within_its_words(much: Much) -> None:
    for window in (8192, 32768):
        made = ask(window, much)
        assert len(made.prompt.split()) <= prompt_words(window)
        assert len(made.items) == sum(line[:1].isdigit() for line in notes_in(made.prompt))


def notes_in(prompt: str) -> Sequence[str]:
    """Return the lines of the notes."""
    return prompt.partition("You came in with:\n")[2].partition("\nTake them by number")[0].splitlines()


@pytest.mark.needs("facts", "intake", "dream")
def test_facts_come_before_all_else_where_the_chat_speaks_of_somebodys_safety() -> None:
    full = Much(15, 40, 12, 0, 9, 0, 20, context=True)
    doses = "She takes 5 mg of ramipril in the evening from today."
    asked = [
        [
            "facts" in ask(8192, replace(full, pages=pages, said=said)).parts
            for pages in range(2 * OTHERS_FIRST)
        ]
        for said in ("All well.", doses)
    ]
    assert not all(asked[0])
    assert all(asked[1])


def test_a_larger_window_is_asked_about_more_at_once() -> None:
    small, large = (ask(window, Much(notes=60)) for window in (8192, 32768))
    assert prompt_words(4096) == prompt_words(8192) == 1_200
    assert len(large.items) > len(small.items) > 0


def test_what_a_prompt_has_no_room_for_is_asked_about_by_another_page() -> None:
    asked: dict[str, set[str]] = {"notes": set(), "examples": set(), "noticed": set(), "parts": set()}
    for pages in range(40):
        made = ask(8192, Much(15, 40, 12, 0, 9, 0, 20, pages, context=True))
        asked["notes"] |= {item.text for item in made.items}
        asked["examples"] |= {one for one in (f"e{n} word0" for n in range(12)) if one in made.prompt}
        asked["noticed"] |= {one for one in (f"Noticed {n} " for n in range(9)) if one in made.prompt}
        asked["parts"] |= set(made.parts)
        assert not set(made.waits) & {line.removeprefix("## ") for line in made.prompt.splitlines()}
    assert len(asked["notes"]) == 30
    assert len(asked["examples"]) == 12
    if is_installed("facts"):
        assert "facts" in asked["parts"]
    if is_installed("intake"):
        # a page has seen the rest, which is let go
        assert "Noticed 7 " in asked["noticed"]
    if is_installed("dream"):
        assert "now" in asked["parts"]


@pytest.mark.needs("facts")
@pytest.mark.needs("intake")
def test_facts_are_asked_for_of_every_chat_and_the_others_beside_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No later page asks for the facts of a chat: one in eight went without, in each of two lives."""
    monkeypatch.setattr(f"{__name__}.IDENTITY", "You keep the light, and count the days. " * 30)
    pages = [
        ask(8192, Much(15, 40, 12, 0, 9, 0, 20, pages)) for pages in range(2 * OTHERS_NEXT * OTHERS_FIRST)
    ]
    assert all("facts" in made.parts for made in pages)
    assert any("intake" in made.parts for made in pages)


@pytest.mark.needs("facts")
@pytest.mark.needs("intake")
def test_facts_are_asked_for_of_nearly_every_chat_of_a_long_identity() -> None:
    others = sum(not part.first for part in page_parts())
    pages = [ask(8192, Much(15, 40, 12, 0, 9, 0, 20, pages)) for pages in range(others * OTHERS_FIRST)]
    assert sum("facts" in made.parts for made in pages) >= len(pages) - others
    assert any("intake" in made.parts for made in pages)
    assert all(("facts" in made.parts) != ("What I know for sure" in made.waits) for made in pages)


def test_flags_that_a_prompt_has_no_room_for_stay_due() -> None:
    made = ask(8192, Much(flags=12, long=30))
    assert made.flags is not None
    assert 0 < len(made.flags) < 12
    assert "Mark 0:" in made.prompt
    assert "Mark 11:" not in made.prompt


@pytest.mark.needs("facts")
def test_what_has_no_room_is_told_with_the_way_to_more_room(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was called "left for a later page", and no later page asked for the facts of that day."""
    reel("record", "-", stdin=chat()).ok()
    monkeypatch.setattr("reel_cli.features.page.prompt.room.prompt_words", lambda cap: cap // 15)
    told = " ".join(reel("checkpoint", "--prompt").ok().err.split())
    assert "This prompt has no room to ask for “What I know for sure”." in told
    assert "If your model holds more: reel config window 16K" in told
    reel("config", "window", "16K").ok()
    assert "no room to ask" not in reel("checkpoint", "--prompt").ok().err
    assert "window: 16K" in (kit / "kit.yaml").read_text()
