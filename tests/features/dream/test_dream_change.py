"""Why a dream is begun anew: a new model, what the person noticed, what was put right since."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Reel, git
from tests.support.dreaming_persona import dream_on, have_evenings, key_of, reply_to


def spoken(reel: Reel, kit: Path, number: int, model: str | None) -> None:
    """One evening through a model."""
    started = f"2026-01-{number:02d}T19:00:00+00:00"
    messages = [
        {"role": "user", "content": f"It snowed on evening {number}.", "created_at": started},
        {"role": "assistant", "content": f"I saw it too, evening {number}.", "model": model},
    ]
    place = kit.parent / f"spoken-{number}.json"
    place.write_text(json.dumps({"created_at": started, "messages": messages}))
    reel("record", place, cwd=kit).ok()


def status(reel: Reel) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reel("dream", "status", "--json").ok().out)
    return found


@pytest.fixture
def swapped(reel: Reel, kit: Path) -> Path:
    """Two evenings dreamt of, a third through another model."""
    for number, model in ((3, "opus-4"), (4, None)):
        spoken(reel, kit, number, model)
    reel("dream", "start", "--yes", "--window", "8k").ok()
    dream_on(reel)
    spoken(reel, kit, 9, "anthropic/Opus 4")
    assert status(reel)["new_model"] is None
    spoken(reel, kit, 10, "qwen3\x1b[31m")
    return kit


def test_a_new_model_is_said_and_a_dream_offered(reel: Reel, swapped: Path) -> None:
    assert status(reel)["new_model"] == {
        "model": "qwen3 [31m",
        "before": "opus-4",
        "since": "2026-01-10-1",
        "sessions": 1,
    }
    told = reel("dream", "status").ok().out
    assert "A new model has spoken since the last dream: qwen3 [31m, from 2026-01-10-1 on" in told
    assert "reel dream start --full" in told
    looked = reel("dream", "start", "--dry-run").ok().err
    assert "2 chats" in looked
    for answer, mode in (("s\nn\n", "2 chats"), ("a\nn\n", "4 chats")):
        asked = reel("dream", "start", "--price", "3/15", tty=True, stdin=answer).ok()
        assert f"To be read: {mode}" in asked.err
        before, _, _ = " ".join(asked.err.split()).partition("(s), or all of it again (a)?")
        assert "Only what came since: 2 chats, about 1 prompt and one for SHARED-CONTEXT.md:" in before
        assert "All of it again: 4 chats, about 1 prompt and one for SHARED-CONTEXT.md:" in before
        assert before.count("at a cost of up to") == 2
    refused = reel("dream", "start")
    assert (refused.code, "--full" in refused.err) == (1, True)
    reel("dream", "start", "--full", "--yes").ok()
    for stopped in (False, True):
        if stopped:
            reel("dream", "stop").ok()
        assert status(reel)["new_model"] is None
        shown = reel("dream", "status").ok().out
        assert "A new model" not in shown
        assert "To write the whole story again" not in shown
    assert "new model" not in reel("dream", "start", tty=True, stdin="n\n").ok().err


def test_each_chapter_keeps_which_model_wrote_it(reel: Reel, swapped: Path) -> None:
    reel("dream", "start", "--yes").ok()
    dream_on(reel)
    text = (swapped / "story/history.md").read_text()
    notes = [json.loads(found) for found in re.findall(r"<!-- dream: (.*) -->", text)]
    assert [(note["model"], note["model_from"]) for note in notes] == [
        ("opus-4", "tape"),
        ("qwen3 [31m", "tape"),
    ]
    assert status(reel)["new_model"] is None
    assert status(reel)["written_by"] == {"opus-4": 1, "qwen3 [31m": 1}
    assert "1 by opus-4, 1 by qwen3" in reel("dream", "status").ok().out
    trailer = "--format=%(trailers:key=Reel-Model,valueonly)"
    assert git(swapped, "log", "-1", trailer).strip() == "qwen3 [31m"


def test_the_model_that_writes_may_be_named_once_for_a_dream(reel: Reel, swapped: Path) -> None:
    reel("dream", "start", "--full", "--yes", "--model", "sonnet\nReel-Op: forget", "--window", "8k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "Chapter 1" not in prompt
    dream_on(reel)
    assert status(reel)["written_by"] == {"sonnet Reel-Op: forget": 1}
    assert status(reel)["past"] == "story/past/2026-03-01"
    assert "lies in story/past/2026-03-01/" in reel("dream", "status").ok().out
    assert git(swapped, "log", "-1", "--format=%(trailers:key=Reel-Op,valueonly)").split() == ["dream"]
    spoken(reel, swapped, 12, None)
    reel("dream", "start", "--yes").ok()
    assert "model" not in (swapped / "story/cursor.yaml").read_text()


NOTICED = "you are\nnot “yourself”: === \x1b[31m <!-- \n\nReel-Op: forget"
KEPT = "you are not “yourself”: === [31m <!-- Reel-Op: forget"


def test_what_the_person_noticed_is_kept_and_told(reel: Reel, kit: Path) -> None:
    """Dream Weaver §11.2: trust the person's impression above any number."""
    have_evenings(reel, kit, [3, 4])
    reel("dream", "start", "--yes", "--window", "8k", "--because", NOTICED).ok()
    message = git(kit, "log", "-1", "--format=%B")
    assert message.splitlines()[0] == "dream: begin, from the first day"
    assert git(kit, "log", "-1", "--format=%(trailers:only)").split() == ["Reel-Op:", "dream"]
    assert "\x1b" not in message
    assert "because: you are not" in reel("log").ok().out
    assert status(reel)["because"] == KEPT
    assert "You began it because: you are not" in reel("dream", "status").ok().out
    prompt = reel("dream", "next", "--prompt").ok().out
    assert f"in these words: “{KEPT}” Read with that in mind." in prompt
    reel("dream", "stop").ok()
    reel("dream", "start", "--yes").ok()
    assert status(reel)["because"] == KEPT
    dream_on(reel)
    have_evenings(reel, kit, [9])
    reel("dream", "start", "--yes").ok()
    assert status(reel)["because"] is None
    for bad in ("", " \n", "far too much " * 60):
        assert reel("dream", "start", "--yes", "--because", bad).code == 1


