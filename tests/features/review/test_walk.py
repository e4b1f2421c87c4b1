"""`reel review` at a terminal, whole walks: shown one by one, decided, changed, carried out on leaving."""

import json
import os
import pty
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.files.review_file import render_proposal
from reel_cli.core.values.review import Proposal, ReviewKind, Side
from reel_cli.terminal.console import Console
from reel_cli.terminal.input.typed_line import TypedLine
from tests.support.cli import CHECKOUT, Reel, Run, git
from tests.support.pages import chat, page
from tests.support.shelf import ready_made

IDENTITY = "ring0/identity.md"
WORKING = "ring2/working.md"
SUGGESTED = "2026-02-25-1.1-identity"
EXAMPLE = "2026-02-25-1.1-exemplar-1"
WORDS = "You are warm, dry and hard to impress."
QUICK = "You are warm, dry and quick to laugh."
Step = str | Callable[[], object]


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    """A kit whose page left two things to decide: an example, and a change to who Ada is."""

    def tell() -> None:
        reel("record", "-", stdin=chat()).ok()
        reply = page(
            {
                "Who I am on paper": 'Yes: change "hard to impress" to "quick to laugh", because I am.',
                "Worth showing again": '"Fine. Chapter four: she should open a letter that isn\'t hers."',
            }
        )
        reel("checkpoint", "--reply", "-", "--yes", stdin=reply).ok()

    ready_made(kit, "two things to decide", tell)
    return kit


