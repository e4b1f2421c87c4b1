"""A memory told to another persona's kit: shared, taken in, in its bundle, and taken back."""

import io
import json
import os
import shutil
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from reel_cli.core.files.front_matter import split
from reel_cli.core.files.memory_file import render_body
from reel_cli.core.files.state import State
from reel_cli.core.stage_chain import find_syntax
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import FIELDS, Level
from reel_cli.features.fading.plan import descended
from reel_cli.features.share.reply import read_telling
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.features.share.kits import BOAT, EVENING, TOLD, answer, keep, make_kits, take, tavern
from tests.support.cli import Reel, git
from tests.support.pages import page
from tests.support.tagged_replies import TAGS, assert_lived

HEARD = "Ada told me that Bo painted his boat bottle green over Easter, with two coats."


@pytest.fixture
def others(reel: Reel, kit: Path) -> tuple[Path, Path]:
    """Kits called Mara and Vera, beside Ada's."""
    return make_kits(reel, kit)


@pytest.fixture
def mara(others: tuple[Path, Path]) -> Path:
    """A kit called Mara."""
    return others[0]


@pytest.fixture
def vera(others: tuple[Path, Path]) -> Path:
    """A kit called Vera, who was not there."""
    return others[1]


def bundle(reel: Reel, kit: Path) -> str:
    return reel("pack", cwd=kit).ok().out


@pytest.mark.skipif(os.name == "nt", reason="the modes of files are POSIX's")
def test_other_accounts_cannot_read_what_is_told(reel: Reel, vera: Path) -> None:
    shared = vera.parent / "shared"
    before = os.umask(0o022)
    try:
        reel("share", "M-001", "--with", "Vera", "--yes").ok()
        files = [shared / "shared.yaml", shared / "memories/S-001.yaml"]
        assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600, 0o600]
        assert stat.S_IMODE(shared.stat().st_mode) == 0o700
        # one from before is found, and closed when something is told in it next
        shared.chmod(0o755)
        found = reel("doctor").ok()
        assert "can read the shared kit's folder" in " ".join(found.out.split())
        assert "chmod 700" in found.out
        reel("share", "M-001", "--with", "Mara", "--yes").ok()
        assert stat.S_IMODE(shared.stat().st_mode) == 0o700
        assert "shared kit's folder" not in " ".join(reel("doctor").ok().out.split())
    finally:
        os.umask(before)


def test_told_and_taken_in_and_in_the_next_bundle(reel: Reel, vera: Path) -> None:
    told = reel("share", "M-001", "--with", "Vera", "--yes").ok()
    assert "Vera may know of it now, as S-001" in told.out
    assert "reel --kit ../vera share S-001" in told.err
    assert "S-001  The boat  from Ada" in reel("share", cwd=vera).ok().out
    prompt = reel("share", "S-001", "--prompt", cwd=vera).ok().out
    assert TOLD in prompt
    assert "You are Vera" in prompt
    assert "mine alone" not in prompt
    take(reel, vera, "S-001", HEARD).ok()
    text = (vera / "ring3/M-001.md").read_text()
    memory = split(text, "M-001.md")
    assert memory.text("shared") == "S-001"
    assert memory.text("how") == "told"
    assert memory.text("from") == "ada M-001, b0a7b0a7, 2026-02-20-1#1-8"
    assert memory.text("teller") == "Ada"
    assert "Reel-Shared: S-001 from=ada/M-001 source=2026-02-20-1#1-8 told" in git(vera, "log", "-1")
    packed = bundle(reel, vera)
    assert packed.index("What you know from elsewhere") < packed.index(HEARD)
    assert "Bo's boat (Ada told me)" in packed
    assert "Vera (told)" in reel("share").ok().out
    assert reel("doctor", cwd=vera).ok().out.startswith("No problem found")


