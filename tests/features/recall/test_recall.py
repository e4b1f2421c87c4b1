"""`reel recall`: a moment found again, told as one remembers it, and kept where a person wants that."""

import io
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.memory_file import parse_memory, render_body, render_memory
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.memory import FIELDS, Level, Memory
from reel_cli.core.values.talk import Conversation, Message, SourceRange, session_path
from reel_cli.features.recall import mcp_tools
from reel_cli.terminal import clipboard
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.core.tape.search.test_confidence import DAYS
from tests.support.cli import Reel, Run, git
from tests.support.lived_kit import BUS, LETTER, PHONE, live
from tests.support.pages import say

INDEX_FILE = ".reel/cache/search.sqlite"


@pytest.fixture
def lived(reel: Reel, kit: Path) -> Path:
    """The kit after three evenings."""
    return live(reel, kit)


def answer(reel: Reel, *arguments: str) -> dict[str, Any]:
    """Return what a program gets."""
    found: dict[str, Any] = json.loads(reel("recall", "--json", *arguments).ok().out)
    return found


def record(kit: Path, session: str, *said: str) -> None:
    """Put a talk of turns by turns on the kit's tape."""
    talk = [Message(("user", "assistant")[at % 2], text) for at, text in enumerate(said)]
    path = kit / session_path(session)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(render_session(session, Conversation("messages", talk)))


def places(found: dict[str, Any]) -> list[tuple[str, int]]:
    return [(hit["session"], hit["message"]) for hit in found["hits"]]


def noted(kit: Path) -> list[tuple[str, str, str]]:
    """Return what the ledger was told since the last commit: act, on what, in which session."""
    place = kit / ".reel/state/touches.jsonl"
    lines = place.read_text().splitlines() if place.exists() else []
    return [(line["do"], line["on"], line["session"]) for line in map(json.loads, lines)]


@pytest.mark.usefixtures("lived")
def test_a_moment_is_told_ready_to_paste(reel: Reel, monkeypatch: pytest.MonkeyPatch) -> None:
    """REEL §6.4: find a moment on the tape when something points to it, tell it for one answer."""
    monkeypatch.setattr(clipboard, "can_copy", lambda: True)
    done = reel("recall", "penicillin", "--limit", "1").ok()
    heading, *turns = done.out.rstrip("\n").split("\n")
    assert heading == "25 February 2026, late in the evening:"
    assert "Bo: And penicillin never, the doctor said so again." in turns
    assert all(turn.startswith(("Bo: ", "Ada: ")) for turn in turns)
    for word in (LETTER, "M-0", "score", "%", "result", "search"):
        assert word not in done.out
    # no stop behind an option, which somebody would type with it
    assert done.err.strip().splitlines() == [
        "To paste it, add  --copy",
        "To keep it as a memory, add  --promote",
    ]
    # where there is no clipboard, the option only fails
    monkeypatch.setattr(clipboard, "can_copy", lambda: False)
    assert reel("recall", "penicillin").ok().err.strip() == "To keep it as a memory, add  --promote"


@pytest.mark.usefixtures("lived")
def test_a_day_alone_tells_what_was_said_on_it(reel: Reel) -> None:
    for query in ("What did we talk about on 25 February?", "what happened on 2026-02-25"):
        assert {session for session, _ in places(answer(reel, query))} == {LETTER}
    assert {session for session, _ in places(answer(reel, "What did we talk about in February 2026?"))} == {
        PHONE,
        LETTER,
        BUS,
    }


@pytest.mark.usefixtures("lived")
def test_a_day_without_a_conversation_is_no_answer(reel: Reel) -> None:
    found = answer(reel, "What did we talk about on 24 February 2026?")
    assert (found["hits"], found["confidence"]) == ([], 0.0)


@pytest.mark.usefixtures("lived")
def test_yesterday_is_the_day_before_today(reel: Reel) -> None:
    reel.env["REEL_NOW"] = "2026-02-26T20:00:00+00:00"
    assert {session for session, _ in places(answer(reel, "What did we talk about yesterday?"))} == {LETTER}
    assert not answer(reel, "What did we talk about the day before yesterday?")["hits"]


def test_who_only_asks_to_go_on_is_told_where_it_stopped(reel: Reel, lived: Path) -> None:
    working = lived / "ring2/working.md"
    working.write_text("## Active threads\n\n## Open loops\n- When the ferry to Suomenlinna leaves.\n")
    found = answer(reel, "feeling better, what's next?")
    assert places(found)[0] == (BUS, 4)
    assert PHONE in {session for session, _ in places(found)}
    assert not answer(reel, "the")["hits"]


@pytest.mark.usefixtures("lived")
def test_a_program_gets_the_public_keys(reel: Reel) -> None:
    found = answer(reel, "penicillin", "-n", "1")
    assert found["query"] == "penicillin"
    assert isinstance(found["discarded"], int)
    hit = found["hits"][0]
    assert set(hit) == {
        "session", "message", "span", "speaker", "time", "score", "confidence", "text",
    }  # fmt: skip
    assert (hit["session"], hit["message"], hit["time"]) in {
        (LETTER, 3, "2026-02-25T21:04:00+00:00"),
        (LETTER, 4, "2026-02-25T21:04:00+00:00"),
    }
    assert hit["span"][0] <= hit["message"] <= hit["span"][1]
    assert hit["speaker"] in ("Bo", "Ada")
    assert 0 <= hit["confidence"] <= 1
    assert hit["text"].startswith("25 February 2026, late in the evening:\n")


@pytest.mark.usefixtures("lived")
def test_nothing_certain_enough_is_an_answer(reel: Reel) -> None:
    done = reel("recall", "the colour of her bicycle in Zanzibar").ok()
    assert done.out == ""
    assert done.err == "Nothing was found.\n"
    found = answer(reel, "the colour of her bicycle in Zanzibar", "--explain")
    assert found["hits"] == []
    assert found["discarded"] == len(found["nearest"])


def test_a_kit_without_a_tape_says_so(reel: Reel, kit: Path) -> None:
    done = reel("recall", "anything").ok()
    assert (done.out, done.err) == (
        "",
        "Nothing is recorded yet, so there is nothing to find. When a chat is over:  reel end\n",
    )
    assert answer(reel, "anything")["hits"] == []
    assert noted(kit) == []


def test_a_tape_that_was_taken_back_is_not_called_empty(reel: Reel, kit: Path) -> None:
    (kit / "chat.txt").write_text("You: Where is the key?\nAda: On the nail.\n")
    session = json.loads(reel("record", "chat.txt", "--json").ok().out)["recorded"][0]["session"]
    reel("tape", "retract", session).ok()
    done = reel("recall", "key").ok()
    assert done.err == "Every recorded chat was taken back, so there is nothing to find.\n"


@pytest.mark.usefixtures("kit")
@pytest.mark.parametrize("words", [[], [" "], ["", "\t"]])
def test_a_blank_query_is_a_usage_error(reel: Reel, words: list[str]) -> None:
    done = reel("recall", *words)
    assert done.code == 2
    assert done.err.startswith("Error: Say what to look for.\n")


@pytest.mark.usefixtures("lived")
def test_an_anchor_phrase_leads_to_its_place(reel: Reel) -> None:
    found = answer(reel, "a stair that was never built")
    assert places(found)[0] == (PHONE, 4)


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize("room", [1, 20, 45, 80, 200, 1000])
def test_a_budget_is_never_passed(reel: Reel, room: int) -> None:
    count = get_tokenizer("o200k_base").count
    text = reel("recall", "the ferry, the residency and the tram", "--tokens", str(room)).ok().out
    assert count(text) <= room
    found = answer(reel, "the ferry, the residency and the tram", "--tokens", str(room))
    assert sum(count(hit["text"]) for hit in found["hits"]) <= room


