"""The page of another evening: told as such, never kept by Enter, never joined with the right one."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.growing_kit import TODAY
from tests.support.pages import PARTS, chat, page, say

OTHER = {
    "In a few words": "Halvorsen and the torn logbook",
    "What happened": "The inspector Halvorsen wants the logbooks. Tore says the bearings are in Stavanger.",
    "What changed": "We copy the torn page for Halvorsen.",
    "What matters": "That Bismarck the parrot is an honest witness.",
    "What's unresolved": "- the bearings from Stavanger",
    "Lines to find it by": '"the parrot is called Bismarck"\n"Tore has said that since the spring"',
    "In one breath": "He wants the logbooks, and a page is torn out.",
    "My notes": "new: the bearings from Stavanger\nstate: He copies the torn page.",
    "What has shifted": "steady",
}
LOGBOOKS = [
    ("user", "The inspector Halvorsen wants the logbooks."),
    ("assistant", "Halvorsen again, and the parrot is called Bismarck?"),
    ("user", "Yes. Tore says the bearings are in Stavanger."),
    ("assistant", "Tore has said that since the spring."),
]
OF_ANOTHER = "This looks like the page of another evening"
HALF = dict.fromkeys(("Am I still myself", "How I was", "Never let fade"))


def stranger(**changes: str | None) -> str:
    return page({**OTHER, **changes})


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    reel("record", "-", stdin=chat()).ok()
    return kit


def test_enter_does_not_keep_a_page_of_which_hardly_anything_was_said(reel: Reel, told: Path) -> None:
    head = git(told, "rev-parse", "HEAD")
    (told.parent / "p.md").write_text(stranger())
    run = reel("checkpoint", stdin=f"f {told.parent / 'p.md'}\nn\nn\n\n\n", tty=True).ok()
    assert f"{OF_ANOTHER}: hardly anything on it was said in this chat.\n" in run.err
    assert "/e/N] " in run.err
    assert git(told, "rev-parse", "HEAD") == head


def test_a_page_that_fits_another_chat_is_refused_with_the_command_that_gives_it_there(
    reel: Reel, told: Path
) -> None:
    messages = chat(created_at="2026-02-20T19:00:00+00:00", title="logbooks")
    other = {**json.loads(messages), "messages": [{"role": r, "content": text} for r, text in LOGBOOKS]}
    reel("record", "-", stdin=json.dumps(other)).ok()
    run = reel("checkpoint", "--session", TODAY, "--reply", "-", "--yes", stdin=stranger())
    assert (run.code, f"{OF_ANOTHER}, of 20 February 2026." in run.err) == (1, True)
    command = run.err.partition("to give it for that chat:  reel ")[2].split("\n")[0].split()
    lies = run.err.index("What came is kept. To read it:  more ")
    assert run.err.index("Error: ") < run.err.index("Hint: ") < lies
    reel(*command, "--yes").ok()
    assert "Halvorsen" in (told / "ring3/M-001.md").read_text()
    # given once more for the chat of today, it is known
    again = reel("checkpoint", "--session", TODAY, "--reply", "-", "--yes", stdin=stranger())
    assert f"{OF_ANOTHER}, of 20 February 2026, which is kept already." in again.err
    assert "copy the model's answer from the chat of 25 February 2026, and only that" in again.err


def test_lines_that_only_look_alike_do_not_make_it_the_page_of_this_chat(reel: Reel, kit: Path) -> None:
    alike = [("user", "The parrot is called Birgit."), ("assistant", "Tora has said that since spring.")]
    reel("record", "-", stdin=chat(*alike)).ok()
    # as long as no other chat has the lines, the page may quote this one badly
    badly = reel("checkpoint", "--reply", "-", "--dry-run", stdin=stranger())
    assert OF_ANOTHER not in badly.ok().err
    messages = chat(created_at="2026-02-20T19:00:00+00:00", title="logbooks")
    other = {**json.loads(messages), "messages": [{"role": r, "content": text} for r, text in LOGBOOKS]}
    reel("record", "-", stdin=json.dumps(other)).ok()
    run = reel("checkpoint", "--session", TODAY, "--reply", "-", "--yes", stdin=stranger())
    assert (run.code, f"{OF_ANOTHER}, of 20 February 2026." in run.err) == (1, True)
    assert not list((kit / "ring3").glob("M-*.md"))


def test_a_chat_that_has_its_page_is_not_offered_another_of_it(reel: Reel, told: Path) -> None:
    """Given there as it was told, the second page brought back notes that were closed."""
    messages = chat(created_at="2026-02-20T19:00:00+00:00", title="logbooks")
    other = {**json.loads(messages), "messages": [{"role": r, "content": text} for r, text in LOGBOOKS]}
    reel("record", "-", stdin=json.dumps(other)).ok()
    reel("checkpoint", "--session", "2026-02-20-1", "--reply", "-", "--yes", stdin=stranger()).ok()
    another = stranger(**{"What changed": "We copy nothing at all."})
    run = reel("checkpoint", "--session", TODAY, "--reply", "-", "--yes", stdin=another)
    told_so = " ".join(run.err.split())
    assert f"{OF_ANOTHER}, of 20 February 2026." in told_so
    assert "that chat has its page already; copy the model's answer from the chat of 25 February" in told_so
    assert "--session 2026-02-20-1" not in told_so
    # a chat that went on lacks a page again
    more = [("user", "Halvorsen took the logbooks."), ("assistant", "All of them?")]
    longer = [{"role": r, "content": text} for r, text in (*LOGBOOKS, *more)]
    reel("record", "-", stdin=json.dumps({**other, "messages": longer})).ok()
    run = reel("checkpoint", "--session", TODAY, "--reply", "-", "--yes", stdin=another)
    assert "to give it for that chat:  reel checkpoint --session 2026-02-20-1 --reply" in run.err


def test_part_of_another_page_is_neither_kept_nor_joined(reel: Reel, told: Path) -> None:
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=stranger(**HALF))
    assert (run.code, OF_ANOTHER in run.err, "parts are kept" in run.err) == (1, True, False)
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=page(HALF))
    assert "parts are kept" in run.err
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=stranger())
    assert (run.code, OF_ANOTHER in run.err) == (1, True)
    rest = "\n".join(f"## {label}\n{PARTS[label]}\n" for label in HALF)
    reel("checkpoint", "--reply", "-", "--yes", stdin=rest).ok()
    assert "Halvorsen" not in "".join(path.read_text() for path in told.rglob("ring[23]/*.md"))


def test_a_page_of_this_chat_that_quotes_it_badly_or_tells_of_earlier_days_is_kept(
    reel: Reel, told: Path
) -> None:
    badly = page({"Lines to find it by": '"a letter which is not her own"\n"no penicillin"'})
    assert OF_ANOTHER not in reel("checkpoint", "--reply", "-", "--dry-run", stdin=badly).ok().err
    earlier = page({"What matters": "It was as on the ferry to Kirkwall, when Halvorsen and Tore laughed."})
    assert OF_ANOTHER not in reel("checkpoint", "--reply", "-", "--yes", stdin=earlier).ok().err


def test_what_is_worth_a_look_is_shown_again_below_every_word(reel: Reel, told: Path) -> None:
    (told.parent / "p.md").write_text(page({"Worth showing again": '"Tomas stays away."'}))
    run = reel("checkpoint", stdin=f"f {told.parent / 'p.md'}\nv\nn\n", tty=True).ok()
    assert run.err.count("Worth a look:") == 2
    assert run.err.rindex("Worth a look:") < run.err.rindex("Keep this?")


def test_a_page_that_fits_no_chat_is_not_kept_without_a_question(reel: Reel, told: Path) -> None:
    nowhere = page({
        "What happened": "Bo told me of Zanzibar, and that Quentin and Ulrike sold it to Ottoline.",
        "Lines to find it by": '"zebras under the chandelier"\n"forty kilos of saffron"',
    })  # fmt: skip
    reel("checkpoint", "--prompt").ok()
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=nowhere)
    assert (run.code, "hardly anything on it was said in this chat" in run.err) == (1, True)
    assert not list((told / "ring3").glob("M-*.md"))


PIANO = {
    "In a few words": "A shelf with opinions",
    "What happened": (
        "The new flat came with a piano in it, because it no longer fits down the stairs. I asked who could "
        "show five notes. The sister could, but they haven't talked since the boat."
    ),
    "What changed": "Our first joke was about leases.",
    "What matters": "Somebody would cross town to protect a piano.",
    "What's unresolved": "- whether the photo was sent",
    "Lines to find it by": '"doesn\'t fit down the stairs any more"\n"since the thing about the boat"',
    "In one breath": "A piano came with the flat, and a photo of it goes to the sister.",
    "My notes": "state: Unpacking, in good spirits.",
    "What has shifted": "steady",
}
NO_LINE = "None of its 2 lines to find it by was said in this chat, so this may be the page of another one."


def test_a_page_without_names_and_without_a_line_of_this_chat_may_be_of_another(
    reel: Reel, told: Path
) -> None:
    piano = page(PIANO)
    head = git(told, "rev-parse", "HEAD")
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=piano)
    assert (run.code, NO_LINE in " ".join(run.err.split())) == (1, True)
    unasked = reel("checkpoint", "--reply", "-", stdin=piano)
    assert (unasked.code, NO_LINE in " ".join(unasked.err.split())) == (1, True)
    assert "add --yes to keep it" not in unasked.err
    only = reel("checkpoint", "--reply", "-", "--dry-run", stdin=piano).ok()
    assert NO_LINE in " ".join(only.err.split())
    again = run.err.partition("give it at a terminal without --yes:  reel ")[2].split("\n")[0].split()
    assert again[:4] == ["checkpoint", "--session", TODAY, "--reply"]
    (told.parent / "p.md").write_text(piano)
    run = reel("checkpoint", stdin=f"f {told.parent / 'p.md'}\n\n", tty=True).ok()
    assert (NO_LINE in " ".join(run.err.split()), "/e/N] " in run.err) == (True, True)
    assert git(told, "rev-parse", "HEAD") == head
    # who says that it is of this chat all the same has it kept
    reel(*again, stdin="y\n", tty=True).ok()
    assert "piano" in (told / "ring3/M-001.md").read_text()


def evening(reel: Reel, kit: Path, day: int, about: str) -> str:
    """Record a chat of that day of February; its session."""
    talk = [
        ("user", f"The {about} came today, and we spoke of Monday, the {of}.")
        for of in ("open roof", "stairs that wait for oak")
    ]
    return say(
        reel, kit, [(role, text) for said in talk for role, text in (said, ("assistant", "Good."))], day
    )


def notes_page(about: str, notes: str) -> str:
    return page({
        "What happened": f"The {about} came.",
        "What changed": "nothing",
        "What's unresolved": "nothing",
        "Lines to find it by": f'"The {about} came today"',
        "In one breath": f"The {about} came.",
        "My notes": notes,
    })  # fmt: skip


def test_numbers_of_a_page_whose_prompt_is_not_known_close_nothing_of_a_later_evening(
    reel: Reel, kit: Path
) -> None:
    """REEL §4.3: what a page says by number is about the notes that its own prompt showed."""
    old, new = evening(reel, kit, 10, "harvester"), evening(reel, kit, 12, "carpenter")
    later = "new: the roof is open until Monday\nnew: the stairs wait for oak"
    reel(
        *("checkpoint", "--session", new, "--reply", "-", "--yes"), stdin=notes_page("carpenter", later)
    ).ok()
    working = kit / "ring2/working.md"
    assert all(note in working.read_text() for note in ("the roof is open", "the stairs wait"))
    stale = "1. still\n2. closed\n3. changed: the barn is full\n4. closed\nThe stairs wait for oak: closed"
    run = reel(
        *("checkpoint", "--session", old, "--reply", "-", "--yes"), stdin=notes_page("harvester", stale)
    ).ok()
    told = working.read_text()
    assert ("the roof is open" in told, "the stairs wait" in told, "the barn" in told) == (True, False, False)
    assert "notes have changed since this page was asked for, so its numbers close none of them" in run.err
    assert "left out: 2. closed; 3. changed: the barn is full; 4. closed" in run.err
    assert "matches nothing: 1. still" not in run.err


def test_a_prompt_for_a_chat_that_is_not_recorded_numbers_no_older_page(reel: Reel, kit: Path) -> None:
    old, new = evening(reel, kit, 10, "harvester"), evening(reel, kit, 12, "carpenter")
    later = "new: the roof is open\nnew: the stairs wait for oak"
    reel(
        *("checkpoint", "--session", new, "--reply", "-", "--yes"), stdin=notes_page("carpenter", later)
    ).ok()
    reel("checkpoint", "--prompt").ok()
    stale = notes_page("harvester", "1. closed\n2. closed\n3. closed")
    reel(*("checkpoint", "--session", old, "--reply", "-", "--yes"), stdin=stale).ok()
    assert "the roof is open" in (kit / "ring2/working.md").read_text()
    # the prompt still waits for tonight's page, whose numbers count
    evening(reel, kit, 14, "glazier")
    tonight = notes_page("glazier", "1. closed\n2. closed\n3. closed")
    reel("checkpoint", "--reply", "-", "--yes", stdin=tonight).ok()
    assert "the roof is open" not in (kit / "ring2/working.md").read_text()


def test_the_rest_of_such_a_page_has_its_notes_numbered_anew(reel: Reel, kit: Path) -> None:
    old, new = evening(reel, kit, 10, "harvester"), evening(reel, kit, 12, "carpenter")
    later = "new: the roof is open\nnew: the stairs wait for oak"
    reel(
        *("checkpoint", "--session", new, "--reply", "-", "--yes"), stdin=notes_page("carpenter", later)
    ).ok()
    whole = notes_page("harvester", "").partition("## My notes")
    run = reel("checkpoint", "--session", old, "--reply", "-", "--yes", stdin=whole[0])
    assert (run.code, "My notes" in run.err) == (1, True)
    asked = reel("checkpoint", "--session", old, "--prompt").ok().out
    number = (
        next(line for line in asked.splitlines() if "the roof is open" in line).strip("- ").partition(".")[0]
    )
    rest = f"## My notes\n{number}. closed\n\n## Never let fade\nnothing\n"
    reel("checkpoint", "--session", old, "--reply", "-", "--yes", stdin=rest).ok()
    assert "the roof is open" not in (kit / "ring2/working.md").read_text()


def test_a_page_signed_by_another_persona_is_said_so(reel: Reel, told: Path) -> None:
    signed = page({"Never let fade": '"Go and buy the ticket."'}, sign="Mirko")
    shown = reel("checkpoint", "--reply", "-", "--dry-run", stdin=signed).ok()
    assert "it is signed “Mirko”, and this kit is Ada’s" in " ".join((shown.out + shown.err).split())
    own = reel("checkpoint", "--reply", "-", "--dry-run", stdin=page()).ok()
    assert "signed" not in own.out + own.err
    # the name is no part of the page
    reel("checkpoint", "--reply", "-", "--yes", stdin=signed).ok()
    [kept] = (told / "checkpoints").glob("*.yaml")
    flags = kept.read_text().partition("significance_flags:")[2].partition("\n\n")[0]
    assert "Mirko" not in flags.partition("reply:")[0]
