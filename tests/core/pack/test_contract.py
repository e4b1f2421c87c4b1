"""The context contract: every kind of bundle is held against its list, and what sneaks in is caught."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from reel_cli.core.errors import ExitCode
from reel_cli.core.pack import build_bundle as bundling
from reel_cli.core.pack import words
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.pack.contract import ContractError, require_contract
from reel_cli.core.pack.draft import BundleDraft
from reel_cli.core.pack.loading import Loader
from reel_cli.core.pack.unit import Unit
from reel_cli.core.pack.words import FRAME, SECTIONS, MessageText
from reel_cli.core.tokens.counter import get_tokenizer
from tests.support.cli import Reel
from tests.support.installed_features import is_installed
from tests.support.kits_at_random import Files
from tests.support.warm_start import SESSION, talk

COUNT = get_tokenizer("o200k_base").count
MEMORY = (
    "---\nid: M-00{n}\nuid: 0000000{n}\ntitle: Bucket {n}\nlevel: L3\ncreated: 2026-02-10T21:00:00+00:00\n"
    "sessions: [2026-02-10-1]\nsource: [2026-02-10-1#1-2]\ntags: [experience]\n---\n\nHe counts bucket {n}.\n"
)
STORY = b'# History\n\n## The kiln\n\n<!-- dream: {"batch": 1} -->\n\nWe built it in the rain.\n'
KIT = Files(
    {
        "kit.yaml": b"name: Ada\nuser: Bo\nwindow: 32k\n",
        "ring0/identity.md": b"I am Ada.\n",
        "ring0/directives.md": b"Be brief.\n",
        "ring1/a.md": b"---\ntitle: The train\nrole: general\nadded: 2026-01-01\n---\n**Bo:** hm.\n",
        "ring1/active.yaml": b"anchor: a\n",
        "ring2/working.md": b"## State\n\nFine.\n",
        **{f"ring3/M-00{n}.md": MEMORY.replace("{n}", str(n)).encode() for n in (1, 2, 3)},
        "ring4/index.md": b'M-009 | the kiln | "it cracked" | factual | not immune, pruned\n',
        "story/history.md": STORY,
        "SHARED-CONTEXT.md": b"## Where things stand\nThe kiln is cold.\n",
        "domain/quests.yaml": b"columns:\n  id: text\n  title: text\n",
        "domain/quests.csv": b"id,title\nlantern,The lantern\nbridge,The bridge\n",
        "facts.yaml": b"- {category: identity, key: name, value: Marta, confidence: 1, origin: person}\n",
        **talk(SESSION, [("assistant" if n % 2 else "user", f"turn {n + 1}") for n in range(40)]),
    }
)
BARE = BundleRequest(boot=False)
KINDS: dict[str, tuple[BundleRequest, set[str]]] = {
    "a bundle": (BARE, {"0", "1", "2", "3", "4", "facts", "buffer", "scenes"}),
    "plain text": (BARE._replace(form="text"), {"0", "1", "2", "3", "4", "facts", "buffer", "scenes"}),
    "for an API": (BARE._replace(form="messages"), {"0", "1", "2", "3", "4", "facts", "buffer", "scenes"}),
    "with rows": (
        BARE._replace(rows=("quests where id = lantern",)),
        {"0", "1", "2", "3", "4", "facts", "buffer", "scenes", "domain"},
    ),
    "woken": (
        BARE._replace(boot=True),
        {"0", "1", "2", "3", "4", "facts", "story", "context", "traces"},
    ),
    "a refresh": (
        BARE._replace(since={"facts:identity/name": "other", "newest": "2"}),
        {"2", "3", "4", "facts"},
    ),
}
BROUGHT_BY = {
    **dict.fromkeys(("story", "context", "traces"), "dream"),
    **dict.fromkeys(("buffer", "stream"), "stream"),
    "domain": "tables",
    "facts": "facts",
}
"""The features that bring parts; of these, the bundle has those of the features that are installed."""


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.needs("dream" if kind == "woken" else "start")) for kind in KINDS],
)
def test_every_kind_of_bundle_is_held_against_its_list(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory Keep §II.8: sum up what always holds."""
    wish, parts = KINDS[kind]
    hold_against_list(wish, parts, monkeypatch)


def test_a_bundle_that_goes_on_with_a_chat_is_held_against_its_list(monkeypatch: pytest.MonkeyPatch) -> None:
    from reel_cli.features.stream.stream import Buffer, Cycle, Resumption

    said = [
        MessageText(n + 1, f"{'Ada' if n % 2 else 'Bo'}: word {n + 1}\n\n", n % 2 == 0) for n in range(20)
    ]
    began = Buffer([Cycle(SESSION, [(one.number, one.text) for one in said[:2]])], now=True)
    wish = BARE._replace(stream=Resumption("The kiln.", SESSION, said, 18, 40, ["Be brief."], began))
    hold_against_list(wish, {"0", "1", "2", "3", "4", "facts", "buffer", "stream"}, monkeypatch)


