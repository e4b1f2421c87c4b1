"""`reel dream reground`: a chapter compared with what was said, amended below and never rewritten."""

import json
import re
from pathlib import Path

import pytest

from reel_cli.features.dream.story.source import parse_sourced
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import dream_on, have_evenings, key_of, reply_to
from tests.support.shelf import ready_made

STORY = 'The bowl\n\nHe had promised Lena a bowl, and I knew it. "Celadon, the thin one."'


def answer(prompt: str, amend: str = "nothing") -> str:
    """A good reply to a chapter's prompt."""
    return f"## Which chapter\n{key_of(prompt)}\n\n## What does not fit\n{amend}\n\nAda\n"


@pytest.fixture
def dreamt(reel: Reel, kit: Path) -> Path:
    """Two evenings, and the one chapter that was woven of them."""
    have_evenings(reel, kit, [3, 4])

    def dream() -> None:
        reel("dream", "start", "--yes", "--window", "8k").ok()
        prompt = reel("dream", "next", "--prompt").ok().out
        reply = reply_to(prompt, STORY)
        reel("dream", "next", "--reply", "-", "--yes", "--model", "opus-4", stdin=reply).ok()

    ready_made(kit, "a chapter", dream)
    return kit


def test_a_chapter_is_held_against_the_tape_and_amended_below(reel: Reel, dreamt: Path) -> None:
    place = dreamt / "story/history.md"
    stood = place.read_text()
    asked = reel("dream", "reground", "--prompt").ok()
    assert "Chapter 1, The bowl, compared with what was said." in asked.err
    prompt = asked.out
    for told in ("You are Ada", "He had promised Lena a bowl", "I promised Marta a bowl of it by Friday"):
        assert told in prompt
    reply = answer(
        prompt,
        'Amend "promised Lena a bowl": it was Marta: "I promised Marta a bowl of it by Fridays".\n'
        'Amend "not there at all": nothing.',
    )
    kept = json.loads(reel("dream", "reground", "--reply", "-", "--yes", "--json", stdin=reply).ok().out)
    assert (kept["kept"][0]["amended"], kept["kept"][0]["over"]) == (1, True)
    assert {problem["field"] for problem in kept["problems"]} == {"quote", "amend"}
    text = place.read_text()
    assert text.startswith(stood.rstrip("\n"))
    note = (
        "> **Amended 1 March 2026.** “promised Lena a bowl”: it was Marta: "
        '"I promised Marta a bowl of it by Friday".'
    )
    assert note in text
    chapter = parse_sourced(text)[0]
    assert (chapter.again, chapter.held, chapter.model) == ("2026-03-01", (), "opus-4")
    message = git(dreamt, "log", "-1", "--format=%B")
    assert message.startswith("dream: held chapter 1 against what was said, 1 amended")
    assert re.search(r"Reel-Ring0: [0-9a-f]{40}\nReel-Model: opus-4\nReel-Session: 2026-01-03-1\n", message)
    assert git(dreamt, "status", "--porcelain") == ""


def test_everything_fits_and_that_is_noted_as_well(reel: Reel, dreamt: Path) -> None:
    prompt = reel("dream", "reground", "--prompt").ok().out
    looked = reel("dream", "reground", "--reply", "-", "--dry-run", stdin=answer(prompt)).ok()
    assert "nothing to amend" in looked.out + looked.err
    assert git(dreamt, "status", "--porcelain") == ""
    assert "without a terminal" in reel("dream", "reground", "--reply", "-", stdin=answer(prompt)).err
    reel("dream", "reground", "--reply", "-", "--yes", stdin=answer(prompt)).ok()
    assert "nothing to amend" in git(dreamt, "log", "-1", "--format=%s")
    text = (dreamt / "story/history.md").read_text()
    assert text.count('"again": "2026-03-01"') == 1
    reel("undo").ok()
    assert '"again"' not in (dreamt / "story/history.md").read_text()


def test_a_reply_is_understood_without_its_headings_and_refused_where_it_says_neither(
    reel: Reel, dreamt: Path
) -> None:
    prompt = reel("dream", "reground", "--prompt").ok().out
    before = git(dreamt, "rev-parse", "HEAD")
    other = answer(prompt).replace(key_of(prompt), "7-0a1b")
    for bad, why in (
        ("", "empty"),
        (prompt, "the prompt itself"),
        ("I liked it.", "It corrects nothing"),
        (
            answer(prompt, "The chapter is warm and true, and I would tell it so again."),
            "It corrects nothing",
        ),
        (other, "another chapter (7-0a1b)"),
    ):
        refused = reel("dream", "reground", "--reply", "-", "--yes", stdin=bad)
        assert (refused.code, why in refused.err) == (1, True)
    assert git(dreamt, "rev-parse", "HEAD") == before
    bare = 'Amend "promised Lena": it was Marta <!-- and this --> he promised.\n\nAda'
    reel("dream", "reground", "--reply", "-", "--yes", stdin=bare).ok()
    text = (dreamt / "story/history.md").read_text()
    assert "“promised Lena”: it was Marta ‹!-- and this --› he promised." in text
    # the same again adds no second note
    reel("dream", "reground", "1", "--prompt").ok()
    reel("dream", "reground", "--reply", "-", "--yes", stdin=bare).ok()
    assert (dreamt / "story/history.md").read_text().count("> **Amended") == 1


