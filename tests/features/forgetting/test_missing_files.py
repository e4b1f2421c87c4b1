"""Files that a person, a sync tool or a sparse checkout took: named, never committed, brought back."""

import json
import re
import shutil
from pathlib import Path

import pytest

from reel_cli.core.git.repository import find_repository
from tests.support.cli import CHECKOUT, Reel
from tests.support.kit_under_git import KitUnderGit
from tests.support.pages import chat, page
from tests.support.shelf import take_over

CHAT = str(CHECKOUT / "demo" / "further-session.json")
PAGE = str(CHECKOUT / "demo" / "reply.md")


@pytest.fixture
def ada(reel: Reel, tmp_path: Path) -> KitUnderGit:
    """Ada, taken over with her memories into a new history, so that no trailer tells of them."""
    reel.env["REEL_NOW"] = "2026-03-11T21:10:00+00:00"
    root = take_over(reel, tmp_path / "kit", "ada")
    found = find_repository(root)
    assert found is not None
    return KitUnderGit(root, found)


def rings(kit: KitUnderGit) -> dict[str, bytes]:
    return {path: text for path, text in kit.files().items() if path.startswith(("ring3/", "ring4/"))}


def test_a_page_waits_for_lost_memories_and_their_numbers_are_never_given_again(
    reel: Reel, ada: KitUnderGit
) -> None:
    before = rings(ada)
    for folder in ("ring3", "ring4"):
        shutil.rmtree(ada.root / folder)
    reel("record", CHAT).ok()
    for words in (("checkpoint", "--prompt"), ("checkpoint", "--reply", PAGE, "--yes")):
        told = reel(*words)
        assert told.code == 3
        assert "12 files are missing, the first ring3/M-001.md" in told.err
        assert "reel restore ring3 ring4" in told.err
    assert "edit: by hand" not in ada.subjects()
    assert reel("restore", "ring3", "ring4").ok().out.startswith("12 files are back")
    assert rings(ada) == before
    assert ada.git("status", "--porcelain") == ""
    reel("checkpoint", "--reply", PAGE, "--yes").ok()
    fresh = set(rings(ada)) - set(before)
    assert min(int(re.findall(r"M-(\d+)", path)[0]) for path in fresh) > 17
    reel("undo", "--yes").ok()
    reel("checkpoint", "--reply", PAGE, "--yes").ok()
    assert fresh.isdisjoint(rings(ada))


@pytest.mark.parametrize(
    "path", ["ring2/working.md", pytest.param("facts.yaml", marks=pytest.mark.needs("facts"))]
)
def test_no_page_is_asked_for_while_the_notes_or_facts_are_missing(
    reel: Reel, ada: KitUnderGit, path: str
) -> None:
    """The prompt would say that she came with none, and so none would be closed or corrected."""
    place = ada.root / path
    if not place.exists():
        reel("fact", "add", "identity", "name", "Ada").ok()
    whole = place.read_bytes()
    place.unlink()
    reel("record", CHAT).ok()
    for words in (("checkpoint", "--prompt"), ("end",), ("checkpoint", "--reply", PAGE, "--yes")):
        told = reel(*words)
        assert told.code == 3, words
        assert f"{path} is missing; no page can be kept before it is back." in told.err
        assert f"Hint: bring it back:  reel restore {path}\n" in told.err
    reel("restore", path).ok()
    assert place.read_bytes() == whole
    assert "(nothing yet)" not in reel("checkpoint", "--prompt").ok().out
    reel("checkpoint", "--reply", PAGE, "--yes").ok()


def test_a_prompt_says_that_who_the_persona_is_is_missing_and_not_edited(
    reel: Reel, ada: KitUnderGit
) -> None:
    reel("record", CHAT).ok()
    (ada.root / "ring0/identity.md").unlink()
    told = reel("checkpoint", "--prompt").ok().err
    back = "Bring it back:  reel restore ring0/identity.md\n"
    assert f"ring0/identity.md is missing; the last approved text was used. {back}" in told


