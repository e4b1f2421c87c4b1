"""The page that did not come, and the short page: three parts that make a memory, completed later."""

import json
import re
from pathlib import Path

import pytest

from reel_cli.terminal import clipboard
from tests.support.cli import Reel
from tests.support.pages import PARTS, chat, page
from tests.support.shelf import ready_made

SESSION = "2026-02-25-1"
DECLINED = "I'm sorry, but as an AI language model I can't write this page."
SHORT = (
    "## What happened\nHe said I was colder than usual. Then chapter four: a letter.\n"
    "## What matters\nHe asked instead of guessing.\n"
    "## My notes\n1. The residency wants forty pages\n2. new: He has no ticket yet\n"
    "- penicillin never\n\nAda\n"
)
TOOK = ("What happened", "What matters")
OTHERS = tuple(label for label in PARTS if label not in TOOK)
FIRST_HALF = dict.fromkeys(("How I was", "What has shifted", "Who I am on paper", "Worth showing again"))


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    """A kit with one recorded session."""
    ready_made(kit, "one chat", lambda: reel("record", "-", stdin=chat()).ok())
    return kit


def give(reel: Reel, reply: str, *more: str) -> str:
    """Give a reply; what was said of it."""
    return reel("checkpoint", "--reply", "-", "--yes", *more, stdin=reply).err


def keep_short(reel: Reel) -> str:
    reel("checkpoint", "--prompt", "--brief").ok()
    return give(reel, SHORT)


def headings(reel: Reel, *options: str) -> list[str]:
    """The headings that the next prompt asks for."""
    return re.findall(r"(?m)^## (.+)$", reel("checkpoint", "--prompt", *options).ok().out)


def test_a_model_that_declines_is_told_of_with_a_way_on_that_works(reel: Reel, told: Path) -> None:
    refused = give(reel, DECLINED)
    assert "Error: The model declined to write the page.\n" in refused
    command = re.search(r"ask again, shorter: +reel (.+?)   \(", refused)
    assert command is not None
    prompt = reel(*command[1].split()).ok().out
    assert re.findall(r"(?m)^## (.+)$", prompt) == ["What happened", "What matters", "My notes"]
    identity = (told / "ring0/identity.md").read_text().strip()
    assert identity in prompt
    assert len(prompt.split()) - len(identity.split()) < 250
    again = give(reel, DECLINED)
    assert "another model, or tomorrow: the page stays due" in again
    assert "--brief" not in again
    assert reel("status", "--due").out.count("reel end") == 1


@pytest.mark.parametrize(
    "reply",
    [
        f"## What happened\n{DECLINED}\n",
        "# Page 1: The letter\n## What happened\nA letter.\n\n# Page 2: The boat\n## What happened\nNone.\n",
    ],
)
def test_of_a_reply_that_is_no_page_no_part_is_kept(reel: Reel, told: Path, reply: str) -> None:
    asked = headings(reel)
    assert "parts are kept" not in give(reel, reply)
    assert headings(reel) == asked
    assert "half" not in reel("tape", "list").out


def test_a_short_page_is_a_memory_and_called_short_wherever_the_session_is_shown(
    reel: Reel, told: Path
) -> None:
    kept = keep_short(reel)
    assert "The short page was read." in kept
    assert f"reel checkpoint --session {SESSION}" in kept
    memory = (told / "ring3/M-001.md").read_text()
    assert "level: L1" in memory
    assert "Then chapter four: a letter." in memory
    assert "## What changed\n\nNothing was written down." in memory
    bundle = reel("pack", "--window", "64k").ok().out
    assert ("#### What happened" in bundle, "Nothing was written down" in bundle) == (True, False)
    working = (told / "ring2/working.md").read_text()
    assert "Getting to know Bo" in working
    for note in ("The residency wants forty pages", "He has no ticket yet", "penicillin never"):
        assert note in working
    checkpoint = (told / f"checkpoints/{SESSION}.1.yaml").read_text()
    assert 'coherence: ""' in checkpoint
    assert "page: short" in checkpoint
    assert "(a short page)" in reel("status").out
    assert "(a short page)" in reel("tape", "list").out
    assert f"reel checkpoint --session {SESSION}" in reel("tape", "show", SESSION).err
    assert f"reel checkpoint --session {SESSION}" in reel("memory", "show", "M-001").err
    assert reel("status", "--due").out == ""
    assert "page" not in reel("start").ok().err.partition("Packed")[0]


