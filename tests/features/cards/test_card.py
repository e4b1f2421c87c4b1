"""`reel init --card` and `reel export`: a character comes into a kit, and goes out again."""

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from reel_cli.features.cards.card_file import read_card, render_card_png
from reel_cli.features.cards.png import plain_picture
from tests.support.cli import Reel, git

CARDS = Path(__file__).parents[2] / "fixtures" / "cards"
V2 = CARDS / "mira-v2.json"


def taken(folder: Path) -> dict[str, bytes]:
    """Every tracked file of a kit."""
    return {name: (folder / name).read_bytes() for name in git(folder, "ls-files").split("\n") if name}


def test_a_card_becomes_a_kit(reel: Reel) -> None:
    done = reel("init", "--card", CARDS / "mira-v3.png").ok()
    assert done.out == "Made mira, Mira from a character card.\n"
    assert done.err == (
        "  how to behave  as the card has them\n"
        "  how it sounds  2 examples, 3 greetings\n"
        "  lore           3 entries: The drowned bell, Who pays, Ballast\n"
        "  as it came     card/card.json, card/chara.json, card/picture.png\n"
        "The picture has two different cards; the one of version 3 was used.\n"
        "Its Character's Note is part of who it is, under a heading of that name.\n"
        "1 entry of its book is switched off or empty, and kept in card/card.json alone.\n"
        "1 key is a pattern (/ball(ast|y)/i). A chat never contains a pattern, so its entry is found by"
        " other keys, or by name and words. All keys stay in card/card.json, and are exported as they were.\n"
        "Kept only in card/card.json, because a kit has no other place for it: its creator's notes, its tags,"
        " who made it, its version, settings for other programs (talkativeness, fav, chub),"
        " its greetings for groups, where it was published, its dates, its assets.\n"
        "At 8K a bundle holds 4 short examples at most; “Example 1” is always one of them."
        " To have another one always there, run this in the kit's folder:  reel example anchor example-2\n"
        "Mira calls you Bo, after your name in git. To give another, in its folder:  reel config user NAME\n"
        "Next:  cd mira && reel start\n"
    )
    kit = reel.cwd / "mira"
    assert (kit / "ring0" / "identity.md").read_text() == (
        "Mira keeps the harbour light at Low Tarn.\n\nShe has:\n- a brass key on a string\n"
        "- a cat called Ballast\n"
        '- no patience for captains\n\nShe calls Bo "landsman".\n\n'
        "## Character's Note\n\nMind the weather.\n\n## Personality\n\n"
        "Dry, exact, kind when nobody is looking.\n\n## Scenario\n\n"
        "A storm is coming in, and Bo knocks at the light.\n"
    )
    assert (kit / "ring0" / "directives.md").read_text() == (
        "Write only what Mira says and does, in the present tense.\n\nKeep replies under a hundred words.\n"
    )
    example = (kit / "ring1" / "example-1.md").read_text()
    assert example.partition("\n---\n")[2] == (
        "**Bo:** Is it far to the point?\n\n**Mira:** Far is a word for people with boats.\n\n"
        "*She hands over a towel.*\n\n**Bo:** Thanks.\n\n**Mira:** Don't thank me. Dry the cat.\n"
    )
    assert (kit / "ring4" / "index.md").read_text().splitlines()[2:] == [
        'M-001 | The drowned bell | "drowned bell" | lore, factual | not immune',
        'M-002 | Who pays | "Harbour board" | lore, factual | immune',
        'M-003 | Ballast | "Ballast" | lore, factual | not immune',
    ]
    assert (
        git(kit, "log", "--format=%s|%b").splitlines()[0] == "init: Mira, from a character card|Reel-Op: init"
    )
    assert {stat.S_IMODE((kit / name).stat().st_mode) for name in taken(kit)} == {0o600}
    assert reel("doctor", cwd=kit).ok().out == "No problem found.\n"
    bundle = json.loads(reel("pack", "--json", cwd=kit).ok().out)
    assert {item["id"] for item in bundle["loaded"] if item["ring"] == "3"} == {"M-001", "M-002", "M-003"}
    # what is known of a world has no day
    assert "- Ballast is the cat, and outranks the board." in bundle["text"]


