"""Beginning of a conversation: in every bundle, word for word, and at no cost to required parts."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.pack import words
from reel_cli.core.pack.budget import NoRoomError
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.stage_chain import find_syntax
from reel_cli.core.tape.cycles import divide_into_cycles
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import append_entries, parse_session, render_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.talk import (
    PURGED,
    Conversation,
    Entry,
    Event,
    Kind,
    Message,
    SourceRange,
    session_order,
    session_path,
)
from reel_cli.features.stream.beginning import GAVE_WAY, LONG_CYCLE, NO_SHARE
from reel_cli.features.stream.files import STREAM_FILE, render_stream
from reel_cli.features.stream.stream import BUFFER, KeptConversation
from tests.support.kits_at_random import WINDOWS, Files, body
from tests.support.warm_start import EARLIER, SESSION, talk, waking_kits

KIT = {"kit.yaml": b"name: Ada\nuser: Bo\nwindow: 32k\n"}


def numbers(spans: Iterable[str]) -> list[int]:
    found: list[int] = []
    for span in spans:
        first, _, last = span.partition("#")[2].partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def loaded(bundle: Bundle, ring: str = BUFFER) -> list[str]:
    return [one.id for one in bundle.loaded if one.ring == ring]


def left(bundle: Bundle) -> dict[str, str]:
    return {one.id: one.reason for one in bundle.left_out if one.ring == BUFFER}


def packed(files: Files, wish: BundleRequest) -> Bundle | None:
    try:
        return pack_snapshot(files.snapshot(), wish)
    except NoRoomError:
        return None


@pytest.mark.parametrize(
    ("roles", "cycles"),
    [
        ("", []),
        ("u", []),
        ("ua", [[0, 1]]),
        ("uau", [[0, 1]]),
        ("uuaaua", [[0, 1, 2, 3], [4, 5]]),
        ("auaua", [[0, 1, 2], [3, 4]]),
        ("aa", []),
    ],
)
def test_a_cycle_is_a_turn_and_its_reply(roles: str, cycles: list[list[int]]) -> None:
    names = {"u": "user", "a": "assistant"}
    assert divide_into_cycles(names[role] for role in roles) == cycles


@given(waking_kits(), WINDOWS, st.sampled_from([None, 4_000, 7_000, 9_000]), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_promises_of_packing(kit: Files, window: int, live: int | None, boot: bool) -> None:  # noqa: FBT001
    wish = BundleRequest(window=window, live=live, boot=boot)
    off = {**kit.files, "kit.yaml": kit.files["kit.yaml"] + b"buffer: {cycles: 0}\n"}
    bundle, without = packed(kit, wish), packed(Files(off), wish)
    assert (bundle is None) == (without is None)
    if bundle is None or without is None:
        return
    assert bundle.tokens == get_tokenizer(bundle.tokenizer).count(bundle.text)
    assert bundle.tokens == sum(one.tokens for one in bundle.loaded) <= bundle.cap - bundle.live
    for path in ("ring0/identity.md", "ring0/directives.md", "ring2/working.md"):
        assert body(kit, path) in bundle.text or not body(kit, path).strip()
    assert (loaded(without), left(without), BUFFER in without.rings) == ([], {}, False)
    told = numbers(loaded(bundle))
    held, empty = first_said(kit)
    assert sorted({*told, *numbers(left(bundle))} - empty) == held
    assert not {*told}.intersection(numbers(loaded(bundle, "traces")))
    if BUFFER in bundle.rings:
        share = bundle.rings[BUFFER]
        assert (share.min, share.max) == (0, bundle.cap * 5 // 100)
        assert share.tokens <= share.max


def first_said(kit: Files) -> tuple[list[int], set[int]]:
    """The numbers of the first eight cycles of the newest session, and of what says nothing in it."""
    names = sorted((p[10:-3] for p in kit.files if p.startswith("tape/2026/")), key=session_order)
    for name in reversed(names):
        shown = parse_session(kit.files[session_path(name)], name).shown()
        said = [one for one in shown if one.message.text.strip()]
        if shown:
            cycles = divide_into_cycles(one.message.role for one in said)[:8]
            held = sorted(said[place].number or 0 for cycle in cycles for place in cycle)
            return held, {one.number or 0 for one in shown if one not in said}
    return [], set()


def turns(count: int, word: str = "turn") -> list[tuple[str, str]]:
    return [("assistant" if n % 2 else "user", f"{word} {n + 1} it is") for n in range(count)]


def kit_of(*talks: dict[str, bytes], more: str = "", **files: bytes) -> Files:
    made = {**KIT, "kit.yaml": KIT["kit.yaml"] + more.encode()}
    for one in talks:
        made |= one
    return Files({**made, **{path.replace("__", "/"): data for path, data in files.items()}})


def pack_it(files: Files, **wish: int) -> Bundle:
    return pack_snapshot(files.snapshot(), BundleRequest(window=wish.get("window")))


def test_of_the_newest_conversation_the_first_cycles_stand_behind_what_is_remembered() -> None:
    bundle = pack_it(kit_of(talk(EARLIER, turns(30, "old")), talk(SESSION, turns(30))))
    assert loaded(bundle) == [f"{SESSION}#1-16"]
    assert left(bundle) == {}
    section = bundle.text.partition(f"## {words.LAST_BEGAN}\n\n{words.LAST_BEGAN_INTRO}\n\n")[2]
    assert section.startswith("Bo: turn 1 it is\n\nAda: turn 2 it is\n\nBo: turn 3 it is\n\n")
    assert section.partition("## ")[0].endswith("Ada: turn 16 it is\n\n")
    assert "old 1" not in section
    fewer = pack_it(kit_of(talk(SESSION, turns(30)), more="buffer: {cycles: 2, share: 1%}\n"))
    assert loaded(fewer) == [f"{SESSION}#1-4"]
    assert fewer.rings[BUFFER].max == 327


def test_a_conversation_that_is_all_there_has_nothing_newer_after_it() -> None:
    whole = pack_it(kit_of(talk(SESSION, turns(16))))
    assert loaded(whole) == [f"{SESSION}#1-16"]
    assert "What came after them is newer." not in whole.text
    assert f"## {words.LAST_BEGAN}\n\n{words.LAST_WHOLE_INTRO}\n\nBo: turn 1 it is\n\n" in whole.text
    for said in (turns(18), [*turns(2), ("user", "word " * 9000), ("assistant", "Long."), *turns(2, "then")]):
        some = pack_it(kit_of(talk(SESSION, said)))
        assert words.LAST_BEGAN_INTRO in some.text
        assert words.LAST_WHOLE_INTRO not in some.text


def test_no_cycle_is_cut_and_what_does_not_fit_is_named() -> None:
    long = [("user", "word " * 3000), ("assistant", "Long, that.")]
    said = [*turns(2), *long, *turns(4, "then")]
    files = kit_of(talk(SESSION, said))
    bundle = pack_it(files)
    assert loaded(bundle) == [f"{SESSION}#1-2", f"{SESSION}#5-8"]
    assert left(bundle) == {f"{SESSION}#3-4": LONG_CYCLE}
    assert "Ada: turn 2 it is\n\n[…]\n\nBo: then 1 it is\n\n" in bundle.text
    small = pack_it(kit_of(talk(SESSION, [(who, text * 6) for who, text in turns(16)])), window=4096)
    (span,) = loaded(small)
    assert span.startswith(f"{SESSION}#1-")
    assert [*numbers([span]), *numbers(left(small))] == list(range(1, 17))
    assert set(left(small).values()) == {NO_SHARE}


def test_at_8k_what_the_beginning_was_traded_for_is_said() -> None:
    """The document asks for eight cycles, whatever the window; a small one pays for them with memories."""
    every = kit_of(talk(SESSION, turns(30)))
    whole = pack_it(every, window=8192)
    assert loaded(whole) == [f"{SESSION}#1-16"]
    assert not any("began" in line for line in whole.chosen)
    long = kit_of(talk(SESSION, [(who, text * 12) for who, text in turns(30)]))
    some = pack_it(long, window=8192)
    kept = len(numbers(loaded(some))) // 2
    assert 0 < kept < 8
    share = some.rings[BUFFER].max
    told = f"How the chat began: {kept} of the first 8 turns word for word"
    assert some.chosen[-1] == f"{told}; buffer.share gives it {share:,} tokens"
    raised = Files({**long.files, "kit.yaml": long.files["kit.yaml"] + b"buffer: {share: 30%}\n"})
    assert loaded(pack_it(raised, window=8192)) == [f"{SESSION}#1-16"]
    # memories come before it
    files = {**long.files, "ring2/working.md": b"## State\n\n" + b"word " * 1850}
    pressed = pack_it(Files(files), window=4096)
    assert "memories and what else comes before it took the room" in pressed.chosen[-1]
    assert GAVE_WAY in left(pressed).values()


def test_what_was_never_said_or_no_longer_counts_is_not_in_it() -> None:
    messages = [
        Message("system", "SYSTEM"),
        Message("user", "BUNDLE", Kind.BUNDLE),
        Message("user", "good evening"),
        Message("assistant", "HIDDEN", Kind.REASONING),
        Message("assistant", "OTHER", Kind.VERSION),
        Message("assistant", "first said"),
        Message("user", PURGED),
        Message("assistant", "and this"),
        Message("user", "the kiln"),
        Message("assistant", "cold"),
    ]
    path = session_path(SESSION)
    data = render_session(SESSION, Conversation("messages", messages[1:]))
    later = [Entry(7, Message("assistant", "said instead"), supersedes=(2,))]
    events = [Event(1, "correction", "2026-02-27T10:00:00+00:00", "it was the oven", SESSION, about=(5, 5))]
    gone = [Event(2, "retract", "2026-02-27T10:00:00+00:00", "", "2026-02-27-1")]
    files = kit_of({path: data}, talk("2026-02-27-1", turns(4, "taken back")))
    files = Files({**files.files, "tape/events.md": append_events(None, [*events, *gone], EVENTS)})
    bundle = pack_it(files)
    assert loaded(bundle) == [f"{SESSION}#1-2", f"{SESSION}#5-6"]
    told = bundle.text.partition(words.LAST_BEGAN_INTRO)[2].partition("## ")[0]
    assert told.startswith("\n\nBo: good evening\n\nAda: first said\n\n[…]\n\nBo: the kiln\n\n[")
    assert "it was the oven" in told
    never = ("HIDDEN", "OTHER", "BUNDLE", "SYSTEM", "taken back", PURGED)
    assert not any(word in bundle.text for word in never)
    edited = Files({**files.files, path: append_entries(data, [later[0]], path)})
    told = pack_it(edited).text.partition(words.LAST_BEGAN_INTRO)[2].partition("## ")[0]
    assert told.startswith("\n\nBo: good evening\n\nAda: said instead\n\n[…]\n\nBo: the kiln\n\n[")
    assert told.count("it was the oven") == 1


def kept(*whole: SourceRange) -> dict[str, bytes]:
    last = whole[-1]
    made = KeptConversation(last.session, last.last, "The kiln, and what came of it.", whole=whole)
    return {STREAM_FILE: render_stream(made).encode()}


def test_across_its_keeps_a_conversation_has_one_beginning() -> None:
    summary = "The kiln, and what came of it."
    opening = Message("system", f"You are Ada. {summary}", Kind.BUNDLE)
    went_on = {
        session_path(SESSION): render_session(
            SESSION, Conversation("messages", [opening, *(Message(*one) for one in turns(20, "later"))])
        )
    }
    first = talk(EARLIER, turns(6, "first"))
    stream = kept(SourceRange(EARLIER, 1, 6))
    bundle = pack_it(kit_of(first, went_on, stream))
    assert loaded(bundle) == [f"{EARLIER}#1-6", f"{SESSION}#1-10"]
    assert "Ada: first 6 it is\n\n[…]\n\nBo: later 1 it is" in bundle.text
    # kept once more in the chat it went on in, and gone on with in a third
    stream = kept(SourceRange(EARLIER, 1, 6), SourceRange(SESSION, 1, 20))
    assert loaded(pack_it(kit_of(first, went_on, stream))) == loaded(bundle)
    # one that is about something else has a beginning of its own
    other = talk("2026-02-27-1", turns(4, "other"))
    assert loaded(pack_it(kit_of(first, went_on, stream, other))) == ["2026-02-27-1#1-4"]


def test_a_tape_that_was_changed_is_told_of_and_not_taken() -> None:
    spoilt = talk(SESSION, turns(8))
    path = session_path(SESSION)
    spoilt[path] = spoilt[path].replace(b"turn 3", b"TURN 3")
    bundle = pack_it(kit_of(spoilt))
    (told,) = bundle.warnings
    assert told.startswith(f"How the last conversation began is left out: {path}")
    assert loaded(bundle) == []


def test_a_refresh_does_not_tell_it_again() -> None:
    files = kit_of(talk(SESSION, turns(8)))
    before = pack_it(files)
    again = pack_snapshot(files.snapshot(), BundleRequest(since=before.fingerprint))
    assert (loaded(again), left(again)) == ([], {f"{SESSION}#1-8": "in this conversation already"})


def test_the_beginning_and_the_newest_talk_are_told_without_scene_tags() -> None:
    """REEL §5.2: of a scene or a directive on the tape, a bundle tells only what was lived."""
    order = '[CHAIN:DIRECTIVE id="KL-9" from="Keel"]\nMove rig two to Holm.\n[/CHAIN:DIRECTIVE]'
    said = [("user", "[SCENE: the pier]"), ("assistant", "It is late."), ("user", order)]
    files = kit_of(talk(SESSION, [*said, ("assistant", "Then to Holm.")]))
    for boot in (False, True):
        bundle = pack_snapshot(files.snapshot(), BundleRequest(boot=boot))
        assert find_syntax(bundle.text) == []
        assert "Bo: …\n" in bundle.text
        assert "Bo: Move rig two to Holm.\n" in bundle.text