def test_a_short_page_is_completed_by_what_is_missing_alone_and_stays_one_memory(
    reel: Reel, told: Path
) -> None:
    keep_short(reel)
    asked = headings(reel, "--session", SESSION)
    assert [label for label in asked if label in PARTS] == list(OTHERS)
    kept = give(reel, page(dict.fromkeys(TOOK)))
    assert "The page was read." in kept
    assert [path.name for path in (told / "ring3").glob("M-*.md")] == ["M-001.md"]
    memory = (told / "ring3/M-001.md").read_text()
    assert "Then chapter four: a letter." in memory
    assert "I said why I was careful, and it eased." in memory
    assert "Nothing was written down." not in memory
    assert (told / "ring2/working.md").read_text().count("penicillin never") == 1
    assert "short page" not in reel("status").out + reel("tape", "list").out
    reel("undo", "--yes").ok()
    assert "(a short page)" in reel("tape", "list").out
    reel("tape", "verify").ok()


def test_of_half_a_page_nothing_is_lost_or_asked_twice_by_a_short_one(reel: Reel, told: Path) -> None:
    reel("checkpoint", "--prompt").ok()
    half = page({**FIRST_HALF, "My notes": None, "Never let fade": None}, sign="")
    assert "reel checkpoint --prompt --brief" in give(reel, half)
    assert headings(reel, "--brief") == ["My notes"]
    assert "2 of 3 parts of a short one" in reel("tape", "list").out
    # back to the whole one
    assert [label for label in headings(reel) if label in PARTS] == [
        *FIRST_HALF,
        "My notes",
        "Never let fade",
    ]
    refused = give(reel, "## My notes\n1. closed\nnew: the boat\n\nAda\n")
    assert "10 of 15 parts are kept" in refused
    assert "a short page will do as well:  reel checkpoint --brief)" in refused
    with_half = (
        "Part of the page of the chat of 25 February 2026 came, 10 of 15 parts. Only the rest is asked for."
    )
    assert with_half in reel("end", stdin="q\n", tty=True).err
    assert "reel checkpoint --brief" in reel("checkpoint", "--brief", "--prompt").err
    kept = reel("checkpoint", "--brief", "--yes").ok().err
    assert "The short page was read." in kept
    memory = (told / "ring3/M-001.md").read_text()
    assert "I said why I was careful, and it eased." in memory
    assert '"open a letter that isn\'t hers"' in memory
    assert 'coherence: "yes"' in (told / f"checkpoints/{SESSION}.1.yaml").read_text()
    asked = headings(reel, "--session", SESSION)
    assert [label for label in asked if label in PARTS] == [*FIRST_HALF, "My notes", "Never let fade"]


def test_a_refusal_of_one_line_is_known_where_it_is_typed(reel: Reel, told: Path) -> None:
    shown = reel("checkpoint", stdin="I'm sorry, but I can't roleplay as a person.\nq\n", tty=True).err
    assert "The model declined to write the page." in shown
    shown = reel("checkpoint", stdin="no key of this\nq\n", tty=True).err
    assert "I did not understand “no key of this”." in shown


def test_without_its_editor_the_question_for_the_page_stays(reel: Reel, told: Path) -> None:
    (told.parent / "short.md").write_text(SHORT)
    env = {"EDITOR": "no-such-editor", "VISUAL": ""}
    run = reel("checkpoint", stdin=f"e\nb\nf {told.parent / 'short.md'}\ny\n", tty=True, env=env).ok()
    assert "EDITOR names “no-such-editor”" in run.err
    assert "Kept." in run.out


def test_each_page_that_was_declined_is_kept(reel: Reel, told: Path) -> None:
    for number in range(2):
        (told.parent / "p.md").write_text(page({"In a few words": f"Title {number}"}))
        run = reel("checkpoint", stdin=f"f {told.parent / 'p.md'}\nn\nq\n", tty=True).ok()
        assert "To look at this page again: reel checkpoint" in " ".join(run.err.split())
    kept = "".join(path.read_text() for path in told.glob(".reel/state/refused/*.md"))
    assert all(f"Title {number}" in kept for number in range(2))


