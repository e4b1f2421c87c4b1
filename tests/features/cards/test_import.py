"""`reel import`: lorebooks, memories and notes come into a kit, once."""

import json
import shutil
import subprocess
from pathlib import Path
from textwrap import fill

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.features.cards.lore.notes import read_memories
from tests.support.cli import Reel, git

CARDS = Path(__file__).parents[2] / "fixtures" / "cards"
WORLD = CARDS / "silt-world.json"


def test_a_lorebook_comes_in_as_one_commit_and_only_once(reel: Reel, kit: Path) -> None:
    asked = reel("import", "lorebook", WORLD, cwd=kit)
    assert (asked.code, git(kit, "log", "--format=%s").count("\n")) == (1, 1)
    done = reel("import", "lorebook", WORLD, cwd=kit, tty=True, stdin="y\n").ok()
    assert done.out == '  + The Silt  "Silt"\n  + What a crossing costs  "toll"\n  + The law of the bank\n'
    assert done.err == (
        "1 entry is switched off or empty, and kept in lore/silt-world.json alone.\n"
        "Import 3 entries? [Y/n] "
        "Lore from silt-world.json: 3 memories.\nNext:  reel pack --explain\n"
    )
    assert (kit / "lore" / "silt-world.json").read_bytes() == WORLD.read_bytes()
    assert git(kit, "log", "-1", "--format=%(trailers:key=Reel-Op)%(trailers:key=Reel-Memory)").split() == [
        *("Reel-Op:", "import", "Reel-Memory:", "M-001", "L3", "38", "Reel-Memory:", "M-002", "L3", "38"),
        *("Reel-Memory:", "M-003", "L3", "24"),
    ]
    again = reel("import", "lorebook", WORLD, "--json", cwd=kit).ok()
    answer = json.loads(again.out)
    assert (answer["commit"], answer["memories"], answer["known"]) == (None, [], 3)
    # what was undone comes in again, under new numbers; what was let go does not
    reel("undo", cwd=kit).ok()
    assert not (kit / "lore").exists()
    done = json.loads(reel("import", "lorebook", WORLD, "--yes", "--json", cwd=kit).ok().out)
    assert [one["id"] for one in done["memories"]] == ["M-004", "M-005", "M-006"]
    reel("forget", "M-005", "--why", "we swim", "--yes", cwd=kit).ok()
    assert "There is nothing new to import." in reel("import", "lorebook", WORLD, cwd=kit).ok().err
    assert reel("doctor", cwd=kit).ok().out.startswith("No problem found")
    assert reel("tape", "verify", cwd=kit).code == 0
    found = json.loads(reel("recall", "what is sold as almanacs", "--json", cwd=kit).ok().out)
    assert "Maps of it are sold as almanacs." in json.dumps(found)


def test_a_world_info_goes_out_as_it_came(reel: Reel, kit: Path, tmp_path: Path) -> None:
    reel("import", "lorebook", WORLD, "--yes", cwd=kit).ok()
    made = json.loads(reel("export", "lorebook", cwd=kit).ok().out)
    assert made == json.loads(WORLD.read_text())
    reel("import", "lorebook", CARDS / "mira-v3.png", "--yes", cwd=kit).ok()
    (kit / "mem.txt").write_text("- Bo counts in dozens\n")
    reel("import", "memories", kit / "mem.txt", "--yes", cwd=kit).ok()
    out = reel("export", "lorebook", "--out", "all.json", cwd=kit).ok()
    assert out.err == (
        "Wrote all.json: a World Info, 6 of lore, 1 memory.\n"
        "A book has one scan depth and budget for all; those of Low Tarn are not in it.\n"
        "1 memory of its own is in it: be careful whom you give it to.\nThe name Bo is in it.\n"
    )
    both = json.loads((kit / "all.json").read_text())["entries"]
    # the World Info as it came, then the rest; and no number twice
    assert [both[key]["uid"] for key in both] == [int(key) for key in both]
    assert [entry["comment"] for entry in both.values()] == [
        *("The Silt", "What a crossing costs", "The law of the bank", "Cut for now"),
        *("The drowned bell", "Who pays", "", "Ballast", "Bo counts in dozens"),
    ]
    fresh = tmp_path / "fresh"
    reel("init", fresh, "--template", "blank", "--name", "Ada").ok()
    reel("import", "lorebook", kit / "all.json", "--yes", cwd=fresh).ok()
    titles = [
        line.split(" | ")[1]
        for line in (fresh / "ring4" / "index.md").read_text().splitlines()
        if " | " in line
    ]
    assert sorted(titles) == sorted(
        [
            "The Silt",
            "What a crossing costs",
            "The law of the bank",
            "The drowned bell",
            "Who pays",
            "Ballast",
            "Bo counts in dozens",
        ]
    )


