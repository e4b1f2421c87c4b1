"""Effects of a checkpoint's notes on working memory, and what they leave alone."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.artifact import Delta
from reel_cli.core.values.memory import Item
from reel_cli.features.page.notes.note_likeness import (
    asks_the_same,
    asks_what_came_of,
    is_said_twice,
    is_same_matter,
    is_told_in,
    repeats,
    says_no_more,
    with_day,
)
from reel_cli.features.page.notes.plan_notes import plan_loops
from reel_cli.features.page.notes.working_notes import parse_notes
from reel_cli.features.page.prompt.shown_notes import LEAST_ROOM, choose_notes
from tests.support.cli import Reel
from tests.support.pages import say

ITEMS = tuple(
    Item("Active threads", text, (n, n + 1))
    for n, text in enumerate(
        (
            "The lighthouse draft, chapter four",
            "The residency: forty pages by 30 April",
            "Whether he buys the ticket",
        )
    )
)


def delta(text: str) -> Delta:
    return parse_notes(text, ITEMS)


@pytest.mark.parametrize(
    "line",
    [
        "closed loops: The lighthouse draft, chapter four; Whether he buys the ticket",
        "closed loops: 1; 3",
        "closed 1 and 3, both done",
        "closed loops 1, 3",
    ],
)
def test_one_line_closes_several_items(line: str) -> None:
    assert delta(line).closed == (1, 3)


@pytest.mark.parametrize(
    "line",
    [
        'closed loops: Whether he buys the ticket ("I have the ticket now")',
        'closed loop: Whether he buys the ticket? — "I have the ticket now"',
        'closed loop: Whether he buys the ticket - "I have the ticket now"',
        'closed loop: "Whether he buys the ticket" — "I have the ticket now"',
        'closed loop: Whether he buys the ticket (he said "I have the ticket now")',
        "closed loops: loop: Whether he buys; settled by: I have the ticket now",
    ],
)
def test_a_loop_named_by_its_words_closes_with_what_settles_it_behind_them(line: str) -> None:
    """REEL §6.6: a closed loop may stand by its text, as by its number, beside the words that settle it."""
    found = delta(line)
    assert (found.closed, found.unmatched) == ((3,), ())
    assert "I have the ticket now" in found.settled_by[0][1]
    assert not delta(
        line.replace("Whether he buys the ticket", "The boat").replace("Whether he buys", "It")
    ).closed


@pytest.mark.parametrize(
    "line", ["closed 2 boxes", "Loop 2 is not closed.", "state: At home.\nclosed 2, and went on"]
)
def test_a_number_behind_closed_that_is_no_verdict_closes_nothing(line: str) -> None:
    assert not delta(line).closed


@pytest.mark.parametrize(
    "line",
    [
        "2. closed",
        "2 closed",
        "2) closed.",
        "(2) closed: he sent it",
        "#2: Closed — at last",
        "- 2. **closed**",
        "2 - done",
        '2: "closed"',
        "item 2: resolved",
        "Open loop 2: closed, sent on Friday",
        "2. closed because it is sent",
        "closed 2, he sent it",
        "Closed loop 2 (the residency)",
        "Loop 2 is closed.",
        "Loop 2 is now closed: he sent it",
        "2. no longer open",
        "2. The residency: forty pages by 30 April - closed",
        "2. The residency (closed)",
        "2. He sent the pages. Closed.",
        "closed: 2",
        "closed:\n- 2",
        "closed:\n- The residency: forty pages by 30 April",
        "Closed loops: 2",
        "The residency: closed",
        "[x] 2. closed",
        '<note id="2">closed</note>',
        "2. changed: closed",
        "2 and 2: closed",
    ],
)
def test_an_item_is_closed_by_number_or_by_its_words(line: str) -> None:
    assert delta(line) == Delta(closed=(2,))


def test_a_quotation_that_nobody_closed_ends_with_its_line() -> None:
    """A page's `closed "We're friends again!!` was told as closed with no words of the chat."""
    assert delta('2. closed "He sent the pages.').settled_by == ((2, '2. closed "He sent the pages."'),)


@pytest.mark.parametrize(
    "line",
    [
        "2. not closed",
        "2. closed?",
        "2. closed, almost",
        "2. closed / still",
        "2. closed or changed",
        "2. half closed",
        "2. closer than before",
        "2. done with the waiting, I hope",
        "2. completely forgot",
        "2. unclosed",
        "2. hmm",
        "2. changed",
        "2. changed?",
        "2. changed his mind",
        "4. closed",
        "0. closed",
        "12. changed: a book",
        "2. isn't closed",
        "the moon landing: closed",
        "2. The lighthouse draft, chapter four: closed",
        "2. Never closed",
        "calibration: 2 closed",
    ],
)
def test_a_word_that_is_not_clear_changes_nothing_and_is_handed_back(line: str) -> None:
    found = delta(line)
    assert (found.still, found.closed, found.changed, found.new, found.state) == ((), (), (), (), "")
    assert len(found.unmatched) == 1


@pytest.mark.parametrize(
    "line",
    [
        "1. still",
        "1 still open",
        "1. open",
        "1. unchanged",
        "1. no change",
        "1. still - he is at it",
        "1. The lighthouse draft, chapter four",
        "1. He is at it. still",
        "still: 1",
        "1. changed: nothing",
        "1. changed: same as before",
        "1. still not closed",
        "1.",
    ],
)
def test_an_item_that_is_still_open_stays(line: str) -> None:
    assert delta(line) == Delta(still=(1,))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("2. changed: fifty pages by May", "fifty pages by May"),
        ("2. Changed to fifty pages by May", "fifty pages by May"),
        ("2 changed — fifty pages by May", "fifty pages by May"),
        ('2: "changed: fifty pages by May"', "fifty pages by May"),
        ("2. → fifty pages by May", "fifty pages by May"),
        ("2. now fifty pages by May", "fifty pages by May"),
        ("2. updated: “fifty pages” by May", "“fifty pages” by May"),
        ("2. The residency (changed: fifty pages by May)", "fifty pages by May"),
        ("The residency: forty pages by 30 April → fifty pages by May", "fifty pages by May"),
        ("changed:\n2. fifty pages by May", "fifty pages by May"),
    ],
)
def test_a_changed_item_reads_anew(line: str, words: str) -> None:
    assert delta(line) == Delta(changed=((2, words),))


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("new: ask about the soup", ("ask about the soup",)),
        (
            "New threads:\n- ask about the soup\n- 268 pages, from page one",
            ("ask about the soup", "268 pages, from page one"),
        ),
        ("new:\n1. ask about the soup\n2. read it again", ("ask about the soup", "read it again")),
        ("3. new: ask about the soup", ("ask about the soup",)),
        ("new — a joke?\nnew: nothing else", ("a joke?",)),
        ("New: one thing. New: another.", ("one thing.", "another.")),
        ('new: "ask about the soup"', ("ask about the soup",)),
        ("new: nothing", ()),
        ("Open loops: new: ask about the soup", ("ask about the soup",)),
        ("new: 1. ask about the soup\nnew: 2. read it again", ("ask about the soup", "read it again")),
        ("new: 3 still lifes to hang", ("3 still lifes to hang",)),
    ],
)
def test_new_items_are_taken_as_they_are(text: str, new: tuple[str, ...]) -> None:
    assert delta(text) == Delta(new=new)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("state: He is away until March.", "He is away until March."),
        ("State of things: away", "away"),
        ("State, then: away", "away"),
        ("state — away", "away"),
        ("state:\nAway until March.\nThe book waits.", "Away until March.\nThe book waits."),
        ("4. state: away", "away"),
        ("state: 3.4 mm at the swim, report to follow", "3.4 mm at the swim, report to follow"),
        ("state:\n2.5 kg of flour", "2.5 kg of flour"),
        ("state: 1.30 train on the 5th", "1.30 train on the 5th"),
        ("state: 1:30 train on the 5th", "1:30 train on the 5th"),
        ("state: 12.03. meeting", "12.03. meeting"),
        ("state: same", ""),
        ("state: nothing", ""),
    ],
)
def test_the_state_is_what_it_says(text: str, state: str) -> None:
    assert delta(text) == Delta(state=state)


def test_what_follows_the_state_under_a_label_of_its_own_is_none_of_it() -> None:
    found = delta('state: Away.\nThe book waits.\nExamples: nothing from today.\n"Up at five" may stay')
    assert found.state == "Away.\nThe book waits."
    assert found.unmatched == ("Examples: nothing from today.", '"Up at five" may stay')


def test_a_numbered_verdict_below_the_state_is_the_items() -> None:
    assert delta("state: Away.\nstate: 2. closed, he sent it") == Delta(closed=(2,), state="Away.")


def test_a_whole_set_of_notes_at_once() -> None:
    notes = (
        "You came in with these.\n1. still\n2. changed: fifty pages\n3. closed, he has it\n"
        "new: the soup\nnew: the gloves\nstate: Friday he flies."
    )
    assert delta(notes) == Delta(
        still=(1,),
        closed=(3,),
        changed=((2, "fifty pages"),),
        new=("the soup", "the gloves"),
        state="Friday he flies.",
        unmatched=("You came in with these.",),
    )


@pytest.mark.parametrize(
    ("line", "closed"),
    [("1 and 3: closed", (1, 3)), ("1-3 closed", (1, 2, 3)), ("1, 2 & 3. Closed.", (1, 2, 3))],
)
def test_several_items_share_a_verdict(line: str, closed: tuple[int, ...]) -> None:
    assert delta(line) == Delta(closed=closed)


def test_of_several_items_one_that_does_not_exist_spoils_the_line() -> None:
    assert delta("2 and 7: closed") == Delta(unmatched=("2 and 7: closed",))


def test_two_verdicts_for_one_item_are_none() -> None:
    found = delta("2. closed\n2. changed: fifty pages\n1. still\n1. still")
    assert (found.still, found.closed, found.changed) == ((1,), (), ())
    assert found.unmatched == ("2 is given more than one verdict (changed, closed)",)


@pytest.mark.parametrize("text", ["", "nothing", "None.", "- nothing new", "—", "[]", "n/a"])
def test_nothing_is_nothing(text: str) -> None:
    assert delta(text) == Delta()


def test_without_items_no_number_names_one() -> None:
    assert parse_notes("1. closed", ()) == Delta(unmatched=("1. closed",))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Forty pages by 30 April.", "forty pages by 30 april"),
        ("The rent is due", "The rent is due in June"),
        ("the residency is open", "The residency is still open."),
    ],
)
def test_what_stands_there_in_the_same_words_is_not_noted_again(one: str, other: str) -> None:
    assert says_no_more(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent is due on Monday", "The rent is due on Friday"),
        ("forty pages", "the ticket, and who pays for it"),
        ("Forty pages by 30 April", "Fifty pages by 30 April"),
        ("Ana has an exam in June", "Ben has an exam in June"),
        ("Sam will call the surgery", "Sam will not call the surgery"),
        ("Anna pays for the ticket to Oslo", "Anne pays for the ticket to Oslo"),
        ("The flight leaves at 9:40 from gate 12", "The flight leaves at 9:40 from gate 21"),
        ("Take the tablets before breakfast", "Take the tablets after breakfast"),
        ("Ask Ana", "Ask Ana about the tickets for the ferry"),
        ("Die Miete ist am Montag fällig", "Die Miete ist am Freitag fällig"),
    ],
)
def test_a_note_that_resembles_another_is_another(one: str, other: str) -> None:
    assert not says_no_more(one, other)
    assert not is_same_matter(one, other)


def test_one_matter_in_other_words_is_known() -> None:
    assert is_same_matter(
        "Whether the surgery writes the letter for the lease",
        "The surgery's letter about the lease: will it be written",
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            "The drawing of Bo's loom that he will send",
            "Bo sends me a drawing of a loom when I have time",
            True,
        ),
        ("My seed list, which I still have to send him", "I have to send Bo my seed list", True),
        ("The seed list that Bo sends", "The seed list I send him", False),
        ("Bo sends the seed list", "I send the seed list", False),
        ("I have to send Ines my seed list", "My seed list, which I still have to send him", False),
        ("I have to send Bo my seed list", "My seed list, which I still have to send Ines, for him", False),
    ],
)
def test_the_other_may_be_named_or_be_him(one: str, other: str, *, same: bool) -> None:
    assert is_same_matter(one, other, ("Ada", "Bo")) is same


def test_what_a_page_left_open_is_not_noted_again_from_a_keepsake(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Send me the seed list."), ("assistant", "I will.")])
    first = plan_loops(Snapshot(WorkTree(kit), "kit"), ["My seed list, which I still have to send him"])
    for path, data in first.writes.items():
        (kit / path).write_bytes(data)
    after = Snapshot(WorkTree(kit), "kit")
    assert plan_loops(after, ["I have to send Bo my seed list"]).writes == {}
    assert plan_loops(after, ["I have to send Ines my seed list"]).writes != {}


def test_a_memory_alone_closes_no_note_and_tells_which_one_may_be_done(reel: Reel, kit: Path) -> None:
    """REEL §3.3, §4.3: the program closed a loop by a sentence that shared two words with it."""
    say(reel, kit, [("user", "Send me the seed list."), ("assistant", "I will.")])
    notes = kit / "ring2/working.md"
    loops = ("I have to send Bo my seed list", "Whether Sarah in finance talks")
    listed = "".join(f"- {loop}\n" for loop in loops)
    notes.write_text(f"{notes.read_text()}\n## Open loops\n\n{listed}")
    kit_now = Snapshot(WorkTree(kit), "kit")
    done = ["You sent me the seed list.", "Sarah in finance has bought a new bicycle, red with a basket."]
    left = plan_loops(kit_now, [], done)
    [(_, lines)] = left.shown
    assert lines == (f"still open, though it may be done: {loops[0]} (“{done[0]}”)",)
    assert left.writes == {}
    open_still = ["My seed list, which I still have to send him"]
    assert "may be done" not in str(plan_loops(kit_now, open_still, done).shown)


PIECES = st.sampled_from(
    [
        "1",
        "2.",
        "3)",
        "9",
        "12",
        "closed",
        "still",
        "changed:",
        "new:",
        "state:",
        "-",
        "and",
        "→",
        "?",
        "not",
        "\n",
        "the ticket",
        "The residency: forty pages by 30 April",
        "closed:\n",
        "changed:\n",
        "(",
        ")",
        "—",
        '"',
        "海",
        "1-9",
        "0",
    ]
)


@given(st.lists(PIECES, max_size=14).map(" ".join) | st.text(max_size=80), st.integers(0, 3))
@settings(max_examples=100, deadline=None)
def test_no_number_is_ever_named_that_is_no_item(text: str, many: int) -> None:
    found = parse_notes(text, ITEMS[:many])
    named = [*found.still, *found.closed, *(number for number, _ in found.changed)]
    assert set(named) <= set(range(1, many + 1))
    assert len(named) == len(set(named))
    assert all(words.strip() for _, words in found.changed)
    assert all(line.strip() for line in found.new)


def notes_of(many: int, words: str = "the boat and its rope") -> str:
    items = "".join(f"- thread {n}: {words}\n" for n in range(many))
    return f"## Active threads\n\n{items}\n## State\n\n{'At home. ' * 60}\n\n## Calibration\n\nWarm.\n"


def test_a_prompt_shows_the_notes_that_the_chat_touches_and_others_by_turns_within_its_room() -> None:
    text = notes_of(200).replace("thread 120: the boat and its rope", "Whether Kateryna buys the ticket")
    shown = choose_notes(text, ["Kateryna said that the ticket is bought."], 200)
    items = [item.text for item in shown.items]
    assert "Whether Kateryna buys the ticket" in items
    assert len(shown.text.split()) <= 200
    assert f"(and {200 - len(items)} more, which stay as they are unless you name them)" in shown.text
    assert "Warm." not in shown.text
    few = choose_notes("## Active threads\n\n- a\n", [], 200)
    assert (few.text, few.longest) == ("## Active threads\n\n- a\n", 0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Whether Hanne rang Judit.", "Whether she rang Judit, before the kettle.", True),
        (
            "Whether Hanne rang Judit about the flood.",
            "Whether Hanne rang Judit about the flood, and when.",
            True,
        ),
        ("Whether Hanne rang Judit.", "Whether Hanne rang Marta.", False),
        ("Whether Hanne rang Judit.", "Whether Hanne did not ring Judit.", False),
        ("Whether chapter 4 is done.", "Whether chapter 5 is done.", False),
        ("Whether Hanne rang Judit.", "Hanne rang Judit.", False),
        ("Whether Hanne rang Judit on 6 March 2026", "Whether Hanne rang Judit on 7 March 2026", False),
        ("Whether Hanne rang Judit on 6 March 2026", "Whether she rang Judit on 6 March 2026", True),
    ],
)
def test_two_notes_that_ask_one_thing_are_one(one: str, other: str, *, same: bool) -> None:
    assert asks_the_same(one, other, ("Orrin", "Hanne")) is same
    assert asks_the_same(other, one, ("Orrin", "Hanne")) is same


@pytest.mark.parametrize(
    ("question", "intention", "after"),
    [
        ("Whether Hanne rang Judit.", "Hanne means to ring Judit on Thursday", True),
        ("Whether she rang Judit, before the kettle.", "Hanne means to ring Judit on Thursday", True),
        ("Whether Hanne rings Judit.", "Hanne means to ring Judit on Thursday", False),
        ("Whether Hanne rang Judit.", "Hanne means to write to Judit on Thursday", False),
        ("Hanne rang Judit.", "Hanne means to ring Judit on Thursday", False),
    ],
)
def test_a_question_may_be_what_came_of_an_intention(question: str, intention: str, *, after: bool) -> None:
    assert asks_what_came_of(question, intention, ("Orrin", "Hanne")) is after


KEEPER = (
    "Whether the boy finds the lamp in the last chapter, and who tells him of the storm.",
    "Hanne lost a page to the cat and writes it anew on a good evening.",
    "Whether the sea is cold enough for the last chapter, and how long a man lives in it.",
    "Judit wants the whole book by 12 February 2027, printed.",
    "The dog sleeps in the lamp room, and the boy in the last chapter hears of it.",
    "Whether the boy in the last chapter minds the storm and the sea.",
)


def test_a_note_with_the_day_that_the_chat_speaks_of_is_asked_about_first() -> None:
    text = "## Open loops\n\n" + "".join(f"- {note}\n" for note in KEEPER)
    said = [
        "The boy and the lamp are in the last chapter, and the sea, and the storm. The cat tells the boy.",
        "The deadline has moved: the manuscript is due on 1 March now, not 12 February.",
    ]
    for turn in range(len(KEEPER)):
        items = choose_notes(text, said, LEAST_ROOM - 30, turn, date(2026, 12, 1)).items
        assert KEEPER[3] in [item.text for item in items]


CAPTAIN = (
    "Finding out who Haralamb is, with Ileana.",
    "Aurelia's right eye operation, moved to 12 November 2026",
    "Uncle Aurel's 80th on Wednesday 11 November 2026.",
    "The surprise on the accordion for Mama at Christmas; nobody is to know that we know.",
    "The rent goes up to 830 from January 2027.",
    "The story of the Greek captain, owed when the eye is done.",
    "The letter to her father, to be written by Christmas and read to me.",
    "The written exam for Dialisi, the list by 30 November 2026.",
)


def test_the_notes_that_the_chat_is_about_are_shown_at_every_turn() -> None:
    """REEL §6.6: the story was told in this chat, and the prompt hid its note among those of other turns."""
    text = "## Open loops\n\n" + "".join(f"- {note}\n" for note in CAPTAIN)
    said = [
        "The right eye is done, on Thursday. I called uncle Aurel. Now the Greek captain: you owe me him."
    ]
    for turn in range(len(CAPTAIN)):
        items = choose_notes(text, said, LEAST_ROOM - 10, turn, date(2026, 11, 14)).items
        assert {*CAPTAIN[1:3], CAPTAIN[5]} <= {item.text for item in items}


OWN = st.sampled_from(["", "words of a person "])


@given(st.integers(1, 60), st.integers(1, 90), st.integers(LEAST_ROOM, 400), OWN, st.integers(0, 60))
@settings(max_examples=30, deadline=None)
def test_after_as_many_pages_as_there_are_notes_each_was_asked_about(
    many: int, long: int, room: int, own: str, first: int
) -> None:
    text = notes_of(many, "rope " * long) + f"## Mine\n\n{own * 50}"
    spoken = [f"thread {first} and its rope"]
    asked = set()
    for turn in range(many):
        shown = choose_notes(text, spoken, room, turn)
        cut = sum(max(0, len(one.text.split()) - (shown.longest or 999)) for one in shown.items)
        assert len(shown.text.split()) - cut <= room
        asked |= {item.text for item in shown.items}
    assert len(asked) == many


def test_after_what_the_chat_speaks_of_comes_what_was_for_a_day_that_has_passed() -> None:
    """REEL §6.6: what is over can be closed, since it has a number, however many notes there are."""
    far = [f"The gutter {n} of the long red barn behind the house" for n in range(40)]
    past = ["Fit injector 2 on Sunday 8 November 2026", "Out of the wharf by 20 November 2026"]
    text = "## Open loops\n\n" + "".join(
        f"- {note}\n" for note in (*far[:20], *past, "The PAT tester comes back", *far[20:])
    )
    for turn in range(20):
        items = choose_notes(text, ["Is the tester back?"], 150, turn, date(2026, 12, 1)).items
        assert {*past, "The PAT tester comes back"} <= {item.text for item in items}
        assert len(items) >= 8


def test_the_day_of_noting_takes_no_room_where_the_prompt_leaves_it_out() -> None:
    notes = [f"The letter {n} by 30 April (noted 1 March 2026)" for n in range(40)]
    text = "## Open loops\n\n" + "".join(f"- {note}\n" for note in notes)
    told, whole = (choose_notes(text, [], 150, day=day).items for day in (date(2026, 3, 11), None))
    assert len(told) >= len(whole) * 5 // 4


def test_a_note_that_stands_there_twice_is_shown_once() -> None:
    shown = choose_notes("## Active threads\n\n- The rent\n\n## Open loops\n\n- The rent\n", [], 200)
    assert [item.text for item in shown.items] == ["The rent"]


FRAMES = st.sampled_from(
    (
        "The rent is due {}",
        "Whether the surgery writes the letter {}",
        "{} she takes the tablets before breakfast",
        "Forty pages go to Pip {}",
    )
)
TELLING = st.sampled_from(
    (
        *("on Monday", "on Friday", "in May", "in June", "on 3 May", "on 4 May", "at 9:40", "at 9:45"),
        *("with Ana", "with Ben", "until noon", "not", "without a word", "twice", "two times over"),
        *("for 40 euros", "for 50 euros", "tomorrow", "tonight", "maybe", "after all"),
    )
)


@given(FRAMES, TELLING, TELLING, st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_note_that_differs_in_a_day_a_number_a_name_or_a_denial_is_never_taken_for_a_copy(
    frame: str,
    one: str,
    other: str,
    later: bool,  # noqa: FBT001 (drawn)
) -> None:
    stands, new = frame.format(one).strip(), frame.format(other).strip()
    new += " (noted 3 May 2026)" if later else ""
    copy = one == other
    assert says_no_more(new, stands) is copy
    assert copy or not is_same_matter(new, stands)
    if not copy and one not in ("after all", "twice", "two times over"):
        assert not says_no_more(stands, new)


def test_the_same_words_on_another_day_are_another_appointment() -> None:
    first = with_day("Piano recital with Anna next Saturday", date(2026, 5, 1))
    second = with_day("Piano recital with Anna next Saturday", date(2026, 5, 8))

    assert not says_no_more(second, first)
    assert not is_same_matter(second, first)
    assert says_no_more(with_day("The rent is due on 20 May", date(2026, 5, 8)), "The rent is due on 20 May")


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("the key under the mat: closed", (2,)),
        ("closed: the key under the mat", (2,)),
        ("2. closed", ()),  # the prompt gave it no number
        ("the key: closed", ()),
        ("closed: the key", ()),
        ("closed: the mat with the key, it is found", ()),
        ('closed: the key, "here it is"', (2,)),
        ('the key: closed, "here it is"', (2,)),
        ("closed: the key and its mat", (2,)),
        ('closed: the door, "here it is"', ()),
    ],
)
def test_what_the_prompt_did_not_show_is_closed_by_its_very_words(text: str, closed: tuple[int, ...]) -> None:
    """REEL §4.3: each item can be ended, also where a small prompt had no room for it."""
    shown, hidden = (Item("Open loops", words, (1, 2)) for words in ("the ticket", "the key under the mat"))
    assert parse_notes(text, [shown], [hidden]).closed == closed


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ('"Kit turns seven on 12 April": closed "He\'s seven!"', (2,)),
        ('"Kit turns seven": closed "He\'s seven!"', (2,)),
        # two notes begin so, or it is no whole word
        ('"On Saturday, 12 April": closed "eight legs"', ()),
        ('"Kit turns seven on 12 Apr": closed "He\'s seven!"', ()),
    ],
)
def test_first_words_of_one_note_name_it_where_no_mark_stands_behind_them(
    text: str, closed: tuple[int, ...]
) -> None:
    shown, *hidden = (
        Item("Open loops", words, (1, 2))
        for words in (
            "the ticket",
            "Kit turns seven on 12 April 2025, with a party",
            "On Saturday, 12 April 2025, Temi bakes",
            "On Saturday, 12 April 2025, the boat is sold",
        )
    )
    assert parse_notes(text, [shown], hidden).closed == closed


def test_words_that_several_notes_have_close_none() -> None:
    shown, *hidden = (
        Item("Open loops", words, (1, 2))
        for words in ("the ticket", "the key of the boat", "the boat, in May")
    )
    assert parse_notes('closed: the boat, "sold it"', [shown], hidden).closed == ()


def test_a_number_with_a_point_is_no_number_of_a_note() -> None:
    """REEL §6.6: `3.4 mm` says a measure, and no word of it is lost, wherever it stands."""
    assert delta("new: 2.5 kg of flour").new == ("2.5 kg of flour",)
    assert delta("new:\n- 1.30 train").new == ("1.30 train",)
    assert delta("2. changed: 3.4 mm at the swim").changed == ((2, "3.4 mm at the swim"),)
    assert delta("2.3 mm is closed to the limit") == Delta(unmatched=("2.3 mm is closed to the limit",))
    assert delta("2.closed") == Delta(closed=(2,))


def test_a_list_on_one_line_closes_each_of_its_items() -> None:
    told = delta("closed loops: The residency, and whether he buys the ticket")
    assert (told.closed, told.unmatched) == ((2, 3), ())
    odd = delta("closed loops: The residency, and whatever else there was")
    assert odd.closed in ((), (2,))
    assert odd.closed or odd.unmatched


@pytest.mark.parametrize(
    "text",
    [
        "new threads: the move to Brno; closed loops: 2; state changes: He sleeps at last",
        "New thread: the move to Brno, closed loop: 2, state change: He sleeps at last",
        "2. closed; new: the move to Brno; state: He sleeps at last",
        "new threads - the move to Brno; closed loops - 2; state - He sleeps at last",
        "The residency: closed; new: the move to Brno; state: He sleeps at last",
    ],
)
def test_all_notes_may_stand_on_one_line(text: str) -> None:
    """REEL §6.6: ring_2_delta holds new threads, closed loops and state changes, in whatever lines."""
    found = delta(text)
    assert (found.new, found.closed, found.state) == (("the move to Brno",), (2,), "He sleeps at last")
    assert found.unmatched == ()


@pytest.mark.parametrize(
    ("one", "other", "twice"),
    [
        ("Whether the fifth goes to Ines before Sunday.", "The fifth poem goes to Ines before Sunday", True),
        ("Whether the fifth goes to Ines before Sunday.", "The fifth poem goes to Ines before Monday", False),
        ("Whether the fifth goes to Ines before Sunday.", "The fifth poem goes to Paul before Sunday", False),
        ("Is the boat sold?", "The boat is in the harbour", False),
    ],
)
def test_what_a_page_left_open_and_notes_as_well_is_noted_once(one: str, other: str, *, twice: bool) -> None:
    assert is_said_twice(one, other) is twice


def test_a_changed_note_has_the_day_of_its_change_unless_it_is_reckoned_from_the_old_one() -> None:
    day = date(2026, 3, 9)
    assert with_day("five poems by 9 March", day, "four poems by 9 March (noted 1 March 2026)") == (
        "five poems by 9 March (noted 9 March 2026)"
    )
    assert with_day("call Ines next Friday", day, "ring Ines next Friday (noted 1 March 2026)") == (
        "call Ines next Friday, 6 March 2026"
    )


@pytest.mark.parametrize(
    ("text", "changed", "state"),
    [
        ("1. bleibt\n2. erledigt\n3. geändert: Montag\nZustand: müde", "Montag", "müde"),
        ("1. toujours\n2. réglé\n3. modifié : lundi\nÉtat : las", "lundi", "las"),
        ("1. sigue\n2. hecho\n3. ahora: lunes\nEstado: bien", "lunes", "bien"),
        ("1. ainda\n2. resolvido\n3. agora: segunda\nEstado: bem", "segunda", "bem"),
        (
            "1. остаётся\n2. сделано\n3. теперь: вторник\nСостояние: тихо",
            "вторник",
            "тихо",
        ),
        ("1. 継続\n2. 完了\n3. 変更：月曜\n状態：静か", "月曜", "静か"),
        ("1. 仍然\n2. 已完成\n3. 改为：周一\n状态：安静", "周一", "安静"),
    ],
)
def test_verdicts_on_notes_are_read_in_other_languages(
    text: str,
    changed: str,
    state: str,
) -> None:
    """REEL §6.6: `ring_2_delta` of a page in the chat's own language."""
    found = delta(text)
    assert (found.still, found.closed, found.changed, found.state) == ((1,), (2,), ((3, changed),), state)
    assert found.unmatched == ()


@pytest.mark.parametrize(
    ("loop", "note", "same"),
    [
        (
            "Ring Haven & Tow when Ottley's written report is in.",
            "Ring Haven & Tow about the thickness once Ottley's report is in; he did not ring on the 10th",
            True,
        ),
        (
            "Post the PAT tester to Derby by Wednesday 16 April; he says next week.",
            "Post the PAT tester to Derby by Wednesday 16 April; reminded on 11 April, he says next week",
            True,
        ),
        (
            "Glue the weed hatch seal on Saturday 12 April.",
            "Weed hatch seal, the new rubber is cut and wants gluing on 12 April",
            True,
        ),
        (
            "Whether the new app gets opened at lunch.",
            "For lunch: the new app is there, not opened yet",
            False,
        ),
        ("Second Fuse café on 17 May with batteries", "Second Fuse café on 3 May with batteries", False),
        ("The long letter to Ana on Monday", "The long letter to Ana on Friday", False),
        ("The book is not printed for the school", "The book is printed for the school", False),
        ("Book the train to Porto for Ana.", "Ana goes to Porto in June", False),
        (
            "Fetch Anke and Théo from Stafford on Saturday 7 June",
            "Anke and Théo come on Saturday 7 June in Stafford",
            False,
        ),
        ("Write to the bank about the loan.", "Write to the school about the loan.", False),
        (
            "Send the seed list",
            "Send the seed list, ring the bank, paint the barn door green, oil the pump, book the ferry",
            False,
        ),
    ],
)
def test_what_a_changed_note_tells_is_not_left_open_once_more(loop: str, note: str, *, same: bool) -> None:
    assert is_told_in(loop, note) is same


MARKED = (
    Item("Open loops", "Why Ray wants his hedge so high; nobody has asked him.", (0, 1)),
    Item("Open loops", "What is in the crates; one is open: it hums.", (1, 2)),
    Item("Open loops", "The trip to Llandudno, the weekend of 17 May, with Dilys.", (2, 3)),
)


@pytest.mark.parametrize("shown", [0, 3])
@pytest.mark.parametrize("marks", ["{}", '"{}"', "- {}"])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_note_is_one_whatever_marks_it_has(number: int, marks: str, shown: int) -> None:
    """A semicolon, colon or full stop within a note's own words begins no other note."""
    line = marks.format(MARKED[number - 1].text)
    told = parse_notes(f'{line}: closed "he said so; Maureen planted it"', MARKED[:shown], MARKED[shown:])
    assert (told.closed, told.unmatched) == ((number,), ())


def test_semicolon_between_notes_still_parts_them() -> None:
    told = parse_notes(f"{MARKED[0].text}: closed; 2. still; new: The kettle; it is hers", MARKED)
    assert (told.closed, told.still, told.new) == ((1,), (2,), ("The kettle; it is hers",))


def test_hidden_note_is_named_by_the_words_before_its_first_mark() -> None:
    told = parse_notes("The trip to Llandudno: changed: It is on 7 June.", (), MARKED)
    assert (told.changed, told.unmatched) == (((3, "It is on 7 June."),), ())
    two = (*MARKED, Item("Active threads", "The trip to Llandudno: who pays", (3, 4)))
    assert parse_notes("The trip to Llandudno: closed", (), two).unmatched


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The tablets stop seven days before.", "The tablets stop seven days before. (noted 16 April 2025)"),
        ("Six days before the wedding.", "Six days before the wedding. (noted 16 April 2025)"),
        ("He came a month later.", "He came a month later. (noted 16 April 2025)"),
        ("Lost at sea eleven years ago.", "Lost at sea eleven years ago. (noted 16 April 2025)"),
        ("The exam is tomorrow, 17 April, at 9:00.", "The exam is on 17 April 2025, at 9:00."),
        ("The exam is tomorrow, Thursday 17 April.", "The exam is on 17 April 2025."),
        ("Seen in three days, about 19 April.", "Seen in three days, 19 April 2025."),
    ],
)
def test_day_is_counted_from_the_day_of_saying_alone_and_told_once(text: str, told: str) -> None:
    """A span counted from another event, or in years, which a tale may be of, gets no date."""
    assert with_day(text, date(2025, 4, 16)) == told


def test_this_week_said_at_its_end_is_left_as_it_was_said() -> None:
    """`Staying this week`, said on a Sunday, may well be of the week that begins."""
    assert "week of" not in with_day("Idris is staying this week.", date(2025, 6, 29))
    assert "week of 23 June 2025" in with_day("Idris is staying this week.", date(2025, 6, 26))


@pytest.mark.parametrize(
    "line",
    [
        "others: still",
        "all others: still open",
        "the rest: still",
        "All the rest: still",
        "others still",
        "the rest still.",
        "everything else: still",
        "- Rest: unchanged",
        "All other notes stay as they are",
        "the others are still open",
        "The remaining ones: as before",
    ],
)
def test_one_line_says_of_all_that_no_other_names_that_they_go_on(line: str) -> None:
    notes = parse_notes(f"2. closed\n{line}\nnew: A kettle", MARKED)
    assert notes.closed == (2,)
    assert notes.still == tuple(n for n in range(1, len(MARKED) + 1) if n != 2)
    assert (notes.unmatched, notes.new) == ((), ("A kettle",))


@pytest.mark.parametrize("line", ["the rest: closed", "others: still?", "the rest of the roof: still open"])
def test_a_line_about_the_rest_that_is_not_plain_says_nothing_of_the_others(line: str) -> None:
    assert parse_notes(f"2. closed\n{line}", MARKED).still == ()


def test_a_note_may_be_closed_as_the_same_as_another_by_its_number() -> None:
    assert parse_notes("2. closed it's the same as number 1", MARKED).closed == (2,)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Imelda will type out the brown scone recipe", "The scone recipe, which she will type out.", True),
        ("Cathal in August, in pencil", "Cathal in August, not definite.", True),
        ("the end of the story is owed", "The end of the trapdoor at Fallow End. I owe him it.", True),
        ("the sentence on the slate, still to be chalked", "The sentence to be chalked on the slate.", True),
        ("Cathal in September, in pencil", "Cathal in August, not definite.", False),
        ("Cathal in August, with Maeve and the two boys", "Cathal in August, not definite.", False),
        ("Sinead will type out the scone recipe", "The scone recipe, which she will type out.", False),
        ("Imelda will not type out the scone recipe", "The scone recipe, which she will type out.", False),
        ("The 300 of the roof loan", "The 500 of the roof loan", False),
        ("Whether the roof loan is paid", "The roof loan is to be paid", False),
        ("The scone recipe for the fair", "The scone recipe", False),
    ],
)
def test_what_is_to_be_kept_in_mind_may_be_a_note_of_the_page_in_other_words(
    one: str, other: str, *, same: bool
) -> None:
    assert repeats(one, other, ("Tamsin", "Imelda")) is same
