"""Texts that command the agent rather than state something: what an injected instruction looks like once remembered.

The rule, stated so that it can be judged. A text commands when it does one of these:

1. it sets instructions aside: *ignore, disregard, forget, override* within a few words of *instructions, rules, prompt*
   or *guidelines*;
2. it speaks as the frame around a conversation does: role markers such as ``<|im_start|>``, ``[INST]``, ``<system>``,
   or a line that begins with ``system:``;
3. it tells a reader who it is or what it must do: *you are now*, *act as*, *from now on, always*, *you must never*,
   *do not tell the user*;
4. it orders something sent out: a sentence that begins with *send, forward, post, upload, email* and names an address.

A preference in the imperative (*Never deploy on Friday*) is none of these.
"""

from __future__ import annotations

import re

_SENTENCE = r"(?:^|[.!?:;\n]\s*|\bplease\s+)"
_RULES = (
    r"\b(?:ignore|disregard|forget|override|bypass)\b(?:\W+\w+){0,4}?\W+"
    r"(?:instructions?|rules|prompts?|guidelines|directives|guardrails)\b",
    r"<\|?(?:im_start|im_end|system|assistant|endoftext)\b|\[/?INST\]|<<SYS>>|</?memory-context>|^\s*#{0,3}\s*system\s*:",
    rf"{_SENTENCE}(?:you are now|you are no longer|act as (?:an?|the|if)|pretend (?:to be|you are))\b"
    rf"|{_SENTENCE}new instructions?:"
    r"|\bfrom now on,? (?:you|always|never|respond|reply|answer|only)\b"
    rf"|{_SENTENCE}you (?:must|shall|should) (?:always|never|not|only|ignore|reveal|obey)\b"
    r"|\b(?:do not|don't|never) (?:tell|inform|alert|(?:mention|reveal) (?:this|it) to) the (?:user|human)\b",
    rf"{_SENTENCE}(?:send|forward|post|upload|email|e-mail|exfiltrate|transmit|submit)\b[^.!?\n]{{0,120}}"
    r"(?:https?://|\b[\w.+-]+@[\w-]+\.\w)",
)
_ORDER = re.compile("|".join(f"(?:{rule})" for rule in _RULES), re.IGNORECASE | re.MULTILINE)
_TELLING = (
    "ignor", "disregard", "forget", "overrid", "bypass", "<", "inst]", "system", "you ", "act as", "pretend", "now on",
    "instruction", "the user", "the human", "send", "forward", "post", "upload", "mail", "exfil", "transmit", "submit",
)  # fmt: skip
"""One of these is in every text that commands."""


def commands(text: str) -> bool:
    """Whether a text commands the agent rather than states something, by the rule of this module."""
    lowered = text.lower()
    return any(word in lowered for word in _TELLING) and _ORDER.search(text) is not None
