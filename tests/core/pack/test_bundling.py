"""The promises of packing, for kits and windows of every size."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.files.exemplar_file import exemplar_path, render_exemplar
from reel_cli.core.files.index_file import parse_index
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.kit.read_holdings import read_holdings
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.budget import NoRoomError
from reel_cli.core.pack.build_bundle import BundleRequest, pack, pack_snapshot
from reel_cli.core.pack.load_past import TOLD_ABOVE
from reel_cli.core.pack.render import MARKDOWN
from reel_cli.core.pack.some_holdings import LIVED_FIRST
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.memory import Exemplar, Level, Memory, format_id, is_brought, memory_path
from tests.support.kits_at_random import WINDOWS, Files, body, kits, rings_on_page

SHARES = st.one_of(st.none(), st.integers(1_000, 9_500))
FORMS = st.sampled_from(["markdown", "text"])
CUES = st.sampled_from(["", "the lamp went out", "I am angry, you are wrong", "haha, a joke"])


def packed(kit: Files, wish: BundleRequest) -> Bundle | None:
    """The bundle, or None where what must be in it does not fit, which the error has to say in numbers."""
    refused: ReelError
    try:
        return pack_snapshot(kit.snapshot(), wish)
    except ReelError as error:
        refused = error
    needed, left = re.findall(r"[\d,]+(?= tokens;)|(?<=leaves )[\d,]+", refused.message)
    assert int(needed.replace(",", "")) > int(left.replace(",", ""))
    assert refused.hint
    return None


@given(kits(most=16), WINDOWS, SHARES, FORMS, CUES)
@settings(max_examples=60)
def test_a_bundle_keeps_every_promise(kit: Files, window: int, live: int | None, form: str, cue: str) -> None:
    """REEL §3.2, Memory Keep §I.a: give every budget as a part of the window."""
    wish = BundleRequest(window=window, live=live, form=form, cue=cue)
    bundle = packed(kit, wish)
    # the same kit and options give the same bytes
    assert packed(Files(dict(reversed(list(kit.files.items())))), wish) == bundle
    if bundle is not None:
        assert_within_its_share(bundle, live)
        assert_verbatim(kit, bundle)
        assert_all_accounted_for(kit, bundle)
        assert_in_order(kit.snapshot(), bundle, window)


def assert_within_its_share(bundle: Bundle, live: int | None) -> None:
    """It never takes more than the conversation leaves."""
    counted = get_tokenizer(bundle.tokenizer).count(bundle.text)
    assert (bundle.tokens, bundle.tokens <= bundle.cap - bundle.live) == (counted, True)
    if live is None:
        assert bundle.live * 10 >= bundle.cap * 4


def assert_verbatim(kit: Files, bundle: Bundle) -> None:
    """Rings 0 and 2 are in it as they are."""
    for path in ("ring0/identity.md", "ring0/directives.md", "ring2/working.md"):
        text = body(kit, path)
        assert text in bundle.text or not text.strip()


def assert_all_accounted_for(kit: Files, bundle: Bundle) -> None:
    """Everything held is either loaded or left out with a reason."""
    snapshot = kit.snapshot()
    held = [("3", memory) for memory in snapshot.memories]
    held += [("4", line) for line in snapshot.index.lines] + [("1", slug) for slug in snapshot.exemplars]
    for name in ("identity", "directives", "working"):
        ring = "2" if name == "working" else "0"
        held += [(ring, name)] if body(kit, f"ring{ring}/{name}.md").strip() else []
    held += [("frame", path[7:-3]) for path in snapshot.list("review")]
    frame = {("frame", "opening"), ("frame", "trust"), ("frame", "closing")}
    accounted = Counter((item.ring, item.id) for item in bundle.loaded)
    accounted.subtract(frame)
    accounted.update((left.ring, left.id) for left in bundle.left_out)
    assert accounted == Counter(held)
    assert all(left.reason for left in bundle.left_out)
    assert sum(item.tokens for item in bundle.loaded) == bundle.tokens
    for ring, share in bundle.rings.items():
        assert share.tokens == sum(item.tokens for item in bundle.loaded if item.ring == ring)
    assert all(item.tokens > 0 for item in bundle.loaded)


def assert_in_order(snapshot: Snapshot, bundle: Bundle, window: int) -> None:
    """Rings are loaded in their order, and the newest first."""
    order = rings_on_page(bundle)
    assert order == sorted(order, key=["0", "1", "3", "4", "beside", "2"].index)
    exemplars = [item.id for item in bundle.loaded if item.ring == "1"]
    assert len(exemplars) <= 5
    assert bool(exemplars) == bool(snapshot.exemplars)
    if snapshot.active.anchor:
        assert exemplars[0] == snapshot.active.anchor
    if window <= 8192:
        assert len(exemplars) <= 4
        assert_newest_lines(snapshot, bundle)
    assert bundle.rings["4"].tokens <= bundle.rings["4"].max + bundle.rings["4"].beyond


def assert_newest_lines(snapshot: Snapshot, bundle: Bundle) -> None:
    """The lines loaded are the newest of what the bundle does not tell, but for those too long for all."""
    count = get_tokenizer(bundle.tokenizer).count
    sizes = {name: count(MARKDOWN.line(line)) for name, line in snapshot.index.lines.items()}
    loaded = [item.id for item in bundle.loaded if item.ring == "4"][::-1]
    told = {item.id for item in bundle.loaded if item.ring == "3"}
    # where nothing else has use for the room, lines of what is told may stand too: each takes its words
    # and a mark, and with the first may come the words around them
    again = [name for name in loaded if name in told]
    around = bundle.rings["4"].tokens - sum(sizes[name] for name in loaded)
    added = sum(sizes[name] + 3 for name in again) + max(around, 0)
    assert not again or (bundle.tokens - added) * 100 < (bundle.cap - bundle.live) * 97
    aside = {one.id for one in bundle.left_out if one.reason in (LIVED_FIRST, TOLD_ABOVE)}
    newest = [name for name in reversed(sizes) if name not in aside]
    # what was not lived stands by itself, behind what was
    brought = {name: is_brought(line.tags) for name, line in snapshot.index.lines.items()}
    assert loaded == sorted((name for name in newest if name in loaded), key=lambda name: not brought[name])
    passed = newest[: max(newest.index(name) for name in loaded)] if loaded else []
    assert all(sizes[name] > sum(sizes[x] for x in loaded) for name in passed if name not in loaded)


@given(kits(most=20), st.integers(9_000, 60_000))
@settings(max_examples=35, deadline=None)
def test_less_room_takes_from_the_lowest_first(kit: Files, window: int) -> None:
    """REEL §4.7: divide the window by fixed ranges; yield ring 3 first, then 4, then exemplars."""
    before: Bundle | None = None
    for live in (4_000, 5_500, 7_000, 8_500, 9_300):
        bundle = packed(kit, BundleRequest(window=window, live=live))
        if bundle is None:
            return
        rings = {ring: [x for x in bundle.loaded if x.ring == ring] for ring in "01234"}
        if before is not None:
            earlier = {ring: [x for x in before.loaded if x.ring == ring] for ring in "01234"}
            assert (rings["0"], rings["2"]) == (earlier["0"], earlier["2"])
            assert len(rings["1"]) <= len(earlier["1"])
            assert {x.id for x in rings["1"]} <= {x.id for x in earlier["1"]}
            if len(rings["1"]) < len(earlier["1"]):
                assert (rings["3"], rings["4"]) == ([], [])
        before = bundle


def test_no_short_example_takes_the_place_of_one_that_has_no_room_any_more() -> None:
    """In a small window, where with less room nothing may come back (REEL §4.7)."""
    lines = {"anchor": "Hello.", "long": "Soup, and then more soup. " * 12, "short": "Yes."}
    files = {"kit.yaml": b"name: Ada\n", "ring0/identity.md": b"I am Ada.\n"}
    files |= {
        f"ring1/{name}.md": f"---\nadded: 2026-01-0{day}\n---\n{text}\n".encode()
        for day, (name, text) in enumerate(lines.items(), 1)
    }
    files["ring1/active.yaml"] = b"anchor: anchor\nactive: [long, short]\n"
    before = {"anchor", "long", "short"}
    for live in range(4_000, 9_300, 25):
        bundle = packed(Files(files), BundleRequest(window=2_809, live=live))
        if bundle is None:
            break
        heard = {x.id for x in bundle.loaded if x.ring == "1"}
        assert heard <= before, live
        before = heard
    assert before < set(lines)


def test_an_example_over_the_share_of_a_small_window_says_so() -> None:
    """No reason speaks of the window's room where the share is what is full (REEL §4.2)."""
    lines = {"anchor": "Hello.", "long": "Soup, and then more soup. " * 40, "short": "Yes."}
    files = {"kit.yaml": b"name: Ada\n", "ring0/identity.md": b"I am Ada.\n"}
    files |= {
        f"ring1/{name}.md": f"---\nadded: 2026-01-0{day}\n---\n{text}\n".encode()
        for day, (name, text) in enumerate(lines.items(), 1)
    }
    files["ring1/active.yaml"] = b"anchor: anchor\nactive: [long, short]\n"
    bundle = pack_snapshot(Files(files).snapshot(), BundleRequest(window=4_096))
    assert [x.id for x in bundle.loaded if x.ring == "1"] == ["anchor", "short"]
    reasons = [x.reason for x in bundle.left_out if x.ring == "1"]
    assert reasons == ["no room in the share of short examples at 8K or less"]


