"""Chats kept apart: each takes in what the kit knows, and what is said in one is known in no other."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from reel_cli.core.files.memory_file import render_body
from reel_cli.core.values.memory import FIELDS, Level, Memory
from tests.support.cli import Reel, git
from tests.support.past import keep
from tests.support.secrets import SECRETS, read_answers, read_tools, text_of
from tests.support.shelf import ready_made

HOME, PLAY, KIM, BRANCH = SECRETS[:25], SECRETS[25:50], SECRETS[50:75], SECRETS[75:]
"""The words of the kit, of two chats and of a branch."""


BOAT = Memory(
    id="M-001",
    uid="b0a7b0a7",
    title="The boat",
    level=Level.L1,
    body=render_body({FIELDS[0]: "Bo has a boat and painted it bottle green."}),
    created="2026-02-10T22:00:00Z",
    sessions=(),
    anchor="bottle green",
    marker="Bo painted his boat bottle green.",
    tag="The boat",
)


def chat(place: Path, name: str, said: list[str], day: str) -> Path:
    """Write a chat as an app exports it, in which these words are said."""
    messages = [{"role": "user", "content": f"Only between us: {one} is the word."} for one in said]
    messages.insert(1, {"role": "assistant", "content": "I keep it."})
    file = place / f"{name}.json"
    told = {"title": name, "created_at": f"{day}T19:00:00+00:00", "messages": messages}
    file.write_text(json.dumps(told))
    return file


def live(reel: Reel, kit: Path, secrets: list[str], day: str, *chats: Path) -> None:
    """Have a kit hold secrets in every place it has: chats, memories, facts, notes, a story, the shelf."""
    said, kept, facts, notes = secrets[:8], secrets[8:14], secrets[14:18], secrets[18:22]
    for file in (chat(kit.parent, f"{kit.name}-{day}", said, day), *chats):
        reel("record", file, "--yes", cwd=kit).ok()
    first = 200 + SECRETS.index(secrets[0])
    keep(
        kit,
        *(
            replace(
                BOAT,
                id=f"M-{number:03d}",
                uid=f"{number:08x}",
                title=f"The word {word}",
                body=render_body({FIELDS[0]: f"Bo said that {word} is his word."}),
                marker=f"The word is {word}.",
                anchor="the word",
            )
            for number, word in enumerate(kept, first)
        ),
    )
    reel("fact", "add", "identity", f"words{first}", " ".join(facts), cwd=kit).ok()
    now = kit / "ring2/working.md"
    now.write_text(now.read_text().replace("## State\n", f"## State\n\n{' '.join(notes)}\n", 1))
    (kit / "story").mkdir(exist_ok=True)
    (kit / "SHARED-CONTEXT.md").write_text(f"# How things are now\n\n{' '.join(secrets[22:])}\n")
    git(kit, "add", ".")
    git(kit, "commit", "-q", "-m", "more to know")


@pytest.fixture
def place(reel: Reel, kit: Path) -> Path:
    """The folder of Ada's kit, a role-play, a chat with Kim and a branch of a chat, each with its secrets."""

    def make() -> None:
        reel("apart", "roleplay").ok()
        reel("apart", "kim").ok()
        whole = chat(kit.parent, "evening", ["the lamp", "the oar", "the hull"], "2026-02-11")
        reel("record", whole, "--yes").ok()
        # the chat went on in two ways from its first words
        reel("apart", "branch").ok()
        folder = kit.parent / f"{kit.name}-chats"
        fork = chat(kit.parent, "evening", ["the lamp", BRANCH[24]], "2026-02-11")
        live(reel, folder / "branch", BRANCH, "2026-02-12", fork)
        live(reel, folder / "roleplay", PLAY, "2026-02-13")
        live(reel, folder / "kim", KIM, "2026-02-14")
        live(reel, kit, HOME, "2026-02-15")

    ready_made(kit.parent, "chats kept apart", make)
    return kit.parent


def leaks(text: str, own: list[str]) -> list[str]:
    return [secret for secret in SECRETS if secret not in own and secret in text]