def test_a_long_entry_recedes_to_its_first_sentences(reel: Reel, kit: Path) -> None:
    text = (
        "The law has three parts. "
        + "A part of it is older than the bank, and nobody reads it. " * 20
        + "\n\n## What matters\n\nRope."
    )
    book = {
        "entries": [
            {"keys": ["law"], "content": text},
            {"keys": ["{{user}}"], "content": "{{char}} owes {{user}}."},
        ]
    }
    (kit / "law.json").write_text(json.dumps(book))
    reel("import", "lorebook", kit / "law.json", "--yes", cwd=kit).ok()
    shown = json.loads(reel("memory", "show", "M-001", "--json", cwd=kit).ok().out)
    assert shown["level"] == "L2"
    whole = reel("pack", "--window", "64k", cwd=kit).ok().out
    assert "### law\n\n> The law has three parts." in whole
    assert "Ada owes Bo." in whole
    # where there is room it is whole in a small window too, and its first sentences stay where there is none
    assert "### law\n\n> The law has three parts." in reel("pack", "--window", "8k", cwd=kit).ok().out
    receded = reel("pack", "--window", "2200", cwd=kit).ok().out
    assert "**law**: The law has three parts." in receded
    assert "Rope." not in receded
    assert json.loads(reel("export", "lorebook", cwd=kit).ok().out)["entries"]["0"]["content"] == text


def test_keys_that_nobody_can_say_are_kept_and_named(reel: Reel, kit: Path) -> None:
    entries = [
        {"key": ["/riv(er)?\x1b[31m/i", "Silt", "silt"], "content": "It moves.", "comment": "The Silt"},
        {"key": ["/tide/"], "content": "It comes twice.", "uid": 1},
        {"key": ["/a/b", "or/and", "x" * 200], "content": "No pattern.", "comment": "Plain", "uid": 2},
        # SillyTavern says of all it writes that keys are patterns
        {
            "keys": ["St. Mary (old)"],
            "use_regex": True,
            "extensions": {"selectiveLogic": 0},
            "content": "A church.",
        },
        {"keys": ["to(l|w)n"], "use_regex": True, "content": "A town.", "name": "Town"},
    ]
    world = {"scan_depth": 3, "entries": {str(at): entry for at, entry in enumerate(entries)}}
    (kit / "w.json").write_text(json.dumps(world))
    done = reel("import", "lorebook", "w.json", "--yes", cwd=kit).ok()
    assert done.out.splitlines() == [
        '  + The Silt  "Silt"',
        "  + It comes twice.",
        '  + Plain  "/a/b"',
        "  + St. Mary (old)",
        "  + Town",
    ]
    assert done.err.splitlines()[:3] == [
        (
            "3 keys are patterns (/riv(er)?/i). A chat never contains a pattern, so their entries are"
            " found by other keys, or by name and words."
        ),
        "1 key is too long for a phrase, or one too many.",
        "1 key stands twice, and count once. All keys stay in lore/w.json, and are exported as they were.",
    ]
    made = json.loads(reel("export", "lorebook", cwd=kit).ok().out)
    assert made == world
    (kit / "book.json").write_text(json.dumps({"name": "Other", "scan_depth": 5, "entries": entries[4:]}))
    reel("import", "lorebook", "book.json", "--yes", cwd=kit).ok()
    both = reel("export", "lorebook", "--out", "b.json", cwd=kit).ok()
    assert both.err.splitlines()[1:] == [
        "A book has one scan depth and budget for all; those of Other are not in it."
    ]
    # the same entry in a second book is one entry
    assert json.loads((kit / "b.json").read_text()) == world


