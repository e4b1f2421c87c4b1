"""Facts asked for: only what the user said is kept, with the turn that bears it."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.pages import page, say

TALK: list[tuple[str, str]] = [
    ("user", "Hi, I'm Marta and I am 52. I've just moved to Portland with my husband Jim."),
    ("assistant", "You love chess, I think."),
    ("user", "I am allergic to penicillin. Please remember the surgery on May 14th."),
    ("assistant", "I will."),
]
REPLY = """## What I know for sure
identity | name | Marta | "I'm Marta" | 0.95
constraints | allergy | allergic to penicillin | "allergic to penicillin" | 1
preferences | games | chess | "You love chess" | 0.9
hobbies | x | Jim | "my husband Jim" | 0.9
identity | age | 52 | "I am 52" | 0.69
identity | mood | sad | "I am sad" | 0.9
history | move | Portland | "moved to Portland" | 0.9
history | move | Jim | "my husband Jim" | 0.9

Ada
"""
PETS = ("newt", "goose", "mule", "heron", "otter", "carp", "toad", "wren", "stoat")


def extract(reel: Reel, reply: str, *more: str) -> dict[str, object]:
    told = reel("fact", "extract", "--reply", "-", "--yes", "--json", *more, stdin=reply).ok().out
    found: dict[str, object] = json.loads(told)
    return found


def facts(reel: Reel) -> dict[str, str]:
    """Return the facts, but for those that were set aside as nobody can tell."""
    told = json.loads(reel("fact", "list", "--json").ok().out)
    return {one["id"]: one["value"] for one in told if not _is_aside(one)}


def aside(reel: Reel) -> dict[str, str]:
    """Return the facts that were set aside as nobody can tell."""
    told = json.loads(reel("fact", "list", "--json").ok().out)
    return {one["id"]: one["value"] for one in told if _is_aside(one)}


def _is_aside(fact: dict[str, str]) -> bool:
    return (fact["origin"], fact["why"]) == ("extraction", "not sure enough")


def row(kind: str, key: str, value: str, evidence: str) -> str:
    return f'## What I know for sure\n{kind} | {key} | {value} | "{evidence}" | 0.9\n\nAda\n'


def test_from_the_prompt_to_the_commit(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    prompt = reel("fact", "extract", "--prompt").ok().out
    assert "You are Ada" in prompt
    assert "Bo: I am allergic to penicillin." in prompt
    kept = extract(reel, REPLY)
    assert facts(reel) == {"identity/name": "Marta", "constraints/allergy": "allergic to penicillin"}
    problems = [one["what"] for one in kept["problems"]]  # type: ignore[attr-defined]
    assert problems == [
        "preferences, games: not kept: “You love chess” was said by Ada, not by Bo",
        "hobbies, x: not kept: “hobbies” is not a kind of fact here",
        "identity, age: set aside: it is 0.69 sure, and 0.7 is the least",
        "identity, mood: not kept: Bo did not say “I am sad” in this chat",
        "history, move: not kept: two values at once, “Portland” and “Jim”",
        "history, move: not kept: two values at once, “Jim” and “Portland”",
    ]
    shown = [one["what"] for one in kept["problems"] if "quiet" not in one]  # type: ignore[attr-defined]
    # nothing of the chat speaks against one of them
    assert shown == []
    assert aside(reel) == {"identity/age": "52"}
    message = git(kit, "log", "-1", "--format=%B")
    assert message.startswith("fact: 2 noted from 2026-02-10-1#1-4\n")
    assert "Reel-Facts: 2026-02-10-1#1-4 kept=2 refused=6\n" in message
    assert "Reel-Ring0: " in message
    assert (
        (kit / "facts.yaml")
        .read_text()
        .startswith(
            "- category: identity\n  key: name\n  value: Marta\n  confidence: 0.95\n"
            '  source: "2026-02-10-1#1"\n'
            "  when: 2026-02-10\n  origin: extraction\n"
        )
    )
    assert "Every chat was searched for facts." in reel("fact", "extract", "--prompt").err
    assert "Known already, and not to be said again:\n- constraints | allergy | allergic" in (
        reel("fact", "extract", "2026-02-10-1", "--prompt").ok().out
    )
    # undone, it is to be gone through again
    reel("undo").ok()
    assert facts(reel) == {}
    reel("fact", "extract", "--prompt").ok()
    assert git(kit, "status", "--porcelain") == ""


def test_the_screen_names_each_fact_that_is_left_out_with_the_reason(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    shown = reel("fact", "extract", "--reply", "-", "--yes", stdin=REPLY).ok().err.splitlines()
    assert [line.strip() for line in shown[shown.index("  Left out:") + 1 : -1]] == [
        "preferences, games: “You love chess” was said by Ada, not by Bo",
        "hobbies, x: “hobbies” is not a kind of fact here",
        "identity, age: set aside: it is 0.69 sure, and 0.7 is the least",
        "identity, mood: Bo did not say “I am sad” in this chat",
        "history, move: two values at once, “Portland” and “Jim”",
        "history, move: two values at once, “Jim” and “Portland”",
    ]
    lines = [f'context | pet {name} | a {name} | "my {name}" | 0.9\n' for name in PETS]
    many = REPLY.partition("constraints")[0] + "".join(lines)
    told = reel("fact", "extract", "2026-02-10-1", "--reply", "-", "--dry-run", stdin=many).ok().err
    assert (told.count("Bo did not say"), "and 3 more, listed by --json" in told) == (6, True)


def test_a_value_that_changes_waits_as_a_contradiction(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("context", "city", "Portland", "moved to Portland"))
    say(reel, kit, [("user", "We live in Salem, by the river."), ("assistant", "Since when?")], 20)
    extract(reel, row("context", "city", "Salem", "live in Salem"))
    assert facts(reel) == {"context/city": "Salem"}
    assert "before: Portland" in reel("fact", "list").ok().out
    item = "2026-02-20-1-fact-1"
    assert "city: Portland" in reel("review").ok().out
    told = 'Two things you hold do not agree: "city: Portland" (10 February 2026), and "city: Salem"'
    assert told in reel("pack").ok().out
    reel("review", "accept", item, "--holds", "older").ok()
    assert facts(reel) == {"context/city": "Portland"}
    assert told not in reel("pack").ok().out
    assert [one["value"] for one in json.loads(reel("fact", "history", "city", "--json").ok().out)] == [
        "Portland",
        "Salem",
        "Portland",
    ]
    # said before your word, it changes nothing any more
    again = extract(reel, row("context", "city", "Salem", "live in Salem"), "2026-02-20-1")
    assert (facts(reel)["context/city"], again["problems"]) == ("Portland", [])


def test_what_is_under_way_has_other_numbers_and_days_without_a_question(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "The deck has 60 cards."), ("assistant", "Sixty.")], 10)
    extract(reel, row("context", "deck", "60 cards", "The deck has 60 cards"))
    say(reel, kit, [("user", "Deck: 50 cards."), ("assistant", "Fifty.")], 20)
    extract(reel, row("context", "deck", "50 cards", "Deck: 50 cards"))
    assert facts(reel) == {"context/deck": "50 cards"}
    assert not json.loads(reel("review", "--json").ok().out)


def test_an_update_is_no_contradiction(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("identity", "age", "52", "I am 52"))
    say(reel, kit, [("user", "I turned 53 today."), ("assistant", "Cake!")], 20)
    extract(reel, row("identity", "age", "53", "I turned 53"))
    assert facts(reel) == {"identity/age": "53"}
    assert reel("review").ok().out == "Nothing waits for your decision.\n"


def test_of_two_values_of_a_fact_one_holds_or_both_do(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("identity", "age", "52", "I am 52"))
    say(reel, kit, [("user", "I am 61, dear."), ("assistant", "Cake!")], 20)
    extract(reel, row("identity", "age", "61", "I am 61"))
    before = (kit / "facts.yaml").read_text()
    refused = reel("review", "accept", "2026-02-20-1-fact-1", "--yes")
    assert refused.code == 1
    assert "Which holds: “age: 52” or “age: 61”?" in refused.err
    reel("review", "accept", "2026-02-20-1-fact-1", "--holds", "newer").ok()
    assert (kit / "facts.yaml").read_text() == before
    assert "“age: 61” holds now" in (kit / "review/settled.yaml").read_text()
    reel("undo").ok()
    reel("review", "accept", "2026-02-20-1-fact-1", "--holds", "both").ok()
    assert facts(reel) == {"identity/age": "61", "identity/age-10-february-2026": "52"}
    assert reel("review").ok().out == "Nothing waits for your decision.\n"


def test_what_ended_while_two_values_waited_does_not_come_back_with_both(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("identity", "age", "52", "I am 52"))
    say(reel, kit, [("user", "I am 61, dear."), ("assistant", "Cake!")], 20)
    extract(reel, row("identity", "age", "61", "I am 61"))
    reel("fact", "drop", "age", "--yes").ok()
    reel("review", "accept", "2026-02-20-1-fact-1", "--holds", "both").ok()
    assert facts(reel) == {}


def test_two_dogs_are_two_facts(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "My dog Pepper loves the beach."), ("assistant", "Sweet!")])
    extract(reel, row("relationships", "dog", "dog Pepper loves the beach", "My dog Pepper loves the beach"))
    say(reel, kit, [("user", "I walked my dog Shadow in the woods."), ("assistant", "Nice!")], 20)
    extract(reel, row("relationships", "dog", "my dog Shadow", "I walked my dog Shadow"))
    assert facts(reel) == {
        "relationships/dog": "dog Pepper loves the beach",
        "relationships/dog-shadow": "my dog Shadow",
    }
    assert reel("review").ok().out == "Nothing waits for your decision.\n"


def test_what_nobody_can_tell_is_set_aside_and_shown_to_nobody(reel: Reel, kit: Path) -> None:
    between = [("user", "I am tired."), ("assistant", "Rest.")] * 3
    turns = [("user", "I sing in a choir."), ("assistant", "Since when?"), *between]
    say(reel, kit, [*turns, ("user", "Oh, tenor is hard."), ("assistant", "It is.")])
    reply = row("preferences", "singing", "tenor", "I sing in a choir")
    shown = reel("fact", "extract", "--reply", "-", "--yes", stdin=reply).ok()
    assert "Worth a look" not in shown.err
    assert (facts(reel), aside(reel)) == ({}, {"preferences/singing": "tenor"})
    assert reel("review").ok().out == "Nothing waits for your decision.\n"
    assert "singing" not in reel("pack").ok().out
    # found again, it is noted once; with words that bear it, it counts
    extract(reel, reply, "2026-02-10-1")
    assert (kit / "facts.yaml").read_text().count("tenor") == 1
    extract(reel, row("preferences", "singing", "tenor", "tenor is hard"), "2026-02-10-1")
    assert (facts(reel), aside(reel)) == ({"preferences/singing": "tenor"}, {})


def test_what_nobody_can_tell_takes_no_place_of_what_was_said(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "The pitch is in the barn."), ("assistant", "I see.")])
    extract(reel, row("commitments", "pitch", "in the barn", "The pitch is in the barn"))
    between = [("user", "I am tired."), ("assistant", "Rest.")] * 3
    turns = [("user", "We moved the pitch."), ("assistant", "Oh?"), *between]
    say(reel, kit, [*turns, ("user", "Saltmarsh calls."), ("assistant", "Good.")], 20)
    reply = row("commitments", "pitch", "moved to Saltmarsh", "We moved the pitch")
    assert reel("fact", "extract", "--reply", "-", "--yes", stdin=reply).code == 1
    assert (facts(reel), aside(reel)) == ({"commitments/pitch": "in the barn"}, {})


def test_words_of_a_chat_before_count_from_there(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "They moved mum's op, it's the 26th now not the 19th."), ("assistant", "Oh.")])
    say(reel, kit, [("user", "Tam has the list."), ("assistant", "Then Tam drives.")], 20)
    made = extract(
        reel, row("commitments", "operation", "mum's op on 26 February", "it's the 26th now not the 19th")
    )
    assert made["problems"] == []
    (fact,) = json.loads(reel("fact", "list", "--json").ok().out)
    assert (fact["value"], fact["source"]) == ("mum's op on 26 February", "2026-02-10-1#1")


CALLING = "I feel like this is my true calling."


def test_a_vaguer_retelling_leaves_the_exact_value(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "I joined the fire brigade on 3 January 2026!"), ("assistant", "Wow!")])
    extract(reel, row("commitments", "fire brigade", "joined on 3 January 2026", "I joined the fire brigade"))
    turns = [("user", "I joined the fire brigade, you know."), ("assistant", "I do."), ("user", CALLING)]
    say(reel, kit, [*turns, ("assistant", "Yes!")], 20)
    for value, said in (("joined the fire brigade", "I joined"), ("since 2019, my true calling", CALLING)):
        made = extract(reel, row("commitments", "fire brigade", value, said), "2026-02-20-1")
        assert "“joined on 3 January 2026” stays" in json.dumps(made, ensure_ascii=False)
        assert facts(reel) == {"commitments/fire-brigade": "joined on 3 January 2026"}


def test_what_was_dropped_stays_so_until_it_is_said_again(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    extract(reel, row("identity", "age", "52", "I am 52"))
    reel("fact", "drop", "age", "--yes").ok()
    refused = reel(
        *("fact", "extract", "2026-02-10-1", "--reply", "-", "--yes"),
        stdin=row("identity", "age", "52", "I am 52"),
    )
    assert (refused.code, "None of it can be kept." in refused.err) == (1, True)
    assert facts(reel) == {}


def test_no_more_is_kept_than_the_share_has_room_for(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "facts: {share: 0.008}\n")
    say(reel, kit, TALK)
    extract(
        reel,
        "constraints | allergy | allergic to penicillin | I am allergic to penicillin | 0.9\n"
        "context | city | Portland | moved to Portland | 0.8\n"
        "identity | name | Marta | I'm Marta | 1\n",
    )
    assert "identity/name" in facts(reel)
    # what was announced and has no room yet is kept, and the list says so
    assert "context/city" in facts(reel)
    assert "always have room in a bundle" in reel("fact", "list").ok().err
    bundle = reel("pack").ok().out
    assert "allergic to penicillin" in bundle
    assert "Portland (said" not in bundle


def test_a_page_asks_for_facts_when_they_are_due(reel: Reel, kit: Path) -> None:
    session = say(reel, kit, TALK)
    assert "## What I know for sure\n" in reel("checkpoint", "--prompt").ok().out
    mine = {
        "Lines to find it by": '"allergic to penicillin"\n"remember the surgery"',
        "What I know for sure": 'identity | name | Marta | "I\'m Marta" | 1\nidentity | age | 53 | 52 | 1',
    }
    kept = json.loads(reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=page(mine)).ok().out)
    assert facts(reel) == {"identity/name": "Marta"}
    assert {"what": "Facts", "lines": ["new: name: Marta"], "short": 1} in kept["changed"]
    assert "identity, age: not kept: its words say “52”, and not “53”" in str(kept["problems"])
    assert f"Reel-Facts: {session}#1-4 kept=1 refused=1" in git(kit, "log", "-1", "--format=%B")
    again = reel("checkpoint", "--session", session, "--prompt").ok().out
    assert "What I know for sure" not in again


def test_a_page_without_the_facts_is_whole_and_they_stay_due(reel: Reel, kit: Path) -> None:
    session = say(reel, kit, TALK)
    mine = {"Lines to find it by": '"allergic to penicillin"\n"remember the surgery"'}
    told = reel("checkpoint", "--reply", "-", "--yes", stdin=page(mine)).ok()
    assert "The page was read." in told.err
    assert "Reel-Facts" not in git(kit, "log", "-1", "--format=%B")
    assert "What I know for sure" in reel("checkpoint", "--session", session, "--prompt").ok().out


@pytest.mark.parametrize(
    ("settings", "turns", "due"),
    [
        ("", 4, False),
        ("", 10, True),
        ("early: 8", 4, True),
        ("every: 4", 4, True),
        ("every: 0", 10, False),
        ("ask: no", 10, False),
    ],
)
def test_when_they_are_due_again(reel: Reel, kit: Path, settings: str, turns: int, due: bool) -> None:  # noqa: FBT001
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + f"facts: {{{settings}}}\n")
    talk = [("user", "hm."), ("assistant", "Yes.")] * 4
    session = say(reel, kit, talk)
    extract(reel, "nothing")
    assert git(kit, "log", "-1", "--format=%s").startswith("fact: nothing new from 2026-02-10-1#1-8")
    say(reel, kit, talk + [("user", "More."), ("assistant", "So.")] * turns)
    prompt = reel("checkpoint", "--session", session, "--prompt").ok().out
    assert ("What I know for sure" in prompt) == due


def test_while_a_chat_goes_on_they_are_due_at_intervals(reel: Reel, kit: Path) -> None:
    """After its page a chat may go on for long: every ten cycles the facts are due, without another page."""
    talk = [("user", "hm."), ("assistant", "Yes.")] * 4
    session = say(reel, kit, talk)
    reel("checkpoint", "--reply", "-", "--yes", stdin=page({"Lines to find it by": '"hm."'})).ok()
    extract(reel, "nothing")
    for more, due in ((9, False), (10, True)):
        say(reel, kit, talk + [("user", "More."), ("assistant", "So.")] * more)
        told = f"facts: 10 of your messages in {session} came since it was searched for facts"
        assert (f"{told}:  reel fact extract {session}\n" in reel("status", "--due").out) is due
    extract(reel, "nothing", session)
    assert "facts:" not in reel("status", "--due").out


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("\n", "is empty."),
        ("I would rather talk about the weather.", "None of it can be kept."),
        (row("identity", "name", "Peter", "I'm Marta"), "None of it can be kept."),
        ("## The conversation so far\nx | y | z | w\n", "That answers another prompt: nobody asked here for"),
        (row("", "", "Peter", "I'm Marta"), "kept. Peter: not kept: no kind is given."),
        ("## What I know for sure\nidentity | na", "That reply has no facts"),
    ],
)
def test_a_reply_that_says_nothing_that_was_said_is_refused(
    reel: Reel, kit: Path, reply: str, says: str
) -> None:
    say(reel, kit, TALK)
    reel("fact", "extract", "--prompt").ok()
    before = git(kit, "rev-parse", "HEAD")
    refused = reel("fact", "extract", "--reply", "-", "--yes", stdin=reply)
    assert (refused.code, says in refused.err) == (1, True), refused.err
    told = reel("fact", "extract", "--reply", "-", stdin=REPLY)
    assert (told.code, "without a terminal" in told.err) == (1, True)
    assert "Nothing was changed" in reel("fact", "extract", "--reply", "-", "--dry-run", stdin=REPLY).ok().err
    prompt = reel("fact", "extract", "--prompt").ok().out
    pasted = reel("fact", "extract", "--reply", "-", "--yes", stdin=prompt)
    assert "That is the prompt itself" in pasted.err
    assert git(kit, "rev-parse", "HEAD") == before
    assert not (kit / "facts.yaml").exists()


def test_without_a_tape_or_with_a_broken_file(reel: Reel, kit: Path) -> None:
    assert "Nothing is recorded yet." in reel("fact", "extract", "--prompt").err
    assert reel("fact", "extract", "2026-01-01-1", "--prompt").code == 1
    say(reel, kit, TALK)
    (kit / "facts.yaml").write_text("- [\n")
    assert "facts.yaml" in reel("fact", "extract", "--prompt").err
    assert reel("fact", "extract", "--reply", "-", "--yes", stdin=REPLY).code == 1
    # a page is kept all the same, and says so
    assert "What I know for sure" not in reel("checkpoint", "--prompt").ok().out


def test_what_reel_asked_is_not_said_in_the_chat(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    prompt = reel("fact", "extract", "--prompt").ok().out
    say(reel, kit, [("user", "Hello."), ("assistant", "Yes?"), ("user", prompt), ("assistant", REPLY)], 11)
    assert "I am allergic" not in reel("tape", "show", "2026-02-11-1").ok().out


def test_at_a_terminal_a_person_decides(reel: Reel, kit: Path, tmp_path: Path) -> None:
    say(reel, kit, TALK)
    answer = tmp_path / "answer.txt"
    answer.write_text(REPLY)
    broken = tmp_path / "broken.txt"
    broken.write_text("I would rather not.")
    left = reel("fact", "extract", tty=True, stdin="q\n").ok()
    assert "reel fact extract --reply FILE" in left.err
    declined = reel("fact", "extract", tty=True, stdin=f"f {broken}\nf {answer}\nn\n").ok()
    assert "None of it can be kept." in declined.err
    assert "identity, name: Marta" in declined.err
    assert facts(reel) == {}
    reel("fact", "extract", tty=True, stdin=f"f {answer}\ny\n").ok()
    assert facts(reel) == {"identity/name": "Marta", "constraints/allergy": "allergic to penicillin"}
    assert "Remove it?" in reel("fact", "drop", "name", tty=True, stdin="n\n").ok().err
    assert "identity/name" in facts(reel)
    reel("fact", "drop", "name", tty=True, stdin="y\n").ok()
    assert "identity/name" not in facts(reel)


@pytest.mark.parametrize(
    ("event", "kept"),
    [
        ("Paul came for Miso a week early.", "my dog Miso"),
        ("Miso is Paul's dog, he took him home for good.", None),
    ],
)
def test_what_happened_with_somebody_does_not_take_the_place_of_who_that_is(
    reel: Reel, kit: Path, event: str, kept: str | None
) -> None:
    say(reel, kit, [("user", "My dog Miso has eaten the outline."), ("assistant", "Of course.")])
    extract(reel, row("relationships", "Miso", "my dog Miso", "My dog Miso"))
    say(reel, kit, [("user", event), ("assistant", "Oh.")], 11)
    value = event.rstrip(".").partition(",")[0]
    extract(reel, row("relationships", "Miso", value, event))
    known = facts(reel)
    assert value in known.values()
    assert ("my dog Miso" in known.values()) is (kept is not None)
    if kept:
        assert known["relationships/miso-11-february-2026"] == value


def test_an_answer_that_only_agrees_is_no_fact(reel: Reel, kit: Path) -> None:
    said = "I will tomorrow, promise. And I promise to ring Ingrid on Sundays."
    say(reel, kit, [("assistant", "Take the gloves."), ("user", said)])
    promise = "I promise to ring Ingrid on Sundays"
    gloves = row("commitments", "gloves", "I will tomorrow, promise", "I will tomorrow, promise")
    both = gloves.replace("\n\nAda", f'\ncommitments | Ingrid | {promise} | "{promise}" | 0.9\n\nAda')
    done = extract(reel, both)
    assert list(facts(reel)) == ["commitments/ingrid"]
    assert "gloves: not kept: it does not say what is to be done" in str(done["problems"])


def test_a_value_that_points_back_into_the_chat_is_no_fact(reel: Reel, kit: Path) -> None:
    said = "My aunt Dorothea only lived in it."
    say(reel, kit, [("user", f"Whitby? {said}"), ("assistant", "I see.")])
    reply = row("relationships", "aunt", "only lived in it", said)
    run = reel("fact", "extract", "--reply", "-", "--yes", stdin=reply)
    assert "it does not say what “it” is" in run.out + run.err
    assert facts(reel) == {}


@pytest.mark.parametrize(
    ("said", "value", "kept"),
    [
        ("Ida brings twenty-two pages.", "twenty", False),
        ("Ida brings twenty-two pages.", "two pages", False),
        ("Ida brings twenty-two pages.", "twenty-two pages", True),
        ("Ida brings one hundred and twenty pages.", "twenty pages", False),
        ("Ida brings twenty pages.", "twenty", True),
        ("Ida is on her twenty-third score.", "twenty", False),
    ],
)
def test_a_number_is_not_said_by_a_part_of_another(
    reel: Reel, kit: Path, said: str, value: str, *, kept: bool
) -> None:
    say(reel, kit, [("user", said), ("assistant", "Then make room.")])
    reply = page(
        {
            "Lines to find it by": f'"{said}"',
            "What I know for sure": f'relationships | Ida | {value} | "{said}" | 1',
        }
    )
    shown = json.loads(reel("checkpoint", "--reply", "-", "--dry-run", "--json", stdin=reply).ok().out)
    assert any(one["what"] == "Facts" for one in shown["changed"]) is kept


ALWAYS: list[tuple[str, str]] = [
    ("user", "Call me Vi. Never use emoji. My sister Ines moved to Lyon."),
    ("assistant", "Always call me Captain, then."),
    ("user", "From now on, answer in metric."),
    ("assistant", "I will."),
]


def test_what_the_user_said_for_always_is_offered_as_facts_beside_those_of_the_reply(
    reel: Reel, kit: Path
) -> None:
    say(reel, kit, ALWAYS)
    reply = row("relationships", "sister", "Ines", "My sister Ines").replace("\nAda", "")
    said = 'preferences | units | metric | "From now on, answer in metric" | 0.9\n\nAda\n'
    kept = extract(reel, f"{reply.rstrip()}\n{said}")
    assert facts(reel) == {
        "relationships/sister": "Ines",
        "preferences/units": "metric",
        "identity/name-to-call": "Vi",
        "preferences/never-use-emoji": "Never use emoji",
    }
    assert "Captain" not in json.dumps(kept)
    assert "Never use emoji (said by Bo" in reel("pack").ok().out


def test_a_page_offers_them_too_where_its_reply_has_no_facts(reel: Reel, kit: Path) -> None:
    say(reel, kit, ALWAYS)
    reel("checkpoint", "--prompt").ok()
    given = page({"What I know for sure": "none", "Lines to find it by": '"answer in metric"'})
    done = reel("checkpoint", "--reply", "-", "--yes", stdin=given).ok()
    assert "never use emoji" in f"{done.out}{done.err}".casefold()
    assert facts(reel)["identity/name-to-call"] == "Vi"