@pytest.mark.parametrize(
    ("name", "own"),
    [(None, HOME), ("roleplay", [*HOME, *PLAY]), ("kim", [*HOME, *KIM]), ("branch", [*HOME, *BRANCH])],
    ids=["home", "roleplay", "kim", "branch"],
)
def test_what_is_known_in_one_chat_is_in_nothing_made_for_another(
    reel: Reel, kit: Path, place: Path, name: str | None, own: list[str]
) -> None:
    chosen = ("--chat", name) if name else ()
    reel("status", *chosen).ok()
    folder = place / f"{kit.name}-chats" / name if name else kit
    assert leaks(text_of(folder), own) == []
    history = git(folder, "log", "-p", "--all")
    assert "veldane00" in history
    assert leaks(history, own) == []
    asked = [*SECRETS[::12], "word", "only between us", "what is his word", "lamp"]
    told = [
        *read_answers(reel, kit, asked, chosen),
        *read_tools(kit, ["word", "lamp", *SECRETS[::20]], name),
    ]
    assert {what: leaks(text, own) for what, text in told if leaks(text, own)} == {}
    # what the chat itself knows is told, and so is what is known everywhere; how things are now is the newest
    everything = "".join(text for _, text in told)
    assert [one for one in own if one not in everything and one not in own[-3:]] == []


def test_what_a_chat_says_goes_nowhere_and_what_the_kit_learns_comes_in(reel: Reel, kit: Path) -> None:
    begun = reel("apart", "roleplay").ok()
    assert "reel --chat roleplay start" in begun.err
    home = kit.parent
    reel("record", chat(home, "play", ["veldane"], "2026-02-11"), "--yes", "--chat", "roleplay").ok()
    reel("record", chat(home, "gull", ["Pim", "the gull"], "2026-02-11"), "--yes").ok()

    recalled = reel("recall", "gull", "--chat", "roleplay").ok()

    assert "the gull is the word" in recalled.out
    assert "Ada knows here now what it came to know elsewhere since." in recalled.err
    assert "veldane" in reel("recall", "veldane", "--chat", "roleplay").out
    assert "veldane is the word" not in reel("recall", "veldane").out
    assert reel("doctor", "--chat", "roleplay").out.startswith("No problem found")
    assert reel("doctor").out.startswith("No problem found")
    listed = json.loads(reel("apart", "--json").ok().out)
    assert [(one["chat"], one["sessions"]) for one in listed] == [("roleplay", 1)]


def test_next_steps_name_the_chat_and_its_bundle_says_which_it_is(reel: Reel, kit: Path) -> None:
    reel("apart", "roleplay").ok()
    started = reel("start", "--chat", "roleplay").ok()
    assert "reel --chat roleplay end" in started.err
    assert "This chat is kept apart, as “roleplay”" in started.out
    assert "kept apart" not in reel("start").ok().out
    # where the kit was named, it is named again
    begun = reel("--kit", kit, "apart", "kim", cwd=kit.parent).ok()
    assert f"reel --kit {kit} --chat kim start" in " ".join(begun.err.split())
    started = reel("--kit", kit, "start", "--chat", "kim", cwd=kit.parent).ok()
    assert f"reel --kit {kit} --chat kim end" in " ".join(started.err.split())


def test_a_chat_that_begins_with_the_bundle_of_another_is_not_recorded_unasked(reel: Reel, kit: Path) -> None:
    reel("apart", "roleplay").ok()
    bundle = reel("start", "--chat", "roleplay").ok().out
    said = [("user", f"{bundle}\nThe word is veldane."), ("assistant", "I keep it."), ("user", "Good.")]
    messages = [{"role": role, "content": text} for role, text in said]
    file = kit.parent / "play.json"
    file.write_text(json.dumps({"created_at": "2026-03-11T21:30:00+00:00", "messages": messages}))

    refused = reel("record", file)

    assert refused.code == 1
    assert "It begins with a bundle of “roleplay”, a chat kept apart" in refused.err
    assert not list(kit.rglob("tape/2026/2026-03-11*"))
    reel("record", file, "--chat", "roleplay").ok()
    # what a chat kept apart holds already is not recorded elsewhere either
    plain = [{"role": role, "content": text.removeprefix(bundle)} for role, text in said]
    file.write_text(json.dumps({"created_at": "2026-03-11T21:30:00+00:00", "messages": plain}))
    assert "The chat kept apart “roleplay”" in reel("record", file).err


