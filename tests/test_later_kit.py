"""A kit of a made-up REEL/1.1 is read, packed and kept whole: what reel does not know stays (REEL §11.2)."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.cli import CHECKOUT, Reel
from tests.support.kit_under_git import run as git

BUNDLE = CHECKOUT / "tests/fixtures/kits/ada-2026-11.bundle"
FLAG, FIELD = "layered", "mood: rare as amber"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def line_of(kit: Path, name: str) -> str:
    lines = (kit / "ring4/index.md").read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith(f"{name} |"))


@pytest.fixture
def later(reel: Reel, tmp_path: Path) -> Path:
    """A kit with fields, flags and settings of another version, committed; `reel` runs inside it."""
    kit = tmp_path / "work/ada"
    subprocess.run(["git", "clone", "-q", BUNDLE, kit], check=True, capture_output=True)
    reel.cwd = kit
    reel("doctor", "--fix").ok()
    edit(kit / "kit.yaml", "REEL/1.0", "REEL/1.1")
    index = kit / "ring4/index.md"
    lines = index.read_text(encoding="utf-8").splitlines()
    index.write_text("\n".join(_of_later(line) for line in lines) + "\n", encoding="utf-8")
    for memory in (kit / "ring3").glob("M-*.md"):
        edit(memory, "\nlevel:", f"\n{FIELD}\nlayers: [a, b]\nlevel:")
    for checkpoint in (kit / "checkpoints").glob("*.yaml"):
        checkpoint.write_text(f"{FIELD}\n{checkpoint.read_text(encoding='utf-8')}", encoding="utf-8")
    git(kit, "commit", "-qam", "a later version")
    return kit


def _of_later(line: str) -> str:
    if not line.startswith("M-"):
        return line
    head, mark, where = line.partition(" <!--")
    return f"{head}, {FLAG} | {FIELD}{mark}{where}"


def test_it_is_read_as_what_it_also_is(reel: Reel, later: Path) -> None:
    assert json.loads(reel("status", "--json").ok().out)["index"]["entries"] > 1
    doctor = reel("doctor").ok().out
    assert "no line of the index" not in doctor
    assert f"ends with “{FLAG} | {FIELD}”, which reel keeps and does not read" in doctor
    bundle = reel("pack", "--window", "32k").ok().out
    assert line_of(later, "M-001").split("|")[1].strip() in bundle
    assert FLAG not in bundle
    assert "amber" not in bundle


def test_pinning_leaves_it_whole(reel: Reel, later: Path) -> None:
    whole = {path: path.read_bytes() for path in later.glob("ring[34]/*.md")}

    reel("memory", "pin", "M-001").ok()

    assert {path: path.read_bytes() for path in whole} == whole


def test_a_memory_that_is_let_go_and_comes_back_keeps_it(reel: Reel, later: Path) -> None:
    name = min(path.stem for path in (later / "ring3").glob("M-*.md"))
    whole = (later / f"ring3/{name}.md").read_bytes()

    reel("forget", name, "--yes").ok()
    assert f", pruned, {FLAG} | {FIELD} <!--" in line_of(later, name)
    reel("restore", name).ok()

    assert (later / f"ring3/{name}.md").read_bytes() == whole
    assert f", {FLAG} | {FIELD}" in line_of(later, name)


def test_a_memory_that_fades_keeps_it(reel: Reel, later: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REEL_NOW", "2031-01-01T20:00:00+00:00")
    before = (later / "ring4/index.md").read_text(encoding="utf-8").splitlines()

    reel("maintain", "--auto", "--yes").ok()

    faded = [later / path for path in git(later, "diff", "--name-only", "HEAD~1", "--", "ring3").split()]
    assert faded
    for path in filter(Path.exists, faded):
        assert f"\n{FIELD}\nlayers: [a, b]\n" in path.read_text(encoding="utf-8")
    after = (later / "ring4/index.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in before if line.startswith("M-") and line not in after] == []


def test_a_level_beyond_the_last_is_read_as_the_last_and_its_word_stays(
    reel: Reel, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """REEL §11.2: what a later minor version adds is read as far as 1.0 knows it, and stays written."""
    memory = later / "ring3/M-001.md"
    memory.write_text(re.sub(r"(?m)^level: .*$", "level: L5", memory.read_text(encoding="utf-8")))
    git(later, "commit", "-qam", "a level of 1.1")

    assert line_of(later, "M-001").split("|")[1].strip() in reel("pack", "--window", "32k").ok().out
    assert json.loads(reel("status", "--json").ok().out)["memories"]["L4"] >= 1
    reel("doctor").ok()
    listed = " ".join(reel("migrate").ok().out.split())
    assert re.search(r" memories: the level L5, read as L4 \(ring3/M-001\.md, line \d+\)", listed)
    reel("memory", "pin", "M-001").ok()
    monkeypatch.setenv("REEL_NOW", "2027-01-01T20:00:00+00:00")
    reel("maintain", "--auto", "--yes").ok()
    assert "\nlevel: L5\n" in memory.read_text(encoding="utf-8")

    edit(later / "kit.yaml", "REEL/1.1", "REEL/1.0")
    told = reel("pack")
    assert told.code != 0
    assert "ring3/M-001.md: level 'L5' is none of L1, L2, L3, L4." in told.err


NEW_LEVELS = {"L0": "L1", "L0.5": "L1", "L1a": "L1", "L3b": "L3", "anchor": "L1", "L12": "L4"}


@pytest.mark.parametrize(("word", "level"), NEW_LEVELS.items())
def test_a_level_of_another_name_closes_nothing(reel: Reel, later: Path, word: str, level: str) -> None:
    """REEL §11.2: what a later minor version adds is handled gracefully, and closes no whole kit."""
    memory = later / "ring3/M-001.md"
    memory.write_text(re.sub(r"(?m)^level: .*$", f"level: {word}", memory.read_text(encoding="utf-8")))
    git(later, "commit", "-qam", "a level of 1.1")
    reel("pack", "--window", "32k").ok()
    assert "M-001" in reel("memory", "list").ok().out
    assert f"\nlevel: {word}\n" in memory.read_text(encoding="utf-8")
    listed = " ".join(reel("migrate").ok().out.split())
    assert re.search(rf" memories: the level {re.escape(word)}, read as {level} \(ring3/M-001\.md", listed)


def test_a_line_whose_flag_is_a_new_word_is_a_line_all_the_same(reel: Reel, later: Path) -> None:
    """REEL §11.2: a field of the index may hold what a later minor version adds."""
    index = later / "ring4/index.md"
    edit(index, line_of(later, "M-001"), re.sub(r"(not )?immune, ", "", line_of(later, "M-001")))
    git(later, "commit", "-qam", "a flag of 1.1")
    whole = line_of(later, "M-001")

    assert whole.endswith(f"| {FLAG} | {FIELD}")
    assert "no line of the index" not in reel("doctor").ok().out
    assert whole.split("|")[1].strip() in reel("pack", "--window", "32k").ok().out
    reel("memory", "pin", "M-001").ok()
    assert line_of(later, "M-001") == whole

    edit(later / "kit.yaml", "REEL/1.1", "REEL/1.0")
    assert "no line of the index" in reel("doctor").out


def test_what_nothing_reads_is_called_the_same_by_doctor_and_migrate(reel: Reel, later: Path) -> None:
    """REEL §11.2: additions are ignored or noted; nobody is told to take them out."""
    edit(later / "kit.yaml", "\nname:", "\nlayers: {depth: 3}\nname:")
    (later / "lattice").mkdir()
    (later / "lattice/nodes.md").write_text("a folder of 1.1\n")
    git(later, "add", ".")
    git(later, "commit", "-qm", "more of 1.1")

    doctor = " ".join(reel("doctor").ok().out.split())
    migrate = reel("migrate").ok().out

    assert "kit.yaml: layers is of another version; reel keeps it and does not read it" in doctor
    assert "take it out" not in doctor
    status = " ".join(reel("status").ok().out.split())
    assert "settings of another version, which reel keeps unread; which: reel migrate" in status
    assert "did you mean" not in status
    assert re.search(r"  kit.yaml: the setting layers \(line \d+\)\n", migrate)
    assert "  the folder lattice/ (lattice/nodes.md)\n" in migrate


def test_whatever_is_kept_unread_is_named_with_its_file_and_line(reel: Reel, later: Path) -> None:
    """REEL §11.2: additions are ignored or noted; what is ignored can be seen."""
    append = {
        "facts.yaml": "- category: identity\n  key: name\n  value: Tomas\n  halflife: 30\n",
        "intake.yaml": "waiting:\n  - source: 2026-02-11-1#1\n    words: Ebb\n    weight: 3\n",
        "ring4/index.md": 'R-001 | Ebb | "low water" | relational | not immune\n',
        "review/tide.md": "---\nkind: kinship\ntide: low\n---\nThey are kin.\n",
        "summaries/winter.md": "---\nsummary_of: [shelf/winter.md]\nstyle: bullet\nvoice: low\n---\n- Ice.\n",
        "hot.yml": "protocol: MEMORY-MGMT/0.1\nkeep:\n  - path: shelf/winter.md\n    warmth: 3\n",
        "cold.yml": "protocol: MEMORY-MGMT/0.1\nlease: 2\nevict: []\n",
        "shelf/winter.md": "Ice until March.\n",
        "shelf/winter.md.meta.yml": "title: Winter\nprovenance:\n  created_by: Bo\n  place: Oban\n",
        "shelf/own.yaml": "anything: goes\n",
        "adapters/music.yaml": "categories: {songs: what is sung}\nstrict: yes\n",
        "places/desk.yaml": "title: Desk\nfields:\n  - name: Top\n    limit: 900\n    drawer: 2\n",
        "journal/2030-01.jsonl": '{"id": "b9", "at": "2030", "session": "", "do": "savour", "on": "M-001"}\n',
    }
    for path, text in append.items():
        place = later / path
        place.parent.mkdir(exist_ok=True)
        before = place.read_text(encoding="utf-8") if place.exists() else ""
        place.write_text(before + text, encoding="utf-8")
    page = min((later / "checkpoints").glob("*.yaml"))
    told = re.sub(r"(?m)^drift_detected:.*$", "drift_detected: slowly", page.read_text(encoding="utf-8"))
    page.write_text(told, encoding="utf-8")
    git(later, "add", ".")
    git(later, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "more of 1.1")

    listed = json.loads(reel("migrate", "--json").ok().out)["unread"]
    found = {one["what"]: (one["path"], one["line"]) for one in listed}
    for what, path, line in (
        ("facts.yaml: the field halflife", "facts.yaml", "  halflife: 30"),
        ("intake.yaml: the field weight", "intake.yaml", "    weight: 3"),
        ("the index: lines like R-", "ring4/index.md", append["ring4/index.md"].strip()),
        ("suggestions: the kind kinship", "review/tide.md", "kind: kinship"),
        ("suggestions: the field tide", "review/tide.md", "tide: low"),
        ("summaries: the field voice", "summaries/winter.md", "voice: low"),
        ("hot.yml: the field warmth", "hot.yml", "    warmth: 3"),
        ("cold.yml: the field lease", "cold.yml", "lease: 2"),
        ("pages of the shelf: the field place", "shelf/winter.md.meta.yml", "  place: Oban"),
        ("adapters/music.yaml: the field strict", "adapters/music.yaml", "strict: yes"),
        ("places/desk.yaml: the field drawer", "places/desk.yaml", "    drawer: 2"),
        ("the journal: the act savour", "journal/2030-01.jsonl", append["journal/2030-01.jsonl"].strip()),
        ("checkpoints: drift_detected slowly", f"checkpoints/{page.name}", "drift_detected: slowly"),
    ):
        assert found[what][0] == path
        assert (later / path).read_text(encoding="utf-8").splitlines()[found[what][1] - 1] == line
    assert not any("anything" in what for what in found)
    assert "suggestions: the kind kinship (review/tide.md, line 2)" in reel("migrate").ok().out
    reel("pack", "--window", "32k").ok()
    reel("doctor").ok()


@pytest.mark.parametrize("begins", ["- M-001|", "M-001  |", "M-001 |"])
def test_the_end_of_a_line_of_the_index_is_named_however_the_line_begins(
    reel: Reel, later: Path, begins: str
) -> None:
    index = later / "ring4/index.md"
    first = line_of(later, "M-001")
    lines = ['M-900 | as M-001 | told | "ebb" | relational | not immune', first.replace(FLAG, "folded")]
    whole = index.read_text(encoding="utf-8").replace(first, "\n".join(lines))
    index.write_text(whole.replace("\nM-001 |", f"\n{begins}"), encoding="utf-8")
    found = {one["what"]: one["line"] for one in json.loads(reel("migrate", "--json").ok().out)["unread"]}
    assert index.read_text(encoding="utf-8").splitlines()[found[f"the index: folded | {FIELD}"] - 1] == (
        lines[1].replace("M-001 |", begins)
    )


def test_a_word_of_a_setting_is_named_with_the_line_of_its_own_section(reel: Reel, later: Path) -> None:
    kit = later / "kit.yaml"
    kept = [line for line in kit.read_text(encoding="utf-8").splitlines() if not line.startswith("every")]
    kept += ["maintain:", "  every: 7 days", "dream:", "  every: solstice"]
    kit.write_text("\n".join(kept) + "\n", encoding="utf-8")
    told = reel("migrate").ok().out
    assert f"kit.yaml: dream.every solstice, of which the default holds (line {len(kept)})" in " ".join(
        told.split()
    )


def test_new_roles_and_words_of_settings_are_passed_over_and_stay(reel: Reel, later: Path) -> None:
    """REEL §11.1, §11.2: a sub-type of exemplars or a policy that 1.1 adds keeps no kit from being packed."""
    example = next(iter(sorted((later / "ring1").glob("*.md"))))
    example.write_text(
        re.sub(r"(?m)^role: .*$", "role: awe\nintensity: 3", example.read_text(encoding="utf-8")),
        encoding="utf-8",
    )
    edit(later / "ring1/active.yaml", "anchor:", "seasonal: winter\nanchor:")
    memory = later / "ring3/M-001.md"
    memory.write_text(
        re.sub(r"(?m)^immune: .*$", "immune: partly", memory.read_text(encoding="utf-8")), encoding="utf-8"
    )
    words = "experience: dreamed\ncheckpoint: {policy: tidal}\nmaintain: {every: solstice}\n"
    kit = later / "kit.yaml"
    kit.write_text(kit.read_text(encoding="utf-8") + words, encoding="utf-8")
    git(later, "-c", "core.hooksPath=/dev/null", "commit", "-qam", "more of 1.1")

    reel("pack", "--window", "32k").ok()
    reel("exemplar", "list").ok()
    reel("doctor").ok()
    migrate = reel("migrate").ok().out
    for told in (
        "examples: the role awe, read as general",
        "examples: the field intensity",
        "ring1/active.yaml: the field seasonal",
        "memories: immune partly, read as no",
        "kit.yaml: experience dreamed, of which the default holds",
        "kit.yaml: checkpoint.policy tidal, of which the default holds (line ",
        "kit.yaml: maintain.every solstice, of which the default holds (line ",
    ):
        assert told in migrate
    assert "role: awe\n" in example.read_text(encoding="utf-8")

    edit(kit, "REEL/1.1", "REEL/1.0")
    refused = reel("pack")
    assert refused.code == 1
    assert "dreamed" in refused.err


def test_a_flag_in_place_of_those_of_1_0_is_never_taken_for_another(reel: Reel, later: Path) -> None:
    """REEL §11.2: `semi-immune` is neither immune nor not, whatever reel writes of its line."""
    index = later / "ring4/index.md"
    held = sorted(path.stem for path in (later / "ring3").glob("M-*.md"))
    name = next(one for one in held if f"| not immune, {FLAG}" in line_of(later, one))
    was = line_of(later, name)
    head, _, _ = was.rpartition(f", {FLAG}")
    semi = f"{head.rpartition('|')[0]}| semi-immune{was.removeprefix(head)}"
    edit(index, was, semi)
    own = index.read_text(encoding="utf-8")
    edit(index, semi.split("|")[1], " A name by hand ")
    reel("review", "accept", "ring4/index.md").ok()
    assert line_of(later, name) == semi.replace(semi.split("|")[1], " A name by hand ")
    assert f"the index: semi-immune, {FLAG}" in " ".join(reel("migrate").ok().out.split())
    index.write_text(own, encoding="utf-8")
    git(later, "commit", "-qam", "as it was")

    reel("forget", name, "--yes").ok()
    assert f"| semi-immune, {FLAG}, pruned | {FIELD}" in line_of(later, name)
    reel("restore", name).ok()
    assert "not immune" not in line_of(later, name)
    reel("memory", "immune", name).ok()
    assert f"| immune, semi-immune, {FLAG}" in line_of(later, name)


def test_lines_of_the_index_that_are_a_kit_s_own_are_listed_whatever_they_look_like(
    reel: Reel, later: Path
) -> None:
    own = 'Scene-4 | The dance | "we danced" | emotional | immune\n\n## Songs\n\n- one of my own\n'
    index = later / "ring4/index.md"
    text = index.read_text(encoding="utf-8") + own
    index.write_text(text, encoding="utf-8")
    git(later, "commit", "-qam", "by hand")
    listed = reel("migrate").ok().out
    first = len(text.splitlines())
    for words, back in (("lines like Scene-", 4), ("the line Songs", 2), ("the line one of my own", 0)):
        assert f"the index: {words} (ring4/index.md, line {first - back})" in " ".join(listed.split())
    reel("memory", "immune", "M-001").ok()
    assert index.read_text(encoding="utf-8").endswith(own)
