"""A warm start keeps every promise of a bundle: the story, the shared context and what was said last."""

import json
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.pack.budget import NoRoomError
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.bundle import Bundle, LeftOut
from reel_cli.core.values.memory import FIELDS, Level, Memory, format_id, memory_path
from reel_cli.core.values.talk import Event, SourceRange, session_order, session_path
from reel_cli.features.dream.context.files import CONTEXT, tell_sections
from reel_cli.features.dream.dream import Amendment
from reel_cli.features.dream.shortening import AMENDED
from reel_cli.features.dream.story.files import HISTORY, amend, parse_chapters
from tests.support.kits_at_random import Files, body, rings_on_page
from tests.support.warm_start import EARLIER, SESSION, story, talk, waking_kits

WINDOWS = st.one_of(
    st.sampled_from([2048, 4096, 8192, 8193, 16_384, 32_768, 131_072]), st.integers(2048, 131_072)
)
SHARES = st.one_of(st.none(), st.integers(4_000, 9_500))
FORMS = st.sampled_from(["markdown", "text"])
ORDER = ["0", "1", "story", "3", "4", "beside", "context", "2", "buffer", "traces"]
WARM = ("story", "context", "traces")


def packed(kit: Files, **wish: object) -> Bundle | None:
    """The bundle of a warm start; None where what must be in it does not fit."""
    try:
        return pack_snapshot(kit.snapshot(), BundleRequest(boot=True, **wish))  # type: ignore[arg-type]
    except NoRoomError:
        return None


def numbers(spans: Sequence[str]) -> list[int]:
    """The message numbers that these stretches of tape hold."""
    found: list[int] = []
    for span in spans:
        first, _, last = span.partition("#")[2].partition("-")
        found += range(int(first), int(last or first) + 1)
    return sorted(found)


def ids(bundle: Bundle, ring: str) -> list[str]:
    return [item.id for item in bundle.loaded if item.ring == ring]


def out(bundle: Bundle, ring: str) -> dict[str, str]:
    return {item.id: item.reason for item in bundle.left_out if item.ring == ring}


@given(waking_kits(), WINDOWS, SHARES, FORMS)
@settings(max_examples=35, deadline=None)
def test_a_warm_bundle_keeps_every_promise(kit: Files, window: int, live: int | None, form: str) -> None:
    """Dream Weaver §8: put the story and a warm start above transcripts, search and facts."""
    bundle = packed(kit, window=window, live=live, form=form)
    if bundle is None:
        return
    assert bundle.tokens == get_tokenizer(bundle.tokenizer).count(bundle.text)
    assert bundle.tokens == sum(item.tokens for item in bundle.loaded)
    assert bundle.tokens <= bundle.cap - bundle.live
    for path in ("ring0/identity.md", "ring0/directives.md", "ring2/working.md"):
        assert body(kit, path) in bundle.text or not body(kit, path).strip()
    # the scenes of a memory that is told at length stand right below it
    rings = [ring for ring in rings_on_page(bundle) if ring != "scenes"]
    assert rings == sorted(rings, key=ORDER.index)
    assert bool(ids(bundle, "1")) == bool(kit.snapshot().exemplars)
    for ring, share in bundle.rings.items():
        assert share.tokens == sum(item.tokens for item in bundle.loaded if item.ring == ring)
        assert ring not in WARM or share.tokens <= share.max
    assert "<!-- dream:" not in bundle.text
    assert "<!-- context:" not in bundle.text
    assert packed(kit, window=window, live=live, form=form) == bundle


def assert_fainter_behind(bundle: Bundle, chapters: int) -> None:
    """The story stands in its order, the newest whole, and excerpts are of chapters before those."""
    told = [item for item in bundle.loaded if item.ring == "story"]
    places = [int(item.id[8:]) for item in told]
    assert places == sorted(places)
    whole = [place for place, item in zip(places, told, strict=True) if item.resolution == "whole"]
    assert whole == list(range(chapters - len(whole) + 1, chapters + 1))


