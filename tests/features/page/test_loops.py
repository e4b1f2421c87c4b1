"""Open loops that a page is asked about by name."""

from datetime import date

import pytest

from reel_cli.core.values.memory import Item
from reel_cli.features.page.notes.note_likeness import asks_the_same, tell_note, with_day
from reel_cli.features.page.prompt.loops import find_closed, has_passed, tell_passed

TODAY = date(2026, 3, 11)


@pytest.mark.parametrize(
    ("loop", "passed"),
    [
        ("How the art show in February 2026 goes", True),
        ("How the art show in March 2026 goes", False),
        ("The letter by 10 March 2026", True),
        ("The letter by 11 March 2026", False),
        ("Labels for the seed tins before March 2026", True),
        ("Labels for the seed tins before April 2026", False),
        ("Labels for the seed tins before March 20", False),
        ("From 1 March 2026 to 1 April 2026: the tour", False),
        ("Whether she likes the piano", False),
        ("The letter on Friday (noted 1 March 2026)", True),
        ("The letter on Friday (noted 10 March 2026)", False),
        ("The letter by 30 April (noted 1 March 2026)", False),
        ("A cap for the chimney, not wanted in February (noted 1 February 2026)", False),
        ("The letter did not go on the 6th; by 8 March (noted 7 March 2026)", True),
        ("The dog, no cough any more, to the vet on 3 March (noted 1 March 2026)", True),
        ("The letter by 30 April", False),
        ("How the party goes, two weekends after 1 March 2026", False),
        ("How it has been since the 3rd of March (noted 5 March 2026)", False),
        ("The plan of 1986 and what it does to the boundary", False),
        ("The photo of 3 May 1961, to be asked of her mother", False),
        ("The loan, to be paid back by 2025", True),
        ("Who comes to the job of the audition on 3 March (noted 5 March 2026)", False),
        ("The verse stands over to next March (noted 1 March 2026)", False),
        ("The verse stands over to next February (noted 1 January 2026)", False),
        ("A black mark: I missed the blue question once, 1 March. Ask on any Sunday.", False),
        ("A black mark: I missed the blue question once, 1 March 2026. Ask on any Sunday.", False),
        ("She booked the vet for 3 March 2026", True),
        ("Choir is on Wednesdays at seven from 4 March 2026", False),
        ("Edith takes bisoprolol, 5 mg from 4 March 2026", False),
        ("bisoprolol, 5 mg, with breakfast, from Wednesday 4 March 2026 (noted 3 March 2026)", False),
        ("Ask how Edith does on bisoprolol, 5 mg from 4 March 2026", True),
        ("Tom works in Leeds from 2 March 2026", False),
        ("Edith is on bisoprolol, 5 mg, from 4 March 2026", False),
        ("Bo needs the van from 4 March 2026", True),
        ("Bo is on the train from Friday 6 March 2026", True),
        ("Bo is on leave from 4 March 2026", True),
        ("Bo wears a cast from 4 March 2026", True),
        ("Bo takes the train from 4 March 2026", True),
        ("Tom works in Leeds from 2 March 2026 to 4 March 2026", True),
        ("Edith takes bisoprolol until 4 March 2026", True),
        ("The tablet every day until 4 March 2026", True),
        ("Whether she rang the bank on 3 March 2026", True),
        ("The race, Sunday 1 March 2026, moved from the 4th", True),
        ("Whether he read page 3 March has torn out (noted 1 March 2026)", False),
    ],
)
def test_a_loop_whose_every_day_lies_behind_has_passed(loop: str, passed: bool) -> None:  # noqa: FBT001
    assert has_passed(loop, TODAY) is passed


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        ("Whether the photo was sent to the sister", "I sent my sister the photo on Sunday."),
        ("How the talent show at the library goes", "The talent show in the library was wonderful."),
        ("Has Lida finished the manuscript?", "Lida finished the manuscript last night, all of it."),
        ("I promised to send Tomas the harbour photo", "You kept your word and sent me the harbour photo."),
        ("I promised to send Tomas the harbour photo", "I sent the harbour photo, as I promised."),
        ("Whether the landlord in Ghent answers", "The landlord in Ghent answered at last."),
    ],
)
def test_what_was_awaited_and_is_told_plainly_may_close_a_loop(loop: str, said: str) -> None:
    assert find_closed({loop: ""}, [("", "How are you?"), ("", said)], ("Ada", "Tomas")) == {loop: said}


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        ("The plumb-bob, gone since Friday", "The plumb-bob has gone, and is still at large since Friday."),
        ("Whether the photo was sent to the sister", "I haven't sent my sister the photo."),
        ("Whether the photo was sent to the sister", "I will send my sister the photo."),
        ("Whether the photo was sent to the sister", "Have you sent my sister the photo?"),
        ("Whether the photo was sent to the sister", "My sister came by on Sunday."),
        ("I promised to send Tomas the harbour photo", "You promised to send me the harbour photo."),
        ("I promised to send Tomas the harbour photo", "Ada forgot to send the harbour photo."),
        ("I promised to send Tomas the harbour photo", "I wanted so much to send the harbour photo."),
        ("Which counseling job it will be", "I've been looking into a counseling job."),
        ("How her family likes my new rye recipe", "I tried my rye recipe, and my family loved it."),
        ("Ask Tomas about Ada", "Tomas asked, and Ada answered."),
        ("Whether I adopt too", "They adopted a cat."),
        ("Whether Sarah in finance talks", "Sarah in finance has bought a new bicycle, red with a basket."),
        ("Whether the landlord in Ghent answers", "The landlord in Ghent has sold his house."),
        ("Whether she told the board of the leak", "The board found the leak."),
    ],
)
def test_what_leaves_it_open_or_is_about_something_else_closes_nothing(loop: str, said: str) -> None:
    assert find_closed({loop: ""}, [("", said)], ("Ada", "Tomas")) == {}


