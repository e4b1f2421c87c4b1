"""`reel keep`: a conversation that outgrows its window is summed up, kept, and goes on in a new chat."""

import json
import os
import re
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.private import state_folder
from reel_cli.core.pack import words
from reel_cli.terminal.open_kit import OpenKit
from tests.features.watch.test_watch import chat_file, follow
from tests.support.cli import Reel, git
from tests.support.sifted_chat import PATTERNS, SUMMARY, ask, have_chat, key_of, long_chat, sifted, turn

KEYS = ["commit", "text", "tokens", "summary", "patterns", "domain", "overlap"]


@pytest.fixture
def chat(kit: Path) -> Path:
    """The file of a chat of 40 messages."""
    return have_chat(kit, long_chat(40))


def keep(reel: Reel, reply: str, *more: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        reel("keep", "--reply", "-", "--yes", "--json", *more, stdin=reply).ok().out
    )
    return found


def head(kit: Path) -> str:
    return git(kit, "rev-parse", "HEAD").strip()


def test_from_the_chat_to_its_new_beginning(reel: Reel, kit: Path, chat: Path) -> None:
    """Memory Keep §I.3: bound the chat that goes on; summarise and clear it when it is full."""
    prompt = ask(reel, chat)
    assert git(kit, "log", "-1", "--format=%s") == "record: 2026-02-10-1, 40 messages\n"
    assert "You are Ada" in prompt
    assert all(turn(n) in prompt for n in range(1, 41))
    assert "What you wrote of what came before" not in prompt
    assert key_of(prompt) == "2026-02-10-1#1-40"
    found = keep(reel, sifted(key_of(prompt)))
    assert list(found)[:7] == KEYS
    assert found["commit"] == head(kit)
    assert (found["summary"], found["domain"], found["problems"], found["left"]) == (SUMMARY, [], [], [])
    assert found["patterns"] == [
        {
            "id": "M-001",
            "kind": "friction",
            "text": "The kiln keeps failing him",
            "shown": ["the kiln cracked again"],
        }
    ]
    text = found["text"]
    places = [
        text.index(part)
        for part in (words.WHO, words.VOICE, words.TRUST, words.REMEMBER, words.NOW, words.BEGAN, turn(1),
                     turn(8), words.SO_FAR, SUMMARY, words.OVERLAP, turn(39), turn(40), words.HERE)
    ]  # fmt: skip
    assert places == sorted(places)
    (overlap,) = found["overlap"]
    first = int(overlap["where"].partition("#")[2].partition("-")[0])
    assert overlap["where"] == f"2026-02-10-1#{first}-40"
    assert all((turn(n) in text) == (n >= first or n <= 8) for n in range(1, 41))
    assert [one["id"] for one in found["loaded"] if one["ring"] == "buffer"] == ["2026-02-10-1#1-8"]
    stream = [one for one in found["loaded"] if one["ring"] == "stream"]
    assert [one["id"] for one in stream] == ["summary", overlap["where"]]
    assert found["tokens"] == sum(one["tokens"] for one in found["loaded"])
    assert found["tokens"] <= found["cap"] - found["live"]


def test_it_is_one_commit_with_the_memory_and_the_stream(reel: Reel, kit: Path, chat: Path) -> None:
    """Memory Keep §II.5.c: store patterns as memories, and rows in the tables."""
    keep(reel, sifted(key_of(ask(reel, chat))))
    message = git(kit, "log", "-1", "--format=%B")
    assert message.startswith("keep: 2026-02-10-1, 40 messages, 1 pattern\n\nReel-Op: keep\n")
    for trailer in ("Reel-Session: 2026-02-10-1", "Reel-Memory: M-001 L3 ", "Reel-Ring0: "):
        assert f"\n{trailer}" in message
    assert git(kit, "show", "--name-only", "--format=").split() == [
        "ring3/M-001.md",
        "ring4/index.md",
        "stream.md",
        "tape/events.md",
    ]
    assert (kit / "stream.md").read_text() == (
        '---\nsession: 2026-02-10-1\nupto: 40\nat: "2026-03-01T20:00:00Z"\nkeeps: 1\n'
        f'whole: ["2026-02-10-1#1-40"]\nnoticed: [M-001]\n---\n\n## The conversation so far\n\n{SUMMARY}\n'
    )
    assert (
        '| "the kiln cracked again" | experience, relational | not immune'
        in (kit / "ring4/index.md").read_text()
    )
    assert git(kit, "status", "--porcelain") == ""
    reel("tape", "verify").ok()
    reel("undo").ok()
    assert not (kit / "stream.md").exists()


