"""A note that a page closes with words said in the chat, and about that matter, does not wait."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.files import working_file
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.artifact import Checkpoint, Verdict
from reel_cli.core.values.memory import Item
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.page.notes.closing_review import ClosingReview, review_closings
from reel_cli.features.page.notes.working_notes import parse_notes
from tests.support.cli import Reel
from tests.support.pages import page, say

ITEMS = tuple(
    Item("Open loops", text, (n, n + 1))
    for n, text in enumerate(("The boat", "Whether the photograph is printed"))
)


@pytest.mark.parametrize(
    "line",
    [
        '2: closed, "The photos are back from the lab"',
        "2. closed “The photos are back from the lab”",
        '2: closed (he said "The photos are back from the lab")',
        '2. "The photos are back from the lab" - closed',
        '2: closed\n"The photos are back from the lab"',
        "2: closed\n   - “The photos are back from the lab”",
        "2. closed: The photos are back from the lab",
        'closed: 2, "The photos are back from the lab"',
        'closed:\n- 2: "The photos are back from the lab"',
        "2: closed, 'The photos are back from the lab'",
        '2: closed → "The photos are back from the lab"',
        "2: closed [Bo: „The photos are back from the lab“]",
        '**2:** closed — *"The photos are back from the lab"*',
        'Whether the photograph is printed: closed, "The photos are back from the lab"',
    ],
)
def test_the_words_are_read_in_whatever_form_they_stand(line: str) -> None:
    found = parse_notes(f"1: still\n{line}", ITEMS)
    assert (found.still, found.closed, found.unmatched, found.new) == ((1,), (2,), (), ())
    assert "The photos are back from the lab" in found.settled_by[-1][1]


def test_a_question_in_the_words_is_no_doubt_of_the_verdict() -> None:
    assert parse_notes('2: closed, "Is it? Yes."', ITEMS).closed == (2,)
    assert parse_notes("2: closed?", ITEMS).closed == ()


def test_a_quotation_is_for_the_note_that_was_closed_just_before() -> None:
    found = parse_notes('2: closed\n1: still\n"The photos are back from the lab"', ITEMS)
    assert found.settled_by == ((2, "2: closed"),)
    # words of the chat that are another note's too
    found = parse_notes('2: closed "The boat"', ITEMS)
    assert (found.closed, found.unmatched) == ((2,), ())


CHAT = "2026-05-07-1"
SAID = (
    ("user", "The photos are back from the lab, framed and all. I also sold my bike, the red one."),
    ("assistant", "Lovely. I wrote to Lund. And did the landlord ring?"),
    ("user", "He did, this morning. Maybe the photocopies come soon. Timing's 3:50."),
)


def review(
    closed: Mapping[str, str],
    *standing: str,
    said: Sequence[tuple[str, str]] = SAID,
    unattended: bool = True,
) -> ClosingReview:
    """Return the review of closed notes; `closed` has what the page says behind each."""
    notes = [*closed, *standing]
    files = {
        "kit.yaml": b"name: Ines\nuser: Tomas\n",
        WORKING: ("## Open loops\n\n" + "".join(f"- {note}\n" for note in notes)).encode(),
    }
    snapshot = Snapshot(Files(files), "kit")
    items = working_file.read_items(snapshot.text(WORKING) or "")
    talk = Conversation("t", [Message(role, text) for role, text in said], started=f"{CHAT[:10]}T19:00:00Z")
    session = parse_session(render_session(CHAT, talk), "tape")
    lines = (f"{number}: closed{behind}" for number, behind in enumerate(closed.values(), 1))
    checkpoint = Checkpoint(
        Verdict.YES, "", "", Verdict.NO, "", paper=False, paper_text="",
        delta=parse_notes("\n".join(lines), items),
    )  # fmt: skip
    ask = Ask("checkpoint", CHAT, None, (), "", "", items=tuple(items))
    return review_closings(snapshot, checkpoint, ask, session, unattended=unattended)


def held(
    closed: Mapping[str, str], *standing: str, said: Sequence[tuple[str, str]] = SAID
) -> tuple[Sequence[str], str]:
    """Return the closed notes that stay where nobody reads the page, and why those wait that wait."""
    found = review(closed, *standing, said=said)
    return [item.text for item in found.held], found.why


class Files:
    """A kit of files that are given."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return [path for path in self.files if path.startswith(folder)]


PHOTOGRAPHS = "Whether the photographs are printed."


@pytest.mark.parametrize(
    ("behind", "waits"),
    [
        (', "The photos are back from the lab"', False),
        (": the photos are back from the lab", False),
        ("", True),
        # words of the chat, whatever they are about
        (', "I also sold my bike"', False),
        (', "Timing\'s 3:50."', False),
        # the other one's
        (', "I wrote to Lund"', False),
        # not said
        (', "The photos are printed at last"', True),
        # too few words to settle anything
        (', "The photos"', True),
        # leaves it open
        (', "Maybe the photocopies come soon"', True),
    ],
)
def test_a_note_that_the_chat_does_not_name_is_closed_by_words_about_it(behind: str, waits: bool) -> None:  # noqa: FBT001
    found = review({PHOTOGRAPHS: behind})
    assert (bool(found.stays), bool(found.waits)) == (waits, False)


