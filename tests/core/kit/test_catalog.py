"""The catalog is a cache and nothing else: with it, without it, whatever is wrong with it, the same bytes."""

import errno
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.catalog_store import KEPT_PROFILES
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import find_repository
from reel_cli.core.kit.approved_rings import read_in_force
from reel_cli.core.kit.catalog import with_holdings
from reel_cli.core.kit.catalog_rows import KeptLines
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack import line_choice
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit, pack_snapshot
from reel_cli.core.pack.render import MARKDOWN
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.holdings import LineRow
from tests.support.kit_under_git import KitUnderGit, make_kit
from tests.support.kits_at_random import Files, kits

CATALOG = ".reel/cache/catalog.sqlite"
WISH = BundleRequest(window=16_384)

IDENTITY = "ring0/identity.md"
DIRECTIVES = "ring0/directives.md"
DECIDE = "Decide with  reel review"
UNAPPROVED = "was edited and is not approved yet; this bundle uses the last approved text."
MEMORY = """\
---
id: {0}
title: Title {1}
level: {2}
source: [2026-02-{3:02}-1#1-2]
---

## What happened

{1}
"""


def memory(number: int, text: str, level: str = "L1") -> tuple[str, bytes]:
    name = f"M-{number:03d}"
    return f"ring3/{name}.md", MEMORY.format(name, text, level, number % 28 + 1).encode()


def line(number: int, text: str) -> str:
    return f'M-{number:03d} | {text} | "{text} said" | factual | not immune\n'


START = {
    "kit.yaml": b"name: Ada\n",
    IDENTITY: b"I am Ada.\n",
    "ring1/a.md": b"---\ntitle: The wrong train\nadded: 2026-01-01\n---\n**Bo:** hm.\n",
    "ring1/active.yaml": b"anchor: a\n",
    "ring2/working.md": b"## State\n\nFine.\n",
    **dict(memory(number, f"the evening numbered {number}") for number in range(1, 30)),
    "ring4/index.md": "".join(line(n, f"evening {n}") for n in range(1, 30)).encode(),
}


def put(root: Path, files: dict[str, bytes]) -> None:
    for path, data in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def plain(root: Path, wish: BundleRequest = WISH) -> Bundle:
    snapshot = Snapshot(WorkTree(root), root.name)
    return pack_snapshot(snapshot, wish, read_in_force(snapshot, find_repository(root)))


def outcome(root: Path, wish: BundleRequest = WISH) -> tuple[object, object]:
    """Return the results of both ways: two equal bundles, or two equal errors."""
    made: list[object] = []
    for way in (pack_kit, plain):
        try:
            made.append(way(root, wish))
        except ReelError as error:
            made.append((error.message, error.hint))
    return made[0], made[1]


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    root = tmp_path / "ada"
    put(root, START)
    return root


@pytest.fixture
def warm(kit: Path) -> Path:
    """A kit whose files are old enough to be trusted, and are."""
    for place in kit.rglob("*"):
        os.utime(place, ns=(1, place.stat().st_mtime_ns - 10**9))
    pack_kit(kit, WISH)
    return kit


def reads(root: Path, monkeypatch: pytest.MonkeyPatch, wish: BundleRequest = WISH) -> list[str]:
    """The files that packing reads anew."""
    seen: list[str] = []
    read = WorkTree.read

    def noted(tree: WorkTree, path: str) -> bytes | None:
        seen.append(path)
        return read(tree, path)

    with monkeypatch.context() as patch:
        patch.setattr(WorkTree, "read", noted)
        pack_kit(root, wish)
    return sorted(seen)


def settle(root: Path) -> None:
    """Wait until what was written is older than the file system's clock."""
    probe = root / "probe"
    probe.touch()
    newest = max(max(p.stat().st_mtime_ns, p.stat().st_ctime_ns) for p in root.rglob("*") if p.is_file())
    while True:
        os.utime(probe)
        if probe.stat().st_mtime_ns > newest:
            break
    probe.unlink()


