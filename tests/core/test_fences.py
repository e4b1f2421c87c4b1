from reel_cli.core.blockquote import fenced_lines


def marks(text: str) -> str:
    return "".join("x" if fenced else "." for fenced in fenced_lines(text.split("\n")))


def test_a_block_is_marked_with_its_fences() -> None:
    assert marks("a\n```py\nb\n```\nc") == ".xxx."
    assert marks("~~~\n```\n~~~") == "xxx"


def test_only_a_fence_as_long_and_bare_closes() -> None:
    assert marks("````\n```\n````\nb") == "xxx."
    assert marks("```\n```py\n```\nb") == "xxx."


def test_a_fence_that_is_never_closed_opens_nothing() -> None:
    assert marks("a\n```\nb") == "..."


def test_code_within_a_line_is_no_fence() -> None:
    assert marks("```a``` is code\nb\n```\nc\n```") == "..xxx"