def test_words_that_close_a_note_stand_in_this_chat() -> None:
    """Words of another chat settle nothing, though this one has a word of the note."""
    assert held({"His red bike, to be sold.": ', "We are going down to the harbour"'}) == (
        ["His red bike, to be sold."],
        "the words that close it are not in the chat; the page gives “We are going down to the harbour”",
    )
    assert held({"His red bike, to be sold.": ', "I also sold my bike"'})[0] == []
    # it repeats the note
    assert held({"His red bike, to be sold.": ', "His red bike, to be sold" is over'})[0] == []
    assert held({"His red bike, to be sold.": ""})[0] == []


@pytest.mark.parametrize(
    ("note", "quoted", "waits"),
    [
        ("The kitchen, to be painted.", "I haven't painted the kitchen", True),
        ("The kitchen, to be painted.", "painted the kitchen", True),
        ("The kitchen, to be painted.", "I didn't", True),
        ("The kitchen, to be painted.", "It doesn't matter now", False),
        ("The kitchen, to be painted.", "I'm not going to paint it", False),
        # a no answers what was asked, and `not yet` does not
        ("Whether Judit moves the kitchen.", "She doesn't move the kitchen", False),
        ("Whether the kitchen is painted.", "I haven't painted the kitchen", True),
        ("Why the kitchen is white; I put it off.", "I didn't", False),
        # a question of how it stands is answered by `still`
        ("Whether her weight stays.", "The scales are still at 54", False),
        ("The bridge.", "I'm still waiting for it", True),
        ("Judit's answer.", "We move in May", False),
        ("No kiwi for Fenna.", "We move in May", True),
        ("The insulin for Fenna.", "We move in May", True),
        # the persona's words
        ("The harp.", "So the lease is signed", False),
        # an answer may be a no, and a day that was to be kept may be over
        ("Judit's answer about the book.", "Judit said no", False),
        ("How the kitchen looked when the roof came down.", "the roof did not come down", False),
        ("One promise left, the kettle.", "So it isn't back. I broke it, that promise", False),
    ],
)
def test_words_that_are_quoted_for_a_note_close_it_unless_they_deny_it(
    note: str,
    quoted: str,
    waits: bool,  # noqa: FBT001
) -> None:
    said = (
        ("user", "I haven't painted the kitchen. She doesn't move the kitchen. The scales are still at 54."),
        ("assistant", "And the form? So the lease is signed."),
        (
            "user",
            "Yes. I didn't. It doesn't matter now. I'm not going to paint it. I'm still waiting for it.",
        ),
        ("user", "We move in May. Judit said no. So it isn't back. I broke it, that promise."),
        ("assistant", "Well, the roof did not come down."),
    )
    found = review({note: f', "{quoted}"'}, said=said)
    assert (bool(found.stays), bool(found.waits)) == (waits, False)


def test_of_many_that_close_at_once_those_with_their_words_do_not_wait() -> None:
    closed = {
        PHOTOGRAPHS: ', "The photos are back from the lab"',
        "Whether the landlord rings.": ', "He did, this morning"',
        "His red bike, to be sold.": "",
        "The harp.": ', "I wrote home"',
    }
    assert held(closed) == (["The harp."], "")
    # those with their words are none of the many
    more = ("The lab.", "A landlord in Lund.", "The photocopies.")
    found, why = held({**closed, **dict.fromkeys(more, "")})
    assert found == ["The harp.", *more]
    assert why == "so many at once wait for your decision; the page gives “I wrote home”"


def test_what_a_chat_says_plainly_is_closed_without_its_words() -> None:
    notes = ("To sell the red bike.", "The harp.", "The boat.", "The lease.", "The well.")
    assert held(dict.fromkeys(notes, ""))[0] == [*notes[1:]]


def test_a_note_that_another_repeats_is_settled_by_that_while_it_stands() -> None:
    assert held({"Whether the harp is tuned.": ", the same as 2"}, "The harp wants tuning.")[0] == []
    assert held({"Whether the harp is tuned.": ", the same as 2"}, "The boat.")[0] == [
        "Whether the harp is tuned."
    ]


