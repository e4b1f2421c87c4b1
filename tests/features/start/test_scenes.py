"""Scenes in a bundle: what was said, word for word, in the room that is left."""

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.pack.words import SCENES
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.memory import Level, Memory, memory_path
from reel_cli.core.values.talk import Conversation, Message, SourceRange, session_path
from reel_cli.features.start.scene_choice import Piece, SceneChooser, find_leads
from tests.support.cli import Reel
from tests.support.kits_at_random import Files

KITS = Path(__file__).resolve().parents[3] / "kits"

LEFT_OUT = "[…]"


def packed(reel: Reel, *said: str) -> dict[str, object]:
    """The bundle at 8K of a kit in which this was said, turn by turn."""
    messages = [
        {"role": "assistant" if turn % 2 else "user", "content": text} for turn, text in enumerate(said)
    ]
    reel("record", "-", stdin=json.dumps({"messages": messages})).ok()
    bundle: dict[str, object] = json.loads(reel("pack", "--window", "8k", "--json").ok().out)
    return bundle


def used(bundle: dict[str, object]) -> float:
    """The part of a bundle's room that is used."""
    tokens, cap, live = (bundle[key] for key in ("tokens", "cap", "live"))
    assert isinstance(tokens, int)
    assert isinstance(cap, int)
    assert isinstance(live, int)
    return tokens / (cap - live)


@pytest.mark.parametrize(
    "word", ["a" * 60_000, "https://example.org/" + "q7/" * 3_000], ids=["a row of one letter", "an address"]
)
def test_a_word_too_long_for_the_room_is_never_begun(reel: Reel, kit: Path, word: str) -> None:
    bundle = packed(reel, word, f"Oh. {word}", word, word)
    assert used(bundle) <= 1


def test_where_words_have_no_blanks_between_them_the_room_is_used_too(reel: Reel, kit: Path) -> None:
    said = [f"第{turn}夜、彼は港で灯台守のリダに会い、古い地図と鍵を渡した。" * 12 for turn in range(40)]
    bundle = packed(reel, *said)
    assert 0.97 <= used(bundle) <= 1
    assert LEFT_OUT in str(bundle["text"])


def test_a_memory_that_was_let_go_is_not_told_by_its_scenes(reel: Reel) -> None:
    reel("init", "ada", "--template", str(KITS / "ada")).ok()
    reel.cwd = reel.cwd / "ada"
    memories = json.loads(reel("memory", "list", "--json").ok().out)
    last = next(one for one in reversed(memories) if not one["immune"])
    session = last["sessions"][0]
    assert session in scenes(reel)
    reel("forget", last["id"], "--yes").ok()
    assert session not in scenes(reel)
    reel("restore", last["id"]).ok()
    assert session in scenes(reel)


def scenes(reel: Reel) -> list[str]:
    """The sessions of which a large bundle tells scenes."""
    bundle = json.loads(reel("pack", "--window", "128k", "--json").ok().out)
    return [item["id"] for item in bundle["loaded"] if item["ring"] == "scenes"]


def test_the_scenes_of_an_evening_stand_below_its_memory(reel: Reel) -> None:
    reel("init", "ada", "--template", str(KITS / "ada")).ok()
    reel.cwd = reel.cwd / "ada"
    bundle = json.loads(reel("pack", "--window", "128k", "--json").ok().out)
    newest = json.loads(reel("memory", "list", "--json").ok().out)[-1]
    order = [(item["ring"], item["id"]) for item in bundle["loaded"]]
    assert order[order.index(("3", newest["id"])) + 1] == ("scenes", newest["sessions"][0])
    assert f"\n#### {SCENES}\n" in bundle["text"]


WORDS = [
    f"{a}{b}" for a in ("lamp", "pier", "bowl", "kiln", "rain", "sail") for b in ("light", "wood", "side")
]


