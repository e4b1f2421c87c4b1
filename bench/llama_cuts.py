"""Pre-tokenization by llama.cpp's own code: its rules taken out of its source and compiled.

Used by vectors.py; wants g++ and the folder `src` of llama.cpp.
"""

import json
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from unicodedata import category

from reel_cli.features.models.rules import RULES, Rules, find_rules

_PROGRAM = r"""
#include "unicode.h"
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
@ENUM@
struct rules { std::vector<std::string> regex_exprs; bool byte_encode = true, ignore_merges = false; };
static std::string format(const char *, const char * name) { return name; }
static rules find(const std::string & tokenizer_pre) {
    rules found;
    llama_vocab_pre_type pre_type;
    auto & regex_exprs = found.regex_exprs;
    auto & byte_encode = found.byte_encode;
    auto & ignore_merges = found.ignore_merges;
    @NAMES@
    switch (pre_type) @RULES@
    return found;
}
static std::string read(size_t size) { std::string s(size, 0); std::cin.read(&s[0], size); return s; }
int main() {
    size_t name_size, text_size;
    while (std::cin >> name_size >> text_size) {
        std::cin.get();
        const auto name = read(name_size), text = read(text_size);
        const auto found = find(name);
        printf("%d", (int) found.ignore_merges);
        for (auto & piece : unicode_regex_split(text, found.regex_exprs, false)) printf(" %zu", piece.size());
        printf("\n");
        fflush(stdout);
    }
}
"""
_ELSEWHERE = (
    "add_bos = true;",
    "add_sep = true;",
    "special_bos_id = LLAMA_TOKEN_NULL;",
    "clean_spaces = false;",
    "escape_whitespaces = true;",
    "normalizer_opts.lowercase = false;",
)
HAND = (
    "It's 1234567 o'clock, WE'LL see; they’re I'VE\n\n  12 345 6\r\n\tx",
    "abc  12, 3  4 \u2028\u3000\u00a05\n \n  //x/\n/y",
    "中文123字、\u9fa5\u9fa6한국어 あア一\uff9f。「x」…“q” \u0e44\u0e17\u0e2212 \u0e9e\u0eb2 \u3105\u3106 ㄱ",
    "Ada'nın evi'nde Éa'S ÀB cD eF'Ll é\u0301 a\u0301b \u0301c \u01c5x \u02b0y \u00aaz \U00010400\U0001d49c",
    "$+<=>^`|~ #tag @me a.b,c!d?e (f|g) [h]{i} -- ¿j? 🙂🙂 👩\u200d👩\u200d👧 \ufe0f\u200b\ue000\u0378",
    "hello big world no stop 12345678901 ٣٣٣٣ ²Ⅷ x1y22z333w4444",
    "<sentinel:12>IMGIMGABCDEZ    four  two\t\ttabs IMGIMGZ'tis",
    " " * 700 + "x" + " " * 70 + "\n" + " " * 9 + "\n\n\n\r\r y\u060c\u061f\u0964z\u06d4",
)
"""Texts on which rules part; the fixture is made of them, and of a few at random."""
_LETTERS: tuple[tuple[str, ...], ...] = tuple(
    map(
        tuple,
        (
            "abc de's LL'LL I'M it'S we're  ",
            "\n\r\t  \u00a0\u3000\u2028\x0b\x85",
            "0123456789٣४²Ⅷ",
            "éÀÇñß\u01c5\u02b0\u00aa",
            "中文一\u9fa5\u9fa6㐀가힣ㄱあア",
            "\u060c\u061b\u061f¿«»…—“”’",
            ".,!?;:'\"()[]{}<>|/\\^~`$+=*&%#@-_",
            "🙂👩\u200d\u0301\u0308\u094d\u20dd",
            "\u0e01\u0e44\u0e17\u0e22\u0e9e\u0eb2\u179f\u1798\u103e",
            "абвЖЯ\u05e9\u05dc\u0645\u0631",
            "\u200b\u200d\ufeff\U000e0001\ue000\u0378\U00010400\U0001d49c\U00020000",
        ),
    )
)
_OTHERS = (
    tuple(map(chr, (*range(0x21), 0x7F, 0x85, 0xA0, 0x1680, 0x180E, *range(0x2000, 0x200B), 0x202F, 0x205F))),
    # whatever Unicode has, as far as this Python knows it: of what came later not every table has heard
    tuple(chr(code) for code in range(0x80, 0x30000, 29) if category(chr(code)) not in ("Cn", "Co", "Cs")),
)


_LINE = ",\n  "


