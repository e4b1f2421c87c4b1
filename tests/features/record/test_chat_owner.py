"""Two kits on one machine: a chat that may belong to the other is recorded only after confirmation."""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.known_kits import list_kits
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.tape.voices import other_voices, own_entries
from tests.features.record.test_record_latest import put
from tests.features.watch.test_watch import chat_file
from tests.support.cli import Reel, git
from tests.support.pages import chat

LAKE = ("Is the ice thick?", "Thick enough for a hare.", "And for us?", "Ask the hare.")


@pytest.fixture
def other(reel: Reel, kit: Path) -> Path:
    """A kit called Vera, beside Ada's."""
    reel("init", "vera", "--template", "companion", "--name", "Vera", cwd=kit.parent).ok()
    return kit.parent / "vera"


@pytest.fixture
def lake(kit: Path) -> Path:
    """A chat of LM Studio's, which is the newest."""
    return put(Path.home() / ".lmstudio/conversations/1700000000000.conversation.json", chat_file(*LAKE))


def tavern(folder: Path, name: str, said: str = "The lamp is lit.", hour: int = 20) -> Path:
    """A chat of SillyTavern's with a character."""
    lines: list[dict[str, object]] = [
        {"user_name": "Bo", "character_name": name, "create_date": f"2026-02-20T{hour}:00:00Z"},
        {"name": "Bo", "is_user": True, "mes": "Is anybody in?", "send_date": f"2026-02-20T{hour}:01:00Z"},
        {"name": name, "is_user": False, "mes": said, "send_date": f"2026-02-20T{hour}:02:00Z"},
    ]
    file = folder / "evening.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def sessions(kit: Path) -> Sequence[str]:
    return sorted(path.stem for path in (kit / "tape").rglob("20*.md"))


@pytest.mark.parametrize(("person", "asked"), [("Bo", True), ("User", False)])
def test_a_bot_that_a_named_person_speaks_to_is_another_character(
    reel: Reel, kit: Path, person: str, *, asked: bool
) -> None:
    file = kit.parent / "wrong.txt"
    file.write_text(f"Bot: The invoice is ready.\n{person}: Send it on.\nBot: Sent.\n", "utf-8")
    done = reel("record", file, stdin="\n", tty=True).ok()
    assert ("It is a chat with Bot, and this kit is Ada." in done.err) is asked
    assert (sessions(kit) == []) is asked


@pytest.mark.parametrize("there", [True, False])
def test_a_group_chat_is_each_personas_who_spoke_in_it(
    reel: Reel, kit: Path, other: Path, *, there: bool
) -> None:
    """The file is as a group is saved (SillyTavern/SillyTavern `public/scripts/group-chats.js`)."""
    lines: list[dict[str, object]] = [
        {"chat_metadata": {"integrity": "g1"}, "user_name": "unused", "character_name": "unused"},
        {"name": "Bo", "is_user": True, "is_system": False, "mes": "Is anybody in?"},
        {"name": "Vera", "is_user": False, "is_system": False, "mes": "I am.", "original_avatar": "Vera.png"},
        {"name": "Ada" if there else "Cato", "is_user": False, "is_system": False, "mes": "And I."},
    ]
    file = kit.parent / "2026-02-20@20h00m00s.jsonl"
    file.write_text("\n".join(json.dumps(line | {"send_date": "2026-02-20T20:00:00Z"}) for line in lines))
    reel("record", file, cwd=other).ok()
    done = reel("record", file)
    assert (done.code == 0) is there
    assert len(sessions(kit)) == int(there)
    if not there:
        assert "It is a chat with Vera and Cato, and this kit is Ada." in done.err
    else:
        assert "Vera, Ada, 20 February 2026 20:00" in done.out
        assert "Vera: I am.\n" in reel("tape", "show", "2026-02-20-1").ok().out


# -- held by another kit ------------------------------------------------------------------------------


