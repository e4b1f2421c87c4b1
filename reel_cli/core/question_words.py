"""Signs by which a sentence asks: the question marks of all scripts, and words that end one without a mark.

Thai, Lao, Burmese and Khmer have no question mark of their own, and Chinese, Japanese and Korean often go
without one.
"""

from reel_cli.core.frozen import late

MARKS = "?？؟⁇⁈⁉‽⸮፧\u037e"
"""Question marks that end a sentence; the Greek one looks like a semicolon, and may be one."""
_MARK = late(rf"[{MARKS}՞]|(?<=[\u0370-\u03ff\u1f00-\u1fff]);")
_THAI = (
    r"ไหม|มั้ย|ไม๊|หรือ|หรือยัง|หรือไม่|(?:หรือ|รึ)เปล่า|เหรอ|หรอ|อะไร|ที่ไหน|เมื่อ(?:ไหร่|ไร)|ยังไง|อย่างไร"
    r"|ทำไม|ใคร|เท่า(?:ไหร่|ไร)"
)
_ENDINGS = (
    # Chinese: a 呢 behind a word that asks, or a name alone, not that of 我在看书呢
    r"[吗嗎]",
    r"(?:[什甚怎哪谁誰几幾][^。！!？?]{0,40}|(?:^|[。！!？?，,\n])[^。！!？?，,在没沒着著还還]{1,3})呢",
    # Japanese: no か that ends a word for somewhere, somebody or some day, and none of 静か, しか or ばか
    r"(?<![静確豊僅温愚遥細柔何誰しばほず])(?<!いつ)(?<!どこ)(?<!なに)(?<!なん)(?<!だれ)か",
    r"か(?:な|しら)",
    # Korean
    r"(?:까|까요|나요|가요|는가|냐)",
    r"[었았였겠하되있없]니",
    # Thai, with the words of politeness behind it
    rf"(?:{_THAI})(?:ครับ|คะ|ค่ะ|จ๊ะ|จ้ะ|ล่ะ|นะ)*",
    # Lao, Burmese, Khmer
    r"(?:ບໍ່?|ຫຼື|ຫລື|ຫຍັງ|ໃສ|ໃດ)",
    r"(?:လား|လဲ|နည်း)",
    r"(?:ឬទេ|ឬ|អ្វី|ណា)",
)
_END = late(rf"(?:{'|'.join(_ENDINGS)})$")
_LONGEST = 60
"""Characters of a sentence's end that are looked at."""
_CLOSED = " \t\r\n.。．!！…~\"'”’»」』)）*_၊။។៕"
"""Signs that may stand behind the last word of a sentence that asks."""


def is_question(sentence: str) -> bool:
    """Return whether a sentence, or the last one of a text, ends as a question does."""
    return end_of_question(sentence) > 0


def end_of_question(sentence: str) -> int:
    """Return where a question that a text ends with ends, its mark included; 0 where it ends otherwise."""
    # a call may stand behind the mark: “The glaze?!”
    bare = sentence.rstrip(" \t\r\n\"'”’»」』)）*_!！")
    if bare and _MARK.search(bare, len(bare) - 1):
        return len(bare)
    word = sentence.rstrip(_CLOSED)
    return len(word) if word and _END.search(word[-_LONGEST:]) else 0


def has_mark(text: str) -> bool:
    """Return whether a question mark of any script stands in a text."""
    return _MARK.search(text) is not None
