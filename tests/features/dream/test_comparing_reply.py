"""Questions as people write them, and answers as models give them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.pack.recognize import find_prompt
from reel_cli.features.dream.comparing.reply import (
    MOST_QUESTIONS,
    read_answers,
    read_questions,
    render_questions,
)

ASKED = ("How is Lida?", "Where were we?", "And the bowl?")
PROMPT = render_questions("Ada", "Bo", ASKED)
GOOD = {1: "She reads.", 2: "At the kiln.\n\nI think.", 3: "Promised. 1. first 2. second"}


@pytest.mark.parametrize(
    "text",
    [
        "How is Lida?\nWhere were we?\nAnd the bowl?\n",
        "# What to ask\n\n- How is Lida?\n- Where were we?\n-   And the bowl?\n",
        "1. How is Lida?\n2) Where were we?\n3. And the bowl?",
        "Questions\n=========\n* How is Lida?\n\n* Where were we?\n---\n• And the  bowl?\n".replace(
            "Questions\n", ""
        ),
    ],
)
def test_a_file_of_questions_in_any_dress(text: str) -> None:
    assert read_questions(text) == ASKED


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There is no question in the file."),
        ("# Only a heading\n\n---\n", "There is no question in the file."),
        ("How?\n" + "x" * 601 + "\n", "Line 2 of the questions has 601 characters; 600 are the most."),
        ("How\x1b[31m red?\n", "Line 1 of the questions holds control codes."),
        ("How \u202e red?\n", "Line 1 of the questions holds control codes."),
        ("How?\n\n- How?\n", "Line 3 of the questions asks the same as line 1."),
        ("How?\n???\n", "Line 2 of the questions has no word in it."),
        (
            "\n".join(f"Question {n}?" for n in range(MOST_QUESTIONS + 1)),
            "61 questions are more than a chat can answer at once.",
        ),
    ],
)
def test_what_is_no_file_of_questions_is_refused(text: str, message: str) -> None:
    with pytest.raises(ReelError) as refused:
        read_questions(text)
    assert refused.value.message == message


def test_the_questions_are_put_as_one_of_reel_s_prompts() -> None:
    assert find_prompt(f"Hello.\n{PROMPT}\nAnd?") == (7, 7 + len(PROMPT.rstrip("\n")))
    assert "## Question 2\nWhere were we?\n" in PROMPT
    odd = render_questions("{{user}}", "Bo {{x}}", ["What is {{name}}?"])
    assert "What is {{name}}?" in odd
    assert odd.startswith("{{user}}, here is what Bo {{x}} might say")


@pytest.mark.parametrize(
    "reply",
    [
        "## Question 1\n{1}\n\n## Question 2\n{2}\n\n## Question 3\n{3}\n\nAda\n",
        "Of course.\n\n**Question 1**\n\n{1}\n\n**Question 2:**\n{2}\n\n**Question 3** \n{3}\n\n*Ada*",
        "# Question 1: How is Lida?\n{1}\n# Question 2: Where were we?\n{2}\n# Question 3 And the bowl?\n{3}",
        "question 1\n{1}\nQUESTION 2\n{2}\nQuestion #3\n{3}\n",
        "Question 1: {1}\nQuestion 2.\n{2}\n---\n### Question 3\n---\n{3}\n---\n".replace(": {1}", "\n{1}"),
        "1. How is Lida?\n{1}\n\n2. Where were we?\n{2}\n\n3. And the bowl?\n{3}\n",
        "## 1\n{1}\n## 2\n{2}\n## 3\n{3}\n",
        "> ## Question 1\n> {1}\n>\n> ## Question 2\n> {2}\n>\n> ## Question 3\n> {3}\n",
        "<think>## Question 1\nHm.</think>\n## Question 1\n{1}\n## Question 2\n{2}\n## Question 3\n{3}\nAda",
        "## Question 1\nHow is Lida?\n\n{1}\n\n## Question 2\nWhere were we?\n{2}\n## Question 3\n{3}",
        PROMPT.replace("{", "{{").replace("}", "}}")
        + "\n## Question 1\n{1}\n## Question 2\n{2}\n## Question 3\n{3}\nAda",
    ],
)
def test_answers_in_any_dress(reply: str) -> None:
    told = reply
    for number, text in GOOD.items():
        quoted = text.replace("\n", "\n> ") if reply.startswith(">") else text
        told = told.replace(f"{{{number}}}", quoted)
    assert read_answers(told, ASKED, PROMPT, ("Ada",)) == GOOD


def test_an_answer_on_its_heading_s_line() -> None:
    told = "**Question 1:** She reads.\n## Question 2 - At the kiln.\n**Question 3**: Yes."
    assert read_answers(told, ASKED, PROMPT, ()) == {1: "She reads.", 2: "At the kiln.", 3: "Yes."}


def test_a_list_in_an_answer_is_no_answer_to_another_question() -> None:
    told = "## Question 1\nThree things:\n1. one\n2. two\n3. three\n\n## Question 3\n2. And this."
    assert read_answers(told, ASKED, PROMPT, ()) == {
        1: "Three things:\n1. one\n2. two\n3. three",
        3: "2. And this.",
    }


def test_an_answer_that_was_forgotten_stands_behind_the_others() -> None:
    late = "## Question 1\nShe reads.\n\n## Question 3\nYes.\n\n## Question 2\nAt the kiln.\n"
    whole = {1: "She reads.", 3: "Yes.", 2: "At the kiln."}
    assert read_answers(late, ASKED, PROMPT, ()) == whole
    assert read_answers(late.replace("Question 2", f"Question 2: {ASKED[1]}"), ASKED, PROMPT, ()) == whole
    # one that is there already, and one that is only spoken of, belong to what is said
    again = f"{late}## Question 1\nOr not.\n"
    assert read_answers(again, ASKED, PROMPT, ())[2].endswith("## Question 1\nOr not.")
    told = "## Question 2\nAt the kiln.\n**Question 1** was odd.\n## Question 3\nYes."
    assert set(read_answers(told, ASKED, PROMPT, ())) == {2, 3}


def test_what_is_not_there_or_empty_is_left_out() -> None:
    assert read_answers("## Question 1\n\n## Question 2\nYes.\nAda", ASKED, PROMPT, ("Ada",)) == {2: "Yes."}
    assert read_answers("", ASKED, PROMPT, ("Ada",)) == {}
    assert read_answers("I would rather not.", ASKED, PROMPT, ("Ada",)) == {}
    assert read_answers("She reads.\nAda", ASKED[:1], PROMPT, ("Ada",)) == {1: "She reads."}


def test_the_prompt_itself_is_no_answer() -> None:
    with pytest.raises(ReelError, match="This is the prompt"):
        read_answers(PROMPT, ASKED, PROMPT, ("Ada",))


PIECES = [
    "## Question 1",
    "Question 2:",
    "3.",
    "**",
    "\n",
    "\n\n",
    " ",
    "And the bowl?",
    "{",
    "<think>",
    "\u2028",
    "Ada",
    "»",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30))
@settings(max_examples=60, deadline=None)
def test_nothing_that_is_pasted_makes_it_stumble(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = read_answers(text, ASKED, PROMPT, ("Ada",))
    assert set(found) <= {1, 2, 3}
    assert all(answer.strip() for answer in found.values())
