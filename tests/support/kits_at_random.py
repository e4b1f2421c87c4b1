"""Random kits in memory, made of real files, for what must hold of every kit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from reel_cli.core.files.exemplar_file import exemplar_path, render_exemplar
from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.files.review_file import render_proposal, review_path
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.words import VOICE_MORE
from reel_cli.core.values.bundle import Bundle
from reel_cli.core.values.memory import (
    FIELDS,
    ROLES,
    Exemplar,
    IndexLine,
    Level,
    Memory,
    format_id,
    memory_path,
)
from reel_cli.core.values.review import Proposal, ReviewKind, Side
from reel_cli.core.values.talk import SourceRange

SAID = st.text(st.characters(exclude_categories=["Cs"]), max_size=120)
"""Anything at all that a UTF-8 file can hold."""


def said_with(*words: str, most: int) -> SearchStrategy[str]:
    """Some of these words in any order, with blanks between them.

    They are drawn as one text, a letter a word: a draw for each takes longer than what is tried with them.
    """
    letters = {chr(ord("a") + number): word for number, word in enumerate(words)}
    return st.text("".join(letters), max_size=most).map(lambda drawn: " ".join(letters[x] for x in drawn))


WORDS = said_with(
    *("the", "lamp", "went", "out", "again", "?!", "Ünï", "…", "\n", "/", '"', "# x", "\t", "日本", "🙂"),
    most=30,
)


@dataclass(frozen=True)
class Files:
    """A kit's files, as a tree that lies nowhere."""

    files: Mapping[str, bytes]

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return sorted(path for path in self.files if path.startswith(f"{folder}/") or not folder)

    def snapshot(self) -> Snapshot:
        return Snapshot(self, "ada")


def long_text(sentence: str, times: int) -> str:
    return " ".join([sentence] * times)


@st.composite
def memories(draw: st.DrawFn, most: int) -> list[Memory]:
    made = []
    for number in range(draw(st.integers(0, most))):
        level = draw(st.sampled_from(list(Level)))
        text = long_text(draw(WORDS), draw(st.sampled_from([1, 1, 2, 8, 40])))
        plain = " ".join(text.split()) or "nothing"
        body = f"\n{plain}\n" if level in (Level.L3, Level.L4) else render_body(dict.fromkeys(FIELDS, text))
        made.append(
            Memory(
                id=format_id(number + 1),
                title=" ".join(draw(WORDS).split()[:6]),
                level=level,
                body=body,
                created="2026-02-10T21:00:00+00:00",
                source=(SourceRange(f"2026-02-{draw(st.integers(1, 28)):02}-1", number + 1, number + 1),),
                tags=tuple(
                    draw(
                        st.sampled_from(["", "identity", "factual emotional", "lore factual", "imported"])
                    ).split()
                ),
                anchor=" ".join(draw(WORDS).split()[:8]),
                marker=" ".join(draw(WORDS).split()) * draw(st.sampled_from([0, 1, 3])),
                tag=" ".join(draw(WORDS).split()[:5]),
            )
        )
    return made


@st.composite
def kits(draw: st.DrawFn, most: int = 12) -> Files:
    """A kit from empty to fairly large; ring 0 and ring 2 hold anything at all."""
    lengths = st.sampled_from([0, 1, 1, 5])
    files: dict[str, str] = {
        "kit.yaml": f"name: {draw(st.sampled_from(['Ada', 'Dr. Why', '北', '7']))}\n"
        f"tokenizer: {draw(st.sampled_from(['o200k_base', 'cl100k_base']))}\n"
        f"pack: {{threads: {draw(st.sampled_from(['no', 'yes']))}}}\n",
        "ring0/identity.md": f"---\nkind: x\n---\n{long_text(draw(SAID), draw(lengths))}",
        "ring2/working.md": f"---\nkind: x\n---\n{long_text(draw(SAID), draw(lengths))}"
        + draw(st.sampled_from(["", "\n\n## Open loops\n\n- Whether the lamp went out.\n"])),
    }
    if draw(st.booleans()):
        files["ring0/directives.md"] = f"---\nkind: x\n---\n{draw(SAID)}"
    slugs = [f"e{number}" for number in range(draw(st.integers(0, 8)))]
    for slug in slugs:
        text = long_text(draw(WORDS), draw(st.sampled_from([1, 3, 20])))
        added = f"2026-01-{draw(st.integers(1, 28)):02}"
        exemplar = Exemplar(slug, f"Title {slug}", draw(st.sampled_from(ROLES)), f"\n{text}\n", added)
        files[exemplar_path(slug)] = render_exemplar(exemplar)
    if draw(st.booleans()) and slugs:
        active = draw(st.lists(st.sampled_from([*slugs, "gone"]), unique=True))
        files["ring1/active.yaml"] = (
            f"anchor: {draw(st.sampled_from(slugs))}\nactive: [{', '.join(active)}]\n"
        )
    held = draw(memories(most))
    for memory in held:
        files[memory_path(memory.id)] = render_memory(memory)
    lines = [line_for(memory) for memory in held]
    for number in range(draw(st.integers(0, most))):
        what = " ".join(draw(WORDS).split())
        lines.append(IndexLine(format_id(100 + number), what, what, immune=draw(st.booleans()), pruned=True))
    files["ring4/index.md"] = put_lines("", lines)
    for number in range(draw(st.integers(0, 5)) if held else 0):
        told = draw(
            st.lists(st.sampled_from([*(m.id for m in held), "ring2", "M-999"]), min_size=2, max_size=2)
        )
        sides = [Side(where, " ".join(draw(WORDS).split()) or "so", "2026-02-10") for where in told]
        name = f"2026-02-10-1-contradiction-{number}"
        files[review_path(name)] = render_proposal(
            Proposal(name, ReviewKind.CONTRADICTION, "2026-02-10-1", "", "a", "b\n", sides=tuple(sides))
        )
    return Files({path: text.encode() for path, text in files.items()})


def rings_on_page(bundle: Bundle) -> list[str]:
    """The rings of what is loaded, in order; "beside" for exemplars that stand apart from the anchor."""
    rings: list[str] = []
    for item in bundle.loaded:
        apart = "beside" in rings or item.text.partition("\n")[0].endswith(VOICE_MORE)
        rings.append("beside" if item.ring == "1" and apart else item.ring)
    return [ring for ring in rings if ring != "frame"]


def body(files: Files, path: str) -> str:
    """All that follows the front matter, which these kits always have."""
    return (files.read(path) or b"").decode().partition("\n---\n")[2]


WINDOWS: SearchStrategy[int] = st.one_of(
    st.sampled_from([2048, 4096, 8191, 8192, 8193, 16384, 32768, 131072, 2 * 1024 * 1024]),
    st.integers(2048, 40_000),
)
