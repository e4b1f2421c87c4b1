"""Lore out of a kit: whole books there and back, and a person's edit as exactly that edit."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from reel_cli.core.files.json_text import as_object, render_json
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.kit.snapshot import IDENTITY, Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.settings import Settings
from reel_cli.features.cards.lore.imported_memories import ImportedMemory, MemoryImport, make_memory
from reel_cli.features.cards.lore.kept_books import Shelf
from reel_cli.features.cards.lore.plan import Clock, plan_lorebook
from reel_cli.features.cards.lore.plan_export import LorebookPlan, write_world
from tests.features.cards.lore.test_world_info import BOOK, WORLD
from tests.features.cards.test_card_export import ANY, COUNT, NOW, PLAIN, WORDS, Held, to_card, to_kit
from tests.support.cli import Reel
from tests.support.pages import chat, page

Files = dict[str, bytes | None]
BY = Clock(NOW, get_tokenizer(Settings(name="").tokenizer), 1)


def take_in(files: Mapping[str, bytes | None], book: object, name: str = "silt.json") -> Files:
    """A kit's files with a lorebook taken in."""
    first = max([0, *(int(path[8:11]) for path in files if path.startswith("ring3/M-"))]) + 1
    by = Clock(BY.now, BY.tokenizer, first)
    taken, _, _ = plan_lorebook(Snapshot(Held(files), "kit"), render_json(book), name, by)  # type: ignore[arg-type]
    return {**files, **(taken.change.writes if taken.change else {})}


def out(files: Mapping[str, bytes | None], *, lived: bool = False) -> LorebookPlan:
    """The World Info of a kit."""
    return write_world(Shelf(Snapshot(Held(files), "kit"), COUNT), lived=lived)


def spelled(value: object) -> str:
    """Equal only where numbers, texts and truth values are the same kind as well."""
    return json.dumps(value, sort_keys=True)


SETTING = st.sampled_from([0, 4, "4", 100, 0.5, True, None, "", "x", [], ["swipe"]])
SETTINGS = st.dictionaries(
    st.sampled_from(
        [
            *("position", "depth", "role", "probability", "useProbability", "selectiveLogic", "scanDepth"),
            *("group", "sticky", "cooldown", "delay", "caseSensitive", "matchWholeWords", "order"),
            *("displayIndex", "characterFilter", "addMemo", "vectorized", "triggers"),
        ]
    ),
    SETTING,
    max_size=8,
)
KEYS = st.lists(WORDS | st.sampled_from(["/a+b/i", "Silt", "silt", ""]) | st.integers(0, 9), max_size=4)
SAID = st.fixed_dictionaries(
    {"key": KEYS, "content": WORDS},
    optional={
        "keysecondary": KEYS,
        "comment": WORDS,
        "constant": st.booleans(),
        "disable": st.booleans(),
        "selective": st.booleans(),
        "extensions": st.dictionaries(st.sampled_from(["position", "x"]), ANY, max_size=2),
    },
)
BOOK_SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "name": WORDS,
        "description": WORDS,
        "scan_depth": SETTING,
        "token_budget": SETTING,
        "recursive_scanning": st.booleans(),
        "extensions": st.dictionaries(WORDS, ANY, max_size=2),
    },
)


@st.composite
def worlds(draw: st.DrawFn) -> dict[str, Any]:
    """A World Info as SillyTavern would write it, more or less."""
    numbers = draw(st.lists(st.integers(0, 250), max_size=4, unique=True))
    said = [{**draw(SETTINGS), **draw(SAID)} for _ in numbers]
    entries = {str(n): {"uid": n, **entry} for n, entry in zip(numbers, said, strict=True)}
    return {**draw(BOOK_SETTINGS), "entries": entries}


@settings(max_examples=25, deadline=None)
@given(worlds())
@example({"entries": {"3": {"uid": 3, "key": [], "content": "\u200d"}}})
def test_a_world_goes_through_a_card_and_comes_back_the_same(world: dict[str, Any]) -> None:
    card = to_card({IDENTITY: b"She is.\n", **take_in(PLAIN, world)})
    book = as_object(as_object(card.card["data"])["character_book"])
    assert isinstance(book["entries"], list)
    again = out(to_kit(render_json(card.card)))
    assert spelled(again.book) == spelled(world)
    assert spelled(out(take_in(PLAIN, card.card)).book) == spelled(world)