def test_what_only_narrows_an_entry_does_not_find_it(reel: Reel, kit: Path) -> None:
    entries = {
        "0": {"key": ["toll"], "keysecondary": ["price"], "selectiveLogic": 2, "content": "Free by law."},
        "1": {"keys": ["goats"], "secondary_keys": ["who", "/are/"], "content": "Five graze here."},
        "2": {"key": [], "keysecondary": "who,what", "content": "It rains."},
    }
    (kit / "w.json").write_text(json.dumps({"entries": entries}))
    done = reel("import", "lorebook", "w.json", "--yes", cwd=kit).ok()
    assert done.out == "  + toll\n  + goats\n  + It rains.\n"
    assert done.err.startswith("Lore from w.json: 3 memories.")
    pages = [(kit / f"ring3/M-00{n}.md").read_text().partition("anchors\n\n")[2] for n in (1, 2, 3)]
    assert pages == ['- "toll"\n', '- "goats"\n', '- "It rains."\n']
    for asked in ("what is the price", "who are you"):
        found = reel("recall", asked, cwd=kit)
        assert not any(text in found.out for text in ("Free by law.", "Five graze here.", "It rains.")), asked
    assert "Free by law." in reel("recall", "what of the toll", cwd=kit).ok().out
    assert json.loads(reel("export", "lorebook", cwd=kit).ok().out) == {"entries": entries}


CHATGPT = "Tomas keeps bees.\nHas a sister in Oulu.\nPrefers trains."
CLAUDE = [
    {
        "conversations_memory": "**Work context**\n\nTomas restores clocks.\n\n"
        "**Personal context**\n\n- Walks at night\n- Hates phones",
        "project_memories": {"p1": "The tower clock is due in May."},
        "account_uuid": "x",
    }
]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (CHATGPT, ["Tomas keeps bees.", "Has a sister in Oulu.", "Prefers trains."]),
        ("1. One\n   goes on\n2) Two\n\n• Three", ["One goes on", "Two", "Three"]),
        ("# About me\n[2024-05-01] - Moved to Turku.\n", ["About me: Moved to Turku."]),
        (json.dumps([{"content": "C.", "created_timestamp": 1735787045.5}]), ["C."]),
        (json.dumps([{"content": "C.", "created": 1735787045000, "updated_at": 1e300}]), ["C."]),
        (json.dumps(["A.", {"content": "B."}, {"memory": "", "x": 1}]), ["A.", "B."]),
        (
            json.dumps({"memories": [{"id": "1", "content": "C.", "created_at": "2025-01-02T03:04:05Z"}]}),
            ["C."],
        ),
        (
            json.dumps(CLAUDE),
            [
                "Work context: Tomas restores clocks.",
                "Personal context: Walks at night",
                "Personal context: Hates phones",
                "The tower clock is due in May.",
            ],
        ),
    ],
)
def test_memories_are_read_however_they_were_exported(data: str, told: list[str]) -> None:
    found = read_memories(data.encode(), "m").noted
    assert [one.text for one in found] == told
    days = [one.created[:10] for one in found]
    assert days == {"About me: Moved to Turku.": ["2024-05-01"], "C.": ["2025-01-02"]}.get(
        told[0], [""] * len(told)
    )


LONG = (
    "Tomas keeps bees on the roof of the old school, where the wind is less, and sells the honey in autumn. "
    "Oulu is where his sister lives; she has two dogs and a boat that nobody sails. He met Kaisa at St. "
    "Mary's in May."
)


# at 104 every line happens to end a sentence, as a list does
@pytest.mark.parametrize("width", range(44, 104, 4))
def test_a_wrapped_text_is_not_torn_at_any_width(width: int) -> None:
    wrapped, item = fill(LONG, width), fill(LONG, width, initial_indent="- ")
    text = f"{wrapped}\n\n{item}\n- Likes fog.\nLikes snow.\n\n{wrapped}"
    found = read_memories(text.encode(), "m").noted
    assert [one.text for one in found] == [LONG, LONG, "Likes fog.", "Likes snow.", LONG]
    assert [one.text for one in read_memories(wrapped.encode(), "m").noted] == [LONG]


