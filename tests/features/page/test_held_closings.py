"""Notes that a page closes and that its chat does not speak of: they wait where nobody reads the page."""

from collections.abc import Sequence

import pytest

from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.files import working_file
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.artifact import Checkpoint, Delta, Verdict
from reel_cli.core.values.change import Change
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.page.notes.closing_review import ClosingReview, review_closings
from reel_cli.features.page.notes.working_notes import parse_notes

CHAT = "2026-05-07-1"
SAID = (
    ("user", "Ines, this is a big day and a good one! I rang Judit about the store."),
    ("assistant", "Great, Tomas. I want to hear all of it."),
)


class Shelf:
    """A kit with one note."""

    def __init__(self, note: str) -> None:
        self.files = {
            "kit.yaml": b"name: Ines\nuser: Tomas Bergh\n",
            WORKING: f"## Open loops\n\n- {note}\n".encode(),
        }

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return [path for path in self.files if path.startswith(folder)]


@pytest.mark.parametrize(
    ("note", "waits"),
    [
        ("Whether Tomas rang Judit.", False),
        ("The store.", False),
        ("What Tomas wants to do next.", False),
        # nothing but small words: it cannot be checked
        ("Whether we go again.", True),
        ("Tomas and his low confidence.", True),
        ("Whether the downtown place is big enough, and its floor good.", True),
        ("The lease of the boat.", True),
        # a new kit's own note
        ("What Tomas would like to talk about first.", False),
        # its day has passed, so the prompt asks to close it
        ("The lease of the boat, signed on 5 May 2026.", False),
        ("The lease of the boat, to be signed on 9 May 2026.", True),
    ],
)
def test_a_note_waits_of_which_the_chat_has_only_names(note: str, waits: bool) -> None:  # noqa: FBT001
    snapshot = Snapshot(Shelf(note), "kit")
    items = working_file.read_items(snapshot.text(WORKING) or "")
    assert len(items) == 1
    talk = Conversation("t", [Message(role, text) for role, text in SAID], started=f"{CHAT[:10]}T19:00:00Z")
    session = parse_session(render_session(CHAT, talk), "tape")
    ask = Ask("checkpoint", CHAT, None, (), "", "", items=tuple(items))
    page = Checkpoint(
        Verdict.YES, "", "", Verdict.NO, "", paper=False, paper_text="", delta=Delta(closed=(1,))
    )
    review = review_closings(snapshot, page, ask, session, unattended=True)
    assert (bool(review.stays), bool(review.waits)) == (waits, False)


CALLED_OFF = (
    ("user", "Cardington's off. Three hours in a car, he can't. Not moved this time, off."),
    ("assistant", "And the rest?"),
    (
        "user",
        "Not home by Bonfire Night, obviously. And we don't go home for Christmas. It's decided.",
    ),
    ("assistant", "I hear you. I wrote the long letter."),
    ("user", "I told my mum about the game last night. In three days comes out the list. Mind the sugar."),
    ("assistant", "Jonah stays with me, as I promised."),
    (
        "user",
        "You can talk of Jonah now. I didn't post the key. I hope the bike sells soon. I sold the harp.",
    ),
    ("assistant", "And at home?"),
    (
        "user",
        "boy. yesterday. 26 november 04.12. And the route stays till 2031. never was any cable, just talk.",
    ),
)


def review(line: str, *notes: str, unattended: bool = True, gone: int = 0) -> ClosingReview:
    """Return the review of a page's line on the first of these notes; the last `gone` went meanwhile."""
    text = "## Open loops\n\n" + "".join(f"- {note}\n" for note in notes)
    snapshot = Snapshot(Shelf(""), "kit")
    snapshot = snapshot.after(Change("x", "", {WORKING: text.encode()}))
    items = working_file.read_items(text)
    started = "2026-11-27T19:00:00Z"
    talk = Conversation("t", [Message(role, said) for role, said in CALLED_OFF], started=started)
    session = parse_session(render_session("2026-11-27-1", talk), "tape")
    ask = Ask("checkpoint", session.id, None, (), "", "", items=tuple(items))
    delta = parse_notes(line if line[:1].isdigit() else f"1. {line}", items)
    if gone:
        left = "## Open loops\n\n" + "".join(f"- {note}\n" for note in notes[:-gone])
        snapshot = snapshot.after(Change("x", "", {WORKING: left.encode()}))
    page = Checkpoint(Verdict.YES, "", "", Verdict.NO, "", paper=False, paper_text="", delta=delta)
    return review_closings(snapshot, page, ask, session, unattended=unattended)


