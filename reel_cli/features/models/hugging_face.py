"""A tokenizer from a Hugging Face `tokenizer.json`, by the library that wrote it, where that is installed."""

from functools import cache, cached_property
from pathlib import Path
from typing import Any
from zlib import crc32

from reel_cli.core.errors import ReelError

LARGEST = 128 << 20


class HuggingFace:
    """Counts by a tokenizer.json. What looks like a special token is ordinary text."""

    additive = False

    def __init__(self, path: Path, data: bytes) -> None:
        """Store the file's bytes; the library is loaded when it first counts."""
        self.path = path
        self.name = path.name
        self.digest = f"{crc32(data):08x}"
        self._data = data

    def count(self, text: str) -> int:
        """Return the token count of `text`, without a token at its beginning or end."""
        return len(self.ids(text))

    def ids(self, text: str) -> list[int]:
        """Return the tokens themselves."""
        from reel_cli.core.tokens.counter import without_surrogates

        found: list[int] = self._encoding.encode(without_surrogates(text), add_special_tokens=False).ids
        return found

    @cached_property
    def _encoding(self) -> Any:  # noqa: ANN401
        try:
            import tokenizers
        except ImportError:
            message = f"{self.path.name} needs the package tokenizers, which is not installed."
            raise ReelError(
                message, hint="pip install 'reel-cli[tokenizers]' , or take the model's .gguf"
            ) from None
        try:
            encoding = tokenizers.Tokenizer.from_buffer(self._data)
        # the library raises plain exceptions, and its panics are not even those
        except Exception:  # noqa: BLE001
            message = f"{self.path.name} is not a tokenizer.json of Hugging Face's."
            raise ReelError(message, hint="take the file tokenizer.json that lies beside the model") from None
        encoding.no_truncation()
        encoding.no_padding()
        encoding.encode_special_tokens = True
        return encoding


def load_tokenizer_json(path: Path) -> HuggingFace:
    """Return the tokenizer of a tokenizer.json; raises ReelError if it cannot be read."""
    try:
        found = path.stat()
    except OSError:
        message = f"There is no file {path}."
        raise ReelError(
            message,
            hint="say where it is with --tokenizer; in a kit:  reel model set --tokenizer PATH",
        ) from None
    return _load_once(path, (found.st_size, found.st_mtime_ns))


@cache
def _load_once(path: Path, stamp: tuple[int, int]) -> HuggingFace:
    if not path.is_file() or stamp[0] > LARGEST:
        message = f"{path} is no tokenizer.json."
        raise ReelError(message)
    try:
        return HuggingFace(path, path.read_bytes())
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}."
        raise ReelError(message) from None