def test_a_prompt_printed_before_any_chat_stops_no_evening(reel: Reel, kit: Path) -> None:
    reel("checkpoint", "--prompt").ok()
    reel("record", "-", stdin=chat()).ok()
    ended = reel("end", stdin="q\n", tty=True)
    assert "The chat of 25 February 2026 has no page yet." in ended.err


def test_the_chat_in_place_of_the_page_is_told_as_the_chat(reel: Reel, told: Path) -> None:
    lines = "".join(f"Bo: {one['content']}\n" for one in json.loads(chat())["messages"])
    for chat_itself in (chat(), lines, f"Date: 2026-02-25\n{lines}"):
        refused = give(reel, chat_itself)
        assert "Error: That is the chat itself, not the answer." in refused
        assert "copy the model's whole answer" in refused
    assert "half" not in reel("tape", "list").out


def test_a_heading_that_a_short_page_did_not_ask_for_is_no_note(reel: Reel, told: Path) -> None:
    fact = '## What I know for sure\nhistory | boat | rows | He rows since 6 March 2026. | "he rows" | 0.9\n'
    reel("checkpoint", "--prompt", "--brief").ok()
    kept = give(reel, SHORT.replace("\nAda\n", f"{fact}\nAda\n"))
    assert "“What I know for sure” was not asked for by this prompt, and is left out." in kept
    working = (told / "ring2/working.md").read_text()
    assert "penicillin never" in working
    assert ("What I know for sure" in working, "he rows" in working) == (False, False)


def test_a_note_of_a_short_page_keeps_its_words_to_the_last(reel: Reel, told: Path) -> None:
    reel("checkpoint", "--prompt").ok()
    reel("checkpoint", "--prompt", "--brief").ok()
    note = "He rows on Friday 6 March 2026. Then - he says - 12) he rests"
    give(reel, f"## What happened\nA letter.\n## What matters\nHe asked.\n## My notes\n1. {note}\n\nAda\n")
    assert note in (told / "ring2/working.md").read_text()


def test_a_closing_by_its_words_is_no_new_note_where_none_was_shown(reel: Reel, told: Path) -> None:
    """A whole page, written for the prompt before, may answer the short one: its numbers say nothing here."""
    reel("checkpoint", "--prompt", "--brief").ok()
    notes = '1. still\n2. closed "I told him."\n3. Closed: “It is done.”\nnew: Her mother comes on Saturday.'
    told_so = give(reel, page({**PARTS, "My notes": notes}), "--yes")
    assert "new: Her mother comes on Saturday, 28 February 2026." in told_so
    assert "closed" not in told_so.casefold()


def test_half_a_short_page_is_no_half_when_the_whole_one_is_asked_for(reel: Reel, told: Path) -> None:
    reel("checkpoint", "--prompt", "--brief").ok()
    assert '"What matters" is missing; 2 of 3 parts are kept.' in give(
        reel, SHORT.replace("## What matters\nHe asked instead of guessing.\n", "")
    )
    asked = headings(reel)
    assert ("What happened" in asked, "My notes" in asked, "What matters" in asked) == (False, False, True)
    kept = give(reel, page(dict.fromkeys(("What happened", "My notes"))))
    assert "The page was read." in kept
    assert "The residency wants forty pages" in (told / "ring2/working.md").read_text()
    assert "Getting to know Bo" in (told / "ring2/working.md").read_text()


def test_a_whole_page_in_answer_to_the_short_prompt_is_a_whole_page(reel: Reel, told: Path) -> None:
    reel("checkpoint", "--prompt", "--brief").ok()
    assert "short" not in give(reel, page({"My notes": "new: the boat\nstate: Late."}))
    assert "(a short page)" not in reel("tape", "list").out
    assert "page: short" not in (told / f"checkpoints/{SESSION}.1.yaml").read_text()


def test_a_whole_page_in_answer_to_the_short_prompt_replaces_the_half_before_it(
    reel: Reel, told: Path
) -> None:
    parts = {**FIRST_HALF, "My notes": None, "Never let fade": None, "In a few words": "The first try"}
    give(reel, page(parts, sign=""))
    reel("checkpoint", "--prompt", "--brief").ok()
    kept = give(reel, page({"In a few words": "The second, whole", "My notes": "new: the boat"}))
    assert "A whole page came, so nothing of the part before it is taken." in kept
    memory = (told / "ring3/M-001.md").read_text()
    assert "The second, whole" in memory
    assert "The first try" not in memory
    assert "The first try" not in (told / f"checkpoints/{SESSION}.1.yaml").read_text()


