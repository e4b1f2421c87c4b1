"""Bundles of neighbouring evenings: the part they have in common stands first, for a server's cache."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from statistics import median

import pytest

from reel_cli.core.files.exemplar_file import exemplar_path, render_exemplar
from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.pack import words
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.memory import Exemplar, Level, Memory, format_id, memory_path
from reel_cli.core.values.source import SourceRange, session_path
from reel_cli.core.values.talk import Conversation, Message
from tests.support.installed_features import is_installed
from tests.support.kits_at_random import Files

STEMS = ("lamp", "pier", "bowl", "kiln", "rain", "sail", "rope", "clay", "moss", "bell", "tide", "salt")
ENDS = ("light", "wood", "side", "house", "man", "stone", "line", "work")


def thing(number: int) -> str:
    return f"{STEMS[number % 12]}{ENDS[number // 12 % 8]}"


def tell(number: int, many: int) -> str:
    """Some sentences, which are others for each number."""
    said = (f"We saw the {thing(number * 7 + n)} near the {thing(number * 3 + n * 5)}." for n in range(many))
    return " ".join(said)


def evening(files: dict[str, bytes], number: int, sentences: int) -> Memory:
    """Add one evening's talk and what a person kept of it, and return its memory."""
    at = datetime(2026, 1, 1, 20, tzinfo=UTC) + timedelta(days=3 * number)
    name = f"{at:%Y-%m-%d}-1"
    said = [
        Message("assistant" if turn % 2 else "user", tell(number * 20 + turn, 2), time=at.isoformat())
        for turn in range(20)
    ]
    files[session_path(name)] = render_session(name, Conversation("generic", said))
    exemplar = Exemplar(
        f"e{number:02}",
        f"Evening {number}",
        "general",
        f"**Bo:** What now, {number}?\n\n**Ada:** {thing(number).title()}, said I. {tell(number, 1)}\n",
        f"{at:%Y-%m-%d}",
        f"{name}#1-2",
    )
    files[exemplar_path(exemplar.slug)] = render_exemplar(exemplar).encode()
    fields = ("What happened", "What changed", "What matters", "What's unresolved", "Retrieval anchors")
    memory = Memory(
        id=format_id(number + 1),
        title=f"The {thing(number)} of evening {number}",
        level=Level.L1,
        body="".join(
            f"## {field}\n\n{tell(number * 5 + n, sentences)}\n\n" for n, field in enumerate(fields)
        ),
        created=at.isoformat(),
        sessions=(name,),
        source=(SourceRange(name, 1, 20),),
        marker=f"On evening {number} we went out. {tell(number, 3)}",
        tag=f"The {thing(number)}",
    )
    files[memory_path(memory.id)] = render_memory(memory).encode()
    return memory


def life(evenings: int, sentences: int = 3) -> Files:
    """A kit after as many evenings: of each a memory, an exemplar, three facts, and other notes.

    Each of a memory's fields has so many `sentences`.
    """
    files: dict[str, bytes] = {
        "kit.yaml": b"name: Ada\nuser: Bo\n",
        "ring0/identity.md": f"I am Ada. {tell(900, 12)}\n".encode(),
    }
    kept = [evening(files, number, sentences) for number in range(evenings)]
    slugs = ", ".join(f"e{number:02}" for number in range(evenings))
    files["ring1/active.yaml"] = f"anchor: e00\nactive: [{slugs}]\n".encode()
    files["ring4/index.md"] = put_lines("", map(line_for, kept)).encode()
    loops = "\n".join(f"- Whether {tell(evenings + n, 1)}" for n in range(6))
    files["ring2/working.md"] = f"## State\n\nIt is {evenings}.\n\n## Open loops\n\n{loops}\n".encode()
    if is_installed("facts"):
        from reel_cli.features.facts.fact import Fact
        from reel_cli.features.facts.files import FACTS, add_facts

        kinds = ("history", "context", "own")
        facts = [
            Fact(
                kinds[n],
                f"{thing(number)} {n}",
                f"went past the {thing(number * 3 + n)} {number} times",
                "0.9",
                f"{memory.sessions[0]}#{n + 1}",
                memory.sessions[0][:10],
                origin="extraction",
            )
            for number, memory in enumerate(kept)
            for n in range(3)
        ]
        files[FACTS] = add_facts("", facts).encode()
    return Files(files)