@pytest.mark.parametrize(
    ("note", "quoted"),
    [
        ("Danny's trip to Cardington, moved to Saturday 28 November 2026.", CALLED_OFF[0][1]),
        ("Danny will be home by Bonfire Night 2027; pencil only.", "Not home by Bonfire Night, obviously."),
        ("Going home after Christmas, flight 27 December.", "And we don't go home for Christmas."),
    ],
)
def test_a_thing_called_off_or_decided_against_closes_its_note(note: str, quoted: str) -> None:
    found = review(f'closed "{quoted}"', note)
    assert (found.held, found.bare) == ([], [])


@pytest.mark.parametrize(
    ("note", "quoted"),
    [
        ("The written exam, the list by 30 November.", "In three days comes out the list"),
        ("The key is still to be posted.", "I didn't post the key"),
        ("His red bike, to be sold.", "I hope the bike sells soon"),
    ],
)
@pytest.mark.parametrize("unattended", [True, False])
def test_a_thing_that_is_still_to_come_stays_open(note: str, quoted: str, *, unattended: bool) -> None:
    found = review(f'closed "{quoted}"', note, unattended=unattended)
    assert [item.text for item in found.stays] == [note]
    assert found.lines() == [
        ("Where things stand", (f"still open, since the chat does not say that it is done: {note}",))
    ]


@pytest.mark.parametrize(
    ("line", "waits"),
    [
        ("closed", True),
        ('closed "I told my mum about the game last night."', True),
        ('closed "Mind the sugar."', True),
        ('closed "You can talk of Jonah now."', False),
    ],
)
@pytest.mark.parametrize("unattended", [True, False])
@pytest.mark.parametrize("note", ["Never bring up Jonah first; Sam will.", "I promised not to raise Jonah."])
def test_what_binds_the_persona_ends_only_with_words_of_it(
    line: str, note: str, *, waits: bool, unattended: bool
) -> None:
    found = review(line, note, "The harp.", unattended=unattended)
    assert [item.text for item in found.waits] == ([note] if waits else [])
    why = "a promise, a secret or a thing not to be raised ends only with words about it"
    assert found.why.partition(";")[0] == (why if waits else "")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("closed", "closed, with no words of the chat: The harp, to be tuned."),
        (
            'closed "I told my mum about the game last night."',
            "closed: The harp, to be tuned. (“I told my mum about the game last night”)",
        ),
        ('closed "I sold the harp"', "closed: The harp, to be tuned."),
    ],
)
def test_a_note_that_closes_tells_words_that_share_none_with_it_or_that_there_are_none(
    line: str, told: str
) -> None:
    found = review(line, "The harp, to be tuned.", unattended=False)
    [item] = working_file.read_items("## Open loops\n\n- The harp, to be tuned.\n")
    assert (found.held, found.closed(item)) == ([], told)


def test_a_note_is_named_by_its_name_alone_where_no_other_has_it() -> None:
    text = "## Open loops\n\n- Whether the dog will be called Lotse.\n- The dog and the vet.\n"
    delta = parse_notes('The name Lotse: closed "I sold the harp"', working_file.read_items(text))
    assert (delta.closed, delta.unmatched) == ((1,), ())


@pytest.mark.parametrize(
    ("words", "stays"),
    [
        ("Priya hates the last line.", True),
        ("Sam is drinking again since 7 December", True),
        ("Bishop the gull is doing fine.", False),
    ],
)
@pytest.mark.parametrize("unattended", [True, False])
def test_a_change_without_a_word_of_the_note_leaves_it_standing(
    words: str, *, stays: bool, unattended: bool
) -> None:
    note = "Bishop the gull has a bad wing."
    found = review(f"changed: {words}", note, unattended=unattended)
    assert [item.text for item in found.slipped] == ([note] if stays else [])
    told = f"kept as it was, since the change given for it is about something else: {note}"
    assert found.lines() == ([("Where things stand", (told,))] if stays else [])


def test_what_answers_a_question_may_have_none_of_its_words_but_none_of_another_note() -> None:
    notes = ("Ask how Bishop the gull is doing.", "Sam is on day 12 without a drink.")
    assert review("changed: Fat, and stealing chips.", *notes, unattended=False).slipped == []
    [item] = review("changed: Sam is drinking again since 7 December", *notes, unattended=False).slipped
    assert item.text == notes[0]


