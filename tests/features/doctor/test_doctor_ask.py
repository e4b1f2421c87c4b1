"""`reel doctor --ask`: the persona holds memories against what was said; a person decides what follows."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.talk import Kind
from tests.support.cli import CHECKOUT, Reel, git

CHECKS = CHECKOUT / "tests/fixtures/checks"
HUNGRY, NIGHT, TAG = "M-012", "M-010", "M-004"
CANDLE = "with a candle, and wrote one line in pencil"
THIRTY = "rations for thirty days and a boat that took twenty-five"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the kit is made once, for every test to copy."""
    return tmp_path_factory.mktemp("made")


@pytest.fixture
def ada(reel: Reel, made: Path) -> Path:
    """The example kit, with two details planted in one memory."""
    first = made / "ada"
    if not first.exists():
        reel("init", first, "--template", CHECKOUT / "kits/ada").ok()
        file = first / f"ring3/{HUNGRY}.md"
        text = file.read_text()
        for said, planted in (
            ("with headphones on, and wrote", "with a candle, and wrote"),
            ("rations for twenty-one days", "rations for thirty days"),
        ):
            assert said in text
            text = text.replace(said, planted)
        file.write_text(text)
        git(first, "commit", "-qam", "by hand")
    shutil.copytree(first, reel.cwd / "ada")
    reel.cwd = reel.cwd / "ada"
    return reel.cwd


def answer(reel: Reel, temper: str, *more: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        reel("doctor", "--ask", HUNGRY, NIGHT, "--reply", CHECKS / f"{temper}.txt", "--json", *more).ok().out
    )
    return found


def own(found: dict[str, Any]) -> list[str]:
    return [one["evidence"] for one in found["findings"] if one["check"] == "own-word"]


def waiting(kit: Path) -> list[str]:
    state = kit / ".reel/state"
    return [path.name for path in state.rglob("*") if path.is_file() and "own-word" in path.read_text()]


# -- the prompt -----------------------------------------------------------------------------------


def test_the_prompt_holds_who_she_is_the_pages_and_what_was_said(reel: Reel, ada: Path) -> None:
    prompt = reel("doctor", "--ask", HUNGRY.lower(), TAG, "--prompt").ok().out
    assert "You are dry, exact, and fond of him." in prompt
    assert THIRTY in prompt
    assert "In September you had rations for twenty-one days" in prompt
    assert prompt.index("Page 1: Why is nobody ever hungry") < prompt.index("Page 2: The pilot's flat A")
    assert not [word for word in ("M-012", "ring 3", "token", "kit") if word in prompt.replace("kitchen", "")]
    assert waiting(ada) != []
    assert git(ada, "status", "--short") == ""


def test_the_short_form_is_asked_about_and_a_doubt_of_it_is_matched(reel: Reel, ada: Path) -> None:
    file = ada / f"ring3/{HUNGRY}.md"
    text = file.read_text()
    short = "He sailed to Umeå on a Tuesday with a parrot."
    at = text.index("\nmarker: ") + 1
    file.write_text(f"{text[:at]}marker: {short}\n{text[text.index(chr(10), at) + 1 :]}")
    git(ada, "commit", "-qam", "by hand")
    prompt = reel("doctor", "--ask", HUNGRY, "--prompt").ok().out
    assert f"## In one breath\n\n{short}" in prompt
    reply = f'# Page 1: Why is nobody ever hungry\n## What does not hold\n"{short}" - made up\n\nAda\n'
    heard = reel("doctor", "--ask", HUNGRY, "--reply", "-", "--json", stdin=reply).ok()
    assert [one for one in own(json.loads(heard.out)) if short.rstrip(".") in one]


def test_dry_run_only_prints_it(reel: Reel, ada: Path) -> None:
    reel("doctor", "--ask", HUNGRY, "--prompt", "--dry-run").ok()
    assert waiting(ada) == []


