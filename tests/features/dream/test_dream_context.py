"""`reel dream context`: how things are now, asked for, held against the tape, kept in one commit."""

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.dreaming_persona import NOW, dream_on, have_evenings, have_talk, now, reply_to
from tests.support.pages import page

FILE = "SHARED-CONTEXT.md"
BODY = """\
# Shared context

## Where things stand
He swept the kiln, and we wait for a bowl.

## The last 48 hours
- 3 January: the kiln cracked
- 3 January: "I promised Marta a bowl of it by Friday."

## How the person is
Tired, and careful with the shards.

## What is broken or blocked
- The kiln has a crack.

## What comes next
- A bowl for Marta by Friday.
"""


def widen(kit: Path) -> None:
    """Pack for a window whose prompt has room for every part of the page; at 8K they take turns."""
    settings = (kit / "kit.yaml").read_text()
    (kit / "kit.yaml").write_text(re.sub(r"(?m)^window: .*$", "window: 16k", settings))
    git(kit, "commit", "-qam", "kit: a larger window")


def body_of(kit: Path) -> str:
    """The file without its first line."""
    return (kit / FILE).read_text().partition("\n")[2]


def parts_in(prompt: str) -> list[str]:
    """Return the headings of the shared context that a page's prompt asks under, which stand together."""
    asked = re.findall(r"(?m)^## (.*)$", prompt)
    places = [place for place, one in enumerate(asked) if one in NOW]
    assert places == list(range(places[0], places[-1] + 1)) if places else True
    return [asked[place] for place in places]


def told(reel: Reel) -> str:
    """Return what the status says of the file."""
    return str(json.loads(reel("dream", "status", "--json").ok().out)["context"])


def test_from_the_tape_alone(reel: Reel, kit: Path) -> None:
    assert "Nothing is recorded yet" in reel("dream", "context").err
    have_evenings(reel, kit, [3])
    assert told(reel) == "none"
    prompt = reel("dream", "context", "--prompt").ok().out
    assert "You are Ada" in prompt
    assert "evening 3 and I swept" in prompt
    assert "Active threads:\n" in prompt
    assert "Copy this: 2026-01-03-1#4\n## Where things stand\n" in prompt
    kept = json.loads(
        reel("dream", "context", "--reply", "-", "--yes", "--json", stdin=now(place="2026-01-03-1#4"))
        .ok()
        .out
    )
    assert (kept["kept"][0]["known"], kept["kept"][0]["lines"], kept["problems"]) == (
        "2026-01-03-1#4",
        18,
        [],
    )
    assert (kit / FILE).read_text() == (
        '<!-- context: {"known": "2026-01-03-1#4", "said": "2026-01-03T19:00:00+00:00",'
        f' "on": "2026-03-01"}} -->\n{BODY}'
    )
    message = git(kit, "log", "-1", "--format=%B")
    assert message.startswith("dream: how things are now, up to 3 January 2026\n")
    assert re.search(r"Reel-Op: dream\nReel-Ring0: [0-9a-f]{40}\nReel-Session: 2026-01-03-1\n", message)
    assert git(kit, "show", "--stat", "--format=").count("|") == 1
    assert (told(reel), git(kit, "status", "--porcelain")) == ("fresh", "")
    reel("undo").ok()
    assert not (kit / FILE).exists()


def test_the_last_batch_leads_on_to_it(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3, 4])
    reel("dream", "start", "--yes", "--window", "8k").ok()
    assert "SHARED-CONTEXT" not in reel("dream", "status").ok().out
    prompt = reel("dream", "next", "--prompt").ok().out
    batch = reply_to(prompt, "The bucket\n\nHe swept.", "new: 2026-01-03 · both · Marta's bowl")
    # what belongs to the other kind of ask is refused, and nothing of it is kept
    refused = reel("dream", "next", "--reply", "-", "--yes", stdin=now())
    assert (refused.code, "a page about now" in refused.err) == (1, True)
    assert reel("dream", "next", "--prompt").ok().out == prompt
    done = reel("dream", "next", "--reply", "-", "--yes", stdin=batch).ok()
    assert done.err.endswith("SHARED-CONTEXT.md is not there yet.\nNext:  reel dream next\n")
    assert "Next:  reel dream next" in reel("dream", "status").ok().out
    asked = reel("dream", "next", "--prompt").ok().out
    assert "Your story so far" not in asked
    assert "## The bucket\n\nHe swept." in asked
    assert "2026-01-03 · both · Marta's bowl" in asked
    refused = reel("dream", "next", "--reply", "-", "--yes", stdin=batch)
    assert (refused.code, "a part of the dream" in refused.err) == (1, True)
    reel("dream", "next", "--reply", "-", "--yes", stdin=now()).ok()
    assert (body_of(kit), told(reel)) == (BODY, "fresh")
    assert "The dream is over." in reel("dream", "next").err


