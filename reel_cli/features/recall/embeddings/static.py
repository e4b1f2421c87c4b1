"""Embeddings from a static model that ships inside a package: a vector a word, averaged; nothing is asked."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reel_cli.features.recall.embeddings.endpoint import EmbeddingError


class StaticModel:
    """wordllama's model of 256 numbers a text, loaded when first asked."""

    name = "wordllama l2 256"
    shown = "wordllama"

    def __init__(self) -> None:
        self._model: Any = None

    def check(self) -> str | None:
        """Load it; EmbeddingError where it is not installed or cannot be loaded."""
        before = list(logging.root.handlers), logging.root.level
        try:
            import wordllama

            # wordllama ships its tokenizer in a folder that its default does not search, and would download
            # one
            self._model = wordllama.WordLlama.load(
                cache_dir=Path(wordllama.__file__).parent, disable_download=True
            )
        except ImportError:
            message = "it is not installed:  pip install 'reel-cli[semantic]'"
            raise EmbeddingError(message) from None
        except Exception:  # noqa: BLE001 - a package of another make can fail in any way; recall goes on without
            message = "it cannot be loaded"
            raise EmbeddingError(message) from None
        finally:
            # importing it turns on the logging of every library
            logging.root.handlers[:], level = before
            logging.root.setLevel(level)
        return None

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Sequence[float]]:
        """Return a vector for each text; a question is embedded like any other."""
        del question
        # a text without known words would divide zero by zero
        try:
            found: Sequence[Sequence[float]] = self._model.embed([f"{text} ." for text in texts], norm=False)
        except Exception:  # noqa: BLE001 - as above
            message = "it failed on a text"
            raise EmbeddingError(message) from None
        return found
