"""`reel dream`: the past lived again in batches, each a commit before the next prompt exists."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from reel_cli.core.files.state import State
from tests.support.cli import Reel, git
from tests.support.dreaming_persona import (
    dream_on,
    evening,
    have_evenings,
    have_talk,
    key_of,
    reply_to,
    told_of,
)
from tests.support.shelf import ready_made

FAULT = "The kiln cracked and I was sure it was my fault, though nobody had said anything of the kind."


@pytest.fixture
def dreaming(reel: Reel, kit: Path) -> Path:
    """Three evenings, and a dream that has begun."""
    have_evenings(reel, kit, [3, 4, 5])
    ready_made(kit, "a dream", lambda: reel("dream", "start", "--yes", "--window", "8k").ok())
    return kit


def status(reel: Reel) -> dict[str, object]:
    found: dict[str, object] = json.loads(reel("dream", "status", "--json").ok().out)
    return found


def test_a_dream_from_its_beginning_to_its_end(reel: Reel, kit: Path) -> None:
    """Dream Weaver §3, §3.1, §4.3, §7.b: read and write in cycles until all of it is woven."""
    have_evenings(reel, kit, [3, 4])
    begun = reel("dream", "start", "--yes", "--window", "8k", "--price", "3/15").ok()
    assert "2 chats" in begun.err
    assert "about 1 prompt and one for SHARED-CONTEXT.md:" in begun.err
    assert "at a cost of up to 0.0" in begun.err
    assert status(reel)["state"] == "running"
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "You are Ada" in prompt
    assert "evening 3 and I swept" in prompt
    assert "evening 4 and I swept" in prompt
    reply = reply_to(
        prompt,
        'The blue bucket\n\nHe "swept the shards into a blue bucket" and I asked for the glaze.',
        "new: 2026-01-03 · both · Marta's bowl",
        "Ask about a promise on its day.",
        "craft | glaze | celadon, the thin one | sure | 2026-01-03",
    )
    kept = json.loads(reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=reply).ok().out)
    assert kept["problems"] == []
    assert (kept["kept"][0]["missed"], kept["kept"][0]["facts"]) == (1, 1)
    assert "## The blue bucket\n" in (kit / "story/history.md").read_text()
    assert '"swept the shards into a blue bucket"' in (kit / "story/history.md").read_text()
    missed = (kit / "story/missed.md").read_text()
    assert missed == "# Missed\n\n1. open · 2026-01-03 · both · Marta's bowl\n"
    assert "Ask about a promise on its day." in (kit / "story/how-we-remember.md").read_text()
    assert (kit / "facts.yaml").read_text() == (
        '- category: craft\n  key: glaze\n  value: "celadon, the thin one"\n  confidence: high\n'
        '  source: "2026-01-03-1#3"\n  when: 2026-01-03\n  origin: dream\n'
    )
    message = git(kit, "log", "-1", "--format=%B")
    assert message.startswith("dream: batch 1, 3 January 2026 to 4 January 2026")
    assert "Reel-Session: 2026-01-03-1\nReel-Session: 2026-01-04-1" in message
    assert re.search(r"Reel-Ring0: [0-9a-f]{40}", message)
    assert kept["commit"] == git(kit, "rev-parse", "HEAD").strip()
    assert status(reel) == {
        "cursor": "2026-01-04-1#4",
        "sessions_done": 2,
        "sessions_total": 2,
        "tokens_read": 176,
        "tokens_left": 0,
        "batch": 1,
        "state": "done",
        "mode": "full",
        "started": "2026-03-01T20:00:00+00:00",
        "window": 8192,
        "since": None,
        "because": None,
        "new_model": None,
        "written_by": {"": 1},
        "put_right": 0,
        "past": None,
        "context": "stale",
    }
    assert git(kit, "status", "--porcelain") == ""


def test_a_first_dream_takes_the_kit_s_window_and_says_what_could_take_more(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3, 4, 5])
    said = " ".join(f"word{number}" for number in range(1500))
    for day in range(6, 12):
        more = kit.parent / f"long-{day}.json"
        more.write_text(evening(day).replace("swept", f"swept {said}", 1))
        reel("record", more).ok()
    asked = reel("dream", "start", "--dry-run").ok().err
    assert "With a window of 8,192 tokens that is about" in asked
    assert re.search(r"Many models can hold more: about \d prompts? with  --window 32k\n", asked)
    State(kit).save_models({"qwen3-8b": (8192, 131072), "tiny": (2048, 4096)})
    asked = reel("dream", "start", "--dry-run").ok().err
    assert "The model qwen3-8b can hold 131,072 tokens: about 1 prompt with  --window 128k" in asked
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    # nothing was written yet that could be spoken of
    assert not re.search(r"wrote before|dreamt before|Amend", prompt)


def test_before_anything_was_dreamt(reel: Reel, kit: Path) -> None:
    assert "There is no story yet." in reel("dream", "status").ok().out
    for command in ("next", "stop"):
        refused = reel("dream", command)
        assert (refused.code, "No dream is under way." in refused.err) == (1, True)
    assert "Nothing is recorded yet" in reel("dream", "start", "--yes").err
    have_evenings(reel, kit, [3])
    assert reel("dream", "start").code == 1
    assert reel("dream", "start", "--incremental", "--yes").code == 1
    assert reel("dream", "start", "--full", "--incremental", "--yes").code == 2
    assert reel("dream", "start", "--price", "dear", "--yes").code == 1
    assert reel("dream", "start", "--since", "2027-01-01", "--yes").code == 1
    assert "has no room" in reel("dream", "start", "--window", "1k", "--yes").err
    looked = json.loads(reel("dream", "start", "--dry-run", "--json").ok().out)
    assert (looked["commit"], looked["sessions"], looked["prompts"]) == (None, 1, 1)
    assert not (kit / "story").exists()
    assert reel("dream", "start", tty=True, stdin="n\n").ok()
    assert not (kit / "story").exists()


def test_two_dreams_at_once_and_one_that_was_stopped(reel: Reel, dreaming: Path) -> None:
    assert "under way already" in reel("dream", "start", "--yes").err
    reel("dream", "stop").ok()
    assert status(reel)["state"] == "stopped"
    refused = reel("dream", "next", "--prompt")
    assert (refused.code, refused.err) == (
        1,
        "Error: The dream is stopped.\nHint: go on with it:  reel dream start\n",
    )
    reel("dream", "start", "--yes").ok()
    assert (status(reel)["state"], status(reel)["window"], status(reel)["mode"]) == ("running", 8192, "full")


def test_what_came_since_is_read_and_nothing_twice(reel: Reel, dreaming: Path) -> None:
    """Dream Weaver §10.3: read only new sessions after the first full run."""
    first = dream_on(reel)
    assert reel("dream", "start", "--yes").code == 1
    have_evenings(reel, dreaming, [9])
    grown = dreaming.parent / "grown.json"
    grown.write_text(evening(4, turns=6))
    reel("record", grown).ok()
    reel("dream", "start", "--yes").ok()
    later = dream_on(reel)
    assert (len(first), len(later)) == (1, 1)
    assert "(it goes on)" in later[0]
    assert "Turn 5." in later[0]
    assert "evening 9 and I" in later[0]
    assert "evening 3 and I" not in later[0]
    assert "4 and I swept the shards into a blue bucket.\n" not in later[0]
    assert "Chapter 1" in later[0]
    assert status(reel)["mode"] == "incremental"


def test_all_of_it_again_lays_the_old_story_aside(reel: Reel, dreaming: Path) -> None:
    dream_on(reel)
    old = (dreaming / "story/history.md").read_text()
    reel("dream", "start", "--full", "--yes").ok()
    assert (dreaming / "story/past/2026-03-01/history.md").read_text() == old
    assert not (dreaming / "story/history.md").exists()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "evening 3 and I" in prompt
    assert "Chapter 1" not in prompt


def test_since_leaves_out_what_is_older(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3, 4, 5])
    reel("dream", "start", "--yes", "--since", "2026-01-05").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "evening 5 and I" in prompt
    assert "evening 4 and I" not in prompt
    assert status(reel)["sessions_total"] == 1


def test_since_takes_a_month_and_a_window_holds_from_dream_to_dream(reel: Reel, dreaming: Path) -> None:
    dream_on(reel)
    looked = json.loads(
        reel("dream", "start", "--full", "--since", "2026-01", "--dry-run", "--json").ok().out
    )
    assert (looked["sessions"], looked["window"]) == (3, 8192)
    for since in ("2026-13", "January", "2026-1-1"):
        refused = reel("dream", "start", "--full", "--since", since, "--dry-run")
        assert (refused.code, "neither a day nor a chat" in refused.err) == (2, True)
    assert dreaming.exists()


def test_killed_between_batches_and_gone_on_with_on_another_machine(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    """Dream Weaver §3.4: put everything on disk before the window clears, and go on from it."""
    have_evenings(reel, kit, range(2, 5), turns=40)
    reel("dream", "start", "--yes", "--window", "3k").ok()
    start = git(kit, "rev-parse", "HEAD").strip()
    whole = dream_on(reel)
    assert len(whole) == 3
    end = {path.name: path.read_text() for path in (kit / "story").glob("*")}

    here = kit
    git(kit, "reset", "-q", "--hard", start)
    (kit / ".reel/state/exchanges/dream.batch.json").unlink(missing_ok=True)
    for number in range(len(whole)):
        there = tmp_path / f"machine-{number}"
        subprocess.run(["git", "clone", "-q", here, there], check=True)
        here = reel.cwd = there
        prompt = reel("dream", "next", "--prompt").ok().out
        assert prompt == whole[number]
        n = number + 1
        story = f"Chapter {n}\n\n{told_of(n)}"
        reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, story)).ok()
    assert {path.name: path.read_text() for path in (here / "story").glob("*")} == end


def test_a_reply_without_a_prompt_is_for_the_next_batch_and_one_for_another_is_refused(
    reel: Reel, dreaming: Path
) -> None:
    prompt = reel("dream", "next", "--prompt", "--dry-run").ok().out
    wrong = reply_to(prompt).replace(key_of(prompt), "7-0a1b")
    refused = reel("dream", "next", "--reply", "-", "--yes", stdin=wrong)
    assert (refused.code, "another part (7-0a1b)" in refused.err) == (1, True)
    assert status(reel)["batch"] == 0
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt)).ok()
    assert status(reel)["batch"] == 1
    again = reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt))
    assert again.code == 1


def test_half_a_reply_is_kept_and_the_rest_asked_for(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    half = reply_to(prompt).split("## How we remember")[0]
    refused = reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=half)
    told = json.loads(refused.out)
    assert refused.code == 1
    assert {problem["field"] for problem in told["problems"]} >= {"remember", "facts"}
    assert "## How we remember" in told["repair"]
    assert "## The story goes on" not in told["repair"]
    assert reel("dream", "next", "--prompt").ok().out == told["repair"]
    held = "people | Marta | a bowl by Friday | sure"
    rest = f"## How we remember\nnothing\n\n## What to hold on to\n{held}\n\nAda"
    reel("dream", "next", "--reply", "-", "--yes", stdin=rest).ok()
    assert '"Celadon, the thin one."' in (dreaming / "story/history.md").read_text()
    assert "key: Marta" in (dreaming / "facts.yaml").read_text()


@pytest.mark.parametrize("reply", ["", "   \n", "I would rather talk about the weather."])
def test_a_reply_that_is_none_changes_nothing(reel: Reel, dreaming: Path, reply: str) -> None:
    before = git(dreaming, "rev-parse", "HEAD")
    refused = reel("dream", "next", "--reply", "-", "--yes", stdin=reply)
    assert refused.code == 1
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "the prompt itself" in reel("dream", "next", "--reply", "-", "--yes", stdin=prompt).err
    assert git(dreaming, "rev-parse", "HEAD") == before


def test_an_invented_quote_is_left_out_and_a_near_one_is_put_right(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    story = 'He said "the moon fell into my soup again" and then "I swept all the shards into a blue bucket".'
    kept = reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=reply_to(prompt, story)).ok()
    told = [p["what"] for p in json.loads(kept.out)["problems"] if p["field"] == "quote"]
    assert len(told) == 2
    text = (dreaming / "story/history.md").read_text()
    assert 'He said […] and then "I swept the shards into a blue bucket".' in text


def test_what_stood_is_amended_below_and_never_rewritten(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    first = reply_to(
        prompt,
        f"The crack\n\n{FAULT}\n\n"
        "He swept up, and we let the evening go out by itself, the way a stove does.",
        "new: 2026-01-03 · Ada · ask about Marta's bowl",
        "Ask sooner.",
        "people | Marta | gets a bowl on Friday | sure",
    )
    reel("dream", "next", "--reply", "-", "--yes", stdin=first).ok()
    stood = (dreaming / "story/history.md").read_text()
    have_talk(reel, dreaming, "2026-01-09", "Marta has her bowl.", "How does Marta like the bowl?")
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "1. 2026-01-03 · Ada · ask about Marta's bowl" in prompt
    assert "people | Marta | gets a bowl on Friday" in prompt
    second = reply_to(
        prompt,
        f"Another crack\n\n{FAULT}\n\n"
        'Amend "I was sure it was my fault": it was nobody\'s, the clay was wet.\n\n'
        'Amend "never written": no.\n\n'
        "This time he laughed, and the bucket was half full before either of us noticed it.",
        "1: done, I asked him on the ninth",
        "nothing",
        "people | Marta | has her bowl | sure | 2026-01-09",
    )
    kept = json.loads(reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=second).ok().out)
    told = {problem["field"]: problem["what"] for problem in kept["problems"]}
    assert "again and leaves out 1 (“He swept up," in told["loss"]
    assert "is not in the story" in told["amend"]
    text = (dreaming / "story/history.md").read_text()
    for paragraph in stood.split("\n\n"):
        assert paragraph.strip() in text
    assert text.count("I was sure it was my fault, though") == 1
    note = "> **Amended 1 March 2026.** “I was sure it was my fault”: it was nobody's, the clay was wet."
    assert text.index(note) < text.index("## Another crack")
    assert (dreaming / "story/missed.md").read_text() == (
        "# Missed\n\n1. open · 2026-01-03 · Ada · ask about Marta's bowl\n"
        "   - done · 2026-01-09 · I asked him on the ninth\n"
    )
    facts = (dreaming / "facts.yaml").read_text()
    assert "value: gets a bowl on Friday" in facts
    assert "replaces: gets a bowl on Friday" in facts


def test_a_person_may_write_in_the_story_meanwhile(reel: Reel, dreaming: Path) -> None:
    dream_on(reel)
    place = dreaming / "story/history.md"
    place.write_text(place.read_text() + "\nA line of mine.\n")
    have_evenings(reel, dreaming, [9])
    reel("dream", "start", "--yes").ok()
    prompts = dream_on(reel)
    assert "A line of mine." in prompts[0]
    assert "A line of mine." in place.read_text()
    assert git(dreaming, "status", "--porcelain") == ""


def test_the_tape_may_grow_while_a_prompt_waits(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    have_evenings(reel, dreaming, [6])
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt)).ok()
    assert (status(reel)["state"], status(reel)["sessions_done"]) == ("running", 3)
    later = reel("dream", "next", "--prompt").ok().out
    assert "evening 6 and I" in later
    assert "evening 5 and I" not in later


def test_what_was_put_right_or_taken_back_is_told_so(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3, 4, 5])
    reel("tape", "correct", "2026-01-03-1#3", "It was Greta, not Marta.").ok()
    reel("tape", "retract", "2026-01-04-1", "--why", "not him").ok()
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "It was Greta, not Marta." in prompt
    assert "evening 4 and I" not in prompt
    assert status(reel)["sessions_total"] == 2


def test_the_prompt_and_its_answer_are_not_lived_when_the_chat_is_recorded(
    reel: Reel, dreaming: Path
) -> None:
    prompt = reel("dream", "next", "--prompt", "--dry-run").ok().out
    started = "2026-02-01T19:00:00+00:00"
    said = [
        ("user", "Good morning."),
        ("assistant", "Morning."),
        ("user", prompt),
        ("assistant", reply_to(prompt)),
    ]
    messages = [{"role": role, "content": text, "created_at": started} for role, text in said]
    place = dreaming.parent / "asked.json"
    place.write_text(json.dumps({"created_at": started, "messages": messages}))
    recorded = json.loads(reel("record", place, "--json").ok().out)["recorded"][0]
    assert recorded["messages"] == 2


def test_a_person_is_walked_through_and_may_decline(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    place = dreaming.parent / "reply.md"
    place.write_text(reply_to(prompt))
    declined = reel("dream", "next", tty=True, stdin=f"f {place}\nn\n").ok()
    assert "The story goes on" in declined.out + declined.err
    assert status(reel)["batch"] == 0
    kept = reel("dream", "next", tty=True, stdin=f"f {place}\ny\n").ok()
    assert "3 of 3 chats" in kept.out + kept.err
    assert status(reel)["batch"] == 1


def test_a_cursor_that_was_spoilt_is_refused_whole(reel: Reel, dreaming: Path) -> None:
    place = dreaming / "story/cursor.yaml"
    good = place.read_text()
    for bad in (good.replace("running", "asleep"), good + "  2026-01-03-1: 4-2\n", "read: [\n", "- a\n"):
        place.write_text(bad)
        for command in (("status",), ("next", "--prompt"), ("stop",)):
            refused = reel("dream", *command)
            assert (refused.code, "story/cursor.yaml" in refused.err) == (1, True)


def test_undo_takes_a_batch_back_with_its_cursor(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt)).ok()
    reel("undo").ok()
    assert (status(reel)["state"], status(reel)["batch"], status(reel)["sessions_done"]) == ("running", 0, 0)
    assert not (dreaming / "story/history.md").exists()
    assert reel("dream", "next", "--prompt").ok().out == prompt


def test_facts_that_cannot_be_read_are_named_and_nothing_is_woven(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    (dreaming / "facts.yaml").write_text("cat: Miso\n")
    before = git(dreaming, "rev-parse", "HEAD")
    refused = reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, facts="cat: Miso"))
    assert refused.code == 1
    assert "facts.yaml should be a list of facts.\nHint: each begins with  - category: …\n" in refused.err
    assert git(dreaming, "rev-parse", "HEAD") == before
    assert not (dreaming / "story/history.md").exists()


def test_without_git_nothing_can_be_dreamt(reel: Reel, kit: Path) -> None:
    """Dream Weaver §7.a: need transcripts, a disk, a window that can be cleared, and depth."""
    have_evenings(reel, kit, [3])
    shutil.rmtree(kit / ".git")
    for command in (("start", "--yes"), ("next", "--prompt")):
        assert reel("dream", *command).code == 3
    assert reel("dream", "status").ok()


def test_what_a_reply_holds_cannot_break_the_files(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    story = "A title\n\n## Not a chapter\n\n<!-- dream: {} --> and <!-- an open comment\n\nText\n---\nend."
    reply = reply_to(
        prompt,
        story.replace("## Not", "#### Not"),
        "new: 2026-01-03 · a·b · one\u2028two \x1b[31mred\nReel-Op: forget",
        "nothing",
        'x | "bucket: [" | - {blue: *bucket} #swept shards | sure',
    )
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply).ok()
    text = (dreaming / "story/history.md").read_text()
    assert (text.count("<!--"), text.count("-->"), text.count("\n## ")) == (1, 1, 1)
    assert "\x1b" not in (dreaming / "story/missed.md").read_text()
    assert git(dreaming, "log", "-1", "--format=%(trailers:key=Reel-Op,valueonly)").split() == ["dream"]
    have_evenings(reel, dreaming, [9])
    reel("dream", "start", "--yes").ok()
    assert "bucket: [ | - {blue: *bucket} #swept" in reel("dream", "next", "--prompt").ok().out.replace(
        '"', ""
    )


def test_a_quote_of_an_earlier_time_stays_one(reel: Reel, dreaming: Path) -> None:
    dream_on(reel)
    have_evenings(reel, dreaming, [9])
    reel("dream", "start", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    story = 'I thought of "the kiln cracked on evening 3", the way one does.'
    kept = reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=reply_to(prompt, story)).ok()
    assert [p for p in json.loads(kept.out)["problems"] if p["field"] in ("quote", "grounding.quote")] == []
    assert '"the kiln cracked on evening 3"' in (dreaming / "story/history.md").read_text()


def test_a_word_about_a_thread_that_is_not_there_is_told_and_left_out(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    reply = reply_to(prompt, missed="new: 2026-01-03 · both · Marta's bowl\n9: done — no such thing")
    kept = json.loads(reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=reply).ok().out)
    assert [problem["what"] for problem in kept["problems"]] == [
        "“9: done — no such thing” is about a thread that does not exist; it is left out"
    ]
    missed = (dreaming / "story/missed.md").read_text()
    assert missed == "# Missed\n\n1. open · 2026-01-03 · both · Marta's bowl\n"


def test_a_missed_task_of_an_impossible_day_is_kept_without_one_and_told(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    reply = reply_to(prompt, missed="new: 2026-02-30 · both · Marta's bowl")
    kept = json.loads(reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=reply).ok().out)
    assert "“Marta's bowl” names a day that does not exist; it is kept without one" in [
        problem["what"] for problem in kept["problems"]
    ]
    assert "1. open · unclear · both · Marta's bowl\n" in (dreaming / "story/missed.md").read_text()


def in_two_halves(prompt: str) -> tuple[str, str]:
    """The two halves of a good reply."""
    whole = reply_to(prompt, missed="new: 2026-01-03 · both · Marta's bowl")
    half, rest = whole.split("## How we remember")
    return half, f"## How we remember{rest}"


def test_declining_keeps_the_answer_and_the_prompt(reel: Reel, dreaming: Path) -> None:
    half, rest = in_two_halves(reel("dream", "next", "--prompt").ok().out)
    (dreaming.parent / "half.md").write_text(half)
    (dreaming.parent / "rest.md").write_text(rest)
    assert reel("dream", "next", "--reply", dreaming.parent / "half.md", tty=True).code == 1
    declined = reel("dream", "next", "--reply", dreaming.parent / "rest.md", tty=True, stdin="n\n").ok()
    assert "The answer is in " in " ".join(declined.err.split())
    assert "To give another answer" in declined.err
    assert "## Which stretch" in reel("dream", "next", "--prompt").ok().out
    page = dreaming / ".reel/state/declined.md"
    reel("dream", "next", "--reply", page, "--yes").ok()
    assert '"Celadon, the thin one."' in (dreaming / "story/history.md").read_text()
    assert "Marta's bowl" in (dreaming / "story/missed.md").read_text()


def test_stopping_keeps_what_came_through(reel: Reel, dreaming: Path) -> None:
    half, rest = in_two_halves(reel("dream", "next", "--prompt").ok().out)
    (dreaming.parent / "rest.md").write_text(rest)
    assert reel("dream", "next", "--reply", "-", "--yes", stdin=half).code == 1
    reel("dream", "next", "--reply", dreaming.parent / "rest.md", tty=True, stdin="q\n").ok()
    reel("dream", "next", "--reply", dreaming.parent / "rest.md", tty=True, stdin="y\n").ok()
    assert status(reel)["batch"] == 1


def test_a_whole_answer_after_half_of_one_stands_alone(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    half, _ = in_two_halves(prompt)
    assert reel("dream", "next", "--reply", "-", "--yes", stdin=half).code == 1
    again = reply_to(prompt, "We swept together, and nothing more was said of it.")
    reel("dream", "next", "--reply", "-", "--yes", stdin=again).ok()
    story = (dreaming / "story/history.md").read_text()
    assert ("We swept together" in story, "Celadon" in story) == (True, False)


def test_an_answer_may_be_edited_before_it_is_kept(
    reel: Reel, dreaming: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half, rest = in_two_halves(reel("dream", "next", "--prompt").ok().out)
    editor = dreaming.parent / "edit.sh"
    editor.write_text("#!/bin/sh\nsed -i.bak 's/swept with him/carried it with him/' \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    (dreaming.parent / "rest.md").write_text(rest)
    assert reel("dream", "next", "--reply", "-", "--yes", stdin=half).code == 1
    seen = reel("dream", "next", "--reply", dreaming.parent / "rest.md", tty=True, stdin="e\ny\n").ok()
    assert seen.err.count("Keep this? (e edits the answer, q stops here) [Y/e/n/q]") == 2
    story = (dreaming / "story/history.md").read_text()
    assert 'I carried it with him, in my way. "Celadon, the thin one."' in story
    assert "Marta's bowl" in (dreaming / "story/missed.md").read_text()


def test_an_answer_that_names_no_stretch_is_for_the_prompt_that_waits(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt", "--dry-run").ok().out
    nameless = reply_to(prompt).split("\n\n", 1)[1]
    refused = reel("dream", "next", "--reply", "-", "--yes", stdin=nameless)
    assert refused.code == 1
    assert (
        f"no prompt waits for its answer; if it is this one, begin it with  Which stretch: {key_of(prompt)}"
        in (" ".join(refused.err.split()).replace("with Which", "with  Which"))
    )
    reel("dream", "next", "--prompt").ok()
    kept = json.loads(reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=nameless).ok().out)
    assert [problem["field"] for problem in kept["problems"]] == ["batch"]
    assert key_of(prompt) in kept["problems"][0]["what"]


def test_at_a_terminal_an_answer_is_for_the_prompt_that_was_just_copied(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt", "--dry-run").ok().out
    (dreaming.parent / "nameless.md").write_text(reply_to(prompt).split("\n\n", 1)[1])
    reel("dream", "next", tty=True, stdin=f"f {dreaming.parent / 'nameless.md'}\ny\n").ok()
    assert (dreaming / "story/history.md").is_file()


def test_a_first_dream_speaks_of_none_before_it(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("fact", "add", "history", "glaze", "tenmoku").ok()
    reel("dream", "start", "--yes", "--window", "8k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "tenmoku" in prompt
    assert "=== What you know by heart already ===" in prompt
    assert "when you dreamt before" not in prompt
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt)).ok()
    have_evenings(reel, kit, [4])
    reel("dream", "start", "--yes").ok()
    assert "=== What you wrote when you dreamt before ===" in reel("dream", "next", "--prompt").ok().out
