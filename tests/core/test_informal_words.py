"""Informal English is read as it is meant, and words that only look like it are left alone."""

import pytest

from reel_cli.core.informal_words import write_out


@pytest.mark.parametrize(
    ("informal", "meant"),
    [
        ("theyre late n im cold", "they're late and i'm cold"),
        ("ive told u, dont wait", "i've told you, don't wait"),
        ("cant, wont, didnt", "can't, won't, didn't"),
        ("Ur sister rang", "your sister rang"),
        ("gonna paint it tmrw cos it leaks", "going to paint it tomorrow because it leaks"),
        ("w/ olive oil, b4 noon", "with olive oil, before noon"),
        ("tea w/o milk, w/out sugar, w/c 3 june", "tea without milk, without sugar, w/c 3 june"),
        ("let n = 3\nu n me <3", "let n = 3\nyou and me <3"),
        ("busy rn, free tn", "busy right now, free tonight"),
        ("DONT", "DON'T"),
        # by what stands beside them
        ("its called harrow now", "it's called harrow now"),
        ("its 40 quid", "it's 40 quid"),
        ("oh, its really bad but its raining", "oh, it's really bad but it's raining"),
        ("ill bring the ladder", "i'll bring the ladder"),
        ("ok well see her sunday", "ok well see her sunday"),
        ("ok, well see her sunday", "ok, we'll see her sunday"),
        ("so id rather not", "so i'd rather not"),
        ("shell be fine", "she'll be fine"),
        ("were moving in june", "we're moving in june"),
    ],
)
def test_what_is_informal_is_written_out(informal: str, meant: str) -> None:
    assert write_out(informal) == meant


@pytest.mark.parametrize(
    "text",
    [
        "The dog hurt its leg.",
        "The firm and its growing user base lost its only oven, its 40 vans and its leading singer.",
        "passport: id number 4, and id card",
        "He rose late, as he was wont to do.",
        "She fell ill in March.",
        "They were at home, and all was well.",
        "The well ran dry.",
        "He showed his id at the door.",
        "A shell lay on the sand; what the hell.",
        "Knoxville TN, R. Crumb, N of the river, an IM from the RN",
        "tables that were not used, and you might as well get it done",
        "for n and r, where r = sqrt(n)",
        "def area(r): return [w for w in r]",
        "we wed in spring",
        "Ich bin im Haus und das ist gut.",
        "Le livre dont je parle est dans la cuisine.",
    ],
)
def test_a_real_word_stays(text: str) -> None:
    assert write_out(text) == text