def test_a_note_that_closes_with_words_never_said_is_told_once_and_one_that_waits_not_so() -> None:
    note, words = "The harp, to be tuned.", "the tuner came at noon with his fork"
    read = review(f'closed: "{words}"', note, unattended=False)
    assert ([*read.unsaid], [*read.bare], [*read.held]) == ([(note, words, "")], [], [])
    waits = review(f'closed: "{words}"', note)
    assert [one.text for one in waits.waits] == [note]
    assert not waits.unsaid


@pytest.mark.parametrize(
    ("line", "waits"),
    [
        ("closed", True),
        ('closed "I will never tell"', True),
        # the deed itself need not name the note, whoever did it
        ('closed "I told my mum about the game last night."', False),
        ('closed "I hope the bike sells soon"', True),
    ],
)
@pytest.mark.parametrize(
    "note", ["I promised Danny the whole of it.", "Danny has my word for the last song."]
)
def test_a_promised_deed_ends_with_a_deed_that_was_told(line: str, note: str, *, waits: bool) -> None:
    found = review(line, note, "The harp.", unattended=False)
    assert [item.text for item in found.waits] == ([note] if waits else [])


@pytest.mark.parametrize(
    ("words", "waits"),
    [
        ("I am tired tonight.", True),
        ("I'm so worried about the exam.", True),
        ("I need a bed for tonight.", True),
        ("We met on the ferry.", False),
    ],
)
@pytest.mark.parametrize("note", ["Who Bo is to Ada.", "The first scene with Bo."])
def test_how_somebody_feels_closes_no_note_of_a_template(
    monkeypatch: pytest.MonkeyPatch, words: str, note: str, *, waits: bool
) -> None:
    monkeypatch.setitem(globals(), "CALLED_OFF", [("user", words), ("assistant", "Then sleep.")])
    found = review(f'closed "{words}"', note, "The harp.", unattended=False)
    assert [item.text for item in found.waits] == ([note] if waits else [])
    [item, _] = working_file.read_items(f"## Open loops\n\n- {note}\n- The harp.\n")
    assert waits or found.closed(item) == f"closed: {note} (“{words[:-1]}”)"


def test_what_is_not_to_be_done_is_bound_as_a_silence_is() -> None:
    note = "I promised Danny that I would not sell the boat."
    assert review('closed "I told my mum about the game last night."', note, unattended=False).waits


@pytest.mark.parametrize("unattended", [True, False])
@pytest.mark.parametrize(
    ("note", "quoted", "waits"),
    [
        ("The harp, to be tuned.", "Mind the sugar.", True),
        ("Talk of Harold on Friday 27 November 2026.", "Mind the sugar.", True),
        ("I promised Danny the whole of it.", "Jonah stays with me", True),
        # its day has passed, and the persona has not done it by that
        ("Whether the lid fits; I ask on 25 November 2026.", "Mind the sugar.", True),
        ("The eye clinic, 25 November 2026.", "Mind the sugar.", False),
        # it points at something that was named before
        ("The harp, to be tuned.", "That's good.", False),
    ],
)
def test_words_that_have_nothing_to_do_with_a_note_do_not_close_it(
    note: str, quoted: str, *, waits: bool, unattended: bool
) -> None:
    """A promise to talk of Harold was told as kept, with words on a good night's sleep."""
    found = review(f'closed "{quoted}"', note, "The oboe.", unattended=unattended)
    assert [item.text for item in found.waits] == ([note] if waits else [])
    assert not waits or found.why.startswith("the words given for closing it have nothing of it; the page")


def test_a_note_that_went_meanwhile_is_neither_closed_nor_changed() -> None:
    notes = ("The harp, to be tuned.", "The boat.", "The bridge.")
    found = review('1. closed "I sold the harp."\n2. closed\n3. changed: The key is lost.', *notes, gone=2)
    assert ([*found.held], [*found.bare], [*found.unsaid]) == ([], [], [])


def test_a_start_that_is_changed_to_something_else_gives_way() -> None:
    note = "What Tomas would like to talk about first."
    assert review("changed: The oboe wants tuning.", note).slipped == []


def test_a_question_of_which_the_chat_has_no_word_stays_where_nobody_reads_its_change() -> None:
    note = "Ask how Bishop the gull is doing."
    assert review("changed: Fat, and stealing chips.", note, unattended=False).slipped == []
    assert [one.text for one in review("changed: Fat, and stealing chips.", note).slipped] == [note]