@pytest.fixture
def walk(reel: Reel, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """Walk through `reel review`: each step is typed, or done meanwhile; then comes the end of input."""

    def go(*steps: Step, **env: str) -> Run:
        left = list(steps)

        def read(console: Console, **_: bool) -> TypedLine:
            console.answered = True
            while left and not isinstance(left[0], str):
                act = left.pop(0)
                assert callable(act)
                act()
            return TypedLine(str(left.pop(0))) if left else TypedLine("", ended=True)

        with monkeypatch.context() as patch:
            patch.setattr(Console, "_read_line", read)
            done = reel("review", tty=True, env={"NO_COLOR": "1", **env})
        assert not left
        return done

    return go


def interrupt() -> None:
    raise KeyboardInterrupt


class Killed(BaseException):
    """The process is gone."""


def kill() -> None:
    raise Killed


def waiting(reel: Reel) -> list[str]:
    return [one["item"] for one in json.loads(reel("review", "--json").ok().out)]


def append(kit: Path, path: str, text: str) -> None:
    with (kit / path).open("a", encoding="utf-8") as file:
        file.write(text)


def commits(kit: Path) -> int:
    return int(git(kit, "rev-list", "--count", "HEAD"))


def identity(kit: Path) -> str:
    return (kit / IDENTITY).read_text(encoding="utf-8")


def editor(folder: Path, script: str) -> dict[str, str]:
    """The settings that make a shell script the editor; `$1` is the file."""
    place = folder / "editor"
    place.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    place.chmod(0o755)
    return {"EDITOR": str(place), "VISUAL": ""}


def propose(kit: Path, kind: ReviewKind, name: str, text: str, **more: Any) -> None:
    proposal = Proposal(name, kind, "2026-02-25-1", "2026-02-25T20:00:00Z", name, text, **more)
    (kit / "review").mkdir(exist_ok=True)
    (kit / f"review/{name}.md").write_text(render_proposal(proposal), encoding="utf-8")
    git(kit, "add", "-A")
    git(kit, "commit", "-q", "--no-verify", "-m", f"page: {name}\n\nReel-Op: checkpoint")


# -- one by one -----------------------------------------------------------------------------


def test_the_word_printed_beside_a_key_is_that_key(walk: Callable[..., Run], told: Path) -> None:
    seen = walk("Keep", "next", "quit").ok().err
    assert "y: keep. " in seen
    assert "I did not understand" not in seen
    assert not (told / f"review/{EXAMPLE}.md").exists()
    assert (told / f"review/{SUGGESTED}.md").exists()


def test_an_enter_after_what_was_not_understood_at_the_end_carries_nothing_out(
    walk: Callable[..., Run], told: Path
) -> None:
    seen = walk("drop", "j", "banana", "", "later").err
    assert seen.count("Enter or q: carry it out.") == 1
    assert (told / f"review/{EXAMPLE}.md").exists()
    assert "Your decision is noted" in seen


def test_a_word_that_is_no_answer_is_told_as_that(walk: Callable[..., Run], told: Path) -> None:
    assert told.exists()
    assert "I did not understand “banana”." in walk("banana", "q").ok().err


def test_each_is_shown_with_what_it_is_what_changes_and_its_keys(
    walk: Callable[..., Run], told: Path
) -> None:
    assert told.exists()
    done = walk("j", "q").ok()
    assert "1 of 2 · An example of how Ada sounds: “Fine." in done.err
    assert "From the page of 25 February 2026" in done.err
    assert "    Ada: Then let her read it standing up, with her coat on.\n" in done.err
    assert "2 of 2 · Ada suggests a change to who Ada is\n" in done.err
    assert "was: You are warm, dry and [hard to impress.]" in done.err
    assert "now: You are warm, dry and [quick to laugh.]" in done.err
    assert "You approve it as Bo Lind." in done.err
    assert "Nothing was decided. 2 things wait for your decision:  reel review\n" in done.err


def test_what_is_decided_is_carried_out_on_leaving_each_a_commit_that_undo_takes_back(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    before = commits(told)
    done = walk("y", "y", lambda: None, "").ok()
    assert commits(told) == before + 2
    assert QUICK in identity(told)
    assert "All are decided.\n" in done.err
    assert "Nothing waits for your decision.\n" in done.err
    assert waiting(reel) == []
    reel("undo", "--yes").ok()
    assert waiting(reel) == [SUGGESTED]
    assert WORDS in identity(told)
    reel("undo", "--yes").ok()
    assert waiting(reel) == [EXAMPLE, SUGGESTED]


def test_an_example_that_is_kept_is_heard_unless_one_says_otherwise(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    active = (told / "ring1/active.yaml").read_text()
    walk("r", "q").ok()
    assert "is kept as an example, not shown yet" in reel("log").ok().out
    kept = (told / "ring1/active.yaml").read_text()
    assert kept.startswith(active + "resting:\n  - ")
    for window in ("8k", "16k"):
        assert reel("pack", "--window", window).ok().out.count("her coat on") <= 1
    reel("undo", "--yes").ok()
    walk("y", "q").ok()
    assert "her coat on" in reel("pack", "--window", "16k").ok().out


def test_the_first_example_of_all_rests_too_where_one_says_so(reel: Reel, walk: Callable[..., Run]) -> None:
    reel("init", "mo", "--template", "blank", "--name", "Ada").ok()
    reel.cwd /= "mo"
    reel("record", "-", stdin=chat()).ok()
    shown = {"Worth showing again": '"Fine. Chapter four: she should open a letter that isn\'t hers."'}
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(shown)).ok()
    done = walk("r").ok()
    assert "Kept, not shown yet" in done.err
    assert "her coat on" not in reel("pack", "--window", "32k").ok().out.partition("## Where things")[0]
    active = (reel.cwd / "ring1/active.yaml").read_text()
    assert 'anchor: ""\nactive: []\nresting:\n  - ' in active
    assert "ring1" not in reel("doctor").out


def test_one_may_go_back_and_decide_otherwise_before_leaving(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    before = commits(told)
    done = walk("n", "y", "k", "k", "n", "k", "u", "k", "y", "q").ok()
    assert "  You decided: drop.\n" in done.err
    assert "  You decided: approve.\n" in done.err
    assert commits(told) == before + 1
    assert waiting(reel) == [SUGGESTED]


def test_leaving_carries_out_what_was_decided_and_says_what_waits(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    before = commits(told)
    done = walk("y", "q").ok()
    assert done.err.rstrip().endswith(
        "1 thing waits for your decision:  reel review\nTo take the last one back:  reel undo"
    )
    assert "Kept: An example of how Ada sounds" in done.err
    assert commits(told) == before + 1
    assert waiting(reel) == [SUGGESTED]


@pytest.mark.parametrize("way", ["end", "ctrl-c"])
def test_stopping_changes_nothing_and_the_next_walk_has_the_decisions(
    reel: Reel, walk: Callable[..., Run], told: Path, way: str
) -> None:
    before = commits(told)
    last: list[Step] = {"end": [], "ctrl-c": [interrupt]}[way]  # type: ignore[assignment]
    done = walk("n", *last)
    assert done.code == (130 if way == "ctrl-c" else 0)
    said = " ".join(done.err.split())
    assert "Your decision is noted, and nothing is changed yet." in said
    assert said.endswith("2 things wait for your decision: reel review")
    assert commits(told) == before
    assert waiting(reel) == [EXAMPLE, SUGGESTED]
    again = walk("q").ok()
    assert "You decided on one of these before, and nothing of that is carried out yet." in again.err
    assert waiting(reel) == [SUGGESTED]


def test_stopping_without_a_decision_says_that_nothing_was_decided(
    walk: Callable[..., Run], told: Path
) -> None:
    assert told.exists()
    assert "Nothing was decided. 2 things wait for your decision:  reel review" in walk("j", interrupt).err


def test_a_walk_that_was_killed_goes_on_where_it_was(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    before = commits(told)
    with pytest.raises(Killed):
        walk("n", kill)
    assert commits(told) == before
    done = walk("y", "").ok()
    assert "You decided on one of these before, and nothing of that is carried out yet." in done.err
    assert waiting(reel) == []
    assert not (told / ".reel/state/decisions.json").exists()


def test_a_noted_decision_about_what_is_gone_is_not_told_of(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    with pytest.raises(Killed):
        walk("n", kill)
    command = reel.command("--kit", told, "review", "reject", EXAMPLE)
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, check=True, capture_output=True)
    assert "has changed since" not in " ".join(walk("q").err.split())


def approve_another_line(reel: Reel, kit: Path) -> Callable[[], None]:
    """Approve another line of the identity, from elsewhere."""

    def elsewhere() -> None:
        append(kit, IDENTITY, "Never lie.\n")
        command = reel.command(
            *("--kit", kit, "review", "accept", IDENTITY, "--as", "Bo Lind <bo@example.org>", "--yes")
        )
        subprocess.run(
            command, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, check=True, capture_output=True
        )

    return elsewhere


@pytest.mark.parametrize("own", [True, False], ids=["own text", "suggested words"])
def test_a_noted_decision_about_another_text_is_not_carried_out_but_shown_again(
    reel: Reel, walk: Callable[..., Run], told: Path, tmp_path: Path, *, own: bool
) -> None:
    env = editor(tmp_path, 'sed -i "s/quick to laugh/slow to anger/" "$1"')
    with pytest.raises(Killed):
        walk("2", *(["e", "y"] if own else ["y"]), kill, **env)
    approve_another_line(reel, told)()
    before = commits(told)
    done = walk("1", "q").ok()
    assert "One of your decisions was about a text that has changed since" in " ".join(done.err.split())
    assert commits(told) == before
    assert "Never lie." in identity(told)
    assert SUGGESTED in waiting(reel)
    # the text itself is still there, held against the identity as it is
    assert ("slow to anger" in walk("2", "q").ok().err) is own


@pytest.mark.parametrize("own", [True, False], ids=["own text", "suggested words"])
def test_a_decision_whose_target_changed_meanwhile_is_shown_again(
    reel: Reel, walk: Callable[..., Run], told: Path, tmp_path: Path, *, own: bool
) -> None:
    env = editor(tmp_path, 'sed -i "s/quick to laugh/slow to anger/" "$1"')
    steps: list[Step] = ["2", *(["e", "y"] if own else ["y"]), approve_another_line(reel, told), "", "q"]
    said = " ".join(walk(*steps, **env).ok().err.split())
    assert "is another now; here it is again." in said
    assert "Never lie." in identity(told)
    assert WORDS in identity(told)
    assert SUGGESTED in waiting(reel)


def test_where_nothing_waits_that_is_said(walk: Callable[..., Run], kit: Path) -> None:
    assert kit.exists()
    assert walk().ok().err == "Nothing waits for your decision.\n"


def test_help_lists_the_keys_and_any_other_word_asks_again(walk: Callable[..., Run], told: Path) -> None:
    assert told.exists()
    done = walk("?", "what", "2", "99", "q").ok()
    assert "  q: leave: what you decided is carried out, the rest waits\n" in done.err
    assert "2 of 2 · " in done.err


def test_an_example_says_how_many_are_shown_at_once_and_whether_it_has_room(
    walk: Callable[..., Run], told: Path
) -> None:
    """It said that it is shown before each chat, and others were: four at 8K, five above."""
    most = "If you keep it, Ada is shown it before your next chats, where there is room. At most {} examples"
    assert most.format(4) in " ".join(walk("q").ok().err.split())
    settings = told / "kit.yaml"
    settings.write_text(settings.read_text() + "window: 16k\ncap: 16k\n")
    assert most.format(5) in " ".join(walk("q").ok().err.split())
    settings.write_text(settings.read_text().replace("16k", "2k"))
    waiting = next(path for path in (told / "review").glob("*.md") if "kind: exemplar" in path.read_text())
    waiting.write_text(waiting.read_text().rstrip("\n") + " And so on, and on." * 60 + "\n")
    assert "It is too long to be shown before a chat at 2K" in " ".join(walk("q").ok().err.split())


def test_a_deleted_identity_can_be_put_back_and_not_approved(walk: Callable[..., Run], told: Path) -> None:
    """It offered y: approve, which approved the deletion, and was refused then."""
    (told / IDENTITY).unlink()
    done = walk("j", "j", "j", "q").ok()
    assert "There is nobody without it, so it can only be put back, or written anew." in " ".join(
        done.err.split()
    )
    keys = next(line for line in done.err.splitlines() if "put it back as it was" in line)
    assert "approve" not in keys


def test_deleted_rules_are_left_deleted_rather_than_approved(walk: Callable[..., Run], told: Path) -> None:
    (told / "ring0/directives.md").unlink()
    told_of = walk("j", "j", "j", "q").ok().err
    assert "y: leave it deleted. n: put it back as it was." in told_of
    assert "You approve that it stays deleted as " in " ".join(told_of.split())


def test_a_deleted_memory_that_is_let_go_names_the_way_back(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    (told / "ring3/M-001.md").unlink()
    before = walk("n", "n", "y", "y", "").ok()
    assert "To have it back:  reel restore M-001" in before.err
    reel("restore", "M-001").ok()
    assert (told / "ring3/M-001.md").exists()


def test_help_says_that_enter_after_the_last_carries_out_what_was_decided(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    """It said that nothing is changed before q."""
    assert told.exists()
    done = walk("?", "y", "j", "").ok()
    told_so = "Nothing is changed before you leave, with q or with Enter after the last."
    assert told_so in " ".join(done.err.split())
    assert waiting(reel) == [SUGGESTED]


# -- the editor -----------------------------------------------------------------------------


def test_an_edited_text_is_shown_again_before_it_is_kept(
    reel: Reel, walk: Callable[..., Run], told: Path, tmp_path: Path
) -> None:
    env = editor(tmp_path, 'sed -i "s/quick to laugh/slow to anger/" "$1"')
    done = walk("2", "e", "y", "", **env).ok()
    shown = done.err.partition("With your text it reads:")[2]
    assert "now: You are warm, dry and [slow to anger.]" in shown
    assert "slow to anger" in identity(told)
    assert waiting(reel) == [EXAMPLE]


def test_a_proposal_is_kept_as_the_person_wrote_it(
    walk: Callable[..., Run], told: Path, tmp_path: Path
) -> None:
    walk("e", "y", "q", **editor(tmp_path, 'sed -i "s/with her coat on/barefoot/" "$1"')).ok()
    texts = [file.read_text(encoding="utf-8") for file in (told / "ring1").glob("*.md")]
    assert any("read it standing up, barefoot." in text for text in texts)


def test_u_goes_back_from_a_person_s_text_to_what_was_suggested(
    walk: Callable[..., Run], told: Path, tmp_path: Path
) -> None:
    left = walk("e", "j", interrupt, **editor(tmp_path, 'sed -i "s/with her coat on/barefoot/" "$1"'))
    assert "Your text is noted; u goes back to what was suggested." in left.err
    done = walk("u", "y", "q").ok()
    assert "barefoot" in done.err.partition("u: as it was suggested.")[0]
    assert "Your text is kept in .reel/state/rejected/" in done.err
    texts = [file.read_text(encoding="utf-8") for file in (told / "ring1").glob("*.md")]
    assert any("read it standing up, with her coat on." in text for text in texts)
    assert not any("barefoot" in text for text in texts)


def test_a_text_in_which_the_persona_says_nothing_is_no_example(
    walk: Callable[..., Run], told: Path, tmp_path: Path
) -> None:
    done = walk("e", "q", **editor(tmp_path, 'echo "Something else." > "$1"')).ok()
    assert "Ada says nothing in it, and an example shows how Ada sounds." in " ".join(done.err.split())
    assert "Something else." not in done.err
    assert told.exists()


def test_a_speaker_counts_however_it_is_marked(walk: Callable[..., Run], told: Path, tmp_path: Path) -> None:
    walk("e", "y", "q", **editor(tmp_path, 'echo "**Ada**: Barefoot, then." > "$1"')).ok()
    texts = [file.read_text(encoding="utf-8") for file in (told / "ring1").glob("*.md")]
    assert any("Barefoot, then." in text for text in texts)


def test_one_blank_line_stands_before_the_keys(walk: Callable[..., Run], told: Path) -> None:
    assert told.exists()
    assert "\n\n\n" not in walk("j", "q").err


@pytest.mark.parametrize("script", ["exit 1", "true"])
def test_an_editor_that_fails_or_changes_nothing_decides_nothing(
    reel: Reel, walk: Callable[..., Run], told: Path, tmp_path: Path, script: str
) -> None:
    before = commits(told)
    done = walk("e", "q", **editor(tmp_path, script)).ok()
    assert ("ended with an error" in " ".join(done.err.split())) is (script == "exit 1")
    assert commits(told) == before
    assert waiting(reel) == [EXAMPLE, SUGGESTED]


def test_what_was_saved_before_the_editor_failed_is_not_lost(
    walk: Callable[..., Run], told: Path, tmp_path: Path
) -> None:
    done = walk("e", "q", **editor(tmp_path, 'echo "and my own line" >> "$1"; exit 1')).ok()
    place = " ".join(done.err.split()).partition("what you saved is in ")[2].split()[0]
    assert "and my own line" in (told / place).read_text(encoding="utf-8")


def test_what_was_saved_at_each_failure_of_the_editor_is_kept(
    walk: Callable[..., Run], told: Path, tmp_path: Path
) -> None:
    env = editor(tmp_path, 'echo "try $(ls "$(dirname "$1")" | grep -c ^saved-)" >> "$1"; exit 1')
    walk("2", "e", "e", "e", "q", **env).ok()
    texts = [file.read_text(encoding="utf-8") for file in (told / ".reel/state").glob("saved-*.md")]
    assert sorted(text.splitlines()[-1] for text in texts) == ["try 0", "try 1", "try 2"]


def test_a_text_that_was_edited_and_not_decided_is_there_the_next_time(
    walk: Callable[..., Run], told: Path, tmp_path: Path
) -> None:
    env = editor(tmp_path, 'sed -i "s/quick to laugh/slow to anger/" "$1"')
    walk("2", "e", "q", **env).ok()
    assert "slow to anger" not in identity(told)
    assert "now: You are warm, dry and [slow to anger.]" in walk("2", "q").ok().err


def test_an_edit_by_hand_is_edited_where_it_lies(
    reel: Reel, walk: Callable[..., Run], told: Path, tmp_path: Path
) -> None:
    append(told, WORKING, "- buy a lamp\n")
    done = walk("3", "e", "y", "", **editor(tmp_path, 'sed -i "s/a lamp/two lamps/" "$1"')).ok()
    assert "new: - buy two lamps" in done.err
    assert "- buy two lamps\n" in (told / WORKING).read_text(encoding="utf-8")
    assert waiting(reel) == [EXAMPLE, SUGGESTED]


# -- parts ----------------------------------------------------------------------------------


def test_an_edit_of_who_she_is_is_decided_place_by_place(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    text = identity(told)
    (told / IDENTITY).write_text(
        f"{text.replace(WORDS, f'{WORDS} And kind.')}You like tea.\n", encoding="utf-8"
    )
    done = walk("3", "s", "y", "n", "").ok()
    assert "Split into 2." in done.err
    assert identity(told) == text.replace(WORDS, f"{WORDS} And kind.")
    assert git(told, "status", "--porcelain") == ""
    assert "And kind." in reel("pack").ok().out
    (kept,) = (told / ".reel/state/rejected").rglob("*.md")
    assert kept.read_text().endswith("You like tea.\n")
    # an undo brings it back, and takes back no commit of the other place
    assert kept.stat().st_mtime_ns >= (told / ".git/logs/HEAD").stat().st_mtime_ns
    assert "your no to your edit of who Ada is" in reel("undo", "--dry-run").ok().out


def test_a_part_that_is_not_decided_goes_on_waiting(reel: Reel, walk: Callable[..., Run], told: Path) -> None:
    text = identity(told)
    (told / IDENTITY).write_text(
        f"{text.replace(WORDS, f'{WORDS} And kind.')}You like tea.\n", encoding="utf-8"
    )
    walk("3", "s", "y", "q").ok()
    assert IDENTITY in waiting(reel)
    assert identity(told).endswith("You like tea.\n")
    packed = reel("pack").ok().out
    assert "And kind." in packed
    assert "You like tea." not in packed


@pytest.mark.parametrize("keys", ["ynj", "nyj", "nnj", "jyn", "yjn", "nyy"])
def test_places_that_read_alike_are_never_taken_for_each_other(
    reel: Reel, walk: Callable[..., Run], told: Path, keys: str
) -> None:
    lines = ["You garden.", "You read.", "You walk."]

    def text(*keys: str) -> str:
        told_of = [
            f"{line}\nNever lie.\n" if key else f"{line}\n" for key, line in zip(keys, lines, strict=True)
        ]
        return "".join([base, *told_of])

    base = identity(told)
    append(told, IDENTITY, "".join(f"{line}\n" for line in lines))
    reel("review", "accept", IDENTITY, "--as", "Bo Lind <bo@example.org>", "--yes").ok()
    (told / IDENTITY).write_text(text("+", "+", "+"), encoding="utf-8")
    walk("3", "s", *keys, "").ok()
    assert identity(told) == text(*("" if key == "n" else "+" for key in keys))
    approved = git(told, "show", f"HEAD:{IDENTITY}")
    assert approved.rstrip() == text(*("+" if key == "y" else "" for key in keys)).rstrip()
    assert (IDENTITY in waiting(reel)) is ("j" in keys)


@pytest.mark.parametrize("key", ["y", "n"])
def test_a_place_of_another_text_than_was_shown_is_left_as_it_is(
    walk: Callable[..., Run], told: Path, key: str
) -> None:
    base = identity(told)
    shown = f"Never lie.\n{base}Never lie.\n"
    other = f"{base}Never lie.\n\nNever lie.\n"
    (told / IDENTITY).write_text(shown, encoding="utf-8")
    done = walk("3", "s", key, lambda: (told / IDENTITY).write_text(other, encoding="utf-8"), "q", "q").ok()
    assert "changed meanwhile" in done.err
    assert identity(told) == other
    assert git(told, "show", f"HEAD:{IDENTITY}").rstrip() == base.rstrip()


def test_notes_to_close_are_decided_one_by_one(reel: Reel, walk: Callable[..., Run], told: Path) -> None:
    notes = (told / WORKING).read_text(encoding="utf-8")
    more = "## Open loops\n- buy a lamp\n- call the vet\n- mend the fence\n"
    (told / WORKING).write_text(notes.replace("## Open loops\n", more), encoding="utf-8")
    propose(told, ReviewKind.CLOSING, "closing", "- buy a lamp\n- call the vet\n- mend the fence\n")
    before = commits(told)
    done = walk("3", "s", "y", "n", "q").ok()
    assert "3 of 5 · A note to close" in done.err
    notes = (told / WORKING).read_text(encoding="utf-8")
    assert "- buy a lamp" not in notes
    assert "- call the vet" in notes
    assert commits(told) == before + 2
    assert "closing" in waiting(reel)
    assert "- mend the fence\n" in (told / "review/closing.md").read_text(encoding="utf-8")
    assert "- call the vet\n" not in (told / "review/closing.md").read_text(encoding="utf-8")


# -- together -------------------------------------------------------------------------------


def test_two_edits_of_ring_0_that_need_each_other_come_into_force_together(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    append(told, IDENTITY, "You like tea.\n")
    append(told, "ring0/directives.md", "Never hurry.\n")
    git(told, "commit", "-qam", "mine", "--no-verify")
    before = commits(told)
    walk("3", "y", "y", "").ok()
    assert commits(told) == before + 1
    assert waiting(reel) == [EXAMPLE, SUGGESTED]
    packed = reel("pack").ok().out
    assert "You like tea." in packed
    assert "Never hurry." in packed


def test_what_cannot_be_decided_yet_says_why_at_once(walk: Callable[..., Run], told: Path) -> None:
    append(told, IDENTITY, "You like tea.\n")
    done = walk("2", "y", "3", "n", "2", "y", "").ok()
    assert done.err.count(f"Your own edit of {IDENTITY} would be approved with this.") == 1
    assert QUICK in identity(told)
    assert "You like tea." not in identity(told)


def test_l_after_the_last_leaves_with_nothing_carried_out(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    before, waits = git(told, "rev-parse", "HEAD"), waiting(reel)
    done = walk("2", "n", "l").ok()
    assert "Enter or q: carry it out. k: back." in done.err
    assert "l: leave, and do it later." in done.err
    assert "Your decision is noted, and nothing is changed yet." in done.err
    assert (git(told, "rev-parse", "HEAD"), waiting(reel)) == (before, waits)
    # the next walk goes on with it, from the first, and Enter after the last carries it out
    walk("", "", "").ok()
    assert waiting(reel) == [one for one in waits if one != SUGGESTED]


def test_l_leaves_where_nothing_is_decided_too(walk: Callable[..., Run], told: Path) -> None:
    done = walk("j", "j", "l").ok()
    assert "I did not understand" not in done.err
    assert "Nothing was decided." in done.err


def test_q_means_the_same_beside_the_last_thing_and_after_it(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    """After the last it left with nothing carried out; one line above it carried out what was decided."""
    done = walk("2", "n", "k", "2", "j", "q").ok()
    assert "q: leave, and do what you decided." in done.err
    assert "Not taken: " in done.err
    assert waiting(reel) == [EXAMPLE]


def test_each_answer_says_what_was_noted(walk: Callable[..., Run], told: Path) -> None:
    """To who listens, y and j were followed by the same: the next thing."""
    done = walk("j", "n", "k", "u", "1", "y", "j", "l").ok()
    said = done.err.replace("> ", "").splitlines()
    words = [line for line in said if line.startswith(("Noted: ", "Left for"))]
    assert words == ["Left for later.", "Noted: drop.", "Left for later.", "Noted: keep.", "Left for later."]


def test_a_text_on_an_edit_that_is_put_back_does_not_bring_the_edit_along(
    reel: Reel, walk: Callable[..., Run], told: Path, tmp_path: Path
) -> None:
    append(told, IDENTITY, "You like tea.\n")
    env = editor(tmp_path, 'echo "And rain." >> "$1"')
    done = walk("2", "e", "3", "n", "2", "y", "", "q", **env).ok()
    assert f"{IDENTITY} changed since you wrote this; your text is kept." in done.err
    assert "You like tea." not in identity(told)
    assert waiting(reel) == [EXAMPLE, SUGGESTED]


def test_what_would_change_nothing_any_more_can_only_be_dropped(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    propose(told, ReviewKind.CLOSING, "closing", "- a note that is gone\n- another\n")
    done = walk("3", "q").ok()
    assert "\nn: drop. j: next. k: back. q: leave. ?: help.\n" in done.err
    assert waiting(reel)[2] == "closing"


def test_start_counts_what_waits_as_review_does(reel: Reel, told: Path) -> None:
    append(told, IDENTITY, "You like tea.\n")
    said = "3 things wait for your decision:  reel review\n"
    assert said in reel("start").ok().err
    assert said in reel("status").ok().out


def test_reel_alone_counts_what_waits_as_review_does(reel: Reel, told: Path) -> None:
    pytest.importorskip("reel_cli.features.home.overview")
    append(told, IDENTITY, "You like tea.\n")
    assert "3 things wait for your decision:  reel review\n" in reel().ok().out


# -- meanwhile ------------------------------------------------------------------------------


def test_a_thing_that_changed_meanwhile_is_shown_again(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    append(told, WORKING, "- buy a lamp\n")
    done = walk("3", lambda: append(told, WORKING, "- and oil\n"), "y", "y", "").ok()
    assert f"“your edit of {WORKING}” changed meanwhile; here it is as it is now." in done.err
    assert "new: - and oil" in done.err
    assert waiting(reel) == [EXAMPLE, SUGGESTED]


def test_what_another_reel_decided_meanwhile_is_told(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    def elsewhere() -> None:
        subprocess.run(
            reel.command("--kit", told, "review", "reject", EXAMPLE),
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, check=True, capture_output=True,
        )  # fmt: skip

    done = walk("n", elsewhere, "y").ok()
    assert "is left out: it was decided in another place, or is gone." in " ".join(done.err.split())
    assert "Approved: Ada suggests a change to who Ada is" in done.err
    assert waiting(reel) == []


def test_a_text_whose_proposal_changed_meanwhile_is_kept_aside(
    walk: Callable[..., Run], told: Path, tmp_path: Path
) -> None:
    def other() -> None:
        path = told / f"review/{SUGGESTED}.md"
        path.write_text(path.read_text(encoding="utf-8").replace("quick", "slow"), encoding="utf-8")

    env = editor(tmp_path, 'sed -i "s/quick to laugh/mild/" "$1"')
    done = walk("2", "e", other, "y", "q", **env).ok()
    assert "changed meanwhile" in done.err
    place = done.err.partition("Your text is kept in ")[2].split()[0]
    assert "You are warm, dry and mild." in (told / place).read_text(encoding="utf-8")
    assert WORDS in identity(told)


def test_a_second_walk_leaves_the_first_ones_decisions_alone(walk: Callable[..., Run], told: Path) -> None:
    others: list[Run] = []

    def other() -> None:
        before = (told / ".reel/state/decisions.json").read_bytes()
        others.append(walk())
        assert (told / ".reel/state/decisions.json").read_bytes() == before

    done = walk("y", other, "q")
    assert others[0].code != 0
    assert "Another terminal is in the middle of this review." in others[0].err
    assert "Kept" not in others[0].err
    assert done.code == 0


# -- many, and hostile ------------------------------------------------------------------------


def test_fifty_things_say_where_one_is_and_are_kept_in_one_go(
    reel: Reel, walk: Callable[..., Run], told: Path
) -> None:
    (told / "review").mkdir(exist_ok=True)
    for number in range(48):
        name = f"x{number:02}"
        proposal = Proposal(
            name, ReviewKind.EXEMPLAR, "2026-02-25-1", "2026-02-25T20:00:00Z", f"Nr {number}", f"{name}\n",
            role="general", source="here",
        )  # fmt: skip
        (told / f"review/{name}.md").write_text(render_proposal(proposal), encoding="utf-8")
    git(told, "add", "-A")
    git(told, "commit", "-q", "--no-verify", "-m", "page: many\n\nReel-Op: checkpoint")
    done = walk("17", "n", "n", "50", "q").ok()
    assert "17 of 50 · " in done.err
    assert "50 of 50 · " in done.err
    assert "48 things wait for your decision:  reel review" in done.err
    assert len(waiting(reel)) == 48
    assert "48 things wait for your decision:  reel review" in reel("status").ok().out


def test_hostile_and_endless_texts_are_shown_safely_and_whole_on_a_key(
    walk: Callable[..., Run], told: Path
) -> None:
    text = "\x1b[31mred\x1b[0m \u202eevil\u202c\n" + "x" * 1_000_000 + "\n" + "line\n" * 40 + "the end\n"
    propose(told, ReviewKind.EXEMPLAR, "hostile", text, role="general", source="here")
    done = walk("3", "q").ok()
    shown = done.out + done.err
    assert len(shown) < 20_000
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "more lines: w shows all" in shown
    whole = walk("3", "w", "", "", "q", LINES="5000").err
    assert whole.count("x" * 2_000) == 500
    assert "the end" in whole


def test_at_fifty_columns_no_line_is_wider_and_no_key_is_torn(walk: Callable[..., Run], told: Path) -> None:
    assert told.exists()
    done = walk("j", "?", "q", COLUMNS="50").ok()
    assert max(map(len, done.err.splitlines())) <= 50
    assert "j: next. k: back. q: leave. ?: help." in done.err


# -- what does not agree ------------------------------------------------------------------------


def contradict(kit: Path) -> None:
    """Let two memories say that a thing was otherwise, and wait for a decision."""
    sides = (Side("M-001", "a letter that was not hers", ""), Side("ring2", "a letter of hers", ""))
    propose(kit, ReviewKind.CONTRADICTION, "clash", "", sides=sides)


@pytest.mark.parametrize(
    ("key", "told_as", "word"),
    [
        ("1", None, None),
        ("2", "Settled, the newer holds", "what stands in working memory holds now"),
        ("b", "Settled, both stand", "not a contradiction"),
    ],
)
def test_two_things_that_do_not_agree_are_settled_by_which_holds(
    reel: Reel, walk: Callable[..., Run], told: Path, key: str, told_as: str | None, word: str | None
) -> None:
    contradict(told)
    done = walk("3", key, "").ok()
    assert "1: the first holds. 2: the second holds. b: both are right." in done.err
    if told_as is None or word is None:
        # a note that is not there cannot be put right, and that is told at once
        assert "is not found there any more" in " ".join(done.err.split())
        assert "clash" in waiting(reel)
        return
    assert f"{told_as}: Two that do not agree: “a letter that was not hers” and" in " ".join(done.err.split())
    assert word in (told / "review/settled.yaml").read_text(encoding="utf-8")
    assert "clash" not in waiting(reel)


# -- what a close look finds --------------------------------------------------------------------


@pytest.fixture
def doubted(reel: Reel, kit: Path) -> Path:
    """A kit in which nothing waits, and a memory that names a number nobody said."""

    def tell() -> None:
        reel("record", "-", stdin=chat()).ok()
        reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
        path = kit / "ring3/M-001.md"
        text = path.read_text(encoding="utf-8")
        path.write_text(
            text.replace("Forty pages by 30 April.", "Seventy-three pages by 30 April."), encoding="utf-8"
        )
        git(kit, "commit", "-qam", "mine", "--no-verify")

    ready_made(kit, "a number that nobody said", tell)
    return kit


def test_a_doubt_about_a_memory_is_decided_in_the_same_walk(
    reel: Reel, walk: Callable[..., Run], doubted: Path
) -> None:
    done = walk("y", "y").ok()
    question = "Looking through the whole kit, reel found one more thing to decide. Go through it now? [y/N]"
    assert done.err.startswith(question)
    assert "1 of 1 · “The letter that wasn't hers” (M-001)\n" in done.err
    assert "Seventy-three" in done.err
    assert "It is right: “The letter that wasn't hers” (M-001)" in done.err
    assert "it is right" in (doubted / "review/settled.yaml").read_text(encoding="utf-8")
    assert "Go through" not in walk().ok().err
    reel("undo", "--yes").ok()
    assert "Go through it now?" in walk("n").ok().err


def test_a_doubtful_memory_is_put_right_in_the_editor_and_its_line_follows(
    walk: Callable[..., Run], doubted: Path, tmp_path: Path
) -> None:
    env = editor(tmp_path, 'sed -i "s/Seventy-three/Forty/; s/^title: .*/title: The letter/" "$1"')
    done = walk("y", "e", "y", **env).ok()
    assert "Corrected: " in done.err
    assert "Forty pages" in (doubted / "ring3/M-001.md").read_text(encoding="utf-8")
    assert "M-001 | The letter |" in (doubted / "ring4/index.md").read_text(encoding="utf-8")
    assert git(doubted, "status", "--porcelain") == ""


def test_a_text_that_is_no_memory_any_more_is_refused_and_kept_aside(
    walk: Callable[..., Run], doubted: Path, tmp_path: Path
) -> None:
    was = (doubted / "ring3/M-001.md").read_bytes()
    done = walk("y", "e", "q", **editor(tmp_path, 'echo "no memory" > "$1"')).ok()
    assert "Your text is kept in" in done.err
    assert (doubted / "ring3/M-001.md").read_bytes() == was


def test_a_doubtful_memory_can_be_forgotten_and_comes_back(
    reel: Reel, walk: Callable[..., Run], doubted: Path
) -> None:
    left = walk("y", "?", "f", "k").ok()
    assert "f: let go of the memory" in left.err
    assert "so your answer is carried out at once. After f you are asked once more." in left.err
    assert "You decided: let go of the memory." in left.err
    assert (doubted / "ring3/M-001.md").exists()
    walk("y", "").ok()
    assert not (doubted / "ring3/M-001.md").exists()
    reel("undo", "--yes").ok()
    assert (doubted / "ring3/M-001.md").exists()


def test_the_doctor_offers_the_same_walk(reel: Reel, doubted: Path) -> None:
    done = reel("doctor", tty=True, stdin="y\ny\n", env={"NO_COLOR": "1"})
    assert "Looking through the whole kit, reel found one more thing to decide." in done.err
    assert "It is right: " in done.err
    assert "it is right" in (doubted / "review/settled.yaml").read_text(encoding="utf-8")
    assert "close look" not in reel("doctor", tty=True, env={"NO_COLOR": "1"}).err


def test_a_mend_that_reel_can_make_is_shown_and_made_on_a_yes(
    reel: Reel, walk: Callable[..., Run], doubted: Path
) -> None:
    index = doubted / "ring4/index.md"
    lines = [line for line in index.read_text(encoding="utf-8").splitlines() if not line.startswith("M-001")]
    index.write_text("\n".join([*lines, ""]), encoding="utf-8")
    git(doubted, "commit", "-qam", "mine", "--no-verify")
    done = walk("y", "j", "y", "")
    assert "Reel can mend this by itself." in done.err
    assert "+M-001 | " in done.err
    assert "M-001 | " in index.read_text(encoding="utf-8")
    assert reel("undo", "--yes").code == 0


# -- a real terminal --------------------------------------------------------------------------


def test_a_real_terminal_is_walked_and_ctrl_c_only_notes_what_was_decided(reel: Reel, told: Path) -> None:
    controller, terminal = pty.openpty()
    running = subprocess.Popen(
        reel.command("review"), cwd=told, stdin=terminal, stdout=terminal, stderr=terminal,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), "TERM": "dumb"}, start_new_session=True,
    )  # fmt: skip
    os.close(terminal)
    seen = ""

    def until(mark: str) -> None:
        nonlocal seen
        while mark not in seen:
            seen += os.read(controller, 1 << 16).decode("utf-8", "replace")

    until("?: help")
    os.write(controller, b"n\n")
    until("2 of 2")
    until("k: back")
    code = None
    while code is None:
        os.killpg(running.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            code = running.wait(timeout=5)
    until("reel review\r\n")
    os.close(controller)
    assert code == 130
    assert waiting(reel) == [EXAMPLE, SUGGESTED]
    assert (told / ".reel/state/decisions.json").exists()


# -- without a terminal -----------------------------------------------------------------------


def test_piped_it_is_the_list(reel: Reel, told: Path) -> None:
    assert told.exists()
    done = reel("review").ok()
    assert done.out.startswith(f"1. {EXAMPLE}\n")
    assert f"\n2. {SUGGESTED}\n" in done.out
    assert done.err.endswith("Decide with  reel review accept ITEM  or  reel review reject ITEM\n")


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_a_number_means_the_item_as_it_was_listed(reel: Reel, told: Path, verb: str) -> None:
    append(told, WORKING, "- buy a lamp\n")
    reel("review").ok()
    command = ("review", verb, "1", "--yes")
    reel(*command).ok()
    assert waiting(reel) == [SUGGESTED, WORKING]
    again = reel(*command)
    assert again.code == 1
    assert "The list changed since it was printed, so 1 could mean another thing." in again.err
    assert f"1. {SUGGESTED}: " in again.err
    assert f"2. {WORKING}: " in again.err
    assert waiting(reel) == [SUGGESTED, WORKING]
    # that was the list, so its numbers count now
    reel("review", verb, "2", "--yes").ok()
    assert waiting(reel) == [SUGGESTED]


def test_a_number_without_a_list_is_answered_with_the_list(reel: Reel, told: Path) -> None:
    assert told.exists()
    reel("review", "--json").ok()
    refused = reel("review", "reject", "1", "--yes")
    assert refused.code == 1
    assert "The list was not printed yet" in refused.err
    assert waiting(reel) == [EXAMPLE, SUGGESTED]
    reel("review", "reject", EXAMPLE, "--yes").ok()


def test_a_number_is_refused_once_the_item_reads_otherwise(reel: Reel, told: Path) -> None:
    append(told, WORKING, "- buy a lamp\n")
    reel("review").ok()
    append(told, WORKING, "- and oil\n")
    assert reel("review", "accept", "3").code == 1
    assert waiting(reel) == [EXAMPLE, SUGGESTED, WORKING]


def test_a_new_file_is_deleted_and_not_put_back(reel: Reel, walk: Callable[..., Run], told: Path) -> None:
    (told / "ring3/first.md").write_text("a copy\n")
    done = walk("3", "?", "q")
    assert "n: delete it" in done.err
    assert "put it back" not in done.err


def test_letting_go_of_a_memory_deleted_by_hand_is_called_so_and_enter_is_no(
    reel: Reel, walk: Callable[..., Run], doubted: Path
) -> None:
    memory, before = doubted / "ring3/M-001.md", commits(doubted)
    was = memory.read_bytes()
    memory.unlink()
    kept = walk("?", "y", "", "q").ok()
    assert "y: leave it deleted" in kept.err
    assert "n: put it back as it was" in kept.err
    assert "y: keep" not in kept.err
    assert "Leave this memory deleted? Only its line stays. [y/N]" in kept.err
    assert "you are asked once more" in kept.err
    assert commits(doubted) == before
    assert waiting(reel) == ["ring3/M-001.md"]
    walk("n").ok()
    assert memory.read_bytes() == was
    memory.unlink()
    assert "Let go: ring3/M-001.md, deleted by hand" in walk("y", "y").ok().err
    assert not memory.exists()
    assert commits(doubted) == before + 1


def test_letting_go_of_another_file_deleted_by_hand_is_asked_as_that(
    walk: Callable[..., Run], told: Path
) -> None:
    (told / WORKING).unlink()
    assert "Leave this file deleted? [y/N]" in walk("j", "j", "y", "y", "", "q").ok().err
    assert git(told, "status", "--porcelain").split() == ["D", WORKING]


def test_a_recorded_chat_deleted_by_hand_is_shown_as_who_said_what(reel: Reel, told: Path) -> None:
    """The screen had the headers as they stand in the file, in JSON."""
    next((told / "tape").rglob("20*.md")).unlink()
    shown = reel("review").ok().out
    assert '{"n"' not in shown
    assert "removed: message 1, user:\n" in shown


def test_a_file_deleted_by_hand_that_is_accepted_is_not_told_as_kept(reel: Reel, doubted: Path) -> None:
    """It said "Kept: your edit of ring3/M-001.md." of a memory that was gone."""
    for name in ("ring3/M-001.md", WORKING):
        (doubted / name).unlink()
        assert reel("review", "accept", name, "--yes").ok().out == f"Let go: {name}, deleted by hand.\n"


def test_a_word_that_the_last_question_does_not_know_is_said(told: Path, walk: Callable[..., Run]) -> None:
    done = walk("j", "j", "walrus", "99", "").ok()
    asked = done.err.partition("That was the last; nothing is decided.")[2]
    assert asked.count("I did not understand “walrus”.") == 1
    assert asked.count("I did not understand “99”.") == 1
