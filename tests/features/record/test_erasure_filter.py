from reel_cli.core.tape.erasure.fingerprint import make_fingerprint
from reel_cli.core.tape.erasure.target import PurgeTarget
from reel_cli.core.tape.erasure.tombstones import CutSpan, cut_file
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.talk import PURGED, Conversation, Kind, Message
from reel_cli.features.record.erasure_filter import TombstonedSession, withhold

SESSION = "2026-02-10-1"
PATH = f"tape/2026/{SESSION}.md"
TALK = ("Hello there.", "4711", "Good to know that.", "My pin is 4711, remember it.", "I will.")


def talk(*texts: str, key: str | None = None, title: str | None = None) -> Conversation:
    messages = [Message("assistant" if i % 2 else "user", text) for i, text in enumerate(texts)]
    return Conversation("messages", messages, key, title)


def buried(conversation: Conversation, wanted: str, *, whole: bool = False) -> TombstonedSession:
    data, gone = cut_file(
        render_session(SESSION, conversation), PATH, CutSpan("p", PurgeTarget((wanted,)), whole)
    )
    session = parse_session(data, PATH)
    return TombstonedSession(session, gone, session.title)


def texts(conversation: Conversation) -> list[str]:
    return [message.text for message in conversation.messages]


def test_the_same_chat_comes_in_without_it() -> None:
    for key in (None, "lmstudio:1"):
        known = buried(talk(*TALK, key=key), "4711")
        found, count = withhold(talk(*TALK, "And more.", key=key), [known], ())
        assert texts(found) == [
            "Hello there.",
            PURGED,
            TALK[2],
            f"My pin is {PURGED}, remember it.",
            "I will.",
            "And more.",
        ]
        assert count == 2


def test_a_message_with_enough_of_its_words_is_known_anywhere() -> None:
    known = buried(talk(*TALK), "4711")
    found, _ = withhold(talk("Noted.", TALK[3]), [known], ())
    assert texts(found) == ["Noted.", f"My pin is {PURGED}, remember it."]


def test_a_line_that_came_since_has_it_no_more() -> None:
    chat = ("My sister is Ann Lind.", "Ann Lind, I will remember.", "Anna is another.")
    known = buried(talk(*chat), "Ann Lind")
    found, count = withhold(talk(*chat, "Ann  Lind's back. Ann LindX and Anna too.", "So."), [known], ())
    assert texts(found)[3:] == [f"{PURGED}'s back. Ann LindX and Anna too.", "So."]
    assert count == 3


def test_a_message_of_nothing_else_is_known_by_its_neighbours_alone() -> None:
    known = buried(talk(*TALK), "4711")
    for other in (("Hm.", "1234", "Well."), ("1234",), ("Hello there.", "1234", "Well.")):
        assert withhold(talk(*other), [known], ()) == (talk(*other), 0)
    found, count = withhold(talk("Hello there.", "4711", "Good to know that."), [known], ())
    assert (texts(found)[1], count) == (PURGED, 1)


def test_what_is_longer_than_what_went_is_another_message() -> None:
    known = buried(talk(*TALK), "4711")
    other = talk("Hello there.", "no", "x", "My pin is a very long story, remember it.")
    assert withhold(other, [known], ()) == (other, 0)


def test_another_chat_with_a_key_is_let_be() -> None:
    known = buried(talk(*TALK, key="lmstudio:1"), "4711")
    other = talk(*TALK, key="lmstudio:2")
    assert withhold(other, [known], ()) == (other, 0)


def test_a_purged_session_is_known_by_the_lengths_of_its_messages() -> None:
    known = buried(talk(*TALK, key="a:1", title="The pin"), "unused", whole=True)
    found, count = withhold(talk(*TALK, "More.", key="a:1", title="The pin"), [known], ())
    assert texts(found) == [PURGED] * 5 + ["More."]
    assert (found.title, count) == (PURGED, 5)


def test_another_chat_with_messages_as_long_as_those_of_a_purged_session_is_whole() -> None:
    known = buried(talk(*TALK), "unused", whole=True)
    other = talk("Morning!", "582", "Nice of you.", "I was at the sea, all day.", "Did you.")
    assert withhold(other, [known], ()) == (other, 0)
    assert texts(withhold(talk(*TALK), [known], ())[0]) == [PURGED] * 5


def test_what_hangs_on_a_message_is_withheld_too() -> None:
    first = Conversation(
        "messages",
        [
            Message("user", "Hi."),
            Message("assistant", "The pin 4711 it is, dear.", Kind.VERSION),
            Message("assistant", "Yes."),
        ],
        "a:1",
    )
    known = buried(first, "4711")
    found, _ = withhold(first, [known], ())
    assert texts(found) == ["Hi.", f"The pin {PURGED} it is, dear.", "Yes."]


def test_a_title_without_it_is_the_title_it_has() -> None:
    known = buried(talk(*TALK, key="a:1", title="About 4711 again"), "4711")
    found, count = withhold(talk("New.", key="a:1", title="About 4711 again"), [known], ())
    assert (found.title, count) == (f"About {PURGED} again", 0)
    found, _ = withhold(talk("New.", key="a:1", title="Something new"), [known], ())
    assert found.title == "Something new"


def test_a_print_takes_its_own_words_and_a_whole_one_the_message() -> None:
    text = "the spare key lies under the third blue pot behind the shed"
    span = make_fingerprint(text, "salt", whole=False)
    whole = make_fingerprint(text, "salt", whole=True)
    assert span is not None
    assert whole is not None
    assert texts(withhold(talk(f"So: {text}. Yes."), (), [span])[0]) == [f"So: {PURGED}. Yes."]
    assert texts(withhold(talk(f"{text}, and on."), (), [whole])[0]) == [PURGED]
    assert texts(withhold(talk(f"So: {text}."), (), [whole])[0]) == [f"So: {text}."]