@pytest.mark.parametrize(
    ("text", "told", "leads"),
    [
        (
            "Has a cat named Biscuit.\nIs allergic to shellfish.\n\nWorks nights in Leeds.",
            ["Has a cat named Biscuit.", "Is allergic to shellfish.", "Works nights in Leeds."],
            [],
        ),
        ("• Likes fog.\nLikes snow.\n\n• Likes\n  rain.", ["Likes fog.", "Likes snow.", "Likes rain."], []),
        ("Saved memories\n\nLikes fog.\nLikes snow.", ["Likes fog.", "Likes snow."], ["Saved memories"]),
        ("# Saved memories\nLikes fog.", ["Likes fog."], ["# Saved memories"]),
        (
            "Here is everything:\nLikes fog.\nIs:\nmany.\n\nOf work:\n- Bees.",
            ["Likes fog.", "Is:", "many.", "Bees."],
            ["Here is everything:", "Of work:"],
        ),
        ("Likes fog.\nSays this:", ["Likes fog.", "Says this:"], []),
        ("Saved memories", ["Saved memories"], []),
        # wrapped by hand: a sentence a memory
        (
            "Tomas keeps bees on the roof of the old school,\nwhere the wind is less.\nLikes fog.",
            ["Tomas keeps bees on the roof of the old school, where the wind is less.", "Likes fog."],
            [],
        ),
        # lines about as long as each other, with and without a full stop
        *(
            (f"{one}{stop}\n{two}{stop}\n{one}{stop}", [one + stop, two + stop, one + stop], [])
            for one, two in (
                (
                    "Walks by the river at night when it is warm",
                    "Has worked at the clinic in Leeds since June",
                ),
                (
                    "walks by the river at night when it is warm",
                    "has worked at the clinic in Leeds since June",
                ),
            )
            for stop in ("", ".")
        ),
    ],
)
def test_a_list_is_read_one_a_line_without_what_leads_to_it(
    text: str, told: list[str], leads: list[str]
) -> None:
    found = read_memories(text.encode(), "m")
    assert ([one.text for one in found.noted], found.leads) == (told, leads)


def test_a_list_may_begin_with_a_day_in_brackets(reel: Reel, kit: Path) -> None:
    text = "[2024-05-03]. User likes moss.\n[2024-06-09] - Bees\n[2024-13-09]. Ice.\n[unknown]. Fog.\n"
    found = read_memories(b"\xef\xbb\xbf\n" + text.encode(), "m").noted
    assert [(one.text, one.created[:10]) for one in found] == [
        *(("User likes moss.", "2024-05-03"), ("Bees", "2024-06-09")),
        *(("[2024-13-09]. Ice.", ""), ("[unknown]. Fog.", "")),
    ]
    (kit / "m.txt").write_text("[2024-05-03]. User likes moss.\n[2024-05-04].\n")
    done = reel("import", "memories", "m.txt", "--yes", cwd=kit).ok()
    assert done.out == "  + User likes moss\n"
    assert 'created: "2024-05-03T00:00:00"' in (kit / "ring3" / "M-001.md").read_text()
    (kit / "m.txt").write_text("Saved memories\nLikes fog.\n")
    done = reel("import", "memories", "m.txt", "--yes", cwd=kit).ok()
    assert done.out == "  + Likes fog\n"
    assert done.err.startswith("“Saved memories” only says that a list follows. It was left out.\n")


@pytest.mark.parametrize(
    "data",
    [
        b'["A.", "B."',
        b"[1]\n[2]",
        b'[{"a": 1}',
        b"",
        b"\n- \n",
        b"[]",
        b"{}",
        b'{"memories": []}',
        b"\xff\xfe\x00",
        b"[" * 9999,
    ],
)
def test_what_holds_no_memories_is_refused(data: bytes) -> None:
    with pytest.raises(ReelError):
        read_memories(data, "m")


