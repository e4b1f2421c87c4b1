"""A kit kept on two machines: both record, one pulls, and `reel doctor --fix` makes it one again."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.tape.events_file import read_so_far
from reel_cli.core.tape.session_file import parse_session
from tests.support.cli import Reel, git
from tests.support.pages import page
from tests.support.shelf import ready_made

KITE, BOAT, LAMP = (
    ("2026-02-10", "kite", "meadow"),
    ("2026-02-10", "boat", "canal"),
    ("2026-02-09", "lamp", "harbour"),
)
MOODS = {
    "kite": "Merry about the kite, and too quick with the jokes.",
    "boat": "Slow at first; I let the boat drift before I asked.",
    "lamp": "Plain and short, as the evening wanted it.",
}
SELVES = {
    "kite": "Mostly. A joke stood where a question belonged.",
    "boat": "Yes, nothing in it was anybody else.",
    "lamp": "I think so; I said what I did not know.",
}
JOINS = "Hint: to join what two machines recorded:  reel doctor --fix\n"


def said(thing: str, place: str) -> list[str]:
    return [
        f"Tell me what became of the {thing} you lost by the {place} last week.",
        f"The {thing}? A child from the {place} brought it home in a paper bag.",
        f"And did you thank the {place} child properly, or only the {thing}?",
        f"I gave it an orange, and the {thing} a new string from the {place} shop.",
    ]


def chat(day: str, thing: str, place: str, *more: str) -> str:
    messages = [
        {"role": "assistant" if i % 2 else "user", "content": text}
        for i, text in enumerate([*said(thing, place), *more])
    ]
    return json.dumps({"title": f"the {thing}", "created_at": f"{day}T19:00:00+00:00", "messages": messages})


def about(thing: str, place: str) -> str:
    return page(
        {
            "In a few words": f"The {thing} that came home",
            "What happened": f"I told of the {thing}.",
            "Lines to find it by": f'"the {thing} a new string from the {place} shop"',
            "In one breath": f"The {thing} came home from the {place}.",
            "What has shifted": "nothing",
            "How I was": MOODS[thing],
            "Am I still myself": SELVES[thing],
            "My notes": f"new: the {thing} is at the {place}\nstate: They are happy about the {thing}.",
        }
    )


class Machines:
    """A kit on a desk and on a laptop, and the place both push to."""

    def __init__(self, reel: Reel, desk: Path) -> None:
        self.reel = reel
        self.desk = desk
        self.laptop = desk.parent / "laptop"
        self.hub = desk.parent / "hub.git"

    def part(self) -> None:
        git(self.desk, "clone", "-q", "--bare", ".", str(self.hub))
        git(self.desk, "remote", "add", "origin", str(self.hub))
        git(self.desk, "fetch", "-q")
        git(self.desk, "branch", "-q", "-u", "origin/main")
        git(self.desk.parent, "clone", "-q", str(self.hub), str(self.laptop))
        self.laptop.chmod(0o700)

    def record(self, kit: Path, evening: tuple[str, str, str], *more: str) -> None:
        place = kit.parent / f"{kit.name}-{evening[1]}.json"
        place.write_text(chat(*evening, *more))
        self.reel("record", place, cwd=kit).ok()

    def live(self, kit: Path, evening: tuple[str, str, str]) -> None:
        self.record(kit, evening)
        self.reel("checkpoint", "--prompt", cwd=kit).ok()
        self.reel("checkpoint", "--reply", "-", "--yes", cwd=kit, stdin=about(*evening[1:])).ok()

    def push(self, kit: Path) -> None:
        git(kit, "push", "-q")

    def pull(self, kit: Path, *how: str) -> str:
        done = subprocess.run(
            ["git", "pull", "-q", *(how or ("--no-rebase",))],
            cwd=kit,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    def says(self, kit: Path, session: str) -> list[str]:
        path = f"tape/2026/{session}.md"
        data = WorkTree(kit).read(path)
        assert data is not None
        return [entry.message.text for entry in parse_session(data, path, proven=True).entries]

    def proven(self, kit: Path) -> None:
        self.reel("tape", "verify", cwd=kit).ok()


@pytest.fixture
def machines(reel: Reel, kit: Path) -> Machines:
    """Both machines after one evening that both know of."""
    both = Machines(reel, kit)
    ready_made(kit, "an evening", lambda: both.live(kit, LAMP))
    both.part()
    return both


def files(kit: Path, folder: str) -> Sequence[str]:
    return sorted(place.name for place in (kit / folder).rglob("*") if place.is_file())


def test_both_recorded_on_one_day_and_one_of_them_pulls(machines: Machines) -> None:
    desk, laptop = machines.desk, machines.laptop
    machines.live(desk, KITE)
    machines.live(laptop, BOAT)
    machines.push(desk)
    assert "CONFLICT" in machines.pull(laptop)
    kept = WorkTree(desk).read("tape/2026/2026-02-10-1.md")
    done = machines.reel("doctor", "--mend", cwd=laptop).ok()
    told = (
        "Chat 2026-02-10-1 of this machine is 2026-02-10-2 now.\n"
        "Memory M-002 of this machine is M-003 now.\n"
        "Active threads, State, Calibration: what both machines wrote stands there; in "
        "ring2/working.md, delete what no longer holds.\n"
        "What two machines recorded is joined now.\n"
        "Next:  git push\n"
    )
    assert done.err.startswith(told), done.err
    assert git(laptop, "status", "--porcelain") == ""
    assert len(git(laptop, "log", "-1", "--format=%P").split()) == 2
    assert git(laptop, "log", "-1", "--format=%(trailers:key=Reel-Renumbered,valueonly)").split("\n")[:2] == [
        "2026-02-10-1 to 2026-02-10-2",
        "M-002 to M-003",
    ]
    assert WorkTree(laptop).read("tape/2026/2026-02-10-1.md") == kept
    assert machines.says(laptop, "2026-02-10-2") == said("boat", "canal")
    assert files(laptop, "checkpoints") == [
        "2026-02-09-1.1.yaml",
        "2026-02-10-1.1.yaml",
        "2026-02-10-2.1.yaml",
    ]
    assert files(laptop, "ring3") == ["M-001.md", "M-002.md", "M-003.md"]
    machines.proven(laptop)
    found = machines.reel("memory", "show", "M-003", cwd=laptop).ok().out
    assert "The boat that came home" in found
    working = (laptop / "ring2/working.md").read_text()
    for line in (
        "- the kite is at the meadow",
        "- the boat is at the canal",
        "They are happy about the boat.",
    ):
        assert line in working
    machines.push(laptop)
    machines.pull(desk)
    machines.proven(desk)
    assert files(desk, "tape") == files(laptop, "tape")


def test_the_next_session_of_that_day_gets_the_next_number(machines: Machines) -> None:
    machines.record(machines.desk, KITE)
    machines.record(machines.laptop, BOAT)
    machines.push(machines.desk)
    machines.pull(machines.laptop)
    machines.reel("doctor", "--mend", cwd=machines.laptop).ok()
    machines.record(machines.laptop, ("2026-02-10", "piano", "attic"))
    # the boat goes on where it is now
    machines.record(machines.laptop, BOAT, "And the boat sails again?", "Every Sunday.")
    assert machines.says(machines.laptop, "2026-02-10-3") == said("piano", "attic")
    assert machines.says(machines.laptop, "2026-02-10-2")[4:] == [
        "And the boat sails again?",
        "Every Sunday.",
    ]
    machines.proven(machines.laptop)


def test_the_same_chat_on_both_ends_as_one_session(machines: Machines) -> None:
    machines.live(machines.desk, KITE)
    machines.record(machines.laptop, BOAT)
    machines.record(machines.laptop, KITE, "Once more?", "Once more.")
    machines.reel("tape", "retract", "2026-02-10-2", cwd=machines.laptop).ok()
    machines.push(machines.desk)
    machines.pull(machines.laptop)
    done = machines.reel("doctor", "--mend", cwd=machines.laptop).ok()
    assert "2026-02-10-1 was recorded on both machines, and is one chat.\n" in done.err
    assert files(machines.laptop, "tape/2026") == ["2026-02-09-1.md", "2026-02-10-1.md", "2026-02-10-3.md"]
    whole = [*said("kite", "meadow"), "Once more?", "Once more."]
    assert machines.says(machines.laptop, "2026-02-10-1") == whole
    assert machines.says(machines.laptop, "2026-02-10-3") == said("boat", "canal")
    assert '"session": "2026-02-10-1"' in (machines.laptop / "tape/events.md").read_text()
    machines.proven(machines.laptop)


def taken_back(kit: Path) -> set[str]:
    return set(read_so_far((kit / EVENTS).read_bytes(), EVENTS).gone)


def test_a_chat_recorded_again_stands_though_the_other_machine_has_it_too(machines: Machines) -> None:
    machines.record(machines.desk, KITE, "Once more?", "Once more.")
    machines.record(machines.laptop, KITE)
    machines.reel("tape", "retract", "2026-02-10-1", cwd=machines.laptop).ok()
    machines.record(machines.laptop, KITE)
    machines.push(machines.desk)
    machines.pull(machines.laptop)
    machines.reel("doctor", "--mend", cwd=machines.laptop).ok()
    # what was taken back is taken back on both, and the one recorded again is the one that counts
    assert taken_back(machines.laptop) == {"2026-02-10-1"}
    whole = [*said("kite", "meadow"), "Once more?", "Once more."]
    assert machines.says(machines.laptop, "2026-02-10-1") == whole
    assert machines.says(machines.laptop, "2026-02-10-2") == said("kite", "meadow")
    machines.record(machines.laptop, KITE, "Once more?", "Once more.")
    assert machines.says(machines.laptop, "2026-02-10-2") == whole
    machines.proven(machines.laptop)


def test_a_chat_recorded_again_does_not_fall_to_the_one_that_went_on_elsewhere(machines: Machines) -> None:
    machines.record(machines.desk, KITE)
    machines.push(machines.desk)
    machines.pull(machines.laptop)
    machines.record(machines.desk, KITE, "Once more?", "Once more.")
    machines.reel("tape", "retract", "2026-02-10-1", cwd=machines.laptop).ok()
    machines.record(machines.laptop, KITE)
    machines.push(machines.desk)
    machines.pull(machines.laptop)
    machines.reel("doctor", "--mend", cwd=machines.laptop)
    assert taken_back(machines.laptop) == {"2026-02-10-1"}
    assert machines.says(machines.laptop, "2026-02-10-2") == said("kite", "meadow")
    # and the chat goes on in that one
    machines.record(machines.laptop, KITE, "Once more?", "Once more.")
    whole = [*said("kite", "meadow"), "Once more?", "Once more."]
    assert machines.says(machines.laptop, "2026-02-10-2") == whole
    assert files(machines.laptop, "tape/2026")[1:] == ["2026-02-10-1.md", "2026-02-10-2.md"]
    machines.proven(machines.laptop)


def test_a_session_that_went_on_differently_on_both(machines: Machines) -> None:
    machines.record(machines.desk, LAMP, "Is it lit?", "It is lit.")
    machines.record(machines.laptop, LAMP, "Is it blue?", "It is blue.")
    machines.push(machines.desk)
    machines.pull(machines.laptop)
    machines.reel("doctor", "--mend", cwd=machines.laptop).ok()
    lamp = said("lamp", "harbour")
    assert machines.says(machines.laptop, "2026-02-09-1") == [*lamp, "Is it lit?", "It is lit."]
    assert machines.says(machines.laptop, "2026-02-09-2") == [*lamp, "Is it blue?", "It is blue."]
    machines.proven(machines.laptop)


def test_what_waits_here_follows_the_new_number(machines: Machines) -> None:
    laptop = machines.laptop
    machines.record(machines.desk, KITE)
    machines.record(laptop, BOAT)
    machines.reel("checkpoint", "--prompt", cwd=laptop).ok()
    machines.push(machines.desk)
    machines.pull(laptop)
    machines.reel("doctor", "--mend", cwd=laptop).ok()
    machines.reel("checkpoint", "--reply", "-", "--yes", cwd=laptop, stdin=about(*BOAT[1:])).ok()
    assert "2026-02-10-2.1.yaml" in files(laptop, "checkpoints")
    machines.proven(laptop)


# -- meanwhile ------------------------------------------------------------------------------------


@pytest.fixture
def parted(machines: Machines) -> Machines:
    """Both have had an evening, and the laptop's pull has ended in a conflict."""
    machines.live(machines.desk, KITE)
    machines.live(machines.laptop, BOAT)
    machines.push(machines.desk)
    machines.pull(machines.laptop)
    return machines