@settings(max_examples=25, deadline=None)
@given(BOOK_SETTINGS, st.lists(st.tuples(SETTINGS, SAID), max_size=4))
def test_a_book_goes_through_a_world_and_comes_back_the_same(
    own: dict[str, Any], entries: list[tuple[dict[str, Any], dict[str, Any]]]
) -> None:
    book = {
        **own,
        "entries": [
            {"id": at, "keys": said.pop("key"), **said, "extensions": given, "x-own": at}
            for at, (given, said) in enumerate(entries)
        ],
    }
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Mira", "character_book": book}}
    card["data"]["description"] = "x"  # type: ignore[index]
    world = out(to_kit(render_json(card)))  # type: ignore[arg-type]
    assert isinstance(as_object(world.book)["entries"], dict)
    made = to_card(take_in(PLAIN, world.book))
    again = as_object(as_object(made.card["data"])["character_book"])
    as_object(again.get("extensions")).pop("reel", None)
    if "extensions" not in own:
        assert again.pop("extensions") == {}
    assert spelled(again) == spelled(book)


RICH: dict[str, Any] = {
    "uid": 7,
    "key": ["Silt", "{{char}}'s river", "/riv(er)?/i", "silt", "", 4],
    "keysecondary": ["ferry", "Silt"],
    "comment": "The {{char}} river",
    "content": "@@depth 4\r\n  {{char}} fears the Silt. {{// hers}}{{user}} does not.\r\n\r\n"
    "# Law\r\nIt moves {{random:a,b}} times.\r\n",
    "selective": True,
    "selectiveLogic": 2,
    "position": 4,
    "depth": 2,
    "disable": False,
}


OVER = "(Not all of it holds any longer. What holds: it dried up)"


def edited(files: Files, change: Mapping[str, str]) -> Files:
    """The kit with words of its first memory replaced, as in an editor."""
    text = (files["ring3/M-001.md"] or b"").decode()
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    return {**files, "ring3/M-001.md": text.encode()}


def only_entry(files: Files) -> dict[str, Any]:
    book = out(files).book
    assert book is not None
    (entry,) = as_object(book["entries"]).values()
    assert isinstance(entry, dict)
    return entry


def test_an_edit_goes_out_as_exactly_that_edit() -> None:
    kit = take_in(PLAIN, {"entries": {"7": RICH}})
    page = (kit["ring3/M-001.md"] or b"").decode()
    assert page.endswith(
        "Mira fears the Silt. Tomas does not.\n\n### Law\nIt moves {{random:a,b}} times.\n\n"
        '## Retrieval anchors\n\n- "Silt"\n- "Mira\'s river"\n'
    )
    content = RICH["content"]
    for change, other in (
        ({"fears the": "loves the"}, {"content": content.replace("fears", "loves")}),
        ({"Tomas does not": "Nobody does"}, {"content": content.replace("{{user}} does not", "Nobody does")}),
        ({"times.\n": "times.\n\nEnd.\n"}, {"content": content.replace("times.", "times.\r\n\r\nEnd.")}),
        ({'- "Mira\'s river"\n': ""}, {"key": ["Silt", "/riv(er)?/i", "silt", "", 4]}),
        (
            {'- "Silt"\n': '- "Sand"\n'},
            {"key": ["Sand", RICH["key"][1], "/riv(er)?/i", "", 4]},
        ),
        # what only narrows an entry stays so, whatever the page has among its phrases
        ({'river"\n': 'river"\n- ferry\n'}, {"key": [*RICH["key"], "ferry"]}),
        ({'river"\n': 'river"\n- toll\n'}, {"key": [*RICH["key"], "toll"]}),
        (
            {'river"\n': 'river"\n\nMore of it.\n'},
            {"content": content.rstrip() + "\r\n\r\nMore of it.\r\n"},
        ),
        ({"The Mira river": "The Mira bank"}, {"comment": "The {{char}} bank"}),
        ({"anchor: Silt": "anchor: tide"}, {"key": [*RICH["key"], "tide"]}),
        (
            {"anchor: Silt": "no_longer: it dried up\nanchor: Silt"},
            {"content": f"{content.rstrip()}\r\n\r\n{OVER}\r\n"},
        ),
    ):
        made = only_entry(edited(kit, change))
        assert made == {**RICH, **other}, change
    assert out(kit).changed == ()
    assert only_entry(kit) == RICH