def test_the_new_chat_is_known_and_is_a_session_of_its_own(reel: Reel, kit: Path, chat: Path) -> None:
    begun = keep(reel, sifted(key_of(ask(reel, chat))))["text"]
    for first, beginning in ((41, {"opening": begun}), (51, {"system": begun})):
        more = have_chat(kit, long_chat(first + 3, first=first, day=first // 3, **beginning), "more.json")
        (row,) = json.loads(reel("record", more, "--json").ok().out)["recorded"]
        assert (row["state"], row["messages"]) == ("new", 4)
        tape = (kit / "tape" / "2026" / f"{row['session']}.md").read_text()
        assert tape.count('"kind": "bundle"') == 1
        # what went along word for word stands there within the bundle, and was not said again
        assert [tape.count(turn(n)) for n in (40, first, first + 3)] == [1, 1, 1]
        bundle = tape.index('"kind": "bundle"')
        assert bundle < tape.index(turn(40)) < tape.index('"kind": "said"') < tape.index(turn(first))


def test_the_next_keep_goes_on_from_the_summary_and_takes_its_place(
    reel: Reel, kit: Path, chat: Path
) -> None:
    begun = keep(reel, sifted(key_of(ask(reel, chat))), "--pin", "Short answers.")
    more = have_chat(kit, long_chat(60, first=41, opening=begun["text"], day=11), "more.json")
    prompt = ask(reel, more)
    assert prompt.count(SUMMARY) == 1
    assert "What you wrote of what came before" in prompt
    assert turn(40) not in prompt
    assert key_of(prompt) == "2026-02-11-1#1-20"
    later = "The kiln cracked all spring; we are at bucket sixty."
    found = keep(reel, sifted(key_of(prompt), later, 'habit | He counts | "into bucket 41"'))
    assert (found["text"].count(later), found["text"].count(SUMMARY)) == (1, 0)
    assert found["pinned"] == ["Short answers."]
    state = (kit / "stream.md").read_text()
    assert 'whole: ["2026-02-10-1#1-40", "2026-02-11-1#1-20"]' in state
    assert "keeps: 2" in state
    assert SUMMARY not in state
    assert [one["id"] for one in found["patterns"]] == ["M-002"]


def test_the_summary_is_injected_once_and_a_plain_bundle_has_none(reel: Reel, kit: Path, chat: Path) -> None:
    """Memory Keep §II.5.e: go on from the summary, with overlap if wanted."""
    found = keep(reel, sifted(key_of(ask(reel, chat))))
    packed = json.loads(reel("pack", "--json").ok().out)
    assert SUMMARY not in packed["text"]
    assert not [one for one in packed["loaded"] if one["ring"] == "stream"]
    before = head(kit)
    again = json.loads(reel("keep", "--resume", "--json").ok().out)
    assert (again["text"], again["commit"], head(kit)) == (found["text"], None, before)
    assert reel("keep", "--resume").ok().out == found["text"]


def test_every_keep_says_which_facts_stand_in_its_beginning(reel: Reel, kit: Path, chat: Path) -> None:
    nothing: dict[str, Any] = {"value": None, "retrieved": 0, "declared": 0, "missing": [], "problem": None}
    found = keep(reel, sifted(key_of(ask(reel, chat))))
    assert found["anchor_recall_integrity"] == nothing
    assert "fact" not in reel("keep", "--resume").ok().err
    reel("fact", "add", "identity", "name", "Bo Lind").ok()
    again = json.loads(reel("keep", "--resume", "--json").ok().out)
    assert again["anchor_recall_integrity"] == {**nothing, "value": 1.0, "retrieved": 1, "declared": 1}
    assert "The one fact is in it.\n" in reel("keep", "--resume").ok().err
    # what a dream noted goes in as far as there is room, and that is said where there is none
    dreamt = f"- category: history\n  key: kiln\n  value: {'it cracked ' * 80}\n  confidence: high\n"
    (kit / "facts.yaml").write_text((kit / "facts.yaml").read_text() + dreamt)
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "facts: {share: 1%}\n")
    prompt = ask(reel, have_chat(kit, long_chat(50)))
    run = reel("keep", "--reply", "-", "--yes", stdin=sifted(key_of(prompt))).ok()
    assert "Not all facts are in it: 1 of 2 (50 %). Missing: history/kiln.\n" in run.err
    assert "reel fact list" in run.err
    again = json.loads(reel("keep", "--resume", "--json").ok().out)
    assert again["anchor_recall_integrity"]["missing"] == ["history/kiln"]


def test_what_it_noticed_stands_for_no_session(reel: Reel, kit: Path, chat: Path) -> None:
    reel("record", chat).ok()
    due = json.loads(reel("status", "--json").ok().out)["due"]
    keep(reel, sifted(key_of(ask(reel))))
    assert json.loads(reel("status", "--json").ok().out)["due"] == due
    assert [one["what"] for one in due] == ["checkpoint"]
    assert (
        "#1-40" in reel("consolidate", "--prompt").ok().out
        or "Evening 1:" in reel("consolidate", "--prompt").out
    )
    shown = reel("recall", "the kiln cracked again").ok().out
    assert turn(1) in shown


# -- replies that will not do ----------------------------------------------------------------------


def test_without_a_summary_it_is_refused_and_the_rest_asked_for(reel: Reel, kit: Path, chat: Path) -> None:
    """Memory Keep §II.5.b: make a summary and patterns."""
    key = key_of(ask(reel, chat))
    before = head(kit)
    found = reel("keep", "--reply", "-", "--yes", "--json", stdin=sifted(key, None))
    assert (found.code, head(kit)) == (1, before)
    assert "Error: It has no summary, so nothing can be kept.\n" in found.err
    told = json.loads(found.out)
    assert {"field": "summary", "what": "“The conversation so far” is missing."} in told["problems"]
    assert "## The conversation so far" in told["repair"]
    assert "## What shows over time" not in told["repair"]
    assert ask(reel) == told["repair"]
    whole = keep(reel, sifted(key, SUMMARY, None))
    assert (whole["summary"], len(whole["patterns"])) == (SUMMARY, 1)


@pytest.mark.parametrize("said", ["nothing", "Nothing.", ""])
def test_a_summary_that_says_nothing_is_none(reel: Reel, kit: Path, chat: Path, said: str) -> None:
    key = key_of(ask(reel, chat))
    found = reel("keep", "--reply", "-", "--yes", stdin=sifted(key, said))
    assert (found.code, "no summary" in found.err, (kit / "stream.md").exists()) == (1, True, False)


def test_a_summary_of_which_nothing_is_borne_is_refused_with_the_reason(
    reel: Reel, kit: Path, chat: Path
) -> None:
    """Memory Keep §II.5: what a keep leaves out has its reason, also where nobody reads it before."""
    key = key_of(ask(reel, chat))
    reply = sifted(key, "I thought of Margaret and her boats in Helsinki.")
    found = reel("keep", "--reply", "-", "--yes", stdin=reply)
    assert (found.code, (kit / "stream.md").exists()) == (1, False)
    told = 'Nothing of its summary is left that can be kept: "Margaret" is a name that was not said.'
    assert told in found.err
    assert "no summary" not in found.err


def test_half_a_reply_keeps_what_came_through(reel: Reel, kit: Path, chat: Path) -> None:
    key = key_of(ask(reel, chat))
    found = reel("keep", "--reply", "-", "--yes", stdin=sifted(key, SUMMARY, None))
    assert "What shows over time did not come through; the summary did." in found.err
    assert not (kit / "stream.md").exists()
    repair = ask(reel)
    assert "## The conversation so far" not in repair
    page = "## In a few words\nThe kiln\n\n## What happened\nAnother evening.\n\nAda\n"
    assert "another prompt" in reel("keep", "--reply", "-", "--yes", stdin=page).err
    whole = keep(reel, f"## What shows over time\n{PATTERNS}\n\nAda\n")
    assert (whole["summary"], len(whole["patterns"])) == (SUMMARY, 1)


def test_headings_within_a_summary_are_its_own(reel: Reel, chat: Path) -> None:
    ask(reel, chat)
    page = sifted("", f"{SUMMARY}\n\n### What's unresolved\n\nBucket forty.")
    assert "Bucket forty." in keep(reel, page)["summary"]


def test_a_summary_longer_than_its_room_is_asked_for_again(reel: Reel, kit: Path, chat: Path) -> None:
    key = key_of(ask(reel, chat))
    found = reel("keep", "--reply", "-", "--yes", "--json", stdin=sifted(key, f"{SUMMARY} " * 90))
    assert "The summary is longer than there is room for." in found.err
    assert "fewer words" in json.loads(found.out)["repair"]
    assert not (kit / "stream.md").exists()
    assert keep(reel, sifted(key))["summary"] == SUMMARY


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "is empty."),
        ("I would rather talk about the weather.", "None of it could be read."),
        (sifted("2026-02-10-1#1-12"), "That is about 2026-02-10-1#1-12; this asks about"),
        (sifted("2026-02-09-1#1-40"), "That is about 2026-02-09-1#1-40; this asks about"),
        ("## In a few words\nThe kiln\n\n## What happened\nIt cracked.\n", "That answers another prompt: "),
        ("## How I was\nDry.\n\n## My notes\nnothing\n\nAda\n", "That answers another prompt: "),
        (
            "**The story goes on**\nIt cracked.\n\n## What I notice\nnothing\n",
            "That answers another prompt: ",
        ),
    ],
)
def test_what_is_no_answer_is_refused(reel: Reel, kit: Path, chat: Path, reply: str, why: str) -> None:
    key = key_of(ask(reel, chat))
    found = reel("keep", "--reply", "-", "--yes", stdin=reply)
    assert (found.code, why in found.err, (kit / "stream.md").exists()) == (1, True, False)
    assert keep(reel, sifted(key))["summary"] == SUMMARY


