"""Judgements of a model on pages and their sources, in any shape."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack.recognize import find_prompt
from reel_cli.features.doctor.reply import (
    Doubt,
    PageVerdict,
    ShownPage,
    Verdict,
    read_doubting,
    render_doubting,
)

PAGES = (
    (
        "Gloves at noon",
        """## What happened

He told me his number was 555. The ferry to Turku leaves at noon tomorrow. He said "bring two gloves" and
laughed.
""",
    ),
    ("The letter", "Forty pages by the end of April. She read it sitting down, with her coat on.\n"),
)
NUMBER = "He told me his number was 555"
FERRY = "The ferry to Turku leaves at noon tomorrow"
SAID = "The ferry to Suomenlinna leaves at noon tomorrow"
CHANGED = Doubt(FERRY, Verdict.CHANGED, (SAID,))


def read(reply: str) -> list[PageVerdict]:
    found = read_doubting(reply, PAGES, prompt="the prompt", names=("Ada",))
    assert (found.problems, found.is_prompt, found.strangers) == ((), False, ())
    return list(found.pages)


SHAPES = {
    "as asked": f"""# Page 1: Gloves at noon
## What does not hold
"{NUMBER}." - made up
"{FERRY}." - changed - really said: "{SAID}"
# Page 2: The letter
## What does not hold
nothing

Ada""",
    "a table": f"""## Page 1
| Sentence | Verdict | Really said |
|---|:-:|---|
| {NUMBER}. | ❌ made up | — |
| {FERRY}. | ❌ changed | "{SAID}" |
| He said "bring two gloves" and laughed. | ✅ said | "bring gloves" |
## Page 2
| Sentence | Verdict |
|--|--|
| Forty pages by the end of April. | said |
""",
    "chatty": f"""Of course! I went through both pages.

**Page 1: Gloves at noon**

1. **"{NUMBER}."** — This was invented.
2. **"{FERRY}"** → changed. What he said is "{SAID}".
3. "He said "bring two gloves" and laughed." — said, roughly.

**Page 2: The letter**

Everything holds here, nothing was made up.

Hope this helps!
""",
    "nested": f"""### Page 1 – Gloves at noon
- Sentence: "{NUMBER}."
  - Verdict: made up
  - Really said: nothing of the kind
- Sentence: {FERRY}.
  Verdict: changed
  What was said: "{SAID}"

### Page 2 – The letter
All of it was said. In other words.""",
    "grouped": f"""# Page 1: Gloves at noon
**Made up:**
- "{NUMBER}."
**Changed:**
- "{FERRY}." He said: "{SAID}"
**What holds:**
- "He said bring two gloves and laughed."
# Page 2: The letter
**What does not hold:**
Nothing.""",
    "JSON": f"""```json
{{"pages": [{{"page": 1, "does_not_hold": [
  {{"sentence": "{NUMBER}.", "verdict": "made up", "really_said": null}},
  {{"sentence": "{FERRY}.", "verdict": "changed", "really_said": "{SAID}"}}]}},
 {{"page": 2, "does_not_hold": []}}]}}
```""",
    "thinking": f"""<think>
"{FERRY}" hmm # Page 2: The letter
</think>
# Page 1: Gloves at noon
"{NUMBER}" (made up)
"{FERRY}" (changed): "{SAID}"
# Page 2: The letter
none""",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_says_the_same(shape: str) -> None:
    first, second = read(SHAPES[shape])
    assert first.doubts == (Doubt(NUMBER, Verdict.MADE_UP, ()), CHANGED)
    assert second == PageVerdict(clear=True)


def test_what_is_listed_without_a_verdict_was_not_said() -> None:
    first, second = read(f'# Page 1\n- "{NUMBER}"\n# Page 2\n- "She read it sitting down"\n')
    assert first.doubts == (Doubt(NUMBER, Verdict.NOT_SAID, ()),)
    assert second.doubts == (Doubt("She read it sitting down", Verdict.NOT_SAID, ()),)


def test_nothing_but_is_not_nothing() -> None:
    first, _ = read(f'# Page 1\nNothing is made up, except "{NUMBER}"\n# Page 2\nnothing\n')
    assert [doubt.words for doubt in first.doubts] == [NUMBER]


def test_what_is_about_no_words_of_the_page_is_no_doubt() -> None:
    first, second = read("# Page 1\n- Something about a cat is off.\n# Page 2\n\n")
    assert first == PageVerdict(
        why="it quotes no words of the page", remarks=("Something about a cat is off.",)
    )
    assert second == PageVerdict(why="it did not come back")


def test_words_that_were_said_are_no_doubt_where_the_sentence_is_of_no_page() -> None:
    """The model doubts a sentence that this page does not have, and quotes true words beside it."""
    gone = '"The whole town had moved to Stockholm by June"'
    first, _ = read(f'# Page 1\n{gone} - made up - really said: "bring two gloves"\n# Page 2\nnothing\n')
    assert first.doubts == ()
    assert first.remarks
    assert first.remarks[0].startswith(gone)


def test_half_a_reply_judges_half_the_pages() -> None:
    first, second = read(f'# Page 1: Gloves at noon\n"{NUMBER}" - made up\n')
    assert [doubt.words for doubt in first.doubts] == [NUMBER]
    assert second.why == "it did not come back"


def test_the_prompt_pasted_back_is_told() -> None:
    shown = [ShownPage("Gloves at noon", "1 March 2026", "A page.", "Ada: said.\n\n=====\n")]
    prompt = render_doubting("Ada", "You are Ada. {{name}}", shown)
    assert read_doubting(prompt, [("Gloves at noon", "A page.")], prompt=prompt, names=()).is_prompt


def test_the_prompt_is_known_for_reels_own_in_a_chat() -> None:
    shown = [ShownPage("Gloves at noon", "", "A page.", "Ada: So.\n=====\n")]
    prompt = render_doubting("Ada", "You are Ada. {{name}}", shown)
    assert "{{name}}" in prompt  # what is the kit's stays as it is
    assert "====== Page 1: Gloves at noon ======" in prompt
    assert find_prompt(f"Here:\n{prompt}\nThanks") == (6, 5 + len(prompt))
    assert find_prompt(prompt.replace("held against", "kept from")) is None


WORDS = st.sampled_from(
    [
        NUMBER,
        FERRY,
        SAID,
        "# Page 1",
        "# Page 2",
        "nothing",
        '"',
        "|",
        "---",
        "- ",
        "\n",
        "; said: ",
        "→",
        "x: ",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS | st.text(max_size=8), max_size=30).map("".join))
def test_whatever_comes_only_words_of_the_page_are_doubted(reply: str) -> None:
    judged = read_doubting(reply, PAGES, prompt="the prompt", names=("Ada",)).pages
    assert len(judged) == len(PAGES)
    for one, (_, text) in zip(judged, PAGES, strict=True):
        assert bool(one.doubts) + one.clear + bool(one.why) == 1
        assert all(doubt.words in " ".join(text.split()) for doubt in one.doubts)


def test_a_very_long_line_is_read_in_time() -> None:
    lines = ["# Page 1", f'"{NUMBER}" - ' + "said " * 40_000, "-" * 50_000 + "x", "| " * 30_000]
    assert len(read("\n".join(lines))) == 2


def test_what_was_really_said_is_not_doubted_where_the_page_has_it_too() -> None:
    first, _ = read(
        '# Page 1\n- The title has Ada bring them; made up: Bo said "bring two gloves".\n# Page 2\nnothing\n'
    )
    assert first.doubts == ()
    assert "The title has Ada bring them" in first.remarks[0]