def test_the_doctor_asks_for_no_mend_of_what_follows_from_a_lost_memory(reel: Reel, kit: Path) -> None:
    """Its line would have got a place, which it does not have while the memory is there."""
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    index = (kit / "ring4/index.md").read_bytes()
    (kit / "ring3/M-001.md").unlink()
    looked = reel("doctor", tty=True, stdin="y\ny\n", env={"NO_COLOR": "1"})
    assert "reel restore M-001" in looked.out
    assert "to decide" not in looked.err
    assert (kit / "ring4/index.md").read_bytes() == index


def test_one_lost_memory_is_told_as_one(reel: Reel, ada: KitUnderGit) -> None:
    reel("record", CHAT).ok()
    lost = min((ada.root / "ring3").glob("M-*.md"))
    lost.unlink()
    told = reel("checkpoint", "--reply", PAGE, "--yes").err
    assert f"ring3/{lost.name} is missing; no page can be kept before it is back." in told


def test_end_does_not_say_that_nothing_was_changed_after_it_recorded(reel: Reel, ada: KitUnderGit) -> None:
    shutil.rmtree(ada.root / "ring3")
    told = reel("end", CHAT, "--reply", PAGE, "--yes")
    assert (told.code, "Recorded" in told.err + told.out) == (3, True)
    assert "no page can be kept before they are back" in told.err
    assert "nothing was changed" not in told.err
    reel("restore", "ring3").ok()
    reel("end", CHAT, "--reply", PAGE, "--yes").ok()


def test_a_number_stays_taken_when_every_file_and_line_with_it_was_deleted_and_committed(
    reel: Reel, ada: KitUnderGit
) -> None:
    reel("record", CHAT).ok()
    for folder in ("ring3", "ring4"):
        ada.git("rm", "-rq", folder)
    ada.git("commit", "--no-verify", "-qm", "all of it, by hand")
    reel("checkpoint", "--reply", PAGE, "--yes").ok()
    made = json.loads(reel("memory", "list", "--json").ok().out)
    assert "M-001" not in json.dumps(made)
    assert all(int(path[8:11]) > 16 for path in rings(ada) if path.startswith("ring3/M-"))


def test_the_journal_knows_numbers_that_history_and_files_have_forgotten(
    reel: Reel, ada: KitUnderGit
) -> None:
    month = next(iter(sorted((ada.root / "journal").glob("*.jsonl"))))
    entry = '{"id":"x","at":"2025-06-19T19:44:00Z","session":"2025-06-19-1","do":"pack","on":"M-002 M-044"}\n'
    month.write_text(entry + month.read_text())
    reel("record", CHAT).ok()
    reel("checkpoint", "--reply", PAGE, "--yes").ok()
    assert "ring3/M-045.md" in rings(ada)


def test_recording_goes_on_without_a_memory_and_does_not_commit_its_loss(
    reel: Reel, ada: KitUnderGit
) -> None:
    (ada.root / "ring3/M-001.md").unlink()
    (ada.root / "ring2/working.md").unlink()
    reel("record", CHAT).ok()
    assert ada.git("ls-tree", "--name-only", "HEAD", "ring3/M-001.md", "ring2/working.md").count("\n") == 2
    assert "edit: by hand" not in ada.subjects()


@pytest.mark.parametrize("path", ["ring3/M-001.md", "ring4/index.md", "ring1/active.yaml"])
def test_recording_goes_on_beside_a_damaged_file(reel: Reel, ada: KitUnderGit, path: str) -> None:
    (ada.root / path).write_bytes(b"---\n\xff")
    reel("record", CHAT).ok()
    assert ada.committed(path) != b"---\n\xff"


