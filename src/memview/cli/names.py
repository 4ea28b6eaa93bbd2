"""The names of the commands, and where each is."""

from __future__ import annotations

OPEN = ""
"""The name under which the command that opens the app is kept; nobody can type it."""

COMMANDS = {
    OPEN: "opening.open_app",
    "demo": "opening.demo",
    "list": "searching.list_",
    "search": "searching.search",
    "recall": "recalling.recall",
    "show": "reading.show",
    "stats": "reading.stats",
    "history": "reading.history",
    "watch": "watching.watch",
    "edit": "editing.edit",
    "correct": "editing.correct",
    "link": "linking.link",
    "forget": "writing.forget",
    "restore": "writing.restore",
    "undo": "undoing.undo",
    "redo": "undoing.redo",
    "review": "reviewing.review",
    "prune": "pruning.prune_",
    "duplicates": "repeating.duplicates_",
    "conflicts": "opposing.conflicts_",
    "health": "health.health_",
    "doctor": "doctoring.doctor",
    "consolidate": "consolidating.consolidate",
    "erase": "erasing.erase",
    "export": "exchanging.export",
    "import": "exchanging.import_",
}
"""Where each command is: only that of the one that runs is imported, for the app's first rows wait for it."""