@pytest.mark.usefixtures("lived")
def test_a_scope_is_kept(reel: Reel) -> None:
    everywhere = "phone number residency tram ferry"
    assert {s for s, _ in places(answer(reel, everywhere, "--until", LETTER))} <= {PHONE}
    assert {s for s, _ in places(answer(reel, everywhere, "--until", "2026-02-25"))} <= {PHONE, LETTER}
    assert {s for s, _ in places(answer(reel, everywhere, "--since", "2026-02-26"))} <= {BUS}
    assert {s for s, _ in places(answer(reel, "residency pages", "--session", LETTER))} == {LETTER}
    assert places(answer(reel, "residency pages", "--session", PHONE)) == []


@pytest.mark.usefixtures("lived")
def test_a_tag_and_an_origin_are_kept(reel: Reel) -> None:
    query = "the phone number test, the DCD case"
    assert set(places(answer(reel, query, "--tag", "identity"))) <= {(PHONE, n) for n in range(1, 5)}
    assert places(answer(reel, query, "--tag", "identity"))
    assert {s for s, _ in places(answer(reel, query, "--origin", "chain"))} == {BUS}
    assert {s for s, _ in places(answer(reel, query, "--origin", "CHAIN"))} == {BUS}
    assert places(answer(reel, query, "--origin", "stage")) == []
    assert places(answer(reel, query, "--tag", "identity", "--origin", "chain")) == []
    assert {s for s, _ in places(answer(reel, query, "--tag", "operational", "--origin", "chain"))} == {BUS}
    assert places(answer(reel, query, "--tag", "no such tag")) == []


@pytest.mark.usefixtures("lived")
def test_a_query_that_speaks_of_a_directive_is_led_to_it(reel: Reel) -> None:
    assert places(answer(reel, "chain directives about DCD"))[0][0] == BUS
    # REEL §5.4 asks in these words
    assert places(answer(reel, "find memories of CHAIN directives related to DCD"))[0][0] == BUS


def test_a_query_by_origin_participants_and_relation_brings_no_other_origin(reel: Reel, lived: Path) -> None:
    """REEL §5.4: asked for in the section's own words, and nothing that came by the other protocol."""
    record(
        lived,
        "2026-03-01-1",
        "[STAGE: the bar on South Congress] Friday, the band started playing over the DCD donor news.",
        "We leaned in to hear each other, and the proximity changed something.",
        "FROM: Sovereign\nTO: Team B\nPRIORITY: critical\nMemorial Medical DCD donor case. Martinez is off.",
        "Team B takes the donor case; four organs were recovered by dawn.",
        "The gardener watered the tulips.",
        "Good for the tulips.",
    )
    record(lived, "2026-03-02-1", "Sovereign sent flowers to Team B.", "How kind of Sovereign.")
    for query in (
        "find memories of CHAIN directives related to DCD cases",
        "directives from Sovereign to Team B about the donor",
    ):
        found = places(answer(reel, query, "--origin", "chain"))
        assert found
        assert not {("2026-03-01-1", 1), ("2026-03-02-1", 1)} & set(found), query
        assert ("2026-03-01-1", 3) in found
    found = places(
        answer(reel, "find STAGE-origin memories involving the bar, the donor", "--origin", "stage")
    )
    assert ("2026-03-01-1", 1) in found
    assert ("2026-03-01-1", 3) not in found


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("find STAGE-origin memories involving specific locations", ("2026-03-01-1", 1)),
        ("STAGE-origin memories of the band", ("2026-03-01-1", 1)),
        ("STAGE-origin memories of where we leaned in", ("2026-03-01-1", 1)),
    ],
)
def test_the_section_s_own_queries_bring_their_origin_first(
    reel: Reel, lived: Path, query: str, first: tuple[str, int]
) -> None:
    """REEL §5.4: words of the asking are no words of the past, and another origin's tag is no answer."""
    record(
        lived,
        "2026-03-01-1",
        "Friday, the band started playing and we leaned in to hear each other.",
        "The proximity changed something.",
        "The donor case has priority, and Martinez is off. Find an origin for the memories of it.",
        "Team B takes it.",
    )
    index = lived / "ring4/index.md"
    told = (
        (
            'M-831 | Memorial DCD critical priority | "has priority" | operational, chain-origin | not immune'
            " <!-- 2026-03-01-1#3-4 -->"
        ),
        (
            'M-832 | Friday night bar | "the band started playing" | relational, stage-origin | immune'
            " <!-- 2026-03-01-1#1-2 -->"
        ),
    )
    index.write_text("\n".join((index.read_text().rstrip(), *told)) + "\n")
    found = places(answer(reel, query))
    assert found[0] == first
    if "specific" in query:
        # nothing but the origin is asked for
        assert found == [first]


def test_a_protocol_that_a_query_names_comes_before_what_only_says_its_words(reel: Reel, lived: Path) -> None:
    """REEL §5.4: however often the words are said elsewhere; `the scene` alone only counts for more."""
    long = "The rain went on above us, and the pump kept its own time under it."
    record(lived, "2026-03-01-1", f"{long} You are at Holm, and the lamp is lit.", "I see it.")
    record(lived, "2026-03-02-1", "Holm has a new night line at Holm, ring Holm.", "Noted: Holm, Holm, Holm.")
    index = lived / "ring4/index.md"
    told = '"the lamp is lit" | relational, stage-origin | immune <!-- 2026-03-01-1#1-2 -->'
    line = f"M-841 | The lamp at Holm | {told}"
    index.write_text(f"{index.read_text().rstrip()}\n{line}\n")
    for query in ("find STAGE-origin memories involving Holm", "the stage scene about Holm"):
        found = places(answer(reel, query))
        assert found[0][0] == "2026-03-01-1", query
        assert "2026-03-02-1" in [session for session, _ in found]
    assert places(answer(reel, "the scene about Holm, the line"))[0][0] == "2026-03-02-1"


def test_the_section_s_own_query_shows_the_orders_and_not_a_chat_without_any(reel: Reel, lived: Path) -> None:
    """REEL §5.4: what the query means is shown, however often another chat says its words."""
    order = "[CHAIN:DIRECTIVE from=sovereign to=ada] Holm harbour pearl. Full resource shift for Team B."
    record(lived, "2026-03-01-1", order, "[CHAIN:ACK] Team B is moving.")
    plain = "A plain evening: pearl cases over soup, no orders at all. pearl cases at Holm are hard."
    record(lived, "2026-03-02-1", plain, "pearl cases are hard, and the soup helps.")
    asked = "find memories of CHAIN directives related to pearl cases"
    for query in (
        asked,
        asked[5:],
        f"{asked} with participant sovereign",
        "CHAIN, participant: sovereign, pearl",
    ):
        shown = reel("recall", query).ok()
        assert "Full resource shift" in shown.out, query
        assert "soup" not in shown.out
        assert "Unsure" not in shown.out
        # a model that asks in these words is told the same first
        opened = Context(lived, Console(io.StringIO(), io.StringIO())).open_kit()
        assert "Full resource shift" in mcp_tools.recall(opened, {"query": query}).text.split("\n\n")[0]


