"""A text in the person's own editor: whatever that does, the text is kept or it is said why not."""

from __future__ import annotations

import contextlib
import stat
import sys
from pathlib import Path

import pytest
from textual.app import App

from driving import Open
from memview import MemoryStore
from memview.app import outside
from memview.app.outside import Back, command, edited
from memview.memory import state


def script(folder: Path, body: str) -> list[str]:
    """An editor that runs a Python body; ``file`` is the path it was given."""
    path = folder / "my editor.py"
    path.write_text(f"import os, sys\nfrom pathlib import Path\nfile = Path(sys.argv[-1])\n{body}\n")
    return [sys.executable, "-S", str(path), "--wait"]


def test_the_editor_is_found_with_its_arguments() -> None:
    assert command({"VISUAL": "'/opt/my editor' -w", "EDITOR": "vi"}) == ["/opt/my editor", "-w"]
    assert command({"VISUAL": " ", "EDITOR": "vi"}) == ["vi"]
    assert command({}) == []
    with pytest.raises(ValueError, match="EDITOR cannot be read"):
        command({"EDITOR": "vi 'oops"})


@pytest.mark.parametrize("text", ["one line", "two\r\nlines\n", "tab\tand \x1b[31m and \ud800"])
def test_the_text_goes_out_and_comes_back_as_it_is(tmp_path: Path, path: Path, text: str) -> None:
    editor = script(tmp_path, "data = file.read_bytes(); file.write_bytes(b'X' + data + b'\\n')")
    wanted = "X" + text + ("\n" if text.endswith("\n") else "")
    assert edited(editor, text, path) == Back(wanted)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "came back at once, nothing changed"),
        ("file.write_text('new'); sys.exit(3)", "ended with exit code 3 · the text is kept as it was"),
        ("file.write_text('new'); os.kill(os.getpid(), 9)", "was ended by signal 9"),
        ("file.unlink()", "left no file behind"),
        ("file.write_text(' \\n')", "left the file empty"),
        ("file.write_bytes(b'\\xff\\xfe')", "in another encoding than UTF-8"),
    ],
)
def test_what_went_wrong_is_said_in_one_sentence(tmp_path: Path, path: Path, body: str, said: str) -> None:
    back = edited(script(tmp_path, body), "old", path)
    assert back.text is None
    assert said in back.sentence
    assert "\n" not in back.sentence


def test_an_editor_that_is_not_there_is_said(path: Path) -> None:
    back = edited(["/nowhere/vi\x1b"], "old", path)
    assert back == Back(None, r"vi\x1b could not be started: no such file or directory · the text is kept")


def test_an_editor_that_took_its_time_and_changed_nothing(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside, "AT_ONCE", 0.0)
    assert edited(script(tmp_path, ""), "old", path) == Back(None, "nothing changed")


def test_the_file_is_private_and_gone_afterwards(tmp_path: Path, path: Path) -> None:
    seen = tmp_path / "seen"
    body = f"Path({str(seen)!r}).write_text(f'{{file.stat().st_mode:o}} {{file.parent.stat().st_mode:o}}')"
    edited(script(tmp_path, body + "; (file.parent / 'fact.txt~').write_text('backup')"), "secret", path)
    modes = [stat.S_IMODE(int(mode, 8)) for mode in seen.read_text().split()]
    assert modes == [0o600, 0o700]
    assert list(state.kept(path)) == []


@pytest.mark.asyncio
async def test_it_is_saved_from_the_list(
    opened: Open, filled: MemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(App, "suspend", lambda app: contextlib.nullcontext())
    async with opened(size=(80, 24)) as driven:
        await driven.press("E")
        assert "no editor is named in VISUAL or EDITOR" in driven.status
        monkeypatch.setenv("EDITOR", "'oops")
        await driven.press("E")
        assert "EDITOR cannot be read" in driven.status
        monkeypatch.setenv("EDITOR", " ".join(f"'{part}'" for part in script(tmp_path, "sys.exit(1)")))
        await driven.press("E")
        assert "ended with exit code 1" in driven.status
        assert driven.app.screen is driven.screen
        script(tmp_path, "file.write_text('Users sign in by key\\n')")
        await driven.press("E")
        assert "saved 1 in user" in driven.status
        await driven.press("u")
        assert "took back the edit" in driven.status