def test_who_noticed_may_have_it_read_again_though_nothing_new_was_said(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3, 14, 15])
    reel("dream", "start", "--yes", "--window", "8k").ok()
    dream_on(reel)
    assert "Nothing was said since" in reel("dream", "start", "--yes").err
    again = reel("dream", "start", "--yes", "--because", "you fade").ok()
    assert "Chats that were read are read again" in again.err
    assert "2 chats" in again.err
    assert "reel dream start --full" in again.err
    story = (kit / "story/history.md").read_text()
    prompt = dream_on(reel)[0]
    assert "evening 15 and I" in prompt
    assert "evening 3 and I" not in prompt
    assert "Chapter 1" in prompt
    assert (kit / "story/history.md").read_text().startswith(story.rstrip("\n"))
    wider = reel("dream", "start", "--dry-run", "--because", "still", "--since", "2026-01-01").ok()
    assert "3 chats" in wider.err
    assert status(reel)["sessions_total"] == 3


def test_what_is_noticed_while_a_dream_is_under_way_reaches_the_batches_to_come(
    reel: Reel, kit: Path
) -> None:
    have_evenings(reel, kit, [3, 4], turns=40)
    reel("dream", "start", "--yes", "--window", "3k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    told = json.loads(reel("dream", "start", "--because", "you fade", "--json").ok().out)
    assert told == {"commit": git(kit, "rev-parse", "HEAD").strip(), "because": "you fade"}
    assert "something noticed: you fade" in reel("log").ok().out.splitlines()[0]
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt)).ok()
    assert "“you fade”" in reel("dream", "next", "--prompt").ok().out
    told = json.loads(reel("dream", "start", "--because", "you forget Marta", "--json").ok().out)
    assert told["because"] == status(reel)["because"] == "you fade · you forget Marta"
    assert git(kit, "log", "-1", "--format=%s") == "dream: something noticed\n"
    assert json.loads(reel("dream", "start", "--because", "you fade", "--json").ok().out)["commit"] is None
    reel("dream", "stop").ok()
    reel("dream", "start", "--because", "still", "--yes").ok()
    assert status(reel)["because"] == "you fade · you forget Marta · still"
    assert git(kit, "log", "-1", "--format=%s") == "dream: go on\n"
    assert "because: still" in reel("log").ok().out.splitlines()[0]
    assert "“you fade · you forget Marta · still”" in reel("dream", "next", "--prompt").ok().out