def test_what_is_missing_and_what_is_too_long_is_asked_for_again(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("dream", "context", "--prompt").ok()
    half = now({"How the person is": None, "What comes next": None})
    refused = reel("dream", "context", "--reply", "-", "--yes", stdin=half)
    assert (refused.code, "“How the person is”, “What comes next”." in refused.err) == (1, True)
    rest = reel("dream", "context", "--prompt").ok().out
    assert re.findall(r"(?m)^## (.*)$", rest) == [
        "Up to which message",
        "How the person is",
        "What comes next",
    ]
    assert "did not come through; the rest is kept" in rest
    many = "\n".join(f"- the bowl of {n} January" for n in range(60))
    long = f"## How the person is\nTired.\n\n## What comes next\n{many}\n\nAda\n"
    refused = reel("dream", "context", "--reply", "-", "--yes", "--json", stdin=long)
    assert (refused.code, json.loads(refused.out)["problems"]) == (1, [{"field": "next", "what": "too long"}])
    assert "longer than there is room for: “What comes next”." in refused.err
    assert not (kit / FILE).exists()
    rest = reel("dream", "context", "--prompt").ok().out
    assert "may have 32 lines together" in rest
    assert re.findall(r"(?m)^## (.*)$", rest) == ["Up to which message", "What comes next"]
    # a bare answer to the one thing that is left
    reel("dream", "context", "--reply", "-", "--yes", stdin="- A bowl for Marta by Friday.\n\nAda\n").ok()
    assert body_of(kit) == BODY.replace(NOW["How the person is"], "Tired.")
    assert len((kit / FILE).read_text().splitlines()) < 50


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("- - -\n", "None of it could be read."),
        ("I would rather not.\n\nAda", "None of it could be read."),
        (now(place="2026-01-01-1#9"), "That was written for 2026-01-01-1#9"),
        ("PROMPT", "That is the prompt itself"),
    ],
)
def test_what_is_no_answer(reel: Reel, kit: Path, reply: str, why: str) -> None:
    have_evenings(reel, kit, [3])
    prompt = reel("dream", "context", "--prompt").ok().out
    refused = reel("dream", "context", "--reply", "-", "--yes", stdin=reply.replace("PROMPT", prompt))
    assert (refused.code, why in refused.err, (kit / FILE).exists()) == (1, True, False)