def test_how_to_have_another_example_is_told_where_not_all_fit(reel: Reel) -> None:
    card = json.loads(V2.read_text())
    card["data"]["alternate_greetings"] = card["data"]["alternate_greetings"][:1]
    (reel.cwd / "four.json").write_text(json.dumps(card))
    assert "To have another one always there" not in reel("init", "four", "--card", "four.json").ok().err
    assert "To have another one always there" in reel("init", "five", "--card", V2).ok().err


def test_a_card_goes_out_as_it_came_and_comes_in_again_the_same(reel: Reel) -> None:
    for file in sorted({*CARDS.iterdir()} - {CARDS / "silt-world.json"}):
        reel("init", file.stem, "--card", file).ok()
        kit = reel.cwd / file.stem
        card = read_card(file.read_bytes(), file.name)
        reel("export", "card", "--out", reel.cwd / "out.json", "--force", cwd=kit).ok()
        made = json.loads((reel.cwd / "out.json").read_text())
        assert {key: made[key] for key in card.card} == card.card
        reel("export", "card", "--out", reel.cwd / "out.png", "--force", cwd=kit).ok()
        again = read_card((reel.cwd / "out.png").read_bytes(), "out.png")
        assert {key: again.data.get(key) for key in card.data} == card.data
        assert again.other is None
        # the face that came in a CHARX is as good as a picture
        assert again.picture == (card.picture or card.assets.get("assets/icon/main.png") or plain_picture())
        shutil.rmtree(kit)


def test_what_the_kit_changed_goes_out_changed_and_is_named(reel: Reel) -> None:
    reel("init", "mira", "--card", V2).ok()
    kit = reel.cwd / "mira"
    reel("forget", "M-002", "--why", "nobody pays", "--yes", cwd=kit).ok()
    with (kit / "ring0" / "identity.md").open("a") as file:
        file.write("\nBo is late.\n")
    (kit / "own.md").write_text("**Bo:** Are you?\n\n**Mira Quay:** I am.\n")
    reel("exemplar", "add", "own.md", "--title", "Own", cwd=kit).ok()
    done = reel("export", "card", cwd=kit).ok()
    assert done.err == (
        "ring0/identity.md was edited by hand and is not reviewed yet, and written as it reads now."
        " Look with  reel review\n"
        "Changed since the card was imported: scenario, mes_example, character_book.\n"
        "Left out, because the kit let it go: Who pays.\n"
        "The name Bo is in it, in scenario.\n"
    )
    before, after = json.loads(V2.read_text())["data"], json.loads(done.out)["data"]
    # where nothing was changed, the macros stay
    assert after.pop("scenario") == "A storm is coming in, and {{user}} knocks at the light.\n\nBo is late."
    assert after.pop("mes_example").endswith("<START>\n{{user}}: Are you?\n\n{{char}}: I am.")
    assert [entry["id"] for entry in after.pop("character_book")["entries"]] == [1, 3]
    assert after == {key: before[key] for key in after}


def test_after_a_renaming_the_macros_stay_and_the_old_name_is_said(reel: Reel) -> None:
    reel("init", "mira", "--card", V2, "--user", "Tomas").ok()
    kit = reel.cwd / "mira"
    names = {"char": "Mira Quay", "user": "Tomas", "note": True}
    assert json.loads((kit / "card" / "names.json").read_text()) == names
    settings = (kit / "kit.yaml").read_text()
    settings = settings.replace("name: Mira Quay", "name: Lena").replace("user: Tomas", "user: Ines")
    (kit / "kit.yaml").write_text(settings)
    identity = kit / "ring0" / "identity.md"
    identity.write_text(identity.read_text().replace("brass key", "brass key and a whistle"))
    done = reel("export", "card", cwd=kit).ok()
    before, after = json.loads(V2.read_text())["data"], json.loads(done.out)["data"]
    assert {key: value for key, value in after.items() if value != before[key]} == {
        "name": "Lena",
        "description": before["description"].replace("brass key", "brass key and a whistle"),
    }
    assert done.err == (
        "ring0/identity.md was edited by hand and is not reviewed yet, and written as it reads now."
        " Look with  reel review\n"
        "Changed since the card was imported: name, description.\n"
        "Mira Quay is called Lena now, and so is {{char}} wherever it stands.\n"
    )
    told = reel("doctor", cwd=kit).ok().out
    assert "kit.yaml says Lena now, and ring0/identity.md, ring0/directives.md, ring1/" in told
    assert "still “Mira Quay”." in told
    for path in sorted((kit / "ring1").glob("*.md"))[:3]:
        path.write_text(path.read_text() + "\nIndeed.\n")
    told = reel("export", "card", cwd=kit).ok().err
    assert told.startswith(
        "ring0/identity.md, ring1/another-beginning-1.md, ring1/another-beginning-2.md and 1 more were edited"
        " by hand and are not reviewed yet, and written as they read now. Look with  reel review\n"
    )
    # a name that was written out stands there still, and where is said
    identity.write_text(identity.read_text() + "\nMira Quay was here, and Tomas.\n")
    more = json.loads(reel("export", "card", "--json", cwd=kit).ok().out)
    renamed, named = more["notes"][-2:]
    assert renamed.endswith("wherever it stands; “Mira Quay” is still in scenario.")
    assert named == "The name Tomas is in it, in scenario."
    # a kit of before the names were kept: its exemplars tell them
    (kit / "card" / "names.json").unlink()
    again = json.loads(reel("export", "card", cwd=kit).ok().out)["data"]
    assert again == json.loads(more["text"])["data"]