class Cutter:
    """llama.cpp's way of cutting, as a process that is asked text after text."""

    def __init__(self, source: Path, folder: Path) -> None:
        vocabulary = (source / "llama-vocab.cpp").read_text("utf-8")
        load = _find(
            r"\} else if (\(tokenizer_pre == \"default\".*?)(?=\n +\} else if \(type == )", vocabulary
        )
        for line in _ELSEWHERE:
            load = load.replace(line, "")
        self.names: Sequence[str] = sorted(set(re.findall(r'tokenizer_pre == "([^"]+)"', load)))
        rules = _find(r"switch \(vocab\.get_pre_type\(\)\) (\{.*?\n        \})\n    \}", vocabulary)
        enum = _find(r"(enum llama_vocab_pre_type \{.*?\};)", (source / "llama-vocab.h").read_text("utf-8"))
        program = _PROGRAM.replace("@ENUM@", enum).replace("@NAMES@", f"if {load}").replace("@RULES@", rules)
        (folder / "cut.cpp").write_text(program, encoding="utf-8")
        parts = [folder / "cut.cpp", source / "unicode.cpp", source / "unicode-data.cpp"]
        made = folder / "cut"
        subprocess.run(["g++", "-O1", "-std=c++17", "-w", f"-I{source}", *parts, "-o", made], check=True)
        self._process = subprocess.Popen([made], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def cut(self, name: str, text: str) -> tuple[bool, list[str]]:
        """Whether a piece that is a token is that token, and the pieces."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        called, given = name.encode(), text.encode()
        self._process.stdin.write(b"%d %d\n%b%b" % (len(called), len(given), called, given))
        self._process.stdin.flush()
        whole, *sizes = map(int, self._process.stdout.readline().split())
        pieces, at = [], 0
        for size in filter(None, sizes):
            pieces.append(given[at : at + size].decode())
            at += size
        return bool(whole), pieces


def _find(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.DOTALL)
    assert found is not None, "llama.cpp's source looks otherwise"
    return found[1]


def cut_by(rules: Rules, text: str) -> list[str]:
    """A text cut by rules as they are written down here."""
    import regex  # type: ignore[import-untyped]

    parts = [text]
    for pattern in rules.patterns:
        cut: list[str] = []
        for part in parts:
            end = 0
            for match in regex.finditer(pattern, part):
                cut += [part[end : match.start()], match[0]]
                end = match.end()
            cut.append(part[end:])
        parts = [part for part in cut if part]
    return parts


def make_texts(number: int, seed: int) -> list[str]:
    """Texts of everything that rules tell apart, at random."""
    chance = random.Random(seed)  # noqa: S311 (the same texts for the same seed)
    texts = []
    for _ in range(number):
        pools = chance.sample((*_LETTERS, *_OTHERS), chance.randrange(1, 5))
        size = chance.randrange(1, 40)
        runs = (
            chance.choice(chance.choice(pools)) * chance.choice((1, 1, 1, 1, 2, 3, 7)) for _ in range(size)
        )
        texts.append("".join(runs)[:size])
    return texts


def compare_cuts(cutter: Cutter, number: int, seed: int) -> Iterator[str]:
    """Which names of rules are known here, and on how many texts they cut otherwise than llama.cpp."""
    texts = [*HAND, *make_texts(number, seed)]
    kinds = len(_LETTERS) + len(_OTHERS)
    known = [(name, rules) for name in cutter.names if (rules := find_rules(name)) is not None]
    unknown = [name for name in cutter.names if find_rules(name) is None]
    yield (
        f"Of the {len(cutter.names)} names of rules in its source {len(known)} are known here, by "
        f"{len(RULES)} sets of rules. {', '.join(unknown) or 'None'}: not known; files with these are "
        "refused, with the nearest known ones and a margin. "
        f"{len(texts)} texts, {len(HAND)} by hand and the others at random over {kinds} kinds of "
        f"characters (seed {seed}), cut by its compiled code and by the rules here:"
    )
    wrong = []
    for name, rules in known:
        differ = [text for text in texts if cutter.cut(name, text) != (rules.whole, cut_by(rules, text))]
        if differ:
            wrong.append(f"{name}: {len(differ)} differ, the shortest {min(differ, key=len)!a}")
    yield ""
    yield from [f"- {line}" for line in wrong] or [f"No piece differs, by none of the {len(known)} names."]


def render_pieces(cutter: Cutter) -> str:
    """The fixture: texts, and the length of every piece of them, by names that cut alike."""
    chosen = [*HAND, *(text for text in make_texts(60, 2) if len(text) < 30)][: len(HAND) + 6]
    groups: dict[tuple[bool, tuple[tuple[int, ...], ...]], list[str]] = {}
    for name in cutter.names:
        if find_rules(name) is not None:
            cuts = [cutter.cut(name, text) for text in chosen]
            lengths = tuple(tuple(map(len, pieces)) for _, pieces in cuts)
            groups.setdefault((cuts[0][0], lengths), []).append(name)
    rules = [
        json.dumps({"names": names, "whole": whole, "pieces": pieces})
        for (whole, pieces), names in groups.items()
    ]
    texts = _LINE.join(map(json.dumps, chosen))
    return f'{{"texts": [\n  {texts}\n ],\n "rules": [\n  {_LINE.join(rules)}\n ]}}\n'