def test_the_newest_chat_that_another_kit_holds_is_not_taken_unasked(
    reel: Reel, kit: Path, other: Path, lake: Path
) -> None:
    reel("record", lake, cwd=other).ok()
    done = reel("end", stdin="\n", tty=True)
    assert done.code == 0
    assert f"Vera's kit ({other}) has this chat already." in " ".join(done.err.split())
    assert "all the same? [y/N]" in " ".join(done.err.split())
    assert "Nothing was recorded." in done.err
    assert sessions(kit) == []
    done = reel("end", "--yes")
    assert (done.code, "Newest chat:" in done.err) == (1, True)
    hint = f"reel end {lake} --yes"
    assert done.err.endswith(f"Hint: to record it here anyway:  {hint}\n")
    assert sessions(kit) == []
    reel(*hint.split()[1:]).ok()
    assert len(sessions(kit)) == 1


def test_a_person_may_say_so_all_the_same(reel: Reel, kit: Path, other: Path, lake: Path) -> None:
    reel("record", lake, cwd=other).ok()
    assert reel("record", lake, stdin="n\n", tty=True).ok().err.endswith("Nothing was recorded.\n")
    assert sessions(kit) == []
    reel("record", lake, stdin="y\n", tty=True).ok()
    assert len(sessions(kit)) == 1
    # from now on it is this kit's as well, and grows unasked
    put(lake, chat_file(*LAKE, "It said no.", "Wise."))
    assert "has grown: 2 added" in reel("record", lake).ok().out


def test_keep_does_not_take_another_kits_chat_unasked(reel: Reel, kit: Path, other: Path, lake: Path) -> None:
    reel("record", lake, cwd=other).ok()
    done = reel("keep", lake, "--prompt")
    assert (done.code, done.out) == (1, "")
    assert f"Vera's kit ({other}) has this chat already." in done.err
    hint = f"reel record {lake} --yes"
    assert done.err.endswith(f"Hint: to record it here anyway:  {hint}\n")
    done = reel("keep", lake, stdin="n\n", tty=True).ok()
    assert "Nothing was recorded." in done.err
    assert sessions(kit) == []
    reel(*hint.split()[1:]).ok()
    assert "Is the ice thick?" in reel("keep", lake, "--prompt").ok().out


@pytest.mark.parametrize("way", ["file", "latest"])
def test_a_script_does_not_put_it_into_the_wrong_kit(
    reel: Reel, kit: Path, other: Path, lake: Path, way: str
) -> None:
    reel("record", lake, cwd=other).ok()
    named = str(lake) if way == "file" else "--latest"
    done = reel("record", named)
    assert (done.code, done.out) == (1, "")
    assert f"Error: Vera's kit ({other}) has this chat already.\n" in done.err
    assert done.err.endswith(f"Hint: to record it here anyway:  reel record {named} --yes\n")
    assert sessions(kit) == []
    assert reel("record", named, "--dry-run").ok().out.startswith("Evening at the lake: new, ")
    reel("record", named, "--yes").ok()
    assert len(sessions(kit)) == 1


def test_a_pasted_chat_is_known_by_how_it_begins(reel: Reel, kit: Path, other: Path) -> None:
    reel("record", "-", stdin=chat(), cwd=other).ok()
    done = reel("record", "-", stdin=chat(("user", "One more."), ("assistant", "Go on.")))
    assert (done.code, "has this chat already" in done.err) == (1, True)
    reel("record", "-", "--yes", stdin=chat()).ok()


def test_what_the_other_kit_took_back_may_go_here(reel: Reel, kit: Path, other: Path, lake: Path) -> None:
    reel("record", lake, cwd=other).ok()
    reel("tape", "retract", sessions(other)[0], cwd=other).ok()
    reel("record", lake).ok()


def test_a_copy_of_this_kit_is_no_other_kit(reel: Reel, kit: Path, lake: Path) -> None:
    copy = kit.parent / "laptop"
    git(kit.parent, "clone", "-q", str(kit), str(copy))
    reel("record", lake, cwd=copy).ok()
    reel("record", lake).ok()


