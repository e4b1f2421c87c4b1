"""Card → kit → card: every field as it came, whatever stands in it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reel_cli.core.files.json_text import as_object, render_json
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.settings import Settings
from reel_cli.features.cards.card_file import read_card, render_card_png
from reel_cli.features.cards.lore.imported_memories import ImportedMemory, make_memory
from reel_cli.features.cards.lore.kept_books import Shelf
from reel_cli.features.cards.lore.known_entries import says_the_same
from reel_cli.features.cards.lore.plan import Clock, plan_lorebook
from reel_cli.features.cards.lore.plan_export import write_world
from reel_cli.features.cards.macro_restore import NamePair
from reel_cli.features.cards.macros import Names
from reel_cli.features.cards.names import render_names
from reel_cli.features.cards.plan_export import CardOut, make_card
from reel_cli.features.cards.plan_import import plan_card_init
from reel_cli.features.fading.plain_step import fainter_of
from reel_cli.features.init.plan import Choices
from reel_cli.features.init.template import read_template

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)
COUNT = get_tokenizer(Settings(name="").tokenizer).count


class Held:
    """A kit that is nowhere but here."""

    def __init__(self, files: Mapping[str, bytes | None]) -> None:
        self.files = {path: data for path, data in files.items() if data is not None}

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        inside = f"{folder}/" if folder else ""
        return sorted(path for path in self.files if path.startswith(inside))


def to_kit(
    data: bytes, name: str = "a.json", persona: str | None = None, user: str = "Tomas"
) -> dict[str, bytes | None]:
    """The files of the kit that a card makes."""
    card = read_card(data, name)
    from reel_cli.features.cards.parts import persona_of

    called = persona or persona_of(card.data) or "Nobody"
    new, _ = plan_card_init(card, name, Choices(name=called, user=user, window=131072), now=NOW)
    return dict(new.change.writes)


def to_card(files: Mapping[str, bytes | None], *, lived: bool = False) -> CardOut:
    """The card that a kit makes."""
    snapshot = Snapshot(Held(files), "kit")
    identity, directives = (snapshot.text(path) or "" for path in (IDENTITY, DIRECTIVES))
    return make_card(snapshot, COUNT, identity=identity, directives=directives, lived=lived)


PARTS = [*"ab Z.\n\r\t|\"'#-{}<>*:,é漢\x1b\u200d\ud83d", "{{char}}", "{{user}}", "<START>", "## Scenario\n"]
WORDS = st.lists(st.sampled_from(PARTS), max_size=20).map("".join) | st.sampled_from(
    [
        "{{user}}: one\n{{char}}: two\n",
        "<START>\n{{char}}: a\n<start>\n{{user}}: b\n\n{{char}}: c",
        "---\nid: x\n---\nno front matter",
        "## Personality\n\nx\n\n## Scenario\n\ny",
        "Reel-Op: forged",
        "{{original}} {{// aside}} {{random:a,b}}",
        "word " * 1200,
    ]
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["Mira", "Old {{user}} Hode", "Ann-Marie O'Neil", "漢字", " x "])


def entry(keys: str, more: str, off: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {keys: st.lists(WORDS, max_size=3), "content": WORDS},
        optional={
            more: st.lists(WORDS, max_size=2),
            "comment": WORDS,
            "constant": st.booleans(),
            "extensions": st.dictionaries(WORDS, ANY, max_size=2),
            "x-own": ANY,
            **off,
        },
    )


NONSENSE = st.none() | st.integers() | st.just(["x"]) | st.just("{{user}}")
"""Values of the wrong kind, one for each place."""


def book(entries: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"entries": entries},
        optional={"name": WORDS, "extensions": st.dictionaries(WORDS, ANY, max_size=2), "scan_depth": ANY},
    )


ENTRY = entry("keys", "secondary_keys", {"enabled": st.booleans(), "name": WORDS})
BOOK = book(st.lists(ENTRY, max_size=4))
NUMBERED = st.dictionaries(
    st.integers(0, 9).map(str), entry("key", "keysecondary", {}) | NONSENSE, max_size=3
)
ODD_BOOK = book(st.lists(ENTRY | NONSENSE, max_size=4) | NUMBERED | NONSENSE)
TEXTS = ("description", "personality", "scenario", "first_mes", "mes_example")
ODD = WORDS | NONSENSE
V1 = st.fixed_dictionaries(
    {"name": NAMES, **dict.fromkeys(TEXTS, WORDS), "description": WORDS.map("x{}".format)},
    optional={"avatar": ANY, "x-own": ANY},
)
DATA = st.fixed_dictionaries(
    {"name": NAMES, **dict.fromkeys(TEXTS, ODD), "description": WORDS.map("x{}".format)},
    optional={
        "system_prompt": ODD,
        "post_history_instructions": ODD,
        "alternate_greetings": st.lists(ODD, max_size=4) | NONSENSE,
        "character_book": ODD_BOOK | NONSENSE,
        "extensions": st.dictionaries(WORDS, ANY, max_size=3)
        | st.fixed_dictionaries({"depth_prompt": st.fixed_dictionaries({"prompt": ODD}) | ANY, "fav": ANY}),
        "tags": st.lists(WORDS, max_size=3),
        "nickname": NAMES,
        "x-own": ANY,
    },
)


@st.composite
def cards(draw: st.DrawFn) -> dict[str, Any]:
    version = draw(st.integers(1, 3))
    if version == 1:
        return draw(V1)
    spec = {"spec": f"chara_card_v{version}", "spec_version": f"{version}.0"}
    return {
        **spec,
        "data": draw(DATA),
        **draw(st.dictionaries(st.sampled_from(["avatar", "x"]), ANY, max_size=1)),
    }


@settings(max_examples=40, deadline=None)
@given(cards())
def test_a_card_comes_back_as_it_went_in(card: dict[str, Any]) -> None:
    made = to_card(to_kit(json.dumps(card).encode()))
    assert made.changed == ()
    if "data" in card:
        assert made.card == card
    else:
        assert {key: made.card[key] for key in card} == card
        assert {key: as_object(made.card["data"])[key] for key in card} == card
    again = to_card(to_kit(render_card_png(made.card, None), "a.png"))
    assert again.changed == ()
    fields = card.get("data", card)
    assert {key: as_object(again.card["data"])[key] for key in fields} == fields


def with_a_note(text: str = "{{char}} never uses exclamation marks.") -> dict[str, Any]:
    note = {"prompt": text, "depth": 2, "role": "user"}
    data = {
        "name": "Mira",
        "description": "{{char}} keeps the light.",
        "system_prompt": "Be brief.",
        "extensions": {"depth_prompt": note, "fav": True},
    }
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}


def test_a_character_s_note_is_part_of_the_identity_and_goes_out_where_it_came() -> None:
    """It was in no bundle, and named as “extensions (depth_prompt)”."""
    files = to_kit(json.dumps(with_a_note()).encode())
    identity = (files[IDENTITY] or b"").decode()
    assert identity == (
        "Mira keeps the light.\n\n## Character's Note\n\nMira never uses exclamation marks.\n"
    )
    files[IDENTITY] = identity.replace("never uses", "hardly ever uses").encode()
    made = to_card(files)
    assert made.changed == ("extensions",)
    assert made.card == with_a_note("{{char}} hardly ever uses exclamation marks.")


def test_a_kit_from_before_notes_came_in_leaves_its_card_s_note_as_it_is() -> None:
    files = to_kit(json.dumps(with_a_note()).encode())
    files["card/names.json"] = render_names(Names("Mira", "Tomas"))
    files[IDENTITY] = b"Mira keeps the light.\n"
    assert to_card(files).changed == ()
    files[IDENTITY] = b"Mira keeps the great light.\n"
    made = to_card(files)
    assert made.changed == ("description",)
    assert as_object(made.card["data"])["extensions"] == with_a_note()["data"]["extensions"]


@pytest.mark.parametrize("identity", ["Mira keeps the light.\n", "Mira keeps the great light.\n"])
def test_a_note_that_was_removed_stays_out_of_the_card(identity: str) -> None:
    files = to_kit(json.dumps(with_a_note()).encode())
    files[IDENTITY] = identity.encode()
    made = to_card(files)
    note = as_object(as_object(as_object(made.card["data"])["extensions"])["depth_prompt"])
    assert ("extensions" in made.changed, note) == (True, {"prompt": "", "depth": 2, "role": "user"})


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(["word ", "A sentence. ", "漢字", "x" * 40, "\n\n", "## h\n", "…"]), max_size=200
    )
)
def test_a_memory_from_elsewhere_recedes_without_a_model(parts: list[str]) -> None:
    one = ImportedMemory("a", "".join(parts).strip() or "x", ("k",), ("lore",))
    made = make_memory(one, "M-001", NOW, COUNT)
    next_form = fainter_of(render_memory(made), made, COUNT)
    assert not next_form.asks
    assert next_form.tokens <= COUNT(made.body)


WORLD = st.fixed_dictionaries(
    {
        "entries": st.dictionaries(
            st.integers(0, 30).map(str),
            entry("key", "keysecondary", {"disable": st.booleans(), "uid": st.integers(0, 30), "order": ANY})
            | NONSENSE,
            max_size=5,
        )
    },
    optional={"name": WORDS, "x-own": ANY},
)
PLAIN: dict[str, bytes | None] = {"kit.yaml": b"name: Mira\nuser: Tomas\nwindow: 128k\n"}


@settings(max_examples=40, deadline=None)
@given(WORLD, st.lists(BOOK, max_size=1))
@example(
    {"entries": {"0": {"key": [], "content": ""}, "1": {"key": [], "content": "\u200d"}}},
    [],
)
@example(
    {"entries": {"0": {"key": [], "content": ""}}},
    [{"entries": [{"keys": [], "content": ""}, {"keys": [], "content": "a"}]}],
)
def test_a_world_info_comes_back_as_it_went_in(world: dict[str, Any], more: list[dict[str, Any]]) -> None:
    by = Clock(NOW, get_tokenizer(Settings(name="").tokenizer), 1)
    files = dict(PLAIN)
    taken, _, _ = plan_lorebook(Snapshot(Held(files), "kit"), json.dumps(world).encode(), "b.json", by)
    files |= taken.change.writes if taken.change else {}
    assert write_world(Shelf(Snapshot(Held(files), "kit"), COUNT), lived=True).book == world
    assert (
        write_world(Shelf(Snapshot(Held(renamed(files, "A", "B")), "kit"), COUNT), lived=True).book == world
    )
    again, _, _ = plan_lorebook(Snapshot(Held(files), "kit"), json.dumps(world).encode(), "b.json", by)
    assert again.change is None
    for book in more:
        later = replace(by, first_number=50)
        taken, _, _ = plan_lorebook(Snapshot(Held(files), "kit"), json.dumps(book).encode(), "a.json", later)
        files |= taken.change.writes if taken.change else {}
        both = write_world(Shelf(Snapshot(Held(files), "kit"), COUNT), lived=True).book
        assert both is not None
        entries = as_object(both["entries"])
        assert {name: entries[name] for name in world["entries"]} == world["entries"]
        # neither an entry that says what one of the world says, nor a file with nothing to remember, is kept
        known = [one for one in world["entries"].values() if isinstance(one, dict)]
        came = [one for one in book["entries"] if not any(says_the_same(one, other) for other in known)]
        assert len(entries) == len(world["entries"]) + len(came if taken.change else ())
        fresh, _, _ = plan_lorebook(Snapshot(Held(PLAIN), "kit"), render_json(both), "c.json", by)
        held = {path: data for path, data in files.items() if path.startswith("ring3/")}
        assert sorted(one.body for one in fresh.memories) == sorted(
            one.body for one in Snapshot(Held({**PLAIN, **held}), "kit").memories.values()
        )


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["companion", "mentor", "coding-partner"]),
    st.sampled_from(["", "She is.\n\n## Hands\n\nTwo.", "---\nShe is."]),
    st.sampled_from(["", "\n\n## Personality\n\nDry."]),
    st.sampled_from(["", "\n\n## Scenario\n\nA storm."]),
)
def test_a_kit_that_never_was_a_card_comes_back_as_well(
    template: str, first: str, personality: str, scenario: str
) -> None:
    files: dict[str, bytes | None] = dict(read_template(template).files)
    files = {
        path: (data or b"").replace(b"{{name}}", b"Mira").replace(b"{{user}}", b"Tomas")
        for path, data in files.items()
    }
    files["kit.yaml"] = b"name: Mira\nuser: Tomas\nwindow: 128k\n"
    text = f"{first}{personality}{scenario}".strip()
    if text:
        files[IDENTITY] = ("\n" * text.startswith("---") + text + "\n").encode()
    again = to_kit(render_json(to_card(files).card))
    before, after = Snapshot(Held(files), "kit"), Snapshot(Held(again), "kit")
    assert [after.text(path) for path in (IDENTITY, DIRECTIVES)] == [
        before.text(path) for path in (IDENTITY, DIRECTIVES)
    ]
    assert {one.text.strip() for one in after.exemplars.values()} == {
        one.text.strip() for one in before.exemplars.values()
    }


def says(files: Mapping[str, bytes | None]) -> dict[str, Any]:
    """Return what a kit says, by the places it says it in; not what it is called there, nor when it came."""
    kit = Snapshot(Held(files), "kit")
    return {
        "name": kit.settings.name,
        "identity": (kit.text(IDENTITY) or "").strip(),
        "directives": (kit.text(DIRECTIVES) or "").strip(),
        "exemplars": sorted(one.text.strip() for one in kit.exemplars.values()),
        "lore": sorted((one.title, one.body.strip(), one.anchor) for one in kit.memories.values()),
    }


EDITS = st.sampled_from(
    ["identity", "tail", "directives", "rules", "exemplar", "more", "gone", "memory", "forget"]
)


def edited(files: dict[str, bytes | None], edit: str) -> dict[str, bytes | None]:
    """The kit with one thing changed as a person would."""
    kit = Snapshot(Held(files), "kit")
    pool = [f"ring1/{slug}.md" for slug in kit.exemplars]
    # what is fainter than it came has receded, and goes out as it came
    held = [f"ring3/{name}.md" for name, memory in kit.memories.items() if memory.level == "L3"]
    new = dict(files)
    if edit == "identity":
        new[IDENTITY] = b"She is somebody else now.\n\n## Scenario\n\nThe sea is calm.\n"
    elif edit == "tail":
        new[IDENTITY] = (files[IDENTITY] or b"") + b"\nAnd she whistles.\n"
    elif edit == "directives":
        new[DIRECTIVES] = b"- Whistle.\n"
    elif edit == "rules":
        new[DIRECTIVES] = b"- Whistle.\n\n" + (files[DIRECTIVES] or b"")
    elif edit == "exemplar" and pool:
        head = (files[pool[0]] or b"").partition(b"\n---\n")
        new[pool[0]] = head[0] + head[1] + b"**Mira:** Quite otherwise.\n"
    elif edit == "more":
        new["ring1/zz.md"] = (
            b'---\ntitle: Own\nsource: "card "\n---\n**Mira:** Mine.\n\n**Tomas:** And mine.\n'
        )
    elif edit == "gone" and pool:
        new[pool[-1]] = None
    elif edit == "memory" and held:
        head = (files[held[0]] or b"").partition(b"\n---\n")
        new[held[0]] = head[0] + head[1] + b'\nThe bell is silent.\n\n## Retrieval anchors\n\n- "bell"\n'
        new[held[0]] = re.sub(rb"(?m)^(anchor|title): .*$", rb"\1: bell", new[held[0]] or b"")
    elif edit == "forget" and held:
        new[held[-1]] = None
    return new


@settings(max_examples=40, deadline=None)
@given(cards(), st.lists(EDITS, max_size=3))
def test_what_a_kit_changed_says_the_same_when_it_comes_again(card: dict[str, Any], edits: list[str]) -> None:
    kit = to_kit(json.dumps(card).encode(), persona="Mira")
    for edit in edits:
        kit = edited(kit, edit)
    made = to_card(kit)
    again = says(to_kit(render_json(made.card)))
    assert again == says(kit)


def renamed(files: dict[str, bytes | None], name: str, user: str) -> dict[str, bytes | None]:
    """The kit with other names in kit.yaml, and nowhere else."""
    text = (files["kit.yaml"] or b"").decode()
    text = re.sub(r"(?m)^name: .*$", f"name: {name}", text)
    return {**files, "kit.yaml": re.sub(r"(?m)^user: .*$", f"user: {user}", text).encode()}


OTHERS = st.sampled_from([("Lena", "Bo"), ("Tomas", "Mira"), ("Mira", "a"), ("Z", "Tomas")])


@settings(max_examples=25, deadline=None)
@given(cards(), OTHERS)
def test_after_a_renaming_a_card_has_its_macros_where_they_were(
    card: dict[str, Any], names: tuple[str, str]
) -> None:
    kit = to_kit(json.dumps(card).encode(), persona="Mira")
    made = to_card(renamed(kit, *names))
    assert set(made.changed) <= {"name", "nickname"}
    before, after = card.get("data", card), as_object(made.card["data"])
    kept = set(before) - {"name", "nickname"}
    assert {key: after[key] for key in kept} == {key: before[key] for key in kept}
    # a kit of before the names were kept knows them by its exemplars, or goes by what they are now
    assert to_card({**kit, "card/names.json": None}).changed in ((), ("name",), ("nickname",))


@settings(max_examples=25, deadline=None)
@example(
    {
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {"name": "Mira", "system_prompt": "\t## Scenario\n", "extensions": {}},
    },
    ["rules"],
    ("Mira", "a"),
)
@given(cards(), st.lists(EDITS, max_size=3), OTHERS.filter(lambda names: names != ("Tomas", "Mira")))
def test_what_a_renamed_kit_changed_says_the_same_but_for_the_names(
    card: dict[str, Any], edits: list[str], names: tuple[str, str]
) -> None:
    kit = to_kit(json.dumps(card).encode(), persona="Mira")
    for edit in edits:
        kit = edited(kit, edit)
    kit = renamed(kit, *names)
    again = to_kit(render_json(to_card(kit).card), persona=names[0], user=names[1])
    naming = NamePair(Names("Mira", "Tomas"), Names(*names))

    def even(said: Mapping[str, Any]) -> str:
        told = {
            key: sorted(map(str, value)) if isinstance(value, list) else value for key, value in said.items()
        }
        # of two that only a name told apart, and that have the same name in them now, one comes in
        even = {
            key: sorted(set(map(naming.even, value))) if isinstance(value, list) else naming.even(value)
            for key, value in told.items()
        }
        return json.dumps({**even, "name": ""})

    assert even(says(again)) == even(says(kit))
