"""A tiny model of random weights as a GGUF file: a real server loads it like any other.

Its vocabulary is the small one of the tests, so that tokens can be counted by reel and by llama.cpp.
"""

import random
import struct
from collections.abc import Mapping
from pathlib import Path

from tests.support.gguf_files import Given, byte_pairs, render_gguf

WIDTH, INNER, HEADS = 32, 64, 2
LONGEST = 131_072
"""Tokens that it says it was made for."""
TEMPLATE = "{% for one in messages %}{{ one.role }}: {{ one.content }}\n{% endfor %}assistant:"
_ALIGNED = 32
_FLOATS = 0


def write_model(path: Path, seed: int = 1) -> Path:
    """Write the model; the same seed gives the same file."""
    entries: dict[str, Given] = byte_pairs("llama-bpe")
    tokens = entries["tokenizer.ggml.tokens"]
    assert isinstance(tokens, list)
    ends = len(tokens) - 1
    entries |= {
        "general.name": "random",
        "llama.context_length": LONGEST,
        "llama.embedding_length": WIDTH,
        "llama.block_count": 1,
        "llama.feed_forward_length": INNER,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": HEADS,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": WIDTH // HEADS,
        "llama.vocab_size": len(tokens),
        "tokenizer.ggml.bos_token_id": ends,
        "tokenizer.ggml.eos_token_id": ends,
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.chat_template": TEMPLATE,
    }
    path.write_bytes(_with_weights(render_gguf(entries), _weights(len(tokens), seed)))
    return path


def _weights(words: int, seed: int) -> Mapping[str, tuple[tuple[int, ...], bytes]]:
    """Return the tensors that a llama of one block has: dimensions, and the numbers."""
    chance = random.Random(seed)  # noqa: S311 (the same weights for the same seed)

    def noise(*sizes: int) -> tuple[tuple[int, ...], bytes]:
        count = sizes[0] * sizes[1]
        return sizes, struct.pack(f"<{count}f", *(chance.gauss(0, 0.05) for _ in range(count)))

    even = ((WIDTH,), struct.pack(f"<{WIDTH}f", *[1.0] * WIDTH))
    block = {f"attn_{name}": noise(WIDTH, WIDTH) for name in ("q", "k", "v", "output")}
    block |= {"attn_norm": even, "ffn_norm": even}
    block |= {"ffn_gate": noise(WIDTH, INNER), "ffn_up": noise(WIDTH, INNER), "ffn_down": noise(INNER, WIDTH)}
    ends = {"token_embd": noise(WIDTH, words), "output_norm": even, "output": noise(WIDTH, words)}
    named = {**ends, **{f"blk.0.{name}": tensor for name, tensor in block.items()}}
    return {f"{name}.weight": tensor for name, tensor in named.items()}


def _with_weights(data: bytes, tensors: Mapping[str, tuple[tuple[int, ...], bytes]]) -> bytes:
    """Return a file without weights with these in it."""
    magic, version, _, entries = struct.unpack_from("<4sIQQ", data)
    # the file's last 64 bytes stand for weights that it has not
    head = data[24:-64]
    lists, weights = b"", b""
    for name, (sizes, numbers) in tensors.items():
        lists += struct.pack("<Q", len(name)) + name.encode()
        lists += struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, _FLOATS, len(weights))
        weights += numbers + b"\0" * (-len(numbers) % _ALIGNED)
    made = struct.pack("<4sIQQ", magic, version, len(tensors), entries) + head + lists
    return made + b"\0" * (-len(made) % _ALIGNED) + weights
