"""The tokens of all that a kit's first rings hold."""

from collections.abc import Callable, Mapping

from reel_cli.core.pack.render import MARKDOWN
from reel_cli.core.pack.words import HOW, NOW, VOICE, VOICE_INTRO, WHO
from reel_cli.core.values.holdings import Core


def core_tokens(core: Core, count: Callable[[str], int]) -> Mapping[str, int]:
    """Return the tokens of rings 0 to 2, as they would be written into a bundle."""
    slugs = {core.active.anchor, *core.active.active}
    voice = [MARKDOWN.exemplar(exemplar) for exemplar in core.exemplars if exemplar.slug in slugs]
    heading = [MARKDOWN.section(VOICE, VOICE_INTRO)] if voice else []

    def size(title: str, text: str) -> int:
        return count(MARKDOWN.verbatim(title, text)) if text.strip() else 0

    return {
        "0": size(WHO, core.identity) + size(HOW, core.directives),
        "1": sum(count(text) for text in (*heading, *voice)),
        "2": size(NOW, core.working),
    }