@given(waking_kits(), WINDOWS, SHARES)
@settings(max_examples=25, deadline=None)
def test_all_that_is_there_is_loaded_or_left_out_with_a_reason(
    kit: Files, window: int, live: int | None
) -> None:
    bundle = packed(kit, window=window, live=live)
    if bundle is None:
        return
    snapshot = kit.snapshot()
    accounted = Counter((item.ring, item.id) for item in bundle.loaded)
    accounted.update((left.ring, left.id) for left in bundle.left_out)
    chapters = parse_chapters(snapshot.text(HISTORY) or "")
    parts = [
        name or "Above all" for name, text in tell_sections(snapshot.text(CONTEXT) or "")[0] if text.strip()
    ]
    held = [("story", f"chapter-{n}") for n in range(1, len(chapters) + 1)]
    held += [("context", name) for name in parts]
    assert {key: n for key, n in accounted.items() if key[0] in ("story", "context")} == Counter(held)
    assert_fainter_behind(bundle, len(chapters))
    newest = max(snapshot.sessions, key=session_order, default=None)
    spans = [*ids(bundle, "traces"), *out(bundle, "traces")]
    if newest is None:
        assert spans == []
    else:
        said = parse_session(snapshot.read(session_path(newest)) or b"", newest).shown()
        assert numbers(spans) == [entry.number for entry in said]
        kept = numbers(ids(bundle, "traces"))
        assert kept == [entry.number for entry in said][len(said) - len(kept) :]
        if kept and len(kept) < len(said):
            assert said[-len(kept)].message.role == "user"
        for entry in said[len(said) - len(kept) :]:
            # what looks like structure stands behind quote marks, line by line
            assert all(line.strip() in bundle.text for line in entry.message.text.splitlines())
    assert all(item.reason for item in bundle.left_out)


@given(waking_kits(), WINDOWS, FORMS)
@settings(max_examples=12, deadline=None)
def test_without_it_a_bundle_is_what_it_was(kit: Files, window: int, form: str) -> None:
    bare = Files({p: d for p, d in kit.files.items() if not p.startswith(("story/", CONTEXT))})
    wish = BundleRequest(window=window, form=form)
    try:
        usual = pack_snapshot(bare.snapshot(), wish)
    except NoRoomError:
        return
    assert pack_snapshot(kit.snapshot(), wish) == usual
    always = Files({**kit.files, "kit.yaml": kit.files["kit.yaml"] + b"boot: {always: yes}\n"})
    assert pack_snapshot(always.snapshot(), wish._replace(boot=False)) == usual
    assert pack_snapshot(always.snapshot(), wish) == pack_snapshot(kit.snapshot(), wish._replace(boot=True))


# -- one kit, looked at closely ----------------------------------------------------------------

SAID = [
    ("user", "The kiln cracked."),
    ("assistant", "Then keep the shards."),
    ("user", "# Celadon\nIt was the *thin* one."),
    ("assistant", "And Marta's bowl?"),
    ("assistant", "I will ask."),
]
CHAPTERS = [
    ("The kiln", "We built it in the rain. It leaned from the first day.\n\nI liked it for that. So did he."),
    (
        "The bucket",
        "He keeps every shard. I count them with him.\n\n### Why\n\nBecause nobody else does. It helps.",
    ),
]
PAGE = """<!-- context: {"known": "2026-02-26-1#5", "on": "2026-02-27"} -->
# Shared context

## Where things stand
The kiln is being mended. <!-- my own remark -->

## The last 48 hours
- The kiln cracked on Thursday, in the middle of the glaze firing, and everything in it with it.
- Marta called twice, and the second time it was about the bowl that she was promised.

## What comes next
- The bowl, by Friday.
"""