@pytest.mark.parametrize("fault", ["gone", "no cache", "damaged cache", "pipe", "no list", "odd list"])
def test_another_kit_that_is_broken_stops_nothing(
    reel: Reel, kit: Path, other: Path, lake: Path, fault: str
) -> None:
    reel("record", lake, cwd=other).ok()
    cache, kits = other / ".reel/cache/tape.sqlite", Path.home() / ".local/state/reel/kits"
    if fault == "gone":
        shutil.rmtree(other)
    elif fault == "no cache":
        cache.unlink()
    elif fault == "damaged cache":
        cache.write_bytes(b"\0" * 8192)
    elif fault == "pipe":
        cache.unlink()
        os.mkfifo(cache)
    elif fault == "no list":
        kits.unlink()
    else:
        kits.write_bytes(b"\xff\n/\0\nvera\n")
    reel("record", lake).ok()
    assert fault != "damaged cache" or cache.read_bytes() == b"\0" * 8192


def test_the_list_of_kits_is_private_short_and_only_paths(reel: Reel, kit: Path, other: Path) -> None:
    assert list_kits() == ()
    for place in (kit, other, kit):
        reel("start", cwd=place).ok()
    file = Path.home() / ".local/state/reel/kits"
    assert (file.read_text(), file.stat().st_mode & 0o777) == (f"{other}\n{kit}\n", 0o600)
    file.write_text("".join(f"/nowhere/{number}\n" for number in range(40)))
    reel("start").ok()
    assert (len(list_kits()), list_kits()[0]) == (1, kit)


@pytest.mark.parametrize("home", ["", "/nonexistent"])
def test_no_test_writes_into_a_home_that_is_not_its_own(reel: Reel, kit: Path, home: str) -> None:
    own = Path.home()
    assert own.parent.name.startswith("homes")
    reel("start", env={"HOME": home}).ok()
    assert (own / ".local/state/reel/kits").read_text() == f"{kit}\n"


def test_where_the_list_cannot_be_written_nothing_changes(reel: Reel, kit: Path, lake: Path) -> None:
    (Path.home() / ".local").write_text("a file\n")
    reel("start").ok()
    reel("record", lake).ok()


def test_what_is_watched_and_anothers_is_named_and_left_out(
    reel: Reel, kit: Path, other: Path, lake: Path
) -> None:
    from reel_cli.features.watch.watch_files import Follower
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.context import Context

    reel("record", lake, cwd=other).ok()
    context = Context(kit, Console())
    follower = Follower(context.open_kit(), [lake.parent], idle=0.0, format="auto")
    follower.begin(1.0, present=True)
    follower.end(2.0)
    assert sessions(kit) == []


# -- before the last start ----------------------------------------------------------------------------


def test_a_chat_that_began_before_the_last_start_is_asked_about(reel: Reel, kit: Path, lake: Path) -> None:
    reel("start").ok()
    done = reel("end", stdin="\n", tty=True).ok()
    assert "It began before the last  reel start  of Ada (1 March 2026), so perhaps not with Ada." in done.err
    assert "[y/N]" in done.err
    assert sessions(kit) == []
    done = reel("end", "--yes")
    assert (done.code, "It began before the last" in done.err) == (1, True)
    # who names the file is only told
    done = reel("record", lake).ok()
    assert "It began before the last  reel start  of Ada (1 March 2026), so perhaps not with Ada." in done.err
    assert len(sessions(kit)) == 1


def test_one_that_goes_on_is_no_stranger(reel: Reel, kit: Path, lake: Path) -> None:
    reel("record", lake).ok()
    reel("start").ok()
    put(lake, chat_file(*LAKE, "It said no.", "Wise."))
    assert "[Y/n/q]" in reel("end", stdin="n\n", tty=True).ok().err
    reel("end", "--yes").ok()


def test_a_chat_that_holds_the_bundle_began_with_it(reel: Reel, kit: Path) -> None:
    bundle = reel("pack").ok().out
    reel("start").ok()
    talk = json.loads(chat())
    talk["messages"].insert(0, {"role": "system", "content": bundle})
    done = reel("record", "-", stdin=json.dumps(talk)).ok()
    assert "began before" not in done.err


def test_a_chat_of_the_day_of_the_last_start_is_no_older_one(reel: Reel, kit: Path) -> None:
    reel("start").ok()
    talk = "**Bo:** Is anybody in?\n\n**Ada:** The lamp is lit.\n"
    (kit.parent / "2026-03-01 evening.md").write_text(talk)
    assert "began before" not in reel("record", kit.parent / "2026-03-01 evening.md").ok().err


# -- another name -------------------------------------------------------------------------------------