def test_a_folder_of_notes_comes_in_with_its_links(reel: Reel, kit: Path, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / "People").mkdir(parents=True)
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "x.md").write_text("settings")
    (vault / "People" / "Aino.md").write_text(
        "---\naliases: [Aino Lind, sis]\ntags:\n  - family\n  - identity\n"
        "created: 2024-03-02\nrating: 5\n---\n"
        "Bo's sister. Lives in [[Places/Oulu|Oulu]] with [[Ballast]]. #trains\n"
    )
    (vault / "Oulu.md").write_text("---\nnot: [closed\nA town.\n")
    (vault / "empty.md").write_text("---\na: b\n---\n\n")
    (vault / "photo.png").write_bytes(b"\x89PNG")
    (vault / "away.md").symlink_to("/etc/hostname")
    done = reel("import", "memories", vault, "--yes", cwd=kit).ok()
    assert done.out == "  + Oulu\n  + Aino\n"
    text = (kit / "ring3" / "M-002.md").read_text()
    assert "Bo's sister. Lives in Oulu with Ballast. #trains\n" in text
    assert '- "Aino"\n- "Aino Lind"\n- "sis"\n- "Oulu"\n- "Ballast"\n' in text
    assert "tags: [imported, factual, family, trains]\n" in text
    assert "immune: no\n" in text
    assert 'noted: "{\\"note\\": \\"People/Aino.md\\", \\"rating\\": \\"5\\"}"\n' in text
    assert 'created: "2024-03-02T00:00:00"' in text
    assert "There is nothing new to import." in reel("import", "memories", vault, "--yes", cwd=kit).ok().err
    (vault / "People" / "Aino.md").write_text("Moved to Rauma.\n")
    more = reel("import", "memories", vault, "--dry-run", cwd=kit).ok()
    assert more.err == (
        "1 memory known already.\n"
        "1 note has nothing in it to remember.\n"
        "There is another memory called “Aino” already; both are kept.\n"
        "Nothing was changed (--dry-run).\n"
    )
    refused = reel("import", "memories", kit, "--yes", cwd=kit)
    assert (refused.code, "is part of a kit" in refused.err) == (1, True)


def test_what_a_note_is_made_of_stays_out_of_what_it_says(reel: Reel, kit: Path, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Ferry.md").write_text(
        "---\ntitle: The ferry: again\ntags: boats harbour\naliases:\n  - The Saint\n---\n"
        "# The ferry: again\n\n![[map.png]]![[sail.jpg|300]]{{user}} took [[Harbour.md|the quay]], "
        "see [[#Times]]. ^a1b2c3\n## Times\nNine `[[x]]` sharp.\n"
        "> [!warning]- Mind\n> the gap, #Été\n\n> [!note]\n> x ^2\n"
    )
    (vault / "Open.md").write_text("---\ntags: [sea]\ncreated: 2024-03-02\n\nTides turn at six.\n")
    (vault / "prose.md").write_text("---\nAino: my sister\n\nShe sails.\n")
    (vault / "latin.md").write_bytes("Ähtäri".encode("latin-1"))
    (vault / "wide.md").write_text("Seen from afar.", encoding="utf-16")
    (vault / "vast.txt").write_bytes(b"x" * (1 << 20) + b"x")
    (vault / "only.md").write_text("![[map.png]]\n")
    done = reel("import", "memories", vault, "--yes", cwd=kit).ok()
    assert done.out == '  + The ferry: again  "Ferry"\n  + Open\n  + prose\n  + wide\n'
    assert done.err.startswith(
        "latin.md is not a text in UTF-8. It was left out.\n"
        "vast.txt is larger than a note can be (1 MB). It was left out.\n"
        "1 note has nothing in it to remember.\n"
    )
    names = parse_memory((kit / "ring3/M-001.md").read_text(), "ring3/M-001.md")
    user = "Bo"
    assert names.body == (
        f"\n### The ferry: again\n\n{user} took the quay, see Times.\n#### Times\nNine `[[x]]` sharp.\n"
        "> Mind\n> the gap, #Été\n\n> x ^2\n\n## Retrieval anchors\n\n"
        '- "Ferry"\n- "The Saint"\n- "Harbour"\n'
    )
    assert (
        names.marker == f"{user} took the quay, see Times. Times: Nine `[[x]]` sharp. Mind the gap, #Été x ^2"
    )
    assert names.tags == ("imported", "factual", "boats", "harbour", "été")
    others = [parse_memory((kit / f"ring3/M-00{n}.md").read_text(), f"ring3/M-00{n}.md") for n in (2, 3, 4)]
    assert [one.marker for one in others] == [
        "Tides turn at six.", "Aino: my sister She sails.", "Seen from afar.",
    ]  # fmt: skip
    assert (others[0].created[:10], others[0].tags[2:]) == ("2024-03-02", ("sea",))


