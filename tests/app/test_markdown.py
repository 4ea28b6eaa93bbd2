"""Texts read as light Markdown in the detail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driving import Open
from memview import MemoryStore
from memview.app.markdown import blocks, inline
from memview.text import visible

TEXT = """# Deploys
- **Never** on *Friday*
  1. run `make ship`
> said Ana
```sh
make **all**
```
half **open and \x1b[31m"""


@pytest.mark.asyncio
async def test_a_text_is_shown_raw_or_as_markdown(store: MemoryStore, opened: Open) -> None:
    store.memory("a").write("Second thing, *later*")
    store.memory("a").write(TEXT)
    store.close()
    async with opened() as driven:
        detail = driven.screen.detail
        assert "- **Never** on *Friday*" in "\n".join(driven.lines(detail))
        await driven.press("R")
        shown = [line.strip() for line in driven.lines(detail)]
        for line in ("Deploys", "• Never on Friday", "1. run make ship", "│ said Ana", "make **all**"):
            assert line in shown
        assert "```" not in "\n".join(shown)
        assert any(line.startswith(visible("half **open and \x1b[31m")) for line in shown)
        await driven.press("j")
        assert driven.lines(detail)[0].strip() == "Second thing, later"
        await driven.press("R")
        assert driven.lines(detail)[0].strip() == "Second thing, *later*"


@pytest.mark.parametrize(
    "text", ["**open", "*open", "`open", "2 * 3 * 4", "** a **", "snake_case_name", "a*b*c", "****"]
)
def test_what_is_not_closed_stays(text: str) -> None:
    assert inline(text).plain == text


def test_code_keeps_its_marks_and_an_open_fence_is_no_code() -> None:
    assert inline("`**a**`").plain == "**a**"
    assert [block.content.plain for block in blocks("```\n# a")] == ["```", "a"]


@given(st.text("ab *`#>-1.~\n", max_size=60))
def test_nothing_but_marks_is_left_out(text: str) -> None:
    shown = "".join(block.content.plain for block in blocks(text))
    assert (
        [sign for sign in shown if sign in "ab"] == [sign for sign in text if sign in "ab"]
        or "```" in text
        or "~~~" in text
    )
