"""Commands that there are none of: the one that is meant is named, whatever was mistyped."""

from pathlib import Path

import pytest

from reel_cli.features.table import COMMANDS
from reel_cli.terminal.unknown_command import unknown_command
from tests.support.cli import Reel

FACT = ("list", "add", "drop", "extract", "history")


@pytest.mark.parametrize(
    ("typed", "rest", "meant"),
    [
        (["ed"], ["identity"], "reel edit identity"),
        (["undoo"], [], "reel undo"),
        (["find"], ["poems"], "reel recall"),
        (["serach"], ["poems"], "reel search poems"),
        (["note"], [], "reel edit now"),
        (["accept"], ["1"], "reel review accept 1"),
        (["reject"], [], "reel review reject ITEM"),
        (["finish"], [], "reel end"),
        (["card"], [], "reel export card"),
        (["done"], [], "reel end"),
        (["ex"], [], ""),
        (["xyzzy"], [], ""),
    ],
)
def test_the_command_that_is_meant_is_named(typed: list[str], rest: list[str], meant: str) -> None:
    told = str(unknown_command(typed, list(COMMANDS), rest))
    assert told == f'No command "{typed[0]}".' + (f" Did you mean: {meant}" if meant else "")


TYPOS = (
    "strat=start statr=start ende=end edn=end recal=recall reacll=recall recod=record rcord=record"
    " reviwe=review reveiw=review staus=status statsu=status undu=undo redoo=redo lgo=log memry=memory"
    " memmory=memory facst=fact fct=fact forgt=forget resotre=restore confg=config docter=doctor"
    " doctro=doctor bakcup=backup viw=view hlep=help wyh=why dif=diff exmaple=example mantain=maintain"
    " shlef=shelf packk=pack chekpont=checkpoint consoldate=consolidate taep=tape modle=model kist=kits"
    " sevre=serve exprot=export migrat=migrate purg=purge"
    " recall?=recall model-list=model memory-show=memory bundel=pack"
)


@pytest.mark.parametrize("slip", TYPOS.split())
def test_a_slip_of_the_hand_is_the_command_that_it_looks_like(slip: str) -> None:
    typed, _, meant = slip.partition("=")
    assert str(unknown_command([typed], list(COMMANDS))).endswith(f"Did you mean: reel {meant}")


@pytest.mark.parametrize(
    "typed", ["thread", "threds", "intake", "wacth", "retitle", "label", "stram", "weather"]
)
def test_another_word_is_no_slip_of_the_hand(typed: str) -> None:
    """`bundle` was taken for `undo`, and `thread` for `redo`, which change the kit."""
    assert "Did you mean" not in str(unknown_command([typed], list(COMMANDS)))


@pytest.mark.needs("facts")
def test_a_word_of_a_group_leads_to_the_command_for_it() -> None:
    assert "reel fact drop KEY" in str(unknown_command(["fact", "forget"], FACT))
    assert "reel fact list" in str(unknown_command(["fact", "show"], FACT))
    assert "reel fact history" in str(unknown_command(["fact", "hist"], FACT))


@pytest.mark.usefixtures("kit")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (
            "export presett --for sillytavern --out p.json",
            "reel export preset --for sillytavern --out p.json",
        ),
        ("fact forget shrimp", "reel fact drop shrimp"),
        ("fact lst", "reel fact list"),
    ],
)
def test_what_was_typed_behind_a_mistyped_word_of_a_group_stays(reel: Reel, typed: str, meant: str) -> None:
    done = reel(*typed.split())
    assert (done.code, done.err.rstrip().endswith(f"Did you mean: {meant}")) == (2, True)


@pytest.mark.parametrize("typed", ["end {}", "record {}", "checkpoint --reply {}"])
def test_a_file_whose_name_has_a_blank_is_to_be_quoted(reel: Reel, kit: Path, typed: str) -> None:
    (kit.parent / "evening 1.txt").write_text("You: hi\n")
    done = reel(*typed.format("../evening 1.txt").split())
    assert done.code in (1, 2)
    meant = f"reel {typed.format(chr(39) + '../evening 1.txt' + chr(39))}"
    assert f"Hint: put quotes around a name of several words:  {meant}\n" in done.err


@pytest.mark.usefixtures("kit")
@pytest.mark.parametrize("typed", ["export card ada.json", "start all"])
def test_a_command_and_its_word_are_no_name(reel: Reel, typed: str) -> None:
    done = reel(*typed.split())
    assert (done.code, "quotes" in done.err) == (2, False)
    assert f"see  reel {typed.rpartition(' ')[0]} --help" in done.err


@pytest.mark.usefixtures("kit")
def test_a_title_of_several_words_is_to_be_quoted(reel: Reel) -> None:
    done = reel("fact", "history", "the", "bell")
    meant = "reel fact history 'the bell'"
    assert (done.code, f"of several words:  {meant}\n" in done.err) == (2, True)


def test_a_home_folder_that_the_shell_did_not_open_is_found(reel: Reel, kit: Path, tmp_path: Path) -> None:
    named = f"~/{kit.name}"
    done = reel("--kit", named, "status", cwd=tmp_path, env={"HOME": str(kit.parent)})
    assert done.ok().out.startswith("Ada")


@pytest.mark.usefixtures("kit")
@pytest.mark.parametrize(
    ("typed", "help_of"),
    [
        ("start --cue", "reel start --help"),
        ("--kit . start --cue", "reel --kit . start --help"),
        ("tape show --at", "reel tape show --help"),
        ("--kit", "reel --help"),
    ],
)
def test_an_option_without_its_value_leads_to_the_help_that_has_it(
    reel: Reel, typed: str, help_of: str
) -> None:
    done = reel(*typed.split())
    assert (done.code, "requires an argument" in done.err) == (2, True)
    assert f"Hint: see  {help_of}\n" in done.err
    assert typed.rsplit(maxsplit=1)[-1] in reel(*help_of.split()[1:]).ok().out