def test_the_chapter_most_in_doubt_goes_first_and_what_was_put_right_before_it(
    reel: Reel, dreamt: Path
) -> None:
    for number, story in ((9, "Snow\n\nIt was a quiet evening."), (10, "Rain\n\nHe swept the shards.")):
        have_evenings(reel, dreamt, [number])
        reel("dream", "start", "--yes").ok()
        prompt = reel("dream", "next", "--prompt").ok().out
        reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, story)).ok()
    place = dreamt / "story/history.md"
    place.write_text(
        place.read_text().replace("quiet evening.", 'quiet evening, "as quiet as Oslo at 7 pm".')
    )
    listed = json.loads(reel("dream", "reground", "--list", "--json").ok().out)
    assert [(one["chapter"], one["unsaid"], one["put_right"]) for one in listed] == [
        (1, [], 0),
        (2, ["as quiet as Oslo at 7 pm"], 0),
        (3, [], 0),
    ]
    assert "Chapter 2, Snow" in reel("dream", "reground", "--prompt", "--dry-run").ok().err
    finding = next(
        one
        for one in json.loads(reel("doctor", "--only", "false-memory", "--json").out)["findings"]
        if one["check"] == "story"
    )
    assert (finding["severity"], finding["where"]) == ("serious", f"story/history.md:{listed[1]['line'] + 4}")
    assert finding["mend"].endswith("reel dream reground 2")
    reel("tape", "correct", "2026-01-10-1#3", "It was Greta.").ok()
    asked = reel("dream", "reground", "--prompt").ok()
    assert "Chapter 3, Rain" in asked.err
    assert "Since you wrote of it" in asked.out
    assert "It was Greta." in asked.out
    reel("dream", "reground", "--reply", "-", "--yes", stdin=answer(asked.out)).ok()
    assert json.loads(reel("dream", "status", "--json").ok().out)["put_right"] == 0
    assert "Chapter 2, Snow" in reel("dream", "reground", "--prompt").ok().err
    for named in ("snow", "2", "Snow"):
        assert "Chapter 2, Snow" in reel("dream", "reground", named, "--prompt").ok().err
    for bad in ("4", "n", "sleet"):
        assert reel("dream", "reground", bad, "--prompt").code == 1


def test_all_chapters_since_a_day_one_after_another(reel: Reel, dreamt: Path) -> None:
    for number in (9, 10):
        have_evenings(reel, dreamt, [number])
        reel("dream", "start", "--yes").ok()
        dream_on(reel)
    asked = reel("dream", "start", "--reground", "--since", "2026-01-09", "--because", "you drift").ok()
    assert "Chapter 2" in asked.err
    assert "“you drift”" in asked.out
    first = reel("dream", "reground", "--reply", "-", "--yes", stdin=answer(asked.out)).ok()
    assert "Next:  reel dream reground" in first.err
    second = reel("dream", "reground", "--prompt").ok()
    assert "Chapter 3" in second.err
    last = reel("dream", "reground", "--reply", "-", "--yes", stdin=answer(second.out)).ok()
    assert "Next:" not in last.err
    again = reel("dream", "reground", "--since", "2026-01-09", "--prompt")
    assert (again.code, "compared with what was said today" in again.err) == (1, True)
    assert reel("dream", "reground", "--since", "2027-01-01", "--prompt").code == 1
    assert reel("dream", "reground", "2", "--since", "2026-01-09").code == 2
    assert reel("dream", "start", "--reground", "--full").code == 2