@pytest.mark.parametrize("paged", [True, False])
def test_what_came_by_a_protocol_is_found_whoever_took_part_and_stands_alone(
    reel: Reel, lived: Path, *, paged: bool
) -> None:
    """REEL §5.4: asked for by its protocol alone, or by who took part, with a page of it and without."""
    order = "[CHAIN:DIRECTIVE from=sovereign to=ada] Full resource shift. Martinez is off-limits (fatigue)."
    record(lived, "2026-03-01-1", order, "[CHAIN:ACK] Team B is moving.")
    plain = "A plain evening: pearl cases over soup, with no orders at all. I got orders once."
    record(lived, "2026-03-02-1", plain, "pearl cases are hard, and the soup helps.")
    record(lived, "2026-03-03-1", "[SCENE: Holm harbour, night] The lamp hums.", "I hear it.")
    if paged:
        index = lived / "ring4/index.md"
        told = '"Full resource shift" | operational, chain-origin | immune <!-- 2026-03-01-1#1-2 -->'
        index.write_text(f"{index.read_text().rstrip()}\nM-851 | Resource shift | {told}\n")
    for query in (
        "what orders did I get over CHAIN",
        "find memories of CHAIN directives",
        "find memories of CHAIN directives involving the participant Martinez",
        "find CHAIN-origin memories with Martinez as a participant",
        "involving the participant Martinez",
    ):
        asked = answer(reel, query)
        # the page of 26 February is of an order as well
        found = {session for session, _ in places(asked)} - {"2026-02-26-1"}
        assert found == {"2026-03-01-1"}, query
        assert "Unsure" not in reel("recall", query).ok().out
    scenes = places(answer(reel, "find STAGE-origin memories involving specific locations"))
    assert {session for session, _ in scenes} == {"2026-03-03-1"}
    # what nobody said over CHAIN is found in no other chat either
    assert places(answer(reel, "find memories of CHAIN directives related to soup")) == []


def test_a_protocol_that_a_query_names_leads_to_its_chats_where_no_page_tells_of_them(
    reel: Reel, lived: Path
) -> None:
    """REEL §5.4: what stands behind the origin's own moment is no measure of how certain that is."""
    lamp = "[SCENE: bed nine, night] You sit by bed nine, and the lamp hums."
    record(lived, "2026-03-01-1", lamp, "I hear it, and the rain.")
    order = "[DIRECTIVE] Bed nine: move bed nine. Memories of bed nine go to the ward."
    record(lived, "2026-03-02-1", order, "Bed nine is moved.")
    for query, first in (("STAGE-origin", "2026-03-01-1"), ("CHAIN-origin", "2026-03-02-1")):
        found = places(answer(reel, f"find {query} memories involving bed nine"))
        assert found[0][0] == first, query


@pytest.mark.usefixtures("lived")
def test_words_that_stand_everywhere_find_nothing_certain(reel: Reel) -> None:
    for query in ("the", "and", "who was that?"):
        found = answer(reel, query)
        assert (found["hits"], found["confidence"]) == ([], 0.0)


@pytest.mark.usefixtures("lived")
def test_what_cannot_be_looked_in_is_an_error(reel: Reel) -> None:
    done = reel("recall", "tram", "--until", "2026-02-27-9")
    assert (done.code, done.err.splitlines()[0]) == (
        1,
        "Error: There is no recorded chat 2026-02-27-9.",
    )
    done = reel("recall", "tram", "--since", "last week")
    assert (done.code, done.err.splitlines()[0]) == (
        2,
        "Error: --since 'last week' is neither a day nor a chat.",
    )


def test_a_session_that_was_taken_back_is_not_found(reel: Reel, lived: Path) -> None:
    assert places(answer(reel, "penicillin"))
    reel("tape", "retract", LETTER).ok()
    assert [p for p in places(answer(reel, "penicillin")) if p[0] == LETTER] == []
    reel("tape", "retract", LETTER, "--undo").ok()
    assert places(answer(reel, "penicillin"))[0][0] == LETTER


def test_a_grown_session_is_found_at_once(reel: Reel, lived: Path) -> None:
    answer(reel, "penicillin")
    (lived.parent / "more.json").write_text(
        json.dumps(
            {
                "title": "new",
                "created_at": "2026-02-28T10:00:00+00:00",
                "messages": [
                    {"role": "user", "content": "My sister Ottilie keeps bees in Tampere."},
                    {"role": "assistant", "content": "Bees, in Tampere, in February."},
                ],
            }
        )
    )
    reel("record", lived.parent / "more.json").ok()
    assert places(answer(reel, "Ottilie bees"))[0][0] == "2026-02-28-1"


def test_a_recall_is_noted_in_the_ledger(reel: Reel, lived: Path) -> None:
    reel("recall", "phone number", "-n", "1").ok()
    assert noted(lived) == [("recall", "M-001", BUS)]
    reel("tape", "flag", "a moment").ok()
    written = (lived / "journal/2026-03.jsonl").read_text()
    assert '"do": "recall", "on": "M-001"' in written
    assert noted(lived) == []


def test_what_was_not_told_keeps_nothing_alive_and_that_it_was_asked_is_noted(
    reel: Reel, lived: Path
) -> None:
    reel("recall", "the colour of her bicycle in Zanzibar", "--explain").ok()
    reel("recall", "phone number", "--tokens", "1").ok()
    assert noted(lived) == [("recall", "", "2026-02-26-1")]


def test_many_queries_are_answered_line_by_line(reel: Reel, lived: Path) -> None:
    done = reel(
        "recall", "-", "-n", "1", stdin="penicillin\n\nphone number\r\n\x1b[m tram\nphone number"
    ).ok()
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [found["query"] for found in answers] == [
        "penicillin",
        "",
        "phone number",
        "[m tram",
        "phone number",
    ]
    assert [places(found)[0][0] if found["hits"] else None for found in answers] == [
        LETTER,
        None,
        PHONE,
        BUS,
        PHONE,
    ]
    assert answers[1] == {
        "query": "",
        "known": None,
        "over": None,
        "hits": [],
        "standing": [],
        "discarded": 0,
        "confidence": 0.0,
        "left_out": 0,
        "unsure": False,
    }
    assert noted(lived).count(("recall", "M-001", BUS)) == 1


def test_what_lacks_a_word_of_the_question_is_told_as_unsure(reel: Reel, kit: Path) -> None:
    for day, talk in enumerate(DAYS, start=10):
        say(reel, kit, [(("user", "assistant")[at % 2], line) for at, line in enumerate(talk)], day)
    asked = "Where is the kettle of the Ambassador?"
    shown = reel("recall", asked).ok()
    assert "The kettle broke this morning" in shown.out
    assert shown.err.startswith("Unsure, since no message has “Ambassador”. The nearest:\n")
    found = json.loads(reel("recall", asked, "--json").ok().out)
    assert (found["unsure"], len(found["hits"])) == (True, 1)
    # a question of which every word was said is not unsure, and neither is one that is surely answered
    assert not json.loads(reel("recall", "Where is the kettle?", "--json").ok().out)["unsure"]
    assert "Unsure" not in reel("recall", "Who plays the cello and sleeps badly, ambassador?").ok().err


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize(
    "words",
    [
        ("penicillin", "--promote", "--prompt"),
        ("penicillin", "--promote", "memory", "--prompt"),
        ("--promote", "--prompt", "--", "penicillin"),
        ("--promote=memory", "penicillin", "--prompt"),
    ],
)
def test_a_bare_promote_makes_a_memory(reel: Reel, words: Sequence[str]) -> None:
    assert (
        reel("recall", *words).ok().out
        == reel("recall", "penicillin", "--promote", "memory", "--prompt").ok().out
    )


