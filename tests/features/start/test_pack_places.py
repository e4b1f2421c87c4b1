"""`reel pack --for`: a bundle fitted to the place where it is pasted, with that place's own limits."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.place_file import parse_place
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.pack.places import find_place, known_places
from reel_cli.core.resources import list_places
from reel_cli.core.values.place import PARTS, Place, Slot
from reel_cli.terminal import clipboard
from tests.support.cli import Reel
from tests.support.kits_at_random import Files, kits
from tests.support.pages import without_today
from tests.support.shelf import take_over

SHIPPED = ["chatgpt", "chatgpt-project", "claude-project", "lmstudio", "message", "ollama", "sillytavern"]
FORUM = "title: the forum bot\nlimit: {limit}\n"
TWO = """title: two boxes
fields:
  - {name: One, limit: 9500, holds: [working, rest]}
  - {name: Two, limit: 9000, holds: [identity, directives]}
"""


@pytest.fixture
def ada(reel: Reel) -> Path:
    """The example companion, taken over as a kit of one's own."""
    root = take_over(reel, reel.cwd / "mine", "ada")
    (root / "places").mkdir()
    return root


def packed(reel: Reel, *more: str) -> dict[str, Any]:
    return dict(json.loads(reel("pack", "--json", *more).ok().out))


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_every_place_that_ships_is_whole_and_listed(reel: Reel, ada: Path) -> None:
    assert list_places() == SHIPPED
    kit = Files({"kit.yaml": b"name: Ada\n"}).snapshot()
    places = known_places(kit)
    assert [place.name for place in places] == SHIPPED
    assert {place.name: place.limit for place in places if place.limit} == {
        "chatgpt": 3000,
        "chatgpt-project": 8000,
    }
    (ada / "places/forum.yaml").write_text(FORUM.format(limit=7500))
    (ada / "places/broken.yaml").write_text("limt: 3\n")
    shown = reel("pack", "--for", "list").ok().out.splitlines()
    assert [line.split()[0] for line in shown] == sorted([*SHIPPED, "forum"])
    assert shown[0].endswith("3,000 characters (1,500 + 1,500)")
    assert json.loads(reel("pack", "--for", "?", "--json").ok().out)[4] == {
        "name": "lmstudio", "title": "LM Studio's system prompt", "count": "characters", "limit": None,
        "fields": [{"name": "System Prompt", "limit": None}],
    }  # fmt: skip


def test_a_place_without_a_limit_has_the_same_bundle_and_its_own_manners(reel: Reel, ada: Path) -> None:
    plain = reel("pack").ok().out
    run = reel("pack", "--for", "lmstudio").ok()
    assert run.out == plain
    assert f"For LM Studio's system prompt: {len(plain):,} characters, " in run.err
    assert "takes out the middle" in run.err
    assert "a context length of 32768." in run.err
    ollama = reel("pack", "--for", "Ollama").ok().err
    assert "reads 4,096 tokens unless told otherwise" in ollama
    assert "PARAMETER num_ctx 32768" in ollama
    # what it has anyway needs no telling
    assert "num_ctx" not in reel("pack", "--for", "ollama", "--window", "4k", "--live", "0.4").ok().err
    assert "place" not in packed(reel)
    assert packed(reel)["characters"] == len(plain)
    assert ada.is_dir()


def test_it_fits_the_characters_with_all_that_must_be_there(reel: Reel, ada: Path) -> None:
    bundle = packed(reel, "--for", "chatgpt-project")
    text, (field,) = bundle["text"], bundle["fields"]
    assert field == {"name": "Instructions", "text": text, "characters": utf16(text), "limit": 8000}
    # and the room there is, is used
    assert 7800 < bundle["characters"] == utf16(text) <= 8000
    for name in ("ring0/identity.md", "ring0/directives.md", "ring2/working.md"):
        assert (ada / name).read_text().rpartition("---\n")[2].strip() in text
    assert bundle["tokens"] == sum(item["tokens"] for item in bundle["loaded"])
    assert {item["resolution"] for item in bundle["loaded"] if item["ring"] == "3"} == {"marker", "tag"}
    assert bundle["place"]["name"] == "chatgpt-project"
    explained = reel("pack", "--for", "chatgpt-project", "--explain").ok().err
    assert f"{bundle['characters']:,} characters of 8,000." in explained
    assert "anchor only with so little room" in explained


def test_less_room_never_brings_anything_back(reel: Reel, ada: Path) -> None:
    seen: list[tuple[int, int]] = []
    for limit in (5_600, 7_000, 9_000, 12_000, 16_000, 20_000, 80_000):
        (ada / "places/forum.yaml").write_text(FORUM.format(limit=limit))
        bundle = packed(reel, "--for", "forum")
        assert bundle["characters"] <= limit
        seen.append((bundle["tokens"], sum(item["ring"] == "3" for item in bundle["loaded"])))
    assert seen == sorted(seen)
    assert packed(reel, "--for", "forum")["text"] == packed(reel)["text"]