def test_an_edit_reaches_what_the_world_keeps_of_its_card() -> None:
    other = {**RICH, "uid": 8, "content": "Gone."}
    kept = {"id": 7, "keys": ["Silt"], "content": "Old.", "priority": 10}
    world = {
        "entries": {"7": RICH, "8": other},
        "originalData": {"name": "n", "entries": [kept, {**kept, "id": 8}, {**kept, "id": 9}]},
    }
    kit = edited(take_in(PLAIN, world), {"fears": "loves"})
    kit["ring3/M-002.md"] = None
    made = out(kit)
    assert made.book is not None
    loves = RICH["content"].replace("fears", "loves")
    assert made.book["originalData"] == {
        "name": "n",
        "entries": [{**kept, "content": loves}, {**kept, "id": 9}],
    }
    assert made.gone == ("The Mira river",)
    # where it is not to be found there, its old words do not go out that way
    world["originalData"] = {"entries": [{"keys": [], "content": RICH["content"]}]}
    made = out(edited(take_in(PLAIN, world), {"fears": "loves"}))
    assert made.book is not None
    assert made.book["originalData"] is None


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.sampled_from(["{{char}}", "{{user}}", "a", "bell. ", "\r\n", "# ", "{{// x}}", "é漢", " "]),
        max_size=14,
    ),
    st.integers(0, 20),
    st.sampled_from(["", "new", "new. ", "\n\nnew"]),
)
def test_whatever_is_edited_reads_as_edited_when_it_comes_in_again(
    parts: list[str], at: int, new: str
) -> None:
    raw = {**RICH, "content": "The " + "".join(parts) + " end"}
    kit = take_in(PLAIN, {"entries": {"7": raw}})
    head, _, body = (kit["ring3/M-001.md"] or b"").decode().partition("\n---\n")
    text, anchors = body.split("\n\n## Retrieval", 1)
    words = re.findall(r"\w+|\W+", text)
    words[at % len(words) : at % len(words) + 1] = [new]
    said = "".join(words).strip() or "x"
    kit["ring3/M-001.md"] = f"{head}\n---\n\n{said}\n\n## Retrieval{anchors}".encode()
    again = take_in(PLAIN, out(kit).book)
    page = (again["ring3/M-001.md"] or b"").decode().partition("\n---\n")[2]
    assert flat(page.split("\n\n## Retrieval", 1)[0]) == flat(said)


def flat(text: str) -> str:
    """A text whose headings are all of one level: what comes in has them below a memory's own."""
    return re.sub(r"(?m)^#+(?=[ \t])", "#", text.strip())


@settings(max_examples=25, deadline=None)
@given(worlds(), st.data())
def test_a_world_that_was_edited_elsewhere_goes_out_as_it_is_by_now(
    world: dict[str, Any], data: st.DataObject
) -> None:
    for number, entry in world["entries"].items():
        entry |= {"content": f"What {number} says.", "disable": False}
    now = {
        number: {
            **entry,
            **data.draw(SETTINGS),
            "content": data.draw(st.sampled_from([entry["content"], f"New {number}."])),
        }
        for number, entry in world["entries"].items()
    }
    kit = take_in(PLAIN, world)
    again = take_in(kit, {**world, "entries": now})
    assert spelled(out(again).book) == spelled({**world, "entries": now})
    # no memory more than there were
    assert sorted(path for path in again if path.startswith("ring3/")) == sorted(
        path for path in kit if path.startswith("ring3/")
    )