def test_in_a_small_window_the_kept_one_is_heard_and_each_other_says_why_not() -> None:
    active = {"ring1/active.yaml": b"anchor: e01\nactive: [e02, e03, e04, e05, e06]\n"}
    bundle = pack_snapshot(Files({**a_voice(6).files, **active}).snapshot(), BundleRequest(window=8192))
    assert [x.id for x in bundle.loaded if x.ring == "1"] == ["e01", "e02", "e03", "e06"]
    left = {x.id: x.reason for x in bundle.left_out if x.ring == "1"}
    assert left == dict.fromkeys(["e04", "e05"], "4 examples are enough at 8K or less")


def a_voice(examples: int, memories: int = 0) -> Files:
    """A kit with so many exemplars that were said, each with its own opening, and memories as markers."""
    opens = ("Aye", "Bless", "Come", "Dear", "Ever", "Fine", "Gone", "Hush", "Indeed", "Just", "Keep", "Lo")
    files = {"kit.yaml": b"name: Ada\nuser: Bo\n", "ring0/identity.md": b"I am Ada.\n"}
    for number, word in enumerate(opens[:examples], 1):
        said = (
            f"**Bo:** What now, for the {number}. time?\n\n**Ada:** {word}, said I, and dug number {number}."
        )
        exemplar = Exemplar(f"e{number:02}", f"E{number}", "general", said, f"2026-01-{number:02}", "x")
        files[exemplar_path(exemplar.slug)] = render_exemplar(exemplar).encode()
    files["ring1/active.yaml"] = b"anchor: e01\nactive: [e02, e03, e04]\n"
    for number in range(1, memories + 1):
        memory = Memory(
            id=format_id(number),
            title=f"Evening {number}",
            level=Level.L3,
            body=f"We dug by lamp {number} until the tide came. {'The spade held. ' * 9}\n",
            created=f"2026-01-01T20:{number % 60:02}:00+00:00",
        )
        files[memory_path(memory.id)] = render_memory(memory).encode()
    return Files(files)