def test_a_chat_with_another_character_is_refused_to_a_script(reel: Reel, kit: Path) -> None:
    file = tavern(kit.parent, "Seraphina")
    done = reel("record", file)
    assert (done.code, done.out) == (1, "")
    assert "Error: It is a chat with Seraphina, and this kit is Ada. What they answer" in done.err
    assert sessions(kit) == []
    assert "[y/N]" in reel("record", file, stdin="\n", tty=True).ok().err
    assert sessions(kit) == []
    reel("record", file, "--yes").ok()
    assert len(sessions(kit)) == 1


@pytest.mark.parametrize("name", ["Ada", "ADA", " ada ", "A d a", "Ada Bright", "assistant", "GPT-4o"])
def test_the_same_name_in_other_letters_and_no_name_at_all(reel: Reel, kit: Path, name: str) -> None:
    reel("record", tavern(kit.parent, name)).ok()


def test_the_names_of_the_card_are_the_personas_as_well(reel: Reel, tmp_path: Path) -> None:
    card = {
        "spec": "chara_card_v3",
        "spec_version": "3.0",
        "data": {"name": "Seraphina", "nickname": "Sera", "description": "{{char}} keeps the light."},
    }
    (tmp_path / "card.json").write_text(json.dumps(card))
    reel("init", "sera", "--card", tmp_path / "card.json").ok()
    for name, said in (("Seraphina", "One."), ("Sera", "Two.")):
        folder = tmp_path / name
        folder.mkdir()
        reel("record", tavern(folder, name, said), cwd=reel.cwd / "sera").ok()


def test_a_chat_that_begins_with_the_bundle_of_another_persona(reel: Reel, kit: Path, other: Path) -> None:
    bundle = reel("pack", cwd=other).ok().out
    talk = json.loads(chat())
    talk["messages"].insert(0, {"role": "user", "content": bundle})
    done = reel("record", "-", stdin=json.dumps(talk))
    assert (done.code, "It begins with a bundle of Vera, and this kit is Ada." in done.err) == (1, True)
    assert sessions(kit) == []
    reel("record", "-", stdin=json.dumps(talk), cwd=other).ok()


# -- several at once ----------------------------------------------------------------------------------


@pytest.fixture
def evenings(kit: Path, other: Path, reel: Reel, tmp_path: Path) -> Path:
    """Three chats: Vera's kit holds the first, another character speaks in the second, the third is Ada's."""
    folder = tmp_path / "evenings"
    folder.mkdir()
    for number, name in ((1, "Ada"), (2, "Seraphina"), (3, "Ada")):
        tavern(folder, name, f"Evening {number}.", 10 + number).rename(folder / f"{number}.jsonl")
    reel("record", folder / "1.jsonl", "--yes", cwd=other).ok()
    return folder


def added(reel: Reel, kit: Path) -> str:
    return "".join(next((kit / "tape").rglob(f"{name}.md")).read_text() for name in sessions(kit))


def test_of_many_chats_those_of_others_are_left_out_by_a_script(
    reel: Reel, kit: Path, evenings: Path
) -> None:
    done = reel("record", evenings)
    assert done.code == 1
    told = " ".join(done.err.split())
    assert "2 of 3 conversations were left out" in told
    assert "has this chat already." in told
    hint = f"reel record {evenings} --select 1-2 --yes"
    assert done.err.endswith(f"Hint: to record them here anyway:  {hint}\n")
    assert ("Evening 3." in added(reel, kit), len(sessions(kit))) == (True, 1)
    # asked again, what is here already is no stranger
    rows = json.loads(reel("record", evenings, "--json").out)
    assert [one["number"] for one in rows["left_out"]] == [1, 2]
    assert "Seraphina, and this kit is Ada" in rows["left_out"][1]["why"]
    reel(*hint.split()[1:]).ok()
    assert len(sessions(kit)) == 3


def test_a_person_is_asked_once_for_all_and_no_is_the_default(reel: Reel, kit: Path, evenings: Path) -> None:
    done = reel("record", evenings, stdin="\n", tty=True).ok()
    told = " ".join(done.err.split())
    assert "has this chat already." in told
    assert "It is a chat with Seraphina, and this kit is Ada." in told
    assert "Record these 2 here anyway? [y/N]" in told
    assert "Left out: 2 of 3." in told
    assert len(sessions(kit)) == 1
    reel("record", evenings, stdin="y\n", tty=True).ok()
    assert len(sessions(kit)) == 3


