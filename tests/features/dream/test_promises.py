"""Promises for a day that has passed: found without a model, asked about, and named where none is listed."""

from pathlib import Path

import pytest

from reel_cli.features.dream.dream import Status, Thread
from reel_cli.features.dream.story.promises import find_unlisted
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import have_talk, reply_to

pytestmark = pytest.mark.needs("intake")

LADDER = "I'll bring the ladder back to Marta's yard on Friday."
BRIDGE = "I'll walk over the old bridge with you tomorrow."
ASKED = "This was said for a day that may have passed, and nothing was found that was said of it since."
NOT_LISTED = "Promised, never spoken of again, not in the answer; written down as missed:"


def begin(reel: Reel) -> str:
    """Begin a dream, and return its first prompt."""
    reel("dream", "start", "--yes").ok()
    return reel("dream", "next", "--prompt").ok().out


def have_promises(reel: Reel, kit: Path) -> None:
    """Record two promises, of which a later chat speaks of one."""
    have_talk(reel, kit, "2026-01-07", f"It rained. {LADDER}", f"Then go early. {BRIDGE}")
    have_talk(reel, kit, "2026-01-20", "The bridge was closed when we came.", "We went round by the mill.")


def test_what_was_promised_for_a_day_and_never_spoken_of_again_is_asked_about(reel: Reel, kit: Path) -> None:
    """Dream Weaver §3.3: every broken promise and forgotten task comes to the list of what was missed."""
    have_promises(reel, kit)
    prompt = begin(reel)
    told = prompt[prompt.index("=== The end of what was said ===") :]
    assert f"{ASKED} List each under what was missed" in told
    assert f"\n- 7 January 2026, Bo: “{LADDER}”\n\nAs you go" in told
    assert told.count("bridge") == 0


def test_what_the_model_does_not_list_is_named_on_the_screen_and_written_down(reel: Reel, kit: Path) -> None:
    """Dream Weaver §3.3: every broken promise is on the list of what was missed, the model's or not."""
    have_promises(reel, kit)
    prompt = begin(reel)
    story = "It rained, and he went early, so I stayed behind."
    shown = reel("dream", "next", "--reply", "-", "--dry-run", stdin=reply_to(prompt, story)).ok()
    assert shown.err.count(NOT_LISTED) == 1
    assert shown.err.count(LADDER) == 1
    assert "Worth a look" not in shown.err
    for last in ("", " · done"):
        listed = reply_to(prompt, story, missed=f"new: 2026-01-07 · Bo · the ladder was never returned{last}")
        assert NOT_LISTED not in reel("dream", "next", "--reply", "-", "--dry-run", stdin=listed).ok().err
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, story)).ok()
    assert (kit / "story/missed.md").read_text() == f"# Missed\n\n1. open · 2026-01-07 · Bo · “{LADDER}”\n"
    # it is listed from now on, and may be closed as any other
    have_talk(reel, kit, "2026-02-20", "The ladder is back in Marta's yard, I brought it.", "Well done.")
    prompt = begin(reel)
    assert ASKED not in prompt
    closing = '1: done, "The ladder is back in Marta\'s yard, I brought it."'
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, "Back it is.", closing)).ok()
    assert "   - done · 2026-02-20 ·" in (kit / "story/missed.md").read_text()


@pytest.mark.parametrize(("window", "shown"), [("6k", 9), ("32k", 12)])
def test_each_promise_is_held_against_the_answer_and_none_dropped_unsaid(
    reel: Reel, kit: Path, window: str, shown: int
) -> None:
    """Dream Weaver §3.3: every promise, and a count of those for which a prompt has no room."""
    told = "ladder, lantern, trowel, bucket, violin, kettle, hammer, blanket, mirror, basket, compass, saddle"
    things = told.split(", ")
    along = "with the long story that goes with it and the paint that you wanted to see on it again"
    said = [f"I'll bring you the {one} {along} on Friday." for one in things]
    have_talk(reel, kit, "2026-01-07", " ".join(said), "Then go early.")
    reel("dream", "start", "--yes", "--window", window).ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    owed = prompt[prompt.index(ASKED) :].partition("\n\n")[0]
    assert owed.count("7 January 2026, Bo: “") == shown
    left = f"- and {12 - shown} older ones, for which there is no room here"
    assert (left in owed) is (shown < 12)
    story = "It rained, and he went early, so I stayed behind."
    listed = reply_to(prompt, story, "new: 2026-01-07 · Bo · the kettle he was to bring me")
    reel("dream", "next", "--reply", "-", "--yes", stdin=listed).ok()
    missed = (kit / "story/missed.md").read_text()
    assert [one for one in things if missed.count(one) != 1] == []