@pytest.mark.parametrize(
    ("loop", "whose", "speaker", "said", "closed"),
    [
        ("Anna will call the plumber", "Tomas", "Tomas", "Tom called the plumber.", False),
        ("Anna will call the plumber", "Tomas", "Tomas", "Anna called the plumber.", True),
        ("Anna will call the plumber", "Tomas", "Tomas", "I called the plumber, and told Anna.", False),
        ("Will call the plumber", "Tomas", "Tomas", "Tom has called the plumber.", False),
        ("Will call the plumber", "Tomas", "Tomas", "My brother called the plumber.", False),
        ("Will call the plumber", "Tomas", "Tomas", "The landlord called the plumber.", False),
        ("Will call the plumber", "Tomas", "Tomas", "He called the plumber.", False),
        ("Will call the plumber", "Tomas", "Ada", "I called the plumber.", False),
        ("Will call the plumber", "Ada", "Tomas", "You called the plumber.", True),
        ("Will call the plumber", "Tomas", "Tomas", "Yesterday I finally called the plumber.", True),
        ("Will call the plumber", "Tomas", "Tomas", "We called the plumber.", True),
        ("Will call the plumber", "Tomas", "Tomas", "Finally called the plumber.", True),
        ("Will call the plumber", "Tomas", "Ada", "The plumber was called.", True),
        ("I'll send the harbour photo", "", "Tomas", "I sent the harbour photo.", False),
        ("I'll send the harbour photo", "", "Tomas", "You sent me the harbour photo.", True),
        ("Whether the plumber is called", "", "Tomas", "Tom called the plumber.", True),
        ("Kalle's plumber calls", "", "Tomas", "Kalle's plumber called.", True),
    ],
)
def test_a_promise_is_kept_by_the_one_who_made_it(
    loop: str, whose: str, speaker: str, said: str, *, closed: bool
) -> None:
    assert find_closed({loop: whose}, [(speaker, said)], ("Ada", "Tomas")) == ({loop: said} if closed else {})


def test_the_prompt_names_every_note_whose_day_has_passed_by_its_number_and_no_other() -> None:
    notes = (
        ("Active threads", "Aurelia's eye, moved to 9 March 2026"),
        ("Active threads", "The rent goes up from May 2026"),
        ("Open loops", "The publisher's yes or no on Tuesday 10 March 2026."),
        ("Open loops", "Where Matei goes on Tuesdays and Thursdays. (noted 1 March 2026)"),
        (
            "Open loops",
            "Aurel's 80th on Sunday 8 March 2026; I remind her when March comes. (noted 1 March 2026)",
        ),
        ("Open loops", "How Ortopedia goes from 9 March 2026."),
        ("Open loops", "The first tasting, on a Saturday at 4:00 PM. (noted 1 March 2026)"),
        ("Open loops", "Monday to Friday: audio. Saturday at 4:00 PM: a tasting. (noted 1 March 2026)"),
        ("Open loops", "Has Lida finished the manuscript?"),
    )
    items = [Item(section, text, (n, n + 1)) for n, (section, text) in enumerate(notes)]
    assert tell_passed(items, TODAY) == ["The day of 1, 3, 5 and 6 has passed: closed, or what came of it?"]
    assert tell_passed(items[-1:], TODAY) == []


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("The letter by 30 April (noted 1 March 2026)", "The letter by 30 April"),
        ("The letter on Friday 6 March (noted 1 March 2026)", "The letter on Friday 6 March"),
        ("The letter on Friday (noted 1 March 2026)", "The letter on Friday (noted 1 March 2026)"),
        ("The letter on the 9th (noted 1 March 2026)", "The letter on the 9th (noted 1 March 2026)"),
        ("The letter by 30 April (noted 1 March 2025)", "The letter by 30 April (noted 1 March 2025)"),
        ("The letter", "The letter"),
    ],
)
def test_a_prompt_gives_the_day_of_noting_only_where_a_note_needs_it(note: str, told: str) -> None:
    assert tell_note(note, TODAY) == told


def test_an_item_that_names_a_day_without_its_year_gets_the_day_it_was_noted_on_and_keeps_it() -> None:
    assert with_day("The letter on Friday", date(2026, 3, 1)) == "The letter on Friday, 6 March 2026"
    noted = "The letter on Friday (noted 1 March 2026)"
    assert with_day(noted, TODAY) == noted
    assert with_day("The long letter on Friday", TODAY, noted) == "The long letter on Friday, 6 March 2026"
    assert with_day("The letter on Monday", TODAY, noted) == "The letter on Monday, 16 March 2026"
    assert with_day("The letter by 30 April", TODAY) == "The letter by 30 April (noted 11 March 2026)"
    for plain in ("The letter", "The letter by 30 April 2026", "Whether Kenta likes May"):
        assert with_day(plain, TODAY) == plain


def test_a_question_with_what_was_added_behind_a_comma_is_the_same_question() -> None:
    asked = "Whether Dan goes to the group on 12 November 2026."
    changed = "Whether Dan goes to the group for players on 12 November 2026, after not going on 29 October"
    assert asks_the_same(asked, changed)
    assert not asks_the_same(asked, changed.replace("12 November", "19 November"))
    assert not asks_the_same(asked, changed.replace("goes", "does not go"))
