"""Rules that cut texts into pieces before byte pairs are merged, by the names in model files.

A model file names its rules (`tokenizer.ggml.pre`) and does not spell them out. They are given here as
llama.cpp applies them, for that is what runs these files: pattern after pattern, each cutting what the one
before it left, what a pattern does not match being a piece as well.
"""

from typing import NamedTuple


class Rules(NamedTuple):
    """The rules that cut texts.

    `whole` says that a piece which is a token is that token, whatever merging would make of it. `additive` is
    as for a tokenizer; a test holds it against texts at random.
    """

    patterns: tuple[str, ...]
    whole: bool = False
    additive: bool = True


_ENDINGS = r"'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]"
_LINES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_REST = rf" ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_LINES}"
_REST_BY_LINE = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
_REST_OF_MARKED = rf" ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_LINES}"
_REST_OF_SYMBOLS = rf" ?[\p{{P}}\p{{S}}]+[\r\n]*|{_LINES}"
_REST_WITH_STROKE = rf" ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_LINES}"
_GPT_2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_UPPER, _LOWER = r"(?:(?=\p{L})[^a-z])", r"(?:(?=\p{L})[^A-Z])"
"""Letters of other scripts than ASCII's are both."""
_CASED = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+%s|"
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*%s|"
    r"%s| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_DEEPSEEK_LETTERS = (
    "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af\u0370-\u0373"
    "\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f"
    "\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77"
    "\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d"
    "\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec"
    "\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d"
    "\u212f-\u2134\u2139\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee"
    "\u2cf2\u2cf3\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06"
    "\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a\U00010400-\U0001044f\U000104b0-\U000104d3\U000104d8-\U000104fb"
    "\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U000118a0-\U000118df\U0001e900-\U0001e943"
)
_DEEPSEEK_CJK = (
    # the gaps are blanks of other widths, which llama.cpp treats as blanks first
    "[\u4e00-\u9fa5\u0800-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff"
    "\u3001-\u4e00\uac00-\ud7ff]+"
)
_HAN = (
    "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b820-\U0002ceaf\U0002ceb0-\U0002ebef\uf900-\ufaff\U0002f800-\U0002fa1f"
)
_ASIAN = (
    "[\u4e00-\u9fff\u3400-\u4dbf\u8c48-\ufaff\u3040-\u309f\u30a0-\u30ff\uff65-\uff9f\u2f00-\u2fdf"
    "\u0e40-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u1000-\u109f\uaa60-\uaa7f\ua9e0-\ua9ff\uac00-\ud7af"
    "\u1100-\u11ff]+"
)
_YOUTU_ASIAN = (
    "[\uac00-\ud7a3\u3131-\u318e]+|[\uff01\u2026\u201c\u201d\u2018\u2019\u2014\uff1a\uff1b\uff0c\u3001-\u303f"
    "\ufe30-\ufe4f]+|[\u3105-\u312f]+|[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"
)
_BLOOM = " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+"
_ALL = r"[\s\S]+"
"""A further pattern, for one that leaves something out and stands alone."""
_BY_THREE = (
    # the first one or two digits, where a number's length is not a multiple of three, stay with the text
    # before them
    r"[^\p{N}]*+(?<!\p{N})\p{N}{1,2}(?=(?:\p{N}{3})*+(?!\p{N}))|[^\p{N}]*+\p{N}{3}|[^\p{N}]++"
)
_REST_HALVED = (
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|"
    + "".join(rf"\s{{{1 << power}}}(?!\S)|" for power in range(9, 1, -1))
    + r"\s{1,2}(?!\S)|\s"
)
_ASCII_MARKS = r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]"
_MARKED_WORDS = rf"{_ASCII_MARKS}[A-Za-z]+|[^\r\n\p{{L}}\p{{P}}\p{{S}}]?[\p{{L}}\p{{M}}]+"
_PHRASE = r"[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+"
_WHOLE_WORDS = rf"[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+(?:{_ENDINGS})?"