def test_what_was_not_said_is_no_quotation(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    invented = (
        '- 3 January: "I will never fire a kiln again in my life"\n'
        '- He swept, and said "I will never fire a kiln again in my life"\n- 4 May: Jonathan bought kilns'
    )
    near = 'He said "Celadon, the thinner one." and swept.'
    reply = now({"The last 48 hours": invented, "Where things stand": near})
    kept = json.loads(reel("dream", "context", "--reply", "-", "--yes", "--json", stdin=reply).ok().out)
    problems = [problem["what"] for problem in kept["problems"]]
    assert "“I will never fire a kiln again in my life” was never said like that" in problems[1]
    assert any("Jonathan" in problem for problem in problems)
    assert "- He swept, and said […]\n" in body_of(kit)
    assert "never fire a kiln" not in body_of(kit)
    assert "3 January" not in body_of(kit)
    assert 'He said "Celadon, the thin one" and swept.' in body_of(kit)


def test_a_second_whole_answer_takes_the_place_of_the_first(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    half = now({"Where things stand": "He sweeps, says the first answer.", "What comes next": None})
    refused = reel("dream", "context", "--reply", "-", "--yes", stdin=half)
    assert (refused.code, "What comes next" in refused.err) == (1, True)
    reel("dream", "context", "--reply", "-", "--yes", stdin=now()).ok()
    assert "says the first answer" not in body_of(kit)
    assert "He swept the kiln, and we wait for a bowl." in body_of(kit)


def test_edited_meanwhile_and_a_tape_that_grew(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("dream", "context", "--prompt").ok()
    have_evenings(reel, kit, [4])
    # the answer counts for what was asked about
    reel("dream", "context", "--reply", "-", "--yes", stdin=now(place="2026-01-03-1#4")).ok()
    assert '"known": "2026-01-03-1#4"' in (kit / FILE).read_text()
    assert told(reel) == "fresh"
    have_evenings(reel, kit, [5])
    assert told(reel) == "stale"
    assert "Copy this: 2026-01-05-1#4" in reel("dream", "context", "--prompt").ok().out
    mine = (kit / FILE).read_text() + "\n## House rules\nShoes off.\n"
    (kit / FILE).write_text(mine)
    refused = reel("dream", "context", "--reply", "-", "--yes", stdin=now())
    assert (refused.code, "was changed since this was asked" in refused.err) == (3, True)
    assert (kit / FILE).read_text() == mine
    asked = reel("dream", "context", "--prompt").ok().out
    assert "House rules:\nShoes off." in asked
    assert "at most 34 lines" in asked
    # what still holds may be said again, word for word
    reel("dream", "context", "--reply", "-", "--yes", stdin=now()).ok()
    assert body_of(kit) == BODY + "\n## House rules\nShoes off.\n"


def test_at_a_terminal(reel: Reel, kit: Path, tmp_path: Path) -> None:
    have_evenings(reel, kit, [3])
    answer = tmp_path / "answer.md"
    answer.write_text(now())
    seen = reel("dream", "context", tty=True, stdin=f"f {answer}\ny\n").ok()
    assert "Keep this?" in seen.err + seen.out
    assert "How things are now, up to 3 January 2026 (SHARED-CONTEXT.md)" in seen.err
    assert "How things are now is in SHARED-CONTEXT.md." in seen.err
    assert body_of(kit) == BODY
    head = git(kit, "rev-parse", "HEAD")
    looked = reel("dream", "context", "--dry-run", "--reply", str(answer)).ok()
    assert "Nothing was changed (--dry-run)." in looked.err
    assert git(kit, "rev-parse", "HEAD") == head


def test_after_the_last_batch_at_a_terminal(reel: Reel, kit: Path, tmp_path: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("dream", "start", "--yes", "--window", "8k").ok()
    batch, answer = tmp_path / "batch.md", tmp_path / "answer.md"
    batch.write_text(reply_to(reel("dream", "next", "--prompt").ok().out, "The bucket\n\nHe swept."))
    answer.write_text(now())
    seen = reel("dream", "next", tty=True, stdin=f"f {batch}\ny\ny\nf {answer}\ny\n").ok()
    assert "Ask for it now?" in seen.err + seen.out
    assert body_of(kit) == BODY


def test_a_page_carries_it_once_it_is_out_of_date(reel: Reel, kit: Path) -> None:
    widen(kit)
    have_evenings(reel, kit, [3])
    assert "Where things stand" not in reel("checkpoint", "--prompt").ok().out
    reel("dream", "context", "--reply", "-", "--yes", stdin=now()).ok()
    assert "Where things stand" not in reel("checkpoint", "--prompt").ok().out
    have_evenings(reel, kit, [9])
    prompt = reel("checkpoint", "--prompt").ok().out
    assert "Until now it says:\nWhere things stand:\nHe swept the kiln" in prompt
    assert parts_in(prompt) == list(NOW)
    assert "from “Where things stand” on are what you will read first" in prompt
    kept = json.loads(
        reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=whole_page({**LATER})).ok().out
    )
    assert kept["checkpoint"] == "checkpoints/2026-01-09-1.1.yaml"
    assert set(git(kit, "show", "--name-only", "--format=").split()) >= {FILE, kept["checkpoint"]}
    assert "How things are now, in SHARED-CONTEXT.md" in [one["what"] for one in kept["changed"]]
    assert '"known": "2026-01-09-1#4"' in (kit / FILE).read_text()
    assert "## What is broken or blocked\nNothing.\n" in body_of(kit)
    assert body_of(kit).endswith("\n## What comes next\n- A bowl for Marta by Friday.\n")
    assert told(reel) == "fresh"


LATER = {**NOW, "The last 48 hours": "- 9 January: evening 9", "What is broken or blocked": "nothing"}
OF_THE_KILN: dict[str, str | None] = {
    "Lines to find it by": '"swept the shards into a blue bucket"\n"Celadon, the thin one"',
    "What has shifted": '"I will ask you about it." It fitted.\nsteady',
    "What happened": "The kiln cracked on evening 9 and he swept the shards.",
    "In one breath": "The kiln cracked and he swept.",
    "My notes": "1. still\n2. still",
    "What's unresolved": "- a bowl for Marta",
}


def whole_page(parts: Mapping[str, str | None]) -> str:
    """A session's page with these parts at its end."""
    return page({**OF_THE_KILN, **parts})


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({}, ""),
        ({**LATER, "What comes next": None}, "“What comes next” did not come through"),
        (
            {**LATER, "What comes next": "\n".join(f"- bowl {n}" for n in range(60))},
            "the page says more than there is room for",
        ),
    ],
)
def test_a_page_without_it_is_a_good_page(
    reel: Reel, kit: Path, parts: Mapping[str, str | None], why: str
) -> None:
    widen(kit)
    have_evenings(reel, kit, [3])
    reel("dream", "context", "--reply", "-", "--yes", stdin=now()).ok()
    have_evenings(reel, kit, [9])
    reel("checkpoint", "--prompt").ok()
    before = (kit / FILE).read_text()
    kept = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=whole_page(parts)).ok().out)
    told_of = [problem["what"] for problem in kept["problems"] if FILE in problem["what"]]
    assert (kit / FILE).read_text() == before
    assert [why in one for one in told_of] == ([True] if why else [])
    assert kept["memories"]