def life(evenings: int, sentences: int = 2) -> Files:
    """A kit with as many talks, each too long for all to fit, and no memory of them."""
    files = {"kit.yaml": b"name: Ada\nuser: Bo\nwindow: 16k\n", "ring0/identity.md": b"I am Ada.\n"}
    for number in range(evenings):
        at = datetime(2026, 1, 1, 20, tzinfo=UTC) + timedelta(days=3 * number)
        messages = [
            Message(
                "assistant" if turn % 2 else "user",
                f"The {WORDS[(turn * 5 + number) % 18]} {number} by {WORDS[(turn + number * 7) % 18]}. "
                * sentences,
                time=(at + timedelta(minutes=turn)).isoformat(),
            )
            for turn in range(60)
        ]
        name = f"{at:%Y-%m-%d}-1"
        files[session_path(name)] = render_session(name, Conversation("generic", messages))
    return Files(files)


def test_what_was_told_of_earlier_evenings_stays_from_one_evening_to_the_next() -> None:
    alike = []
    evenings = [pack_snapshot(life(many).snapshot()).text for many in range(12, 21)]
    for one, other in pairwise(evenings):
        head, more = "## Word for word\n", "## More of it, word for word\n"
        assert one.index(head) < one.index(more)
        alike.append(other.startswith(one[: one.index(more)]))
    # what is settled moves on with every eighth evening
    assert alike.count(False) == 1


def test_what_no_longer_holds_of_a_memory_moves_no_scene() -> None:
    def scenes(no_longer: str) -> str:
        files = dict(life(16).files)
        for number in range(1, 9):
            day = f"{datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=3 * number - 3):%Y-%m-%d}"
            told = Memory(
                f"M-{number:03d}", "Evening", Level.L1, "\n## What happened\n\nWe sat by the pier.\n",
                source=(SourceRange(f"{day}-1", 1, 9),), sessions=(f"{day}-1",), no_longer=no_longer,
            )  # fmt: skip
            files[memory_path(told.id)] = render_memory(told).encode()
        text = pack_snapshot(Files(files).snapshot()).text
        return text.partition("## Word for word\n")[2].partition("\n## ")[0]

    assert scenes("")
    assert scenes("the lamplight and the pierwood: " + "another one, " * 30) == scenes("")


def test_a_talk_read_for_an_earlier_bundle_is_told_as_if_it_were_read_anew(reel: Reel) -> None:
    reel("init", "ada", "--template", str(KITS / "ada")).ok()
    reel.cwd = reel.cwd / "ada"
    reel("pack", "--window", "32k").ok()
    talk = {"messages": [{"role": "user", "content": "The heron stood in the canal again, at 7."}]}
    reel("record", "-", stdin=json.dumps(talk)).ok()
    known = reel("pack", "--window", "32k", "--json").ok().out
    (reel.cwd / ".reel" / "cache" / "catalog.sqlite").unlink()
    assert reel("pack", "--window", "32k", "--json").ok().out == known
    assert "The heron stood in the canal again, at 7." in known


def test_a_talk_that_was_changed_by_hand_is_told_no_longer(reel: Reel) -> None:
    reel("init", "ada", "--template", str(KITS / "ada")).ok()
    reel.cwd = reel.cwd / "ada"
    told = scenes(reel)
    file = reel.cwd / session_path(told[-1])
    file.write_text(file.read_text().replace(" the ", " a ", 1))
    left = scenes(reel)
    assert told[-1] not in left
    assert left


def test_a_short_turn_is_told_with_the_one_that_it_answers() -> None:
    said = [
        "Which day does Dr. Kempka see you in Gdansk?",
        "Tuesday the 21st of July, 11:40.",
        "Rain all day.",
    ]
    pieces = [Piece(0, turn, 0, text) for turn, text in enumerate(said)]
    leads = find_leads(pieces)
    assert leads == {1: 0, 2: 1}
    assert find_leads([Piece(0, 0, 0, "Afternoon!"), Piece(0, 1, 0, f"{said[0]} {LONG}")]) == {0: 1}
    chosen = [*SceneChooser(pieces, range(3), (), leads=leads).choose(lambda piece: len(piece.text), 80)]
    assert chosen == [0, 1]
    alone = [*SceneChooser(pieces, range(3), (), leads=leads).choose(lambda piece: len(piece.text), 50)]
    assert alone == [0]