RULES: dict[str, Rules] = {
    "llama-bpe": Rules(
        (rf"(?:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}|{_REST}",), whole=True
    ),
    "dbrx": Rules((rf"(?:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}|{_REST}",)),
    "qwen2": Rules((rf"(?:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}|{_REST}",)),
    "qwen35": Rules((rf"(?:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}|{_REST_OF_MARKED}",)),
    "gpt-2": Rules((_GPT_2,), additive=False),
    "starcoder": Rules((r"\p{N}", _GPT_2), additive=False),
    "falcon": Rules((r"[\p{P}$+<=>^~|`]+", _GPT_2, "[0-9][0-9][0-9]"), additive=False),
    "default": Rules((r"[\p{P}$+<=>^~|]+", _GPT_2, r"\p{N}+", "[0-9][0-9][0-9]"), additive=False),
    "tekken": Rules((_CASED % ("", "", r"\p{N}"),), whole=True),
    "gpt-4o": Rules((_CASED % (f"(?:{_ENDINGS})?", f"(?:{_ENDINGS})?", r"\p{N}{1,3}"),)),
    "deepseek-llm": Rules(
        (
            r"[\r\n]",
            rf"\s?[{_DEEPSEEK_LETTERS}]+",
            "\\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3001\u3002]+",
            r"\s+$",
            _DEEPSEEK_CJK,
            r"\p{N}+",
        )
    ),
    "deepseek-coder": Rules((r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _DEEPSEEK_CJK, r"\p{N}")),
    "deepseek-v3": Rules(
        (
            r"\p{N}{1,3}",
            "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
            rf"{_MARKED_WORDS}|{_REST_OF_SYMBOLS}",
        )
    ),
    "seed-coder": Rules(
        (rf"(?:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}\r\n]+|{_LINES}",)
    ),
    "bailingmoe": Rules((rf"(?:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}|{_REST_BY_LINE}",)),
    "minicpm5": Rules(
        (r"\p{N}{1,3}", rf"(?:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}+|{_REST}"), whole=True
    ),
    "jais-2": Rules((rf"(?:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}|{_REST_HALVED}",)),
    "ufakzeka": Rules((rf"[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}|{_REST}",)),
    "laguna": Rules(
        (r"[^\n]+|\n+", rf"(?:{_ENDINGS})|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}|{_REST}"),
    ),
    "exaone-moe": Rules(
        (rf"(?:{_ENDINGS})|{_PHRASE}|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+",)
    ),
    "kimi-k2": Rules(
        (rf"[{_HAN}]+|[^\r\n\p{{L}}\p{{N}}]?(?:(?![{_HAN}])\p{{L}})+(?:{_ENDINGS})?|\p{{N}}{{1,3}}|{_REST}",)
    ),
    "youtu": Rules((_YOUTU_ASIAN, rf"{_WHOLE_WORDS}|\p{{N}}|{_REST_WITH_STROKE}"), whole=True),
    "tiny_aya": Rules((_BY_THREE, rf"{_WHOLE_WORDS}|\p{{N}}{{1,3}}|{_REST_WITH_STROKE}")),
    "afmoe": Rules((_BY_THREE, _ASIAN, rf"{_MARKED_WORDS}|{_REST_OF_SYMBOLS}")),
    "spark2_5": Rules(
        (
            r"\p{N}{1,3}",
            "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
            rf"{_MARKED_WORDS}| ?[\p{{P}}\p{{S}}]+|[\r\n]|\s+(?!\S)|\s+",
            r"\p{N}",
        ),
        additive=False,
    ),
    "bloom": Rules((_BLOOM, _ALL), additive=False),
    "viking": Rules((_BLOOM, r"\p{N}"), additive=False),
    "chameleon": Rules(
        (
            "<sentinel:[0-9]+>",
            "IMGIMG[A-I]{1,4}Z",
            r"[\t\n]|    |  ",
            r"\p{N}",
            r"[\p{P}!-/:-@\[-`{-~]",
            _GPT_2,
        ),
        additive=False,
    ),
    "granite-embed-multi-97m": Rules(
        (
            (_CASED % (f"(?:{_ENDINGS})?", f"(?:{_ENDINGS})?", r"\p{N}{1,3}")).replace(
                r"(?=\p{L})", r"(?=[\p{L}\p{M}])"
            ),
        ),
        whole=True,
    ),
    "gemma4": Rules((r"[^\n]+|\n+",)),
}
"""Every set of rules, by the name it is known by here."""

_ALIKE = {
    "llama-bpe": (
        "llama3",
        "llama-v3",
        "falcon3",
        "falcon-h1",
        "pixtral",
        "midm-2.0",
        "lfm2",
        "jina-v5-nano",
        "glm4",
        "glm5",
    ),
    "dbrx": ("smaug-bpe", "chatglm-bpe"),
    "qwen2": (
        "deepseek-r1-qwen",
        "kormo",
        "f2llmv2",
        "megrez",
        "stablelm2",
        "hunyuan",
        "solar-open",
        "grok-2",
    ),
    "gpt-2": (
        *("phi-2", "mpt", "olmo", "jais", "gigachat", "a.x-4.0", "mellum", "modern-bert", "exaone4"),
        *("trillion", "granite-docling", "roberta-bpe", "jina-es", "jina-de", "jina-v1-en", "jina-v2-es"),
        *("jina-v2-de", "jina-v2-code"),
    ),
    "starcoder": ("refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2"),
    "gpt-4o": ("llama4", "kanana2", "talkie", "minimax-m2"),
    "deepseek-v3": ("hunyuan-dense", "joyai-llm", "hy_v4"),
    "bloom": ("poro-chat", "gpt3-finnish"),
    "tiny_aya": ("cohere2moe",),
    "bailingmoe": ("bailingmoe2", "llada-moe"),
}
_NAMES = {other: name for name, others in _ALIKE.items() for other in others}

LIKELY = ("llama-bpe", "qwen2", "gpt-4o", "tekken", "deepseek-v3", "gpt-2", "starcoder")
"""The rules most models follow, among which the nearest to unknown ones is sought."""


def find_rules(name: str) -> Rules | None:
    """Return the rules that model files call `name`; None if they are unknown."""
    return RULES.get(_NAMES.get(name, name))