def test_at_8k_the_persona_s_own_lines_stand_in_the_place_of_the_last_short_example() -> None:
    bundle = pack_snapshot(a_voice(12).snapshot(), BundleRequest(window=8192))
    heard = [(one.id, one.resolution) for one in bundle.loaded if one.ring == "1"]
    assert heard[:3] == [("e01", "whole"), ("e02", "whole"), ("e03", "whole")]
    assert [how for _, how in heard[3:]] == ["part"] * 9
    assert "## More of how you sound\n\n- Dear, said I, and dug number 4.\n- Ever, said I," in bundle.text
    assert bundle.text.count("What now") == 3
    assert bundle.rings["1"].tokens <= 8192 // 24 + bundle.loaded[2].tokens
    active = {"ring1/active.yaml": b"anchor: e01\nactive: [e02, e03, e04, e12]\n"}
    kept = pack_snapshot(Files({**a_voice(12).files, **active}).snapshot(), BundleRequest(window=8192))
    # the one that came last is heard, however many came before it
    assert "## More of how you sound\n\n- Lo, said I, and dug number 12.\n- Dear, said I," in kept.text
    few = pack_snapshot(a_voice(6).snapshot(), BundleRequest(window=8192))
    assert {one.resolution for one in few.loaded if one.ring == "1"} == {"whole"}