def test_where_all_of_many_are_others_nothing_is_recorded(reel: Reel, kit: Path, evenings: Path) -> None:
    done = reel("record", evenings, "--select", "1,2")
    assert (done.code, done.out, sessions(kit)) == (1, "", [])
    assert (
        reel("record", evenings, "--select", "1,2", stdin="\n", tty=True)
        .ok()
        .err.endswith("Nothing was recorded.\n")
    )
    assert sessions(kit) == []
    # of one that was chosen among several, the hint names no other
    done = reel("record", evenings, "--select", "2")
    hint = f"reel record {evenings} --select 2 --yes"
    assert done.err.endswith(f"Hint: to record it here anyway:  {hint}\n")
    reel(*hint.split()[1:]).ok()
    assert (len(sessions(kit)), "Evening 2." in added(reel, kit)) == (1, True)


@pytest.mark.parametrize("how", ["--yes", "--dry-run"])
def test_of_many_a_yes_is_a_yes_and_each_is_named(reel: Reel, kit: Path, evenings: Path, how: str) -> None:
    told = " ".join(reel("record", evenings, how).ok().err.split())
    assert "has this chat already." in told
    assert "It is a chat with Seraphina, and this kit is Ada." in told
    assert len(sessions(kit)) == (3 if how == "--yes" else 0)


