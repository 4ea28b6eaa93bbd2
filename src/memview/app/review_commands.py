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
    # prune
    Command(
        "prune.all", ("d",), "Prune all listed", "Sets aside all that are listed and not left out, after y.", "prune",
        label="prune these", rank=1, need="writable", scenes=("prune",),
    ),
    Command(
        "prune.leave", ("space",), "Leave this one out", "Leaves the fact out, or takes it in again.", "prune",
        label="leave out", rank=2, scenes=("prune",),
    ),
    Command(
        "prune.rule", ("slash",), "Change the rule", "Goes to the rule, which is a search.", "prune", label="rule",
        rank=3, scenes=("prune",),
    ),
    Command(
        "prune.list", ("enter",), "To the list", "From the rule to what it would set aside.", "prune", ("search",),
        "list", 1, palette=False, scenes=("prune",),
    ),
    Command(
        "prune.previous", ("left_square_bracket",), "The rule before", "Takes the rule before: faded, never recalled, "
        "old.", "prune", scenes=("prune",),
    ),
    Command(
        "prune.next", ("right_square_bracket",), "Another rule", "Takes the next rule: faded, never recalled, old.",
        "prune", label="other rule", rank=4, scenes=("prune",),
    ),
    Command(
        "prune.accepted", ("A",), "Accepted ones too", "Prunes what a person accepted too, or keeps it again.",
        "prune", scenes=("prune",),
    ),
    Command(
        "prune.edited", ("E",), "Edited ones too",
        "Prunes what a person wrote, edited or corrected too, or keeps it again.", "prune", scenes=("prune",),
    ),
    Command(
        "prune.origin", ("o",), "Origin", "Goes to the turn that the fact came from.", "prune", label="origin", rank=5,
        scenes=("prune",),
    ),
    Command(
        "prune.sort", ("s",), "Sort", "The next order: weakest, least important, newest, oldest first.", "prune",
        label="sort", rank=6, scenes=("prune",),
    ),
    # duplicates
    Command(
        "duplicates.merge", ("m",), "Merge into this", "Merges the others into the chosen fact.",
        "duplicates", label="merge", rank=1, need="edit", scenes=("duplicates",),
    ),
    Command(
        "duplicates.only", ("M",), "Keep only this", "Keeps the chosen fact as it is, and forgets the others.",
        "duplicates", label="keep only", rank=2, need="edit", scenes=("duplicates",),
    ),
    Command(
        "duplicates.apart", ("n",), "Not alike",
        "Notes that the chosen fact is no duplicate of the others, which are not offered with it again.", "duplicates",
        label="not alike", rank=3, need="edit", scenes=("duplicates",),
    ),
    Command(
        "duplicates.all", ("A",), "Merge all equal groups",
        "Merges every group of equal texts; the count and some of them are shown first, and y agrees.", "duplicates",
        need="writable", scenes=("duplicates",),
    ),
    Command(
        "duplicates.edit", ("e",), "Edit and merge", "Edits the chosen fact; saving merges the others into it.",
        "duplicates", label="edit", rank=4, need="edit", scenes=("duplicates",),
    ),
    Command(
        "duplicates.origin", ("o",), "Origin", "Shows the turns that the chosen fact came from.", "duplicates",
        scenes=("duplicates",),
    ),
    Command(
        "group.next", ("right_square_bracket",), "Later, to the next", "Leaves it undecided, and goes to the next.",
        "groups", label="later", rank=5, scenes=("duplicates", "conflicts"),
    ),
    Command(
        "group.previous", ("left_square_bracket",), "To the one before", "Goes to the one before.", "groups",
        scenes=("duplicates", "conflicts"),
    ),
    # conflicts
    Command(
        "conflicts.holds", ("m",), "This holds", "The chosen fact holds, and the other is superseded.", "conflicts",
        label="this holds", rank=1, need="edit", scenes=("conflicts",),
    ),
    Command(
        "conflicts.both", ("n",), "Both hold", "Notes that both hold; they are not offered again.", "conflicts",
        label="both hold", rank=2, need="edit", scenes=("conflicts",),
    ),
    Command(
        "conflicts.edit", ("e",), "Edit", "Edits the chosen fact; then the pair is looked at again.", "conflicts",
        label="edit", rank=4, need="edit", scenes=("conflicts",),
    ),
    Command(
        "conflicts.origin", ("o",), "Origin", "Shows the turns that the chosen fact came from.", "conflicts",
        label="origin", rank=6, scenes=("conflicts",),
    ),
    Command(
        "conflicts.left", ("h", "left"), "The newer", "Chooses the newer fact.", "conflicts", palette=False,
        scenes=("conflicts",),
    ),
    Command(
        "conflicts.right", ("l", "right"), "The older", "Chooses the older fact.", "conflicts", palette=False,
        scenes=("conflicts",),
    ),
    # health
    Command(
        "health.records", ("l", "right"), "To the records", "From a number to the records it counts.", "health",
        label="records", rank=2, scenes=("health",),
    ),
    Command(
        "health.numbers", ("h", "left"), "To the numbers", "From the records back to the numbers.", "health",
        scenes=("health",),
    ),
    Command(
        "health.kind", ("right_square_bracket", "left_square_bracket"), "Facts or turns",
        "Lists the turns that a number counts, or the facts.", "health", label="facts/turns", rank=3,
        scenes=("health",),
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