def test_recording_brings_back_what_it_adds_to(reel: Reel, ada: KitUnderGit) -> None:
    before = {p: t for p, t in ada.files().items() if p.startswith(("tape/", "journal/"))}
    for folder in ("tape", "journal"):
        shutil.rmtree(ada.root / folder)
    told = reel("record", CHAT).ok()
    assert "brought back as last saved" in told.err
    after = ada.files()
    assert all(after[path].startswith(text) for path, text in before.items())
    assert reel("tape", "verify").code == 0


@pytest.mark.parametrize("path", ["ring1/active.yaml", "ring2/working.md", "ring0/identity.md"])
def test_a_change_of_a_missing_file_is_refused(reel: Reel, ada: KitUnderGit, path: str) -> None:
    before, head = ada.read(path), ada.repo.head()
    (ada.root / path).unlink()
    words = {
        "ring1/active.yaml": ("exemplar", "activate", "three-adjectives"),
        "ring2/working.md": ("checkpoint", "--session", "2026-02-10-1", "--reply", PAGE, "--yes"),
    }.get(path)
    if words is not None:
        assert reel(*words).code != 0
        assert ada.repo.head() == head
    reel("restore", path).ok()
    assert ada.read(path) == before


def test_settings_that_are_missing_or_damaged_are_named_and_come_back(reel: Reel, ada: KitUnderGit) -> None:
    before = ada.read("kit.yaml")
    (ada.root / "kit.yaml").write_text("boot: [")
    for command in ("start", "status", "doctor"):
        told = reel(command)
        assert told.code == 1
        assert "reel restore kit.yaml" in told.err + told.out
    reel("restore", "kit.yaml").ok()
    assert ada.read("kit.yaml") == before
    (ada.root / "kit.yaml").unlink()
    for kit in ((), ("--kit", str(ada.root))):
        told = reel(*kit, "status")
        assert (told.code, "kit.yaml is missing" in told.err) == (3, True)
        assert told.err.endswith(f"bring it back:  {' '.join(['reel', *kit, 'restore kit.yaml'])}\n")
    reel("--kit", str(ada.root), "restore", "kit.yaml", cwd=ada.root.parent).ok()
    assert ada.read("kit.yaml") == before


SETTINGS = {
    "no YAML": b"name: [Ada\n  x: {\n",
    "no text": b"\xff\xfe\x00" * 99,
    "a merge's marks": b"<<<<<<< a\nname: Ada\n=======\nname: Eva\n>>>>>>> b\n",
    "huge": b"name: Ada\nuser: " + b"x" * (2 << 20),
    "missing": None,
}


@pytest.mark.parametrize("fault", SETTINGS)
def test_what_was_said_is_recorded_once_the_settings_are_back_by_the_hint(
    reel: Reel, ada: KitUnderGit, fault: str
) -> None:
    before, sessions, data = ada.read("kit.yaml"), ada.files().keys(), SETTINGS[fault]
    if data is None:
        (ada.root / "kit.yaml").unlink()
    else:
        (ada.root / "kit.yaml").write_bytes(data)
    hint = ""
    for words in (("record", CHAT), ("end", CHAT, "--yes")):
        told = reel(*words)
        assert (told.code != 0, told.out) == (True, "")
        assert told.err.startswith("Error: ")
        assert "kit.yaml" in told.err.splitlines()[0]
        found = re.search(r"  (reel restore kit\.yaml)(?:$|  ;)", told.err, re.MULTILINE)
        assert found is not None, told.err
        hint = found[1]
    assert ada.files().keys() - {"kit.yaml"} == sessions - {"kit.yaml"}
    reel(*hint.split()[1:]).ok()
    assert ada.read("kit.yaml") == before
    kept = [path.read_bytes() for path in (ada.root / ".reel/state/rejected").rglob("*") if path.is_file()]
    assert data is None or data in kept
    assert reel("record", CHAT).ok().out.startswith("Recorded ")


