"""Texts that only hand back what was recalled: what a memory feeds an agent, learnt by it again as if it were new.

The rule, stated so that it can be judged. A text is an echo when it begins with a frame that belongs to remembering,
not to what is remembered:

1. the block in which memory is handed to a model, as ``<memory-context>``, or another tag named after memory;
2. a heading of recalled entries: ``Relevant memories:``, ``Recalled:``, ``[memory]``, ``From memory:``;
3. the agent speaking of its own memory: *I remember that*, *according to my memory*, *as noted in memory*, *the
   assistant remembers that*, *based on previous conversations, I know that*; also where somebody is said to have said
   it.

What a person remembers (*The user remembers her first school*) is none of these.
"""

from __future__ import annotations

import re

_TAG = r"<\s*/?\s*[\w-]*(?:memory|memories|recall)[\w-]*\b[^>]*>(?:\s*[^\n]*:\s*\n(?=\s*(?:[-*•]|\d+[.)])\s))?"
_BULLET = r"(?:[-*•]|\d{1,3}[.)])\s+|\[\d{4}-\d\d-\d\d\]\s+"
_SOMEBODY = r"(?:the\s+)?(?:user|human|assistant|agent|ai)"
_SAID = rf"{_SOMEBODY}\s+(?:said|says|mentioned|noted|stated|told me)\s*(?:that\b)?\s*[:,]?\s*[\"“]?"
_RECALLING = (
    r"(?:as\s+)?i\s+(?:can\s+|do\s+|also\s+|still\s+)?(?:remember|recall|know from memory)\b\s*(?:that\b)?\s*[:,]?\s*"
    r"|(?:the\s+)?(?:assistant|agent|ai)\s+(?:remembers|recalls|remembered|recalled)\s*(?:that\b)?\s*[:,]?\s*"
    r"|(?:according to|as\s+(?:noted|stated|stored|recorded|saved)\s+in|based on)\s+(?:my|the|its|our|your)?\s*"
    r"(?:memory|memories)\s*[:,]\s*(?:i\s+know\s*(?:that\b)?\s*)?"
    r"|(?:based on|from)\s+(?:our\s+|my\s+)?(?:previous|past|earlier|prior)\s+(?:conversations?|chats?|sessions?)"
    r"\s*[:,]\s*(?:i\s+(?:know|remember|recall)\s*(?:that\b)?\s*)?"
    r"|from\s+(?:my\s+)?memory\s*:\s*"
    r"|\[(?:memory|memories|recalled|recall)\]\s*"
    r"|(?:(?:relevant|recalled|known|stored|retrieved|saved|past|long-term)\s+)?(?:memory|memories)\s*:\s*"
    r"|(?:recalled|remembered)\s*:\s*"
)
_FRAME = re.compile(rf"\s*(?:{_TAG}|(?:{_SAID})?(?:{_RECALLING}))", re.IGNORECASE)
_NESTED = re.compile(rf"\s*(?:{_TAG}|{_SAID}(?!\s*$)|{_RECALLING}|{_BULLET})", re.IGNORECASE)
_CLOSING = re.compile(r"\s*<\s*/\s*[\w-]*(?:memory|memories|recall)[\w-]*\s*>\s*$", re.IGNORECASE)
_HEAD = 120
"""Characters in which a frame says that it is one."""


def echoes(text: str) -> bool:
    """Whether a text only hands back what was recalled, by the rule of this module."""
    head = text[:_HEAD].lower()
    told = "memor" in head or "remember" in head or "recall" in head or "previous" in head or "earlier" in head
    return (told or "past " in head or "prior" in head) and _FRAME.match(text) is not None


def unwrapped(text: str) -> str:
    """What an echo hands back, without its frames; any other text as it is."""
    if not echoes(text):
        return text
    left = _CLOSING.sub("", text)
    while (found := _NESTED.match(left)) is not None and found.end():
        left = left[found.end() :]
    return left.strip() or text