def test_the_prompt_pasted_back_is_no_answer(reel: Reel, chat: Path) -> None:
    found = reel("keep", "--reply", "-", "--yes", stdin=ask(reel, chat))
    assert "That is the prompt itself, not the answer to it." in found.err


def test_a_pattern_that_nothing_said_shows_is_left_out_and_named(reel: Reel, chat: Path) -> None:
    """Memory Keep §I.f: look for what shows over time when the chat is kept, not for single facts again."""
    key = key_of(ask(reel, chat))
    patterns = (
        '- mood | He grew lighter | "I am so much lighter now, truly"\n'
        "- progress | Nothing is done yet\n"
        '1. **Habit:** He counts buckets ("swept the shards into bucket 7")\n'
        '- Friction: near enough | "the kiln has cracked again"\n'
    )
    found = keep(reel, sifted(key, SUMMARY, patterns))
    assert [(one["kind"], one["text"], one["shown"]) for one in found["patterns"]] == [
        ("habit", "He counts buckets", ["swept the shards into bucket 7"]),
        ("friction", "near enough", ["the kiln cracked again"]),
    ]
    assert [problem["what"] for problem in found["problems"]] == [
        "nothing that was said shows “He grew lighter”; left out",
        "nothing that was said shows “Nothing is done yet”; left out",
    ]