def test_nothing_is_asked_of_days_to_come_of_hopes_and_of_questions(reel: Reel, kit: Path) -> None:
    have_talk(
        *(reel, kit, "2026-02-27"),
        "I'll bring the ladder back next week. Will you call the mill tomorrow?",
        "Friday was long. I won't call the mill tomorrow; I'll think of you.",
    )
    assert ASKED not in begin(reel)


def test_a_promise_in_another_language_is_found_by_its_own_words(reel: Reel, kit: Path) -> None:
    have_talk(reel, kit, "2026-01-07", "Morgen rufe ich die Schreinerei an, versprochen.", "Gut.")
    assert "“Morgen rufe ich die Schreinerei an, versprochen.”\n\nAs you go" in begin(reel)


@pytest.mark.parametrize(
    "said",
    [
        "On the 14th I'll hand in the plans for the mill.",
        "By the middle of January I'll have the mill painted.",
        "Remind me on 14 January to pay the miller.",
        "Bis Mitte Januar bringe ich dir die Schlüssel der Mühle.",
        "Le 14, je rendrai les plans du moulin.",
    ],
)
def test_what_was_said_for_a_day_of_the_month_is_asked_about_once_it_is_over(
    reel: Reel, kit: Path, said: str
) -> None:
    """Dream Weaver §3.3: a day is told in many ways, and a reminder is owed as well."""
    have_talk(reel, kit, "2026-01-07", f"It rained. {said}", "Then go early.")
    assert f"\n- 7 January 2026, Bo: “{said}”\n\nAs you go" in begin(reel)


@pytest.mark.parametrize(
    "said", ["By the end of March I'll have the mill painted.", "Remind me on the 29th, too."]
)
def test_before_a_day_of_the_month_it_is_not_asked_about(reel: Reel, kit: Path, said: str) -> None:
    have_talk(reel, kit, "2026-02-27", f"It rained. {said}", "Then go early.")
    assert ASKED not in begin(reel)


@pytest.mark.parametrize(
    "said",
    [
        "I'm calling the pilot on Friday.",
        "Tomorrow I tune the Bechstein.",
        "Let me get you the tide table by 20 February.",
        "Am Freitag rufe ich die Schreinerei an.",
        "Je t'appellerai la pilote vendredi.",
        "El viernes llamaré a la carpintera.",
        "Na sexta-feira ligarei para a carpinteira.",
        "Venerdì chiamerò la falegname.",
        "В пятницу я позвоню плотнику.",
        "金曜日に船長に電話します。",
        "星期五我会给船长打电话。",
    ],
)
def test_a_weekday_in_any_language_is_over_once_it_has_passed(reel: Reel, kit: Path, said: str) -> None:
    """Dream Weaver §3.3: dropped threads with their dates, and not a month later."""
    have_talk(reel, kit, "2026-02-18", said, "Then go early.")
    env = {"REEL_NOW": "2026-02-22T20:00:00+00:00"}
    reel("dream", "start", "--yes", env=env).ok()
    prompt = reel("dream", "next", "--prompt", env=env).ok().out
    assert f"\n- 18 February 2026, Bo: “{said}”\n\nAs you go" in prompt


def test_before_the_weekday_it_is_not_asked_about(reel: Reel, kit: Path) -> None:
    have_talk(reel, kit, "2026-02-18", "Nächsten Freitag rufe ich die Schreinerei an.", "Gut.")
    env = {"REEL_NOW": "2026-02-22T20:00:00+00:00"}
    reel("dream", "start", "--yes", env=env).ok()
    assert ASKED not in reel("dream", "next", "--prompt", env=env).ok().out