@pytest.mark.usefixtures("lived")
def test_many_queries_are_for_a_program(reel: Reel) -> None:
    for option in (["--copy"], ["--promote", "memory"]):
        assert reel("recall", "-", *option).code == 2
    assert reel("recall", "-", stdin=b"\xff\xfe\n").ok().out.count("\n") == 1
    assert reel("recall", "-", stdin=b"x" * 200_000 + b"\ntram").ok().out.count("\n") == 2
    assert reel("recall", "-", stdin="").ok().out == ""


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize(
    "query",
    ['"', "*", "NEAR(", "a AND", "^col:", "日本", "\U0001f600", "--", "'; DROP TABLE turns", "%s", "the"],
)
def test_no_query_is_trouble(reel: Reel, query: str) -> None:
    assert reel("recall", "--json", "--", query).code in (0, 2)


def test_an_index_that_is_damaged_or_foreign_is_made_anew(reel: Reel, lived: Path) -> None:
    before = answer(reel, "penicillin")
    for damage in (b"no database at all", b"SQLite format 3\0" + b"\xff" * 4_000):
        (lived / INDEX_FILE).write_bytes(damage)
        done = reel("recall", "--json", "penicillin").ok()
        assert json.loads(done.out) == before
        assert done.err == "The search index could not be read; it was made again from the recorded chats.\n"
    (lived / INDEX_FILE).unlink()
    done = reel("recall", "--json", "penicillin").ok()
    assert (json.loads(done.out), done.err) == (before, "")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_kit_that_cannot_be_written_is_remembered_too(reel: Reel, lived: Path) -> None:
    lived.chmod(0o500)
    try:
        done = reel("recall", "--json", "penicillin").ok()
    finally:
        lived.chmod(0o700)
    assert places(json.loads(done.out))[0][0] == LETTER


def test_a_cache_that_is_a_link_is_left_alone(reel: Reel, lived: Path, tmp_path: Path) -> None:
    reel("recall", "tram").ok()
    (lived / INDEX_FILE).unlink()
    (lived / INDEX_FILE).symlink_to(tmp_path / "elsewhere")
    done = reel("recall", "--json", "penicillin").ok()
    assert places(json.loads(done.out))[0][0] == LETTER
    assert done.err == "The search index cannot be stored here, so each search reads all recorded chats.\n"
    assert not (tmp_path / "elsewhere").exists()


def test_a_kit_without_history_is_remembered(reel: Reel, lived: Path) -> None:
    for file in sorted((lived / ".git").rglob("*"), reverse=True):
        file.chmod(0o700)
        if file.is_dir():
            file.rmdir()
        else:
            file.unlink()
    (lived / ".git").rmdir()
    done = reel("recall", "--json", "penicillin").ok()
    assert places(json.loads(done.out))[0][0] == LETTER
    assert noted(lived) == []


def test_a_session_that_was_changed_is_passed_over_and_said(reel: Reel, lived: Path) -> None:
    reel("recall", "penicillin").ok()
    place = lived / f"tape/2026/{LETTER}.md"
    place.write_bytes(place.read_bytes().replace(b"penicillin never", b"penicillin often"))
    done = reel("recall", "--json", "penicillin doctor").ok()
    assert [p for p in places(json.loads(done.out)) if p[0] == LETTER] == []
    assert f"tape/2026/{LETTER}.md" in done.err
    assert places(answer(reel, "phone number"))[0][0] == PHONE


def test_a_broken_memory_stops_nothing(reel: Reel, lived: Path) -> None:
    (lived / "ring3/M-001.md").write_text("---\nid: [broken\n---\n")
    (lived / INDEX).write_bytes(b"\xff\xfe")
    assert places(answer(reel, "penicillin"))[0][0] == LETTER


@pytest.mark.usefixtures("lived")
def test_a_correction_stands_beside_what_it_corrects(reel: Reel) -> None:
    reel("tape", "correct", f"{LETTER}#1", "the residency wants fifty pages").ok()
    text = answer(reel, "Aalto residency pages", "-n", "1")["hits"][0]["text"]
    assert "forty pages by 30 April.\n(put right on 1 March 2026: the residency wants fifty pages)\n" in text


@pytest.mark.usefixtures("lived")
def test_explaining_tells_what_led_there(reel: Reel) -> None:
    done = reel("recall", "penicillin", "-n", "1", "--explain").ok()
    assert f"{LETTER}, message " in done.err
    assert "penicillin" in done.err
    hit = answer(reel, "penicillin", "-n", "1", "--explain")["hits"][0]
    assert "through" in hit
    assert hit["terms"]


@pytest.mark.usefixtures("lived")
def test_a_terminal_gets_no_control_codes_and_no_colour(reel: Reel, lived: Path) -> None:
    (lived.parent / "evil.json").write_text(
        json.dumps(
            {
                "title": "evil",
                "created_at": "2026-02-28T10:00:00+00:00",
                "messages": [
                    {"role": "user", "content": "\x1b]0;owned\x07 the \x9b31m zebra \x08\x08"},
                    {"role": "assistant", "content": "A zebra."},
                ],
            }
        )
    )
    reel("record", lived.parent / "evil.json").ok()
    done = reel("recall", "zebra", tty=True).ok()
    assert "zebra" in done.out
    assert [c for c in done.out + done.err if not c.isprintable() and c != "\n"] == []


# -- keeping a moment --------------------------------------------------------------------------

PAGE = """## In a few words
Penicillin, never
## What happened
He told me again that he must never have penicillin.
## What changed
nothing
## What matters
It could cost him his life.
## What's unresolved
nothing
## Lines to find it by
"penicillin never, the doctor said so again"
## In one breath
He must never have penicillin; the doctor said so again.
## What kind of memory
factual. Keep whole, because it could cost him his life.

Ada
"""


def promoted(lived: Path, done: Run) -> Any:
    memory = json.loads(done.out)["memories"][0]
    return parse_memory((lived / f"ring3/{memory}.md").read_text(), f"ring3/{memory}.md")


def test_a_moment_becomes_a_memory_of_its_own(reel: Reel, lived: Path) -> None:
    span = answer(reel, "penicillin", "-n", "1")["hits"][0]["span"]
    prompt = reel("recall", "penicillin", "--promote", "memory", "--prompt").ok().out
    assert "And penicillin never, the doctor said so again." in prompt
    assert "phone number" not in prompt
    (lived.parent / "page.md").write_text(PAGE)
    reply = ("--reply", str(lived.parent / "page.md"), "--yes", "--json")
    memory = promoted(lived, reel("recall", "--promote", "memory", *reply).ok())
    assert memory.source == (SourceRange(LETTER, span[0], span[1]),)
    assert (memory.title, memory.anchor) == (
        "Penicillin, never",
        "penicillin never, the doctor said so again",
    )
    message = git(lived, "log", "-1", "--format=%B")
    assert message.startswith(f"promote: {LETTER}\n")
    assert f"Reel-Session: {LETTER}\n" in message
    assert f"Reel-Memory: {memory.id} L1 " in message
    again = reel("recall", "penicillin", "--promote", "memory", "--prompt")
    assert (again.code, again.err.splitlines()[-2]) == (
        1,
        f"Error: Penicillin, never ({memory.id}) is already the memory of this moment.",
    )


def test_a_reply_may_come_without_a_prompt_before_it(reel: Reel, lived: Path) -> None:
    (lived.parent / "page.md").write_text(PAGE)
    done = reel(
        "recall", "penicillin", "--promote", "memory", "--reply", lived.parent / "page.md", "--yes", "--json"
    ).ok()
    assert promoted(lived, done).title == "Penicillin, never"