def test_what_both_changed_stays_as_the_chat_has_it(reel: Reel, kit: Path) -> None:
    reel("apart", "kim").ok()
    reel("config", "user", "Kim", "--chat", "kim").ok()
    reel("config", "user", "Bo Lind").ok()
    taken = reel("status", "--chat", "kim").ok()
    assert "kit.yaml was changed in both; this chat keeps its own." in taken.err
    assert "Kim" in (kit.parent / f"{kit.name}-chats/kim/kit.yaml").read_text()
    assert "Bo Lind" in (kit / "kit.yaml").read_text()
    assert "taken in" not in reel("status", "--chat", "kim").ok().err


def test_a_history_written_anew_is_not_mixed_in_and_a_purge_names_the_copies(reel: Reel, kit: Path) -> None:
    reel("record", chat(kit.parent, "one", ["veldane", "the oar"], "2026-02-11"), "--yes").ok()
    reel("apart", "roleplay").ok()
    foretold = reel("purge", "--match", "veldane", "--dry-run").ok()
    assert "reel --chat roleplay purge --match -" in foretold.out
    purged = reel("purge", "--match", "veldane", "--confirm", "Ada").ok()
    assert "reel --chat roleplay purge --match -" in purged.err
    folder = kit.parent / f"{kit.name}-chats/roleplay"
    before = git(folder, "rev-parse", "HEAD")
    told = reel("status", "--chat", "roleplay").ok()
    assert "history was written anew" in told.err
    assert "reel --chat roleplay apart" not in told.err
    assert git(folder, "rev-parse", "HEAD") == before
    assert "written anew" not in reel("status", "--chat", "roleplay").ok().err
    reel("purge", "--match", "veldane", "--confirm", "Ada", "--chat", "roleplay").ok()
    assert "veldane" not in git(folder, "log", "-p", "--all")


def test_a_recorded_chat_does_not_move_into_one_that_is_there_and_the_way_is_named(
    reel: Reel, kit: Path
) -> None:
    """REEL §12.1: what was said in a chat can be kept apart later on."""
    reel("record", chat(kit.parent, "a", ["ullage"], "2026-02-25")).ok()
    reel("apart", "play").ok()
    refused = reel("apart", "play", "2026-02-25-1", "--yes")
    assert refused.code == 1
    command = "apart play-2 2026-02-25-1"
    assert f"a recorded chat can only begin a new one:  reel {command}" in refused.err
    reel(*command.split(), "--yes").ok()


def test_names_that_are_none_and_a_home_that_is_gone(reel: Reel, kit: Path) -> None:
    missing = reel("start", "--chat", "play")
    assert (missing.code, "No chat “play” is kept apart here." in missing.err) == (1, True)
    assert "to begin one:  reel apart NAME" in missing.err
    nameless = reel("status", "--chat")
    assert (nameless.code, "--chat wants the name of a chat." in nameless.err) == (2, True)
    assert reel("apart", "../play").code == 1
    reel("apart", "play").ok()
    assert reel("apart", "Play").code == 1
    folder = kit.parent / f"{kit.name}-chats/play"
    assert "kept apart already" in reel("apart", "more", cwd=folder).err
    away = kit.rename(kit.parent / "away")
    assert reel("pack", cwd=folder).ok().out
    assert "The kit that this chat takes in from is not there" in reel("doctor", cwd=folder).out
    shutil.rmtree(folder)
    assert away.is_dir()


def test_a_kit_that_is_renamed_with_its_chats_still_has_them(reel: Reel, kit: Path) -> None:
    reel("apart", "play").ok()
    renamed = kit.rename(kit.parent / "vera")
    chats = kit.parent / f"{kit.name}-chats"
    told = reel("doctor", cwd=chats / "play").out
    assert "rename the folder of its chats with it" in " ".join(told.split())
    chats.rename(kit.parent / "vera-chats")
    reel.cwd = renamed
    assert json.loads(reel("apart", "--json").ok().out)[0]["chat"] == "play"
    reel("record", chat(kit.parent, "gull", ["Pim", "the gull"], "2026-02-11"), "--yes").ok()
    assert "the gull is the word" in reel("recall", "gull", "--chat", "play").ok().out
    assert "is not there" not in reel("doctor", "--chat", "play").out


def test_a_file_where_the_chats_would_lie_is_left_alone(reel: Reel, kit: Path) -> None:
    (kit.parent / f"{kit.name}-chats").write_text("mine")
    refused = reel("apart", "play")
    assert (refused.code, "and it is no folder" in refused.err) == (1, True)
    assert (kit.parent / f"{kit.name}-chats").read_text() == "mine"