EDITS = st.one_of(
    st.tuples(st.just("memory"), st.integers(1, 12), st.sampled_from(["one", "two", "six"])),
    st.tuples(st.just("level"), st.integers(1, 12), st.sampled_from(["L1", "L2", "L3", "L4", "L9"])),
    st.tuples(st.just("forget"), st.integers(1, 12), st.just("")),
    st.tuples(st.just("index"), st.integers(0, 30), st.sampled_from(["one", "two", "| broken"])),
    st.tuples(st.just("working"), st.integers(1, 3), st.sampled_from(["one", "two", "\x1b[31mred"])),
    st.tuples(st.just("identity"), st.integers(1, 3), st.sampled_from(["one", "two"])),
    st.tuples(st.just("exemplar"), st.integers(1, 5), st.sampled_from(["one", "two"])),
    st.tuples(st.just("active"), st.integers(1, 5), st.just("")),
    st.tuples(st.just("facts"), st.integers(1, 3), st.sampled_from(["sure", "unsure", "broken"])),
    st.tuples(
        st.just("settings"), st.sampled_from([8, 16, 64]), st.sampled_from(["o200k_base", "cl100k_base"])
    ),
)


def _facts(number: int, text: str) -> str:
    sure = {"sure": "high", "unsure": "low"}.get(text)
    return (
        "".join(f"- {{key: k{n}, value: x, confidence: {sure}}}\n" for n in range(number)) if sure else "- ["
    )


def edit(root: Path, kind: str, number: int, text: str) -> None:
    """One change as a person might make it, in place or by a new file, with times kept or not."""
    if kind == "forget":
        (root / memory(number, "")[0]).unlink(missing_ok=True)
        return
    path, data = {
        "memory": memory(number, text),
        "level": memory(number, "x", text),
        "index": ("ring4/index.md", "".join(line(n, text) for n in range(1, number + 1)).encode()),
        "working": ("ring2/working.md", f"## State\n\n{text}\n".encode() * number),
        "identity": (IDENTITY, text.encode() * number),
        "exemplar": (f"ring1/e{number}.md", f"---\ntitle: {text}\nrole: humor\n---\n{text}\n".encode()),
        "active": ("ring1/active.yaml", f"anchor: e{number}\nactive: [a]\n".encode()),
        "facts": ("facts.yaml", _facts(number, text).encode()),
        "settings": ("kit.yaml", f"name: Ada\nwindow: {number}k\ntokenizer: {text}\n".encode()),
    }[kind]
    place = root / path
    before = place.stat() if place.exists() else None
    put(root, {path: data})
    if before is not None:
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))