def test_where_it_cannot_fit_the_numbers_and_a_place_that_would_do_are_named(reel: Reel, ada: Path) -> None:
    run = reel("pack", "--for", "chatgpt")
    assert (run.code, run.out) == (1, "")
    assert run.err == (
        "Error: Identity (1,782), rules (570), the anchor (796), where things stand (1,568) and the words"
        " around them (582) need 5,298 characters; ChatGPT's custom instructions have room for 3,000"
        " characters (1,500 + 1,500).\n"
        "Hint: --for chatgpt-project  has room for 8,000; or paste it as the first message, without --for\n"
    )
    (ada / "places/forum.yaml").write_text(FORUM.format(limit=5_297))
    assert "--for chatgpt-project" in reel("pack", "--for", "forum").err
    (ada / "places/forum.yaml").write_text(FORUM.format(limit=5_298))
    assert packed(reel, "--for", "forum")["characters"] == 5_298
    thirds = "fields: [{name: A, limit: 1750}, {name: B, limit: 1780}, {name: C, limit: 1790}]\n"
    (ada / "places/thirds.yaml").write_text(thirds)
    refused = reel("pack", "--for", "thirds")
    assert "5,320 characters (1,750 + 1,780 + 1,790), and no part is cut in two" in refused.err
    top = "title: the wall\nfields: [{name: Top, limit: 20}, {name: Body}]\n"
    (ada / "places/top.yaml").write_text(top)
    told = reel("pack", "--for", "top").err
    assert "'Top', the first field of the wall, has room for 20.\nHint: let a larger field" in told


def test_fields_are_shown_each_below_its_name_and_hold_the_bundle_once(reel: Reel, ada: Path) -> None:
    (ada / "places/two.yaml").write_text(TWO)
    bundle = packed(reel, "--for", "two")
    one, two = bundle["fields"]
    assert one["text"].startswith("# Ada\n\nYou are Ada.")
    assert "## Where things stand" in one["text"]
    assert two["text"].startswith("## Who you are")
    assert two["text"].endswith("it is happening now.\n")
    assert sorted(one["text"] + two["text"]) == sorted(bundle["text"])
    assert (one["characters"] <= 9_500, two["characters"] <= 9_000) == (True, True)
    shown = reel("pack", "--for", "two").ok().out
    assert shown == (
        f"=== One ({one['characters']:,} of 9,500 characters) ===\n\n{one['text']}"
        f"=== Two ({two['characters']:,} of 9,000 characters) ===\n\n{two['text']}"
    )
    reel("pack", "--for", "two", "--out", "out.txt").ok()
    assert (ada / "out.txt").read_text() == shown