@pytest.mark.needs("export")
def test_a_card_that_cannot_be_read_is_named_with_its_mend(reel: Reel) -> None:
    reel("init", "mira", "--card", V2).ok()
    kit = reel.cwd / "mira"
    held = kit / "card" / "card.json"
    came = held.read_bytes()
    found = {"{broken": "is not JSON that can be read (line 1)", "[1]": "is JSON, but not a character card"}
    for text, what in found.items():
        held.write_text(text)
        (one,) = json.loads(reel("doctor", "--json", cwd=kit).out)["findings"]
        assert (one["check"], one["severity"]) == ("card", "serious")
        assert (one["evidence"], one["mend"]) == (f"card/card.json {what}", "reel restore card/card.json")
        for kind in ("card", "lorebook"):
            done = reel("export", kind, cwd=kit)
            assert (done.code, done.out) == (1, "")
            assert done.err.startswith(f"Error: card/card.json {what}.\nHint: reel doctor  says how to fix")
    git(kit, "commit", "--quiet", "--all", "--message", "oops")
    (one,) = json.loads(reel("doctor", "--json", cwd=kit).out)["findings"]
    reel(*one["mend"].split()[1:], cwd=kit).ok()
    assert held.read_bytes() == came
    assert reel("doctor", cwd=kit).ok().out.startswith("No problem found")
    (kit / "lore").mkdir()
    (kit / "lore" / "silt.json").write_text("{}")
    (one,) = json.loads(reel("doctor", "--json", cwd=kit).out)["findings"]
    assert (one["evidence"], one["mend"]) == (
        "lore/silt.json is JSON, but not a lorebook",
        "fix the file, or move it away",
    )
    assert reel("export", "card", cwd=kit).err.startswith(
        "Error: lore/silt.json is JSON, but not a lorebook."
    )
    (kit / "lore" / "silt.json").unlink()
    # without it, what goes out is made of the rest, and comes in again the same
    held.unlink()
    done = reel("export", "card", "--out", reel.cwd / "rest.json", cwd=kit).ok()
    assert "card/card.json is missing; the card is made without" in done.err
    (one,) = json.loads(reel("doctor", "--json", cwd=kit).ok().out)["findings"]
    assert (one["severity"], one["mend"]) == ("hint", "reel restore card/card.json")
    reel("init", "again", "--card", reel.cwd / "rest.json", "--user", "Bo").ok()
    again = reel.cwd / "again"
    assert pool(kit) == pool(again)
    assert (kit / "ring0/identity.md").read_text() == (again / "ring0/identity.md").read_text()