DAMAGE = {
    "ring3/M-001.md": (b"---\nid: M-001\n", "M-001"),
    "ring1/the-one-condition.md": (b"", "ring1/the-one-condition.md"),
    "ring1/active.yaml": (b"anchor: [", "ring1/active.yaml"),
    "ring2/working.md": (b"", "ring2/working.md"),
    "ring0/directives.md": (b"be kind\xff\n", "ring0/directives.md"),
    "ring4/index.md": (b"\0" * 4096, "ring4/index.md"),
    "tape/2025/2025-06-03-1.md": (b"---\nsession: 2025-06-03-1\n---\n", "tape/2025/2025-06-03-1.md"),
    "ring0/identity.md": (b"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", "ring0/identity.md"),
}


@pytest.mark.parametrize(
    ("path", "gone"),
    [*((path, False) for path in DAMAGE), ("ring3/M-001.md", True), ("ring0/identity.md", True)],
)
def test_what_is_missing_or_damaged_is_named_everywhere_and_comes_back(
    reel: Reel, ada: KitUnderGit, path: str, *, gone: bool
) -> None:
    before, (damaged, name) = (ada.root / path).read_bytes(), DAMAGE[path]
    head = ada.repo.head()
    if gone:
        (ada.root / path).unlink()
    else:
        (ada.root / path).write_bytes(damaged)
    command = f"reel restore {name}"
    start = reel("start")
    assert path in start.err
    assert command in start.err
    assert command in reel("status").ok().out
    warnings = json.loads(reel("status", "--json").ok().out)["warnings"]
    assert [(one["path"], one["mend"]) for one in warnings] == [(path, command)]
    doctor = reel("doctor")
    assert doctor.code == 1
    assert command in doctor.out
    reel("restore", name).ok()
    assert (ada.root / path).read_bytes() == before
    assert ada.repo.head() == head
    assert json.loads(reel("status", "--json").ok().out)["warnings"] == []
    if not gone:
        kept = [p.read_bytes() for p in (ada.root / ".reel/state/rejected").rglob("*") if p.is_file()]
        assert kept == [damaged]


LATER = {
    "facts.yaml": (b"- category: identity\n  key: name\n  value: Ada\n", b"- key: [\n"),
    "hot.yml": (b"files: []\n", b"files: {\n"),
    "story/cursor.yaml": (
        b"state: done\nmode: full\nstarted: 2026-03-01T20:00:00Z\nwindow: 8k\n",
        b"state: dozing\n",
    ),
    "stream.md": (
        b"---\nsession: 2026-02-25-1\nupto: 2\n---\n\n## The conversation so far\n\nQuiet.\n",
        b"no front matter\n",
    ),
    "lore/silt.json": (b'{"entries": {}}', b"{}"),
    "card/card.json": (b'{"name": "Ada", "description": "x", "first_mes": "Hm."}', b"[1]"),
    "checkpoints/2026-02-25-1.1.yaml": (b"", b"session: [\n"),
    "ring3/M-001.md": (b"", b"---\nid: M-001\n"),
    "tape/2026/2026-02-25-1.md": (b"", None),
}


BROUGHT_BY = {
    "facts.yaml": "facts",
    "hot.yml": "shelf",
    "story/cursor.yaml": "dream",
    "stream.md": "stream",
    "lore/silt.json": "cards",
    "card/card.json": "cards",
}


@pytest.mark.parametrize(
    ("path", "committed"),
    [
        *(
            pytest.param(path, True, marks=pytest.mark.needs(BROUGHT_BY.get(path, "forgetting")))
            for path in LATER
        ),
        ("checkpoints/2026-02-25-1.1.yaml", False),
        ("tape/2026/2026-02-25-1.md", False),
    ],
)
def test_the_mend_of_the_doctor_works_as_printed(
    reel: Reel, ada: KitUnderGit, path: str, *, committed: bool
) -> None:
    place, (whole, broken) = ada.root / path, LATER[path]
    if whole:
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(whole)
        ada.git("add", "-A")
        ada.git("commit", "--no-verify", "-qm", "more")
    whole = place.read_bytes()
    if broken is None:
        place.unlink()
    else:
        place.write_bytes(broken)
    if committed:
        ada.git("commit", "--no-verify", "-qam", "by hand")
    told = reel("doctor")
    assert "git restore" not in told.out
    assert "git checkout" not in told.out
    found = re.search(r"reel restore [\w./-]+", told.out)
    # where the text shows what is wrong with a line, the hint tells how to mend that
    assert found is not None or f"{path}, line" in told.out
    reel(*(found[0] if found else f"reel restore {path}").split()[1:]).ok()
    assert place.read_bytes() == whole
    assert ada.git("status", "--porcelain") == ""


