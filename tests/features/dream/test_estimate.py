"""Estimate of what is left to read, in any language, and without counting all of it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import append_entries, parse_session, read_said, render_session
from reel_cli.core.tape.transcript import tell_entries
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.talk import Conversation, Entry, Kind, Message, session_path
from reel_cli.features.dream.dream import Cursor, DreamState, Mode
from reel_cli.features.dream.unread_tape import estimate_tokens, find_left
from tests.features.dream.test_dream_tape import Files

SENTENCES = {
    "English": (
        "The kiln cracked last night and I swept the shards into a bucket. It was the thin glaze, of course. "
        "I keep thinking that I should have waited an hour before I opened the door. Marta will laugh at me."
    ),
    "Russian": (
        "Вчера вечером треснула печь, и я смёл черепки в синее ведро. Конечно, это была тонкая глазурь. "
        "Я всё думаю, что надо было подождать час, прежде чем открывать дверцу. Марта будет смеяться."
    ),
    "Chinese": (
        "昨天晚上窑裂了，我把碎片扫进一个蓝色的桶里。当然是那种薄薄的青瓷釉。我一直在想，打开门之前应该再等一个小时。"
        "玛尔塔一定会笑我的，可是我答应星期五给她一只碗。"
    ),
    "Arabic": (
        "تشقق الفرن مساء أمس فكنست القطع ووضعتها في دلو أزرق. كان الطلاء الرقيق بالطبع. "
        "ما زلت أفكر أنه كان علي أن أنتظر ساعة قبل أن أفتح الباب. سوف تضحك مارتا مني."
    ),
    "Japanese": (
        "昨日の夜、窯にひびが入って、破片を青いバケツに掃き入れた。もちろん薄い釉薬のほうだ。"
        "扉を開ける前に一時間待つべきだったと、ずっと考えている。マルタはきっと笑うだろう。"
    ),
    "Hindi": (
        "कल रात भट्ठी में दरार आ गई और मैंने टुकड़े नीली बाल्टी में डाल दिए। मुझे लगता है कि दरवाज़ा खोलने से पहले एक घंटा "
        "रुकना चाहिए था। मार्ता मुझ पर हँसेगी।"
    ),
    "code": (
        "for n, row in enumerate(table):\n    if row['at'] >= 0x7f and not row.get('seen'):\n"
        "        out[n] += 1\n    else: return fold(row, key=lambda x: x.size)\n"
    ),
}
CURSOR = Cursor(DreamState.RUNNING, Mode.FULL, "", 8192)


@pytest.mark.parametrize("tokenizer", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize("language", SENTENCES)
def test_what_is_left_is_about_what_the_prompts_tell(language: str, tokenizer: str) -> None:
    dice = random.Random(language)  # noqa: S311 (a shuffle)
    words = SENTENCES[language].split(" ") if " " in SENTENCES[language] else list(SENTENCES[language])
    files = {"kit.yaml": f"name: Ada\nuser: Bo\ntokenizer: {tokenizer}\n".encode()}
    between = " " if " " in SENTENCES[language] else ""
    for day in range(1, 5):
        said = []
        for n in range(2 * day * day):
            start = dice.randrange(len(words))
            text = between.join((words[start:] + words)[: dice.randrange(8, 160)])
            said += [Message("assistant" if n % 2 else "user", text, model="a model")]
            said += [Message("assistant", text * 3, Kind.REASONING)] if n % 2 else []
        session = f"2026-01-{day:02d}-1"
        files[session_path(session)] = render_session(session, Conversation("messages", said))
    snapshot = Snapshot(Files(files), "ada")
    assert snapshot.settings.tokenizer == tokenizer
    counter = get_tokenizer(tokenizer)
    exact = sum(
        counter.count(unit)
        for session in snapshot.sessions
        for path in [session_path(session)]
        for _, unit in tell_entries(snapshot, session, parse_session(files[path], path).shown())
    )
    assert 0.85 < find_left(snapshot, CURSOR).tokens / exact < 1.15


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80), st.integers(0, 400))
def test_no_text_breaks_the_estimate(text: str, times: int) -> None:
    said = (text * times).encode("utf-8", "surrogatepass")
    found = estimate_tokens(said, len)
    assert 0 <= found <= 3 * len(said) + 1


MESSAGES = st.lists(
    st.builds(
        Message,
        st.sampled_from(["user", "assistant"]),
        st.one_of(st.text(max_size=20), st.sampled_from(['\n<!-- {"n": 9, "bytes": 3} -->\n', '"after": 1'])),
        st.sampled_from([Kind.SAID, Kind.SAID, Kind.TOOL]),
    ),
    max_size=6,
)


@settings(max_examples=100, deadline=None)
@given(MESSAGES, st.booleans())
def test_what_was_said_is_read_as_it_is_shown(messages: list[Message], corrected: bool) -> None:  # noqa: FBT001
    path = session_path("2026-02-10-1")
    data = render_session("2026-02-10-1", Conversation("text", messages))
    said = sum(message.kind is Kind.SAID for message in messages)
    if corrected and said:
        data = append_entries(
            data, [Entry(said + 1, Message("user", "no"), after=said, supersedes=(said,))], path
        )
    shown = parse_session(data, path).shown()
    numbers, text = read_said(data, path)
    assert list(numbers) == [entry.number for entry in shown]
    assert text.decode() == "\n\n".join(entry.message.text for entry in shown)
