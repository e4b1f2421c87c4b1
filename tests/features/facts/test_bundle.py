"""Facts: in every bundle, or their numbers are named."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.pack.budget import NoRoomError
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.memory import Level, Memory, memory_path
from reel_cli.features.facts.choice import divide, order_facts
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import FACTS, add_facts
from reel_cli.features.facts.policy import DREAM, EXTRACTION, PERSON, fact_id, must_be_there, protects
from tests.support.kits_at_random import WORDS, Files, kits, long_text, rings_on_page

NAME = Fact("identity", "name", "Marta", "0.9", "2026-02-10-1#3", "2026-02-10", origin=EXTRACTION)


def with_facts(facts: Sequence[Fact], **files: str) -> Files:
    usual = {
        "kit.yaml": "name: Ada\nuser: Bo\nwindow: 32k\n",
        "ring0/identity.md": "I am Ada.\n",
        "ring1/a.md": "---\ntitle: The train\nrole: general\nadded: 2026-01-01\n---\n**Bo:** hm.\n",
        "ring1/active.yaml": "anchor: a\n",
        "ring2/working.md": "## State\n\nFine.\n",
        FACTS: add_facts("", facts),
        **files,
    }
    return Files({path: text.encode() for path, text in usual.items()})


def packed(kit: Files, **wish: object) -> Bundle:
    return pack_snapshot(kit.snapshot(), BundleRequest(**wish))  # type: ignore[arg-type]


def known(bundle: Bundle) -> list[str]:
    return [item.id for item in bundle.loaded if item.ring == "facts"]


def out(bundle: Bundle) -> dict[str, str]:
    return {item.id: item.reason for item in bundle.left_out if item.ring == "facts"}


def test_how_it_reads() -> None:
    facts = [
        Fact("craft", "glaze", "Celadon, as in M-004,\nthe thin one", "high"),
        Fact("constraints", "allergy_penicillin", "allergic to penicillin", origin=PERSON),
        Fact("history", "The kiln cracked", "the kiln cracked in May", "high"),
        NAME,
    ]
    text = packed(with_facts(facts)).text
    begin, end = text.index("## What you know by heart"), text.index("## Where things stand")
    assert text[begin:end] == (
        "## What you know by heart\n\n"
        "This holds whatever the talk is about. Use it wherever it bears on something, above all when you sum"
        " things up. What is said from here on is newer; where it differs, say so.\n\n"
        "### Identity\n\n- name: Marta (said by Bo, 10 February 2026)\n\n"
        "### Constraints\n\n- allergy penicillin: allergic to penicillin\n\n"
        "### History\n\n- the kiln cracked in May\n\n"
        "### Craft\n\n- glaze: Celadon, as in that memory, the thin one\n\n"
    )
    assert not re.search(r"M-\d|facts|identity/|token|reel|0\.9|2026-", text[begin:end])
    assert "• name: Marta (said by Bo, 10 February 2026)\n" in packed(with_facts(facts), form="text").text


def test_the_account_of_it() -> None:
    facts = [NAME, Fact("craft", "glaze", "celadon", "low"), Fact("history", "Old One", "x", origin=PERSON)]
    bundle = packed(with_facts(facts))
    assert known(bundle) == ["identity/name", "history/old-one"]
    assert out(bundle) == {"craft/glaze": "not sure enough"}
    assert bundle.rings["facts"].max == 2_621
    assert bundle.rings["facts"].tokens == sum(i.tokens for i in bundle.loaded if i.ring == "facts") > 0
    assert "facts" not in packed(with_facts([])).rings


def test_what_a_person_noted_takes_the_room_left_and_the_firmest_of_it_first() -> None:
    noted = [Fact("history", f"k{n}", long_text("and so on", 60), origin=PERSON) for n in range(9)]
    safe = Fact("constraints", "allergy", "allergic to penicillin", origin=PERSON)
    said = Fact("history", "lamp", long_text("lamp", 43), "high", origin=EXTRACTION)
    whole = packed(with_facts([*noted, said, safe]), window=8192)
    assert whole.rings["facts"].tokens > 8192 * 8 // 100
    assert list(out(whole)) == ["history/lamp"]
    assert not [line for line in whole.warnings if "noted" in line]
    bundle = packed(with_facts([*noted, said, safe]), window=4096, live=7_500)
    assert "constraints/allergy" in known(bundle)
    left = [name for name in out(bundle) if name != "history/lamp"]
    assert 0 < len(left) < 9
    assert bundle.tokens <= bundle.cap - bundle.live
    named = f"{len(left)} facts that you noted have no room in the facts' share of"
    assert named in " ".join(bundle.warnings)
    grave = [Fact("constraints", f"k{n}", long_text("and so on", 60), origin=PERSON) for n in range(9)]
    full = packed(with_facts([*grave, noted[0]]), window=8192)
    assert (len(known(full)), out(full)) == (10, {})
    wide = with_facts(grave, **{"kit.yaml": "name: Ada\nwindow: 8k\nlive: 0.9\n"})
    with pytest.raises(ReelError, match=r"the facts \([\d,]+\).* need [\d,]+ tokens; an 8K window leaves"):
        packed(wide)


def test_of_what_a_dream_made_as_much_goes_in_as_has_room_the_surest_first() -> None:
    dreamt = [
        Fact("history", f"k{n}", long_text("lamp", 43), "high" if n == 7 else "medium") for n in range(20)
    ]
    bundle = packed(with_facts([*dreamt, NAME]), window=8192)
    assert {"identity/name", "history/k7"} < set(known(bundle))
    assert bundle.rings["facts"].tokens <= bundle.rings["facts"].max
    assert set(out(bundle).values()) == {"no room in the share of the facts"}
    assert len(known(bundle)) + len(out(bundle)) == 21
    # a smaller one takes the room that a larger one could not
    dreamt.append(Fact("history", "short", "x", "medium"))
    assert "history/short" in known(packed(with_facts([*dreamt, NAME]), window=8192))


def test_above_8k_facts_take_more_than_their_share_where_nothing_else_has_use_for_the_room() -> None:
    many = [Fact("history", f"k{n}", long_text("lamp", 43), "high", origin=EXTRACTION) for n in range(300)]
    bundle = packed(with_facts(many[:60]), window=16_384)
    assert bundle.rings["facts"].tokens > 16_384 * 8 // 100
    assert (len(known(bundle)), out(bundle)) == (60, {})
    full = packed(with_facts(many), window=16_384)
    assert full.tokens * 100 >= (full.cap - full.live) * 97
    assert len(known(full)) + len(out(full)) == 300
    # with room for all of them, however many they are
    assert len(known(packed(with_facts(many), window=131_072))) == 300


def test_the_account_counts_each_fact_that_protects_somebody_whatever_it_comes_from() -> None:
    dreamt = [
        Fact("constraints", f"allergy {n}", f"allergic to nut {n}", "medium", origin="dream") for n in (1, 2)
    ]
    more = [Fact("history", f"k{n}", long_text("lamp", 43), "high") for n in range(20)]
    bundle = packed(with_facts([*dreamt, *more, NAME]), window=8192)
    assert [line for line in bundle.chosen if "2 that protect somebody" in line]


def test_what_says_most_for_its_length_has_room_before_what_is_newest_and_the_account_says_so() -> None:
    said = [
        replace(
            NAME, category="history", key=f"thing {n}", value=long_text(f"word{n}", 30), when="2026-03-01"
        )
        for n in range(16)
    ]
    rich = [
        replace(NAME, category="history", key=f"concert {n}", value=f"heard Amália in Porto on {n} May")
        for n in (1, 2)
    ]
    allergy = replace(NAME, category="constraints", key="allergy", value="allergic to nuts")
    word = replace(NAME, category="history", key="boat", value="the Gannet", origin=PERSON)
    bundle = packed(with_facts([*said[:8], *rich, word, *said[8:], allergy]), window=8192)
    assert {"constraints/allergy", "history/boat", "history/concert-1", "history/concert-2"} < set(
        known(bundle)
    )
    assert set(out(bundle).values()) == {"no room in the share of the facts"}
    told = len(known(bundle)) - 2
    chosen = (
        f"Facts in the bundle: 1 that protect somebody, 1 noted by you, {told} that say most for their length"
    )
    assert chosen in bundle.chosen


def test_what_a_note_or_a_late_memory_tells_comes_behind_what_nothing_else_tells() -> None:
    move = replace(NAME, category="relationships", key="Tariq", value="moves to Bedminster on 19 July")
    mine = [
        move,
        replace(move, key="sister", value="moves to Bedminster on 20 July"),
        replace(move, key="Maj", value="not moving to Bedminster"),
        replace(move, key="Wyn", value="courts Bronwen with a hedge trimmer"),
        replace(move, key="house", value="moves to Bedminster on 19 July", origin=PERSON),
    ]
    others = [replace(move, key=f"friend {n}", value="plays a bowed thing on Sundays") for n in range(60)]
    memory = Memory(
        id="M-001",
        title="The hedge",
        level=Level.L1,
        body=f"## What happened\n\n{'A hedge. ' * 40}\n",
        created="2026-02-10T20:00:00Z",
        marker="Wyn courts Bronwen with a hedge trimmer and a head torch.",
        tag="The hedge",
    )
    notes = "## Active threads\n\n- Tariq, his sister and Maj are moving to Bedminster on 19 July.\n"
    files = {"ring2/working.md": notes, memory_path("M-001"): render_memory(memory)}
    for told, there in ((files, False), ({}, True)):
        names = known(packed(with_facts([*mine, *others], **told), window=8192))
        assert {"relationships/maj", "relationships/sister", "relationships/house"} < {*names}
        assert [f"relationships/{name}" in names for name in ("tariq", "wyn")] == [there, there]


def told(evenings: int) -> list[Fact]:
    """Three facts of each of so many evenings."""
    return [
        Fact(
            kind, f"{kind} {n}", f"the {n}. lamp by the pier", "0.9", f"2026-01-{n:02}-1#1", origin=EXTRACTION
        )
        for n in range(1, evenings + 1)
        for kind in ("history", "context", "own")
    ]


@pytest.mark.parametrize("window", [4096, 8192, 32_768])
def test_what_was_known_before_the_last_evenings_stays_as_it_is_told(window: int) -> None:
    bundles = [packed(with_facts(told(evenings)), window=window).text for evenings in range(17, 25)]
    heads = [text[text.index("## What you know by heart") :] for text in bundles]
    settled = {text[: text.index("## What else you know")] for text in heads}
    assert len(settled) == 1
    (text,) = settled
    assert "lamp" in text
    assert "17. lamp" not in text


def test_what_is_so_at_present_stands_behind_what_lasts() -> None:
    text = packed(with_facts(told(12))).text
    assert re.findall(r"(?m)^(?:##|###) (.*)$", text[text.index("## What you know by heart") :])[:8] == [
        *("What you know by heart", "History", "Your own life", "Context"),
        *("What else you know", "Context", "History", "Your own life"),
    ]


def test_of_what_is_new_some_is_in_the_bundle_however_much_was_known_before() -> None:
    late = Fact("history", "boat", "the Gannet", "0.7", "2026-02-10-1#1", "2026-02-10", origin=EXTRACTION)
    bundle = packed(with_facts([*told(28), late]), window=8192)
    assert "history/boat" in known(bundle)
    assert bundle.rings["facts"].tokens <= bundle.rings["facts"].max
    assert out(bundle)


def test_what_is_new_and_protects_somebody_takes_from_what_was_known_before() -> None:
    late = [
        Fact("constraints", f"rule {n}", f"must never name the {n}. lamp, whoever asks about it and why")
        for n in range(18)
    ]
    bundle = packed(with_facts([*told(28), *(replace(one, source="2026-02-10-1#1") for one in late)]))
    assert {f"constraints/rule-{n}" for n in range(18)} < set(known(bundle))
    assert bundle.rings["facts"].tokens <= bundle.rings["facts"].max


def test_a_refresh_tells_what_is_new_or_another_now() -> None:
    age = Fact("identity", "age", "52", origin=PERSON, when="2026-02-11")
    before = packed(with_facts([NAME, age]))
    later = with_facts([NAME, age, Fact("identity", "age", "53", origin=PERSON, when="2026-02-12")])
    fresh = packed(later, since=before.fingerprint)
    assert known(fresh) == ["identity/age"]
    assert out(fresh) == {"identity/name": "in this conversation already"}
    assert "- age: 53\n" in fresh.text
    assert known(packed(later, since=fresh.fingerprint)) == []


FACT = st.builds(
    Fact,
    category=st.sampled_from(["identity", "family", "craft", "/odd\n", ""]),
    key=st.sampled_from(["name", "age", "M-004", "_", "# x"]),
    value=st.builds(long_text, WORDS, st.sampled_from([0, 1, 3, 30])),
    confidence=st.sampled_from(["high", "medium", "low", "0.8"]),
    origin=st.sampled_from([PERSON, EXTRACTION, DREAM, DREAM]),
)


@given(
    kits(),
    st.lists(FACT, max_size=12),
    st.sampled_from([2048, 8192, 16_384, 65_536]),
    st.one_of(st.none(), st.integers(4_000, 9_500)),
    st.sampled_from(["markdown", "text"]),
)
@settings(max_examples=35, deadline=None)
def test_whatever_is_in_a_kit_its_facts_are_there_or_accounted_for(
    kit: Files, facts: list[Fact], window: int, live: int | None, form: str
) -> None:
    """SRIP-11 §III.5: hold names, numbers and promises that similarity misses."""
    made = Files({**kit.files, FACTS: add_facts("", facts).encode()})
    try:
        bundle = packed(made, window=window, live=live, form=form)
    except NoRoomError:
        return
    standing = divide(facts, 7_000, 200)
    assert bundle.tokens == get_tokenizer(bundle.tokenizer).count(bundle.text)
    assert bundle.tokens == sum(item.tokens for item in bundle.loaded) <= bundle.cap - bundle.live
    assert sorted([*known(bundle), *out(bundle)]) == sorted(
        map(fact_id, [*standing.held, *(one.fact for one in standing.resting)])
    )
    must = {fact_id(one) for one in standing.held if must_be_there(one)}
    yielded = " ".join(bundle.warnings).count("no room in the facts' share")
    assert must <= set(known(bundle)) or yielded
    assert {fact_id(one) for one in standing.held if must_be_there(one) and protects(one)} <= set(
        known(bundle)
    )
    # the index stands among facts in a small window
    rings = ["facts" if ring == "4" else ring for ring in rings_on_page(bundle)]
    assert rings == sorted(rings, key=["0", "1", "3", "facts", "beside", "2"].index)
    assert packed(made, window=window, live=live, form=form) == bundle


def test_the_persona_s_own_life_has_a_share_of_the_room() -> None:
    theirs = [Fact("identity", f"thing {n}", f"value {n}", "1", origin=EXTRACTION) for n in range(9)]
    own = [Fact("own", "dogs", "two dogs", "0.9", origin=EXTRACTION, said_by="persona")]
    dreamt = [Fact("history", "my aunt", "my aunt helped us", "0.9", "2026-01-01-1#2")]
    ordered = order_facts([*theirs, *own, *dreamt])
    assert [ordered.index(one) for one in (*own, *dreamt)] == [3, 7]
    allergy = Fact("constraints", "allergy", "nuts", "1", origin=EXTRACTION)
    assert order_facts([*own, allergy])[0] is allergy