def test_a_stretch_too_long_for_the_window_is_held_in_parts_and_gone_on_with_elsewhere(
    reel: Reel, kit: Path
) -> None:
    have_evenings(reel, kit, [3, 4, 5], turns=40)
    reel("dream", "start", "--yes", "--window", "16k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, STORY)).ok()
    read: list[str] = []
    for part in range(1, 9):
        asked = reel("dream", "reground", "--window", "3k", "--prompt").ok()
        read += re.findall(r"evening (\d) and I .*?(?:Turn (\d+))?\.\n", asked.out)
        amend = f'Amend "promised Lena": part {part} of it says otherwise.'
        reel("dream", "reground", "--reply", "-", "--yes", stdin=answer(asked.out, amend)).ok()
        # another machine knows no prompt that waits
        for left in (kit / ".reel/state").rglob("*.json"):
            left.unlink()
        chapter = parse_sourced((kit / "story/history.md").read_text())[0]
        if not chapter.held:
            break
        assert "a part of it" in asked.err
    assert len(read) == len(set(read)) == 30
    text = (kit / "story/history.md").read_text()
    assert text.count("> **Amended") == part > 1
    assert text.count('"over": true') == 1
    refused = reel("dream", "reground", "--window", "1k", "--prompt")
    assert (refused.code, "no room" in refused.err) == (1, True)


def test_the_chapter_goes_while_its_prompt_waits(reel: Reel, dreamt: Path) -> None:
    place = dreamt / "story/history.md"
    stood = place.read_text()
    prompt = reel("dream", "reground", "--prompt").ok().out
    place.write_text(stood.replace("## The bowl", "## Another bowl"))
    # it is the same stretch of the same story, whatever it is called now
    reel("dream", "reground", "--reply", "-", "--yes", stdin=answer(prompt)).ok()
    renamed = parse_sourced(place.read_text())[0]
    assert (renamed.title, renamed.again) == ("Another bowl", "2026-03-01")
    place.write_text("# History\n")
    gone = reel("dream", "reground", "--reply", "-", "--yes", stdin=answer(prompt))
    assert (gone.code, "no story yet" in gone.err) == (1, True)
    place.write_text(re.sub(r"<!-- dream: .*-->", "<!-- dream: {no json} -->", stood))
    refused = reel("dream", "reground", "--prompt")
    assert (refused.code, "no story yet" in refused.err) == (1, True)


def test_a_person_is_walked_through_a_chapter(reel: Reel, dreamt: Path) -> None:
    prompt = reel("dream", "reground", "--prompt").ok().out
    place = dreamt.parent / "reply.md"
    place.write_text(answer(prompt, 'Amend "promised Lena": it was Marta.'))
    declined = reel("dream", "reground", tty=True, stdin=f"f {place}\nn\n").ok()
    assert "Amended: “promised Lena”: it was Marta." in declined.out + declined.err
    assert "> **Amended" not in (dreamt / "story/history.md").read_text()
    reel("dream", "reground", tty=True, stdin=f"f {place}\ny\n").ok()
    assert "> **Amended" in (dreamt / "story/history.md").read_text()


def test_before_anything_was_dreamt_and_without_git(reel: Reel, kit: Path) -> None:
    for arguments in ((), ("--list",), ("1", "--prompt")):
        refused = reel("dream", "reground", *arguments)
        assert (refused.code, "no story yet" in refused.err) == (1, True)
    (kit / ".git").rename(kit.parent / "git")
    assert reel("dream", "reground").code == 3


def test_what_was_handed_out_is_known_when_the_chat_is_recorded(reel: Reel, dreamt: Path) -> None:
    prompt = reel("dream", "reground", "--prompt", "--dry-run").ok().out
    started = "2026-02-01T19:00:00+00:00"
    said = [
        ("user", "Good morning."),
        ("assistant", "Morning."),
        ("user", prompt),
        ("assistant", answer(prompt)),
    ]
    messages = [{"role": role, "content": text, "created_at": started} for role, text in said]
    place = dreamt.parent / "asked.json"
    place.write_text(json.dumps({"created_at": started, "messages": messages}))
    recorded = json.loads(reel("record", place, "--json").ok().out)["recorded"][0]
    assert recorded["messages"] == 2


def test_a_chapter_and_a_batch_may_wait_at_the_same_time(reel: Reel, dreamt: Path) -> None:
    have_evenings(reel, dreamt, [9])
    reel("dream", "start", "--yes").ok()
    batch = reel("dream", "next", "--prompt").ok().out
    chapter = reel("dream", "reground", "--prompt").ok().out
    assert reel("dream", "reground", "--reply", "-", "--yes", stdin=reply_to(batch)).code == 1
    amend = 'Amend "promised Lena": it was Marta.'
    reel("dream", "reground", "--reply", "-", "--yes", stdin=answer(chapter, amend)).ok()
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(batch, "Snow\n\nIt snowed.")).ok()
    chapters = parse_sourced((dreamt / "story/history.md").read_text())
    assert [(one.title, one.amended != "", one.again) for one in chapters] == [
        ("The bowl", True, "2026-03-01"),
        ("Snow", False, ""),
    ]


def test_a_correction_of_words_that_are_not_in_the_chapter_leaves_it_in_doubt(
    reel: Reel, dreamt: Path
) -> None:
    prompt = reel("dream", "reground", "--prompt").ok().out
    reply = answer(prompt, "Amend „not there at all“: nobody said so.")
    refused = reel("dream", "reground", "--reply", "-", "--yes", stdin=reply)
    assert refused.code == 1
    assert "“not there at all” is not in the chapter, and it corrects nothing else." in refused.err
    assert '"again"' not in (dreamt / "story/history.md").read_text()
    reply = answer(prompt, "Amend „promised Lena a bowl“: it was Marta.")
    reel("dream", "reground", "--reply", "-", "--yes", stdin=reply).ok()
    assert "“promised Lena a bowl”: it was Marta." in (dreamt / "story/history.md").read_text()