@pytest.mark.parametrize(("window", "most"), [("8k", 3), ("16k", 6)])
def test_no_more_than_were_asked_for_and_none_twice(
    reel: Reel, kit: Path, chat: Path, window: str, most: int
) -> None:
    """Memory Keep §II.3.2: work on the whole stream when it is kept, without repeating the intake."""
    settings = (kit / "kit.yaml").read_text()
    (kit / "kit.yaml").write_text(re.sub(r"(?m)^window: .*$", f"window: {window}", settings))
    prompt = ask(reel, chat)
    assert f"At most {'three' if most == 3 else 'six'}, one a line" in prompt
    key = key_of(prompt)
    many = "".join(f'- habit | Number {n} | "into bucket {n}"\n' for n in (1, 3, 5, 7, 9, 11, 13, 1))
    found = keep(reel, sifted(key, SUMMARY, many))
    assert len(found["patterns"]) == most
    assert len(found["problems"]) == 8 - most
    have_chat(kit, long_chat(44))
    again = keep(reel, sifted(key_of(ask(reel, chat)), SUMMARY, 'habit | Number 1 | "into bucket 41"'))
    assert again["patterns"] == []
    assert "is remembered already" in again["problems"][0]["what"]
    # a small window's new beginning has what the last keep noticed, for the first time or again, and says
    # that there is more; what only came before is found when it comes up
    noticed = [f"M-00{n}" for n in range(1, most + 1)]
    assert "noticed: [M-001]\n" in (kit / "stream.md").read_text()
    # by a title alone, none of them is told as a whole
    assert (words.REMEMBER_ALL in again["text"], words.REMEMBER_MORE in again["text"]) == (False, most == 3)
    loaded = [one["id"] for one in again["loaded"] if one["ring"] == "3"]
    set_aside = [one["id"] for one in again["left_out"] if one["ring"] == "3"]
    assert (sorted(loaded), sorted(set_aside)) == ((noticed[:1], noticed[1:]) if most == 3 else (noticed, []))


def test_nothing_shows_over_time(reel: Reel, kit: Path, chat: Path) -> None:
    found = keep(reel, sifted(key_of(ask(reel, chat)), SUMMARY, "nothing"))
    assert (found["patterns"], (kit / "ring3").exists()) == ([], False)


# -- another time, another chat --------------------------------------------------------------------


def test_twice_with_nothing_said_between(reel: Reel, chat: Path) -> None:
    prompt = ask(reel, chat)
    keep(reel, sifted(key_of(prompt)))
    for again in (("--prompt",), ("--reply", "-", "--yes")):
        found = reel("keep", *again, stdin=sifted(key_of(prompt)))
        assert (found.code, found.err) == (
            1,
            (
                "Error: Nothing was said since the conversation was summed up.\n"
                "Hint: to get its beginning again:  reel keep --resume\n"
            ),
        )


def test_a_prompt_that_waits_while_it_is_kept_elsewhere(reel: Reel, kit: Path, chat: Path) -> None:
    key = key_of(ask(reel, chat))
    waiting = kit / ".reel/state/exchanges/keep.json"
    old = waiting.read_bytes()
    keep(reel, sifted(key))
    waiting.write_bytes(old)
    before = head(kit)
    found = reel("keep", "--reply", "-", "--yes", stdin=sifted(key))
    assert (found.code, head(kit)) == (3, before)
    assert "The conversation was summed up again after this prompt" in found.err