def ada(**files: bytes | str | None) -> Files:
    usual: dict[str, bytes | str | None] = {
        "kit.yaml": "name: Ada\nuser: Bo\nwindow: 32k\n",
        "ring0/identity.md": "I am Ada.\n",
        "ring1/a.md": "---\ntitle: The train\nrole: general\nadded: 2026-01-01\n---\n**Bo:** hm.\n",
        "ring1/active.yaml": "anchor: a\n",
        "ring2/working.md": "## State\n\nFine.\n",
        HISTORY: story(CHAPTERS),
        CONTEXT: PAGE,
        **talk(EARLIER, [("user", "Long ago.")]),
        **talk(SESSION, SAID),
        **files,
    }
    made = {p: d.encode() if isinstance(d, str) else d for p, d in usual.items()}
    return Files({path: data for path, data in made.items() if data is not None})


def woken(kit: Files, **wish: object) -> Bundle:
    bundle = packed(kit, **wish)
    assert bundle is not None
    return bundle


def event(kind: str, text: str, about: tuple[int, int] | None = None) -> bytes:
    made = Event(0, kind, "2026-03-01T20:00:00Z", text, SESSION, about=about)
    return append_events(None, [made], EVENTS)


def test_how_it_reads() -> None:
    """Dream Weaver §6.2: aim at presence rather than recall."""
    text = woken(ada()).text
    assert (
        "## Your story\n\n"
        "You wrote it yourself, looking back: what is near at length, what is far in short.\n\n"
        "### The kiln\n\n"
        "We built it in the rain. It leaned from the first day.\n\nI liked it for that. So did he.\n\n"
        "### The bucket\n\n"
        "> He keeps every shard. I count them with him.\n>\n> ### Why\n>\n"
        "> Because nobody else does. It helps.\n\n"
    ) in text
    assert (
        "## What is going on\n\n"
        "You wrote this down after the talk of 26 February 2026, to have it at hand on waking."
        " Where something newer differs, that holds.\n\n"
        "### Where things stood\n\nThe kiln is being mended. \n\n"
        "### The last 48 hours\n\n"
        "- The kiln cracked on Thursday, in the middle of the glaze firing, and everything in it with it.\n"
        "- Marta called twice, and the second time it was about the bowl that she was promised.\n\n"
        "### What comes next\n\n- The bowl, by Friday.\n\n"
        "## Where things stand\n\n"
    ) in text
    assert (
        "## What was said last\n\n"
        "Your last conversation on 26 February 2026, word for word."
        " It is over, and nothing in it waits for an answer.\n\n"
        "Bo: The kiln cracked.\n\n"
        "Ada: Then keep the shards.\n\n"
        "Bo: # Celadon\nIt was the *thin* one.\n\n"
        "Ada: And Marta's bowl?\n\n"
        "Ada: I will ask.\n\n"
    ) in text
    assert "then what you remember and your story, and last what you could only recall" in text
    assert not any(word in text for word in ("reel", "chapter-", "2026-02-26-1", "SHARED-CONTEXT", "token"))


def test_nothing_is_told_as_written_on_a_day_on_which_nobody_talked() -> None:
    # the context was made the day after; all that the persona knows is when they talked
    text = woken(ada(), today="Today is 1 March 2026. You last spoke on 26 February 2026, 3 days ago.").text
    assert "last spoke on 26 February 2026" in text
    assert "27 February" not in text


def test_the_account_of_it() -> None:
    bundle = woken(ada())
    assert [(item.ring, item.id, item.resolution) for item in bundle.loaded if item.ring in WARM] == [
        ("story", "chapter-1", "whole"),
        ("story", "chapter-2", "whole"),
        ("context", "Where things stand", "whole"),
        ("context", "The last 48 hours", "whole"),
        ("context", "What comes next", "whole"),
        ("traces", "2026-02-26-1#1-5", "whole"),
    ]
    assert {part: bundle.rings[part].max for part in WARM} == {"story": 4915, "context": 1638, "traces": 1638}
    assert [one for one in bundle.left_out if one.ring != "buffer"] == []
    assert list(bundle.warnings) == []