def test_chats_that_name_the_persona_are_in_no_doubt_however_old(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    """Folder, file and speaker all said Ada, and reel said that it was perhaps not with Ada."""
    for number in (1, 2):
        tavern(tmp_path, "Ada", f"Evening {number}.", 10 + number).rename(tmp_path / f"Ada - {number}.jsonl")
    reel("start").ok()
    done = reel("record", tmp_path / "Ada - 1.jsonl", tmp_path / "Ada - 2.jsonl").ok()
    assert "perhaps not" not in done.err
    # the step that  reel  names too
    assert done.err.endswith("Next:  reel end\n")
    assert reel().ok().out.endswith("Next:  reel end\n")
    assert len(sessions(kit)) == 2


def test_an_export_with_chats_older_than_the_last_start_is_taken_and_told_of(
    reel: Reel, kit: Path, evenings: Path
) -> None:
    for number in (1, 2):
        talk = json.loads(chat_file("And the reeds?", f"They stood {number} times.", "Good.", "So they did."))
        talk |= {"name": f"Reeds {number}", "createdAt": 1700000000000 + number * 86_400_000}
        put(evenings / f"{number}.conversation.json", json.dumps(talk))
    (evenings / "3.jsonl").unlink()
    reel("start").ok()
    done = reel("record", evenings)
    assert (
        "2 of these chats began before the last  reel start  of Ada (1 March 2026), so perhaps not with Ada."
        in done.err
    )
    assert (done.code, len(sessions(kit))) == (1, 2)


def test_a_folder_s_chat_that_does_not_name_the_persona_is_asked_about(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "conversations"
    folder.mkdir()
    chat = {"title": "Soup", "messages": [{"role": "user", "content": "How many lentils?"}]}
    chat["messages"] += [{"role": "assistant", "content": "600 g."}]  # type: ignore[operator]
    (folder / "soup.json").write_text(json.dumps(chat))
    done = reel("record", folder, stdin="\n", tty=True).ok()
    told = " ".join(done.err.split())
    assert "“Soup”: Ada is not named in it. Record it here anyway? [y/N]" in told
    assert sessions(kit) == []
    reel("record", folder, "--yes", tty=True).ok()
    assert len(sessions(kit)) == 1
    # what is here already is no stranger
    assert "anyway" not in reel("record", folder, tty=True).ok().err


BOTH = (
    "Bo: had coffee with Uma\n\nAda: And?\n\nBo: she laughed\n\nAda: Good.\n\n"
    "Bo: raid was cool\nLuna: Did Kasimir heal?\nBo: he did\nLuna: Ledger intact?\n\n"
    "Bo: back\n\nAda: Tell me.\n"
)


def test_a_paste_that_holds_another_kits_persona_too_is_asked_about(reel: Reel, kit: Path) -> None:
    reel("init", "../luna", "--template", "companion", "--name", "Luna", "--user", "Bo").ok()
    reel("start", cwd=kit.parent / "luna").ok()
    (kit.parent / "both.txt").write_text(BOTH)
    refused = reel("end", "../both.txt")
    assert refused.code == 1
    assert "2 lines in it begin with “Luna”, the persona of another kit" in refused.err
    asked = reel("end", "../both.txt", tty=True, stdin="n\n")
    assert "Record it here anyway?" in asked.err
    assert "Recorded" not in asked.out
    assert "Recorded" in reel("end", "../both.txt", "--yes").out


def test_a_paste_that_only_quotes_another_persona_is_not(reel: Reel, kit: Path) -> None:
    reel("init", "../luna", "--template", "companion", "--name", "Luna", "--user", "Bo").ok()
    reel("start", cwd=kit.parent / "luna").ok()
    (kit.parent / "one.txt").write_text(BOTH.replace("Luna: Ledger", "he: Ledger"))
    assert "Recorded" in reel("end", "../one.txt").out


@pytest.mark.needs("facts")
def test_answers_of_another_in_a_chat_recorded_all_the_same_are_not_the_personas(
    reel: Reel, kit: Path
) -> None:
    file = tavern(kit.parent, "Seraphina", "I was born in Brest.")
    told = reel("record", file, "--yes").ok()
    assert "What they answer will not count as Ada's own words." in " ".join(told.err.split())
    lines = file.read_text().splitlines()
    more = [
        {"name": "Bo", "is_user": True, "is_system": False, "mes": "And then?"},
        {"name": "Seraphina", "is_user": False, "is_system": False, "mes": "I went to sea."},
    ]
    file.write_text("\n".join([*lines, *map(json.dumps, more)]) + "\n")
    reel("record", file, "--yes").ok()
    # recorded once more, nothing is new
    assert "nothing was added" in reel("record", file, "--yes").ok().out
    (name,) = sessions(kit)
    snapshot = Snapshot(WorkTree(kit), "ada")
    shown = read_session(snapshot, name).shown()
    assert [one.message.text for one in shown][-1] == "I went to sea."
    assert other_voices(shown, ["Ada"]) == {"Seraphina"}
    assert not own_entries(shown, ["Ada"])
    line = 'own | birthplace | born in Brest | "I was born in Brest" | 0.9'
    refused = reel(
        "fact", "extract", "--reply", "-", "--yes", stdin=f"## What I know for sure\n{line}\n\nAda\n"
    )
    assert "“I was born in Brest” was said by Seraphina" in refused.err
    # who was renamed keeps the words of its earlier chats
    later = kit.parent / "later"
    later.mkdir()
    reel("record", tavern(later, "Ada", "I light the lamp.", 22)).ok()
    shown = read_session(Snapshot(WorkTree(kit), "ada"), sessions(kit)[-1]).shown()
    assert [one.message.text for one in own_entries(shown, ["Nova"])] == ["I light the lamp."]


def test_a_persona_that_is_renamed_to_the_other_of_a_chat_has_its_answers(reel: Reel, kit: Path) -> None:
    file = tavern(kit.parent, "Bea", "I was born in Brest.")
    reel("record", file, "--yes").ok()

    def grow(said: str) -> list[str | None]:
        more = {"name": "Bea", "is_user": False, "is_system": False, "mes": said}
        file.write_text(f"{file.read_text()}{json.dumps(more)}\n")
        reel("record", file, "--yes").ok()
        shown = read_session(Snapshot(WorkTree(kit), "ada"), sessions(kit)[-1]).shown()
        assert shown[-1].message.text == said
        return [one.message.mark for one in shown if one.message.role == "assistant"]

    assert grow("I went to sea.") == ["another", "another"]
    reel("config", "name", "Bea").ok()
    assert grow("I came home.") == ["another", "another", None]
    shown = read_session(Snapshot(WorkTree(kit), "ada"), sessions(kit)[-1]).shown()
    assert len(own_entries(shown, ["Bea"])) == 3