def test_a_memory_of_a_chat_kept_apart_can_be_told_by_a_word(reel: Reel, kit: Path) -> None:
    pytest.importorskip("reel_cli.features.share")
    reel("apart", "play").ok()
    folder = kit.parent / f"{kit.name}-chats/play"
    keep(folder, BOAT)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "the boat")
    reel("share", "M-001", "--with", kit, "--yes", cwd=folder).ok()
    assert "S-001" in reel("share").ok().out
    assert "bottle green" not in reel("pack").ok().out


def tavern(file: Path, end: list[str], hour: int, copied_from: str = "") -> Path:
    """Write a chat as SillyTavern stores it: a beginning, then these words of the person at that hour."""
    head = {"user_name": "Bo", "character_name": "Ada", "create_date": "2026-03-05@20h00m00s"}
    whole = {**head, "chat_metadata": {"main_chat": copied_from} if copied_from else {}}
    begun = ["Good evening from the harbour.", "I saw the blue boat."]
    lines: list[dict[str, object]] = []
    for at, text in enumerate([*begun, *end]):
        when = f"March 5, 2026 {8 if at < len(begun) else hour}:{len(lines):02d}pm"
        lines.append({"name": "Bo", "is_user": True, "send_date": when, "mes": text})
        lines.append({"name": "Ada", "is_user": False, "send_date": when, "mes": f"I heard: {text}"})
    file.write_text("".join(json.dumps(line) + "\n" for line in (whole, *lines)))
    return file


def test_a_fork_kept_apart_is_asked_about_elsewhere(reel: Reel, kit: Path) -> None:
    """REEL §12.1: scope by branch of a chat, also where the kit has the chat that it is a branch of."""
    place = kit.parent
    fork = tavern(place / "branch.jsonl", ["The code in the fork is ULLAGE-77."], 9, "main")
    reel("apart", "fork").ok()
    reel("record", tavern(place / "main.jsonl", ["Shall we go north?"], 8)).ok()
    reel("--chat", "fork", "record", fork).ok()
    for words in (("record", fork), ("end", fork), ("keep", fork)):
        refused = reel(*words)
        assert refused.code == 1
        assert "It goes on in “fork”, a chat kept apart" in " ".join(refused.err.split())
    assert "ULLAGE" not in text_of(kit)
    # the kit's own chat goes on as ever, and the fork goes on where it is
    grown = tavern(place / "main.jsonl", ["Shall we go north?", "North then."], 8)
    assert "has grown" in reel("record", grown).ok().out
    longer = tavern(fork, ["The code in the fork is ULLAGE-77.", "And deeper."], 9, "main")
    assert "ULLAGE-77" in reel("--chat", "fork", "recall", "code fork").ok().out
    reel("--chat", "fork", "record", longer).ok()


def test_a_chat_kept_apart_knows_its_fork_where_the_kit_s_chat_went_on_later(reel: Reel, kit: Path) -> None:
    """REEL §12.1: a branch is known where it is kept, whichever was gone on with last."""
    place = kit.parent
    reel("apart", "fork").ok()
    reel("record", tavern(place / "main.jsonl", ["Shall we go north?"], 10)).ok()
    fork = tavern(place / "branch.jsonl", ["The code in the fork is ULLAGE-77."], 9, "main")
    assert "went on in another branch" in reel("--chat", "fork", "record", fork).ok().out
    assert "ULLAGE-77" in reel("--chat", "fork", "recall", "code in the fork").ok().out
    assert "north" not in reel("--chat", "fork", "tape", "show", "2026-03-05-1").ok().out
    assert "north" in reel("tape", "show", "2026-03-05-1").ok().out


def test_facts_of_both_sides_are_told_of_as_facts(reel: Reel, kit: Path) -> None:
    reel("apart", "play").ok()
    reel("fact", "add", "identity", "boat", "Halcyon").ok()
    reel("--chat", "play", "fact", "add", "identity", "oar", "ash").ok()
    reel("fact", "add", "identity", "hull", "larch").ok()
    told = reel("--chat", "play", "status").ok().err
    assert "Facts were noted on both sides" in told
    assert "dreamt" not in told
