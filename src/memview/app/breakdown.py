"""What a person reads when the app itself breaks: one sentence, and where the report lies.

Textual would print a traceback with the values of all variables, stored text among them, raw.
"""

from __future__ import annotations

import os
import traceback
from pathlib import Path

from rich.text import Text

from memview.memory.state import folder
from memview.text import one_line


def told(store: Path, error: BaseException) -> Text:
    """Write the report of an error beside the other things kept about a store, and say so in words."""
    kind = one_line(f"{type(error).__name__}: {error}", 160)
    sentence = f"memview stopped because of a mistake of its own ({kind}). What was saved is safe."
    try:
        report = folder(store, make=True) / "breakdown.txt"
        descriptor = os.open(report, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(traceback.format_exception(error))
    except OSError as unwritten:
        return Text(f"{sentence} No report could be written: {unwritten.strerror}.")
    return Text(f"{sentence} The report is {one_line(str(report))}.")