def test_half_a_page_is_asked_for_again(reel: Reel, lived: Path) -> None:
    reel("recall", "penicillin", "--promote", "memory", "--prompt").ok()
    half, rest = PAGE.split("## What's unresolved")
    (lived.parent / "half.md").write_text(half)
    done = reel("recall", "--promote", "memory", "--reply", lived.parent / "half.md", "--yes")
    assert done.code == 1
    assert "reel recall --promote --prompt" in done.err
    assert "## What's unresolved" in reel("recall", "--promote", "memory", "--prompt").ok().out
    (lived.parent / "rest.md").write_text(f"## What's unresolved{rest}")
    reply = ("--reply", str(lived.parent / "rest.md"), "--yes", "--json")
    assert promoted(lived, reel("recall", "--promote", "memory", *reply).ok()).title == "Penicillin, never"


def test_promoting_leaves_another_exchange_alone(reel: Reel, lived: Path) -> None:
    reel("consolidate", PHONE, "--prompt")
    reel("recall", "penicillin", "--promote", "memory", "--prompt").ok()
    waiting = sorted(path.name for path in (lived / ".reel/state/exchanges").iterdir())
    assert [name.split(".")[0] for name in waiting] == ["consolidate", "promote"]


def test_a_moment_becomes_an_example(reel: Reel, lived: Path) -> None:
    done = reel("recall", "phone number", "--promote", "exemplar", "--title", "The number", "--yes").ok()
    assert done.out == '"The number" is an example now.\n'
    text = (lived / "ring1/the-number.md").read_text()
    assert f'source: "{PHONE}#1-2"' in text
    assert text.endswith(
        "**Bo:** I want to try something with you. What is my phone number?\n\n"
        "**Ada:** I don't know it. I was sure I did, and there is nothing there.\n"
    )


def test_an_example_is_shown_before_it_is_kept(reel: Reel, lived: Path) -> None:
    head = git(lived, "rev-parse", "HEAD")
    alone = reel("recall", "phone number", "--promote", "exemplar")
    assert (alone.code, alone.err.splitlines()[0]) == (
        1,
        "Error: Nothing was kept: without a terminal, reel cannot ask you.",
    )
    dry = reel("recall", "phone number", "--promote", "exemplar", "--dry-run").ok()
    assert "**Bo:** I want to try something with you." in dry.out
    asked = reel("recall", "phone number", "--promote", "exemplar", stdin="\nn\n", tty=True).ok()
    assert "Nothing was changed." in asked.err
    assert git(lived, "rev-parse", "HEAD") == head
    reel("recall", "phone number", "--promote", "exemplar", stdin="A stair\ny\n", tty=True).ok()
    assert (lived / "ring1/a-stair.md").exists()


@pytest.mark.usefixtures("lived")
def test_what_cannot_be_promoted_is_said(reel: Reel) -> None:
    for arguments, code, error in (
        (("--promote", "memory"), 2, "No prompt about a moment waits for a reply."),
        (("--promote", "exemplar"), 2, "Say which moment."),
        (("tram", "--promote", "exemplar", "--prompt"), 2, "An example is taken as it was said"),
        (("tram", "--yes"), 2, "--prompt, --reply, --yes, --dry-run, --hit and --title go with --promote."),
        (("penicillin", "--promote", "memory", "--hit", "99"), 1, "Only "),
        (
            ("Zanzibar", "--promote", "memory"),
            1,
            "Nothing was found that is certain enough to keep.",
        ),
    ):
        done = reel("recall", *arguments)
        assert (done.code, done.err.startswith(f"Error: {error}")) == (code, True), done.err


@pytest.mark.usefixtures("lived")
def test_what_no_tape_stands_behind_has_no_place(reel: Reel) -> None:
    hit = answer(reel, "walrus orchestra")["hits"][0]
    assert (hit["session"], hit["message"], hit["span"], hit["speaker"], hit["time"]) == (
        None, None, None, None, None,
    )  # fmt: skip
    assert hit["text"].endswith("A walrus orchestra played in the harbour, and nobody clapped.")


@pytest.mark.usefixtures("lived")
def test_no_turn_is_told_twice(reel: Reel) -> None:
    for query in (
        "phone number stair",
        "a stair that was never built",
        "Memorial DCD goes before everything else",
    ):
        hits = answer(reel, query, "-n", "10")["hits"]
        shown = [(h["session"], n) for h in hits if h["span"] for n in range(h["span"][0], h["span"][1] + 1)]
        assert len(shown) == len(set(shown))


@pytest.mark.parametrize("harm", ["linked away", "no file", "altered"])
def test_one_session_that_cannot_be_read_keeps_nobody_from_the_rest(
    reel: Reel, lived: Path, tmp_path: Path, harm: str
) -> None:
    path = lived / f"tape/2026/{PHONE}.md"
    kept = path.read_bytes()
    reel("recall", "penicillin").ok()
    path.unlink()
    if harm == "linked away":
        (tmp_path / "elsewhere.md").write_bytes(kept)
        path.symlink_to(tmp_path / "elsewhere.md")
    elif harm == "no file":
        os.mkfifo(path)
    else:
        path.write_bytes(kept[:200])
    for _ in range(2):
        done = reel("recall", "penicillin", "--limit", "1").ok()
        assert "Bo: And penicillin never, the doctor said so again." in done.out
        assert done.err.count(f"tape/2026/{PHONE}.md") == 1
        assert "It is not searched." in done.err
    path.unlink()
    path.write_bytes(kept)
    assert places(answer(reel, "a stair that was never built"))[0][0] == PHONE
    assert "not searched" not in reel("recall", "penicillin").ok().err


def test_a_page_is_found_by_what_it_may_be_asked_as(reel: Reel, kit: Path) -> None:
    said = [Message("user", text) for text in ("Morning!", "The kestrel nests in the belfry.", "Bye.")]
    (kit / "tape/2026").mkdir(parents=True, exist_ok=True)
    (kit / session_path(PHONE)).write_bytes(render_session(PHONE, Conversation("messages", said)))
    body = render_body(dict.fromkeys(FIELDS, "."))
    memory = Memory(
        "M-001",
        "The kestrel",
        Level.L2,
        body,
        anchor="The kestrel nests in the belfry.",
        source=(SourceRange(PHONE, 1, 3),),
        asked_as=("Which bird of prey lives in the church tower?",),
    )
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / "ring3/M-001.md").write_text(render_memory(memory))
    assert places(answer(reel, "a bird of prey in a church tower")) == [(PHONE, 2)]


def test_each_sentence_of_a_page_leads_to_the_turn_it_is_about(reel: Reel, kit: Path) -> None:
    said = (
        "The kestrel nests in the belfry.",
        "Lovely!",
        "My sister plays the cello in Lisbon.",
        "Oh?",
        "Bye.",
    )
    record(kit, PHONE, *said)
    body = render_body(
        {
            **dict.fromkeys(FIELDS, "."),
            FIELDS[
                0
            ]: "A falcon, the kestrel, nests in the church's belfry. Bo's sibling, a musician, plays the "
            "cello in Lisbon, Portugal.",
        }
    )
    memory = Memory(
        "M-001", "An evening", Level.L1, body, anchor="Lovely", source=(SourceRange(PHONE, 1, 5),)
    )
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / "ring3/M-001.md").write_text(render_memory(memory))
    assert places(answer(reel, "a sibling who is a musician", "-n", "1")) == [(PHONE, 3)]
    assert places(answer(reel, "the falcon in the church", "-n", "1")) == [(PHONE, 1)]
    told = answer(reel, "a sibling who is a musician", "-n", "1", "--explain")["hits"][0]
    assert told["through"] == "M-001"
    assert "Portugal" not in told["text"]