def test_a_line_taken_from_the_journal_comes_back_by_the_hint(reel: Reel, ada: KitUnderGit) -> None:
    place = ada.root / "journal/2026-02.jsonl"
    whole = place.read_bytes()
    place.write_bytes(b"".join(whole.splitlines(keepends=True)[1:]))
    told = reel("tape", "verify")
    assert "to bring the recorded text back:  reel restore journal/2026-02.jsonl" in told.out
    reel("restore", "journal/2026-02.jsonl").ok()
    assert place.read_bytes() == whole
    # a line more is no damage
    place.write_bytes(whole + whole.splitlines(keepends=True)[0])
    assert reel("restore", "journal/2026-02.jsonl").code == 1


def test_many_missing_files_are_told_in_one_line_and_come_back_at_once(reel: Reel, ada: KitUnderGit) -> None:
    before = ada.files()
    for path in before:
        if path != "kit.yaml":
            (ada.root / path).unlink()
    told = reel("pack").err
    assert f"{len(before) - 1} files are missing" in told
    assert told.count("missing") == 1
    reel("restore", ".").ok()
    assert ada.files() == before
    assert reel("restore", ".").code == 1


def test_a_file_whose_last_commit_is_damaged_comes_back_as_it_last_was_whole(
    reel: Reel, ada: KitUnderGit
) -> None:
    path = "ring3/M-001.md"
    whole = ada.read(path)
    for text in ("---\nid: M-001\n", "---\nid: M-001\ntitle: [\n"):
        (ada.root / path).write_text(text)
        ada.git("commit", "--no-verify", "-qam", "by hand")
    (ada.root / path).write_text("")
    told = reel("restore", "M-001").ok()
    assert re.search(r"back as it was before \d{4}-\d\d-\d\d \(", told.out)
    assert ada.read(path) == whole
    assert ada.subjects()[0] == f"restore: brought back {path}"
    assert ada.git("status", "--porcelain") == ""


def test_an_anchor_whose_deletion_was_committed_is_named_and_comes_back(reel: Reel, ada: KitUnderGit) -> None:
    path = "ring1/the-one-condition.md"
    before = ada.read(path)
    ada.git("rm", "-q", path)
    ada.git("commit", "--no-verify", "-qm", "by hand")
    assert f"reel restore {path}" in reel("status").ok().out
    reel("restore", path).ok()
    assert ada.read(path) == before
    assert json.loads(reel("status", "--json").ok().out)["warnings"] == []


def test_a_deletion_that_a_person_committed_is_theirs_and_nothing_is_missing(
    reel: Reel, ada: KitUnderGit
) -> None:
    ada.git("rm", "-q", "ring3/M-003.md")
    assert json.loads(reel("status", "--json").ok().out)["warnings"] == []
    ada.git("commit", "--no-verify", "-qm", "this one may go")
    assert json.loads(reel("status", "--json").ok().out)["warnings"] == []
    reel("record", CHAT).ok()


def test_a_sparse_checkout_leaves_files_missing(reel: Reel, ada: KitUnderGit) -> None:
    before = rings(ada)
    ada.git("update-index", "-q", "--refresh")
    ada.git("sparse-checkout", "set", "--no-cone", "/*", "!/ring3/", "!/ring4/")
    assert "12 files are missing, the first ring3/M-001.md" in reel("start").err
    reel("restore", "ring3", "ring4").ok()
    assert rings(ada) == before


