"""The pages that threads are found in, noted by file: the same as when every file is parsed again."""

from pathlib import Path

from reel_cli.features.threads.noted_pages import read_noted_pages
from reel_cli.features.threads.survey import Pages, read_pages, words_of
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.support.cli import Reel
from tests.support.shelf import take_over


def plain(pages: Pages) -> list[object]:
    """Return of each page all that threads need."""
    return [
        (one.id, one.order, one.level, words_of(one), one.sessions, one.source, dict(pages.terms[one.id]))
        for one in pages.memories
    ]


def test_noted_pages_are_the_pages(reel: Reel, tmp_path: Path) -> None:
    root = take_over(reel, tmp_path / "ada", "ada")

    def both() -> tuple[list[object], list[object]]:
        opened = Context(root, Console()).open_kit(reading=True)
        return plain(read_noted_pages(opened.overview)), plain(read_pages(opened.snapshot))

    for _ in range(2):
        noted, read = both()
        assert noted == read != []
    file = next((root / "ring3").glob("M-*.md"))
    file.write_text(f"{file.read_text()}\nThe lighthouse keeper wrote again.\n")
    (root / "ring3/M-900.md").write_text("---\nid: M-900\n")
    noted, again = both()
    assert noted == again != read
    # the terms are those of a kit in which nobody is called so
    settings = root / "kit.yaml"
    settings.write_text(settings.read_text().replace("user: Tomas", "user: Lighthouse"))
    noted, named = both()
    assert noted == named != again