@given(st.lists(EDITS, min_size=1, max_size=8), st.sampled_from([None, 4_096, 40_000]))
@settings(max_examples=30, deadline=None)
def test_after_any_edits_both_ways_give_the_same_bytes(
    edits: list[tuple[str, int, str]], window: int | None
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "ada"
        put(root, START)
        wish = BundleRequest(window=window)
        for change in edits:
            edit(root, *change)
            by_catalog, by_hand = outcome(root, wish)
            assert by_catalog == by_hand


@given(kits(), st.sampled_from(["markdown", "text", "messages"]), st.sampled_from(["", "the lamp is wrong"]))
@settings(max_examples=20, deadline=None)
def test_any_kit_is_the_same_twice_over(files: Files, form: str, cue: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "ada"
        put(root, dict(files.files))
        wish = BundleRequest(window=20_000, form=form, cue=cue)
        cold, by_hand = outcome(root, wish)
        assert cold == by_hand == outcome(root, wish)[0]


def test_a_warm_kit_is_not_read(warm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reads(warm, monkeypatch) == []
    put(warm, dict([memory(3, "something else")]))
    assert reads(warm, monkeypatch) == ["ring3/M-003.md"]


def test_which_lines_are_immune_is_known_without_reading_them(
    warm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line(number, f"thing {number}") for number in range(1, 4)]
    put(warm, {"ring4/index.md": "".join([lines[0], lines[1].replace("not ", ""), lines[2]]).encode()})
    settle(warm)
    wish = BundleRequest(window=8_192)
    made = pack_kit(warm, wish)
    monkeypatch.setattr(KeptLines, "newest", lambda _, *, immune=None: pytest.fail(f"read: {immune}"))
    held = with_holdings(warm, MARKDOWN, get_tokenizer, lambda holdings: set(holdings.lines.immune_ids()))
    assert held == {"M-002"}
    monkeypatch.undo()
    assert pack_kit(warm, wish) == made


def test_where_no_line_fits_the_index_of_a_long_life_is_not_gone_through(
    kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(kit, dict(memory(number, f"evening {number} " * 8) for number in range(1, 301)))
    index = "".join(line(number, f"thing {number}{' by the lake' * 40}") for number in range(1, 301))
    put(kit, {"ring4/index.md": index.encode()})
    wish = BundleRequest(window=8_192)
    made = pack_kit(kit, wish)
    assert "by the lake" not in made.text
    read, newest = list[str](), KeptLines.newest

    def noted(lines: KeptLines, *, immune: bool | None = None) -> Iterator[LineRow]:
        for row in newest(lines, immune=immune):
            read.append(row.id)
            yield row

    monkeypatch.setattr(KeptLines, "newest", noted)
    monkeypatch.setattr(line_choice, "MOST_READ", 10)
    assert pack_kit(kit, wish).text == made.text
    assert len(read) == 10


def test_a_file_as_young_as_the_clock_is_read_again_until_it_is_older(
    warm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = warm / "ring3/M-003.md"
    tomorrow = place.stat().st_mtime_ns + 86_400 * 10**9
    os.utime(place, ns=(tomorrow, tomorrow))
    for _ in range(2):
        assert reads(warm, monkeypatch) == ["ring3/M-003.md"]
    os.utime(place, ns=(1, 1))
    settle(warm)
    assert reads(warm, monkeypatch) == ["ring3/M-003.md"]
    assert reads(warm, monkeypatch) == []


def test_a_link_in_a_ring_is_read_each_time(
    warm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = warm / "elsewhere.md"
    inside.write_bytes(memory(3, "linked")[1])
    (warm / "ring3/M-003.md").unlink()
    (warm / "ring3/M-003.md").symlink_to(inside)
    settle(warm)
    assert "linked" in pack_kit(warm, WISH).text
    inside.write_bytes(memory(3, "LINKED")[1])
    assert "LINKED" in pack_kit(warm, WISH).text
    assert reads(warm, monkeypatch) == ["ring3/M-003.md"]
    (warm / "ring3/M-003.md").unlink()
    (warm / "ring3/M-003.md").symlink_to(tmp_path / "outside.md")
    (tmp_path / "outside.md").write_bytes(memory(3, "outside")[1])
    assert outcome(warm)[0] == (
        "ring3/M-003.md is outside the kit.",
        "replace the link by a copy of the file",
    )


def test_a_ring_that_is_a_link_is_refused_as_ever(warm: Path, tmp_path: Path) -> None:
    (warm / "ring2").rename(tmp_path / "ring2")
    (warm / "ring2").symlink_to(tmp_path / "ring2")
    by_catalog, by_hand = outcome(warm)
    assert (
        by_catalog
        == by_hand
        == (
            "ring2/working.md is outside the kit.",
            "replace the link by a copy of the file",
        )
    )


def test_only_its_owner_reads_it(kit: Path) -> None:
    pack_kit(kit)
    assert [oct((kit / p).stat().st_mode & 0o777) for p in (".reel", ".reel/cache", CATALOG)] == [
        "0o700",
        "0o700",
        "0o600",
    ]
    (kit / CATALOG).chmod(0o644)
    pack_kit(kit)
    assert oct((kit / CATALOG).stat().st_mode & 0o777) == "0o600"


def test_git_does_not_see_it(kit: Path) -> None:
    pack_kit(kit)
    assert (kit / ".reel/.gitignore").read_text() == "*\n"


def spoil_by_cutting(place: Path) -> None:
    place.write_bytes(place.read_bytes()[: place.stat().st_size // 2])


def spoil_by_rubbish(place: Path) -> None:
    place.write_bytes(b"not a database at all\n" * 400)


def spoil_by_emptying(place: Path) -> None:
    place.write_bytes(b"")


def spoil_by_another_program(place: Path) -> None:
    place.unlink()
    with sqlite3.connect(place) as other:
        other.execute("CREATE TABLE kept (name, something, else_)")
    other.close()


def spoil_by_another_version(place: Path) -> None:
    with sqlite3.connect(place) as same:
        same.execute("PRAGMA user_version = 999")
    same.close()


@pytest.mark.parametrize(
    "spoil",
    [
        spoil_by_cutting,
        spoil_by_rubbish,
        spoil_by_emptying,
        spoil_by_another_program,
        spoil_by_another_version,
    ],
)
def test_a_catalog_that_is_none_is_made_anew(
    warm: Path, spoil: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(spoil)
    spoil(warm / CATALOG)
    by_catalog, by_hand = outcome(warm)
    assert by_catalog == by_hand
    pack_kit(warm, WISH)
    assert reads(warm, monkeypatch) == []


@given(st.lists(st.tuples(st.floats(0, 0.999), st.binary(min_size=1, max_size=40)), min_size=1, max_size=6))
@settings(max_examples=30, deadline=None)
def test_whatever_is_overwritten_in_it_the_bytes_are_the_same(damage: list[tuple[float, bytes]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "ada"
        put(root, START)
        settle(root)
        right = pack_kit(root, WISH)
        data = bytearray((root / CATALOG).read_bytes())
        for where, what in damage:
            at = int(where * len(data))
            data[at : at + len(what)] = what
        (root / CATALOG).write_bytes(data)
        assert pack_kit(root, WISH) == right
        assert pack_kit(root, WISH) == right


@pytest.mark.parametrize("place", [".reel", ".reel/cache", CATALOG])
def test_no_catalog_is_written_through_a_link(kit: Path, tmp_path: Path, place: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (kit / place).parent.mkdir(parents=True, exist_ok=True)
    (kit / place).symlink_to(elsewhere)
    by_catalog, by_hand = outcome(kit)
    assert by_catalog == by_hand
    assert list(elsewhere.iterdir()) == []


def test_where_no_folder_can_be_made_the_kit_is_read_plainly(kit: Path) -> None:
    (kit / ".reel").write_text("a file stands here\n")
    by_catalog, by_hand = outcome(kit)
    assert by_catalog == by_hand


def test_on_a_disk_that_cannot_be_written_the_kit_is_read_plainly(
    warm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    put(warm, dict([memory(3, "something else")]))
    with monkeypatch.context() as patch:
        patch.setattr(os, "utime", refuse)
        by_catalog, by_hand = outcome(warm)
    assert by_catalog == by_hand
    assert "something else" in pack_kit(warm, WISH).text


def test_while_another_writes_the_kit_is_read_plainly(warm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reel_cli.core.files.catalog_store.PATIENCE", 0.01)
    other = sqlite3.connect(warm / CATALOG, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert outcome(warm)[0] == plain(warm)
    other.close()
    assert reads(warm, monkeypatch) == []


def test_ways_of_writing_are_kept_side_by_side_and_old_ones_go(
    warm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = BundleRequest(window=16_384, form="text")
    assert pack_kit(warm, text) == plain(warm, text)
    assert (reads(warm, monkeypatch), reads(warm, monkeypatch, text)) == ([], [])
    for version in range(KEPT_PROFILES + 2):
        monkeypatch.setattr("reel_cli.core.kit.catalog.__version__", f"9.{version}")
        assert pack_kit(warm, WISH) == plain(warm)
    with sqlite3.connect(warm / CATALOG) as store:
        (count,) = store.execute("SELECT count(*) FROM profiles").fetchone()
        kept = store.execute("SELECT count(DISTINCT profile) FROM memories").fetchone()
    store.close()
    assert (count, kept) == (KEPT_PROFILES, (KEPT_PROFILES,))


def test_a_memory_that_cannot_be_read_is_named_each_time_and_harms_nothing(warm: Path) -> None:
    right = pack_kit(warm, WISH)
    good = (warm / "ring3/M-005.md").read_bytes()
    (warm / "ring3/M-005.md").write_bytes(b"---\nid: M-005\nlevel: [\n---\n")
    for _ in range(2):
        by_catalog, by_hand = outcome(warm)
        assert by_catalog == by_hand
        assert "ring3/M-005.md, line" in str(by_catalog)
    (warm / "ring3/M-005.md").write_bytes(good)
    assert pack_kit(warm, WISH) == right


@pytest.fixture
def ratified(tmp_path: Path) -> KitUnderGit:
    """A kit with a recorded session, so that ring 0 is in force as committed."""
    held = make_kit(tmp_path / "ada")
    held.apply({"tape/2026/2026-02-10-1.md": b"---\nsession: 2026-02-10-1\n---\n"}, op="record")
    return held


def test_a_draft_that_nobody_reviewed_is_packed_and_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = make_kit(tmp_path / "ada")
    held.write(IDENTITY, b"I am somebody else.\n")
    told = f"{IDENTITY}: packed as you wrote it. Once a chat is recorded, an edit counts when you approve it."
    first = pack_kit(held.root)
    assert "somebody else" in first.text
    assert first.warnings == [told]
    held.write(DIRECTIVES, b"Whistle.\n")
    (both,) = pack_kit(held.root).warnings
    assert both.startswith(f"{IDENTITY} and {DIRECTIVES}: packed as you wrote it. ")
    pack_kit(held.root)
    with monkeypatch.context() as patch:
        # what is known from the last time is told without asking git again
        patch.setenv("PATH", "")
        assert pack_kit(held.root).warnings == [both]
    held.apply({IDENTITY: b"I am somebody else.\n", DIRECTIVES: b"Whistle.\n"})
    assert pack_kit(held.root).warnings == []


def test_an_edit_of_ring_0_waits_and_is_told_of(ratified: KitUnderGit) -> None:
    ratified.write(IDENTITY, b"I am somebody else.\n")
    for _ in range(3):
        bundle = pack_kit(ratified.root)
        assert bundle == plain(ratified.root, BundleRequest())
        assert "I am Ada." in bundle.text
        assert "somebody else" not in bundle.text
        assert bundle.warnings == [f"{IDENTITY} {UNAPPROVED} {DECIDE}"]
    by = ("Reel-Ratified-By", "Bo Lind <bo@example.org>")
    ratified.apply({IDENTITY: b"I am somebody else.\n"}, by, op="review")
    assert "somebody else" in pack_kit(ratified.root).text
    assert pack_kit(ratified.root).warnings == []


@pytest.mark.parametrize("how", ["packed", "detached", "renamed"])
def test_what_is_in_force_follows_the_branch_however_git_keeps_it(ratified: KitUnderGit, how: str) -> None:
    pack_kit(ratified.root)
    if how == "packed":
        ratified.git("pack-refs", "--all")
    pack_kit(ratified.root)
    ratified.apply({IDENTITY: b"I am new.\n"}, ("Reel-Ratified-By", "Bo Lind <bo@example.org>"))
    if how == "packed":
        ratified.git("pack-refs", "--all")
    assert "I am new." in pack_kit(ratified.root).text
    if how == "detached":
        ratified.git("checkout", "-q", "--detach", "HEAD~1")
    elif how == "renamed":
        ratified.git("checkout", "-q", "-b", "odd.name", "HEAD~1")
    else:
        ratified.git("reset", "-q", "--hard", "HEAD~1")
    assert "I am Ada." in pack_kit(ratified.root).text
    assert pack_kit(ratified.root) == plain(ratified.root, BundleRequest())


WARM = """
import sys
started = []
sys.addaudithook(lambda event, _: started.append(event) if event in EVENTS else None)
from pathlib import Path
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit
bundle = pack_kit(Path(sys.argv[1]), BundleRequest(window=16384))
bundle.fingerprint, list(bundle.left_out)
heavy = [name for name in HEAVY if name in sys.modules]
print(heavy, started)
"""


def test_warm_packing_loads_nothing_heavy_and_starts_nothing(ratified: KitUnderGit) -> None:
    put(ratified.root, dict(memory(number, f"evening {number}") for number in range(1, 40)))
    settle(ratified.root)
    heavy = "git rich tiktoken markdown_it yaml regex "
    heavy += "reel_cli.core.kit.snapshot reel_cli.core.git.repository reel_cli.core.tokens.counter"
    events = ["subprocess.Popen", "os.posix_spawn", "os.fork", "os.exec", "os.system"]
    code = f"HEAVY, EVENTS = {heavy.split()!r}, {events!r}\n{WARM}"
    said = ""
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code, str(ratified.root)], capture_output=True, text=True, check=True
        )
        said = done.stdout
    assert said == "[] []\n"