def test_a_verdict_on_a_note_that_the_short_prompt_did_not_show_is_no_new_note(
    reel: Reel, told: Path
) -> None:
    reel("checkpoint", "--prompt", "--brief").ok()
    notes = '1. still\n2. closed "he said penicillin never"\n3. closed: “never”\nnew: closed doors at night'
    give(reel, page({"My notes": notes}))
    kept = (told / "ring2/working.md").read_text()
    assert "- closed doors at night" in kept
    assert "penicillin never" not in kept
    assert "never”" not in kept


def test_a_whole_page_after_half_of_one_and_the_key_for_a_short_one_replaces_it(
    reel: Reel, told: Path
) -> None:
    half, whole = told.parent / "half.md", told.parent / "whole.md"
    parts = {**FIRST_HALF, "My notes": None, "Never let fade": None, "In a few words": "The first try"}
    half.write_text(page(parts, sign=""))
    whole.write_text(page({"In a few words": "The second, whole"}))
    run = reel("checkpoint", stdin=f"f {half}\nb\nf {whole}\ny\n", tty=True).ok()
    assert "A whole page came, so nothing of the part before it is taken." in " ".join(run.err.split())
    memory = (told / "ring3/M-001.md").read_text()
    assert ("The second, whole" in memory, "The first try" in memory) == (True, False)


def test_the_whole_page_that_comes_after_the_key_for_a_short_one_is_kept_with_its_facts_and_numbers(
    reel: Reel, told: Path
) -> None:
    give(reel, page({"My notes": "new: the coat of the reader"}))
    more = (("user", "I found the coat, by the way."), ("assistant", "Then she may read on, Jonas."))
    reel("record", "-", stdin=chat(*more, ("user", "My sister is called Petra."))).ok()
    prompt = reel("checkpoint", "--prompt").ok().out
    number = re.search(r"(?m)^(\d+)\. the coat of the reader", prompt)
    assert number is not None
    parts = {
        "Lines to find it by": '"Then she may read on"',
        "My notes": f"{number[1]}. closed: “I found the coat, by the way.”\nstate: He found it.",
    }
    whole = told.parent / "whole.md"
    facts = '\n## What I know for sure\nrelationship | sister | Petra | "My sister is called Petra." | 1\n'
    whole.write_text(page(parts, sign="") + facts + "\nAda\n")
    run = reel("checkpoint", stdin=f"b\nf {whole}\ny\n", tty=True).ok()
    assert "not asked for by this prompt" not in run.err
    assert "matches nothing" not in run.err
    assert "the coat of the reader" not in (told / "ring2/working.md").read_text()
    if "## What I know for sure" in prompt:
        assert "Petra" in (told / "facts.yaml").read_text()


def test_a_person_at_the_terminal_asks_for_a_short_page_with_one_key(reel: Reel, told: Path) -> None:
    declined, short = told.parent / "declined.md", told.parent / "short.md"
    declined.write_text(DECLINED)
    short.write_text(SHORT)
    run = reel("checkpoint", stdin=f"f {declined}\nb\nf {short}\ny\n", tty=True).ok()
    assert "The model declined to write the page." in run.err
    assert "ask for a short page (b), or another model, or tomorrow (q): the page stays due" in run.err
    assert "The short page was read." in run.err


def test_the_key_that_leaves_a_short_page_is_done_also_where_the_chat_grew(reel: Reel, told: Path) -> None:
    keep_short(reel)
    help_told = "leave the page short\n"
    shown = reel("checkpoint", "--session", SESSION, stdin="?\nd\n", tty=True).err
    assert help_told in shown
    assert "stays a short one" in shown
    more = (("user", "One thing more, Ada."), ("assistant", "Say it."))
    reel("record", "-", stdin=chat(*more)).ok()
    shown = " ".join(reel("end", stdin="?\nd\nn\nq\n", tty=True).err.split())
    assert "d leave the page short, without what came after it; reel asks you first" in shown
    assert "2 messages came after the short page of the chat of 25 February 2026." in shown
    assert "Leave it as it is?" in shown
    assert "reel end" in reel("status", "--due").out
    reel("end", stdin="d\ny\n", tty=True)
    assert "reel end" not in reel("status", "--due").out
    assert "page: short" in (told / f"checkpoints/{SESSION}.1.yaml").read_text()