def hold_against_list(wish: BundleRequest, parts: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    rings = {part for part in parts if part not in BROUGHT_BY or is_installed(BROUGHT_BY[part])}
    held: list[str] = []

    def spy(bundle: object, content: str, *rest: object) -> None:
        held.append(content)
        require_contract(bundle, content, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(bundling, "require_contract", spy)
    bundle = pack_snapshot(KIT.snapshot(), wish)
    text = json.loads(bundle.text)[0]["content"] if wish.form == "messages" else bundle.text
    assert held == [text]
    assert {one.ring for one in bundle.loaded} == {*rings, FRAME}
    assert COUNT(text) == bundle.tokens == sum(one.tokens for one in bundle.loaded)
    found = re.findall(r"(?m)^## (.+)$" if wish.form != "text" else r"(?m)^(.+)$", text)
    opened = {SECTIONS[title] for title in found if title in SECTIONS}
    assert opened - {FRAME} == rings
    # of a table and of experience what was chosen, each by its own line, and nothing else
    titles = {"lantern": "The lantern", "bridge": "The bridge"}
    rows = {one.id.partition("/")[2] for one in bundle.loaded if one.ring == "domain"}
    assert {name for name, title in titles.items() if title in text} == rows
    memories = {one.id for one in bundle.loaded if one.ring == "3"}
    assert {f"M-00{n}" for n in (1, 2, 3) if f"He counts bucket {n}" in text} == memories


def add(*units: Unit, at: int = -1) -> Callable[[list[Unit]], list[Unit]]:
    return lambda made: [*made[:at], *units, *made[at:]]


def swap(at: int, **fields: object) -> Callable[[list[Unit]], list[Unit]]:
    return lambda made: [*made[:at], made[at]._replace(**fields), *made[at:][1:]]  # type: ignore[arg-type]


def unit(ring: str, name: str, text: str) -> Unit:
    return Unit(ring, name, text, COUNT(text))


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (
            add(unit("domain", "quests/bridge", "- The bridge\n"), at=-3),
            "'quests/bridge' of 'domain' was not chosen",
        ),
        (add(unit("3", "M-003", "- Bucket 3\n"), at=8), "'M-003' of '3' is listed twice"),
        (add(unit("3", "M-004", "- Bucket 4\n"), at=7), "'M-004' of '3' was not chosen"),
        (add(unit("facts", "identity/age", "- age: 52\n"), at=9), "'identity/age' of 'facts' was not chosen"),
        (add(unit("5", "all", "- Everything.\n")), "there is no part called '5'"),
        (
            add(unit("stream", "summary", "## What you remember\n\nAll.\n\n")),
            "opens a section of another part",
        ),
        (add(unit("0", "identity", "I am Ada.\n"), at=8), "'identity' of '0'"),
        (lambda made: [*made[:3], made[10], *made[3:10], *made[11:]], "stands in another part's place"),
        (add(Unit("stream", "summary", "All of it.\n\n", 0)), "'summary' of 'stream' is of no size"),
        (
            swap(-1, text="That is all. And the whole diary.\n"),
            "'closing' of 'frame' is not reel's own closing",
        ),
        (swap(0, id="more"), "'more' of 'frame' is not reel's own opening"),
        (
            lambda made: [
                one._replace(text="## When what you remember disagrees\n\nTrust Bo.\n\n", tokens=12)
                if one.id == "trust"
                else one
                for one in made
            ],
            "'trust' of 'frame' is not reel's own order of trust",
        ),
        pytest.param(
            add(unit("buffer", "x", "word " * 2000 + "\n")), "buffer takes", marks=pytest.mark.needs("stream")
        ),
        (add(unit("shelf", "x", "A page.\n"), at=-3), "'x' of 'shelf' was not chosen"),
        (add(unit("stream", "x", "word " * 20_000 + "\n")), "tokens of 16,384"),
    ],
)
def test_a_part_that_sneaks_in_is_caught(
    broken: Callable[[list[Unit]], list[Unit]], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Loader.load

    def load(self: Loader) -> BundleDraft:
        made = real(self)
        made.units = broken(made.units)
        return made

    monkeypatch.setattr(Loader, "load", load)
    with pytest.raises(ContractError) as caught:
        pack_snapshot(KIT.snapshot(), BARE)
    assert told in caught.value.message
    assert caught.value.exit_code == ExitCode.BUG


def test_text_that_no_part_has_is_caught_and_nothing_is_given_out(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = bundling._load_within

    def load(*given: object) -> tuple[BundleDraft, str, int]:
        made, text, tokens = real(*given)  # type: ignore[arg-type]
        return made, f"{text}## Everything\n\nPoured in.\n", tokens

    monkeypatch.setattr(bundling, "_load_within", load)
    found = reel("pack", "--out", "../bundle.md")
    assert (found.code, found.out) == (255, "")
    assert "no part has “## Everything Poured in.…”" in found.err
    assert "report it" in found.err
    assert not (kit.parent / "bundle.md").exists()


def test_the_beginnings_of_a_comparison_are_held_against_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    from reel_cli.features.dream.comparing import beginnings as startup
    from reel_cli.features.dream.comparing.beginnings import BeginningMaterial, Point, make_startup

    points: Sequence[Point] = [Point("What you know", "The kiln cracked.", 0)]
    stuff = BeginningMaterial(
        "Ada", "I am Ada.\n", "", points, [("The kiln", "We built it.")], "", "1. So?\n"
    )
    made = make_startup(stuff, 4000, COUNT)
    for start, loaded in made.loaded.items():
        assert sum(one.tokens for one in loaded) == made.whole[start] == COUNT(made.texts[start])
    monkeypatch.setattr(startup, "_framed", lambda *_: f"{words.CLOSING}\nThe whole diary.\n")
    with pytest.raises(ContractError):
        make_startup(stuff, 4000, COUNT)
