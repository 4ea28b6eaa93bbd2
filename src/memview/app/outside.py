"""A text in the person's own editor, as ``$VISUAL`` or ``$EDITOR`` names it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memview.memory import state
from memview.text import one_line

AT_ONCE = 1.0
"""Seconds under which an editor that changed nothing cannot have waited for anybody."""


@dataclass(frozen=True, slots=True)
class Back:
    """How an editor came back."""

    text: str | None
    """The new text; None where the old one is kept."""
    sentence: str = ""
    """Why the old one is kept; safe to show."""


def command(environment: Mapping[str, str]) -> list[str]:
    """The editor with its arguments; empty when none is named.

    Raises:
        ValueError: it is named and cannot be read; the message says why.
    """
    for name in ("VISUAL", "EDITOR"):
        line = environment.get(name, "").strip()
        if line:
            try:
                return shlex.split(line)
            except ValueError as error:
                raise ValueError(f"${name} cannot be read: {str(error).lower()}") from error
    return []


def edited(editor: list[str], text: str, store: Path) -> Back:
    """Open a text in an editor and wait for it to end.

    The file lies in memview's folder for the store, for this user alone, and is removed afterwards with all that the
    editor left beside it.

    Args:
        editor: the editor with its arguments.
        text: the text.
        store: the store that it is from.
    """
    folder = Path(tempfile.mkdtemp(prefix="editing-", dir=state.folder(store, make=True)))
    try:
        file = folder / "fact.txt"
        file.touch(mode=0o600)
        file.write_bytes(text.encode(errors="surrogatepass"))
        return _run([*editor, str(file)], file, text)
    finally:
        shutil.rmtree(folder)


def _run(call: list[str], file: Path, text: str) -> Back:
    name = one_line(Path(call[0]).name, 40)
    started = time.monotonic()
    try:
        code = subprocess.run(call, check=False).returncode
    except OSError as error:
        return Back(None, f"{name} could not be started: {(error.strerror or str(error)).lower()} · the text is kept")
    if code:
        ended = f"ended with exit code {code}" if code > 0 else f"was ended by signal {-code}"
        return Back(None, f"{name} {ended} · the text is kept as it was")
    if not file.is_file():
        return Back(None, f"{name} left no file behind · the text is kept as it was")
    return _read(name, file.read_bytes(), text, time.monotonic() - started)


def _read(name: str, data: bytes, text: str, took: float) -> Back:
    try:
        new = data.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return Back(None, f"{name} saved it in another encoding than UTF-8 · the text is kept as it was")
    if not text.endswith("\n"):
        new = new.removesuffix("\n").removesuffix("\r")
    if not new.strip():
        return Back(None, f"{name} left the file empty · the text is kept as it was")
    if new != text:
        return Back(new)
    if took < AT_ONCE:
        return Back(None, f"{name} came back at once, nothing changed · some editors need an option to wait (--wait)")
    return Back(None, "nothing changed")