LONG = "I went aboard in thirty-one to cook for a fortnight and came off her twenty-one years after. " * 2


def test_an_answer_of_a_few_sentences_is_told_with_what_it_answers() -> None:
    for answer in (
        "Efe carries, Isio studies stones. It won't happen again.",
        "You'd have been a day late with a clean shirt. Eleventh it is.",
        f"She looks at your boots. {LONG}",
    ):
        assert find_leads([Piece(0, 1, 0, LONG), Piece(0, 2, 0, answer)]) == {1: 0}
    assert find_leads([Piece(0, 1, 0, "Where were you?"), Piece(0, 2, 0, LONG)]) == {1: 0}
    assert find_leads([Piece(0, 1, 0, LONG), Piece(0, 1, 1, LONG)]) == {1: 0}
    assert find_leads([Piece(0, 1, 0, LONG), Piece(0, 2, 0, LONG)]) == {}


def test_moments_of_a_talk_in_which_something_was_played_say_so() -> None:
    def packed_with(happened: str) -> str:
        files = dict(life(16, 6).files)
        told = Memory(
            "M-001", "Evening", Level.L1, f"\n## What happened\n\n{happened}\n",
            source=(SourceRange("2026-01-01-1", 1, 9),), sessions=("2026-01-01-1",),
        )  # fmt: skip
        files[memory_path(told.id)] = render_memory(told).encode()
        return pack_snapshot(Files(files).snapshot(), BundleRequest(window=16_384)).text

    for played in (
        "We played Captain Marrow.",
        "We played Kes and the tollkeeper.",
        "Tonight we played out the whole harbour scene.",
        "We play that we were keepers.",
    ):
        assert "### 1 January 2026 (some of it played, not lived)\n" in packed_with(played), played
    plain = (
        "We played chess. She plays the organ. We played the piano together, and we always play darts. The"
        " play is long. They play with me in the garden. We never played a scene. We played Chopin."
    )
    assert "not lived" not in packed_with(plain)


def test_an_answer_of_one_word_does_not_stand_alone_in_a_small_window() -> None:
    turns = [
        f"The {WORDS[at % 18]} of {at} stood in the yard behind the old {WORDS[at * 5 % 18]} until noon."
        for at in range(60)
    ]
    turns[1::6] = [f"It was Ludwig Kempka {at} in Gdansk." for at in range(10)]
    messages = [Message("assistant" if at % 2 else "user", text) for at, text in enumerate(turns)]
    told = {
        session_path(name): render_session(name, Conversation("generic", messages))
        for name in (f"2026-{month:02d}-04-1" for month in range(2, 12))
    }
    files = Files({**life(1).files, **told})
    lines = pack_snapshot(files.snapshot(), BundleRequest(window=8192)).text.split("\n\n")
    answers = [at for at, line in enumerate(lines) if "Ludwig" in line]
    assert answers
    assert [
        lines[at - 1] for at in answers if LEFT_OUT in lines[at - 1] or lines[at - 1].startswith("#")
    ] == []


def test_in_a_small_window_the_persona_s_own_short_turns_count_for_more() -> None:
    # turns long enough to stand alone
    kit = life(40, 6)
    told = pack_snapshot(kit.snapshot(), BundleRequest(window=8192)).text
    assert told.count("\nAda: ") > 3 * told.count("\nBo: ") > 0
    large = pack_snapshot(kit.snapshot(), BundleRequest(window=32_768)).text
    assert large.count("\nAda: ") < 2 * large.count("\nBo: ")