def test_without_names_it_is_about_what_looks_doubtful(reel: Reel, ada: Path) -> None:
    doubtful = {
        one["where"].partition(":")[0]
        for one in json.loads(reel("doctor", "--only", "false-memory", "--json").out)["findings"]
        if one["where"]
    }
    prompt = reel("doctor", "--ask").ok().out
    assert f"ring3/{HUNGRY}.md" in doubtful
    assert prompt.count("The page as it stands:") == min(6, len(doubtful))


def test_nothing_doubtful_is_good_news(reel: Reel, kit: Path) -> None:
    done = reel("doctor", "--ask").ok()
    assert done.out == "No memory looks doubtful.\n"
    assert done.err == "To check one anyway, name it:  reel doctor --ask ID\n"
    assert reel("doctor", "--ask", "--prompt").code == 1


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--ask", "M-099"], 1, "Nothing can be asked about M-099: it is not there."),
        (["--ask", "--fix"], 2, "--ask is for single memories"),
        ([HUNGRY], 2, "Memories, --prompt and --reply go with --ask."),
        (["--prompt"], 2, "Memories, --prompt and --reply go with --ask."),
    ],
)
def test_what_cannot_be_asked(reel: Reel, ada: Path, arguments: list[str], code: int, told: str) -> None:
    done = reel("doctor", *arguments)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(f"Error: {told}")


# -- the reply ------------------------------------------------------------------------------------


@pytest.mark.parametrize("temper", ["plain", "thorough", "loose", "data"])
def test_the_planted_details_are_found_in_every_temper(reel: Reel, ada: Path, temper: str) -> None:
    head = git(ada, "rev-parse", "HEAD")
    found = answer(reel, temper)
    told = own(found)
    assert len(told) == 2
    assert "with a candle" in told[0]
    assert "rations for thirty days" in told[1]
    assert 'was said otherwise, according to Ada; said was "' in told[1]
    assert told[1].endswith("(Ada, message 4)")
    assert [(one["id"], one["clear"], one["doubts"]) for one in found["asked"]] == [
        (HUNGRY, False, 2),
        (NIGHT, True, 0),
    ]
    assert {one["severity"] for one in found["findings"] if one["check"] == "own-word"} == {"hint"}
    assert {one["where"] for one in found["findings"] if one["check"] == "own-word"} == {
        f"ring3/{HUNGRY}.md:19"
    }
    assert "grounding" in {one["check"] for one in found["findings"]}
    assert (git(ada, "rev-parse", "HEAD"), git(ada, "status", "--short")) == (head, "")


def test_what_is_quoted_and_was_not_said_is_told_as_that(reel: Reel, ada: Path) -> None:
    (candle, _) = own(answer(reel, "loose"))
    assert (
        'Ada also quotes "All of it, standing, with headphones. She read it twice.", which was'
        ' not said like that: the nearest is "All of it, standing, with headphones.' in candle
    )


def test_a_doubt_of_what_was_said_word_for_word_is_none(reel: Reel, ada: Path) -> None:
    file = ada / f"ring3/{HUNGRY}.md"
    file.write_text(file.read_text().replace("The deer came to the table.", "And did the deer eat?"))
    reply = ada.parent / "reply.txt"
    reply.write_text('# Page 1\n"And did the deer eat?" - not said\n')
    found = json.loads(reel("doctor", "--ask", HUNGRY, "--reply", reply, "--json").ok().out)
    assert own(found) == []
    assert found["asked"][0]["clear"] is True
    assert found["asked"][0]["remarks"] == ['"And did the deer eat" was said exactly so (message 2)']


def test_a_person_sees_both_and_the_mend(reel: Reel, ada: Path) -> None:
    reel("doctor", "--ask", HUNGRY, NIGHT, "--prompt").ok()
    done = reel("doctor", "--ask", "--reply", CHECKS / "plain.txt").ok()
    lines = done.out.splitlines()
    assert lines[0] == f"Why is nobody ever hungry ({HUNGRY})"
    assert "  Line 19: " in done.out
    assert lines[lines.index("") - 1] == f"    reel maintain --only anew {HUNGRY}"
    assert lines[-1] == "  All of it was said, according to Ada."
    assert waiting(ada) == []