def test_a_damaged_picture_and_damaged_names_are_named_with_their_mend(reel: Reel) -> None:
    reel("init", "mira", "--card", CARDS / "mira-v3.png", "--user", "Bo").ok()
    kit = reel.cwd / "mira"
    picture, names, second = (kit / "card" / name for name in ("picture.png", "names.json", "chara.json"))
    whole = picture.read_bytes()
    picture.write_bytes(whole[:100])
    names.write_text('{"char": 5}')
    second.write_text("{")
    listed = json.loads(reel("doctor", "--json", cwd=kit).out)["findings"]
    assert sorted((one["evidence"], one["mend"]) for one in listed) == [
        ("card/chara.json is not JSON that can be read (line 1)", "reel restore card/chara.json"),
        ("card/names.json does not say what the two were called", "reel restore card/names.json"),
        ("card/picture.png cannot be read as a PNG: it is cut off", "reel restore card/picture.png"),
    ]
    reel("restore", "card/chara.json", cwd=kit).ok()
    names.unlink()
    done = reel("export", "card", "--out", reel.cwd / "out.png", cwd=kit)
    assert done.err == (
        "Error: card/picture.png cannot be read as a PNG: it is cut off.\n"
        "Hint: reel doctor  says how to fix it; or give another:  --picture FILE\n"
    )
    (reel.cwd / "face.png").write_bytes(plain_picture())
    reel("export", "card", "--out", reel.cwd / "out.png", "--picture", reel.cwd / "face.png", cwd=kit).ok()
    picture.write_bytes(b"")
    listed = json.loads(reel("doctor", "--json", cwd=kit).out)["findings"]
    assert sorted((one["evidence"], one["severity"], one["mend"]) for one in listed) == [
        (
            "card/names.json is missing: the names in the card are found by its examples only",
            "hint",
            "reel restore card/names.json",
        ),
        ("card/picture.png is not a PNG", "serious", "reel restore card/picture.png"),
    ]


AGNAI: dict[str, Any] = {
    "kind": "character",
    "_id": "",
    "name": "Odo",
    "description": "Made for a rainy week.",
    "persona": {
        "kind": "boostyle",
        "attributes": {"text": ["{{char}} mends nets."], "mood": ["dry", "kind"]},
    },
    "greeting": "*He looks up.* You again, {{user}}.",
    "alternateGreetings": ["Rain, is it?"],
    "scenario": "A quay.",
    "sampleChat": "{{user}}: Busy?\n{{char}}: Always.",
    "systemPrompt": "Stay brief.",
    "postHistoryInstructions": "No lists.",
    "appearance": "tall",
    "characterBook": {
        "kind": "memory",
        "name": "Quay",
        "entries": [
            {"name": "Net", "entry": "The net is red.", "keywords": ["net"], "weight": 3, "priority": 7},
            {"name": "Off", "entry": "Gone.", "keywords": ["x"], "enabled": False},
        ],
    },
}


def test_a_character_of_agnai_comes_in_whole_and_goes_out_as_a_card(reel: Reel) -> None:
    file = reel.cwd / "odo.json"
    file.write_text(json.dumps(AGNAI))
    done = reel("init", "--card", file, "--user", "Bo").ok()
    odo = reel.cwd / "odo"
    assert (odo / "card" / "card.json").read_bytes() == file.read_bytes()
    assert (odo / "ring0" / "identity.md").read_text() == (
        "Odo mends nets.\nmood: dry, kind\n\n## Scenario\n\nA quay.\n"
    )
    assert (odo / "ring0" / "directives.md").read_text() == "Stay brief.\n\nNo lists.\n"
    assert "  how it sounds  1 example, 2 greetings\n  lore           1 entry: Net\n" in done.err
    assert reel("doctor", cwd=odo).ok().out.startswith("No problem found")
    out = reel("export", "card", "--json", cwd=odo).ok()
    made = json.loads(json.loads(out.out)["text"])["data"]
    assert (json.loads(out.out)["changed"], made["first_mes"], made["creator_notes"]) == (
        [],
        AGNAI["greeting"],
        AGNAI["description"],
    )
    assert (made["personality"], made["tags"]) == ("", [])
    theirs = made["extensions"]["agnai"]
    assert theirs == {key: AGNAI[key] for key in ("_id", "persona", "appearance")}
    entry = made["character_book"]["entries"][0]
    assert [entry[key] for key in ("keys", "content", "enabled", "insertion_order", "priority")] == [
        ["net"],
        "The net is red.",
        True,
        3,
        7,
    ]
    known = reel("import", "lorebook", file, "--yes", cwd=odo).ok()
    assert "1 entry known already." in known.out + known.err
    reel("init", "mira", "--card", V2).ok()
    kit = reel.cwd / "mira"
    taken_in = reel("import", "lorebook", file, "--yes", cwd=kit).ok()
    assert '  + Net  "net"\n' in taken_in.out + taken_in.err
    assert reel("doctor", cwd=kit).code == 0