@settings(max_examples=25, deadline=None)
@given(
    st.lists(WORLD | BOOK | ANY, max_size=4),
    st.booleans(),
    st.dictionaries(st.sampled_from(["name", "originalData", "scan_depth", "extensions"]), ANY, max_size=3),
)
def test_whatever_stands_in_a_book_goes_out_as_it_came(
    raws: list[Any],
    numbered: bool,  # noqa: FBT001
    more: dict[str, Any],
) -> None:
    entries = {str(n): raw for n, raw in enumerate(raws)} if numbered else raws
    book = {**more, "entries": entries}
    kit = take_in(PLAIN, book)
    made = out(kit)
    assert spelled(made.book) == spelled(book) or not numbered
    to_card(kit)
    data = {"name": "Mira", "description": "x", "character_book": book}
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}
    assert to_card(to_kit(render_json(card))).changed == ()  # type: ignore[arg-type]


def test_other_names_are_no_edit() -> None:
    kit = take_in(PLAIN, {"entries": {"7": RICH}})
    kit["kit.yaml"] = b"name: Mara Quay\nuser: Bo\nwindow: 128k\n"
    assert (out(kit).changed, only_entry(kit)) == ((), RICH)
    # and what is edited goes out as that edit all the same, where it is not in the text
    assert only_entry(edited(kit, {'- "Silt"\n': '- "boat"\n'})) == {
        **RICH,
        "key": ["boat", *RICH["key"][1:3], "", 4],
    }


def again(
    files: Files, book: object, name: str = "Vess's Harbour.json"
) -> tuple[Files, MemoryImport, list[str]]:
    """A kit's files with a lorebook taken in, and what was told of it."""
    first = max([0, *(int(path[8:11]) for path in files if path.startswith("ring3/M-"))]) + 1
    by = Clock(BY.now, BY.tokenizer, first)
    taken, notes, _ = plan_lorebook(Snapshot(Held(files), "kit"), render_json(book), name, by)  # type: ignore[arg-type]
    return {**files, **(taken.change.writes if taken.change else {})}, taken, notes


def texts(files: Files) -> tuple[list[object], list[object]]:
    """Return what the entries of a kit's card say, and those of its World Info, each in order."""
    book = as_object(as_object(to_card(files).card["data"])["character_book"])["entries"]
    world = as_object(as_object(out(files).book)["entries"]).values()
    assert isinstance(book, list)
    return tuple(sorted(as_object(one)["content"] for one in each) for each in (book, world))  # type: ignore[type-var, return-value]


SAYS = [f"{{{{char}}}} knows thing {n}." for n in range(4)]
OF_CARD: list[dict[str, Any]] = [
    {"id": n, "keys": [f"key{n}"], "content": text, "comment": f"T{n}", "enabled": n != 3, "extensions": {}}
    for n, text in enumerate(SAYS)
]
AS_WORLD: dict[str, dict[str, Any]] = {
    str(n): {"uid": n, "key": [f"key{n}"], "content": text, "comment": f"T{n}", "disable": n == 3, "order": 5}
    for n, text in enumerate(SAYS)
}

LONG = "New. " * 120 + "End."


def with_card() -> Files:
    """A kit that began with a card that has a book."""
    data: dict[str, Any] = {"name": "Vess", "description": "x", "character_book": {"entries": OF_CARD}}
    return to_kit(render_json({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}))


def test_a_cards_own_book_that_comes_as_a_world_is_nothing_new() -> None:
    kit = with_card()
    _, taken, notes = again(kit, {"entries": AS_WORLD})
    assert (taken.change, taken.known, notes) == (None, 3, [])
    # nor is it where a page was edited, here or with something new beside it
    kit["ring3/M-002.md"] = (kit["ring3/M-002.md"] or b"").replace(b"thing 1.", b"our 1.")
    assert again(kit, {"entries": AS_WORLD})[1].change is None
    more = {**AS_WORLD, "8": {"uid": 8, "key": ["off"], "content": "Off.", "disable": True}}
    kept, taken, notes = again(kit, {"entries": more})
    assert taken.change is not None
    assert taken.change.summary.endswith(": nothing new to remember, kept as it came")
    assert notes[-1] == (
        "It has no new memories. Kept for 1 entry that no other book has: lore/vess-s-harbour.json."
    )
    said = sorted([SAYS[0], SAYS[1].replace("thing", "our"), *SAYS[2:], "Off."])
    assert texts(kept) == (said, said)
    assert again(kept, {"entries": more}, "copy.json")[1].change is None


