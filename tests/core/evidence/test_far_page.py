"""A page that has little to do with its chat: said once, of the page as a whole."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reel_cli.core.evidence.grounding.check import count_unsaid
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.evidence.memory_check import find_far_page
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.memory import FIELDS, Level, Memory
from reel_cli.core.values.talk import Conversation, Message, SourceRange

CHAT = "2026-05-07-1"
ENGLISH = (
    "The mooring broke in the storm, and I mended it alone with a silver wire from the harbour radio.",
    "Then the boat is safe. Did the keeper of the lighthouse lend you a lantern, or was it dark?",
    "He lent me two, and we painted the hull blue on Friday. My cousin held the ladder for me.",
    "And the children carried the brushes to the pier, as they had promised. I am glad of it.",
)
GERMAN = (
    "Der Steg ist im Sturm gebrochen, und ich habe ihn allein mit Draht repariert.",
    "Dann ist das Boot sicher. Hat dir der Wärter eine Laterne geliehen, oder war es dunkel?",
)
SOUND = (
    "The mooring broke in the storm and he mended it alone, with silver wire from the radio. The keeper"
    " of the lighthouse lent him two lanterns. We painted the hull blue; a cousin held the ladder, and the"
    " children carried brushes to the pier."
)
INVENTED = (
    "He told me of the trial in Vienna, where Torvald was sentenced for a stolen violin. The judge wept, and"
    " the newspapers printed 340 letters of the widow. He wants to emigrate to Peru and breed llamas, and I"
    " begged him to finish his doctorate in botany before the winter term."
)


class Shelf:
    """A kit of one chat."""

    def __init__(self, said: Sequence[str]) -> None:
        turns = [Message(("user", "assistant")[n % 2], text) for n, text in enumerate(said)]
        talk = Conversation("t", turns, started=f"{CHAT[:10]}T19:00:00Z")
        self.files = {
            "kit.yaml": b"name: Ines\nuser: Tomas\n",
            f"tape/2026/{CHAT}.md": render_session(CHAT, talk),
        }

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return [path for path in self.files if path.startswith(folder)]


def page(text: str) -> Memory:
    memory = Memory(id="M-001", title="An evening", level=Level.L1, body=f"## {FIELDS[0]}\n\n{text}\n")
    return replace(memory, sessions=(CHAT,), source=(SourceRange(CHAT, 1, 4),))


@pytest.mark.parametrize(
    ("said", "text", "far"),
    [
        (ENGLISH, INVENTED, True),
        (ENGLISH, SOUND, False),
        # half of it is of the chat
        (ENGLISH, f"{SOUND} {SOUND} He told me of the trial in Vienna, where Torvald wept.", False),
        (ENGLISH, "He went to Vienna with Torvald.", False),
        # told in another language than it was said in
        (GERMAN, SOUND, False),
    ],
)
def test_a_page_is_far_from_its_chat_where_most_of_it_was_not_said(
    said: Sequence[str],
    text: str,
    far: bool,  # noqa: FBT001
) -> None:
    found = find_far_page(TapeEvidence(Snapshot(Shelf(said), "kit")), page(text), 3)
    assert (found is not None) == far
    if found is not None:
        assert "little to do with its chat" in found.what


@pytest.mark.parametrize(
    ("said", "memory", "other"),
    [
        (
            "妹の美咲が四月十二日に結婚するんだ。スピーチを書くけど、二年前に海で死んだ父のことが書けない。",
            "健太の妹の美咲が四月十二日に結婚する。スピーチを書くが、海で死んだ父のことが書けない。",
            "昨日は駅前の新しい喫茶店でケーキを三つも食べた。猫が窓から逃げて、近所の人が捕まえた。",
        ),
        (
            "我妹妹小雪四月十二日结婚，我对青霉素过敏，住在青岛，养了一只猫叫阿灰。",
            "小林说妹妹小雪四月十二日结婚，他对青霉素过敏，养了一只猫叫阿灰。",
            "昨天我们去了新开的咖啡馆，吃了三块蛋糕，老板的狗从窗户里跑了出去。",
        ),
        (
            "내 여동생 수진이가 사월에 결혼해. 아버지는 이 년 전에 바다에서 돌아가셨어.",
            "민수의 여동생 수진은 사월에 결혼한다. 아버지는 바다에서 돌아가셨다.",
            "어제 역 앞에 새로 생긴 카페에서 케이크를 세 개나 먹었다.",
        ),
    ],
)
def test_a_faithful_memory_in_any_script_has_its_words_from_its_chat(
    said: str, memory: str, other: str
) -> None:
    source = Source([look_at_turn(Turn(1, "Bo", said))])
    unsaid, words = count_unsaid(memory, source)
    assert unsaid * 10 <= words * 5
    unsaid, words = count_unsaid(other, source)
    assert unsaid * 10 >= words * 8