def test_above_8k_the_persona_s_own_lines_stand_beside_the_examples_where_there_is_room() -> None:
    bundle = pack_snapshot(a_voice(12).snapshot(), BundleRequest(window=16_384))
    heard = [(one.id, one.resolution) for one in bundle.loaded if one.ring == "1"]
    assert heard[0] == ("e01", "whole")
    assert heard[1:9] == [(f"e{number:02}", "part") for number in range(5, 13)]
    assert heard[9:] == [("e04", "whole"), ("e03", "whole"), ("e02", "whole")]
    assert bundle.text.count("## More of how you sound\n\n- Ever, said I") == 1
    assert bundle.text.count("More of how you sound") == 1
    full = pack_snapshot(a_voice(12, 260).snapshot(), BundleRequest(window=16_384))
    assert {one.resolution for one in full.loaded if one.ring == "1"} == {"whole"}


def test_where_memories_have_no_room_the_lines_take_no_more_than_the_example_did() -> None:
    before = pack_snapshot(a_voice(6, 90).snapshot(), BundleRequest(window=8192))
    bundle = pack_snapshot(a_voice(12, 90).snapshot(), BundleRequest(window=8192))
    assert "## More of how you sound\n\n- Dear" in bundle.text
    assert bundle.rings["1"].tokens <= before.rings["1"].tokens
    assert bundle.rings["3"].tokens >= before.rings["3"].tokens


def test_with_less_room_no_line_comes_back() -> None:
    files = a_voice(12, 40)
    before = {f"e{number:02}" for number in range(1, 13)}
    for live in range(4_000, 9_300, 50):
        bundle = packed(files, BundleRequest(window=4_096, live=live))
        if bundle is None:
            break
        heard = {one.id for one in bundle.loaded if one.ring == "1"}
        assert heard <= before, live
        before = heard
    assert len(before) < 12


def test_nothing_a_kit_holds_is_needed() -> None:
    """REEL §2.1: treat a model as having nothing but its input; a memory is text that somebody put there."""
    bundle = pack_snapshot(Files({"kit.yaml": b"name: Ada\n"}).snapshot(), BundleRequest(window=2048))
    assert [(item.ring, item.id) for item in bundle.loaded] == [
        ("frame", "opening"),
        ("frame", "trust"),
        ("frame", "closing"),
    ]
    assert list(bundle.left_out) == []


def words_of(count: int) -> str:
    return "lamp " * (count - 1) + "lamp\n"


def small_kit(**files: str) -> Files:
    usual = {
        "kit.yaml": "name: Ada\n",
        "ring0/identity.md": "I am Ada.\n",
        "ring2/working.md": "## State\n\nFine.\n",
        "ring1/a.md": "---\ntitle: The wrong train\nrole: general\nadded: 2026-01-01\n---\n**Bo:** hm.\n",
        "ring1/active.yaml": "anchor: a\n",
    }
    return Files({path: text.encode() for path, text in {**usual, **files}.items()})