def test_what_was_said_since_the_prompt_goes_along_word_for_word(reel: Reel, kit: Path, chat: Path) -> None:
    key = key_of(ask(reel, chat))
    have_chat(kit, long_chat(44))
    reel("record", chat).ok()
    found = keep(reel, sifted(key))
    assert all(turn(n) in found["text"] for n in range(41, 45))
    assert (found["upto"], found["left"]) == (40, [])
    assert key_of(ask(reel)) == "2026-02-10-1#41-44"
    # where it goes on in a new chat, what is in no summary comes to the next one from the chat before
    more = have_chat(kit, long_chat(50, first=45, opening=found["text"], day=11), "more.json")
    prompt = ask(reel, more)
    assert all((turn(n) in prompt) == (n > 40) for n in range(1, 51))
    assert key_of(prompt) == "2026-02-11-1#1-6"
    patterns = 'habit | He counts | "into bucket 43" | "into bucket 45"'
    later = keep(reel, sifted(key_of(prompt), "All of it.", patterns))
    assert later["patterns"][0]["shown"] == ["into bucket 43", "into bucket 45"]
    assert 'whole: ["2026-02-10-1#1-44", "2026-02-11-1#1-6"]' in (kit / "stream.md").read_text()
    memory = (kit / "ring3/M-002.md").read_text()
    assert 'source: ["2026-02-10-1#43-43", "2026-02-11-1#1-1"]' in memory
    reel("tape", "verify").ok()


def test_where_too_much_was_said_since_it_is_kept_before_it_goes_on(
    reel: Reel, kit: Path, chat: Path
) -> None:
    key = key_of(ask(reel, chat))
    have_chat(kit, long_chat(240))
    reel("record", chat).ok()
    run = reel("keep", "--reply", "-", "--yes", "--json", stdin=sifted(key)).ok()
    found = json.loads(run.out)
    assert (found["text"], found["tokens"], len(found["left"])) == ("", 0, 1)
    assert found["left"][0].startswith("2026-02-10-1#41-")
    assert run.err.endswith("Next:  reel keep\n")
    rest = keep(reel, sifted(key_of(ask(reel)), "All of it, and more."))
    assert (rest["left"], rest["upto"], "All of it, and more." in rest["text"]) == ([], 240, True)


def test_what_does_not_fit_into_one_prompt_is_kept_in_more(reel: Reel, kit: Path) -> None:
    prompt = ask(reel, have_chat(kit, long_chat(500)))
    first = key_of(prompt)
    last = int(first.rpartition("-")[2])
    assert 40 < last < 500
    found = keep(reel, sifted(first))
    assert (found["text"], found["upto"]) == ("", last)
    assert key_of(ask(reel)).startswith(f"2026-02-10-1#{last + 1}-")


def test_another_chat_goes_on_from_nothing(reel: Reel, kit: Path, chat: Path) -> None:
    keep(reel, sifted(key_of(ask(reel, chat))), "--pin", "Short answers.")
    other = have_chat(kit, long_chat(90, first=71, title="boat", day=12), "boat.json")
    prompt = ask(reel, other)
    assert SUMMARY not in prompt
    run = reel("keep", "--reply", "-", "--yes", stdin=sifted(key_of(prompt), "About a boat.", "nothing"))
    assert "No longer pinned, because it was for another conversation: Short answers.\n" in run.ok().err
    assert "keeps: 1" in (kit / "stream.md").read_text()
    assert "Short answers." not in run.out


def test_pinned_until_it_is_let_go(reel: Reel, kit: Path, chat: Path) -> None:
    ask(reel, chat)
    found = keep(reel, sifted(), "--pin", "Two thousand\nwords.", "--pin", "No adverbs.", "--pin", " ")
    assert found["pinned"] == ["Two thousand words.", "No adverbs."]
    at = found["text"].index(words.PINNED)
    assert found["text"].index(words.OVERLAP) < at < found["text"].index("- No adverbs.\n")
    have_chat(kit, long_chat(44))
    assert keep(reel, sifted(key_of(ask(reel, chat, "--unpin", "--pin", "Only this."))))["pinned"] == [
        "Only this."
    ]


def test_what_was_pinned_with_one_prompt_holds_for_the_next(reel: Reel, kit: Path, chat: Path) -> None:
    ask(reel, chat, "--pin", "No adverbs.")
    assert reel("keep", "--reply", "-", "--yes", stdin="I would rather not.").code == 1
    key = key_of(ask(reel, chat, "--pin", "Short."))
    assert keep(reel, sifted(key))["pinned"] == ["No adverbs.", "Short."]
    for more in (("--pin", "Long."), ("--unpin",)):
        found = reel("keep", *more, "--prompt")
        assert (found.code, "change it there, then  reel keep --resume" in found.err) == (1, True)
    stream = kit / "stream.md"
    stream.write_text(stream.read_text().replace("- Short.\n", "- Long.\n"))
    resumed = json.loads(reel("keep", "--resume", "--json").ok().out)
    assert "- No adverbs.\n- Long.\n" in resumed["text"]