def test_every_command_names_the_one_next_step(parted: Machines) -> None:
    before = git(parted.laptop, "status", "--porcelain")
    for command in (
        ("pack",),
        ("memory", "list"),
        ("tape", "show", "2026-02-10-1"),
        ("checkpoint", "--prompt"),
        ("consolidate", "--prompt"),
        ("forget", "M-001", "--yes"),
        ("undo",),
        ("record", "-"),
    ):
        done = parted.reel(*command, cwd=parted.laptop, stdin=chat(*KITE))
        assert (done.code == 0, done.err.endswith(JOINS)) == (False, True), done.err
    assert git(parted.laptop, "status", "--porcelain") == before


def test_what_still_works_says_so_too(parted: Machines) -> None:
    done = parted.reel("status", cwd=parted.laptop).ok()
    assert done.err.endswith(
        "A merge is under way.  to join what two machines recorded:  reel doctor --fix\n"
    )
    found = parted.reel("tape", "verify", cwd=parted.laptop)
    assert "git restore" not in found.out
    assert "to join what two machines recorded:  reel doctor --fix" in found.out
    seen = parted.reel("doctor", cwd=parted.laptop)
    assert "A merge is under way in this repository." in seen.out
    assert "end it first:  reel doctor --fix  or  git merge --abort" in seen.out


