"""Estimate of what is left to read, in any language, and without counting all of it."""

import base64
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import append_entries, parse_session, read_said, render_session
from reel_cli.core.tape.transcript import tell_entries
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.talk import Conversation, Entry, Kind, Message, session_path
from reel_cli.features.dream.batch import words_for
from reel_cli.features.dream.dream import Cursor, DreamState, Mode
from reel_cli.features.dream.estimate import longest_for
from reel_cli.features.dream.unread_tape import estimate_tokens, find_left
from tests.features.dream.test_dream_tape import Files
from tests.support.cli import CHECKOUT, Reel
from tests.support.dreaming_persona import key_of, now, reply_to, told_of
from tests.support.pages import say

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
    assert [one.decode() for one in text] == [entry.message.text for entry in shown]


def test_the_cost_is_within_a_quarter_of_what_a_dream_with_a_recorded_reply_takes(reel: Reel) -> None:
    reel("init", "ada", "--template", CHECKOUT / "kits/ada").ok()
    reel.cwd = reel.cwd / "ada"
    settings = reel.cwd / "kit.yaml"
    settings.write_text(settings.read_text() + "dream: {price: 3/15}\n")
    asked = reel("dream", "start", "--dry-run", "--window", "8k").ok().err
    found = json.loads(reel("dream", "start", "--yes", "--window", "8k", "--json").ok().out)
    assert f"at a cost of up to {found['cost']:.2f} (usually {found['cost_usual']:.2f})" in asked
    assert f"up to {found['thinking']:,} tokens more: {found['cost_most']:.2f} in all" in asked
    count = get_tokenizer("o200k_base").count
    recorded = (CHECKOUT / "tests/fixtures/walkthrough/reply-dream.md").read_text()
    reads = writes = prompts = 0
    while True:
        prompt = reel("dream", "next", "--prompt").ok().out
        last = "## Where things stand" in prompt
        parts = recorded.partition("## The story goes on\n")
        # a second chapter is not the first once more
        story = parts[2] if not prompts else re.sub(r"\b(\w{4,})\b", lambda word: word[1][::-1], parts[2])
        head = f"## Which stretch\n{key_of(prompt)}\n\n{parts[1]}"
        told = story.replace(story[story.index("## ") :], recorded[recorded.index("## What was missed") :])
        answer = now(place=key_of(prompt)) if last else head + told
        reads, writes = reads + count(prompt), writes + count(answer)
        reel("dream", "next", "--reply", "-", "--yes", stdin=answer).ok()
        if last:
            break
        prompts += 1
    # Dream Weaver §10.2: the prompt for the shared context is among what it takes
    assert prompts == found["prompts"] == 2
    assert 0.75 < found["cost_usual"] / ((3 * reads + 15 * writes) / 1_000_000) < 1.25
    assert found["cost_most"] > found["cost"] > found["cost_usual"]