def test_a_chat_that_is_not_recorded_yet(reel: Reel, kit: Path) -> None:
    widen(kit)
    have_evenings(reel, kit, [3])
    reel("dream", "context", "--reply", "-", "--yes", stdin=now()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=whole_page({})).ok()
    # today is in March, and the chat goes on
    assert parts_in(reel("checkpoint", "--prompt").ok().out) == list(NOW)
    have_evenings(reel, kit, [9])
    reel("checkpoint", "--reply", "-", "--yes", stdin=whole_page(LATER)).ok()
    assert '"known": "2026-01-09-1#4"' in (kit / FILE).read_text()


def test_what_is_missing_of_a_page_is_asked_for_with_it(reel: Reel, kit: Path) -> None:
    widen(kit)
    have_evenings(reel, kit, [3])
    reel("dream", "context", "--reply", "-", "--yes", stdin=now()).ok()
    have_evenings(reel, kit, [9])
    reel("checkpoint", "--prompt").ok()
    half = whole_page({**LATER, "How I was": None, "What comes next": None})
    assert reel("checkpoint", "--reply", "-", "--yes", stdin=half).code == 1
    rest = reel("checkpoint", "--prompt").ok().out
    # of the page and of the context only these; the parts of other features are theirs to say
    assert (parts_in(rest), "## How I was\n" in rest, "## My notes\n" in rest) == (
        ["What comes next"],
        True,
        False,
    )
    # a session that is not the newest is the past
    have_evenings(reel, kit, [20])
    assert "What comes next" not in reel("checkpoint", "--prompt", "--session", "2026-01-03-1").ok().out
    more = "## How I was\nBrisk.\n## What comes next\nA bowl.\n\nAda\n"
    done = reel("checkpoint", "--session", "2026-01-09-1", "--reply", "-", "--yes", stdin=more).ok()
    assert "SHARED-CONTEXT.md stays as it is: there is a newer chat" in done.err


def test_a_page_whose_file_was_edited_meanwhile(reel: Reel, kit: Path) -> None:
    widen(kit)
    have_evenings(reel, kit, [3])
    reel("dream", "context", "--reply", "-", "--yes", stdin=now()).ok()
    have_evenings(reel, kit, [9])
    reel("checkpoint", "--prompt").ok()
    (kit / FILE).write_text("## Where things stand\nMy own words.\n")
    kept = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=whole_page(LATER)).ok().out)
    assert (kit / FILE).read_text() == "## Where things stand\nMy own words.\n"
    assert any("it was changed after the prompt was made" in problem["what"] for problem in kept["problems"])