def test_what_must_fit_and_does_not_is_named_with_numbers() -> None:
    kit = small_kit(**{"ring0/identity.md": words_of(300), "ring2/working.md": words_of(300)})
    with pytest.raises(ReelError) as refused:
        pack_snapshot(kit.snapshot(), BundleRequest(window=1024))
    assert refused.value.message == (
        "Identity (306), working memory (306), the anchor (31) and the words around them (137) need"
        " 780 tokens; a 1K window leaves 512."
    )
    assert refused.value.hint == "reel pack --live 0.23  leaves 788, once; or shorten the longest of them"
    assert pack_snapshot(kit.snapshot(), BundleRequest(window=1024, live=2_300)).tokens == 780


def test_what_no_share_can_hold_wants_a_larger_window() -> None:
    kit = small_kit(**{"ring0/identity.md": words_of(5_000)})
    with pytest.raises(ReelError) as refused:
        pack_snapshot(kit.snapshot(), BundleRequest(window=4096))
    assert refused.value.hint == "take a larger window (16K would do), or shorten them"
    assert pack_snapshot(kit.snapshot(), BundleRequest(window=16_384)).cap == 16_384


def test_the_cap_is_what_is_packed_for_and_a_window_given_is_both() -> None:
    """Memory Keep §I.b: let the owner set a cap below what the model could hold."""
    kit = small_kit(**{"kit.yaml": "name: Ada\nwindow: 32k\ncap: 10k\nlive: 0.47\n"})
    bundle = pack_snapshot(kit.snapshot())
    assert (bundle.window, bundle.cap, bundle.live) == (32_768, 10_240, 4_813)
    bundle = pack_snapshot(kit.snapshot(), BundleRequest(window=4_001, live=5_000))
    assert (bundle.window, bundle.cap, bundle.live) == (4_001, 4_001, 2_001)


def test_a_conversation_that_takes_all_is_refused() -> None:
    with pytest.raises(ReelError, match="from 0 to below 1"):
        pack_snapshot(small_kit().snapshot(), BundleRequest(live=10_000))


@pytest.mark.parametrize("wish", [BundleRequest(form="html"), BundleRequest(mood="angry")])
def test_a_format_or_mood_that_there_is_not_is_refused(wish: BundleRequest) -> None:
    with pytest.raises(UsageError):
        pack_snapshot(small_kit().snapshot(), wish)


def test_messages_are_a_list_ready_for_an_api() -> None:
    kit = small_kit()
    plain = pack_snapshot(kit.snapshot())
    bundle = pack_snapshot(kit.snapshot(), BundleRequest(form="messages"))
    assert json.loads(bundle.text) == [{"role": "system", "content": plain.text}]
    assert bundle.tokens == plain.tokens


def test_an_anchor_that_is_not_set_is_stood_in_for_and_said() -> None:
    newer = "---\ntitle: Newer\nrole: humor\nadded: 2026-02-01\n---\n**Bo:** ha.\n"
    kit = small_kit(**{"ring1/active.yaml": "active: [a]\n", "ring1/b.md": newer})
    bundle = pack_snapshot(kit.snapshot())
    assert [item.id for item in bundle.loaded if item.ring == "1"] == ["a", "b"]
    assert bundle.warnings == ["No anchor exemplar is set; The wrong train stands in for it."]


def test_what_is_over_its_range_is_packed_and_warned_of() -> None:
    bundle = pack_snapshot(small_kit(**{"ring2/working.md": words_of(900)}).snapshot())
    assert bundle.warnings == [
        "Where things stand takes 906 tokens, more than the 819 meant for it at this window."
    ]