@pytest.mark.parametrize("window", ["8k", "16k"])
def test_up_to_is_a_bound_for_replies_as_long_as_asked_for_and_within_a_quarter(
    reel: Reel, window: str
) -> None:
    """Dream Weaver §10.2: say what a run costs."""
    reel("init", "ada", "--template", CHECKOUT / "kits/ada").ok()
    reel.cwd = reel.cwd / "ada"
    found = json.loads(
        reel("dream", "start", "--yes", "--window", window, "--price", "3/15", "--json").ok().out
    )
    count, dice = get_tokenizer("o200k_base").count, random.Random(7)  # noqa: S311 (a shuffle)
    prose = " ".join(page.read_text() for page in sorted((CHECKOUT / "docs").glob("[c-d]*.md")))
    pool = re.findall(r"[A-Z][a-z,;:’' -]{30,}\.", prose)

    def some(words: int) -> str:
        found: list[str] = []
        while len(found) < words:
            found += dice.choice(pool).split()
        return " ".join(found[:words]).rstrip(".,;:")

    reads = writes = 0
    while True:
        prompt = reel("dream", "next", "--prompt").ok().out
        last = "## Where things stand" in prompt
        asked = re.search(r"About ([\d,]+) words at most", prompt)
        most = int(asked[1].replace(",", "")) if asked is not None else 0
        story = "\n\n".join(some(80) + "." for _ in range(most // 80))
        missed = "\n".join(f"new: 2026-02-11 · Tomas · {some(12)}" for _ in range(6))
        facts = "\n".join(f"preference | {some(2)} | {some(11)} | sure | 2026-02-25" for _ in range(24))
        points = "\n".join(f"- 25 February: {some(16)}" for _ in range(9))
        here = {"The last 48 hours": points, "Where things stand": some(60) + "."}
        answer = (
            now(here, place=key_of(prompt))
            if last
            else reply_to(prompt, story, missed, f"{some(60)}.", facts)
        )
        reads, writes = reads + count(prompt), writes + count(answer)
        reel("dream", "next", "--reply", "-", "--yes", stdin=answer).ok()
        if last:
            break
    cost = (3 * reads + 15 * writes) / 1_000_000
    assert 1 <= found["tokens_in"] / reads < 1.25
    assert 1 <= found["tokens_out"] / writes < 1.25
    assert 1 <= found["cost"] / cost < 1.25
    assert found["cost_usual"] < cost


def test_a_message_larger_than_any_batch_is_read_once_and_cut(reel: Reel, kit: Path) -> None:
    reel("config", "window", "8k").ok()
    long = " ".join(f"the {n} loaves of oat and rye went out to table {n * 7}" for n in range(1_200))
    said = [("user", "Good morning, Ada."), ("assistant", "Good morning."), ("user", long)]
    say(reel, kit, [*said, ("assistant", "That was a long list."), ("user", "It was.")])
    asked = json.loads(reel("dream", "start", "--yes", "--json").ok().out)
    count = get_tokenizer("o200k_base").count
    reads = prompts = 0
    while True:
        prompt = reel("dream", "next", "--prompt").ok().out
        reads += count(prompt)
        if "## Where things stand" in prompt:
            break
        prompts += 1
        answer = reply_to(prompt, told_of(prompts * 30))
        reel("dream", "next", "--reply", "-", "--yes", stdin=answer).ok()
        if prompts == 2:
            halfway = reel("dream", "status").ok()
            left = re.search(r"([\d,]+) left", halfway.out + halfway.err)
    assert count(long) > 8_192
    # a cut message is read: its other half does not come
    assert left is not None
    assert int(left[1].replace(",", "")) < 100
    assert asked["prompts"] == prompts == 3
    # replies as short as these leave fewer notes than those that were asked for
    assert 0.75 < asked["tokens_in"] / reads < 1.5


def test_what_is_written_at_a_large_window_is_within_a_quarter() -> None:
    # tokens of the stretches and replies of a dream of 551 chats, batch by batch
    lived = [(111_000, 3_655), (110_000, 3_439), (111_000, 3_392), (111_000, 2_717), (46_000, 3_055)]
    # their prompts asked for 1,200 words at most, as those of a window of 64k do
    assert words_for(65_536) == 1_200
    assert all(longest_for(said, 65_536) > written for said, written in lived)
    told = sum(longest_for(said, 65_536) for said, _ in lived)
    assert told / sum(written for _, written in lived) < 1.25


@pytest.mark.parametrize("language", ["Russian", "Chinese", "Arabic", "Japanese"])
def test_a_language_whose_words_have_more_tokens_is_foretold_more(
    reel: Reel, kit: Path, language: str
) -> None:
    say(reel, kit, [("user", SENTENCES[language]), ("assistant", SENTENCES[language])])
    found = json.loads(reel("dream", "start", "--dry-run", "--window", "8k", "--json").ok().out)
    assert found["tokens_out"] > 1.35 * longest_for(200, 8_192)


PROSE, CHINESE = SENTENCES["English"] + " ", SENTENCES["Chinese"]
CODE = base64.b64encode(random.Random(3).randbytes(60_000)).decode()  # noqa: S311 (nothing secret)
LONG = {
    "code": CODE,
    "one letter": "a" * 60_000,
    "Chinese": CHINESE * 300,
    "code, then prose": CODE[:3_000] + PROSE * 45,
    "prose, then code": PROSE * 500 + CODE,
}


@pytest.mark.parametrize("kind", LONG)
def test_one_long_message_without_spaces_is_estimated_and_told_by_its_ends(
    reel: Reel, kit: Path, kind: str
) -> None:
    snapshot = Snapshot(WorkTree(kit), "ada")
    count = get_tokenizer(snapshot.settings.tokenizer).count
    say(reel, kit, [("user", LONG[kind]), ("assistant", "So much.")])
    (sizes,) = find_left(snapshot, CURSOR).sizes.values()
    exact = count(LONG[kind])
    assert 0.93 * exact < sizes[1] < 1.07 * exact
    reel("dream", "start", "--yes", "--window", "3k").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    told = prompt.partition("=== What was said ===")[2].partition("=== The end")[0]
    begin, _, end = re.split(r"\[… ([\d,]+ (?:words|characters) left out here) …\]", told)
    assert (LONG[kind][:100] in begin, LONG[kind].strip()[-100:] in end) == (True, True)
    assert (count(prompt) < 3_000, count(told) > 400) == (True, True)
