"""The part of the table of commands that belongs to the screens of a review."""

from __future__ import annotations

from memview.app.command import Command

REVIEW: tuple[Command, ...] = (
    # inbox
    Command(
        "inbox.accept", ("a",), "Accept", "Notes that the fact is right as it is, and goes to the next.", "inbox",
        label="accept", rank=1, need="edit", scenes=("inbox",),
    ),
    Command(
        "inbox.forget", ("d",), "Forget", "Hides the fact from agents, and goes to the next.", "inbox",
        label="forget", rank=2, need="edit", scenes=("inbox",),
    ),
    Command(
        "inbox.edit", ("e",), "Edit", "Edits the fact; once it is saved, the next comes.", "inbox", label="edit",
        rank=3, need="edit", scenes=("inbox",),
    ),
    Command(
        "inbox.restore", ("r",), "Put back", "Puts back the old text, or what an agent forgot.", "inbox",
        label="put back", rank=4, need="edit", scenes=("inbox",),
    ),
    Command(
        "inbox.merge", ("m",), "Merge", "Merges the fact into the one that is already there.", "inbox", label="merge",
        rank=4, need="edit", scenes=("inbox",),
    ),
    Command(
        "inbox.pin", ("p",), "Accept and pin", "Accepts the fact and keeps it from being pruned.", "inbox",
        label="pin", rank=7, need="edit", scenes=("inbox",),
    ),
    Command(
        "inbox.later", ("j",), "Later", "Leaves the fact in the inbox, and goes to the next.", "inbox", label="later",
        rank=5, scenes=("inbox",),
    ),
    Command(
        "inbox.back", ("k",), "Back to the last put off", "Goes back to the fact that was put off last.", "inbox",
        scenes=("inbox",),
    ),
    Command(
        "inbox.origin", ("o",), "Origin", "Shows the turn that the fact came from.", "inbox", label="origin", rank=8,
        scenes=("inbox",),
    ),
    Command(
        "inbox.accept_rest", ("A",), "Accept the rest",
        "Accepts the rest of this session after y; what wants a second look is left out.", "inbox",
        label="accept rest", rank=8, need="edit", scenes=("inbox",),
    ),
    Command(
        "inbox.forget_rest", ("D",), "Forget the rest", "Forgets the rest of this session after y.", "inbox",
        label="forget rest", rank=9, need="edit", scenes=("inbox",),
    ),
    Command(
        "inbox.alike", ("down", "up"), "Another one alike",
        "Chooses among the facts that are already there, to merge into.", "inbox", palette=False, scenes=("inbox",),
    ),
    Command(
        "inbox.secret", ("exclamation_mark",), "Show its secret", "Shows the secret that stands masked, or hides it.",
        "inbox", scenes=("inbox",),
    ),
    Command(
        "inbox.session_previous", ("left_square_bracket",), "Previous session", "To the session above.", "inbox",
        scenes=("inbox",),
    ),
    Command(
        "inbox.session_next", ("right_square_bracket",), "Next session", "To the session below.", "inbox",
        scenes=("inbox",),
    ),
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