def test_what_only_the_card_of_version_2_has_goes_out_in_it_again(reel: Reel) -> None:
    fields = {"name": "Mira", "description": "Keeps {{user}} dry.", "first_mes": "Hm."}
    three: dict[str, Any] = {"spec": "chara_card_v3", "spec_version": "3.0", "data": fields, "made": "later"}
    beside = {"create_date": "2026-1-2", "fav": True, "creatorcomment": "", "chat": "Mira - 2026"}
    two: dict[str, Any] = {**fields, **beside, "spec": "chara_card_v2", "spec_version": "2.0", "data": fields}
    (reel.cwd / "mira.png").write_bytes(render_card_png(three, None, two))
    done = reel("init", "mira", "--card", reel.cwd / "mira.png", "--user", "Bo").ok()
    assert (
        "Also kept, because only its version 2 card has it:"
        " name, description, first_mes, create_date, fav, creatorcomment, chat.\n"
    ) in done.err
    kit = reel.cwd / "mira"
    identity = kit / "ring0" / "identity.md"
    for text in ("Keeps {{user}} dry.", "Keeps {{user}} warm."):
        identity.write_text(identity.read_text().replace("dry", text.split()[-1][:-1]))
        reel("export", "card", "--out", reel.cwd / "out.png", "--force", cwd=kit).ok()
        again = read_card((reel.cwd / "out.png").read_bytes(), "out.png")
        now = {**fields, "description": text}
        assert {key: again.card[key] for key in three} == {
            **three,
            "data": now,
        }
        second = json.loads(again.other or b"")
        assert {**second, "data": now} == {**two, **now, "data": now}
        assert {key: second["data"][key] for key in now} == now


def first(kit: Path) -> str:
    """The first commit, in short."""
    return git(kit, "log", "--reverse", "--format=%h").split()[0]


def pool(kit: Path) -> list[str]:
    """Return what the exemplars of a kit say."""
    return sorted(path.read_text().partition("\n---\n")[2] for path in kit.glob("ring1/*.md"))


def test_what_makes_no_sense_is_said_and_goes_out_as_it_came(reel: Reel) -> None:
    file = card(
        reel.cwd,
        personality=["dry", "kind"],
        scenario=5,
        alternate_greetings="hello",
        character_book={"entries": ["x", {"keys": ["k"], "content": "Kept."}, 7]},
        **{"x-own": 1},
    )
    whole = json.loads(file.read_text())
    file.write_text(json.dumps({**whole, "avatar": "none"}))
    done = reel("init", "mira", "--card", file).ok()
    assert (
        "Not understood, and kept in card/card.json alone: personality (a list where a text belongs),"
        " scenario (a number where a text belongs), alternate_greetings (a text where a list belongs),"
        " character_book (a text and 1 more where an entry belongs).\n"
        "Kept only in card/card.json, because a kit has no other place for it: “x-own”,"
        " what stands beside its fields (avatar).\n"
    ) in done.err
    again = reel("export", "card", cwd=reel.cwd / "mira").ok()
    assert (json.loads(again.out), again.err) == (json.loads(file.read_text()), "")


def test_memories_that_were_lived_go_out_only_where_asked(reel: Reel) -> None:
    ada = reel.cwd / "ada"
    reel("init", ada, "--template", CARDS.parents[2] / "kits" / "ada").ok()
    plain = reel("export", "card", "--out", "ada.png", cwd=ada).ok()
    assert plain.err == (
        "Wrote ada.png: a card for programs of version 2 and 3, in a plain picture"
        " ( --picture  takes another).\n"
        "5 examples are word for word from your chats."
        " To leave one out:  reel example retire corrected-not-elegant\n"
        "The name Tomas is in it, in description, mes_example.\n"
    )
    assert stat.S_IMODE((ada / "ada.png").stat().st_mode) == 0o600
    found = read_card((ada / "ada.png").read_bytes(), "ada.png")
    assert "character_book" not in found.data
    assert found.data["description"] == (ada / "ring0" / "identity.md").read_text().strip()
    told = reel("export", "card", "--memories", "--json", cwd=ada).ok()
    answer = json.loads(told.out)
    book = json.loads(answer["text"])["data"]["character_book"]
    assert (answer["memories"], len(book["entries"])) == (11, 11)
    lore = json.loads(reel("export", "lorebook", cwd=ada).ok().out)["entries"]
    one = next(entry for entry in lore.values() if entry["comment"] == "The one condition")
    assert one["key"][0] == "Not one sentence goes in the book that came from you"
    assert sorted(lore) == sorted(str(entry["uid"]) for entry in lore.values())