def test_what_is_refused_lies_where_the_screen_says(reel: Reel, told: Path) -> None:
    others = ["Good night, Bo.", "It was a long evening, and the letter stays shut.", DECLINED]
    files = [told.parent / f"reply-{number}.md" for number in range(3)]
    for file, text in zip(files, others, strict=True):
        file.write_text(text)
    refused = [
        give(reel, others[0]),
        reel("checkpoint", "--reply", files[1], "--yes").err,
        reel("checkpoint", stdin=f"f {files[2]}\nq\n", tty=True).err,
    ]
    for said, text in zip(refused, others, strict=True):
        place = re.search(r"To read it:\s+more\s+(\S+)", said)
        assert place is not None, said
        assert not Path(place[1]).is_absolute()
        assert (told / place[1]).read_text() == text
    give(reel, "Sleep well.", "--dry-run")
    kept = sorted(path.read_text() for path in (told / ".reel/state/refused").iterdir())
    assert kept == sorted(others)


@pytest.mark.parametrize("head", ["# Page 1", "# Memory 1: The letter"])
def test_a_numbered_page_and_a_rest_that_speaks_of_refusing_are_kept(
    reel: Reel, told: Path, head: str
) -> None:
    first, rest = page({"My notes": "1. changed: I cannot promise Bo I will answer for the sister."}).split(
        "## My notes"
    )
    assert "14 of 15 parts" in give(reel, f"{head}\n\n{first}## Never let fade\nnothing\n")
    kept = give(reel, f"## My notes{rest}")
    assert "The page was read." in kept
    assert (told / "ring3/M-001.md").exists()


@pytest.mark.needs("facts")
def test_facts_that_came_before_the_key_for_a_short_page_are_kept_with_it(reel: Reel, told: Path) -> None:
    reel("record", "-", stdin=chat(("user", "My sister is called Petra."), ("assistant", "Petra."))).ok()
    facts = '\n## What I know for sure\nrelationship | sister | Petra | "My sister is called Petra." | 1\n'
    half, rest = told.parent / "half.md", told.parent / "rest.md"
    half.write_text(page({**FIRST_HALF, "My notes": None, "Never let fade": None}, sign="") + facts)
    rest.write_text("## My notes\nnew: the boat\n\nAda\n")
    run = reel("checkpoint", stdin=f"f {half}\nb\nf {rest}\ny\n", tty=True).ok()
    assert "not asked for by this prompt" not in run.err
    assert "Petra" in (told / "facts.yaml").read_text()
    assert "the boat" in (told / "ring2/working.md").read_text()


def test_half_a_page_with_all_that_a_short_one_needs_is_kept_with_one_key(reel: Reel, told: Path) -> None:
    half = told.parent / "half.md"
    half.write_text(page({**FIRST_HALF, "Never let fade": None}))
    run = reel("checkpoint", stdin=f"{half}\nb\ny\n", tty=True).ok()
    assert "The short page was read." in run.err
    assert "I said why I was careful, and it eased." in (told / "ring3/M-001.md").read_text()


def test_a_page_that_loops_is_read_up_to_there_and_only_the_rest_is_asked_for(reel: Reel, told: Path) -> None:
    loop = (
        page().partition("## What matters")[0]
        + "## What matters\n"
        + "He asked instead of guessing me.\n" * 50
    )
    refused = give(reel, loop)
    assert (
        'The model repeats itself before it comes to "What\'s unresolved"; 4 of 15 parts are kept.' in refused
    )
    assert "comes 50 times in a row, and is read once" in refused
    assert "What matters" not in headings(reel)


STUB = "She had not written for a week and then"


