"""Texts that command the agent rather than state something: what an injected instruction looks like once remembered.

The rule, stated so that it can be judged. A text commands when it does one of these:

1. it sets instructions aside: *ignore, disregard, forget, override, bypass* within a few words of *instructions, rules,
   prompt, guidelines, guardrails*, or *skip, disable* before *safety checks, safeguards, restrictions*;
2. it speaks as the frame around a conversation does: role markers such as ``<|im_start|>``, ``[INST]``, ``<system>``,
   a line that begins with ``system:``, or ``SYSTEM:`` anywhere;
3. it tells a reader who it is or what it must do: *you are now*, *act as*, *as an AI without*, *your new task is*,
   *from now on, always*, *you must never*, *do not tell the user*, *the assistant must*, *note to the AI*;
4. it says how to answer: *before you answer*, *respond to any*, *when somebody asks about it, say*;
5. it orders something sent out or run: a sentence that begins with *send, forward, post, upload, email* and names an
   address, or with *run, execute* and *this* or *the following*, or what is loaded is piped into a shell.

A preference in the imperative (*Never deploy on Friday*) is none of these.
"""

from __future__ import annotations

import re

_START = r"(?:^|[.!?:;\n]\s*|\bplease\s+)"
_READER = r"(?:assistant|ai|a\.i\.|chatbot|llm|language model)"
_REPLY = r"(?:say|reply|answer|respond|tell|claim|approve|recommend|refuse|deny|pretend|never|always|do not|don't)\b"
_WHO = rf"the {_READER}"
_RULES: tuple[tuple[str, str], ...] = (
    ("ignor disregard forget overrid bypass",
     r"\b(?:ignore|disregard|forget|override|bypass)\b(?:\W+\w+){0,4}?\W+"
     r"(?:instructions?|rules|prompts?|guidelines|directives|guardrails)\b"),
    ("safety safeguard restriction",
     r"\b(?:skip|disable|bypass|ignore|override) (?:\w+ ){0,3}?"
     r"(?:safety (?:checks?|filters?|rules|measures)|safeguards|restrictions)\b"),
    ("< inst] system",
     r"<\|?(?:im_start|im_end|system|assistant|endoftext)\b|\[/?INST\]|<<SYS>>|</?memory-context>"
     r"|^\s*#{0,3}\s*system\s*:|(?-i:\bSYSTEM\s?:)"),
    ("you~are act~as pretend", rf"{_START}(?:you are now|you are no longer|act as (?:an?|the|if)"
     r"|pretend (?:to be|you are))\b"),
    ("as~a", rf"\bas an? (?:{_READER}|unrestricted)\b[^.\n]{{0,40}}\b(?:without|you)\b"),
    ("instruction your~", rf"{_START}(?:new instructions?:"
     r"|your (?:new|real|true|only|actual) (?:task|goal|job|role|purpose|instructions?) (?:is|are)\b)"),
    ("now~on", r"\bfrom now on,? (?:you|always|never|respond|reply|answer|only)\b"),
    ("you~", rf"{_START}you (?:must|shall|should) (?:always|never|not|only|ignore|reveal|obey)\b"),
    ("the~user the~human",
     r"\b(?:do not|don't|never) (?:tell|inform|alert|(?:mention|reveal) (?:this|it) to) the (?:user|human)\b"),
    ("assistant ~ai a.i. chatbot llm model", rf"\b{_WHO} (?:must|shall|should|has to|needs to|is to)\b"
     rf"|\b(?:note|instructions?|message) (?:to|for) (?:the|all|any) {_READER}s?\b"),
    ("before~", rf"{_START}before (?:you|it|{_WHO}) (?:answers?|repl(?:y|ies)|responds?)"
     r"(?:,| (?:to )?(?:the user|any|questions?)\b)"),
    ("respond reply answer", rf"{_START}(?:respond|reply|answer)(?: to)? (?:any|every|all|each)\b"),
    ("asks asked request",
     rf"{_START}(?:when|whenever|if) [^.!?\n,]{{1,60}}\b(?:asks?|asked|requests?)\b[^.!?\n,]{{0,60}},\s*"
     rf"(?:then )?{_REPLY}"),
    ("http @", rf"{_START}(?:send|forward|post|upload|email|e-mail|exfiltrate|transmit|submit)\b"
     r"(?:[^.!?\n]|\.(?=\S)){0,120}?(?:https?://|\b[\w.+-]+@[\w-]+\.\w)"),
    ("run~ execute", rf"{_START}(?:run|execute) (?:this|the following)\b"),
    ("|", r"\|\s*(?:sudo )?(?:ba|z)?sh\b"),
)  # fmt: skip
"""What tells that a rule may hit (``~`` for a blank), one of which is in every such text, and the rule."""
_ORDERS = tuple(
    (tuple(tell.replace("~", " ") for tell in tells.split()), re.compile(rule, re.IGNORECASE | re.MULTILINE))
    for tells, rule in _RULES
)


def commands(text: str) -> bool:
    """Whether a text commands the agent rather than states something, by the rule of this module."""
    lowered = text.lower()
    for tells, rule in _ORDERS:
        for tell in tells:
            if tell in lowered:
                if rule.search(text) is not None:
                    return True
                break
    return False
