"""The app breaking down: one sentence, a report, and no stored text on the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from memview import MemoryStore
from terminal import Terminal

_BREAKS = """
import sys
from pathlib import Path
from memview.app import app, run
app.MemviewApp.on_key = lambda self, event: {}["\\x1b]0;pwned\\x07"]
sys.exit(run(Path(sys.argv[1])))
"""


def test_it_is_said_in_one_sentence(path: Path) -> None:
    with MemoryStore(path) as store:
        store.memory("u").write("a secret fact")
    with Terminal([sys.executable, "-c", _BREAKS, path]) as terminal:
        terminal.wait_for("a secret fact")
        terminal.press("~")
        assert terminal.ended() == 1
        last = bytes(terminal.raw).rpartition(b"memview stopped because of")[2]
    assert b"a mistake of its own (KeyError" in b" ".join(last.split())
    assert b"secret" not in last
    assert b"pwned\x07" not in last
    (report,) = Path.home().glob(".local/state/memview/*/breakdown.txt")
    assert "Traceback" in report.read_text()
    assert report.stat().st_mode & 0o077 == 0