def test_nothing_is_read_twice_of_a_kit_that_did_not_change(reel: Reel, ada: KitUnderGit) -> None:
    (ada.root / "ring2/working.md").write_text("")
    first, again = reel("status", "--json").ok().out, reel("status", "--json").ok().out
    assert json.loads(first)["warnings"] == json.loads(again)["warnings"] != []


OWN_PLACES = [
    *("tape/x.md", "kit.yaml", "Ring0/identity.md"),
    *(".git/config", ".gitattributes", ".reel/x", "NOTES.md"),
    pytest.param("stream.md", marks=pytest.mark.needs("stream")),
    *(
        pytest.param(place, marks=pytest.mark.needs("shelf"))
        for place in ("session-log.md", "archive/x.md", "summaries/x.md")
    ),
]


@pytest.mark.parametrize("place", OWN_PLACES)
def test_nothing_is_written_over_a_file_of_the_kit(reel: Reel, ada: KitUnderGit, place: str) -> None:
    (ada.root / "NOTES.md").write_text("mine\n")
    ada.git("add", "NOTES.md")
    ada.git("commit", "--no-verify", "-qm", "notes")
    before = ada.files()
    for words in (
        ("pack", "--out", place),
        ("export", "text", "--out", place, "--force"),
        ("status", "--breath", "--svg", place),
        ("pack", "--out", str(ada.root.parent / "kit" / place)),
    ):
        told = reel(*words)
        assert told.code == 1, words
        assert "is a place of the kit's own" in told.err
    assert ada.files() == before
    reel("pack", "--out", "bundle.md").ok()


def test_what_is_missing_is_not_let_go_unseen(reel: Reel, ada: KitUnderGit) -> None:
    before = rings(ada)
    (ada.root / "ring3/M-001.md").unlink()
    told = reel("forget", "M-001", "--yes")
    assert (told.code, "reel restore M-001" in told.err) == (3, True)
    # what has nothing to do with it goes on, and does not take it along
    reel("forget", "M-003", "--yes").ok()
    assert ada.git("ls-tree", "--name-only", "HEAD", "ring3/M-001.md") == "ring3/M-001.md\n"
    reel("restore", "m-1").ok()
    assert rings(ada)["ring3/M-001.md"] == before["ring3/M-001.md"]
    reel("forget", "M-001", "--yes").ok()


def test_a_page_that_came_waits_when_memories_get_lost_meanwhile(reel: Reel, ada: KitUnderGit) -> None:
    reel("record", CHAT).ok()
    reel("checkpoint", "--prompt").ok()
    (ada.root / "ring4/index.md").unlink()
    assert reel("checkpoint", "--reply", PAGE, "--yes").code == 3
    reel("restore", "ring4").ok()
    reel("checkpoint", "--reply", PAGE, "--yes").ok()


@pytest.mark.parametrize("path", ["kit.yaml", "ring0/identity.md", "ring4/index.md"])
def test_a_sound_file_is_said_to_be_sound(reel: Reel, kit: Path, path: str) -> None:
    before = (kit / path).read_bytes()
    run = reel("restore", path)
    assert run.code == 1
    assert f"{path} is neither missing nor damaged; nothing was changed." in run.err
    assert (kit / path).read_bytes() == before


def test_a_damaged_file_that_was_never_committed_is_not_looked_for_on_the_shelf(
    reel: Reel, kit: Path
) -> None:
    (kit / "facts.yaml").write_bytes(b"\xff\xfe")
    run = reel("restore", "facts.yaml")
    assert (run.code, "The last commit has no facts.yaml; nothing was changed." in run.err) == (1, True)
    assert "shelf" not in run.err


