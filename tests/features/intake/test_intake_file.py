"""`intake.yaml`: read, changed entry by entry, joined and purged; a person's hand in it stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.erasure.target import PurgeTarget
from reel_cli.core.tape.retelling import retell
from reel_cli.core.values.source import NewNames
from reel_cli.core.values.talk import PURGED
from reel_cli.features.intake.entry import (
    MODEL,
    NOWHERE,
    REEL,
    Candidate,
    DecidedCandidate,
    Decision,
    to_ask,
    without_too_many,
)
from reel_cli.features.intake.files import HEAD, edit_intake, parse_intake
from reel_cli.features.intake.kit_files import join_queues
from reel_cli.features.intake.purge import purge_intake

GONE = Decision(NOWHERE, "in passing", MODEL, "2026-02-11-1")
MINE = """# my own word on top
waiting:
  # about Ines
  - source: "2026-02-10-1#3"   # the third
    words: My sister Ines.
    mood: low

  # the second
  - words: "tea: yes"
    source: 2026-02-10-1#5
other: stays
"""


def one(number: int, words: str = "", session: str = "2026-02-10-1") -> Candidate:
    return Candidate(f"{session}#{number}", words or f"said {number}", "Bo", "2026-02-10", "a promise", REEL)


def test_from_nothing_to_decided() -> None:
    text = edit_intake("", {}, [one(1), one(2)], [], 9).text
    assert text.startswith(HEAD)
    assert list(parse_intake(text).waiting) == [one(1), one(2)]
    edited = edit_intake(text, {0: GONE}, [one(3)], [DecidedCandidate(one(4), GONE)], 9)
    found = parse_intake(edited.text)
    assert list(found.waiting) == [one(2), one(3)]
    assert [(d.candidate.source, d.decision) for d in found.decided] == [
        ("2026-02-10-1#1", GONE),
        ("2026-02-10-1#4", GONE),
    ]
    edited = edit_intake(edited.text, {0: GONE, 1: GONE}, [], [], 3)
    assert edited.gone == 1
    assert [d.candidate.source[-1] for d in parse_intake(edited.text).decided] == ["4", "2", "3"]
    assert edit_intake(edited.text, {}, [], [DecidedCandidate(one(9), GONE)], 0).gone == 4


def test_a_person_s_hand_stays() -> None:
    edited = edit_intake(MINE, {0: GONE}, [one(7)], [], 9).text
    assert edited == (
        "# my own word on top\nwaiting:\n  # about Ines\n\n  # the second\n"
        '  - words: "tea: yes"\n    source: 2026-02-10-1#5\n'
        '  - source: "2026-02-10-1#7"\n    who: Bo\n    when: 2026-02-10\n    words: said 7\n'
        "    why: a promise\n    by: reel\nother: stays\n"
        'decided:\n- source: "2026-02-10-1#3"   # the third\n  words: My sister Ines.\n  mood: low\n'
        "  where: nowhere\n  why: in passing\n  by: model\n  page: 2026-02-11-1\n"
    )
    flow = edit_intake(
        "waiting: [{source: 2026-02-10-1#2, words: hi, x: [1]}]\nmine: 3", {0: GONE}, [], [], 9
    )
    assert flow.text.endswith("page: 2026-02-11-1\n")
    assert "mine: 3\n" in flow.text
    assert 'x: ["1"]' in flow.text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("waiting:\n- source: '2026\n", "line 2"),
        ("waiting:\n- source: 2026-02-10-1#1\n  words: hi\n- words: alone\n", "line 4"),
        ("waiting:\n- just a line\n", "line 2"),
        ("waiting:\n- source: 2026-02-10-1\n  words: hi\n", "line 2"),
        ("waiting: 3\n", "should be a list"),
        ("- a\n", "key: value"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, line: str) -> None:
    with pytest.raises(ReelError, match=line) as error:
        parse_intake(text)
    assert error.value.hint or "key: value" in error.value.message


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.text(min_size=1, max_size=30).filter(lambda t: any(map(str.isalnum, t))), max_size=6),
    st.integers(0, 3),
)
def test_any_words_come_back_on_one_line(words: list[str], keep: int) -> None:
    fresh = [Candidate(f"2026-02-10-1#{at}", said) for at, said in enumerate(words, start=1)]
    text = edit_intake("", {}, fresh, [], 9).text
    queue = parse_intake(text)
    assert [c.key for c in queue.waiting] == [
        (c.source, " ".join("".join(x if x.isprintable() else " " for x in c.words).split()).casefold())
        for c in fresh
    ]
    edited = edit_intake(text, dict.fromkeys(range(len(fresh)), GONE), [], [], keep)
    after = parse_intake(edited.text)
    assert (len(after.waiting), len(after.decided)) == (0, min(keep, len(fresh)))
    assert edited.gone == max(0, len(fresh) - keep)


def test_two_machines_ask_nothing_twice_and_lose_no_decision() -> None:
    base = edit_intake("", {}, [one(1), one(2), one(3)], [], 9).text
    ours = edit_intake(base, {0: GONE}, [one(5)], [], 9).text
    theirs = edit_intake(base, {1: GONE}, [one(5), one(6)], [], 9).text
    found = parse_intake(join_queues(ours, theirs, base))
    assert [c.source[-1] for c in found.waiting] == ["3", "5", "6"]
    assert [d.candidate.source[-1] for d in found.decided] == ["2", "1"]
    assert join_queues(ours, theirs, "").count("#5") == 1
    words = "what 2026-02-10-1#3 was"
    renamed = retell(
        "intake.yaml",
        edit_intake("", {}, [one(3, words)], [], 9).text.encode(),
        None,
        NewNames({"2026-02-10-1": "2026-02-10-2"}),
    )
    assert parse_intake(renamed.decode()).waiting == (one(3, words, "2026-02-10-2"),)


def test_purged_words_leave_in_whole_and_in_part() -> None:
    quoted = one(4, "and then I told him everything about the")
    text = edit_intake("", {}, [one(3, 'say "hush" now'), quoted, one(5)], [], 9).text
    text = edit_intake(text, {2: Decision("experience", "dear to me", MODEL, "2026-02-12-1")}, [], [], 9).text
    whole = PurgeTarget(("I told him everything about the money",))
    made = purge_intake(text.encode(), whole, None).decode()
    assert "told him" not in made
    assert parse_intake(made).waiting[1].words == PURGED
    assert parse_intake(made).waiting[0].words == 'say "hush" now'
    assert purge_intake(made.encode(), whole, None) == made.encode()
    assert "hush" not in purge_intake(text.encode(), PurgeTarget(('"hush"',)), None).decode()
    session = parse_intake(purge_intake(text.encode(), PurgeTarget(()), "2026-02-10-1").decode())
    assert {c.words for c in session.waiting} == {c.why for c in session.waiting} == {PURGED}
    page = parse_intake(purge_intake(text.encode(), PurgeTarget(()), "2026-02-12-1").decode()).decided[0]
    assert (page.candidate.words, page.decision.why) == ("said 5", PURGED)


def test_who_goes_and_who_is_asked_about() -> None:
    listed = [(one(1), 5), (one(2), 100), (one(3), 5), (one(4), 8)]
    assert without_too_many(listed, 4) == []
    assert [c.source[-1] for c in without_too_many(listed, 2)] == ["1", "3"]
    waiting = [one(9, session="2026-02-09-1"), one(1), one(2), one(1, session="2026-02-12-1")]
    assert [c.source for c in to_ask(waiting, "2026-02-10-1", 10_000)] == [
        "2026-02-09-1#9", "2026-02-10-1#1", "2026-02-10-1#2", "2026-02-12-1#1",
    ]  # fmt: skip
    room = sum(len(c.words) + len(c.who) + len(c.why) + 20 for c in waiting[:2])
    assert [c.source for c in to_ask(waiting, "2026-02-10-1", room)] == ["2026-02-10-1#1", "2026-02-10-1#2"]