def test_a_broken_index_line_is_named_and_not_packed() -> None:
    index = 'M-001 | one | "a phrase" | factual | immune\nM-002 | no phrase | factual | immune\n'
    bundle = pack_snapshot(small_kit(**{"ring4/index.md": index}).snapshot())
    assert bundle.warnings == ["ring4/index.md: what stands in line 2 is no index line, and was not packed."]
    assert "no phrase" not in bundle.text


def test_sessions_written_wrong_are_named_with_their_file() -> None:
    kit = small_kit(**{"ring3/M-001.md": "---\nid: M-001\nsessions: [spring]\n---\nx\n"})
    with pytest.raises(ReelError, match=r"ring3/M-001\.md: its chats"):
        pack_snapshot(kit.snapshot())


def test_no_machinery_shows() -> None:
    memory = "---\nid: M-003\nlevel: L1\nsource: [2026-02-10-1#1-4]\n---\n\n## What happened\n\nWe met.\n"
    index = (
        'M-003 | M-003 | "a phrase" | factual | immune\nM-004 | gone | "b" | factual | not immune, pruned\n'
    )
    kit = small_kit(**{"ring3/M-003.md": memory, "ring4/index.md": index})
    for form in ("markdown", "text"):
        for window in (8_192, 32_768):
            text = pack_snapshot(kit.snapshot(), BundleRequest(window=window, form=form)).text
            assert "We met." in text
            assert "10 February 2026" in text
            told = (
                r"(?i)\breel\b|\bring ?\d|M-\d|\btokens?\b|\bbudget|\bpack|immune|pruned|consolidat|2026-02"
            )
            assert re.findall(told, text) == []


@dataclass
class Pairs:
    """A tokenizer that makes one token of any two characters, so that counts do not add up."""

    name: str = "pairs"
    additive: bool = False

    def count(self, text: str) -> int:
        return len(re.findall(r"(?s)\n\S|..?", text))


@given(kits(), st.integers(2_000, 30_000))
@settings(max_examples=35, deadline=None)
def test_where_counts_do_not_add_up_the_whole_is_counted(kit: Files, window: int) -> None:
    tokenizer = Pairs()
    holdings = read_holdings(kit.snapshot(), MARKDOWN, lambda _: tokenizer)
    try:
        bundle = pack(holdings, BundleRequest(window=window))
    except NoRoomError:
        return
    assert bundle.tokens == tokenizer.count(bundle.text) <= bundle.cap - bundle.live
    assert sum(item.tokens for item in bundle.loaded) == bundle.tokens


def line_ids(bundle: Bundle) -> Sequence[str]:
    """The lines, the newest first."""
    return [item.id for item in bundle.loaded if item.ring == "4"][::-1]


def index_of(count: int, *, immune: Sequence[int] = ()) -> str:
    return "".join(
        f'M-{n:03d} | The {n}th evening by the harbour wall | "words from evening {n}" | factual |'
        f" {'immune' if n in immune else 'not immune'}\n"
        for n in range(1, count + 1)
    )


def test_an_index_over_its_most_loses_the_oldest_that_nothing_speaks_for() -> None:
    index = index_of(100, immune=[2]).replace("The 5th evening", "The lighthouse at five")
    kit = small_kit(**{"kit.yaml": "name: Ada\nwindow: 16k\n", "ring4/index.md": index})
    wish = BundleRequest(cue="what was it about the lighthouse?", topped_up=False)
    bundle = pack_snapshot(kit.snapshot(), wish)
    loaded = line_ids(bundle)
    assert loaded[-2:] == ["M-005", "M-002"]
    assert loaded[:-2] == [f"M-{n:03d}" for n in range(100, 100 - len(loaded) + 2, -1)]
    assert 10 < len(loaded) < 100
    assert {left.reason for left in bundle.left_out} == {"older than the lines that fit"}