def test_what_is_missing_comes_back_though_something_named_with_it_is_sound(
    reel: Reel, ada: KitUnderGit
) -> None:
    before = ada.files()
    lost = ["ring2/working.md", "ring1/active.yaml"]
    for path in lost:
        (ada.root / path).unlink()
    run = reel("restore", "ring0/identity.md", "checkpoints", *lost).ok()
    assert "2 files are back as last kept, the first ring2/working.md." in run.out
    left = "Neither missing nor damaged, and left as it was: ring0/identity.md, checkpoints\n"
    assert left in run.err
    assert "Next:" not in run.err
    assert ada.files() == before
    assert ada.git("status", "--porcelain") == ""
    (ada.root / "ring3/M-001.md").unlink()
    run = reel("restore", "M-003", "M-001").ok()
    assert "For more of what faded or was closed:  reel restore M-003\n" in run.err
    assert ada.files() == before
    # a name of nothing may be a typing error in what is wanted back
    (ada.root / "ring3/M-001.md").unlink()
    refused = reel("restore", "M-001", "nothing.md")
    assert (refused.code, "reel restore M-001" in refused.err) == (1, True)
    assert not (ada.root / "ring3/M-001.md").exists()
    # the hint brings several back, and the words beside it do not deny that
    (ada.root / lost[0]).unlink()
    refused = reel("restore", lost[0], "ring3", "tap")
    assert "tap is no missing or damaged file; nothing was changed." in refused.err
    assert "one at a time" not in refused.err
    hint = " ".join(refused.err.split()).rpartition("without tap: reel ")[2].split()
    reel(*hint).ok()
    assert ada.files() == before


def test_a_mistyped_file_is_met_with_the_one_beside_it(reel: Reel, ada: KitUnderGit) -> None:
    refused = reel("restore", "ring2/workin.md")
    assert refused.err == (
        "Error: This kit has no file ring2/workin.md, and none of that name was lost.\n"
        "Hint: did you mean  reel restore ring2/working.md\n"
    )
    assert ada.git("status", "--porcelain") == ""


def test_without_a_name_restore_lists_what_is_missing_and_what_was_let_go(
    reel: Reel, ada: KitUnderGit
) -> None:
    reel("forget", "M-002", "--yes").ok()
    (ada.root / "ring3/M-001.md").unlink()
    told = reel("restore").ok().out
    assert "ring3/M-001.md is missing:  reel restore M-001" in told
    assert "reel restore M-002" in told
    refused = reel("restore", "--dry-run")
    assert refused.code == 2
    assert "Say what is to be brought back." in refused.err


def test_restore_has_one_answer_where_something_is_missing(reel: Reel, ada: KitUnderGit) -> None:
    (ada.root / "ring3/M-001.md").unlink()
    run = reel("restore").ok()
    assert (run.out, run.err) == ("ring3/M-001.md is missing:  reel restore M-001\n", "")


def test_what_a_commit_by_hand_took_is_told_before_a_chat_and_comes_back(
    reel: Reel, ada: KitUnderGit
) -> None:
    before = ada.files()
    ada.git("rm", "-q", "ring3/M-003.md", "ring3/M-004.md", "tape/2026/2026-02-11-1.md")
    ada.git("commit", "--no-verify", "-qm", "tidy up")
    lines = [
        "2 memories are gone, the first “Occulting, and having it backwards”:  reel restore M-003 M-004",
        "The chat of 11 February 2026 is gone:  reel restore 2026-02-11-1",
    ]
    started = reel("start").ok()
    assert started.err.splitlines()[:2] == lines
    assert "who Ada is" in started.err
    assert reel("restore").ok().out.splitlines() == lines
    assert lines[0].partition(":")[0] in reel().ok().out
    for line in lines:
        reel(*line.partition("  reel ")[2].split()).ok()
    assert reel("start").ok().err.count("gone") == 0
    assert {
        "ring3/M-003.md",
        "ring3/M-004.md",
        "tape/2026/2026-02-11-1.md",
    } < before.keys() & ada.files().keys()