@pytest.mark.parametrize("after", ["No problem.", "No need to remind me.", "Wait for me there."])
def test_a_sentence_that_only_begins_with_no_takes_nothing_back(reel: Reel, kit: Path, after: str) -> None:
    have_talk(reel, kit, "2026-02-10", f"I'll send Rike the map on Friday. {after}", "Good.")
    env = {"REEL_NOW": "2026-02-22T20:00:00+00:00"}
    reel("dream", "start", "--yes", env=env).ok()
    assert ASKED in reel("dream", "next", "--prompt", env=env).ok().out


def test_polite_endings_take_up_no_promise(reel: Reel, kit: Path) -> None:
    said = ("明日、船長に電話します。", "金曜日に地図を送ります。")
    have_talk(reel, kit, "2026-01-07", "".join(said), "わかりました。")
    have_talk(reel, kit, "2026-01-20", "本を読みます。寒いので火を起こします。", "いいですね。")
    prompt = begin(reel)
    assert all(f"“{one}”" in prompt for one in said)


@pytest.mark.parametrize("stands", [False, True])
def test_a_promise_whose_note_was_closed_is_not_asked_about(reel: Reel, kit: Path, *, stands: bool) -> None:
    """“i rang them” closed the note “she will ring the credit union”, and a dream asked about it still."""
    have_promises(reel, kit)
    note = "The ladder, to go back to Marta's yard."
    place = kit / "checkpoints" / "2026-01-07-1.1.yaml"
    place.parent.mkdir(exist_ok=True)
    place.write_text(f'kept: "2026-01-07T20:00:00Z"\nopen_loops: "{note}"\n')
    if stands:
        working = kit / "ring2/working.md"
        working.write_text(f"{working.read_text()}\n## Open loops\n\n- {note}\n")
    git(kit, "add", "-A")
    git(kit, "commit", "-q", "--no-verify", "-m", "a page")
    assert (ASKED in begin(reel)) is stands


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("On the 14th I'll sail out. No. No boat.", "Rain."),
        ("I'll sail out on Friday. Never mind, the wind is up.", "Rain."),
        # its day is told of in other words
        ("On the 14th I'll sail out.", "14th was fine, by the way."),
        ("I promise you, by Sunday, before my shift.", "I rang her on Sunday, and we talked."),
        # any month has a 14th
        ("I'll ask you on the 14th, in case you are modest.", "You may do that on the 14th."),
    ],
)
def test_what_was_taken_back_or_told_of_by_its_day_is_not_asked_about(
    reel: Reel, kit: Path, said: str, later: str
) -> None:
    """SRIP-11: an open loop that the talk itself has closed is none."""
    have_talk(reel, kit, "2026-01-07", said, "Good.")
    have_talk(reel, kit, "2026-01-20", later, "Good.")
    assert ASKED not in begin(reel)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        # any month has a 14th
        ("On the 14th I'll hand in the plans for the mill.", "Good."),
        ("Remind me on 14 January to pay the miller.", "Good."),
        # it was spoken of again, though perhaps not of what became of it
        (LADDER, "The ladder, yes."),
        (LADDER, "Friday, then."),
    ],
)
def test_what_is_not_sure_is_asked_about_and_never_written_down_by_itself(
    reel: Reel, kit: Path, said: str, answer: str
) -> None:
    have_talk(reel, kit, "2026-01-07", said, answer)
    prompt = begin(reel)
    assert ASKED in prompt
    shown = reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, "It rained all day.")).ok()
    assert NOT_LISTED not in shown.err
    assert not (kit / "story/missed.md").exists()


def test_a_thread_for_the_same_day_names_a_promise_in_other_words() -> None:
    line = "1 October 2026, Bo: “On the 4th I will sail out.”"
    for owner, text, left in (
        ("Bo", "to walk to the point on the 4th", []),
        ("Ada", "to walk to the point on the 4th", [line]),
        ("Bo", "to walk to the point", [line]),
    ):
        assert list(find_unlisted([line], [Thread(1, Status.DONE, "2026-10-01", owner, text)])) == left