def test_taken_back_it_is_gone_from_every_bundle_and_in_the_history(
    reel: Reel, mara: Path, vera: Path
) -> None:
    reel("share", "M-001", "--with", "mara", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    take(reel, mara, "S-001", "I asked which green that was, and it was bottle green.").ok()
    done = reel("share", "the boat", "--back", "--yes").ok()
    assert "Taken back from Mara, Vera: The boat." in done.out
    for taker in (mara, vera):
        assert "boat" not in bundle(reel, taker)
        assert not (taker / "ring3/M-001.md").exists()
        assert "M-001" in git(taker, "log", "-1", "--format=%B")
        assert "green" in git(taker, "show", "HEAD~1:ring3/M-001.md")
        assert reel("doctor", cwd=taker).ok().out.startswith("No problem found")
    shared = mara.parent / "shared"
    assert "green" not in (shared / "memories/S-001.yaml").read_text()
    refused = take(reel, vera, "S-001", HEARD)
    assert refused.code == 1
    assert "was taken back" in refused.err
    assert "Ada shares nothing" in reel("share").ok().out


def test_taken_back_it_is_named_by_no_query_of_the_journal(reel: Reel, vera: Path) -> None:
    """REEL §12.1: words that it was recalled by say what it was about, noted already or not yet."""
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    reel("recall", "the bottle green boat", cwd=vera).ok()
    reel("tape", "flag", "something else", cwd=vera).ok()
    reel("recall", "that boat, green", cwd=vera).ok()
    before = "".join(path.read_text() for path in vera.glob("journal/*.jsonl"))
    assert "the bottle green boat" in before
    reel("share", "M-001", "--back", "--yes").ok()
    reel("tape", "flag", "one thing more", cwd=vera).ok()
    after = "".join(path.read_text() for path in vera.glob("journal/*.jsonl"))
    assert '"do": "recall", "on": "M-001"}' in after
    assert "boat" not in after
    assert "boat" not in "".join(path.read_text() for path in vera.glob(".reel/state/*.jsonl"))


def test_a_told_page_ends_where_it_was_not_asked_for_more(reel: Reel, vera: Path) -> None:
    """REEL §12.1: of what was told three fields are asked; no other heading's text becomes part of them."""
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    more = '## Lines to find it by\n"bottle green"\n## What changed\nI am jealous.\n## In my own words\nHm.'
    take(reel, vera, "S-001", f"{HEARD}\n\n{more}").ok()
    text = (vera / "ring3/M-001.md").read_text()
    assert HEARD in text
    for heading in ("Lines to find it by", "jealous", "In my own words", "Hm."):
        assert heading not in text


def test_taken_back_it_waits_in_no_prompt_and_no_decision(reel: Reel, mara: Path, vera: Path) -> None:
    """REEL §12.1: a persona does not know what it is not told, in no file of its kit that anything reads."""
    reel("share", "M-001", "--with", "mara", "--with", "vera", "--yes").ok()
    reel("share", "S-001", "--prompt", cwd=mara).ok()
    take(reel, vera, "S-001", HEARD).ok()
    state = State(vera)
    state.save_exchange("maintain.1", {"prompt": f"Tell it shorter:\n> {HEARD}", "replies": ["Half of it."]})
    state.save_exchange("maintain.2", {"prompt": "Tell another shorter.", "replies": []})
    sides = f"older: M-001\nolder_says: {HEARD}\nnewer: ring2\nnewer_says: Bo has no boat.\n"
    (vera / "review").mkdir(exist_ok=True)
    (vera / "review/odd.md").write_text(f"---\nkind: contradiction\ntitle: Two boats\n{sides}---\n")
    settled = f"a1b2:\n  word: both\n  older: 'M-001: {HEARD}'\n  newer: 'ring2: Bo has none.'\n"
    (vera / "review/settled.yaml").write_text(f"{settled}c3d4: {{word: kept}}\n")
    git(vera, "add", ".")
    git(vera, "commit", "-q", "-m", "two that disagree")

    told = reel("share", "the boat", "--back", "--yes").ok()

    assert "1 prompt that waited told of it and can no longer be answered" in " ".join(told.err.split())
    for kit in (mara, vera):
        read = [path for path in kit.rglob("*") if path.is_file() and ".git" not in path.parts]
        telling = [path for path in read if "bottle green" in path.read_text("utf-8", "replace")]
        # texts that were handed out are kept to know them again in a chat, and told nowhere
        assert [path for path in telling if "handed" not in path.parts and "cache" not in path.parts] == []
    assert "Bo has no boat" not in bundle(reel, vera)
    assert "c3d4" in (vera / "review/settled.yaml").read_text()
    assert "was taken back" in take(reel, mara, "S-001", HEARD).err
    assert list(state.exchanges()) == ["maintain.2"]
    assert [path.read_text() for path in (state.folder / "refused").iterdir()] == ["Half of it."]
    assert "bottle green" not in bundle(reel, vera)


def test_a_prompt_of_a_kit_that_was_away_is_not_answered(reel: Reel, mara: Path, tmp_path: Path) -> None:
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    reel("share", "S-001", "--prompt", cwd=mara).ok()
    away = mara.rename(tmp_path / "away")
    reel("share", "the boat", "--back", "--yes").ok()
    away.rename(mara)
    assert list((mara / ".reel/state/exchanges").glob("share.*"))
    assert "was taken back" in take(reel, mara, "S-001", HEARD).err
    assert not list((mara / ".reel/state/exchanges").glob("share.*"))


def test_taken_back_from_one_alone(reel: Reel, mara: Path, vera: Path) -> None:
    reel("share", "M-001", "--with", "mara", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    take(reel, mara, "S-001", "I asked which green that was, and it was bottle green.").ok()
    reel("share", "M-001", "--back", "--with", "Mara", "--yes").ok()
    assert "boat" not in bundle(reel, mara)
    assert HEARD in bundle(reel, vera)
    # none of those who are left was there, so the words of that evening go from the shared kit
    assert "Which green" not in (mara.parent / "shared/memories/S-001.yaml").read_text()


def test_who_was_there_takes_it_in_from_its_own_place_in_the_chat(reel: Reel, mara: Path) -> None:
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    prompt = reel("share", "S-001", "--prompt", cwd=mara).ok().out
    before, there, after = EVENING[:3], EVENING[3:6], EVENING[6:]
    assert all(text in prompt for _, text in there)
    assert not any(text in prompt for _, text in (*before, *after))
    assert TOLD not in prompt
    shared = (mara.parent / "shared/memories/S-001.yaml").read_text()
    assert not any(text in shared for _, text in (*before, *after))
    take(reel, mara, "S-001", "I asked which green that was, and it was bottle green.").ok()
    assert split((mara / "ring3/M-001.md").read_text(), "").text("how") == "lived"
    assert "What you know from elsewhere" not in bundle(reel, mara)
    assert reel("doctor", cwd=mara).ok().out.startswith("No problem found")


def test_a_doubt_about_what_is_taken_in_names_who_said_the_nearest(reel: Reel, mara: Path) -> None:
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    said = reel(
        "share",
        "S-001",
        "--reply",
        "-",
        "--dry-run",
        cwd=mara,
        stdin=answer("I wished a good night as in Porto."),
    )
    assert 'the nearest is "Good night." (Mara)' in f"{said.out}{said.err}"


def test_the_giver_s_title_tells_nothing_to_who_was_there_for_a_part(
    reel: Reel, kit: Path, mara: Path
) -> None:
    """REEL §12.1: Halcyon was said before Mara came, and stands in Ada's title."""
    keep(kit, replace(BOAT, title="Halcyon, and the green for Mara", tag="Halcyon"))
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    prompt = reel("share", "S-001", "--prompt", cwd=mara).ok().out
    assert "=== With Ada (20 February 2026) ===" in prompt
    asked = [reel(*words, cwd=mara).ok() for words in (("share",), ("share", "--json"), ("start",))]
    assert "With Ada" in asked[0].out
    happened = "I asked which green that was, and it was bottle green."
    untitled = answer(happened).partition("## What happened")
    reel("share", "S-001", "--reply", "-", "--yes", cwd=mara, stdin="".join(untitled[1:])).ok()
    memory = (mara / "ring3/M-001.md").read_text()
    assert "With Ada, 20 February 2026" in memory
    told = [prompt, memory, (mara / "ring4/index.md").read_text(), bundle(reel, mara)]
    told += [done.out + done.err for done in asked]
    assert not any("Halcyon" in text for text in told)


def test_one_chat_two_kits_each_remembers_it_from_its_own_place(reel: Reel, mara: Path) -> None:
    reel("record", mara.parent / "evening.jsonl", "--yes", cwd=mara).ok()
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    take(reel, mara, "S-001", "I asked which green that was, and it was bottle green.").ok()
    memory = split((mara / "ring3/M-001.md").read_text(), "")
    assert memory.items("source") == ("2026-02-20-1#4-6",)
    assert memory.text("anchor") == "I am. Which green is that on the"
    assert reel("doctor", cwd=mara).ok().out.startswith("No problem found")


def test_who_was_there_in_one_chat_was_not_in_another(reel: Reel, kit: Path, mara: Path) -> None:
    later = [("Bo", "The oar is hidden in the attic."), ("Mara", "Hello again."), ("Bo", "Hello, Mara.")]
    record(reel, kit, later, day=21)
    path = kit / "ring3/M-001.md"
    path.write_text(path.read_text().replace('#1-8"', '#1-8", "2026-02-21-1#1-3"'))
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    prompt = reel("share", "S-001", "--prompt", cwd=mara).ok().out
    assert "Hello again." in prompt
    assert "Which green" in prompt
    assert "attic" not in prompt
    assert "hull leaks" not in prompt


def test_a_branch_that_was_left_puts_nobody_there(reel: Reel, kit: Path, vera: Path) -> None:
    first = [("Bo", "Who is in?"), ("Vera", "I am, since noon."), ("Ada", "So am I.")]
    record(reel, kit, first, day=21)
    # the chat went on from its beginning in another way
    record(
        reel,
        kit,
        [first[0], ("Ada", "Nobody but me."), ("Bo", "Good, then listen."), ("Ada", "Yes?")],
        day=21,
    )
    path = kit / "ring3/M-001.md"
    path.write_text(path.read_text().replace("2026-02-20-1#1-8", "2026-02-21-1#1-9"))
    assert "I am, since noon." in (kit / "tape/2026/2026-02-21-1.md").read_text()
    assert "noon" not in reel("tape", "show", "2026-02-21-1").ok().out
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    prompt = reel("share", "S-001", "--prompt", cwd=vera).ok().out
    assert TOLD in prompt
    assert "noon" not in prompt


def record(reel: Reel, kit: Path, said: list[tuple[str, str]], day: int) -> None:
    """Record a chat of that day in February, or what it has become."""
    file = kit.parent / f"chat-{day}.jsonl"
    file.write_text(tavern(said, f"2026-02-{day}"))
    reel("record", file, "--yes", cwd=kit).ok()


def test_words_that_nobody_told_are_not_kept_unasked(reel: Reel, vera: Path) -> None:
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    for told in ("Bo paid Magnus 3,400 for the boat", "Magnus called the boat Goldammer55"):
        refused = take(reel, vera, "S-001", f"Ada told me that {told}.")
        assert refused.code == 1
        assert "What Ada told does not say this" in refused.err
        assert not (vera / "ring3").exists()


def test_a_group_is_told_by_its_name(reel: Reel, kit: Path, mara: Path, vera: Path) -> None:
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    members = kit.parent / "shared/shared.yaml"
    members.write_text(members.read_text().replace("groups: {}", "groups:\n  crew: [ada, mara]"))
    keep_second(kit)
    told = reel("share", "M-002", "--with", "crew", "--yes").ok()
    assert "crew may know of it now, as S-002" in told.out
    assert "S-002" in reel("share", cwd=mara).ok().out
    refused = reel("share", "S-002", "--prompt", cwd=vera)
    assert refused.code == 1
    # who leaves the group does not know it any more
    take(reel, mara, "S-002", "Ada told me that the lamp went out.").ok()
    members.write_text(members.read_text().replace("[ada, mara]", "[ada]"))
    assert "lamp" not in bundle(reel, mara)


def keep_second(kit: Path) -> None:
    body = render_body({FIELDS[0]: "The lamp went out."})
    lamp = replace(BOAT, id="M-002", uid="1a1a1a1a", title="The lamp", body=body, anchor="The lamp")
    keep(kit, replace(lamp, source=(), sessions=(), marker="The lamp went out."))


def test_a_kit_that_was_away_forgets_it_when_it_is_next_used(reel: Reel, vera: Path) -> None:
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    away = vera.rename(vera.parent / "elsewhere")
    done = reel("share", "M-001", "--back", "--yes").ok()
    assert "Vera's kit is not here" in done.err
    away.rename(vera)
    packed = reel("pack", cwd=vera).ok()
    assert "boat" not in packed.out
    assert "taken back, so Vera forgets it" in packed.err
    # nor does it come back with the past
    reel("undo", "--yes", cwd=vera).ok()
    assert "boat" not in bundle(reel, vera)


def test_a_missing_shared_kit_takes_nothing_away(reel: Reel, vera: Path) -> None:
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    shutil.rmtree(vera.parent / "shared")
    assert HEARD in bundle(reel, vera)
    refused = reel("share", "M-001", "--back", "--yes")
    assert refused.code != 0
    assert "is not there" in refused.err


def test_what_one_was_told_one_does_not_tell_on(reel: Reel, mara: Path, vera: Path) -> None:
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    refused = reel("share", "M-001", "--with", "mara", "--yes", cwd=vera)
    assert refused.code == 1
    assert "in confidence" in refused.err
    assert "could take in" not in reel("share", cwd=mara).out


def test_a_kit_without_shares_has_no_new_file(reel: Reel, kit: Path, vera: Path) -> None:
    before = sorted(path.name for path in vera.iterdir())
    reel("share", cwd=vera)
    reel("share", "M-001", "--with", "vera", "--dry-run").ok()
    assert sorted(path.name for path in vera.iterdir()) == before
    assert not (kit.parent / "shared").exists()
    assert not (kit / "shares.yaml").exists()


def test_a_walk_at_the_terminal(reel: Reel, kit: Path, vera: Path) -> None:
    done = reel("share", "M-001", "--with", "vera", stdin="y\n", tty=True).ok()
    assert "Vera was not there, and hears this:" in done.err
    (vera / "reply.md").write_text(answer(HEARD, sign="Vera"))
    kept = reel("share", "S-001", cwd=vera, stdin="f reply.md\ny\n", tty=True).ok()
    assert "Vera was told: Bo's boat (Ada told me)" in kept.err
    assert HEARD in bundle(reel, vera)
    assert json.loads(reel("share", "--json", cwd=vera).ok().out)["taken"] == [
        {"id": "S-001", "memory": "M-001"}
    ]


def test_a_model_is_asked_over_a_wire(reel: Reel, vera: Path) -> None:
    from tests.support.chat_server import serve_chats

    reel("share", "M-001", "--with", "vera", "--yes").ok()
    with serve_chats() as server:
        server.say = lambda _: answer(HEARD, sign="Vera")
        reel("share", "S-001", "--via", server.address, "--yes", cwd=vera).ok()
        assert TOLD in server.sent()[-1][1]
    assert HEARD in bundle(reel, vera)


def test_told_one_after_the_other_and_listed_by_title(reel: Reel, mara: Path, vera: Path) -> None:
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    reel("share", "the", "boat", "--with", "mara", "--yes").ok()
    found = json.loads(reel("share", "--json").ok().out)["given"]
    assert [(one["id"], one["with"]) for one in found] == [("S-001", ["vera", "mara"])]
    assert "Which green" in reel("share", "S-001", "--prompt", cwd=mara).ok().out
    # what reel undo took out of the giver's notes is still the giver's
    reel("undo").ok()
    reel("share", "M-001", "--back", "--yes").ok()
    assert reel("share", "S-001", "--prompt", cwd=mara).code == 1


def test_kits_that_were_moved_are_themselves(reel: Reel, kit: Path, vera: Path) -> None:
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    place = kit.parent / "house"
    place.mkdir()
    home = kit.rename(place / "ada")
    shares = home / "shares.yaml"
    shares.write_text(shares.read_text().replace("../shared", "../../shared"))
    keep_second(home)
    reel("share", "M-002", "--with", vera, "--yes", cwd=home).ok()
    listed = json.loads(reel("share", "--json", cwd=home).ok().out)
    assert [one["memory"] for one in listed["given"]] == ["M-001", "M-002"]
    assert "path: ../house/ada" in (kit.parent / "shared/shared.yaml").read_text()
    reel("share", "M-001", "--back", "--yes", cwd=home).ok()
    assert "boat" not in bundle(reel, vera)


@pytest.mark.needs("machines")
def test_two_machines_that_both_took_something_in_are_joined(reel: Reel, kit: Path, vera: Path) -> None:
    keep_second(kit)
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    reel("share", "M-002", "--with", "vera", "--yes").ok()
    other = vera.parent / "laptop" / "vera"
    other.parent.mkdir()
    git(vera.parent, "clone", "-q", str(vera), str(other))
    shutil.copytree(vera.parent / "shared", other.parent / "shared")
    shutil.copytree(kit, other.parent / "ada")
    take(reel, vera, "S-001", HEARD).ok()
    take(reel, other, "S-002", "Ada told me that the lamp went out.").ok()
    subprocess.run(
        ["git", "pull", "-q", "--no-rebase", other, "main"], cwd=vera, capture_output=True, check=False
    )
    reel("doctor", "--fix", cwd=vera)
    shares = (vera / "shares.yaml").read_text()
    assert "S-001" in shares
    assert "S-002" in shares
    assert "<<<<" not in shares
    packed = bundle(reel, vera)
    assert HEARD in packed
    assert "the lamp went out" in packed
    reel("share", "M-001", "--back", "--yes").ok()
    packed = bundle(reel, vera)
    assert HEARD not in packed
    assert "the lamp went out" in packed


def test_told_again_after_a_change_everyone_who_hears_it_anew_is_named(
    reel: Reel, kit: Path, mara: Path, vera: Path
) -> None:
    reel("init", "nora", "--template", "companion", "--name", "Nora", "--user", "Bo", cwd=kit.parent).ok()
    reel("share", "M-001", "--with", "vera", "--with", "mara", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    path = kit / "ring3/M-001.md"
    path.write_text(path.read_text().replace("with two coats", "with three coats"))
    git(kit, "commit", "-qam", "three coats")

    asked = reel("share", "M-001", "--with", "Nora", stdin="n\n", tty=True)

    assert "Vera may know it already, and remembers it as it was told; the words told are new:" in asked.err
    assert "three coats" in asked.err
    # who was there hears what was said, which is as it was
    assert "Mara" not in asked.err
    assert "two coats" in (kit.parent / "shared/memories/S-001.yaml").read_text()
    again = reel("share", "M-001", "--with", "vera", "--yes").ok()
    assert "Vera may know of it now, as S-001" in again.out
    assert "three coats" in (kit.parent / "shared/memories/S-001.yaml").read_text()
    assert "may know it already." in reel("share", "M-001", "--with", "vera", "--yes").ok().out


def test_who_let_go_of_it_is_not_said_to_know_it(reel: Reel, vera: Path) -> None:
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    reel("share", "S-001", "--back", "--yes", cwd=vera).ok()
    assert "Vera (not yet)" in reel("share").ok().out
    take(reel, vera, "S-001", HEARD).ok()
    assert "Vera (told)" in reel("share").ok().out


@pytest.mark.parametrize("level", [Level.L2, Level.L3, Level.L4])
def test_what_has_faded_is_still_told_and_taken_back(reel: Reel, vera: Path, level: Level) -> None:
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    opened = Context(vera, Console(io.StringIO(), io.StringIO())).open_kit()
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    memory = opened.snapshot.memories["M-001"]
    writes, _ = descended(
        opened.snapshot,
        opened.require_repository(),
        counter,
        memory,
        level,
        "Ada has a boat, green.",
        why="old",
    )
    opened.commit_all([Change("maintain", "faded", writes)])
    assert "shared: S-001" in (vera / "ring3/M-001.md").read_text()
    assert ", shared |" in (vera / "ring4/index.md").read_text()
    assert "green" in bundle(reel, vera)
    reel("share", "M-001", "--back", "--yes").ok()
    assert "boat" not in (vera / "ring4/index.md").read_text()
    assert "green" not in bundle(reel, vera)


def test_a_hand_edit_of_the_index_stays_and_is_a_commit_of_its_own(reel: Reel, vera: Path) -> None:
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    away = vera.rename(vera.parent / "elsewhere")
    reel("share", "M-001", "--back", "--yes").ok()
    away.rename(vera)
    index = vera / "ring4/index.md"
    index.write_text(f"{index.read_text()}\na line of mine\n")
    reel("pack", cwd=vera).ok()
    assert index.read_text().endswith("a line of mine\n")
    assert git(vera, "log", "-2", "--format=%(trailers:key=Reel-Op,valueonly,separator=)").split() == [
        "share",
        "edit",
    ]
    assert "a line of mine" not in git(vera, "show", "--format=", "HEAD").replace(" a line of mine", "")
    assert git(vera, "status", "--porcelain") == ""


def test_a_group_is_made_and_changed_by_a_word_which_says_who_hears_what(
    reel: Reel, kit: Path, mara: Path, vera: Path
) -> None:
    made = reel("share", "--group", "crew", "--with", "ada", "--with", "mara", "--yes").ok()
    assert made.out == "crew: Ada, Mara\n"
    keep_second(kit)
    reel("share", "M-002", "--with", "crew", "--yes").ok()
    take(reel, mara, "S-001", "Ada told me that the lamp went out.").ok()
    assert "crew  Ada, Mara" in reel("share").ok().out

    asked = reel("share", "--group", "crew", "--with", "vera", stdin="y\n", tty=True).ok()

    assert "Vera may then know: The lamp (from Ada)" in asked.err
    assert "The lamp" in reel("share", cwd=vera).ok().out
    left = reel("share", "--group", "crew", "--with", "Mara", "--back", "--yes").ok()
    assert "Mara may no longer know: The lamp (from Ada)" in left.out
    assert "lamp" not in bundle(reel, mara)
    gone = json.loads(reel("share", "--group", "crew", "--back", "--yes", "--json").ok().out)
    assert gone == {"group": "crew", "kits": [], "may_know": [], "may_not": [{"kit": "vera", "id": "S-001"}]}
    assert "S-001" not in reel("share", cwd=vera).ok().out
    assert reel("share", "--group", "crew", "--back", "--yes").code == 1


def test_who_only_asked_keeps_no_word_of_it_after_leaving_the_group(
    reel: Reel, kit: Path, mara: Path, vera: Path
) -> None:
    """REEL §12.1: taken back, it is in no prompt of a kit that may not know it."""
    reel("share", "--group", "crew", "--with", "ada", "--with", "mara", "--with", "vera", "--yes").ok()
    keep_second(kit)
    reel("share", "M-002", "--with", "crew", "--yes").ok()
    for taker in (mara, vera):
        reel("share", "S-001", "--prompt", cwd=taker).ok()

    reel("share", "--group", "crew", "--with", "Mara", "--back", "--yes").ok()
    assert not list((mara / ".reel/state/exchanges").glob("share.*"))
    assert list((vera / ".reel/state/exchanges").glob("share.*"))

    # one that left by a hand edit
    members = kit.parent / "shared/shared.yaml"
    text = members.read_text()
    assert text.endswith("    - vera\n")
    members.write_text(text.removesuffix("    - vera\n"))
    reel("status", cwd=vera).ok()
    assert not list((vera / ".reel/state/exchanges").glob("share.*"))
    assert reel("share", "S-001", "--prompt", cwd=vera).code != 0


def test_who_comes_into_a_group_and_was_there_hears_what_was_said_there(
    reel: Reel, kit: Path, mara: Path, vera: Path
) -> None:
    reel("share", "--group", "crew", "--with", "ada", "--with", "vera", "--yes").ok()
    reel("share", "M-001", "--with", "crew", "--yes").ok()
    assert "Which green" not in (kit.parent / "shared/memories/S-001.yaml").read_text()
    reel("share", "--group", "crew", "--with", "mara", "--yes").ok()
    prompt = reel("share", "S-001", "--prompt", cwd=mara).ok().out
    assert "Which green" in prompt
    assert "hull leaks" not in prompt
    assert "Which green" not in reel("share", "S-001", "--prompt", cwd=vera).ok().out


@pytest.mark.parametrize("words", [["crew", "M-001"], ["../crew"], ["mara"], [""]])
def test_a_group_that_cannot_be_is_refused(reel: Reel, mara: Path, words: list[str]) -> None:
    reel("share", "M-001", "--with", "mara", "--yes").ok()
    name, *more = words
    assert reel("share", *more, "--group", name, "--with", "ada", "--yes").code != 0
    assert "groups: {}" in (mara.parent / "shared/shared.yaml").read_text()


def test_a_group_chat_is_recorded_and_remembered_in_each_persona_s_own_kit(
    reel: Reel, kit: Path, mara: Path
) -> None:
    said = [("Bo", "Which green is that on the boat?"), ("Ada", "Bottle green."), ("Mara", "I like it.")]
    said += [("Bo", "The race is on Sunday."), ("Ada", "I will shout."), ("Mara", "I will row.")]
    file = kit.parent / "race.jsonl"
    file.write_text(tavern(said, "2026-02-27"))
    for own, other, folder in (("Ada", "Mara", kit), ("Mara", "Ada", mara)):
        reel("end", file, "--yes", cwd=folder)
        prompt = reel("checkpoint", "--prompt", cwd=folder).ok().out
        assert f", {own}." in prompt.splitlines()[0]
        happened = f"Bo said that the race is on Sunday. {other} answered, and so did I."
        reply = page({"What happened": happened, "Lines to find it by": '"The race is on Sunday."'}, sign=own)
        reel("checkpoint", "--reply", "-", "--yes", cwd=folder, stdin=reply).ok()
        told = reel("tape", "show", "2026-02-27-1", cwd=folder).ok().out
        assert "Ada: Bottle green." in told
        assert "Mara: I like it." in told
        assert happened in bundle(reel, folder)
        assert reel("doctor", cwd=folder).ok().out.startswith("No problem found")


def test_what_one_tells_and_writes_of_it_has_no_scene_tags(reel: Reel, kit: Path, vera: Path) -> None:
    """REEL §5.2: tags that stand in the teller's memory by hand are not told, nor kept from the reply."""
    tagged = replace(BOAT, title=f"{TAGS} The boat", body=BOAT.body.replace(TOLD, f"{TAGS} {TOLD}"))
    keep(kit, tagged)
    reel("share", "M-001", "--with", "Vera", "--yes").ok()
    assert find_syntax((vera.parent / "shared/memories/S-001.yaml").read_text()) == []
    assert find_syntax(reel("share", "S-001", "--prompt", cwd=vera).ok().out) == []
    assert_lived(read_telling(answer(f"{TAGS} We went to the pier."), prompt="", names=("Mara",)))
    take(reel, vera, "S-001", f"{TAGS} {HEARD}").ok()
    kept = (vera / "ring3/M-001.md").read_text() + (vera / "ring4/index.md").read_text()
    assert HEARD in kept
    assert find_syntax(kept) == []


def test_an_answer_that_was_refused_goes_when_it_is_taken_back(reel: Reel, vera: Path) -> None:
    """REEL §12.1: it tells the memory in words of its own, of which the giver's have none."""
    reel("share", "M-001", "--with", "Vera", "--yes").ok()
    state = State(vera)
    lacking = vera.parent / "answer.md"
    lacking.write_text(
        "## In a few words\nA kiln that Ada owes for\n\nIt was 4,711 euros, I was told.\n\nVera\n"
    )
    assert reel("share", "S-001", "--reply", lacking, "--yes", cwd=vera).code == 1
    (refused,) = (state.folder / "refused").iterdir()
    assert "4,711" in refused.read_text()
    reel("share", "M-001", "--back", "--yes").ok()
    assert not refused.exists()


def test_an_answer_that_was_declined_goes_when_it_is_taken_back(reel: Reel, vera: Path) -> None:
    """REEL §12.1: a refused reply tells the memory as a kept one would."""
    reel("share", "M-001", "--with", "Vera", "--yes").ok()
    page = vera.parent / "answer.md"
    page.write_text(answer(f"{HEARD} It cost 4,711 euros.", sign="Vera"))
    reel("share", "S-001", "--reply", page, cwd=vera, tty=True, stdin="n\n")
    state = State(vera)
    (declined,) = state.folder.glob("declined*.md")
    assert "4,711" in declined.read_text()
    state.keep_refused(f"{TOLD} That is all.")
    state.keep_refused("Another reply, about the weather on the hill.")
    reel("share", "M-001", "--back", "--yes").ok()
    assert not declined.exists()
    assert [path.read_text() for path in (state.folder / "refused").iterdir()] == [
        "Another reply, about the weather on the hill."
    ]


@pytest.mark.parametrize("talked", [False, True])
def test_what_one_was_told_is_recalled_by_its_tag_and_before_any_chat_is_recorded(
    reel: Reel, vera: Path, *, talked: bool
) -> None:
    """REEL §6.4: a memory that stands nowhere on this tape is found all the same."""
    reel("share", "M-001", "--with", "vera", "--yes").ok()
    take(reel, vera, "S-001", HEARD).ok()
    if talked:
        file = vera.parent / "own.jsonl"
        file.write_text(tavern([("Bo", "How was the rain?"), ("Vera", "It was loud.")], "2026-02-20"))
        reel("record", file, "--yes", cwd=vera).ok()

    def found(*more: str) -> str:
        told = json.loads(reel("recall", "bottle green boat", "--json", *more, cwd=vera).ok().out)
        return " ".join(hit["text"] for hit in told["hits"])

    assert "bottle green" in found()
    assert "bottle green" in found("--tag", "shared")
    assert found("--tag", "emotional") == ""
    if talked:
        assert found("--tag", "shared", "--until", "2026-02-20") == ""
    else:
        nothing = reel("recall", "what became of the heron", cwd=vera)
        assert "Nothing is recorded yet" not in nothing.err
