"""Every key in every dialog of the browse screen: none is lost without a word, none reaches the screen beneath."""

from __future__ import annotations

import pytest
from textual.keys import key_to_character
from textual.widgets import Input, TextArea

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.dialog import Dialog
from memview.app.screens.help import KeysScreen
from memview.app.screens.menu import MenuScreen
from memview.app.screens.message import MessageScreen

pytestmark = pytest.mark.asyncio

LEAKING = (
    "d", "e", "a", "p", "t", "L", "u", "U", "space", "v", "asterisk", "j", "G", "z", "s", "slash", "colon", "1",
    "right_square_bracket", "i", "g", "ctrl+l", "ctrl+r", "backspace", "left", "f2",
)  # fmt: skip
"""Keys that would do something on the screen beneath."""
MEANT = ("down", "tab", "space", "enter", "f1", "q")
"""Keys that mean something in many dialogs, tried one by one."""

DIALOGS = {
    "Edit · user:42": ("e",),
    "Correct": ("c",),
    "Links": ("L",),
    "Link · user:42": ("L", "plus"),
    "Forget": ("asterisk", "d"),
    "Tags": ("t",),
    "Erase": ("g", "e"),
    "What you did": ("p", "g", "u"),
    "Neighbours": ("g", "n"),
    "Help": ("question_mark",),
    "Keys here": ("L", "f1"),
    "Filter by": ("f",),
}
"""The dialogs by what stands in them, with the keys that open them."""


@pytest.fixture
def linked(store: MemoryStore) -> MemoryStore:
    """A store with two facts that are linked, and a third one."""
    memory = store.memory("user:42")
    talk = store.conversation("s1", namespace="user:42").record("We ship on Tuesday", "Noted.")
    assert talk is not None
    window = memory.write("Deploy window is Tuesday", turns=[talk.id], session="s1", tags=["deploy"])
    never = memory.write("Never deploy on Friday")
    memory.link(window.id, never.id, "related")
    memory.write("Staging skips the window")
    return store


async def reach(driven: Driven, keys: tuple[str, ...]) -> Dialog[object]:
    """Open a dialog on the fact that has links."""
    await driven.press("escape", "escape")
    for key in ("2", "G", *keys):
        driven.send(key)
    await driven.settle()
    screen = driven.app.screen
    assert isinstance(screen, Dialog), keys
    return screen


async def leave(driven: Driven) -> None:
    """Back to the list by Esc alone, but where it is asked what becomes of what was typed."""
    for _ in range(4):
        if driven.app.screen is not driven.screen:
            await driven.press("d" if "Save what you changed?" in driven.text() else "escape")
    assert driven.app.screen is driven.screen


def beneath(driven: Driven) -> tuple[object, ...]:
    """What must not change on the screen beneath."""
    screen = driven.screen
    return screen.listing.view, screen.list.cursor_key, screen.spot, dict(screen.doing.bulk.marks.versions)


def means(dialog: Dialog[object], key: str) -> bool:
    """Whether a key does something in a dialog, besides being text."""
    chosen = [choice.key for choice in dialog.choices] if isinstance(dialog, MessageScreen) else []
    chosen += [key for item in dialog.items for key in item.keys] if isinstance(dialog, MenuScreen) else []
    return key in chosen or key in dialog.active_bindings


@pytest.mark.parametrize("name", DIALOGS)
async def test_every_key_in_every_dialog(linked: MemoryStore, opened: Open, name: str) -> None:
    async with opened() as driven:
        dialog = await reach(driven, DIALOGS[name])
        assert name in driven.text()
        before, typing = beneath(driven), isinstance(driven.app.focused, (Input, TextArea))
        for key in LEAKING:
            if not means(dialog, key) and not (typing and len(key_to_character(key) or "") == 1):
                driven.send(key)
        await driven.press("W")
        assert driven.app.screen is dialog
        assert beneath(driven) == before
        assert typing or name == "Erase" or "W does nothing here · ? keys" in driven.text()
        for key in filter(lambda key: means(dialog, key), MEANT):
            await driven.press(key)
            if driven.app.screen is not dialog:
                assert key != "f1" or isinstance(driven.app.screen, KeysScreen) or name in ("Help", "Keys here")
                await leave(driven)
                dialog = await reach(driven, DIALOGS[name])
        await driven.press("ctrl+c")
        assert driven.app.screen is not dialog
        assert "ctrl+c again quits" in driven.text()
        driven.send("ctrl+q")
        await driven.until(lambda: not driven.app.is_running)
    assert driven.app.return_code == 0