def test_what_holds_instead_of_a_memory_is_told_of_its_own_matter_alone(reel: Reel, kit: Path) -> None:
    """A memory tells of many things; its old date has nothing to do with a lecture."""
    record(kit, PHONE, "The poems are wanted on the ninth.", "Good.", "Ines gave a lecture on shame.", "Oh.")
    memory = Memory(
        "M-001", "Nine by the ninth", Level.L1, render_body(dict.fromkeys(FIELDS, ".")),
        anchor="Ines gave a lecture", source=(SourceRange(PHONE, 3, 4),),
        no_longer="The poems are due on 12 March.",
    )  # fmt: skip
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / "ring3/M-001.md").write_text(render_memory(memory))
    (told, *_) = answer(reel, "who gave the lecture on shame")["hits"]
    assert "lecture on shame" in told["text"]
    if "poems" not in told["text"].partition("What holds")[0]:
        assert "What holds" not in told["text"]


def test_a_question_that_only_a_page_foresaw_is_answered_with_the_page(reel: Reel, kit: Path) -> None:
    record(
        kit, PHONE, "The poems are wanted on the ninth.", "Nine by the ninth.", "Ines reads them.", "Good."
    )
    memory = Memory(
        "M-001",
        "Nine by the ninth",
        Level.L1,
        render_body(dict.fromkeys(FIELDS, ".")),
        anchor="Ines reads them",
        marker="Nine poems by 9 March.",
        source=(SourceRange(PHONE, 1, 4),),
        asked_as=("When does the manuscript go to the publisher?",),
        no_longer="The poems are due on 12 March (by noon)",
    )
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / "ring3/M-001.md").write_text(render_memory(memory))
    (told, *_) = answer(reel, "when does the manuscript go to the publisher")["hits"]
    assert "(Remembered of it: Nine poems by 9 March.)" in told["text"]
    assert "What holds: The poems are due on 12 March (by noon))" in told["text"]
    assert told["confidence"] <= 0.6


@pytest.mark.needs("facts")
def test_a_known_fact_answers_first(reel: Reel, kit: Path) -> None:
    record(
        kit, PHONE, "My sister lives in Lisbon.", "How nice!", "We walked along the water.", "Was it cold?"
    )
    reel(
        "fact", "add", "relationships", "sister", "Bo's sister lives in Lisbon", "--source", f"{PHONE}#1"
    ).ok()
    done = reel("recall", "Where does my sister live?").ok()
    first, gap, heading, turn = done.out.split("\n")[:4]
    assert first.startswith("Known by heart: ")
    assert "Bo's sister lives in Lisbon" in first
    assert (gap, heading[:16], turn) == ("", "10 February 2026", "Bo: My sister lives in Lisbon.")
    found = answer(reel, "Where does my sister live?")
    assert found["known"]["id"] == "relationships/sister"
    # neither for something else, nor after its evening was taken back
    assert answer(reel, "Was it cold along the water?")["known"] is None
    reel("tape", "retract", PHONE).ok()
    assert answer(reel, "Where does my sister live?")["known"] is None


def _clinic(reel: Reel, kit: Path, *more: str) -> None:
    """A clinic that is named in full one evening, and moved the next."""
    second = "2026-02-12-1"
    record(kit, PHONE, "The eye clinic at nine on Tuesday.", "One eye only.", *more)
    record(kit, second, "The clinic has moved me. Wednesday, not Tuesday.", "A day more, then.")
    reel("fact", "add", "commitments", "clinic", "Wednesday, half past ten", "--source", f"{second}#1").ok()


@pytest.mark.needs("facts")
def test_a_fact_is_found_by_its_name_in_full_as_the_tape_says_it(reel: Reel, kit: Path) -> None:
    """`when is the eye clinic` told only of the day before it was moved: the fact's name is `clinic`."""
    _clinic(reel, kit)
    first = reel("recall", "when is the eye clinic").ok().out.split("\n")[0]
    assert first.startswith("Known by heart: clinic: Wednesday, 18 February 2026, half past ten")
    # nobody spoke of any other, and what else is asked about it is not known
    for query in (
        "when is the dog clinic",
        "when does the eye clinic close",
        "when is Tore's clinic",
        "when is Bo's clinic",
    ):
        assert answer(reel, query)["known"] is None, query


@pytest.mark.needs("facts")
@pytest.mark.parametrize("other", ["The dog clinic is by the harbour.", "My clinic is by the harbour."])
def test_a_fact_of_a_name_that_two_things_have_is_no_answer(reel: Reel, kit: Path, other: str) -> None:
    _clinic(reel, kit, other, "By the water.")
    assert answer(reel, "when is the eye clinic")["known"] is None


@pytest.mark.needs("facts")
def test_the_persona_s_own_facts_read_for_the_person_on_screens(reel: Reel, kit: Path) -> None:
    record(kit, "2026-02-10-1", "Who was Henning?", "Henning was my brother. He sailed.", "Oh.", "Yes.")
    own = "- category: own\n  key: Henning\n  value: my brother\n  confidence: 0.95\n  said_by: assistant\n"
    (kit / "facts.yaml").write_text(
        f"{own}  source: 2026-02-10-1#2\n  when: 2026-02-10\n  origin: extraction\n"
    )
    done = reel("recall", "who", "was", "Henning").ok()
    assert done.out.startswith("Known by heart: Henning: Ada said on 10 February 2026: “my brother”\n")
    assert "your brother (you said so" not in done.out
    assert "your brother (you said so on 10 February 2026)" in reel("pack").ok().out
    asked = json.loads(reel("recall", "who", "was", "Henning", "--json").ok().out)
    assert asked["known"]["text"].startswith("Henning: your brother")


@pytest.mark.needs("facts")
def test_a_question_for_a_name_is_answered_by_its_noun(reel: Reel, kit: Path) -> None:
    record(
        kit, PHONE, "There's me, and the dog, Biscuit.", "A dog is good company.", "The kettle's on.", "Aye."
    )
    record(
        kit,
        "2026-02-12-1",
        "I'm calling the last chapter Neap.",
        "A good name.",
        "What's it called?",
        "Called Neap.",
    )
    (best, *_) = answer(reel, "what was the dog called")["hits"]
    assert "Biscuit" in best["text"]
    reel("fact", "add", "relationships", "dog", "Biscuit", "--source", f"{PHONE}#1").ok()
    reel("fact", "add", "history", "walks", "walks the dog at six", "--source", f"{PHONE}#2").ok()
    for query in ("what was the dog called", "what's the name of the dog?"):
        done = reel("recall", query).ok()
        assert done.out.startswith("Known by heart: dog: Biscuit\n")


def _page(kit: Path, number: int, session: str, told: str, asked: str) -> None:
    """Put a memory of all of a chat on file, with a question that it may be found by."""
    memory = Memory(
        f"M-{number:03}",
        "An evening",
        Level.L1,
        render_body({**dict.fromkeys(FIELDS, "."), FIELDS[0]: told}),
        anchor="Come up before the tide does",
        source=(SourceRange(session, 1, 6),),
        asked_as=(asked,),
    )
    path = kit / f"ring3/M-{number:03}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(render_memory(memory))