def test_lore_makes_no_kit_older_and_no_session_remembered(reel: Reel, kit: Path) -> None:
    before = json.loads(reel("status", "--json", cwd=kit).ok().out)
    book = {"entries": [{"keys": [f"k{n}"], "content": f"thing {n}"} for n in range(200)]}
    (kit / "many.json").write_text(json.dumps(book))
    done = reel("import", "lorebook", kit / "many.json", "--yes", cwd=kit).ok()
    assert done.out.endswith("  and 188 more\n")
    after = json.loads(reel("status", "--json", cwd=kit).ok().out)
    assert after["memories"]["L3"] == 200
    assert after["maturity"] == before["maturity"]
    bundle = json.loads(reel("pack", "--json", cwd=kit).ok().out)
    assert bundle["tokens"] <= bundle["cap"] - bundle["live"]
    assert "200 more" not in bundle["text"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"name": "x"}', "is not a lorebook: it has no entries."),
        (b'{"entries": 5}', "is not a lorebook: it has no entries."),
        (b"\x89PNG\r\n\x1a\n", "cannot be read as a PNG"),
        (b"PK\x03\x04nothing", "cannot be unpacked"),
        (b"", "is empty."),
    ],
)
def test_what_is_no_lorebook_is_refused(reel: Reel, kit: Path, data: bytes, says: str) -> None:
    (reel.cwd / "x.json").write_bytes(data)
    done = reel("import", "lorebook", reel.cwd / "x.json", "--yes", cwd=kit)
    assert (done.code, says in done.err) == (1, True), done.err
    assert not (kit / "lore").exists()


@pytest.mark.needs("machines")
def test_the_same_lore_on_two_machines_is_one_when_they_are_joined(
    reel: Reel, kit: Path, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "hub.git")
    git(kit, "remote", "add", "origin", "../../hub.git")
    git(kit, "push", "-q", "origin", "main")
    git(tmp_path, "clone", "-q", "hub.git", "other")
    other = tmp_path / "other"
    reel("import", "lorebook", WORLD, "--yes", cwd=kit).ok()
    git(kit, "push", "-q", "origin", "main")
    (tmp_path / "mem.txt").write_text("- Bo counts in dozens\n")
    later = {"REEL_NOW": "2026-03-02T10:00:00+00:00"}
    reel("import", "memories", tmp_path / "mem.txt", "--yes", cwd=other, env=later).ok()
    reel("import", "lorebook", WORLD, "--yes", cwd=other, env=later).ok()
    with pytest.raises(subprocess.CalledProcessError):
        git(other, "pull", "-q", "--no-rebase", "origin", "main")
    reel("doctor", "--fix", cwd=other)
    lines = (other / "ring4" / "index.md").read_text().splitlines()[2:]
    assert [line.split(" | ")[1] for line in lines] == [
        *("The Silt", "What a crossing costs", "The law of the bank", "Bo counts in dozens"),
    ]
    held = sorted(path.stem for path in (other / "ring3").iterdir())
    assert held == [line.split(" | ")[0] for line in lines]
    assert git(other, "status", "--porcelain") == ""