def test_the_doctor_and_the_difference(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("dream", "context", "--reply", "-", "--yes", stdin=now()).ok()
    assert not [one for one in findings(reel) if one["check"] == "context"]
    text = (kit / FILE).read_text()
    (kit / FILE).write_text(text.replace("## How the person is", "## Her mood") + "\nmore\n" * 40)
    found = [one for one in findings(reel) if one["check"] == "context"]
    assert [(one["severity"], one["kind"]) for one in found] == [("hint", "integrity")] * 2
    assert "under fifty" in str(found[0]["evidence"])
    assert "lacks “How the person is”" in str(found[1]["evidence"])
    (kit / FILE).write_bytes(b"\x80\xff")
    assert "not UTF-8" in str(next(one["evidence"] for one in findings(reel) if one["check"] == "context"))
    assert "Where things stand" not in reel("checkpoint", "--prompt").ok().out
    (kit / FILE).write_text(text.replace("He swept the kiln", "He mended the kiln"))
    shown = json.loads(reel("diff", "--json").ok().out)["context"]
    assert list(shown["What comes next"].values()) == ["", "- A bowl for Marta by Friday."]
    told_of = reel("diff", "HEAD").ok().out
    assert "How things are now\n  Where things stand, before: He swept the kiln" in told_of
    assert "The last 48 hours" not in told_of


def findings(reel: Reel) -> list[dict[str, object]]:
    """Return what the doctor says, for a program."""
    found: list[dict[str, object]] = json.loads(reel("doctor", "--json").out)["findings"]
    return found


def test_what_is_purged_is_purged_from_it(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    # an evening that has the same words would keep them
    have_talk(reel, kit, "2026-01-09", "It snowed on the kiln.", "Then sweep that too.")
    reel("dream", "context", "--reply", "-", "--yes", stdin=now()).ok()
    reel("purge", "2026-01-03-1", "--confirm", "Ada").ok()
    assert "I promised Marta" not in (kit / FILE).read_text()
    assert "I promised Marta" not in git(kit, "log", "-p", "--all", "--", FILE)


def test_where_all_was_taken_back(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    reel("dream", "context", "--reply", "-", "--yes", stdin=now()).ok()
    reel("tape", "retract", "2026-01-03-1").ok()
    assert told(reel) == "fresh"
    assert "Nothing is recorded yet" in reel("dream", "context", "--prompt").err
    # no page is due of a chat that was taken back, nor what a page asks for beside
    refused = reel("checkpoint", "--prompt", "--session", "2026-01-03-1")
    assert (refused.code, "was taken back" in refused.err) == (1, True)


def test_no_git_and_a_folder_that_cannot_be_written(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    dream_on(reel)
    (kit / FILE).mkdir()
    assert reel("dream", "context", "--reply", "-", "--yes", stdin=now()).code in (1, 3)
    (kit / FILE).rmdir()
    (kit / ".git").rename(kit / "no-git")
    assert reel("dream", "context", "--prompt").code == 3


@pytest.mark.needs("machines")
def test_of_two_machines_the_one_that_knows_more_has_its_way(reel: Reel, kit: Path) -> None:
    have_evenings(reel, kit, [3])
    laptop = kit.parent / "laptop"
    git(kit.parent, "clone", "-q", str(kit), str(laptop))
    laptop.chmod(0o700)
    for place, day, word in ((kit, 9, "desk"), (laptop, 12, "laptop")):
        have_evenings(reel, place, [day])
        reply = now({"Where things stand": f"We are at the {word}."})
        reel("dream", "context", "--reply", "-", "--yes", cwd=place, stdin=reply).ok()
    git(kit, "remote", "add", "laptop", str(laptop))
    git(kit, "fetch", "-q", "laptop")
    subprocess.run(["git", "-C", kit, "merge", "-q", "laptop/main"], check=False, capture_output=True)
    joined = reel("doctor", "--fix").ok()
    assert "SHARED-CONTEXT.md was written on both machines: it is as the other machine had it" in joined.err
    assert "We are at the laptop." in body_of(kit)
    assert '"known": "2026-01-12-1#4"' in (kit / FILE).read_text()
    assert told(reel) == "fresh"


def test_parts_of_another_size_than_asked_for_are_named(reel: Reel, kit: Path) -> None:
    """Dream Weaver §9.1: two or three sentences of state, five to ten points of the last 48 hours."""
    have_evenings(reel, kit, [1, 2, 3], turns=12)
    prompt = reel("dream", "context", "--prompt").ok().out
    place = re.search(r"Copy this: (\S+)", prompt)
    assert place is not None

    def looked_at(changes: Mapping[str, str | None]) -> str:
        reply = now(changes, place=place[1])
        shown = reel("dream", "context", "--reply", "-", "--yes", "--dry-run", stdin=reply).ok()
        return " ".join(f"{shown.out} {shown.err}".split())

    points = [f"3 January: turn {at} was about the kiln" for at in range(1, 6)]
    fits = "\n".join(f"- {one}" for one in points)
    assert "asked for" not in looked_at({"The last 48 hours": fits})
    long = looked_at({"The last 48 hours": fits, "Where things stand": "He swept the kiln. " * 8})
    assert "“Where things stand” has 8 sentences; 3 at most were asked for" in long
    few = looked_at({"The last 48 hours": f"- {points[0]}"})
    assert "“The last 48 hours” has 1 point; five to ten were asked for" in few
    old = looked_at({"The last 48 hours": f"{fits}\n- 3 June 2025: the kiln cracked"})
    assert "“3 June 2025: the kiln cracked” is older than the last 48 hours" in old