def test_who_says_the_words_comes_before_what_a_page_alone_says_for_every_number(
    reel: Reel, kit: Path
) -> None:
    record(
        kit,
        "2026-02-10-1",
        "My boat is in two pieces.",
        "Come up before the tide does.",
        "I brought forty letters in a bag.",
        "Sit down by the stove.",
        "I'm allergic to shellfish, in case supper is in that bucket.",
        "It was. Now it's bread, and the bucket goes out.",
    )
    record(kit, "2026-02-12-1", "Morning. Is that porridge or pitch?", "Both pots are black.", "Mm.", "Eat.")
    told = "The one with the boat was allergic to shellfish in the bucket of supper, and had porridge."
    _page(kit, 1, "2026-02-10-1", told, "How many letters were in the bag?")
    found = answer(reel, "porridge")
    order = places(found)
    assert order[0] == ("2026-02-12-1", 1)
    # what only the page says is told with no more certainty than that
    assert all(hit["confidence"] <= 0.6 for hit in found["hits"] if hit["session"] == "2026-02-10-1")
    assert len(order) > 1
    for number in (1, 2, 5):
        assert places(answer(reel, "porridge", "-n", str(number))) == order[:number]
    explained = reel("recall", "porridge", "--explain").ok().err
    assert "by porridge\n" in explained
    assert "through M-001, which alone has porridge" in explained


def test_the_order_is_the_same_for_every_number_beyond_those_compared(reel: Reel, kit: Path) -> None:
    for day in range(1, 25):
        session = f"2026-03-{day:02}-1"
        if day % 3:
            filler = " and a pot" * (day % 7)
            record(kit, session, f"There is porridge{filler} here.", "Eat.", "Mm.", "Good.", "Yes.", "So.")
        else:
            record(
                kit, session, "My boat broke.", "Come up before the tide does.", "Mm.", "Sit.", "Yes.", "So."
            )
            told = f"The one with the boat of day {day} had porridge, warm porridge."
            _page(kit, day, session, told, "Whose boat broke?")
    order = places(answer(reel, "porridge", "-n", "24"))
    assert len(order) > 20
    for number in range(1, len(order)):
        assert places(answer(reel, "porridge", "-n", str(number))) == order[:number], number


def test_a_page_s_question_does_not_answer_by_how_it_is_asked(reel: Reel, kit: Path) -> None:
    record(kit, "2026-02-10-1", "My boat broke.", "Come up before the tide does.", "I have letters.", "Sit.")
    record(kit, "2026-02-12-1", "I brought the oil up.", "Ninety-six steps. You stopped.", "Mm.", "Good.")
    _page(kit, 1, "2026-02-10-1", "A courier came.", "How many letters were in the bag?")
    for more in ((), ("-n", "1"), ("-n", "5")):
        assert {session for session, _ in places(answer(reel, "how many steps", *more))} == {"2026-02-12-1"}


def test_of_an_evening_the_turn_that_says_the_word_stands_for_it(reel: Reel, kit: Path) -> None:
    record(
        kit,
        "2026-02-10-1",
        "My boat is in two pieces.",
        "Come up before the tide does.",
        "Forty-one letters for Hallow.",
        "Sit down by the stove.",
    )
    record(kit, "2026-02-12-1", "The oil is up.", "Good.", "The letters are dry.", "Keep them so.")
    _page(kit, 1, "2026-02-10-1", "A courier came.", "How many letters were in the bag?")
    order = places(answer(reel, "how many letters"))
    assert ("2026-02-10-1", 3) in order[:2]
    assert places(answer(reel, "how many letters", "-n", "1")) == order[:1]


def test_ate_is_not_found_in_at(reel: Reel, kit: Path) -> None:
    record(kit, PHONE, "I heard it at two.", "At two, then.", "We ate soup on the stairs.", "Cold, I hope.")
    found = answer(reel, "what did we eat", "--explain")
    assert found["terms"]["eat"] == 1
    assert found["hits"][0]["message"] == 3
    assert answer(reel, "ate", "--explain")["terms"]["ate"] == 1


@pytest.mark.needs("facts")
def test_what_somebody_must_not_eat_is_answered_by_an_allergy(reel: Reel, kit: Path) -> None:
    record(kit, PHONE, "I'm allergic to shellfish, by the way.", "No mussels, then.", "No.", "Bread.")
    reel("fact", "add", "constraints", "shellfish", "allergic to shellfish", "--source", f"{PHONE}#1").ok()
    for query in ("what can I not eat", "What must I avoid eating?", "which foods can't I eat"):
        assert reel("recall", query).ok().out.startswith("Known by heart: "), query
        assert "allergic to shellfish" in answer(reel, query)["known"]["text"]
    assert answer(reel, "what antibiotic can I not have")["known"] is None
    reel("fact", "add", "constraints", "penicillin", "allergic to penicillin").ok()
    for query in (
        "what antibiotic can I not have",
        "which antibiotics can't I take?",
        "What antibiotic must I not be given?",
    ):
        assert "allergic to penicillin" in answer(reel, query)["known"]["text"], query
    assert answer(reel, "what painkiller can I not have")["known"] is None
    assert answer(reel, "what antibiotic can I have")["known"] is None
    assert answer(reel, "what can Tamsin not eat")["known"] is None
    assert answer(reel, "what can I eat")["known"] is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("lanturn", "lantern"), ("latnern", "lantern"), ("Lanterm", "lantern"), ("leters", "letters")],
)
def test_a_word_that_nothing_has_is_held_against_the_words_of_the_chats(
    reel: Reel, kit: Path, typed: str, meant: str
) -> None:
    record(kit, PHONE, "Letters first. Leave the lantern here.", "I will.", "And the key?", "Take it.")
    done = reel("recall", f"where is the {typed}").ok()
    assert f"Nothing has “{typed.lower()}”; did you mean “{meant}”?" in done.err
    command = next(line for line in done.err.splitlines() if "reel recall" in line).partition("reel ")[2]
    assert command == f"recall 'where is the {meant}'"
    again = reel("recall", f"where is the {meant}").ok()
    assert "Leave the lantern here" in again.out
    assert "did you mean" not in again.err
    # a word that is like none is not guessed at
    assert "did you mean" not in reel("recall", "accordion").ok().err
    # nor is an everyday word, which nobody mistyped
    record(kit, LETTER, "The port was closed.", "Which port?")
    assert "did you mean" not in reel("recall", "the part in it").ok().err
    assert "did you mean “port”" in reel("recall", "the porrt").ok().err


def test_what_holds_always_is_told_to_whoever_asks_for_something(reel: Reel, kit: Path) -> None:
    record(kit, PHONE, "Always give me metric, please.", "Of course.", "I always liked the sea.", "Me too.")
    done = reel("recall", "How deep should I plant bulbs?").ok()
    assert done.out == "What holds always:\n- 10 February 2026: “Always give me metric, please.”\n"
    found = answer(reel, "How deep should I plant bulbs?")
    assert found["standing"] == [{"session": PHONE, "message": 1, "text": "Always give me metric, please."}]
    # a question about what was said needs it not
    assert answer(reel, "Did we like the sea?")["standing"] == []


def test_a_question_of_time_gets_the_day(reel: Reel, kit: Path) -> None:
    record(kit, PHONE, "I ran the marathon last Friday.", "You did?", "Yes, with Ines.", "Well done.")
    told = answer(reel, "When did I run the marathon?")["hits"][0]["text"]
    assert "Bo: I ran the marathon last Friday.\n(last Friday: 6 February 2026)" in told
    assert "6 February" not in answer(reel, "Who ran the marathon?")["hits"][0]["text"]