def test_nothing_is_written_over_or_into_the_kit_unasked(reel: Reel) -> None:
    reel("init", "mira", "--card", V2).ok()
    kit = reel.cwd / "mira"
    (reel.cwd / "mine.png").write_bytes(b"mine")
    for arguments, says in (
        (("--out", reel.cwd / "mine.png"), "is there already."),
        (("--out", "card/card.json", "--force"), "is a place of the kit's own."),
        (("--out", "nowhere/x.json"), "There is no folder nowhere."),
        (("--out", "x.webp"), "A card is written as PNG or as JSON."),
        (("--picture", "x.png"), "A picture goes with a card that is written as PNG."),
        (("--out", "x.png", "--picture", V2), "is not a PNG."),
        (("--out", "x.png", "--picture", reel.cwd / "mine.png"), "is not a PNG."),
    ):
        done = reel("export", "card", *arguments, cwd=kit)
        assert (done.code in (1, 2), says in done.err) == (True, True), done.err
    assert (reel.cwd / "mine.png").read_bytes() == b"mine"
    assert git(kit, "status", "--porcelain") == ""
    reel(
        "export",
        "card",
        "--out",
        reel.cwd / "mine.png",
        "--force",
        "--picture",
        CARDS / "mira-v3.png",
        cwd=kit,
    ).ok()
    again = read_card((reel.cwd / "mine.png").read_bytes(), "mine.png")
    # the card that was in that picture is not in it any more
    assert (again.card["data"], again.other) == (
        {"group_only_greetings": [], **json.loads(V2.read_text())["data"]},
        None,
    )


def test_the_bundle_goes_out_for_other_programs(reel: Reel, kit: Path) -> None:
    (kit / "ring0" / "directives.md").write_text('Never say """ or """" aloud.\n')
    bundle = reel("pack", cwd=kit).ok().out
    preset = json.loads(reel("export", "preset", "--window", "4k", cwd=kit).ok().out)
    assert preset["operation"]["fields"][0]["key"] == "llm.prediction.systemPrompt"
    assert preset["load"]["fields"] == [{"key": "llm.load.contextLength", "value": 4096}]
    done = reel("export", "modelfile", "llama3.1:8b", cwd=kit).ok()
    safe = bundle.replace('""""', "””””").replace('"""', "”””")
    assert done.out == f'FROM llama3.1:8b\nPARAMETER num_ctx 8192\nSYSTEM """{safe}"""\n'
    assert done.err == (
        "ring0/directives.md: packed as you wrote it. Once a chat is recorded, an edit counts when you"
        " approve it.\n"
        'Where the text had """ in it, which would end it there, it has ””” now.\n'
    )
    assert reel("export", "modelfile", "x\nPARAMETER y", cwd=kit).code == 1
    assert reel("export", "agents", cwd=kit).ok().out == bundle
    assert reel("export", "text", cwd=kit).ok().out == reel("pack", "--format", "text", cwd=kit).ok().out
    wrote = reel("export", "agents", "--out", reel.cwd / "AGENTS.md", cwd=kit).ok()
    assert (reel.cwd / "AGENTS.md").read_text() == bundle
    assert wrote.out == ""