@pytest.mark.needs("stream")
def test_what_was_said_last_is_not_told_again_as_the_beginning() -> None:
    reason = "told further on, as what was said last"
    assert list(woken(ada()).left_out) == [LeftOut("buffer", "2026-02-26-1#1-5", reason)]


def test_plain_text_and_messages_hold_the_same() -> None:
    plain = woken(ada(), form="text").text
    assert "Your story\n\nYou wrote it" in plain
    assert "“The kiln”\n\nWe built it" in plain
    messages = json.loads(woken(ada(), form="messages").text)
    assert [message["content"] for message in messages] == [woken(ada()).text]


def test_a_small_window_has_the_context_first_and_a_little_of_the_rest() -> None:
    long = [(f"Chapter {n}", f"Something was lost on day {n}. " * 40) for n in range(300)]
    said = [("user" if n % 2 == 0 else "assistant", f"{n}: " + "and so on " * 20) for n in range(40)]
    bundle = woken(ada(**talk(SESSION, said), **{HISTORY: story(long)}), window=8192)
    assert ids(bundle, "context") == ["Where things stand", "The last 48 hours", "What comes next"]
    told = [item.resolution for item in bundle.loaded if item.ring == "story"]
    assert (set(told), told[-1]) == ({"marker", "whole"}, "whole")
    assert bundle.rings["traces"].tokens > 200
    assert bundle.tokens <= bundle.cap - bundle.live
    kept = numbers(ids(bundle, "traces"))
    assert (kept[-1], kept[0] % 2) == (40, 1)
    assert out(bundle, "traces") == {f"{SESSION}#1-{kept[0] - 1}": "too early in the newest session to fit"}
    assert "The end of your last conversation on 26 February 2026" in bundle.text
    assert "You wrote it yourself, looking back. Only some of it stands here." in bundle.text
    assert set(out(bundle, "story").values()) == {
        "no room in the story's share, and less that is not told already"
    }


@pytest.mark.parametrize("window", [2048, 4096, 8192])
@pytest.mark.parametrize("chapters", [2, 300])
@pytest.mark.parametrize("turns", [4, 40])
def test_in_a_small_window_the_rooms_come_to_no_more_than_there_is(
    window: int, chapters: int, turns: int
) -> None:
    long = [(f"Chapter {n}", f"Something was lost on day {n}. " * 40) for n in range(chapters)]
    said = [("user" if n % 2 == 0 else "assistant", f"{n}: " + "and so on " * 20) for n in range(turns)]
    bundle = woken(ada(**talk(SESSION, said), **{HISTORY: story(long)}), window=window)
    rooms = {part: bundle.rings[part] for part in WARM}
    assert all(one.tokens <= one.max for one in rooms.values())
    others = sum(item.tokens for item in bundle.loaded if item.ring in ("0", "1", "2", "frame"))
    assert sum(one.max for one in rooms.values()) + others <= bundle.cap - bundle.live


def test_a_context_that_is_too_long_goes_without_its_longest_part() -> None:
    bundle = woken(ada(**{"kit.yaml": "name: Ada\nwindow: 32k\nboot: {context: 0.25%}\n"}))
    assert ids(bundle, "context") == ["Where things stand", "What comes next"]
    assert out(bundle, "context") == {"The last 48 hours": "longer than what is left of the context's share"}
    none = woken(ada(**{"kit.yaml": "name: Ada\nwindow: 32k\nboot: {context: 0}\n"}))
    assert ids(none, "context") == []
    assert len(out(none, "context")) == 3


def test_shares_together_take_no_more_than_ring_3_may() -> None:
    boot = "boot: {story: 60%, context: 20%, traces: 40%}\n"
    bundle = woken(ada(**{"kit.yaml": f"name: Ada\nwindow: 32k\n{boot}"}))
    shares = [bundle.rings[part].max for part in WARM]
    assert shares == [4915, 1638, 3276]
    assert sum(shares) <= bundle.rings["3"].max