def test_they_are_copied_one_after_the_other(reel: Reel, ada: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []

    def copy(text: str) -> str:
        copied.append(text)
        return "pbcopy"

    monkeypatch.setattr(clipboard, "copy", copy)
    (ada / "places/two.yaml").write_text(TWO)
    fields = [field["text"] for field in packed(reel, "--for", "two")["fields"]]
    run = reel("pack", "--for", "two", "--copy", stdin="\n", tty=True).ok()
    assert copied == fields
    assert "Paste it into:  One" in run.err
    assert "Press Enter when it is there" in run.err
    copied.clear()
    started = reel("start", "--for", "two", stdin="\n", tty=True).ok()
    assert [*copied[:-1], without_today(copied[-1])] == fields
    assert "Then:  reel end" in started.err
    copied.clear()
    # the person leaves after the first
    assert "Stopped there; 1 not copied." in reel("pack", "--for", "two", "--copy", tty=True).ok().err
    assert copied == fields[:1]
    piped = reel("pack", "--for", "two", "--copy")
    assert (piped.code, "nobody here to say when" in piped.err) == (2, True)
    sizes = re.compile(r"\(\d,\d{3} of")
    started_out = without_today(reel("start", "--for", "two").ok().out)
    assert sizes.sub("", started_out) == sizes.sub("", reel("pack", "--for", "two").ok().out)


@pytest.mark.parametrize("how", ["one after the other", "one message", "labelled", "elsewhere", "backwards"])
def test_fields_in_a_chat_were_never_said(reel: Reel, ada: Path, how: str) -> None:
    (ada / "places/two.yaml").write_text(TWO)
    bundle = packed(reel, "--for", "two")
    texts = [field["text"] for field in bundle["fields"]]
    if how == "elsewhere":
        # another machine handed them out, and this one never saw them
        for file in (ada / ".reel/state/handed").iterdir():
            file.unlink()
    if how == "one message":
        texts = ["".join(texts)]
    elif how == "labelled":
        texts = [reel("pack", "--for", "two").ok().out]
    elif how == "backwards":
        texts.reverse()
    talk = [{"role": "user", "content": text} for text in texts]
    talk[-1]["content"] += "\nWhere were we?"
    talk.append({"role": "assistant", "content": "At the lamp."})
    (ada.parent / "chat.json").write_text(json.dumps({"messages": talk}))
    (recorded,) = json.loads(reel("record", "../chat.json", "--json").ok().out)["recorded"]
    assert recorded["messages"] == 2
    tape = next((ada / "tape").rglob(f"{recorded['session']}.md")).read_text()
    assert tape.count('"kind":"bundle"') + tape.count('"kind": "bundle"') == len(texts)


def test_an_unknown_place_is_refused_with_the_nearest(reel: Reel, ada: Path) -> None:
    for wrong, meant in (("chatgtp", "chatgpt"), ("silly", "sillytavern"), ("Claude", "claude-project")):
        run = reel("pack", "--for", wrong)
        assert (run.code, run.out) == (2, "")
        assert f"did you mean  --for {meant} ?" in run.err
    for wrong in ("../kit", "zzz", "", "a\nb"):
        assert reel("pack", "--for", wrong).err.endswith("--for list  shows the places\n")
    assert reel("pack", "--for", "ollama", "--format", "messages").code == 2
    assert ada.is_dir()


def test_an_own_place_comes_before_one_that_ships(reel: Reel, ada: Path) -> None:
    (ada / "places/chatgpt.yaml").write_text("title: a larger ChatGPT\nlimit: 9,000\n")
    assert packed(reel, "--for", "chatgpt")["place"]["limit"] == 9000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("limt: 3\n", "did you mean limit?"),
        ("limit: -3\n", "no number from 1 on"),
        ("limit: 99999999999999\n", "no number from 1 on"),
        ("limit: []\n", "no number from 1 on"),
        ("count: bytes\n", "the ways there are: characters, utf16"),
        ("fields: three\n", "should be a list"),
        ("limit: 3\nfields: [{name: A}]\n", "its own `limit`"),
        ("fields: [{limit: 3}]\n", "field 1 has no name"),
        ("fields: [text]\n", "field 1 has no name"),
        ("fields: [{name: A, holds: [soul]}]\n", "no part called 'soul'"),
        ("fields: [{name: A, holds: soul}]\n", "should be a list"),
        ("fields: [{name: A, holds: [rest]}, {name: B, holds: [rest]}]\n", "more than one field holds rest"),
        ("fields: [" + ", ".join(["{name: A}"] * 13) + "]\n", "12 are the most"),
        (f"note: {'x' * 500}\n", "at most 400 characters"),
        ("- a\n", "key: value"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_whole(text: str, said: str) -> None:
    with pytest.raises(ReelError) as caught:
        parse_place(text, "mine", "places/mine.yaml")
    assert said in f"{caught.value.message} {caught.value.hint}"
    assert caught.value.message.startswith("places/mine.yaml")


SLOTS = st.lists(
    st.tuples(st.none() | st.integers(200, 9_000), st.lists(st.sampled_from(PARTS), max_size=4)),
    min_size=1,
    max_size=4,
)


@given(kits(most=6), SLOTS, st.sampled_from(["characters", "utf16"]))
@settings(max_examples=60, deadline=None)
def test_every_part_is_in_one_field_and_no_field_is_too_long(
    kit: Files, slots: list[tuple[int | None, list[str]]], count: str
) -> None:
    place = Place(
        "mine", "mine", [Slot(f"{n}", limit, holds) for n, (limit, holds) in enumerate(slots)], count
    )
    try:
        bundle = pack_snapshot(kit.snapshot(), BundleRequest(place=place, elsewhere=lambda: [place]))
    except ReelError as error:
        if "characters" in error.message or "tokens" in error.message:
            return
        raise
    assert [field.limit for field in bundle.fields] == [limit for limit, _ in slots]
    for field in bundle.fields:
        length = utf16(field.text) if count == "utf16" else len(field.text)
        assert field.characters == length
        assert field.limit is None or length <= field.limit
    assert sorted("".join(field.text for field in bundle.fields)) == sorted(bundle.text)
    assert bundle.tokens == sum(item.tokens for item in bundle.loaded) <= bundle.cap - bundle.live
    if len(slots) == 1:
        assert bundle.fields[0].text == bundle.text


def test_a_place_is_found_by_any_case() -> None:
    assert find_place(Files({"kit.yaml": b"name: Ada\n"}).snapshot(), " ChatGPT ").name == "chatgpt"


def test_what_a_field_is_for_stays_there_even_if_more_would_fit_otherwise(reel: Reel, ada: Path) -> None:
    for limit in range(8_600, 10_000, 100):
        (ada / "places/two.yaml").write_text(TWO.replace("9500", str(limit)))
        one, two = packed(reel, "--for", "two")["fields"]
        assert "## Where things stand" in one["text"]
        assert two["text"].startswith("## Who you are")