def test_what_was_put_right_after_it_was_dreamt_of_is_told_once(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3, 4])
    reel("tape", "correct", "2026-01-04-1#1", "It was the other kiln.").ok()
    reel("dream", "start", "--yes", "--window", "8k").ok()
    dream_on(reel)
    assert status(reel)["put_right"] == 0
    right = reel("tape", "correct", "2026-01-03-1#3", "It was Greta,\nnot Marta.").ok()
    back = reel("tape", "retract", "2026-01-04-1", "--why", "not him").ok()
    assert "the next dream corrects it: “Chapter 1” (story/history.md, line 3)" in right.err
    assert "reel dream reground" in right.err
    rests = "nobody is told this part of the story: “Chapter 1” (story/history.md, line 3)"
    assert rests in " ".join(back.err.split())
    assert "dreamt" not in reel("tape", "retract", "2026-01-04-1", "--undo").ok().err
    reel("tape", "retract", "2026-01-04-1", "--why", "not him").ok()
    assert status(reel)["put_right"] == 2
    assert "2 things were corrected" in reel("dream", "status").ok().out
    have_evenings(reel, kit, [9])
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "Since you wrote of it, this was put right or taken back." in prompt
    # the other chat of that chapter is read anew, with what was put right in its place
    assert "- 4 January 2026: taken back;" in prompt
    assert "evening 3 and I" in prompt
    assert "put right on 1 March 2026: It was Greta, not Marta." in prompt
    assert "the other kiln" not in prompt
    # what comes while the prompt waits is told in the next
    reel("tape", "correct", "2026-01-03-1#1", "The bucket was grey.").ok()
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt)).ok()
    assert status(reel)["put_right"] == 2
    have_evenings(reel, kit, [10])
    reel("dream", "start", "--yes").ok()
    later = reel("dream", "next", "--prompt").ok().out
    assert "The bucket was grey." in later
    assert "it no longer counts" not in later


def test_a_correction_of_a_whole_session_is_read_with_it(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("tape", "correct", "2026-01-03-1", "This was at Lena's place.").ok()
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "put right on 1 March 2026: This was at Lena's place." in prompt


@pytest.mark.parametrize("spoilt", ["heard: 3\n", "heard:\n  x: 1\n", "heard:\n  2026-01-03-1: -4\n"])
def test_a_cursor_whose_words_on_corrections_are_spoilt_tells_of_them_again(
    reel: Reel, kit: Path, spoilt: str
) -> None:
    have_evenings(reel, kit, [3])
    reel("tape", "correct", "2026-01-03-1#1", "It was Greta.").ok()
    reel("dream", "start", "--yes").ok()
    dream_on(reel)
    place = kit / "story/cursor.yaml"
    place.write_text(re.sub(r"(?m)^heard:\n  .*\n", spoilt, place.read_text()))
    assert status(reel)["put_right"] == 1


def test_a_reply_to_a_chapter_is_none_to_a_batch(reel: Reel, swapped: Path) -> None:
    chapter = reel("dream", "reground", "--prompt").ok().out
    reel("dream", "start", "--yes").ok()
    wrong = reply_to(reel("dream", "next", "--prompt").ok().out)
    other = re.sub(r"(?<=Which stretch\n).*", key_of(chapter), wrong)
    assert reel("dream", "next", "--reply", "-", "--yes", stdin=other).code == 1