@pytest.mark.parametrize(("overlap", "least"), [(0, 41), (100, 39), (2000, 3)])
def test_how_much_goes_along_is_said_in_tokens(reel: Reel, chat: Path, overlap: int, least: int) -> None:
    ask(reel, chat)
    found = keep(reel, sifted(), "--overlap", str(overlap))
    first = int(found["overlap"][0]["where"].partition("#")[2].partition("-")[0]) if found["overlap"] else 41
    assert abs(first - least) <= 3
    assert sum(one["tokens"] for one in found["overlap"]) <= overlap
    again = json.loads(reel("keep", "--resume", "--json").ok().out)
    assert again["overlap"] == found["overlap"]


def test_a_message_larger_than_the_window(reel: Reel, kit: Path) -> None:
    chat = json.loads(long_chat(40))
    chat["messages"][38]["content"] = "shard " * 9000
    prompt = ask(reel, have_chat(kit, json.dumps(chat)))
    found = keep(reel, sifted(key_of(prompt)))
    assert found["upto"] == 38
    prompt = ask(reel)
    assert "words left out here" in prompt
    found = keep(reel, sifted(key_of(prompt), SUMMARY, "nothing"))
    assert (found["upto"], found["left"]) == (39, []) or found["upto"] == 40
    assert found["tokens"] <= found["cap"] - found["live"]


def test_a_message_edited_since_it_was_kept_is_new(reel: Reel, kit: Path, chat: Path) -> None:
    keep(reel, sifted(key_of(ask(reel, chat))))
    edited = json.loads(long_chat(40))
    edited["messages"][20]["content"] = "No: it was the bowl that cracked."
    prompt = ask(reel, have_chat(kit, json.dumps(edited)))
    assert "No: it was the bowl that cracked." in prompt
    assert turn(1) not in prompt


def test_the_chat_that_is_followed_is_put_on_the_tape_first(reel: Reel, kit: Path, chat: Path) -> None:
    """Memory Keep §II.5.a: capture the chat as it is."""
    folder = kit / ".reel/state"
    state_folder(kit)
    note = {"path": str(chat), "title": "kiln", "when": "2026-03-01T19:00:00Z", "full": [1, 1, 1, 8192, 8500]}
    (folder / "stream.json").write_text(json.dumps(note))
    assert key_of(ask(reel)) == "2026-02-10-1#1-40"
    have_chat(kit, long_chat(44))
    found = keep(reel, sifted())
    assert turn(44) in found["text"]
    chat.write_text("{")
    assert "could not be recorded just now" in reel("keep", "--prompt").err


# -- before or after, never between ----------------------------------------------------------------