def test_a_rebase_says_what_to_type(machines: Machines) -> None:
    machines.live(machines.desk, KITE)
    machines.live(machines.laptop, BOAT)
    machines.push(machines.desk)
    machines.pull(machines.laptop, "--rebase")
    done = machines.reel("pack", cwd=machines.laptop)
    way_out = "git rebase --abort  then  git pull --no-rebase"
    status = machines.reel("status", cwd=machines.laptop).ok()
    assert status.err.endswith(f"A rebase is under way.  {way_out}\n")
    assert way_out in machines.reel("doctor", cwd=machines.laptop).out
    assert way_out in machines.reel("record", "-", cwd=machines.laptop, stdin=chat(*KITE)).err
    assert done.code in {0, 1, 3}
    git(machines.laptop, "rebase", "--abort")
    machines.pull(machines.laptop)
    machines.reel("doctor", "--mend", cwd=machines.laptop).ok()
    machines.proven(machines.laptop)


def test_what_only_a_person_can_say_is_left_to_them(parted: Machines) -> None:
    laptop = parted.laptop
    git(laptop, "merge", "--abort")
    for kit, name in ((parted.desk, "Ada Kite"), (laptop, "Ada Boat")):
        place = kit / "kit.yaml"
        place.write_text(place.read_text().replace("name: Ada", f"name: {name}"))
        git(kit, "commit", "-qam", "another name")
    parted.push(parted.desk)
    parted.pull(laptop)
    before = git(laptop, "status", "--porcelain")
    done = parted.reel("doctor", "--mend", cwd=laptop)
    told = (
        "Error: kit.yaml was changed on both machines; only you can decide which text is right.\n"
        "Hint: write the right text, then  git add kit.yaml  and  reel doctor --fix\n"
    )
    assert (done.code, done.err) == (3, told)
    assert git(laptop, "status", "--porcelain") == before
    place = laptop / "kit.yaml"
    git(laptop, "checkout", "-q", "--ours", "kit.yaml")
    place.write_text(place.read_text().replace("Ada Boat", "Ada of the Canal"))
    git(laptop, "add", "kit.yaml")
    parted.reel("doctor", "--mend", cwd=laptop).ok()
    assert "Ada of the Canal" in git(laptop, "show", "HEAD:kit.yaml")
    parted.proven(laptop)