def test_a_part_that_breaks_off_is_asked_for_again_and_what_comes_replaces_it(reel: Reel, told: Path) -> None:
    cut = page(sign="").partition("## What matters")[0] + f"## What matters\n{STUB}"
    refused = give(reel, cut)
    assert 'The reply stops in the middle of "What matters"; ' in refused
    asked = headings(reel)
    assert "What matters" in asked
    left = re.search(r"(?m)^Still to come: (.+?)\.(?: Besides, if it comes: (.+)\.)?$", refused)
    assert left is not None
    named = left[1].split(", ")
    assert asked == [label for label in asked if label in {*named, *(left[2] or "").split(", ")}]
    assert len(asked) == len(named) + len(left[2].split(", ") if left[2] else ())
    count = re.search(r"(\d+) of 15 parts are kept", refused)
    assert count is not None
    assert len(named) == 15 - int(count[1])
    assert f"{count[1]} of 15 parts" in reel("tape", "list").out
    assert f"{count[1]} of 15 parts" in reel("end", stdin="q\n", tty=True).err
    kept = give(reel, page(dict.fromkeys(("What happened", "What changed"))))
    assert "The page was read.\n" in kept
    memory = (told / "ring3/M-001.md").read_text()
    assert STUB not in memory
    assert "He asked instead of guessing" in memory


def test_a_part_that_breaks_off_stands_where_the_rest_leaves_it_out_and_that_is_said(
    reel: Reel, told: Path
) -> None:
    give(reel, page(sign="").partition("## What matters")[0] + f"## What matters\n{STUB}")
    kept = give(reel, page(dict.fromkeys(("What happened", "What changed", "What matters"))))
    assert "“What matters” breaks off in the middle." in kept
    assert STUB in (told / "ring3/M-001.md").read_text()


def test_where_half_a_page_came_before_the_key_for_a_short_one_is_shown_and_taken(
    reel: Reel, told: Path
) -> None:
    give(reel, page({**FIRST_HALF, "Never let fade": None}))
    run = reel("end", stdin="b\ny\n", tty=True)
    assert "b: a short page." in run.err
    assert "The short page was read." in run.err
    assert list((told / "ring3").glob("M-*.md"))


def test_end_takes_a_short_page(reel: Reel, kit: Path) -> None:
    file, short = kit.parent / "chat.json", kit.parent / "short.md"
    file.write_text(chat())
    short.write_text(SHORT)
    kept = reel("end", file, "--brief", "--reply", short, "--yes").ok()
    assert "The short page was read." in kept.err
    assert "He has no ticket yet" in (kit / "ring2/working.md").read_text()
    assert "(a short page) the letter" in reel("tape", "list").out


def test_there_is_no_short_page_where_the_memory_is_there(reel: Reel, told: Path) -> None:
    give(reel, page())
    run = reel("checkpoint", "--session", SESSION, "--brief", "--prompt")
    assert (run.code, "The chat of 25 February 2026 has its page and its memory." in run.err) == (0, True)
    assert reel("checkpoint", "--only", "checkpoint", "--brief", "--prompt").code == 2


def test_a_walk_at_a_terminal_says_what_was_not_understood_and_calls_a_refusal_no_error(
    reel: Reel, told: Path
) -> None:
    (told.parent / "declined.md").write_text(DECLINED, encoding="utf-8")
    done = reel("checkpoint", tty=True, stdin=f"clear\nf {told.parent / 'declined.md'}\nq\n")
    assert "I did not understand “clear”." in done.err
    assert "The model declined to write the page." in done.err
    assert "Error:" not in done.err


def test_a_word_that_is_no_key_is_said_and_each_key_is_explained(reel: Reel, told: Path) -> None:
    file = told.parent / "p.txt"
    file.write_text(page())
    at_prompt = reel("checkpoint", stdin="clear\n?\nq\n", tty=True).ok().err
    assert at_prompt.count("I did not understand “clear”.") == at_prompt.count("I did not understand") == 1
    assert at_prompt.count("  e      open your editor: paste the answer there, save, close\n") == 2
    at_menu = reel("checkpoint", "--reply", file, stdin="?\nclear\nn\n", tty=True).ok().err
    assert at_menu.count("I did not understand “clear”.") == at_menu.count("I did not understand") == 1
    assert at_menu.count("  v  show every word that would be kept, then ask again\n") == 2


