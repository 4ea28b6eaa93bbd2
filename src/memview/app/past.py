"""What a change did, in words and as a difference of texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from textual.content import Content

from memview.memory.looking import ChangeRow, verb
from memview.text import one_line, visible

COMPARED = 4_000
"""Up to how many characters two texts are compared word by word."""
_AROUND = 6
"""How many equal words are kept on each side of a difference."""
_UNTOLD = ("version", "updated_at", "last_accessed_at", "hash", "strength", "access_count", "n", "turns")
_PLAIN = {
    "forget": "forgot it", "restore": "brought it back", "pin": "pinned it", "unpin": "unpinned it",
    "prune": "set it aside", "consolidate": "united it with others",
}  # fmt: skip
_STATUS = {
    "forgotten": "forgot it", "superseded": "superseded it", "pruned": "set it aside", "active": "made it active again",
}  # fmt: skip
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


def history_lines(change: ChangeRow) -> list[Content]:
    """What a change did: one line, and one for each text that differs."""
    before, after = change.before or {}, change.after or {}
    changed = [column for column in before if column not in _UNTOLD]
    what, rest = _deed(change, changed, before)
    lines = [_value(column, before[column], after.get(column), after is not None) for column in rest]
    short = [line for line, _ in lines]
    words = ", ".join(filter(None, [what, *short]))
    return [Content.assemble((words, "text")), *(diff for _, diff in lines if diff is not None)]


def _deed(change: ChangeRow, changed: list[str], before: dict[str, Any]) -> tuple[str, list[str]]:
    """The deed in words, and the changed columns that still need words."""
    deed = verb(change.action)
    if change.op == "insert":
        return ("put it back" if deed in ("undo", "redo") else "wrote it"), []
    if change.op in ("delete", "erase"):
        return ("erased it" if change.op == "erase" else "removed it"), []
    if deed in _PLAIN and set(changed) <= {"status", "pinned"}:
        return _PLAIN[deed], []
    if deed in ("undo", "redo"):
        return ("took it back" if deed == "undo" else "did it again"), [
            c for c in changed if c not in ("status", "pinned")
        ]
    if not changed:
        return ("added a source" if "turns" in before else "changed it"), []
    return "", changed


def _value(column: str, old: Any, new: Any, known: bool) -> tuple[str, Content | None]:
    """One changed column in words, and the difference where it is a text."""
    if column == "content":
        return "changed the text", text_difference(old, new)
    if column == "status":
        return _STATUS.get(str(new), f"status {_shown(new)}"), None
    if column == "pinned":
        return ("pinned it" if new else "unpinned it"), None
    if column in ("tags", "keywords"):
        return f"{column} {_list_difference(old, new)}", None
    if column == "metadata":
        return "changed metadata", None
    return f"{column.replace('_', ' ')} {_shown(old)} → {_shown(new)}", None


def text_difference(old: Any, new: Any) -> Content | None:
    """Two texts as one: what went is struck in ``[-…-]``, what came underlined in ``{+…+}``."""
    if not isinstance(old, str) or not isinstance(new, str):
        return Content.assemble((f"{_shown(old)} → {_shown(new)}", "muted"))
    if max(len(old), len(new)) > COMPARED:
        return Content.assemble((f"{len(old):,} → {len(new):,} characters", "muted"))
    return Content.assemble(*_pieces(_WORD.findall(visible(old)), _WORD.findall(visible(new))))


def _pieces(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    """The stretches of a difference, each with the part it plays."""
    codes = _joined(SequenceMatcher(None, old, new, autojunk=False).get_opcodes(), old)
    for place, (tag, a, b, c, d) in enumerate(codes):
        if tag == "equal":
            yield _kept(old[a:b], place > 0, place < len(codes) - 1), "muted"
            continue
        yield from _marked("".join(old[a:b]), "[-", "-]", "gone")
        yield from _marked("".join(new[c:d]), "{+", "+}", "came")


def _marked(text: str, opening: str, closing: str, part: str) -> Iterator[tuple[str, str]]:
    """A stretch that went or came, with the blanks around it outside of its signs."""
    inner = text.strip()
    if not inner:
        yield from [(opening + text + closing, part)] if text else []
        return
    start = text.index(inner)
    yield from [(text[:start], "muted"), (opening + inner + closing, part), (text[start + len(inner) :], "muted")]


Code = tuple[str, int, int, int, int]


def _joined(codes: Sequence[Code], old: list[str]) -> list[Code]:
    """The same steps, with changes that only blanks part made one."""
    joined: list[Code] = []
    for tag, a, b, c, d in codes:
        blank = tag == "equal" and not "".join(old[a:b]).strip() and joined and (b, d) != codes[-1][2::2]
        changed = "replace" if blank or tag != "equal" else "equal"
        if joined and changed == "replace" and joined[-1][0] == "replace":
            joined[-1] = ("replace", joined[-1][1], b, joined[-1][3], d)
        else:
            joined.append((changed, a, b, c, d))
    return joined


def _kept(words: list[str], after: bool, before: bool) -> str:
    """An equal stretch, shortened to what stands next to the differences."""
    keep = 2 * _AROUND
    if len(words) <= keep * (after + before):
        return "".join(words)
    head = "".join(words[:keep]) if after else ""
    tail = "".join(words[-keep:]) if before else ""
    return f"{head}…{tail}"


def _list_difference(old: Any, new: Any) -> str:
    """Names that came and went: ``+x -y``."""
    was, now = _names(old), _names(new)
    signs = [f"+{one_line(name, 40)}" for name in now if name not in was]
    signs += [f"-{one_line(name, 40)}" for name in was if name not in now]
    return " ".join(signs) or "in another order"


def _names(value: Any) -> list[str]:
    try:
        parsed = json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return [_shown(value)]
    return [part if isinstance(part, str) else _shown(part) for part in parsed] if isinstance(parsed, list) else []


def _shown(value: Any) -> str:
    """A value in a few words."""
    if value is None or value == "":
        return "none"
    if isinstance(value, bytes):
        return f"{len(value):,} bytes"
    return one_line(f"{value:g}" if isinstance(value, float) else str(value), 60)