@pytest.mark.parametrize(
    ("quoted", "waits"), [("That theme park by the lake", False), ("Cold lakes are fun", True)]
)
def test_words_of_the_chat_that_the_note_was_made_of_are_about_it(
    reel: Reel, kit: Path, quoted: str, *, waits: bool
) -> None:
    begun = [
        ("user", "We are off to Universal Studios, the theme park by the lake."),
        ("assistant", "Have fun."),
    ]
    say(reel, kit, begun, 10)
    first = {**NOTHING, "What's unresolved": "How Universal Studios was.", "My notes": "state: Quiet."}
    reel("checkpoint", "--prompt").ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(first)).ok()
    say(
        reel,
        kit,
        [("user", "That theme park by the lake is huge. The lake is cold."), ("assistant", "Ha.")],
        11,
    )
    prompt = reel("checkpoint", "--prompt").ok().out
    number = next(
        line.partition(".")[0] for line in prompt.splitlines() if "How Universal Studios was" in line
    )
    second = {**NOTHING, "My notes": f'{number}: closed, "{quoted}"'}
    shown = reel("checkpoint", "--reply", "-", "--yes", stdin=page(second)).ok()
    assert ("How Universal Studios was" in (kit / "ring2/working.md").read_text(encoding="utf-8")) is waits
    # what no word of the chat closes stays open, which is told, and nobody is asked
    assert reel("review").ok().out == "Nothing waits for your decision.\n"
    told = "  still open, since the chat does not say that it is done: How Universal Studios was."
    assert (told in shown.err.splitlines()) is waits
    assert "stays open" not in f"{shown.out}{shown.err}"


NOTHING: Mapping[str, str] = {
    "What happened": "They spoke of a park.",
    "What's unresolved": "nothing",
    "Lines to find it by": '"theme park"',
}


def test_where_a_person_reads_words_that_were_not_said_are_worth_a_look(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "I bought a kettle."), ("assistant", "Does it sing?")])
    (kit / WORKING).write_text("## Open loops\n\n- Whether the tap is mended.\n- Whether the kettle sings.\n")
    reel("review", "accept", "--all", "--yes")
    reel("checkpoint", "--prompt").ok()
    words = '1: closed, "the plumber mended it"\n2: closed, "I bought a kettle"'
    (reel.cwd / "page.md").write_text(page({"My notes": words}))
    shown = " ".join(reel("checkpoint", "--reply", "page.md", "--dry-run").ok().err.split())
    told = "“Whether the tap is mended.” is closed with “the plumber mended it”, which is not in this chat"
    assert (told in shown, shown.count("is closed with")) == (True, 1)


@pytest.mark.parametrize(
    ("note", "quoted", "waits"),
    [
        ("A piece was cut from the hedge, and nobody knows by whom.", "It was Wyn", False),
        ("Nobody knows of the tart.", "It was Wyn", True),
        ("My promise not to knock till she is back.", "I said I wouldn't", False),
        ("My promise not to knock.", "I said I wouldn't", True),
        ("The kettle, back to Carol before 3 May. (noted 1 May 2026)", "It isn't back", False),
        ("The kettle, back to Carol before 9 May. (noted 1 May 2026)", "It isn't back", True),
    ],
)
def test_what_binds_is_a_secret_or_a_promise_and_not_what_is_unknown_or_over(
    note: str,
    quoted: str,
    waits: bool,  # noqa: FBT001
) -> None:
    said = (("user", "It was Wyn the bass. It isn't back."), ("assistant", "I said I wouldn't."))
    assert bool(review({note: f', "{quoted}"'}, said=said).held) is waits


LEDGER = (
    ("user", "The Salt Ledger is dead, and the ledger with it. It's called Brine."),
    ("assistant", "Brine. That's a word with its boots on."),
    ("user", "It's me. 8-11. The cubes are white now."),
)


@pytest.mark.parametrize(
    ("note", "quoted", "waits"),
    [
        ("Whether the debt goes on page 11 of the rulebook.", "The Salt Ledger is dead", True),
        ("Whether the debt goes in the ledger.", "The Salt Ledger is dead", False),
        ("Whether he comes back.", "It's me", False),
    ],
)
def test_a_question_is_not_closed_in_silence_by_words_that_have_nothing_of_it(
    note: str, quoted: str, *, waits: bool
) -> None:
    found = review({note: f', "{quoted}"'}, said=LEDGER)
    assert (bool(found.waits), "nothing of it" in found.why) == (waits, waits)
    assert review({note: f', "{quoted}"'}, said=LEDGER, unattended=False).waits == []


def test_a_move_of_one_word_is_shown_as_the_words_that_close_a_note() -> None:
    note = "My answer to 29-25."
    found = review({note: ', "8-11"'}, said=LEDGER, unattended=False)
    assert found.closed(found.bare[0][0]) == f"closed: {note} (“8-11”)"


def test_a_day_that_passed_closes_a_note_where_its_words_are_of_another_chat() -> None:
    note = "The kiln off the lead from 1 May 2026."
    found = review({note: ', "good, off it from Thursday"'}, said=LEDGER)
    assert (found.held, found.closed(found.bare[0][0])) == ([], f"closed: {note} (its day has passed)")