def test_a_cards_own_book_that_was_edited_as_a_world_is_renewed() -> None:
    kit = with_card()
    new = {**AS_WORLD, "0": {**AS_WORLD["0"], "content": LONG}, "1": {**AS_WORLD["1"], "key": ["z"]}}
    del new["2"]
    kit, taken, notes = again(kit, {"entries": new})
    assert ([one.id for one in taken.renewed], taken.memories, taken.beside) == (["M-001", "M-002"], (), ())
    assert "still remembered: T2 (M-003)." in notes[-1]
    said = sorted([LONG, *SAYS[1:]])
    assert texts(kit) == (said, said)
    assert to_card(kit).book.gone == out(kit).gone == ()
    # and once more, shorter again: under its name, or under another
    newer = {**new, "0": {**new["0"], "content": "Newer."}, "1": {**new["1"], "key": ["y"], "order": 9}}
    for name in ("Vess's Harbour.json", "other.json"):
        made, taken, _ = again(kit, {"entries": newer}, name)
        assert ([one.id for one in taken.renewed], taken.memories) == (["M-001", "M-002"], ()), name
        said = sorted(["Newer.", *SAYS[1:]])
        assert texts(made) == (said, said), name
        assert again(made, {"entries": newer}, name)[1].change is None
    del new["1"]
    _, taken, notes = again(kit, {"entries": new})
    assert (taken.memories, "still remembered: T1 (M-002)." in notes[-2]) == ((), True)


def test_what_goes_out_and_comes_in_as_card_and_world_is_there_once() -> None:
    lived: Files = {IDENTITY: b"She is.\n", **PLAIN}
    for n in range(1, 4):
        one = ImportedMemory(f"t{n}", f"Tomas said {n}.", (f"k{n}",), ("factual",), "2026-01-01T00:00:00")
        lived[f"ring3/M-00{n}.md"] = render_memory(make_memory(one, f"M-00{n}", NOW, COUNT)).encode()
    kit = to_kit(render_json(to_card(lived, lived=True).card))
    _, taken, _ = again(kit, out(lived, lived=True).book)
    assert (taken.change, taken.known) == (None, 3)


def test_a_world_of_its_own_is_no_edit_of_the_cards_book() -> None:
    other = {str(n): {"uid": n, "key": [f"o{n}"], "content": f"Other {n}."} for n in range(3)}
    kit, taken, notes = again(with_card(), {"entries": other})
    assert (len(taken.memories), taken.renewed, notes) == (3, (), [])
    assert [len(each) for each in texts(kit)] == [7, 7]


def test_memories_and_a_name_in_a_lorebook_are_told(reel: Reel, kit: Path) -> None:
    reel("config", "user", "Tomas").ok()
    reel("record", "-", stdin=chat()).ok()
    told = {"What happened": "Tomas said I was colder than usual. Then chapter four: a letter."}
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(told)).ok()
    notes = reel("export", "lorebook").ok().err
    assert "1 memory of its own is in it: be careful whom you give it to." in notes
    assert "The name Tomas is in it." in notes


def test_the_memories_of_a_gated_kit_go_into_no_book(reel: Reel, kit: Path) -> None:
    """Memory Keep §II.2: experience is asked for, and a program loads a book's entries by itself."""
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    assert len(json.loads(reel("export", "lorebook").ok().out)["entries"]) == 1
    reel("config", "experience", "gated").ok()
    out = reel("export", "lorebook").ok()
    assert json.loads(out.out)["entries"] == {}
    assert "The persona's own memories are left out: they are found by query only" in out.err
    assert "left out" not in reel("export", "lorebook", "--lore-only").ok().err
    refused = reel("export", "card", "--memories")
    assert (refused.code, refused.err.splitlines()[1:]) == (
        1,
        ["Hint: leave out --memories, or first  reel config experience loaded"],
    )
    reel("export", "card").ok()
    reel("config", "experience", "loaded").ok()
    reel("export", "card", "--memories").ok()