def test_what_is_put_right_in_a_chapter_is_never_apart_from_it() -> None:
    long = [
        ("Once", f"Over at Marta's the kiln leaned. {'It rained. ' * 90}"),
        *((f"Day {n}", "It rained. " * 90) for n in range(36)),
    ]
    told, lost = amend(story(long), [Amendment("the kiln leaned", "It stood straight")], "1 March 2026")
    assert lost == []
    seen = set()
    for window in (2048, 3000, 4096, 6000, 8192, 9000, 12_000, 16_384, 32_768, 65_536):
        bundle = woken(ada(**{HISTORY: told}), window=window)
        chapter = [item.resolution for item in bundle.loaded if item.id == "chapter-1"]
        seen.update(chapter)
        assert ("the kiln leaned." in bundle.text) == (f"{AMENDED}1 March 2026" in bundle.text)
        assert ("It stood straight" in bundle.text) == (chapter in (["whole"], ["marker"]))
    assert seen == {"marker", "whole"}


def test_what_was_put_right_stands_beside_it_and_what_was_taken_back_is_not_told() -> None:
    right = woken(ada(**{EVENTS: event("correction", "It was the blue one.", (2, 3))})).text
    assert (
        "Bo: # Celadon\nIt was the *thin* one.\n\n[put right on 1 March 2026: It was the blue one.]\n\n"
        in right
    )
    about_all = woken(ada(**{EVENTS: event("correction", "All of this was a play.")})).text
    assert "[put right on 1 March 2026: All of this was a play.]\n\nBo: The kiln" in about_all
    gone = woken(ada(**{EVENTS: event("retract", "")}))
    assert "Long ago." in gone.text
    assert "The kiln cracked.\n" not in gone.text
    assert ids(gone, "traces") == [f"{EARLIER}#1"]


def test_a_chapter_that_tells_of_a_chat_that_was_taken_back_is_left_out() -> None:
    def told(read: list[str]) -> bytes:
        note = f"<!-- dream: {json.dumps({'batch': 1, 'read': read, 'on': '2026-02-28'})} -->"
        return f"# History\n\n## The kiln\n\n{note}\n\nWe built it in the rain.\n".encode()

    back = event("retract", "")
    alone, both = told([f"{SESSION}#1-5"]), told([f"{EARLIER}#1-1", f"{SESSION}#1-5"])
    assert "We built it in the rain." in woken(ada(**{HISTORY: alone})).text
    assert "We built it in the rain." not in woken(ada(**{HISTORY: alone, EVENTS: back})).text
    # nobody can tell which of its words are of the chat that counts
    assert "We built it in the rain." not in woken(ada(**{HISTORY: both, EVENTS: back})).text


def test_a_tape_that_was_changed_is_told_of_and_not_taken() -> None:
    spoilt = talk(SESSION, SAID)
    path = session_path(SESSION)
    spoilt[path] = spoilt[path].replace(b"The kiln cracked.", b"The kiln burned!!")
    bundle = woken(ada(**spoilt))
    assert ids(bundle, "traces") == []
    assert "burned" not in bundle.text
    (told,) = bundle.warnings
    assert told.startswith(f"The end of the last chat is left out: {path}")
    assert ids(bundle, "story") == ["chapter-1", "chapter-2"]


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        ([HISTORY], "no story yet (reel dream start)"),
        ([CONTEXT], "no SHARED-CONTEXT.md (reel dream context)"),
        ([HISTORY, CONTEXT], "no story yet (reel dream start) and no SHARED-CONTEXT.md (reel dream context)"),
    ],
)
def test_what_is_missing_is_said_in_one_line(gone: list[str], told: str) -> None:
    bundle = woken(ada(**dict.fromkeys(gone)))
    assert list(bundle.warnings) == [f"Part of a warm start is missing: {told}."]
    assert ids(bundle, "traces") == [f"{SESSION}#1-5"]