def test_the_guard_names_the_way_as_well(parted: Machines) -> None:
    laptop = parted.laptop
    parted.reel("doctor", "--guard", "on", cwd=laptop).ok()
    git(laptop, "checkout", "-q", "--theirs", ".")
    git(laptop, "add", "-A")
    done = subprocess.run(
        ["git", "commit", "-qm", "by hand"], cwd=laptop, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert done.stderr.endswith(
        "  Two machines recorded something:  reel doctor --fix  joins it and loses none of it.\n"
    )
    parted.reel("doctor", "--mend", cwd=laptop).ok()
    parted.proven(laptop)


# -- concluded by hand ------------------------------------------------------------------------------


def test_marks_that_were_committed_are_joined_anew(parted: Machines) -> None:
    laptop = parted.laptop
    git(laptop, "add", "-A")
    git(laptop, "commit", "-qm", "by hand")
    found = parted.reel("tape", "verify", cwd=laptop)
    assert found.code == 3
    assert "chat 2026-02-10-1 was left out of it" in found.out
    assert "reel doctor --fix  brings it back as a chat of its own" in found.out
    assert "ring2/working.md still has the marks of a merge" in parted.reel("doctor", cwd=laptop).out
    parted.reel("doctor", "--mend", cwd=laptop).ok()
    assert parted.says(laptop, "2026-02-10-1") == said("kite", "meadow")
    assert parted.says(laptop, "2026-02-10-2") == said("boat", "canal")
    parted.proven(laptop)
    assert "<<<<" not in (laptop / "ring2/working.md").read_text()


@pytest.mark.parametrize(("side", "kept", "lost"), [("ours", BOAT, KITE), ("theirs", KITE, BOAT)])
def test_a_side_that_was_dropped_is_named_and_comes_back(
    parted: Machines, side: str, kept: tuple[str, str, str], lost: tuple[str, str, str]
) -> None:
    laptop = parted.laptop
    git(laptop, "checkout", "-q", f"--{side}", ".")
    git(laptop, "add", "-A")
    git(laptop, "commit", "-qm", "by hand")
    commit = git(laptop, "rev-parse", "--short=7", "HEAD").strip()
    assert (
        f"Chat 2026-02-10-1 of one machine was left out when two were made one ({commit}, "
        in parted.reel("doctor", cwd=laptop).out
    )
    parted.reel("doctor", "--mend", cwd=laptop).ok()
    assert parted.says(laptop, "2026-02-10-1") == said(*kept[1:])
    assert parted.says(laptop, "2026-02-10-2") == said(*lost[1:])
    titles = parted.reel("memory", "list", cwd=laptop).ok().out
    assert all(f"The {thing} that came home" in titles for thing in ("kite", "boat", "lamp"))
    parted.proven(laptop)


def test_a_side_that_was_dropped_some_time_ago_comes_back_as_a_session(parted: Machines) -> None:
    laptop = parted.laptop
    git(laptop, "checkout", "-q", "--theirs", ".")
    git(laptop, "add", "-A")
    git(laptop, "commit", "-qm", "by hand")
    parted.record(laptop, ("2026-02-10", "piano", "attic"))
    parted.reel("doctor", "--mend", cwd=laptop).ok()
    assert parted.says(laptop, "2026-02-10-3") == said("boat", "canal")
    assert git(laptop, "log", "-1", "--format=%s").strip() == (
        "tape: bring back what a merge left out (2026-02-10-1, as 2026-02-10-3)"
    )
    parted.proven(laptop)
    before = git(laptop, "rev-parse", "HEAD")
    parted.reel("doctor", "--mend", cwd=laptop).ok()
    assert git(laptop, "rev-parse", "HEAD") == before


def test_a_session_altered_while_it_gets_another_number_is_told_of(parted: Machines) -> None:
    laptop = parted.laptop
    parted.reel("doctor", "--mend", cwd=laptop).ok()
    place = laptop / "tape/2026/2026-02-10-2.md"
    place.write_bytes(place.read_bytes().replace(b"paper bag", b"linen bag"))
    git(laptop, "commit", "-qa", "--amend", "--no-edit")
    found = parted.reel("tape", "verify", cwd=laptop)
    assert found.code == 3
    assert "tape/2026/2026-02-10-1.md" in found.out


def test_a_plain_commit_cannot_rename_a_session(machines: Machines) -> None:
    """Only a merge may do what a merge may do."""
    from reel_cli.core.tape.twins import rename_session

    desk = machines.desk
    machines.record(desk, KITE)
    old, new = "tape/2026/2026-02-10-1.md", "tape/2026/2026-02-10-2.md"
    (desk / new).write_bytes(rename_session((desk / old).read_bytes(), old, "2026-02-10-2"))
    (desk / old).write_bytes((desk / old).read_bytes().partition(b"\n\n")[0] + b"\n")
    git(desk, "add", "-A")
    git(
        desk, "commit", "--no-verify", "-qm", "edit: by hand\n\nReel-Renumbered: 2026-02-10-1 to 2026-02-10-2"
    )
    assert machines.reel("tape", "verify", cwd=desk).code == 3


def test_what_was_let_go_before_comes_back_under_its_new_number(parted: Machines) -> None:
    laptop = parted.laptop
    git(laptop, "merge", "--abort")
    whole = (laptop / "ring3/M-002.md").read_text()
    parted.reel("forget", "M-002", "--yes", cwd=laptop).ok()
    parted.pull(laptop)
    parted.reel("doctor", "--mend", cwd=laptop).ok()
    told = parted.reel("log", cwd=laptop).ok().out
    assert "The boat that came home" in told
    assert "The kite that came home" in told
    assert "M-003" in parted.reel("log", "--forgotten", cwd=laptop).ok().out
    life = parted.reel("why", "M-002", cwd=laptop).ok().out
    assert life.count("became a memory") == 1
    refused = parted.reel("restore", "M-002", cwd=laptop)
    assert refused.err.startswith("Error: M-002 was never let go: nothing of it is missing.")
    parted.reel("restore", "M-003", cwd=laptop).ok()
    back = (laptop / "ring3/M-003.md").read_text()
    assert back == whole.replace("M-002", "M-003").replace("2026-02-10-1", "2026-02-10-2")
    parted.proven(laptop)


def test_a_purged_session_goes_from_what_it_was_called_before_too(parted: Machines) -> None:
    laptop = parted.laptop
    parted.reel("doctor", "--fix", cwd=laptop).ok()
    parted.reel("purge", "2026-02-10-2", "--confirm", "Ada", cwd=laptop).ok()
    names = {line.split(" ")[0] for line in git(laptop, "rev-list", "--all", "--objects").splitlines()}
    asked = subprocess.run(
        ["git", "cat-file", "--batch"],
        cwd=laptop,
        input="\n".join(names).encode(),
        capture_output=True,
        check=True,
    )
    assert b"a new string from the meadow shop" in asked.stdout
    for words in (b"a new string from the canal shop", b"nothing in it was anybody else"):
        assert words not in asked.stdout
    parted.proven(laptop)
    before = git(laptop, "rev-parse", "HEAD")
    parted.reel("doctor", "--fix", cwd=laptop)
    assert git(laptop, "rev-parse", "HEAD") == before


def test_what_is_told_of_a_memory_follows_its_new_name(machines: Machines) -> None:
    desk, laptop = machines.desk, machines.laptop
    machines.live(desk, KITE)
    machines.live(laptop, BOAT)
    machines.push(desk)
    machines.pull(laptop)
    machines.reel("doctor", "--fix", cwd=laptop).ok()
    found = json.loads(machines.reel("diff", "HEAD^1", "--json", cwd=laptop).ok().out)
    moved = {one["id"]: (kind, one["was"]) for kind, some in found["memories"].items() for one in some}
    assert moved == {"M-002": ("new", None), "M-003": ("edited", "M-002")}
    told = machines.reel("diff", "HEAD^1", cwd=laptop).ok().out
    assert "  1 new chat, 4 messages\n  2026-02-10-1: 4 messages\n" in told
    assert "  2026-02-10-2 was called 2026-02-10-1 until then\n" in told
    assert "tokens, M-002 until then\n" in told
    assert "by hand" not in told
    life = json.loads(machines.reel("why", "M-003", "--json", cwd=laptop).ok().out)["life"]
    assert [one["words"] for one in life if one["what"] == "renumbered"] == [
        "was called M-002 before; another machine had given that number too"
    ]
    assert "renumbered" not in machines.reel("why", "M-002", "--json", cwd=laptop).ok().out
    # seen from the other machine, nothing but what was learnt is different
    machines.push(laptop)
    machines.pull(desk)
    found = json.loads(machines.reel("diff", "HEAD^2", "--json", cwd=desk).ok().out)
    assert [(kind, one["id"]) for kind, some in found["memories"].items() for one in some] == [
        ("new", "M-003")
    ]