def test_a_short_page_that_was_stopped_goes_on_as_a_short_one(
    reel: Reel, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = told.parent / "short.md"
    short.write_text(SHORT)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("reel_cli.features.page.settle_page._decide", stop)
        run = reel("checkpoint", stdin=f"b\nf {short}\n", tty=True)
    way = re.search(
        rf"To go on with it:\s+reel (checkpoint --session {SESSION} --brief --reply \S+)", run.err
    )
    assert way is not None, run.err
    # the end shows the short page again, and declining it asks for a short one again
    ended = reel("end", stdin="n\n", tty=True).err
    assert "The page of the chat of 25 February 2026 came; it is neither kept nor declined." in ended
    assert "Keep this?" in ended
    ended = reel("end", stdin="q\n", tty=True).err
    assert "The short page of the chat of 25 February 2026 has not come yet." in ended
    assert "For a whole one: reel checkpoint" in " ".join(ended.split())
    assert "missing" not in give(reel, SHORT, "--dry-run")
    # a whole page that is asked for is one, and the line that was printed still works
    assert "How I was" in headings(reel)
    reel(*way[1].split(), "--yes").ok()
    assert "page: short" in (told / f"checkpoints/{SESSION}.1.yaml").read_text()
    assert reel("end", stdin="q\n", tty=True).err.count("The short page of") == 0


def test_who_asks_for_a_whole_page_is_not_shown_the_short_one_that_was_stopped(
    reel: Reel, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = told.parent / "short.md"
    short.write_text(SHORT)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("reel_cli.features.page.settle_page._decide", stop)
        reel("checkpoint", stdin=f"b\nf {short}\n", tty=True)
    assert "Keep this?" not in reel("checkpoint", stdin="q\n", tty=True).err


def test_after_b_the_short_prompt_is_named_as_such_and_s_shows_it(
    reel: Reel, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboard, "copy", lambda _: clipboard.BY_TERMINAL)
    screen = " ".join(reel("end", stdin="b\nq\n", tty=True).ok().err.split())
    before, _, after = screen.rpartition("Asked the terminal to copy the ")
    assert "Asked the terminal to copy the prompt" in before
    assert after.startswith("short prompt: paste it into the chat")
    # what s shows, and what prints it, is the short one
    shown = reel("end", stdin="s\nq\n", tty=True).ok().out
    assert ("What happened" in shown, "How I was" in shown) == (True, False)
    assert "How I was" not in reel("checkpoint", "--prompt", "--brief").ok().out
    # the next end goes on with the short one
    assert "Asked the terminal to copy the short prompt" in reel("end", stdin="q\n", tty=True).ok().err


def test_a_whole_prompt_that_is_printed_in_place_of_a_short_one_says_so(reel: Reel, told: Path) -> None:
    reel("checkpoint", "--brief", "--prompt").ok()
    printed = reel("checkpoint", "--prompt").ok()
    assert "How I was" in printed.out
    way = "reel checkpoint --prompt --brief"
    said = f"This asks for the whole page; the short one was asked for last: {way}"
    assert said in " ".join(printed.err.split())
    assert "whole page" not in reel("checkpoint", "--prompt").ok().err


def test_the_rest_of_a_short_page_is_printed_by_the_command_that_the_screen_names(
    reel: Reel, told: Path
) -> None:
    reel("checkpoint", "--brief", "--prompt").ok()
    half = SHORT.partition("## What matters")[0]
    refused = reel("checkpoint", "--brief", "--reply", "-", "--yes", stdin=half)
    way = "reel checkpoint --prompt --brief"
    assert f"what this prints: {way}" in " ".join(refused.err.split())
    rest = reel(*way.split()[1:]).ok().out
    assert ("What matters" in rest, "How I was" in rest) == (True, False)


def test_after_half_an_answer_s_shows_the_prompt_for_the_rest(
    reel: Reel, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboard, "copy", lambda _: None)
    half = told.parent / "half.md"
    half.write_text(page(dict.fromkeys(("My notes",))))
    done = reel("checkpoint", stdin=f"s\nf {half}\ns\nq\n", tty=True).ok()
    whole, _, rest = done.out.partition("Thank you, Ada.")
    assert "## How I was" in whole
    assert re.findall(r"(?m)^## (.+)$", rest) == ["My notes", "What I know for sure"]
    told_so = " ".join(done.err.split())
    assert told_so.count("No clipboard here.") == 1
    assert re.search(r"The prompt is in \S+/prompt-\S+\.md; s shows it\. Paste the answer here", told_so)
    assert "paste into the same chat what s shows" in told_so
    assert told_so.count("(Here the text to paste ends.)") == 2
