"""Words held against the tape: whatever the script, and wherever on the tape they were said."""

from dataclasses import replace

import pytest

from reel_cli.core.evidence.said_words import find_on_tape
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.talk import Conversation, Message, session_path
from reel_cli.features.dream.batch_checks import Checks, quotations_of
from reel_cli.features.facts.fact import Fact
from tests.features.dream.test_dream_tape import Files

SAID = (
    "I said: the kiln -- cracked, last night!",
    "Вчера вечером ТРЕСНУЛА печь, и я смёл черепки.",
    "昨天晚上窑裂了，我把碎片扫进桶里。",
    "تشقق الفرن مساء أمس فكنست القطع.",
)


def tape() -> Snapshot:
    files = {"kit.yaml": b"name: Ada\nuser: Bo\n"}
    for day, text in enumerate(SAID, start=1):
        session = f"2026-01-{day:02d}-1"
        said = [Message("user", text), Message("assistant", "Yes.")]
        files[session_path(session)] = render_session(session, Conversation("messages", said))
    return Snapshot(Files(files), "ada")


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("the kiln cracked last night", True),
        ("The Kiln cracked", True),
        ("the kiln cracked last nigh", False),
        ("вечером треснула печь", True),
        ("вечером треснул печь", False),
        ("我把碎片扫进桶里", True),
        ("我把碎片扔进桶里", False),
        ("الفرن مساء أمس", True),
        ("الفرن صباح أمس", False),
        ("…", False),
        ("", False),
    ],
)
def test_words_are_found_in_any_script(words: str, there: bool) -> None:  # noqa: FBT001
    snapshot = tape()
    assert find_on_tape(snapshot, [words], snapshot.sessions) == ({words} if there else set())
    assert not find_on_tape(snapshot, [words], ())


def test_quotations_are_more_than_a_word_or_two_and_may_leave_something_out() -> None:
    text = 'The "thin one" and “we swept … into a [blue] bucket.” and "no more".'
    assert list(quotations_of(text)) == [
        ("we swept … into a [blue] bucket.", ["we swept", "into a", "bucket"])
    ]


def checks() -> Checks:
    snapshot = tape()
    return Checks(snapshot, {"2026-01-01-1": ((1, 2),)})


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ('He said "the kiln cracked, last night".', 'He said "the kiln cracked, last night".'),
        ('He said "the kiln cracked last nigth".', 'He said "the kiln -- cracked, last night".'),
        ('He said "the kiln is whole, my friend", and I swept.', "He said […], and I swept."),
        ('Ask him "and the kiln, last night?" once.', "Ask him ‘and the kiln, last night?’ once."),
    ],
)
def test_only_a_slip_of_the_pen_is_put_right(told: str, kept: str) -> None:
    assert checks().mend_quotes(told)[0] == kept


def test_what_is_to_be_said_another_time_is_in_single_quotation_marks() -> None:
    told = 'Ask "and what did you do then?" and not only "The kiln cracked".'
    assert checks().mark_proposals(told) == 'Ask ‘and what did you do then?’ and not only "The kiln cracked".'


def test_who_looks_back_may_say_what_was_not_done() -> None:
    told = ["I did not ask which kiln it was. He never told Torvald."]
    assert [problem.field for problem in checks().claims(told, [])] == ["grounding.name"]


def test_a_dreams_fact_is_borne_by_what_it_has_beyond_the_values_that_are_known() -> None:
    """A choir's stool given back was said, and `no turn was found`, as its evenings were of another chat."""
    said = [
        Message("user", "The kiln cracked, and the stool is given back to the choir."),
        Message("assistant", "Good."),
    ]
    session = "2026-01-01-1"
    files = {
        "kit.yaml": b"name: Ada\nuser: Bo\n",
        session_path(session): render_session(session, Conversation("messages", said)),
    }
    held = Checks(Snapshot(Files(files), "ada"), {session: ((1, 2),)})
    told = Fact("preferences", "choir", "Tuesdays in Wells, second row, stool given back")
    assert held.locate(told) == ("", "")
    known = ["Tuesdays in Wells, second row, a high stool"]
    assert held.locate(told, known) == (f"{session}#1", "2026-01-01")
    assert held.locate(replace(told, value="Tuesdays in Wells, stool sold"), known) == ("", "")