def test_lines_of_what_no_memory_tells_stay_before_those_of_what_is_told() -> None:
    """REEL §4.5: a pruned memory's line is all that is known of it; the newest lines stood in its place."""
    told = "We met at the harbour and talked about the boats until it was late. " * 30
    head = "level: L1\nsource: [2026-02-10-1#1-4]\nmarker: We met at the harbour.\n"
    memories = {
        f"ring3/M-{n:03d}.md": f"---\nid: M-{n:03d}\n{head}---\n\n## What happened\n\n{told}\n"
        for n in range(61, 101)
    }
    kit = small_kit(**{"kit.yaml": "name: Ada\nwindow: 16k\n", "ring4/index.md": index_of(100), **memories})
    bundle = pack_snapshot(kit.snapshot(), BundleRequest(topped_up=False))
    forms = {one.id: one.resolution for one in bundle.loaded if one.ring == "3"}
    assert "marker" in forms.values()
    loaded = [one for one in line_ids(bundle) if one not in forms]
    assert len(loaded) < 100
    out = [one.id for one in bundle.left_out if one.ring == "4"]
    # whatever is told leaves its line's room to what is not
    untold = [f"M-{n:03d}" for n in range(100, 0, -1) if f"M-{n:03d}" not in forms]
    assert loaded == untold[: len(loaded)]
    assert set(line_ids(bundle)) == set(loaded) or not set(untold) & set(out)


def test_above_8k_the_index_takes_more_where_nothing_else_has_use_for_the_room() -> None:
    kit = small_kit(**{"kit.yaml": "name: Ada\nwindow: 16k\n", "ring4/index.md": index_of(100)})
    bundle = pack_snapshot(kit.snapshot())
    assert line_ids(bundle) == [f"M-{n:03d}" for n in range(100, 0, -1)]
    share = bundle.rings["4"]
    assert share.tokens > share.max == 16_384 // 20
    assert share.tokens <= share.max + share.beyond
    assert (list(bundle.left_out), "Those are all of them." in bundle.text) == ([], True)


def test_in_a_small_window_only_the_newest_lines_stay() -> None:
    """REEL §6.3: fill the window in a fixed order; at 8K or less load only what identity needs."""
    kit = small_kit(**{"ring4/index.md": index_of(100, immune=[2])})
    loaded = line_ids(pack_snapshot(kit.snapshot()))
    assert loaded == [f"M-{n:03d}" for n in range(100, 100 - len(loaded), -1)]


def test_a_small_bundle_says_how_many_were_let_go_of_whose_lines_have_no_room() -> None:
    """REEL §10.4: at 8K, where the notes take the index's room, no memory is gone without a trace."""
    index = index_of(14).replace("not immune\n", "not immune, pruned\n", 3)
    memory = (
        "---\nid: M-{0:03d}\nlevel: L3\nsource: [2026-02-{0:02d}-1#1-4]\n---\n\nWe met at the wall {0}.\n"
    )
    memories = {f"ring3/M-{n:03d}.md": memory.format(n) for n in range(4, 15)}
    kit = small_kit(**{"ring4/index.md": index, **memories, "ring2/working.md": words_of(3600)})
    bundle = pack_snapshot(kit.snapshot())
    assert line_ids(bundle) == []
    assert "Of what you let go of, 3 are not here: ask for one when it matters." in bundle.text
    assert "you let go of" not in pack_snapshot(kit.snapshot(), BundleRequest(window=32 * 1024)).text


def test_lines_of_memories_loaded_whole_go_first() -> None:
    memory = "---\nid: M-100\nlevel: L1\nsource: [2026-02-10-1#1-4]\n---\n\n## What happened\n\nWe met.\n"
    kit = small_kit(
        **{
            "kit.yaml": "name: Ada\nwindow: 16k\n",
            "ring4/index.md": index_of(100, immune=[100]),
            "ring3/M-100.md": memory,
        }
    )
    bundle = pack_snapshot(kit.snapshot(), BundleRequest(topped_up=False))
    assert line_ids(bundle)[0] == "M-099"
    assert ("M-100", "its memory is loaded whole") in [(x.id, x.reason) for x in bundle.left_out]
    assert len(parse_index(index_of(100)).lines) == 100