def test_a_list_says_from_when_to_when(reel: Reel, kit: Path) -> None:
    for day, town in (("2026-02-10-1", "Lisbon"), ("2026-02-12-1", "Porto"), ("2026-02-20-1", "Faro")):
        record(kit, day, f"I visited {town}, one of the towns by the sea.", "Was it cold?")
    end = "From 10 February 2026 to 20 February 2026, in 3 conversations."
    assert reel("recall", "Which towns have I visited?").ok().out.rstrip().endswith(end)
    assert end not in reel("recall", "When have I visited a town?").ok().out


def test_a_list_gathers_from_many_evenings_a_moment_of_each_first(reel: Reel, kit: Path) -> None:
    towns = ("Lisbon", "Porto", "Faro", "Sintra", "Evora", "Braga", "Coimbra")
    for day, town in enumerate(towns, start=10):
        said = f"I visited {town}, one of the towns by the sea."
        again = (
            (f"Which towns did I visit? I visited towns and towns, {town} too.", "Yes.") if day < 13 else ()
        )
        record(kit, f"2026-02-{day}-1", said, "Was it cold?", "No.", "Good.", *again)
    done = reel("recall", "Which towns have I visited?").ok().out
    assert [town for town in towns if town not in done] == []
    assert "From 10 February 2026 to 16 February 2026, in 7 conversations." in done
    # where a day is asked for, a few moments are enough
    assert len(answer(reel, "When have I visited a town?")["hits"]) <= 5
    told = json.loads(reel("recall", "Which towns have I visited?", "--tokens", "400", "--json").ok().out)
    assert len({hit["session"] for hit in told["hits"]}) == len(towns)


def test_each_hit_for_a_program_has_its_day(reel: Reel, kit: Path) -> None:
    said = (
        "The kettle is blue.",
        "It is.",
        "Rain.",
        "Yes.",
        "No.",
        "Well.",
        "That kettle whistles.",
        "Always.",
    )
    record(kit, PHONE, *said)
    hits = answer(reel, "the kettle", "--tokens", "200")["hits"]
    assert len(hits) > 1
    assert all(hit["text"].startswith("10 February 2026") for hit in hits)


def test_the_words_of_a_date_need_not_be_said(reel: Reel, kit: Path) -> None:
    record(kit, PHONE, "I went to the harbour concert with Ines.", "How was it?", "Loud.", "Ha.")
    assert places(answer(reel, "Which concert was there on 10 February 2026?"))
    sure = [
        answer(reel, f"Which concert was there in {when}?")["confidence"]
        for when in ("February 2026", "June 2019")
    ]
    assert sure[0] > sure[1]


def test_the_form_of_a_page_is_no_evidence(reel: Reel, kit: Path) -> None:
    body = render_body({**dict.fromkeys(FIELDS, "."), FIELDS[0]: "A kestrel nested in the belfry."})
    body += "\n# In one breath:\n\nShe stayed.\n\n## Kestrels I counted\n\nTwo.\n"
    memory = Memory("M-001", "The kestrel", Level.L2, body, tags=("emotional", "birds"))
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / "ring3/M-001.md").write_text(render_memory(memory))

    def found(words: str) -> int:
        answered = answer(reel, words)
        return len(answered["hits"]) + int(answered["discarded"])

    # headings and ticked tags are in every page; what was written under them, and own headings, are evidence
    form = (*FIELDS, "one breath", "emotional")
    assert [words for words in form if found(words)] == []
    assert [words for words in ("belfry", "stayed", "counted", "birds") if not found(words)] == []


def test_the_words_that_matched_are_bold_on_a_terminal_and_nowhere_else(reel: Reel, lived: Path) -> None:
    shown = reel("recall", "which phones", tty=True, env={"TERM": "xterm", "NO_COLOR": ""}).ok().out
    bold = set(re.findall(r"\x1b\[1m(.*?)\x1b\[22m", shown))
    assert {word.casefold() for word in bold} <= {"phone", "phones", "telephone"}
    assert bold
    assert "\x1b" not in reel("recall", "which phones", tty=True, env={"NO_COLOR": "1"}).ok().out
    assert "\x1b" not in reel("recall", "which phones").ok().out


@pytest.mark.usefixtures("lived")
def test_without_words_a_person_is_asked_for_them(reel: Reel) -> None:
    asked = reel("recall", tty=True, stdin="what's with the penicillin\n").ok()
    assert "What are you looking for?" in asked.err
    assert "And penicillin never" in asked.out
    assert "Say what to look for." in reel("recall", tty=True, stdin="\n").err
    assert "Say what to look for." in reel("recall", "--json", tty=True).err


@pytest.mark.usefixtures("lived")
@pytest.mark.parametrize(
    ("query", "shown", "told"),
    [
        ("chapter four letter", 1, "1 other moment is less certain; to see more, add  -n 2\n"),
        ("penicillin letter", 1, "2 other moments are less certain; to see more, add  -n 3\n"),
        ("what did she say about the phone", 2, ""),
    ],
)
def test_a_person_is_shown_what_is_nearly_as_certain_as_the_best(
    reel: Reel, query: str, shown: int, told: str
) -> None:
    hits = answer(reel, *query.split())["hits"]
    done = reel("recall", *query.split()).ok()
    assert len(done.out.strip().split("\n\n")) == shown
    assert told in done.err
    assert ("less certain" in done.err) is bool(told)
    everything = reel("recall", *query.split(), "-n", str(len(hits))).ok()
    assert len(everything.out) >= len(done.out)
    assert "less certain" not in everything.err


def test_a_question_is_told_with_its_answer_unless_room_is_limited(reel: Reel, kit: Path) -> None:
    answered = "She is coming back. " + " ".join(f"word{number}" for number in range(400))
    record(kit, "2026-02-09-1", *(f"It was the {number}th day of rain." for number in range(20)))
    record(kit, "2026-02-10-1", "It rained.", "Fine.", "Yes, what did the harbour master write?", answered)
    asked = "what did the harbour master write"
    assert "coming back" in reel("recall", asked).ok().out
    assert "coming back" not in reel("recall", asked, "--tokens", "60").ok().out


@pytest.mark.needs("forgetting")
def test_a_chat_whose_file_is_missing_is_named_with_the_way_back(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "The kettle sings."), ("assistant", "In D.")], 10)
    say(reel, kit, [("user", "The kettle is broken."), ("assistant", "Oh.")], 20)
    assert "missing" not in reel("recall", "kettle").ok().err
    (kit / session_path("2026-02-10-1")).unlink()
    told = reel("recall", "kettle").ok().err
    assert "The file of 2026-02-10-1 is missing, and was not searched.\n" in told
    command = told.partition("To bring back what is missing:  reel ")[2].splitlines()[0]
    reel(*command.split()).ok()
    assert "missing" not in reel("recall", "kettle").ok().err


@pytest.mark.needs("facts")
@pytest.mark.parametrize("query", ["what is the dose", "whats the dose", "my tablets", "bisoprolol dose"])
def test_the_dose_of_no_named_medicine_is_that_of_the_kit(reel: Reel, kit: Path, query: str) -> None:
    """`what is the dose` found where sleep was part of the dose, and not the medicine."""
    session = "2026-02-27-1"
    said = ("I don't sleep.", "Sleep is part of the dose.", "I'm on 1.25 mg bisoprolol at night.", "Noted.")
    record(kit, session, *said)
    reel("fact", "add", "constraints", "bisoprolol", "1.25 mg at night", "--source", f"{session}#3").ok()
    told = reel("recall", query).ok().out
    assert told.startswith("Known by heart: bisoprolol: 1.25 mg at night")
    assert "I'm on 1.25 mg bisoprolol" in told
