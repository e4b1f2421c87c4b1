import subprocess
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.git import history
from reel_cli.core.git.approvals import judge_form
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import (
    Commit,
    ratified_commit,
    read_log,
    read_trailers,
)
from reel_cli.core.git.repository import blob_id, init_repository
from reel_cli.core.kit import memory_numbers
from reel_cli.core.kit.memory_numbers import used_memory_numbers
from reel_cli.features.history.undo import plan_undo
from tests.support.kit_under_git import START, KitUnderGit, make_kit, run

IDENTITY = "ring0/identity.md"
WORKING = "ring2/working.md"
MEMORY = "ring3/M-001.md"
SESSION = "tape/2026/2026-02-10-1.md"
BY = ("Reel-Ratified-By", "Bo Lind <bo@example.org>")


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


@pytest.fixture(params=["alone", "enclosed"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> KitUnderGit:
    """The same kit in a repository of its own, and below an enclosing one with a twin beside it."""
    if request.param == "alone":
        return make_kit(tmp_path / "ada")
    house = init_repository(tmp_path / "house")
    (house.root / "diary.txt").write_text("mine\n")
    run(house.root, "add", ".")
    run(house.root, "commit", "-qm", "house\n\nReel-Memory: M-077 L1 5")
    twin = make_kit(tmp_path / "house/rooms/ada2", enclosing=house.root)
    twin.apply(
        {"tape/2026/2026-01-01-1.md": b"said", IDENTITY: b"other\n"}, BY, ("Reel-Memory", "M-099 L1 5")
    )
    return make_kit(tmp_path / "house/rooms/ada", enclosing=house.root)


def undo(kit: KitUnderGit) -> str:
    """Take the last change back, and return the subject of the commit it names as undone."""
    snapshot = kit.snapshot()
    kit.apply_change(plan_undo(kit.repo, snapshot), snapshot)
    assert (kit.status(), kit.locks()) == ([], [])
    taken = read_log(kit.repo, limit=1)[0].values("Reel-Undoes")[0]
    return f"undo: {kit.git('log', '-1', '--format=%s', taken).strip()}"


# -- the log --------------------------------------------------------------------------------------


def test_the_log_tells_what_was_done(either: KitUnderGit) -> None:
    kit = either
    applied = kit.apply(
        {WORKING: b"new\n"},
        ("Reel-Session", "2026-02-10-1"),
        ("Reel-Forgot", "M-004 L2->L3"),
        ("Reel-Forgot", 'M-005 L3->L4 why="a: b"'),
        notes=("She said so.", "Reel-Forgot: M-009 is only a note"),
    )
    commit = read_log(kit.repo)[0]
    assert commit == Commit(
        id=applied.commit,
        time="2026-02-10T21:16:00+02:00",
        author="Bo Lind",
        subject="checkpoint: a page",
        op="checkpoint",
        trailers=(
            ("Reel-Op", "checkpoint"),
            ("Reel-Session", "2026-02-10-1"),
            ("Reel-Forgot", "M-004 L2->L3"),
            ("Reel-Forgot", 'M-005 L3->L4 why="a: b"'),
        ),
        body="She said so.\n  Reel-Forgot: M-009 is only a note",
    )
    assert commit.values("Reel-Forgot") == ["M-004 L2->L3", 'M-005 L3->L4 why="a: b"']
    assert [c.subject for c in read_log(kit.repo)] == ["checkpoint: a page", "init: Ada"]


def test_the_log_may_be_short_or_of_some_paths(either: KitUnderGit) -> None:
    either.apply({WORKING: b"1\n"}, summary="one")
    either.apply({MEMORY: b"2\n"}, summary="two")
    either.apply({WORKING: b"3\n"}, summary="three")
    assert [c.subject for c in read_log(either.repo, limit=1)] == ["checkpoint: three"]
    assert [c.subject for c in read_log(either.repo, paths=[MEMORY])] == ["checkpoint: two"]
    assert [c.subject for c in read_log(either.repo, paths=["ring2"], limit=2)] == [
        "checkpoint: three",
        "checkpoint: one",
    ]


def test_a_commit_by_hand_is_in_the_log_and_harmless(kit: KitUnderGit) -> None:
    kit.write(WORKING, b"x\n")
    message = "mine \x1b[31m\x07\n\nline \x1b[0m one\nline two\n\nNot a trailer block\nReel-Op: record\n"
    subprocess.run(["git", "commit", "-qam", message], cwd=kit.root, check=True)
    commit = read_log(kit.repo)[0]
    assert (commit.op, commit.trailers, commit.subject) == (None, (), "mine [31m")
    assert commit.body == "line  [0m one\nline two\n\nNot a trailer block\nReel-Op: record"


def test_a_log_of_nothing_yet(tmp_path: Path) -> None:
    repo = init_repository(tmp_path / "ada")
    assert (read_log(repo), used_memory_numbers(repo), ratified_commit(repo)) == ([], 0, None)


def test_reading_the_log_takes_one_process(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        kit.apply({WORKING: b"%d\n" % number})
    started: list[object] = []
    real = subprocess.Popen.__init__

    def counted(self: object, command: object, *args: object, **options: object) -> None:
        started.append(command)
        real(self, command, *args, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess.Popen, "__init__", counted)
    assert len(read_log(kit.repo)) == 21
    assert len(started) == 1


def test_an_inherited_git_dir_does_not_lead_the_log_astray(
    kit: KitUnderGit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_kit(tmp_path / "other", start={"only": b"x\n"})
    other.apply({"only": b"y\n"}, summary="elsewhere")
    monkeypatch.setenv("GIT_DIR", str(other.repo.git_dir))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_GLOB_PATHSPECS", "1")
    assert [c.subject for c in read_log(kit.repo)] == ["init: Ada"]


def test_a_damaged_history_is_one_plain_line(kit: KitUnderGit) -> None:
    head = kit.repo.head() or ""
    (kit.repo.git_dir / "objects" / head[:2] / head[2:]).unlink()
    for read in (read_log, used_memory_numbers, ratified_commit):
        with pytest.raises(StateError, match="history of this kit is damaged") as caught:
            read(kit.repo)
        assert "\n" not in caught.value.message


# -- numbers --------------------------------------------------------------------------------------


def highest(kit: KitUnderGit, since: str = "") -> int:
    """The highest number, as a few loose commits tell it and as git tells it of all."""
    told = used_memory_numbers(kit.repo)
    head = kit.repo.head() or ""
    for commits in (head, f"{since}..{head}"):
        if commits.startswith(".."):
            continue
        read = memory_numbers._numbers_in(kit.repo, commits)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(memory_numbers, "read_young_history", lambda *_: None)
            patch.setattr(memory_numbers, "steps_since", lambda *_: None)
            assert memory_numbers._numbers_in(kit.repo, commits) == read
    return told


@pytest.mark.parametrize(
    "message",
    [
        "a\n\nReel-Memory: M-044 L1 5",
        "a\n\nreel-memory : M-044 L1 5\nReel-Op: x",
        "a\n\nReel-Memory:\n M-044 L1 5",
        "a\n\nReel-Memory: M-044 L1 5\n\nThe end",
        "a\n\nReel-Memory: M-044 L1 5\nand so on",
        "Reel-Memory: M-044 L1 5",
        "a\n \nReel-Memory: M-044 L1 5",
        "a\n\nReel-Renumbered: M-003 to M-044\n  \n",
        "a\n\n(cherry picked from commit 0)\nReel-Memory: M-044 L1 5",
        "a\n\nb: c\n---\nReel-Memory: M-044 L1 5",
        "a\n\nReel-Memory: M-044 L1 5\n#",
        "a\n\nReel-Memory: M-044 L1 5\n\n---\n",
        "a\n\nReel-Memory: M-044 L1 5\n\n# gone\n",
        "a\n\nReel-Memory: M-044 L1 5\n\nConflicts:\n",
    ],
)
def test_the_trailers_of_a_commit_by_hand_are_read_as_git_reads_them(tmp_path: Path, message: str) -> None:
    kit = make_kit(tmp_path / "ada")
    since = kit.repo.head() or ""
    kit.write(WORKING, b"x\n")
    kit.git("commit", "-qa", "--cleanup=verbatim", "-m", message)
    assert highest(kit, since) in (1, 44)


def test_a_memory_that_is_a_link_and_one_in_a_folder_keep_their_numbers(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada")
    since = kit.repo.head() or ""
    (kit.root / "ring3/old").mkdir(parents=True)
    (kit.root / "ring3/old/M-052.md").write_text("a\n")
    (kit.root / "ring3/M-061.md").symlink_to("M-001.md")
    kit.git("add", ".")
    kit.git("commit", "-qm", "by hand")
    assert highest(kit, since) == 61


def test_of_rounds_for_facts_a_young_kit_tells_what_git_does(either: KitUnderGit) -> None:
    kit = either
    assert read_trailers(kit.repo, "Reel-Facts") == []
    asked = kit.apply({WORKING: b"x\n"}, ("Reel-Facts", "2026-02-10-1:1-4 kept=1 refused=0"))
    assert read_trailers(kit.repo, "Reel-Facts") == ["2026-02-10-1:1-4 kept=1 refused=0"]
    kit.apply({WORKING: b"y\n"}, ("Reel-Undoes", asked.commit), op="undo")
    assert read_trailers(kit.repo, "Reel-Facts") == []


def test_numbers_are_remembered_after_the_memory_is_gone(either: KitUnderGit) -> None:
    kit = either
    since = kit.repo.head() or ""
    # the line it began with came in without a trailer
    assert highest(kit, since) == 1
    kit.apply({MEMORY: b"a\n"}, ("Reel-Memory", "M-001 L1 612"))
    kit.apply({"ring3/M-014.md": b"a\n"}, ("Reel-Memory", "M-014 L1 612"), ("Reel-Memory", "M-002 L1 5"))
    kit.apply({"ring3/M-014.md": None}, ("Reel-Forgot", 'M-014 L1->stub why="M-500"'))
    kit.apply(
        {WORKING: b"x\n"}, ("Reel-Memory", "M-99999999999999999 no number"), notes=("Reel-Memory: M-800",)
    )
    assert highest(kit, since) == 14
    kit.apply({WORKING: b"y\n"}, ("Reel-Forgot", "M-015 L4->stub 3->0"))
    assert highest(kit, since) == 15
    kit.apply({"ring3/M-021.md": b"no trailer\n"})
    kit.apply({"ring3/M-021.md": None})
    assert highest(kit, since) == 21
    kit.write("ring4/index.md", b'M-030 | a | "b" | factual | not immune\n')
    kit.git("commit", "-qam", "a line by hand")
    kit.write("ring4/index.md", b"")
    kit.git("commit", "-qam", "and gone")
    assert highest(kit, since) == 30


def test_numbers_that_are_kept_by_commit_hold_for_no_other_history(either: KitUnderGit) -> None:
    kit = either
    since = kit.repo.head() or ""
    kit.apply({"ring3/M-014.md": b"a\n"}, ("Reel-Memory", "M-014 L1 612"))
    before = kit.repo.head() or ""
    kit.apply({"ring3/M-020.md": b"a\n"}, ("Reel-Memory", "M-020 L1 612"))
    assert highest(kit, since) == 20
    kit.git("reset", "-q", "--hard", before)
    assert highest(kit, since) == 14


# -- the log, asked for more than once ----------------------------------------------------------------


def test_the_whole_log_and_an_approvals_form_are_asked_of_git_once(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    approved = kit.apply({IDENTITY: b"better\n"}, BY, op="review").commit
    log, form = read_log(kit.repo), judge_form(kit.repo, approved)
    assert [commit.id for commit in log] == kit.git("log", "--format=%H").split()
    with monkeypatch.context() as patch:
        patch.delattr(subprocess, "Popen")
        again = read_log(kit.repo)
        assert (again, judge_form(kit.repo, approved)) == (log, form)
        assert read_log(kit.repo, tip=approved) == log
    # who takes a commit out of the list takes it from nobody else
    again.clear()
    later = kit.apply({WORKING: b"more\n"}).commit
    assert [commit.id for commit in read_log(kit.repo)] == [later, *(commit.id for commit in log)]
    assert read_log(kit.repo, tip=approved) == log


def test_a_log_is_read_again_where_history_is_cut_off_elsewhere(kit: KitUnderGit) -> None:
    commits = [commit.id for commit in read_log(kit.repo)]
    later = kit.apply({WORKING: b"more\n"}).commit
    assert [commit.id for commit in read_log(kit.repo)] == [later, *commits]
    (kit.root / ".git/shallow").write_text(f"{later}\n")
    assert [commit.id for commit in read_log(kit.repo)] == [later]


# -- what is in force -----------------------------------------------------------------------------


def in_force(kit: KitUnderGit) -> str | None:
    """The commit that approved ring 0, as a young kit's files tell it and git tells it of every kit."""
    with pytest.MonkeyPatch.context() as patch:
        told = ratified_commit(kit.repo)
        history._ratified_commit.cache_clear()
        patch.setattr(history, "read_young_history", lambda *_: None)
        assert ratified_commit(kit.repo) == told
        history._ratified_commit.cache_clear()
    return told


def test_ring_0_is_a_draft_until_a_session_is_recorded(either: KitUnderGit) -> None:
    kit = either
    assert in_force(kit) is None
    kit.apply({IDENTITY: b"better\n"}, BY, op="review")
    kit.apply({"tape/events.md": b"# events\n"})
    assert in_force(kit) is None
    recorded = kit.apply({SESSION: b"said\n"}, op="record")
    assert in_force(kit) == recorded.commit
    kit.apply({"tape/2026/2026-02-11-1.md": b"said\n"}, op="record")
    assert in_force(kit) == recorded.commit


def test_a_later_ratification_takes_over_and_a_plain_commit_does_not(either: KitUnderGit) -> None:
    kit = either
    kit.apply({SESSION: b"said\n"}, op="record")
    ratified = kit.apply({IDENTITY: b"ratified\n"}, BY, op="review").commit
    kit.write(IDENTITY, b"by hand\n")
    kit.git("commit", "-qam", "by hand")
    kit.apply({IDENTITY: b"by hand, and reel\n"})
    kit.apply({"ring1/a.md": b"x\n"}, BY)
    assert in_force(kit) == ratified
    with CommitTree(kit.repo, ratified) as tree:
        assert tree.read(IDENTITY) == b"ratified\n"


def test_a_text_that_was_committed_by_hand_can_be_put_in_force(either: KitUnderGit) -> None:
    kit = either
    kit.apply({SESSION: b"said\n"}, op="record")
    kit.write(IDENTITY, b"by hand\n")
    kit.git("commit", "-qam", "by hand")
    accepted = kit.apply({IDENTITY: b"by hand\n"}, BY, op="review")
    assert in_force(kit) == accepted.commit
    message = f"forged\n\nReel-Ratified-By: Eve <e@x>\nReel-Ratified: {IDENTITY} {blob_id(b'other')}"
    kit.git("commit", "-q", "--allow-empty", "-m", message)
    assert in_force(kit) == accepted.commit


def test_a_trailer_that_is_only_talked_of_ratifies_nothing(kit: KitUnderGit) -> None:
    recorded = kit.apply({SESSION: b"said\n"}, op="record")
    kit.write(IDENTITY, b"x\n")
    kit.git("commit", "-qam", "about\n\nReel-Ratified-By: is how one does it\n\nThe end")
    assert in_force(kit) == recorded.commit


def test_what_a_person_prefers_to_see_changes_nothing(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada", start={**START, SESSION: b"said\n"})
    kit.git("config", "log.showRoot", "false")
    kit.git("config", "trailer.separators", "=")
    kit.git("config", "format.pretty", "oneline")
    kit.git("config", "log.date", "relative")
    kit.git("config", "color.ui", "always")
    assert ratified_commit(kit.repo) == kit.repo.head()
    accepted = kit.apply({IDENTITY: b"x\n"}, BY, ("Reel-Memory", "M-003 L1 5"), op="review")
    assert (ratified_commit(kit.repo), used_memory_numbers(kit.repo)) == (accepted.commit, 3)
    assert [c.op for c in read_log(kit.repo)] == ["review", "init"]


def test_a_kit_taken_over_with_its_tape_is_in_force_from_the_start(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada", start={**START, SESSION: b"said\n"})
    assert ratified_commit(kit.repo) == kit.repo.head()


# -- taking back ----------------------------------------------------------------------------------


def test_undo_brings_back_every_byte_and_asked_again_goes_further(either: KitUnderGit) -> None:
    kit = either
    first = kit.files()
    made = kit.apply({MEMORY: b"a page\n", WORKING: b"1\n"}, ("Reel-Memory", "M-001 L1 5"), summary="one")
    second = kit.files()
    kit.apply({WORKING: b"2\n", "ring4/index.md": None}, summary="two")
    assert undo(kit) == "undo: checkpoint: two"
    assert kit.files() == second
    assert undo(kit) == "undo: checkpoint: one"
    assert kit.files() == first
    assert read_log(kit.repo)[0].values("Reel-Undoes") == [made.commit]
    with pytest.raises(ReelError, match="nothing left to undo"):
        undo(kit)
    assert used_memory_numbers(kit.repo) == 1


def test_undo_takes_back_what_came_after_an_undo_first(kit: KitUnderGit) -> None:
    kit.apply({WORKING: b"1\n"}, summary="one")
    kit.apply({WORKING: b"2\n"}, summary="two")
    undo(kit)
    kit.apply({WORKING: b"3\n"}, summary="three")
    assert undo(kit) == "undo: checkpoint: three"
    assert undo(kit) == "undo: checkpoint: one"
    assert kit.read(WORKING) == START[WORKING]


def test_undo_leaves_the_persons_own_edits(kit: KitUnderGit) -> None:
    kit.write(WORKING, b"mine\n")
    kit.apply({WORKING: b"reel's\n"})
    kit.write("notes.txt", b"also mine\n")
    kit.git("add", "notes.txt")
    kit.git("commit", "-qm", "notes")
    undo(kit)
    assert (kit.read(WORKING), kit.read("notes.txt")) == (b"mine\n", b"also mine\n")


def test_undo_keeps_later_changes_elsewhere_in_the_file(kit: KitUnderGit) -> None:
    lines = START[WORKING].splitlines(keepends=True)
    kit.apply({WORKING: b"".join([b"ONE\n", *lines[1:]])}, summary="top")
    kit.write(WORKING, b"".join([b"ONE\n", *lines[1:-1], b"SEVEN\n"]))
    kit.git("commit", "-qam", "bottom, by hand")
    undo(kit)
    assert kit.read(WORKING) == b"".join([*lines[:-1], b"SEVEN\n"])


def test_undo_refuses_where_a_later_change_stands_in_the_same_place(kit: KitUnderGit) -> None:
    kit.apply({WORKING: b"reel's\n", MEMORY: b"a page\n"})
    kit.write(WORKING, b"reel's, mended\n")
    files = kit.files()
    with pytest.raises(
        ReelError, match=f"^{WORKING} was changed again later in the same place, by hand"
    ) as caught:
        undo(kit)
    assert caught.value.hint is not None
    assert kit.files() == files


def test_undo_takes_nothing_from_the_tape(kit: KitUnderGit) -> None:
    kit.apply({SESSION: b"said\n", WORKING: b"x\n"}, op="record", summary="a chat")
    with pytest.raises(ReelError, match="recorded the chat of 10 February 2026") as caught:
        undo(kit)
    assert caught.value.hint == "if it should not count:  reel tape retract 2026-02-10-1"
    looked, noted = journal_line(1, "recall"), journal_line(2, "touch")
    kit.apply({"journal/2026-02.jsonl": looked}, op="retract")
    with pytest.raises(ReelError, match="only noted something"):
        undo(kit)
    kit.apply({"journal/2026-02.jsonl": looked + noted, WORKING: b"y\n"})
    undo(kit)
    assert (kit.read("journal/2026-02.jsonl"), kit.read(WORKING)) == (looked + noted, b"x\n")


def journal_line(number: int, do: str) -> bytes:
    entry = f'{{"id": "{number}", "at": "2026-02-10", "session": "s", "do": "{do}", "on": "M-001"}}'
    return entry.encode() + b"\n"


def test_undo_takes_back_a_pin_and_no_other_attention(kit: KitUnderGit) -> None:
    one, two, three = journal_line(1, "recall"), journal_line(2, "pin"), journal_line(3, "touch")
    kit.apply({"journal/2026-02.jsonl": one + two + three}, op="pin")
    later = one + two + three + journal_line(4, "pack")
    kit.write("journal/2026-02.jsonl", later)
    kit.git("add", ".")
    kit.git("commit", "-qm", "union of two machines")
    undo(kit)
    assert kit.read("journal/2026-02.jsonl") == one + three + journal_line(4, "pack")
    kit.apply({"journal/2026-02.jsonl": one + three}, op="recall")
    with pytest.raises(ReelError, match="only noted something"):
        undo(kit)


def test_undo_of_a_page_keeps_the_attention_noted_with_it(kit: KitUnderGit) -> None:
    lines = [journal_line(n, do) for n, do in enumerate(("recall", "pin", "touch", "unpin", "pack"))]
    kit.apply({"journal/2026-02.jsonl": b"".join(lines[:3]), WORKING: b"x\n"})
    kit.write("journal/2026-02.jsonl", b"".join(lines))
    undo(kit)
    assert kit.read("journal/2026-02.jsonl") == b"".join([lines[0], *lines[2:]])
    assert kit.read(WORKING) == START[WORKING]


def test_undo_of_ring_0_is_signed(kit: KitUnderGit) -> None:
    kit.apply({SESSION: b"said\n"}, op="record")
    kit.apply({IDENTITY: b"better\n"}, BY, op="review")
    undo(kit)
    assert kit.read(IDENTITY) == START[IDENTITY]
    assert read_log(kit.repo)[0].values("Reel-Ratified-By") == ["Bo Lind <bo@example.org>"]
    assert ratified_commit(kit.repo) == kit.repo.head()


def test_undo_never_merges_in_ring_0(kit: KitUnderGit) -> None:
    text = b"".join(b"line %d\n" % n for n in range(9))
    kit.apply({IDENTITY: text}, BY)
    kit.apply({IDENTITY: text.replace(b"0", b"zero")}, BY)
    kit.write(IDENTITY, text.replace(b"0", b"zero").replace(b"8", b"eight"))
    with pytest.raises(ReelError, match=f"^{IDENTITY} was changed again later in the same place, by hand"):
        undo(kit)


def test_undo_that_takes_from_the_pool_is_signed_and_one_that_gives_back_is_not(kit: KitUnderGit) -> None:
    kit.apply({"ring1/a.md": b"x\n"})
    undo(kit)
    assert read_log(kit.repo)[0].values("Reel-Ratified-By") == ["Bo Lind <bo@example.org>"]
    kit.apply({"ring1/b.md": b"x\n"}, op="exemplar")
    kit.apply({"ring1/b.md": None}, BY, op="exemplar")
    undo(kit)
    assert read_log(kit.repo)[0].values("Reel-Ratified-By") == []


def test_what_was_taken_back_by_hand_is_passed_over(kit: KitUnderGit) -> None:
    kit.apply({MEMORY: b"a page\n"}, summary="one")
    kit.apply({WORKING: b"two\n"}, summary="two")
    kit.git("revert", "--no-edit", "HEAD")
    assert undo(kit) == "undo: checkpoint: one"