def common(one: str, other: str) -> int:
    """The length of the prefix that two texts have in common."""
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))


@pytest.fixture(scope="module", params=[8192, 16_384])
def evenings(request: pytest.FixtureRequest) -> Sequence[str]:
    """The bundles of nine evenings, in a small and in a usual window."""
    wish = BundleRequest(window=request.param)
    return [pack_snapshot(life(many).snapshot(), wish).text for many in range(17, 26)]


def test_most_of_a_bundle_stands_word_for_word_in_the_next_one(evenings: Sequence[str]) -> None:
    shares = [common(*pair) / min(map(len, pair)) for pair in pairwise(evenings)]
    assert median(shares) >= 0.55, shares


def test_where_long_memories_fill_the_window_most_stands_in_the_next_bundle_too() -> None:
    wish = BundleRequest(window=16_384)
    texts = [pack_snapshot(life(many, 8).snapshot(), wish).text for many in range(17, 25)]
    shares = [common(*pair) / min(map(len, pair)) for pair in pairwise(texts)]
    assert median(shares) >= 0.55, shares


def test_an_evening_changes_nothing_of_what_has_settled(evenings: Sequence[str]) -> None:
    for one, other in list(pairwise(evenings))[:-1]:
        settled = one[: one.index(f"## {words.REMEMBER_LATELY}\n")]
        assert other.startswith(settled)
        assert (f"\n## {words.SCENES}\n" in settled, "evening 15" in settled) == (True, True)
        assert (f"\n## {words.KNOWN}\n" in settled) == is_installed("facts")
    # once in eight evenings others settle
    assert not evenings[-1].startswith(settled)


def test_who_she_is_and_how_she_sounds_stand_first_and_the_present_last(evenings: Sequence[str]) -> None:
    places = [
        evenings[-1].index(f"## {title}\n")
        for title in (
            *(words.WHO, words.VOICE, words.TRUST, words.REMEMBER, words.REMEMBER_LATELY),
            *(words.VOICE_MORE, words.NOW, words.LAST_BEGAN, words.HERE),
        )
    ]
    assert places == sorted(places)


def test_in_a_small_window_scenes_and_index_stand_behind_the_facts_known_longest(
    evenings: Sequence[str], request: pytest.FixtureRequest
) -> None:
    if not is_installed("facts"):
        pytest.skip("facts are not installed")
    small = request.node.callspec.params["evenings"] == 8192
    text = evenings[0]
    known, said = text.index(f"## {words.KNOWN}\n"), text.index(f"## {words.SCENES}\n")
    assert (known < said) == small
    assert text.index(f"## {words.REMEMBER_LATELY}\n") > max(known, said)


@pytest.mark.needs("facts")
def test_facts_settle_with_the_evenings_even_if_one_of_them_told_none() -> None:
    from reel_cli.features.facts.files import FACTS, add_facts, parse_facts

    files = life(17).files
    facts = [one for one in parse_facts(files[FACTS].decode()) if not one.key.startswith(thing(5))]
    kit = Files({**files, FACTS: add_facts("", facts).encode()})
    text = pack_snapshot(kit.snapshot(), BundleRequest(window=32_768)).text
    known = text[text.index(f"## {words.KNOWN}\n") : text.index(f"## {words.KNOWN_MORE}\n")]
    assert [f"{thing(number)} 0" in known for number in (4, 5, 12, 16)] == [True, False, True, False]


def test_in_a_small_window_memories_come_before_lines_of_what_was_let_go() -> None:
    files = life(26).files
    gone = [f'M-{900 + n} | The {thing(n)} of old | "{tell(n, 1)}" | x | not immune\n' for n in range(9)]
    more = {"ring4/index.md": "".join(gone), "ring2/working.md": f"## Notes\n\n{tell(3, 130)}\n"}
    kit = Files({**files, **{path: files[path] + text.encode() for path, text in more.items()}})
    bundle = pack_snapshot(kit.snapshot(), BundleRequest(window=8192))
    forms = {unit.id: unit.resolution for unit in bundle.loaded if unit.ring == "3"}
    assert forms == dict.fromkeys((format_id(number) for number in range(1, 27)), "marker")