def test_stopped_between_snapshot_and_flush_it_is_as_before(
    reel: Reel, kit: Path, chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory Keep §II.5: of the five steps none is lost where one stops."""
    key = key_of(ask(reel, chat))
    before = head(kit)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(OpenKit, "commit_all", stop)
        assert reel("keep", "--reply", "-", "--yes", stdin=sifted(key)).code == 130
    assert (head(kit), (kit / "stream.md").exists(), git(kit, "status", "--porcelain")) == (before, False, "")
    assert keep(reel, sifted(key))["summary"] == SUMMARY


def test_a_file_that_somebody_wrote_meanwhile_stays(reel: Reel, kit: Path, chat: Path) -> None:
    key = key_of(ask(reel, chat))
    before = head(kit)
    (kit / "stream.md").write_text("my own notes\n")
    found = reel("keep", "--reply", "-", "--yes", stdin=sifted(key))
    assert (found.code, head(kit)) == (3, before)
    assert (kit / "stream.md").read_text() == "my own notes\n"


def test_a_dry_run_and_nobody_there_change_nothing(reel: Reel, kit: Path, chat: Path) -> None:
    key = key_of(ask(reel, chat))
    before = head(kit)
    shown = reel("keep", "--reply", "-", "--dry-run", stdin=sifted(key)).ok()
    assert "Nothing was changed (--dry-run)." in shown.err
    assert SUMMARY in shown.err
    found = reel("keep", "--reply", "-", stdin=sifted(key))
    assert (found.code, "without a terminal" in found.err) == (1, True)
    assert (head(kit), (kit / "stream.md").exists()) == (before, False)


def test_at_a_terminal_a_no_flushes_nothing(reel: Reel, kit: Path, chat: Path) -> None:
    """Memory Keep §II.5.d: empty the stream."""
    key = key_of(ask(reel, chat))
    reply = have_chat(kit, sifted(key), "reply.md")
    said = reel("keep", "--reply", reply, tty=True, stdin="n\n").ok()
    assert "Nothing was changed." in said.err
    assert not (kit / "stream.md").exists()
    said = reel("keep", tty=True, stdin=f"f {reply}\ny\n").ok()
    assert "Kept, in commit" in said.err
    assert "Paste it at the beginning of a new chat" in said.err
    assert (kit / "stream.md").exists()


def test_a_kit_without_history(reel: Reel, kit: Path, chat: Path) -> None:
    (kit / ".git").rename(kit.parent / "git")
    found = reel("keep", chat, "--prompt")
    assert (found.code, "has no history (git) yet" in found.err) == (3, True)


@pytest.mark.skipif(os.geteuid() == 0, reason="the owner of everything may write everywhere")
def test_a_folder_that_cannot_be_written(reel: Reel, kit: Path, chat: Path) -> None:
    key = key_of(ask(reel, chat))
    kit.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert reel("keep", "--reply", "-", "--yes", stdin=sifted(key)).code == 3
    finally:
        kit.chmod(stat.S_IRWXU)


@pytest.mark.parametrize("more", [["--prompt"], ["--pin", "x"], ["--reply", "-"]])
def test_resuming_asks_for_nothing_else(reel: Reel, kit: Path, more: list[str]) -> None:
    assert reel("keep", "--resume", *more).code == 2
    assert "Nothing was summed up yet." in reel("keep", "--resume").err
    assert "Nothing is recorded yet." in reel("keep", "--prompt").err


# -- two machines, the doctor, what a person changed -------------------------------------------------


def test_of_two_machines_the_later_keep_has_its_way(reel: Reel, kit: Path, chat: Path) -> None:
    reel("record", chat).ok()
    laptop = kit.parent / "laptop"
    git(kit.parent, "clone", "-q", str(kit), str(laptop))
    laptop.chmod(0o700)
    for place, hour, word in ((kit, "21", "desk"), (laptop, "20", "laptop")):
        at = {"REEL_NOW": f"2026-03-01T{hour}:30:00+00:00"}
        reply = sifted(summary=f"We are at the {word}.")
        reel("keep", "--reply", "-", "--yes", cwd=place, env=at, stdin=reply).ok()
    git(kit, "remote", "add", "laptop", str(laptop))
    git(kit, "fetch", "-q", "laptop")
    subprocess.run(["git", "-C", kit, "merge", "-q", "laptop/main"], check=False, capture_output=True)
    joined = reel("doctor", "--fix").ok()
    assert "A conversation was kept on both machines: stream.md is as this machine had it" in joined.err
    assert "We are at the desk." in reel("keep", "--resume").ok().out


def test_what_a_person_writes_in_the_file_is_what_it_goes_on_from(reel: Reel, kit: Path, chat: Path) -> None:
    keep(reel, sifted(key_of(ask(reel, chat))))
    place = kit / "stream.md"
    place.write_text(
        place.read_text().replace("the buckets", "every bucket").replace("keeps:", "mine: x\nkeeps:")
    )
    assert "I kept count of every bucket." in reel("keep", "--resume").ok().out
    have_chat(kit, long_chat(44))
    found = keep(reel, sifted(key_of(ask(reel, chat)), "More."))
    assert "every bucket" in git(kit, "show", "HEAD~1:stream.md")
    assert (found["summary"], "mine: x\n" in place.read_text()) == ("More.", True)


def test_a_file_that_cannot_be_read_is_told_of(reel: Reel, kit: Path, chat: Path) -> None:
    keep(reel, sifted(key_of(ask(reel, chat))))
    (kit / "stream.md").write_text("no front matter\n")
    for command in (("keep", "--prompt"), ("keep", "--resume")):
        found = reel(*command)
        assert (found.code, found.err) == (
            1,
            (
                "Error: stream.md cannot be read: it does not say which messages its summary stands for.\n"
                "Hint: take the file back from history:  reel restore stream.md\n"
            ),
        )
    assert "stream.md cannot be read" in reel("doctor").out


def test_its_session_taken_back(reel: Reel, kit: Path, chat: Path) -> None:
    keep(reel, sifted(key_of(ask(reel, chat))))
    reel("tape", "retract", "2026-02-10-1").ok()
    found = reel("keep", "--resume")
    assert (found.code, "is no longer recorded" in found.err) == (3, True)


def test_what_is_wanted_may_be_said_with_the_reply(reel: Reel, chat: Path) -> None:
    ask(reel, chat, "--pin", "One.", "--overlap", "100")
    found = keep(reel, sifted(), "--pin", "Two.")
    assert (found["pinned"], found["overlap"][0]["tokens"] <= 100) == (["One.", "Two."], True)


def test_what_it_noticed_enters_a_bundle_only_as_a_listed_part(reel: Reel, kit: Path) -> None:
    """The context contract: a sentence of it stands in a bundle where the account lists it, and else not."""
    last = 40
    for number in range(6):
        chat = have_chat(kit, long_chat(last))
        noticed = "".join(
            f'habit | Noticed {number}.{n}: {"he counts and counts, " * 6}| "{turn(last - 2 * n - 1)[:30]}"\n'
            for n in range(6)
        )
        keep(reel, sifted(key_of(ask(reel, chat)), f"Summary {number}.", noticed))
        last += 20
    for window in ("5k", "8k", "16k", "64k"):
        packed = json.loads(reel("pack", "--window", window, "--json").ok().out)
        listed = {one["id"] for one in packed["loaded"] if one["ring"] in ("3", "4")}
        for path in (kit / "ring3").glob("*.md"):
            sentence = next(line for line in path.read_text().splitlines() if line.startswith("Noticed"))
            assert (sentence[:12] in packed["text"]) == (path.stem in listed)
        assert "Summary" not in packed["text"]
        assert packed["tokens"] <= packed["cap"] - packed["live"]


def test_a_text_file_that_is_pasted_into_turn_by_turn_is_followed(reel: Reel, kit: Path) -> None:
    place = have_chat(kit, "You: Is the ice thick?\n\nAda: Thick enough for a hare.\n", "evening.md")
    evening = follow(kit, place)
    with place.open("a") as file:
        file.write("\nYou: And for us?\n\nAda: Ask the hare.\n")
    evening.quiet()
    shown = evening.err.getvalue().splitlines()
    assert [line.rpartition("(")[2] for line in shown if " % full, " in line] == [
        "bundle 1,122, 2 messages 12)",
        "bundle 1,122, 4 messages 20)",
    ]
    assert evening.lines() == ["20:00  “Is the ice thick?”: 4 messages, recorded as 2026-03-01-1"]
    assert key_of(ask(reel)) == "2026-03-01-1#1-4"


def test_the_chat_cut_short_replaced_and_edited_in_the_middle_of_the_stream(reel: Reel, kit: Path) -> None:
    said = [turn(n) for n in range(1, 31)]
    place = have_chat(kit, chat_file(*said), "1700000000000.conversation.json")
    key = key_of(ask(reel, place))
    assert key == "2023-11-14-1#1-30"
    keep(reel, sifted(key, patterns="nothing"))
    # cut short: nothing is new, and the new beginning goes on from what stands there now
    have_chat(kit, chat_file(*said[:20]), place.name)
    assert "Nothing was said since" in reel("keep", place, "--prompt").err
    begun = reel("keep", "--resume").ok().out
    assert (turn(20) in begun, turn(21) in begun, SUMMARY in begun) == (True, False, True)
    # gone on from there: only what is new is asked about
    have_chat(kit, chat_file(*said[:20], "Another kiln, then.", "Which one?"), place.name)
    prompt = ask(reel, place)
    assert (key_of(prompt), turn(20) in prompt) == ("2023-11-14-1#31-32", False)
    # edited between prompt and reply: the reply is kept, and what is new goes along word for word
    have_chat(kit, chat_file(*said[:10], "It was the bowl."), place.name)
    reel("record", place).ok()
    found = keep(reel, sifted(key_of(prompt), "All of it.", "nothing"))
    assert ("It was the bowl." in found["text"], turn(11) in found["text"], found["left"]) == (
        True,
        False,
        [],
    )
    # another chat in its place
    have_chat(kit, chat_file("Is the ice thick?", "For a hare."), "1700000000001.conversation.json")
    place.write_text("{")
    assert "stops in the middle" in reel("keep", place, "--prompt").err
    prompt = ask(reel, place.with_name("1700000000001.conversation.json"))
    assert ("All of it." in prompt, key_of(prompt)) == (False, "2023-11-14-2#1-2")
    reel("tape", "verify").ok()


def test_a_summary_and_patterns_are_held_against_the_tape(reel: Reel, kit: Path, chat: Path) -> None:
    said = '"Keep bucket 2", I said, "and tell me which glaze it was." Jonathan came from Helsinki.'
    summary = f'We spoke of the kiln. He said "I will burn the studio down tonight", and swept. {said}'
    patterns = (
        '- friction | The kiln keeps failing him, "my oldest enemy on earth" as he says, and he sweeps'
        ' | "the kiln cracked again"'
    )
    found = keep(reel, sifted(key_of(ask(reel, chat)), summary, patterns))
    # with --yes nobody reads the doubt about the name, so its sentence is not kept
    said = said.removesuffix(" Jonathan came from Helsinki.")
    assert found["summary"] == f"We spoke of the kiln. He said […], and swept. {said}"
    assert [one["text"] for one in found["patterns"]] == [
        "The kiln keeps failing him, […] as he says, and he sweeps"
    ]
    told = " ".join(one["what"] for one in found["problems"])
    assert "“I will burn the studio down tonight” was never said like that; it is left out" in told
    assert "“my oldest enemy on earth” was never said like that; it is left out" in told
    assert '"Jonathan" is a name that was not said' in told
    assert "burn the studio" not in (kit / "stream.md").read_text()
