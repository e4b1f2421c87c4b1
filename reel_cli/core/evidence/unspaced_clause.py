"""Words and clauses in Chinese, Japanese and Korean: what they say, deny or only suppose (SRIP-11 §III.5b).

Chinese and Japanese have no spaces between words, and Korean has particles at their ends. A Chinese denial
stands before what it denies (`我不抽烟`), a Japanese or Korean one behind it, at the end of the clause
(`タバコは吸いません`).
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

from reel_cli.core.frozen import late
from reel_cli.core.question_words import has_mark, is_question

_KANA = late(r"[\u3041-\u30ff]")
_CUT = late(r"[。．！？!?；;，、,\n]|(?<=[\uac00-\ud7a3])[.](?=\s|$)")
_NEXT_CHINESE = late(r"但是?|可是|而是|因为|所以|不过(?!敏)|然而|却")
_NEXT_JAPANESE = late(r"けれども|けれど|けど|ですが|ますが|だが|せんが|ないが|ので|のに|ながら")
"""Words with which another clause begins, where no comma stands."""
_NO_CHINESE = late(
    r"(?<![了差对忍])不(?!错|仅|但|只|光|单|管|论|同|少|断|久|妨|愧|禁|如|客气|好意思|得不|得了|用说|过(?!敏)"
    r"|来梅|莱梅|丹|列颠)"
    r"|[没沒](?!关系|關係|问题|問題|错|錯|想到|事(?!业|業|情))|从未|從未|未(?!来|來|必)|并非|並非|戒(?:了|掉)|别(?!人|的)"
)
_A_NOT_A = late(r"(.)[不没沒]\1|有[没沒]有")
_WITH = late(r"[不没沒](?![是有])[^的]{1,6}的")
"""Pattern of an attribute that something is without: `不加糖的咖啡`."""
_NO_JAPANESE = late(
    r"(?<![少危汚切])(?<!つまら)(?<!くだら)(?<!たまら)(?<!かまわ)(?<!もったい)(?<!かもしれ)(?<!違い)(?<!とんでも)(?<!しょうが)(?<!仕方)"
    r"(?:ない(?![とわ])|なかった|なくて(?!は|も)|なく(?!ては|ても|ちゃ|な))|(?<!かもしれ)(?<!なければなり)(?<!なくてはなり)"
    r"(?<!ばいけ)(?<!はいけ)(?<!といけ)(?<!違いあり)ません|やめました|やめた|ずに"
)
_NOT_ONLY = late(
    r"(?:だけ|ばかり)(?:で|じゃ)は?な|のみならず|しか|なければ|なくては|なくちゃ|ないと|じゃないか|ではないか|じゃん"
)
"""Words with which a `ない` denies nothing of what stands before it."""
_MAYBE = late(
    r"也许|也許|可能|如果|要是|假如|或许|或許|大概|说不定|說不定|かもしれ|たぶん|多分|もし|だろう|でしょう|といいな|たらいい"
)
_SAYS_NO = late(r"[不没沒未无無非别戒]|ない|なく|ません|なかった|ずに|やめ|없|않|아니|안 |못|싫|끊")
_HANGUL = late(r"[\uac00-\ud7a3]")
_NEXT_KOREAN = late(r"지만|는데|은데|인데|니까|라서|어서|아서|(?<=[\uac00-\ud7a3])고(?=\s)")
_NO_KOREAN = late(r"없(?!이)|않|아니(?!라)|아닙|아냐|못\s?[\uac00-\ud7a3]|(?<!\S)안\s|끊었|그만")
_MAYBE_KOREAN = late(r"아마|만약|혹시|(?:을|ㄹ|일|할|갈|될)지도|(?<=\S)(?:으면|다면|라면)(?=[\s,])")
_PARTICLES = (
    r"(?:이|가|은|는|을|를|의|에|에서|에게|한테|께|으로|로|와|과|랑|하고|도|만|까지|부터|처럼|보다|이나|나|이라|라"
    r"|이라고|라고|이고|이며|예요|이에요|에요|이야|야|입니다|이다|인|님|씨|네|들|였|이었|이지|지|이랑)"
)
"""Particles at the end of a Korean word, of which several may follow one another."""
_RUN = late(
    r"[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\d]+|[\uac00-\ud7a3\d]+"
    r"|[^\W\d_\u3005-\u9fff\uac00-\ud7a3\uf900-\ufaff]+"
)
_UNSPACED_RUN = late(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_JOINS = "はがのをにでともへやな的"
"""Particles between the words of a name or thing, which a fact may leave out or have of its own."""
_FAR = 2
"""Characters that may stand between two words which a fact puts together."""
_PIECE = 2
"""Characters of a word from which it is looked for by itself."""
_IDEOGRAPH = late(r"[\u30a1-\u30fa\u3400-\u9fff\uf900-\ufaff]")


def is_east_asian(text: str) -> bool:
    """Return whether a text has Chinese, Japanese or Korean words, which are looked up as they stand."""
    return _UNSPACED_RUN.search(text) is not None or _HANGUL.search(text) is not None


def find_said(value: str, text: str) -> str:
    """Return a value as a text says it, in Chinese, Japanese or Korean; "" where a word of it is not said.

    It is the value itself where all its words stand in the text; else the stretch of the text that has them
    with other particles between them (`ペニシリンのアレルギー` for `ペニシリンアレルギー`).
    """
    if not is_east_asian(value):
        return ""
    there = unicodedata.normalize("NFKC", text)
    runs = _RUN.findall(unicodedata.normalize("NFKC", value))
    if all(_stands(run, there) for run in runs):
        return value
    if len(runs) != 1 or not _UNSPACED_RUN.search(value):
        return ""
    return next((found for clause in _CUT.split(there) if (found := _compose(runs[0], clause))), "")


def shares_words(value: str, text: str) -> bool:
    """Return whether a Chinese or Japanese text has two characters side by side that a value has, too."""
    from reel_cli.core.tape.search.query import pairs

    mine = {pair for pair in pairs(unicodedata.normalize("NFKC", value)) if _IDEOGRAPH.search(pair)}
    return not mine.isdisjoint(pairs(unicodedata.normalize("NFKC", text)))


def _stands(run: str, text: str) -> bool:
    """Return whether a text has a run of characters as it stands: a Korean or Latin word whole."""
    if _UNSPACED_RUN.search(run):
        return re.search(rf"(?<!\d){re.escape(run)}(?!\d)", text) is not None and (
            len(run) > 1 or _IDEOGRAPH.search(run) is not None
        )
    behind = rf"{_PARTICLES}*" if _HANGUL.search(run) else ""
    alike = r"[^\W\d_\u3005-\u9fff\uac00-\ud7a3]" if not _HANGUL.search(run) else r"[^\W_]"
    return re.search(rf"(?i)(?<!{alike}){re.escape(run)}{behind}(?!{alike})", text) is not None


def _compose(run: str, clause: str) -> str:
    """Return the stretch of a clause that has the words of a run in their order; "" where it has not."""
    if any(map(str.isdigit, run)):
        return ""
    first = last = at = 0
    while at < len(run):
        if at and run[at] in _JOINS:
            at += 1
            continue
        sizes = range(len(run) - at, 0, -1)
        size = next((one for one in sizes if run[at : at + one] in clause[last:]), 0)
        piece = run[at : at + size]
        ends = at + size == len(run) or run[at + size] in _JOINS
        if not size or (size < _PIECE and not (_IDEOGRAPH.search(piece) and (ends or not at))):
            return ""
        start = clause.index(piece, last)
        if at and start - last > _FAR:
            return ""
        first = first if at else start
        last, at = start + size, at + size
    return clause[first:last]


def is_unspaced(text: str) -> bool:
    """Return whether a text is in a script without spaces between words."""
    from reel_cli.core.tape.search.query import pairs

    return next(pairs(text), "") != ""


def unspaced_against(value: str, told: str, texts: Iterable[str]) -> tuple[str, str]:
    """Return the clause that speaks against a value, and its verb; two empty strings where it may be so.

    `told` is all that the fact says; `texts` are the turns it rests on. Where one clause says that it is so,
    it is.
    """
    clauses = [clause for text in texts for clause in _clauses(text)]
    whole = any(value in clause for clause in clauses)
    for run in [value] if whole else _RUN.findall(value):
        held = [clause for clause in clauses if run in clause]
        found = [(clause.strip(" 。．！!;；，、,\n"), _judge(run, told, clause)) for clause in held]
        if found and all(verb for _, verb in found):
            return found[0]
    return "", ""


def tells_of_kin(value: str, told: str, texts: Iterable[str]) -> str:
    """Return the clause that tells a value of somebody in its speaker's life, whom a fact does not name.

    "" where the fact may be the speaker's own.
    """
    held = [clause for text in texts for clause in _clauses(text) if value in clause]
    kin = [one for one in held if _KIN.search(one[: one.index(value)])]
    return kin[0].strip() if kin and len(kin) == len(held) and not _KIN.search(told) else ""


_KIN = late(
    r"[姐妹哥弟]|妈|媽|爸|父|母|爷|奶|外公|外婆|老公|老婆|丈夫|妻|儿子|兒子|女儿|女兒|朋友|同事|老板|室友|[他她](?!们都)"
    r"|兄|姉|祖|夫(?![人婦])|息子|娘|友達|友人|上司|同僚|彼|여동생|남동생|동생|언니|누나|오빠|엄마|아빠|어머니|아버지"
    r"|할머니|할아버지|남편|아내|아들|딸|친구|그녀"
)


def _clauses(text: str) -> list[str]:
    following = _NEXT_JAPANESE if _KANA.search(text) else _NEXT_CHINESE
    if _HANGUL.search(text):
        following = _NEXT_KOREAN
    found: list[str] = []
    for part in _split_after(text):
        start = 0
        for word in following.finditer(part):
            # a Japanese or Korean connective ends its clause, a Chinese one begins the next
            at = word.start() if following is _NEXT_CHINESE else word.end()
            found.append(part[start:at])
            start = at
        found.append(part[start:])
    return [one for one in found if one.strip()]


def _split_after(text: str) -> list[str]:
    """Return the parts of a text, each with the sign that ends it."""
    ends = [0, *(sign.end() for sign in _CUT.finditer(text)), len(text)]
    return [text[one:other] for one, other in pairwise(ends)]


def _judge(value: str, told: str, clause: str) -> str:
    if has_mark(clause) or is_question(clause):
        return "only asks"
    for maybe in (_MAYBE, _MAYBE_KOREAN):
        if maybe.search(clause) and not maybe.search(told):
            return "only supposes"
    before, behind = clause[: clause.index(value)], clause[clause.index(value) + len(value) :]
    if _SAYS_NO.search(told):
        return ""
    if _HANGUL.search(clause):
        denied = bool(_NO_KOREAN.search(behind))
    elif _KANA.search(clause):
        denied = bool(_NO_JAPANESE.search(behind)) and not _NOT_ONLY.search(behind)
    else:
        denied = bool(_NO_CHINESE.search(_WITH.sub("", _A_NOT_A.sub("", before))))
    return "denies" if denied else ""