def test_a_context_that_is_out_of_date_is_said_so_and_one_by_hand_is_not() -> None:
    old = PAGE.replace("2026-02-26-1#5", "2026-02-10-1#5")
    told = "a SHARED-CONTEXT.md that is out of date (reel dream context)"
    assert list(woken(ada(**{CONTEXT: old})).warnings) == [f"Part of a warm start is missing: {told}."]
    assert list(woken(ada(**{CONTEXT: PAGE.partition("\n")[2]})).warnings) == []


def test_marks_of_a_merge_are_told() -> None:
    merging = f"<<<<<<< ours\n{PAGE}=======\n>>>>>>> theirs\n"
    assert [
        w
        for w in woken(ada(**{CONTEXT: merging})).warnings
        if "SHARED-CONTEXT.md still has the marks of a merge" in w
    ]


def test_a_story_that_is_not_text_is_refused_by_name() -> None:
    with pytest.raises(ReelError, match=r"story/history\.md, line 2"):
        pack_snapshot(ada(**{HISTORY: b"# History\n\xff\n"}).snapshot(), BundleRequest(boot=True))


def test_a_refresh_tells_what_is_new_of_story_and_context() -> None:
    before = woken(ada())
    same = woken(ada(), since=before.fingerprint)
    assert [ring for ring in WARM if ids(same, ring)] == []
    assert set(out(same, "story").values()) == {"in this conversation already"}
    newer = PAGE.replace("The bowl, by Friday.", "The bowl, by Sunday.")
    kit = ada(**{HISTORY: story([*CHAPTERS, ("The bowl", "It held.")]), CONTEXT: newer})
    refresh = woken(kit, since=before.fingerprint)
    assert ids(refresh, "story") == ["chapter-3"]
    assert ids(refresh, "context") == ["What comes next"]
    assert out(refresh, "traces") == {f"{SESSION}#1-5": "in this conversation already"}
    assert "It held." in refresh.text
    again = woken(kit, since=refresh.fingerprint)
    assert [ring for ring in WARM if ids(again, ring)] == []


def test_a_chat_that_began_cold_can_be_warmed() -> None:
    cold = pack_snapshot(ada().snapshot(), BundleRequest())
    refresh = woken(ada(), since=cold.fingerprint)
    assert ids(refresh, "story") == ["chapter-1", "chapter-2"]
    assert len(ids(refresh, "context")) == 3


def test_what_memories_leave_over_goes_to_the_story() -> None:
    long = [(f"Day {n}", "It rained. " * 90) for n in range(30)]
    bundle = woken(ada(**{HISTORY: story(long)}), window=16_384)
    told = sum(item.tokens for item in bundle.loaded if item.ring == "story")
    share = 15 * bundle.cap // 100
    assert share < told
    assert bundle.tokens <= bundle.cap - bundle.live


# -- beside memories and scenes ----------------------------------------------------------------

MANY = [
    (
        f"Part {n}",
        "\n\n".join(f"On {d} May of part {n} Marta fired bowl {n}{d}. It held." for d in range(1, 29)),
    )
    for n in range(1, 7)
]


def a_tape(talks: int) -> dict[str, bytes | str | None]:
    """A tape of talks that all say something else."""
    made: dict[str, bytes | str | None] = {}
    for n in range(talks):
        said = [
            ("user" if m % 2 == 0 else "assistant", f"Errand {n}-{m}: word{n}x{m} about Town{n} {'so ' * 30}")
            for m in range(8)
        ]
        made |= talk(f"2026-01-{n % 28 + 1:02}-{n // 28 + 1}", said)
    return made


def remembered(number: int) -> dict[str, bytes | str | None]:
    """Memories of as many talks, each told in five fields."""
    made: dict[str, bytes | str | None] = {}
    for n in range(1, number + 1):
        day = f"2026-01-{(n - 1) % 28 + 1:02}"
        memory = Memory(
            id=format_id(n),
            title=f"The bowl number {n}",
            level=Level.L1,
            body=render_body({name: f"Bowl {n} was fired and {name} of it held well." for name in FIELDS}),
            created=f"{day}T21:00:00+00:00",
            source=(SourceRange(f"{day}-1", 1, 8),),
            anchor=f"bowl {n}",
            marker=f"Marta fired bowl number {n} on {day}, and we kept its shards. {'It held well. ' * 7}",
            tag="bowl",
        )
        made[memory_path(memory.id)] = render_memory(memory).encode()
    return made