def test_without_a_history_what_is_gone_is_told_before_a_chat(reel: Reel, ada: KitUnderGit) -> None:
    shutil.rmtree(ada.root / ".git")
    for path in ("ring3/M-003.md", "tape/2026/2026-02-11-1.md"):
        (ada.root / path).unlink()
    told = reel("start").ok().err
    assert "The memory “Occulting, and having it backwards” is gone.\n" in told
    assert "The chat of 11 February 2026 is gone.\n" in told


def test_a_memory_whose_file_is_gone_is_not_called_faded(reel: Reel, ada: KitUnderGit) -> None:
    (ada.root / "ring3/M-001.md").unlink()
    told = reel("memory", "list").ok().err
    assert "ring3/M-001.md is missing:  reel restore M-001" in told
    assert "M-001" not in told.partition("with only a line left")[2]


@pytest.mark.parametrize("text", ["garbage\n", "# What could be recalled\n", "\n"])
def test_an_overwritten_index_is_offered_back_and_never_made_final_by_a_fix(
    reel: Reel, ada: KitUnderGit, text: str
) -> None:
    index = ada.root / "ring4/index.md"
    was, head = index.read_bytes(), ada.git("rev-parse", "HEAD")
    lines = was.count(b"M-0")
    index.write_text(text, encoding="utf-8")
    told = reel("doctor", "--fix")
    assert told.code == 1
    assert f"ring4/index.md lacks {lines} lines that the last commit has" in told.out
    assert "reel restore ring4/index.md" in told.out
    assert "doctor --fix" not in told.out
    assert index.read_text(encoding="utf-8") == text
    assert ada.git("rev-parse", "HEAD") == head
    assert "ring4/index.md is back as it was last kept." in reel("restore", "ring4/index.md").ok().out
    assert index.read_bytes() == was
    assert ada.git("status", "--porcelain") == ""
    assert "lacks" not in reel("doctor").out


def test_a_fix_keeps_a_line_that_only_the_index_tells_when_a_memory_lost_its_own_too(
    reel: Reel, ada: KitUnderGit
) -> None:
    index = ada.root / "ring4/index.md"
    was = index.read_text(encoding="utf-8")
    (memory, *_) = [line for line in was.splitlines() if line.startswith("M-") and "<!--" not in line]
    (pointer, *_) = [line for line in was.splitlines() if line.startswith("M-") and "<!--" in line]
    index.write_text(was.replace(f"{memory}\n", ""), encoding="utf-8")
    reel("doctor", "--fix").ok()
    assert memory.partition(" ")[0] in index.read_text(encoding="utf-8")
    now = index.read_text(encoding="utf-8")
    index.write_text(now.replace(f"{memory}\n", "").replace(f"{pointer}\n", ""), encoding="utf-8")
    head = ada.git("rev-parse", "HEAD")
    told = reel("doctor", "--fix").ok()
    assert "lacks 2 lines that the last commit has" in told.out
    assert ada.git("rev-parse", "HEAD") == head
    reel("restore", "ring4/index.md").ok()
    assert index.read_text(encoding="utf-8") == now


def test_a_memory_deleted_with_its_line_is_no_loss_of_the_index(reel: Reel, ada: KitUnderGit) -> None:
    """Both are meant to go, and the review asks about it: other lines are put back."""
    index = ada.root / "ring4/index.md"
    was = index.read_text(encoding="utf-8")
    name = next(one.stem for one in sorted((ada.root / "ring3").glob("M-*.md")) if f"{one.stem} " in was)
    (ada.root / f"ring3/{name}.md").unlink()
    kept = [line for line in was.splitlines(keepends=True) if not line.startswith(name)]
    index.write_text("".join(kept), encoding="utf-8")
    other = next(line for line in kept if line.startswith("M-") and "<!--" not in line)
    index.write_text("".join(kept).replace(other, ""), encoding="utf-8")
    reel("doctor", "--fix")
    now = index.read_text(encoding="utf-8")
    assert other in now
    assert name not in now