def test_a_memory_that_was_changed_meanwhile_is_left(reel: Reel, ada: Path) -> None:
    reel("doctor", "--ask", HUNGRY, NIGHT, "--prompt").ok()
    file = ada / f"ring3/{HUNGRY}.md"
    file.write_text(file.read_text() + "\nBy hand.\n")
    done = reel("doctor", "--ask", "--reply", CHECKS / "plain.txt").ok()
    assert (
        "Nothing can be told from Ada's answer: the memory was changed after the prompt was made." in done.out
    )
    assert f"To ask again:  reel doctor --ask {HUNGRY}\n" in done.err


def test_half_a_reply_keeps_what_it_has(reel: Reel, ada: Path) -> None:
    half = ada.parent / "half.txt"
    half.write_text((CHECKS / "plain.txt").read_text().partition("# Page 2")[0])
    done = reel("doctor", "--ask", HUNGRY, NIGHT, "--reply", half).ok()
    assert "with a candle" in done.out
    assert "  Nothing can be told from Ada's answer: it did not come back.\n" in done.out
    assert done.err.endswith(f"To ask again:  reel doctor --ask {NIGHT}\n")


@pytest.mark.parametrize("reply", ["I would rather not.", "the prompt"])
def test_no_answer_is_refused_and_the_prompt_waits_on(reel: Reel, ada: Path, reply: str) -> None:
    prompt = reel("doctor", "--ask", HUNGRY, NIGHT, "--prompt").ok().out
    file = ada.parent / "reply.txt"
    file.write_text(prompt if reply == "the prompt" else reply)
    done = reel("doctor", "--ask", "--reply", file)
    assert (done.code, done.out) == (1, "")
    assert "Hint: copy the model's whole answer, and only that" in done.err
    assert waiting(ada) != []
    refused = reel("doctor", "--ask", "--reply", file, "--json")
    assert (refused.code, json.loads(refused.out)["repair"]) == (1, prompt)


def test_a_kit_that_is_not_under_git_can_be_asked_about(reel: Reel, ada: Path) -> None:
    (ada / ".git").rename(ada.parent / "git")
    assert len(own(answer(reel, "plain"))) == 2


# -- what a person does about it --------------------------------------------------------------------

ANEW = """# Page 1: Why is nobody ever hungry
## What happened
Tomas left chapter 11 on the table and went to look at the radiator, like a man who feeds a deer. Lida read
all of it standing, with headphones, and there was one thing in pencil: why is nobody ever hungry? In
September he had rations for twenty-one days and a boat that took twenty-five, and he told me to leave it. He
said "good
note", and she went to play bass.
## What changed
There is a better reader in the house than me now.
## What matters
He looked at it for two days.
## What's unresolved
nothing
## In one breath
Lida asked why nobody is ever hungry.

Ada
"""


def test_at_a_terminal_it_goes_on_to_the_mend(reel: Reel, ada: Path) -> None:
    again = ada.parent / "again.txt"
    again.write_text(ANEW)
    typed = f"f {CHECKS / 'plain.txt'}\ny\ny\nf {again}\ny\n"
    done = reel("doctor", "--ask", HUNGRY, NIGHT, stdin=typed, tty=True).ok()
    assert f"Make {HUNGRY} again from what was said? (q stops here)" in done.err
    assert f"Have {NIGHT}" not in done.err
    assert "twenty-one days" in (ada / f"ring3/{HUNGRY}.md").read_text()
    assert "candle" not in (ada / f"ring3/{HUNGRY}.md").read_text()
    assert git(ada, "log", "-1", "--format=%s").startswith("maintain: M-012")
    assert waiting(ada) == []