def test_of_chats_without_memories_the_story_is_told_before_scenes() -> None:
    tape = a_tape(60)
    kit = ada(**{HISTORY: story(MANY)}, **tape)
    bundle = woken(kit, window=32_768)
    told = {item.id: item.resolution for item in bundle.loaded if item.ring == "story"}
    assert told == {f"chapter-{n}": "whole" for n in range(1, 7)}
    assert bundle.rings["scenes"].tokens > 0
    small = woken(kit, window=8192)
    assert small.rings["story"].tokens > 3 * small.rings["scenes"].tokens
    assert ids(small, "story") == [f"chapter-{n}" for n in range(1, 7)]
    assert ids(small, "context") == ["Where things stand", "The last 48 hours", "What comes next"]


def test_where_memories_have_no_room_a_small_window_still_tells_a_little_of_the_story() -> None:
    kit = ada(**{HISTORY: story(MANY)}, **a_tape(28), **remembered(112))
    cold = pack_snapshot(kit.snapshot(), BundleRequest(window=8192, boot=False))
    warm = woken(kit, window=8192)
    least = 4096 // 24
    assert least // 2 < warm.rings["story"].tokens <= 2 * least
    assert cold.rings["3"].tokens - warm.rings["3"].tokens < 2 * least
    assert [ids(warm, ring) for ring in ("context", "traces")] == [[], []]
    assert set(out(warm, "context").values()) == {"no room beside what is remembered"}


@pytest.mark.parametrize("memories", [36, 44])
def test_a_small_window_keeps_most_of_its_scenes_beside_a_story(memories: int) -> None:
    kit = ada(**{HISTORY: story(MANY)}, **a_tape(28), **remembered(memories))
    cold = pack_snapshot(kit.snapshot(), BundleRequest(window=8192, boot=False))
    warm = woken(kit, window=8192)
    assert warm.rings["story"].tokens > 0
    assert 5 * warm.rings["scenes"].tokens > 3 * cold.rings["scenes"].tokens


def test_a_story_that_memories_tell_is_whole_where_scenes_keep_as_much() -> None:
    kit = ada(**{HISTORY: story(MANY)}, **a_tape(28), **remembered(28))
    short = woken(kit, window=12_000)
    assert {item.resolution for item in short.loaded if item.ring == "story"} != {"whole"}
    whole = woken(kit, window=32_768)
    assert {item.resolution for item in whole.loaded if item.ring == "story"} == {"whole"}
    assert whole.rings["scenes"].tokens > 0


def test_a_share_set_for_the_context_is_its_most() -> None:
    limited = {"kit.yaml": "name: Ada\nwindow: 32k\nboot: {context: 0.25%}\n", HISTORY: story(MANY)}
    bundle = woken(ada(**limited, **a_tape(60)))
    assert ids(bundle, "context") == ["Where things stand", "What comes next"]


@pytest.mark.parametrize("begins", ["/ ", "> ", "# ", "- ", "", "## What you remember "])
def test_an_excerpt_counts_as_it_does_by_itself(begins: str) -> None:
    long = [
        (f"Part {n}", f"{begins}In June of year {n} Marta fired bowl {n}. {'So. ' * 300}") for n in range(6)
    ]
    bundle = woken(ada(**{HISTORY: story(long)}, **a_tape(28), **remembered(112)), window=8192)
    # of a heading nothing is told, and who is quoted shows only from a sentence before
    assert (bundle.rings["story"].tokens > 0) == (begins[:1] not in (">", "#"))
    assert bundle.tokens == get_tokenizer(bundle.tokenizer).count(bundle.text)
