"""The part of the table of commands that belongs to the screens of a review."""

from __future__ import annotations

from memview.app.command import Command

REVIEW: tuple[Command, ...] = (
    # what agents get
    Command(
        "agents.list", ("enter",), "To what is given", "From the message to what the agent gets for it.", "agents",
        ("search",), "list", 1, palette=False, scenes=("agents",),
    ),
    Command(
        "agents.ask", ("slash",), "Say something else", "Goes to the message, to type another one.", "agents",
        label="ask", rank=2, scenes=("agents",),
    ),
)  # fmt: skip