@pytest.mark.parametrize("word", ["n", "q", ""])
def test_at_a_terminal_it_can_be_left(reel: Reel, ada: Path, word: str) -> None:
    head = git(ada, "rev-parse", "HEAD")
    typed = f"f {CHECKS / 'plain.txt'}\n{word}\n"
    done = reel("doctor", "--ask", HUNGRY, NIGHT, stdin=typed, tty=True).ok()
    assert "Nothing was changed." in done.err
    assert git(ada, "rev-parse", "HEAD") == head


def test_a_named_memory_is_made_anew(reel: Reel, ada: Path) -> None:
    prompt = reel("maintain", "--only", "anew", HUNGRY.lower(), "--prompt").ok().out
    assert "What they tell has moved away from what was really said." in prompt
    again = ada.parent / "again.txt"
    again.write_text(ANEW)
    reel("maintain", "--reply", again, "--yes").ok()
    assert "with headphones, and there was" in (ada / f"ring3/{HUNGRY}.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ([HUNGRY], 2, "Memories can only be named with --only anew."),
        ([HUNGRY, "--only", "fade"], 2, "Memories can only be named with --only anew."),
        (["--only", "anew", "M-099", "--prompt"], 1, "There is no memory M-099."),
        (
            ["--only", "anew", TAG, "--prompt"],
            1,
            "Only one line is left of M-004; it cannot be written again.",
        ),
    ],
)
def test_what_cannot_be_made_anew(reel: Reel, ada: Path, arguments: list[str], code: int, told: str) -> None:
    done = reel("maintain", *arguments)
    assert (done.code, done.err.splitlines()[0]) == (code, f"Error: {told}")


def test_the_exchange_never_counts_as_said(reel: Reel, ada: Path) -> None:
    prompt = reel("doctor", "--ask", HUNGRY, NIGHT, "--prompt").ok().out
    git(ada, "clean", "-fdxq", ".reel")  # it is known by its words, not only by having been handed out
    turns = ["Good evening.", "Good evening, Tomas.", prompt, (CHECKS / "plain.txt").read_text(), "Thanks."]
    messages = [{"role": "assistant" if n % 2 else "user", "content": t} for n, t in enumerate(turns)]
    chat = ada.parent / "chat.json"
    chat.write_text(json.dumps({"title": "x", "created_at": "2026-02-28T20:00:00Z", "messages": messages}))
    reel("record", chat).ok()
    (session,) = (ada / "tape/2026").glob("2026-02-28-1.md")
    kinds = [entry.message.kind for entry in parse_session(session.read_bytes(), session.name).entries]
    assert kinds == [Kind.SAID, Kind.SAID, Kind.EXCHANGE, Kind.EXCHANGE, Kind.SAID]


def test_an_answer_to_another_prompt_is_known_by_its_titles(reel: Reel, ada: Path) -> None:
    reel("doctor", "--ask", NIGHT, "--prompt").ok()
    late = "# Page 1: Why is nobody ever hungry?\n## What does not hold\nNothing.\n\nAda\n"
    title = next(
        line.partition(":")[2].strip().strip("\"'")
        for line in (ada / f"ring3/{HUNGRY}.md").read_text().splitlines()
        if line.startswith("title:")
    )
    late = late.replace("Why is nobody ever hungry?", title)
    done = reel("doctor", "--ask", "--reply", "-", stdin=late)
    assert done.code == 1
    assert f"answers another prompt, about {HUNGRY}" in done.err
    assert f"reel doctor --ask {HUNGRY} --reply FILE" in " ".join(done.err.split())
    assert (
        "All of it was said, according to Ada"
        in reel("doctor", "--ask", HUNGRY, "--reply", "-", stdin=late).ok().out
    )


