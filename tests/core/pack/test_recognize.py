"""A bundle is found again in a chat message, whatever became of it on the way, and nothing else is."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack.budget import NoRoomError
from reel_cli.core.pack.build_bundle import BundleRequest, pack_snapshot
from reel_cli.core.pack.recognize import SIGNS, find_bundle
from tests.support.kits_at_random import Files, kits

FORMS = ("markdown", "text", "messages")


def bundle(name: str = "Ada", form: str = "markdown", *, refresh: bool = False) -> str:
    kit = Files(
        {"kit.yaml": f"name: {name}\n".encode(), "ring2/working.md": b'## State\n\n"Fine," she said.\n'}
    )
    since: dict[str, str] | None = {} if refresh else None
    return pack_snapshot(kit.snapshot(), BundleRequest(form=form, since=since)).text


def rest(message: str) -> tuple[str, str]:
    found = find_bundle(message)
    assert found is not None
    assert any(all(word in message.lower() for word in sign) for sign in SIGNS)
    return message[: found[0]], message[found[1] :]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["Ada", "Dr. Why (ret.)", "北斗", "a[b]*", "You"])
@pytest.mark.parametrize("refresh", [False, True])
def test_alone_in_a_message_it_is_all_of_it(form: str, name: str, *, refresh: bool) -> None:
    before, after = rest(bundle(json.dumps(name), form, refresh=refresh))
    assert (before, after.strip()) == ("", "")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("refresh", [False, True])
def test_what_stands_around_it_stays(form: str, *, refresh: bool) -> None:
    message = f"Read this.\n\n{bundle(form=form, refresh=refresh)}\n\nNow, where were we?"
    before, after = rest(message)
    assert (before.strip(), after.strip()) == ("Read this.", "Now, where were we?")


@pytest.mark.parametrize(
    "bend",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n\n", "\n"),
        lambda text: " ".join(text.split()),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
        lambda text: text.replace("'", "’").replace('"', "“"),
        lambda text: text.replace("#", "").replace("*", ""),
        lambda text: text.replace("who you are, how", "who you\n  are, how"),
        lambda text: text.upper(),
    ],
)
@pytest.mark.parametrize("refresh", [False, True])
def test_it_is_found_however_a_chat_bends_it(bend: object, *, refresh: bool) -> None:
    assert callable(bend)
    message = f"Hello.\n\n{bend(bundle(refresh=refresh))}\n\nAnd now?"
    before, after = rest(message)
    assert (before.strip(), after.strip()) == ("Hello.", "And now?")


def test_where_its_end_was_cut_off_it_reaches_to_the_end() -> None:
    text = bundle()
    assert rest(text[: len(text) // 2]) == ("", "")


def test_of_two_the_first_is_found_and_then_the_second() -> None:
    text = f"{bundle()}And again:\n\n{bundle(form='text')}"
    found = find_bundle(text)
    assert found is not None
    second = find_bundle(text[found[1] :])
    assert second is not None
    assert text[found[1] :][: second[0]].strip() == "And again:"


@pytest.mark.parametrize(
    "message",
    [
        "",
        "You are Ada. What follows is yours?",
        "That is all you carry with you, Ada. From here on, it is happening now.",
        "# Ada\n\n## Who you are\n\nYou are Ada.",
        "You are " * 5_000,
        "You are Ada." + " " * 200_000 + "What",
    ],
)
def test_what_people_say_is_no_bundle(message: str) -> None:
    assert find_bundle(message) is None


@given(kits(most=5), st.sampled_from(FORMS), st.text(max_size=80), st.text(max_size=80))
@settings(max_examples=60, deadline=None)
def test_any_bundle_is_found_whole(kit: Files, form: str, before: str, after: str) -> None:
    try:
        text = pack_snapshot(kit.snapshot(), BundleRequest(window=16_384, form=form)).text
    except NoRoomError:
        return
    found = find_bundle(f"{before}\n\n{text}\n\n{after}")
    assert found is not None
    start, end = found
    lead = len(before) + 2
    assert start <= lead + 2
    assert f"{before}\n\n"[:start].startswith(before.rstrip(" \t>#*_\n"))
    assert end >= lead + len(text.rstrip())


LAST = "That is all you carry with you, Ada. From here on, it is happening now."


@pytest.mark.parametrize("quoted", ["", "> "])
def test_words_in_it_that_repeat_its_last_line_do_not_end_it(quoted: str) -> None:
    whole = bundle().replace("## State\n", f"## State\n\n> {LAST}\n\n- {LAST}\n")
    assert whole.count(LAST) == 3
    pasted = "".join(f"{quoted}{line}\n" for line in whole.splitlines())
    assert rest(f"{pasted}\nHello.")[1].strip() == "Hello."


def test_one_that_was_made_before_such_words_were_quoted_ends_with_the_first() -> None:
    whole = bundle().replace("## State\n", f"## State\n\n{LAST}\n")
    assert rest(whole)[0] == ""


def test_a_bundle_that_was_cut_off_reaches_to_the_end_whatever_was_said_in_it() -> None:
    cut = bundle().replace("## State\n", f"## State\n\n> {LAST}\n").partition("she said")[0]
    assert rest(cut) == ("", "")