def test_a_plain_sentence_of_the_persona_is_no_word_that_closes_a_note() -> None:
    note = "To write the long letter."
    [item] = working_file.read_items(f"## Open loops\n\n- {note}\n")
    assert (
        review("closed", note, unattended=False).closed(item) == f"closed, with no words of the chat: {note}"
    )


def test_of_two_notes_each_is_told_with_its_own_words() -> None:
    line = 'closed "I told my mum about the game last night."\n2. closed'
    found = review(line, "The harp, to be tuned.", "The oboe.", unattended=False)
    items = working_file.read_items("## Open loops\n\n- The harp, to be tuned.\n- The oboe.\n")
    assert [found.closed(item) for item in items] == [
        "closed: The harp, to be tuned. (“I told my mum about the game last night”)",
        "closed, with no words of the chat: The oboe.",
    ]


def test_several_notes_that_stay_open_are_told_as_several() -> None:
    line = '1. closed "I didn\'t post the key"\n2. closed "I hope the bike sells soon"'
    [(_, [told])] = review(line, "The key is still to be posted.", "His red bike, to be sold.").lines()
    assert told.startswith("still open, since the chat does not say that they are done: ")


def test_two_notes_on_a_line_are_read_apart_whatever_letters_they_have() -> None:
    """The second one was taken for the end of the first, as `ß` is two letters where case is ignored."""
    items = working_file.read_items("## Open loops\n\n- Die große Straße am Fluss\n- Der Garten von Oma\n")
    delta = parse_notes("1. still Die große Straße am Fluss; 2. closed", items)
    assert (delta.still, delta.closed) == ((1,), (2,))


DAYS_AHEAD = (
    ("The eye clinic, 3 December at nine.", 'closed "Mind the sugar."'),
    ("The eye clinic, 3 December at nine.", "closed"),
    ("Danny's plaster comes off on 12 December.", 'closed "In three days comes out the list"'),
    ("Dinner with Jonah on 12 December.", 'closed "Jonah stays with me"'),
    # the chat only names it
    ("Jonah, 19 December at ten.", "closed"),
    ("Whether Danny sits the exam on 5 December.", 'closed "I told my mum about the game last night."'),
)


@pytest.mark.parametrize(("note", "line"), DAYS_AHEAD)
@pytest.mark.parametrize("unattended", [True, False])
def test_what_has_its_day_ahead_waits_without_words_about_it(
    note: str, line: str, *, unattended: bool
) -> None:
    found = review(line, note, "The harp.", unattended=unattended)
    assert [item.text for item in found.held] == [note]
    if found.coming:
        told = "the day is still to come, and no words about it say that it is done, off or moved"
        assert found.why_coming.partition(";")[0] == told


@pytest.mark.parametrize(
    ("note", "quoted"),
    [
        ("The trip to Cardington on 12 December.", "Cardington's off."),
        ("Show Mum the game on 12 December.", "I told my mum about the game last night."),
        # the turn that it answers, or that stands beside it, has the words of it
        ("Writing the long letter by 12 December.", "It's decided."),
        ("The harp to the market on 5 December.", "I sold the harp."),
        # the page gives other words, and the chat has some of it
        ("Cardington on 5 December.", "Mind the sugar."),
        ("Tell my mum about the game by 12 December.", "Mind the sugar."),
        ("The grandchild is due on 5 December.", "boy. yesterday. 26 november 04.12"),
        ("The cable ferry, 5 December.", "route stays till 2031"),
        # the day has come
        ("The eye clinic, 27 November at nine.", "Mind the sugar."),
        ("The eye clinic, since 3 November.", "Mind the sugar."),
    ],
)
@pytest.mark.parametrize("unattended", [True, False])
def test_what_is_done_early_or_called_off_closes_before_its_day(
    note: str, quoted: str, *, unattended: bool
) -> None:
    found = review(f'closed "{quoted}"', note, "The oboe.", unattended=unattended)
    assert [item.text for item in found.held] == []


def test_words_that_are_rather_about_another_note_are_told_with_that_one() -> None:
    found = review('closed "I sold the harp."', "The eye clinic, 3 December.", "The harp, to be tuned.")
    assert found.why_coming.endswith(
        "the page gives “I sold the harp.”, more likely for “The harp, to be tuned.”"
    )
