"""Titles wherever an ID is taken: whole, or in words that only one of them has."""

import json
import re
import shlex
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.files.index_file import put_lines
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.nearest import resolve_name
from reel_cli.core.values.memory import IndexLine
from reel_cli.core.values.talk import SourceRange
from tests.features.memory.test_memory import remembered  # noqa: F401 (a fixture)
from tests.support.cli import Reel, git

TITLES = {"M-001": "The letter that wasn't hers", "M-002": "A letter, late", "M-003": "Small clean knife"}


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("M-002", "M-002"),
        ("m-002", "M-002"),
        ("Small clean knife", "M-003"),
        ("“small CLEAN knife.”", "M-003"),
        ("knife", "M-003"),
        ("knife small", "M-003"),
        ("the letter that wasn’t hers", "M-001"),
        ("letter late", "M-002"),
        ("ife", None),
        ("kn", None),
        ("", None),
        ("?!", None),
    ],
)
def test_a_thing_is_meant_by_its_id_its_title_or_words_of_it(wanted: str, meant: str | None) -> None:
    assert resolve_name(wanted, TITLES, "memories") == meant


def test_words_that_could_mean_several_are_refused_with_all_of_them() -> None:
    with pytest.raises(
        ReelError, match=r"“letter” could be 2 memories: M-001 \(The letter.*M-002 \(A letter"
    ):
        resolve_name("letter", TITLES, "memories")


@pytest.mark.usefixtures("remembered")
def test_a_memory_is_shown_pinned_forgotten_and_restored_by_its_title(reel: Reel) -> None:
    assert reel("memory", "show", "ferry").ok().out.startswith("The ferry 渡し船\nM-001")
    assert (
        "The letter that wasn't hers (M-002) is pinned"
        in reel("memory", "pin", "the letter that wasn't hers").ok().out
    )
    gone = reel("forget", "letter hers", "--dry-run").ok().out
    assert gone.startswith("M-002  The letter that wasn't hers")
    assert "The letter that wasn't hers" in reel("forget", "letter that wasn't hers", "--yes").err
    assert "The letter that wasn't hers" in reel("forget", "The letter that wasn't hers", "--yes").ok().out
    assert "(M-002) is back" in reel("restore", "The letter that wasn't hers").ok().out
    assert reel("why", "the letter that wasn't hers").ok().out.startswith("M-002")


@pytest.mark.usefixtures("remembered")
def test_words_of_several_titles_change_nothing(reel: Reel, kit: Path) -> None:
    (kit / "ring3/M-001.md").write_text(
        (kit / "ring3/M-001.md").read_text().replace("The ferry 渡し船", "The ferry letter")
    )
    done = reel("forget", "letter", "--yes")
    assert done.code == 1
    assert "M-001 (The ferry letter)" in done.err
    assert "M-002 (The letter that wasn't hers)" in done.err
    assert (kit / "ring3/M-002.md").exists()


@pytest.mark.usefixtures("remembered")
def test_a_line_cut_from_a_memory_is_counted_as_no_memory(reel: Reel, kit: Path) -> None:
    """`reel forget gulls` named six memories where `reel memory list` showed two."""
    _retitle(kit, "M-001", "Gulls through the bollards")
    _retitle(kit, "M-002", "Gulls that respect them")
    places = [
        IndexLine(f"M-{number:03}", f"Gulls through the bollards: {who} said", "a phrase", (), immune=False,
                  where=SourceRange("2026-02-25-1", number, number))
        for number, who in ((90, "Jo"), (91, "you"))
    ]  # fmt: skip
    index = kit / INDEX
    index.write_text(put_lines(index.read_text(), places))
    told = reel("forget", "gulls").err
    assert "could be 2 memories: " in told
    assert "M-002 (Gulls that respect them)" in told
    assert "said)" not in told
    assert "“said” could be 2 places in the chats: M-090" in reel("forget", "said").err


@pytest.mark.usefixtures("remembered")
def test_a_title_that_is_nearly_right_is_answered_with_the_right_one(reel: Reel) -> None:
    done = reel("forget", "The leter that wasnt hers", "--yes")
    assert done.code == 1
    assert "Hint: did you mean M-002 (The letter that wasn't hers)?" in done.err


@pytest.mark.usefixtures("kit")
def test_an_example_is_named_by_its_title(reel: Reel) -> None:
    assert reel("exemplar", "show", "bus window").ok().out.startswith("The bus window\n")


@pytest.mark.usefixtures("kit")
def test_what_waits_is_decided_by_its_number_or_its_words(reel: Reel, kit: Path) -> None:
    (kit / "ring2/working.md").write_text("## State\n\nCalm.\n")
    shown = reel("review", "show", "ring2/working.md").ok().out
    assert reel("review").ok().out.startswith("1. ring2/working.md\n")
    assert reel("review", "show", "1").ok().out == shown
    assert reel("review", "show", "2").code == 1
    reel("review", "accept", "1", "--yes").ok()
    assert "Nothing waits" in reel("review").ok().out


@pytest.mark.needs("facts")
@pytest.mark.usefixtures("kit")
def test_a_fact_is_dropped_by_words_of_it(reel: Reel) -> None:
    reel("fact", "add", "health", "allergy", "penicillin").ok()
    reel("fact", "add", "health", "pollen", "birch, since childhood").ok()
    assert "allergy" in reel("fact", "history", "penicillin").ok().out
    assert "pollen" in reel("fact", "drop", "birch", "--yes").ok().out
    assert "penicillin" in reel("fact", "list").ok().out