def test_a_lorebook_that_was_edited_meanwhile_renews_what_came_of_it(reel: Reel, kit: Path) -> None:
    shutil.copy(WORLD, kit / "silt-world.json")
    reel("import", "lorebook", "silt-world.json", "--yes", cwd=kit).ok()
    world = json.loads(WORLD.read_text())
    entries = world["entries"]
    entries["0"] |= {"content": "The Silt is dry.", "key": ["Silt", "sand"], "depth": 9}
    entries["2"]["order"] = 7
    entries["5"] |= {"disable": True}
    entries["7"] |= {"disable": False}
    (kit / "silt-world.json").write_text(json.dumps(world))
    # a person's own edit is not undone by settings that changed elsewhere
    page = kit / "ring3" / "M-002.md"
    page.write_text(page.read_text().replace("after dusk. After", "at night. After"))
    git(kit, "commit", "-qam", "by hand")
    done = reel("import", "lorebook", "silt-world.json", "--yes", cwd=kit).ok()
    assert done.out == '  + Cut for now  "wyrm"\n  ~ The Silt: has new words\n'
    assert done.err.splitlines()[1:-1] == [
        (
            "Not in it any more, or switched off, but still remembered: The law of the bank (M-003)."
            " To let one go:  reel forget ID"
        ),
        "Lore from silt-world.json: 1 memory, 1 renewed.",
    ]
    assert "\nThe Silt is dry.\n" in (kit / "ring3" / "M-001.md").read_text()
    assert 'M-001 | The Silt | "Silt"' in (kit / "ring4" / "index.md").read_text()
    assert reel("doctor", cwd=kit).ok().out.startswith("No problem found")
    assert reel("tape", "verify", cwd=kit).code == 0
    entries["2"]["content"] = entries["2"]["content"].replace("after dusk. After", "at night. After")
    assert json.loads(reel("export", "lorebook", cwd=kit).ok().out) == world
    assert (
        "There is nothing new to import." in reel("import", "lorebook", "silt-world.json", cwd=kit).ok().err
    )
    # where both changed the words, both stand beside each other
    entries["2"]["content"] = "No toll."
    (kit / "silt-world.json").write_text(json.dumps(world))
    both = reel("import", "lorebook", "silt-world.json", "--yes", cwd=kit).ok()
    assert (both.out, "What a crossing costs” already; both are kept" in both.err) == (
        '  + What a crossing costs  "toll"\n',
        True,
    )


def test_a_second_copy_of_a_lorebook_is_nothing_new(reel: Reel, kit: Path) -> None:
    reel("import", "lorebook", WORLD, "--yes", cwd=kit).ok()
    made = reel("export", "lorebook", cwd=kit).ok().out
    world = json.loads(WORLD.read_text())
    for entry in world["entries"].values():
        entry["order"] = 7
    (kit / "copy.json").write_text(json.dumps(world))
    head = git(kit, "rev-parse", "HEAD")
    done = reel("import", "lorebook", "copy.json", "--yes", cwd=kit).ok()
    assert done.err == "3 entries known already.\nThere is nothing new to import.\n"
    assert (git(kit, "rev-parse", "HEAD"), (kit / "lore" / "copy.json").exists()) == (head, False)
    # under its own name the new order counts, and is said
    (kit / "copy.json").rename(kit / "silt-world.json")
    done = reel("import", "lorebook", "silt-world.json", "--yes", cwd=kit).ok()
    assert done.err.splitlines()[-3:-1] == [
        "It has no new memories. Kept for what changed in it: lore/silt-world.json.",
        "Lore from silt-world.json: nothing new to remember, kept as it came.",
    ]
    assert json.loads(reel("export", "lorebook", cwd=kit).ok().out) == world != json.loads(made)


def test_what_is_asked_for_of_lore_is_all_of_it(reel: Reel, kit: Path) -> None:
    rules = "\n".join(
        f"{n}. Nobody ferries {n} goats on a day of wind, whatever is offered." for n in range(30)
    )
    (kit / "w.json").write_text(json.dumps({"entries": {"0": {"key": ["goats"], "content": rules}}}))
    reel("import", "lorebook", "w.json", "--yes", cwd=kit).ok()
    assert "\n29. Nobody ferries 29 goats" in reel("recall", "what of the goats", cwd=kit).ok().out
    short = reel("recall", "what of 17 goats", "--tokens", "60", cwd=kit).ok().out
    assert ("17 goats" in short, "29 goats" in short) == (True, False)