def test_a_title_that_is_doubted_is_not_taken_for_what_was_really_said(reel: Reel, ada: Path) -> None:
    file = ada / f"ring3/{HUNGRY}.md"
    lines = file.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("title:"))
    lines[at] = "title: The miller buys a blue heron"
    file.write_text("\n".join(lines) + "\n")
    git(ada, "commit", "-qam", "by hand")
    reel("doctor", "--ask", HUNGRY, "--prompt").ok()
    said = CANDLE
    told = f'## What does not hold\n"The miller buys a blue heron" - made up - really said: "{said}"\n\nAda\n'
    found = json.loads(reel("doctor", "--ask", HUNGRY, "--reply", "-", "--json", stdin=told).ok().out)
    assert [one.partition(" was")[0] for one in own(found)] == [
        f'ring3/{HUNGRY}.md, line {at + 1}: "The miller buys a blue heron"'
    ]
    other = told.replace("The miller buys a blue heron", "A cooper sold nine yellow barrels in Lund")
    again = json.loads(reel("doctor", "--ask", HUNGRY, "--reply", "-", "--json", stdin=other).out or "{}")
    assert own(again) == []


# -- all of it was said ---------------------------------------------------------------------------

ALL_SAID = "# Page 1: Why is nobody ever hungry\n## What does not hold\nnothing\n\nAda\n"


def doubts(reel: Reel) -> list[str]:
    found = json.loads(reel("doctor", "--only", "false-memory", "--json").out)["findings"]
    return [one["evidence"] for one in found if HUNGRY in str(one["where"])]


def test_that_all_was_said_settles_what_the_rules_doubt(reel: Reel, ada: Path) -> None:
    before = doubts(reel)
    assert before
    reel("doctor", "--ask", HUNGRY, "--prompt").ok()
    dry = reel("doctor", "--ask", "--reply", "-", "--dry-run", stdin=ALL_SAID).ok()
    assert "Settled by that" not in dry.err
    assert doubts(reel) == before
    done = reel("doctor", "--ask", "--reply", "-", stdin=ALL_SAID).ok()
    assert done.out.splitlines()[1:] == ["  All of it was said, according to Ada."]
    assert done.err.count("Settled by that: M-012: ") == len(before)
    assert doubts(reel) == []
    assert "all of it was said, according to Ada" in (ada / "review/settled.yaml").read_text()
    assert git(ada, "log", "-1", "--format=%s").startswith("review: ")
    assert "all of it was said, according to Ada" in git(ada, "log", "-1", "--format=%s")
    reel("undo").ok()
    assert doubts(reel) == before


def test_a_quotation_that_is_not_on_the_tape_stays_in_doubt(reel: Reel, ada: Path) -> None:
    file = ada / f"ring3/{HUNGRY}.md"
    file.write_text(
        file.read_text().replace(
            "The deer came to the table.", 'He said: "No stag will ever cross my frozen moat."'
        )
    )
    git(ada, "commit", "-qam", "by hand")
    assert any("moat" in one for one in doubts(reel))
    found = json.loads(reel("doctor", "--ask", HUNGRY, "--reply", "-", "--json", stdin=ALL_SAID).out)
    assert found["settled"]
    assert [one for one in doubts(reel) if "moat" in one] == doubts(reel) != []


def test_after_the_doubtful_ones_it_is_about_the_newest_and_each_once(reel: Reel, ada: Path) -> None:
    asked: list[str] = []
    while (shown := reel("doctor", "--ask", "--prompt")).code == 0:
        pages = re.findall(r"(?m)Page \d+: (.+) \([^()]+\) ", shown.out)
        reply = "".join(
            f"# Page {n}: {title}\n## What does not hold\nnothing\n\n" for n, title in enumerate(pages, 1)
        )
        reel("doctor", "--ask", "--reply", "-", stdin=f"{reply}Ada\n")
        asked += pages
        assert len(asked) == len(set(asked))
    assert "No memory looks doubtful." in shown.err
    assert len(asked) == len(json.loads(reel("memory", "list", "--json").ok().out))
    # one that was changed is asked about again
    file = ada / f"ring3/{NIGHT}.md"
    file.write_text(file.read_text() + "\nBy hand.\n")
    assert "The night he asked me to write it" in reel("doctor", "--ask", "--prompt").ok().out