@pytest.mark.usefixtures("kit")
def test_a_chat_is_named_by_its_title(reel: Reel) -> None:
    reel("record", "-", stdin="**You:** Chapter four needs a letter.\n\n**Ada:** Then write it.\n").ok()
    assert "Then write it." in reel("tape", "show", "chapter four").ok().out
    assert reel("tape", "show", "chapter nine").code == 1
    gone = reel("tape", "retract", "Chapter four needs a letter.", "--yes").ok().out
    assert "2026-03-01-1 is taken back" in gone


def _retitle(kit: Path, memory: str, title: str) -> None:
    path = kit / f"ring3/{memory}.md"
    path.write_text(re.sub(r"(?m)^title: .*$", f"title: {title}", path.read_text()))


@pytest.mark.usefixtures("remembered")
def test_words_without_quotes_are_one_title_and_never_several(reel: Reel, kit: Path) -> None:
    _retitle(kit, "M-001", "Camping with Coco")
    _retitle(kit, "M-002", "The shadow")
    mixed = reel("memory", "pin", "camping", "shadow")
    assert mixed.code == 1
    assert "M-001 (Camping with Coco), M-002 (The shadow)" in mixed.err
    assert "put a title of several words in quotes, or name each by its ID" in mixed.err
    for line in (("memory", "pin"), ("restore",), ("forget", "--yes")):
        assert reel(*line, "M-002", "camping").code == 1, line
    assert reel("memory", "pin", "M-001", "--dry-run").ok().out.startswith("M-001 would be pinned")
    done = reel("memory", "pin", "Camping", "with", "coco").ok()
    assert "Camping with Coco (M-001) is pinned" in done.out
    both = reel("memory", "pin", "1", "the shadow", "--dry-run")
    assert "The shadow (M-002)" in both.out + both.err


@pytest.mark.usefixtures("remembered")
def test_nothing_is_forgotten_unseen_by_a_part_of_its_title(reel: Reel, kit: Path) -> None:
    for options in (("--yes",), ()):
        done = reel("forget", "letter", *options, "--why", "it is over")
        assert done.code == 1
        assert "“letter” is only a part of a title, M-002 (The letter that wasn't hers)" in done.err
        typed = shlex.join(["forget", "M-002", "--why", "it is over", *options])
        assert f"if that is meant:  reel {typed}\n" in done.err
    assert (kit / "ring3/M-002.md").exists()
    asked = reel("forget", "letter", tty=True, stdin="y\n").ok()
    assert asked.err.index("M-002  The letter that wasn't hers") < asked.err.index("Let it go?")


@pytest.mark.usefixtures("kit")
def test_no_chat_is_taken_back_unseen_by_a_part_of_its_title(reel: Reel) -> None:
    reel("record", "-", stdin="**You:** Chapter four needs a letter.\n\n**Ada:** Then write it.\n").ok()
    done = reel("tape", "retract", "chapter four")
    assert done.code == 1
    assert "if that is meant:  reel tape retract 2026-03-01-1\n" in done.err
    assert "2026-03-01-1" in reel("tape", "retract", "chapter", "four", tty=True, stdin="n\n").err


@pytest.mark.usefixtures("kit")
def test_nothing_that_waits_is_rejected_unseen_by_a_part_of_its_words(reel: Reel, kit: Path) -> None:
    (kit / "ring2/working.md").write_text("## State\n\nCalm.\n")
    (what,) = (one["what"] for one in json.loads(reel("review", "--json").ok().out))
    part = " ".join(what.split()[:2])
    done = reel("review", "reject", part, "--yes")
    assert done.code == 1
    assert "if that is meant:  reel review reject ring2/working.md --yes\n" in done.err
    assert "Calm." in (kit / "ring2/working.md").read_text()
    reel("review", "reject", what, "--yes").ok()


@pytest.mark.usefixtures("kit")
def test_examples_are_put_in_use_one_by_one(reel: Reel) -> None:
    done = reel("exemplar", "activate", "bus", "nonsense")
    assert done.code == 1
    assert "the-bus-window (The bus window)" in done.err
    assert "in use already" in reel("exemplar", "activate", "The", "bus", "window").ok().err


@pytest.mark.usefixtures("remembered")
def test_words_of_a_memory_mean_it_and_not_the_lines_cut_from_it(reel: Reel, kit: Path) -> None:
    index = kit / "ring4/index.md"
    text = index.read_text(encoding="utf-8").rstrip("\n")
    line = 'M-009 | The letter that wasn\'t hers: Helen said | "the carbon of it" | relational | not immune'
    index.write_text(f"{text}\n{line}\n", encoding="utf-8")
    assert (
        reel("forget", "letter hers", "--dry-run").ok().out.startswith("M-002  The letter that wasn't hers")
    )
    assert "(M-009)" in reel("memory", "show", "letter helen").ok().out


@pytest.mark.usefixtures("remembered")
def test_a_memory_is_restored_by_words_that_lines_cut_from_it_have_too(reel: Reel, kit: Path) -> None:
    where = SourceRange("2026-02-25-1", 2, 2)
    cut = [
        IndexLine(f"M-00{n}", f"The letter that wasn't hers: {who} said", "ice", ("factual",), where=where)
        for n, who in ((4, "Bo"), (5, "you"))
    ]
    (kit / INDEX).write_text(put_lines((kit / INDEX).read_text(), cut))
    git(kit, "commit", "-qam", "two lines more")
    there = reel("restore", "letter")
    assert "could be" not in there.err
    assert "M-002" in there.err
    shown = reel("forget", "letter", "--dry-run").ok()
    assert shown.out.startswith("M-002")
    reel("forget", "M-002", "--yes").ok()
    # its own line is all that is left, beside those cut from it
    assert "(M-002) would come back" in reel("restore", "letter", "--dry-run").ok().out
    assert "(M-002) is back" in reel("restore", "letter").ok().out
    # words that only such a line has mean that
    assert "M-004" in reel("restore", "letter Bo").err