def card(tmp: Path, **data: object) -> Path:
    """A card of version 2 with these fields."""
    file = tmp / "card.json"
    fields = {"name": "Mira", "description": "x", **data}
    file.write_text(json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": fields}))
    return file


@pytest.mark.parametrize(
    ("fields", "code", "says"),
    [
        (
            {"name": ""},
            1,
            "Error: card.json does not say what the character is called.\nHint: say it with  --name NAME",
        ),
        ({"description": " ", "first_mes": "{{// later}}", "tags": ["a"]}, 1, "is a card without anything"),
        ({"description": ["x"]}, 1, "Hint: not understood: description (a list where a text belongs)\n"),
        ({"name": "\x1b[2J\u202e"}, 1, "does not say what the character is called"),
        ({"description": "deep water " * 200_000}, 1, "At a window of 8K they may take 3,072 together"),
        (
            {"character_book": {"entries": [{"keys": ["x"], "content": "long " * 60_000}]}},
            1,
            "is longer than a memory",
        ),
        (
            {"character_book": {"entries": [{"keys": ["x"], "content": "y"}] * 100_000}},
            1,
            "card.json has 100,000 entries of lore; at most 10,000 are taken.",
        ),
    ],
)
def test_a_card_that_no_kit_can_hold_is_refused_whole(
    reel: Reel, fields: dict[str, object], code: int, says: str
) -> None:
    done = reel("init", "--card", card(reel.cwd, **fields))
    assert (done.code, says in done.err) == (code, True), done.err
    assert [path.name for path in reel.cwd.iterdir()] == ["card.json"]


@pytest.mark.parametrize(
    ("name", "called", "folder"),
    [
        ("../../evil", "evil", "evil"),
        ("/etc/passwd", "etc/passwd", "etc-passwd"),
        ("a\\..\\..\\b", "ab", "ab"),
        ("Ada/Bo", "Ada/Bo", "ada-bo"),
        ("a\n\u202eb\x1b[2J", "a b", "a-b"),
    ],
)
def test_a_name_like_a_path_is_cleaned(reel: Reel, name: str, called: str, folder: str) -> None:
    reel("init", "--card", card(reel.cwd, name=name)).ok()
    assert {path.name for path in reel.cwd.iterdir()} == {"card.json", folder}
    assert json.loads(reel("status", "--json", cwd=reel.cwd / folder).ok().out)["name"] == called


def test_a_name_without_end_is_cut(reel: Reel) -> None:
    reel("init", "ada", "--card", card(reel.cwd, name="A" * 1_000_000)).ok()
    name = json.loads(reel("status", "--json", cwd=reel.cwd / "ada").ok().out)["name"]
    assert len(name) == 80


def test_a_lorebook_of_too_many_entries_is_refused(reel: Reel, kit: Path) -> None:
    many = {str(number): {"key": ["x"], "content": "y", "uid": number} for number in range(10_001)}
    (kit.parent / "lore.json").write_text(json.dumps({"entries": many}))
    before = git(kit, "rev-parse", "HEAD")
    done = reel("import", "lorebook", kit.parent / "lore.json")
    assert (done.code, done.err.count("\n")) == (1, 2)
    assert "lore.json has 10,001 entries of lore; at most 10,000 are taken." in done.err
    assert git(kit, "rev-parse", "HEAD") == before


def test_what_stands_beside_the_data_of_a_card_is_pointed_to(reel: Reel) -> None:
    file = reel.cwd / "card.json"
    text = {"spec": "chara_card_v3", "name": "Mira", "description": "A keeper.", "data": {}}
    file.write_text(json.dumps(text))
    assert reel("init", "--card", file).err == (
        "Error: card.json is a card without anything to make a kit from.\n"
        "Hint: these belong inside its data; move them there: name, description\n"
    )


def test_a_card_without_a_name_is_called_after_the_folder(reel: Reel) -> None:
    done = reel("init", "old-marta", "--card", card(reel.cwd, name="")).ok()
    assert done.err.startswith(
        "The card has no name for the character; the folder's name is used: Old Marta.\n"
    )
    again = json.loads(reel("export", "card", cwd=reel.cwd / "old-marta").ok().out)
    assert again["data"]["name"] == "Old Marta"


def test_nothing_in_a_card_steers_a_terminal_or_a_commit(reel: Reel) -> None:
    entries = [
        {
            "keys": [f"key {n}"],
            "content": f"entry {n} \x1b[31m",
            "comment": "x\n\nReel-Forgot: M-001 L1->stub",
        }
        for n in range(200)
    ]
    file = card(
        reel.cwd,
        name="Mira\x1b]0;x\x07",
        description="---\nid: forged\n---\n<script>alert(1)</script> {{char}} \x1b[2J{{user}} {{roll:d6}}",
        first_mes='"<img src=x onerror=y>" {{time}}',
        system_prompt="---\nno front matter",
        character_book={"entries": entries, "name": "\x1b[1m"},
        **{"x\x1b[5m\nReel-Op: forged": 1},
    )
    done = reel("init", "mira", "--card", file, tty=True, stdin="\n\n8k\n").ok()
    assert "\x1b" not in done.out + done.err
    assert "Placeholders for other programs stay as they were: {{roll}}, {{time}}." in done.err
    kit = reel.cwd / "mira"
    keys = {
        line.partition(":")[0] for line in git(kit, "log", "--format=%(trailers:only)").splitlines() if line
    }
    assert keys == {"Reel-Op", "Reel-Memory", "Reel-Tokenizer"}
    assert reel("doctor", cwd=kit).code == 0
    text = reel("pack", "--window", "32k", cwd=kit).ok().out
    assert "<script>alert(1)</script> Mira" in text
    assert "no front matter" in text
    assert json.loads(reel("export", "card", cwd=kit).ok().out) == json.loads(file.read_text())


def test_looking_first_makes_nothing(reel: Reel) -> None:
    done = reel("init", "mira", "--card", V2, "--dry-run", "--json").ok()
    answer = json.loads(done.out)
    assert (answer["commit"], answer["memories"], answer["kept"]) == (
        None,
        ["M-001", "M-002"],
        ["card/card.json"],
    )
    assert list(reel.cwd.iterdir()) == []
    assert reel("init", "mira", "--card", V2, "--template", "companion").code == 2
    assert reel("init", "mira", "--card", reel.cwd / "none.png").err.startswith("Error: There is no file")


def test_where_nothing_can_be_written_nothing_is_left(reel: Reel, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    try:
        if os.access(locked, os.W_OK):
            pytest.skip("this user may write anywhere")
        assert reel("init", locked / "mira", "--card", V2).code == 3
    finally:
        locked.chmod(0o700)
    assert list(locked.iterdir()) == []


def test_a_kit_without_history_goes_out_and_takes_nothing_in(reel: Reel) -> None:
    reel("init", "mira", "--card", CARDS / "mira.charx").ok()
    kit = reel.cwd / "mira"
    shutil.rmtree(kit / ".git")
    done = reel("export", "card", cwd=kit).ok()
    assert done.err == (
        "mira has no history (git) yet; reading the files as they are.\n"
        "2 files of its CHARX stay in card/charx/; this card only names them.\n"
    )
    assert reel("import", "lorebook", CARDS / "silt-world.json", "--yes", cwd=kit).code == 3
    (kit / "card" / "card.json").write_text("{broken")
    told = reel("export", "card", cwd=kit)
    assert (told.code, told.out) == (1, "")
    assert "Error: card/card.json is not JSON that can be read (line 1)." in told.err


def test_a_picture_with_a_card_is_pointed_to_where_it_belongs(reel: Reel, kit: Path) -> None:
    done = reel("record", CARDS / "mira-v2.png", cwd=kit)
    assert (done.code, done.err.splitlines()[-1]) == (
        1,
        "Hint: a character card makes a kit:  reel init NAME --card FILE",
    )


def test_a_card_has_no_example_that_rests_and_tells_which_are_of_a_chat(reel: Reel, kit: Path) -> None:
    pool = [one["slug"] for one in json.loads(reel("example", "list", "--json", cwd=kit).ok().out)]
    text = (kit / f"ring1/{pool[1]}.md").read_text().split("---\n")[2].strip().splitlines()[-1][-30:]
    assert text in reel("export", "card", cwd=kit).ok().out
    reel("example", "retire", *pool[1:], cwd=kit).ok()
    assert text not in reel("export", "card", cwd=kit).ok().out
    listed = reel("example", "list", cwd=kit).ok().out.splitlines()
    assert all(line.startswith("rests, in no bundle") for line in listed[1:])
    exchange = kit.parent / "talk.md"
    exchange.write_text("**You:** Is the ice thick?\n\n**Ada:** Thick enough for a hare.\n")
    reel("record", exchange, cwd=kit).ok()
    reel("example", "add", "--from", "2026-03-01-1#1-2", "--title", "The hare", cwd=kit).ok()
    told = reel("export", "card", cwd=kit).ok().err
    assert "1 example is word for word from your chats." in told
    assert "reel example retire the-hare" in told
