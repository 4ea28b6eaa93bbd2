"""Secrets by the shape of their value: keys, tokens and passwords that stand in a text, and the text without them.

Each shape is published: by the issuer, or in the rules of gitleaks (github.com/gitleaks/gitleaks, config/gitleaks.toml;
the rule's id is named). A text is asked first whether it holds the letters that every value of a shape holds, so most
texts cost a microsecond or two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from memview import late

MASK = "••••••••"
"""Stands for the part of a secret that is not shown; its length says nothing."""


class Secret(NamedTuple):
    """Where a secret stands in a text."""

    start: int
    """Its first character that must not be shown; the letters that every value of its kind begins with lie before."""
    end: int
    kind: str
    """What it is, in words."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The form of one kind of secret."""

    kind: str
    """What it is, in words."""
    holds: tuple[str, ...]
    """One of these is in every text that has it."""
    pattern: Callable[[], re.Pattern[str]]
    """Its group ``secret`` is what must not be shown."""
    source: str
    """Where the form is published."""


def _shape(kind: str, holds: str, pattern: str, source: str) -> Shape:
    return Shape(kind, tuple(holds.split()), late.pattern(pattern), source)


SHAPES = (
    _shape(
        "AWS access key",
        "AKIA ASIA ABIA ACCA A3T",
        r"\b(?:AKIA|ASIA|ABIA|ACCA|A3T(?=[A-Z0-9]))(?P<secret>[A-Z0-9]{16,17})\b",
        "gitleaks aws-access-token",
    ),
    _shape(
        "GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"\bgh[pousr]_(?P<secret>[A-Za-z0-9]{30,})", "gitleaks github-pat"
    ),
    _shape("GitHub token", "github_pat_", r"\bgithub_pat_(?P<secret>\w{30,})", "gitleaks github-fine-grained-pat"),
    _shape("GitLab token", "glpat-", r"\bglpat-(?P<secret>[\w.-]{20,})", "gitleaks gitlab-pat"),
    _shape("Slack token", "xox", r"\bxox[abeoprs]-(?P<secret>[\w-]{10,})", "gitleaks slack-bot-token"),
    _shape(
        "Slack webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9+/]{40,})",
        "gitleaks slack-webhook-url",
    ),
    _shape(
        "Stripe key",
        "sk_live_ sk_test_ rk_live_ rk_test_",
        r"\b[sr]k_(?:live|test)_(?P<secret>[A-Za-z0-9]{10,99})",
        "gitleaks stripe-access-token",
    ),
    _shape("Anthropic key", "sk-ant-", r"\bsk-ant-[a-z]+\d\d-(?P<secret>[\w-]{20,})", "gitleaks anthropic-api-key"),
    _shape(
        "OpenAI key",
        "sk-",
        r"\bsk-(?:proj-|svcacct-|admin-)(?P<secret>[\w-]{20,})|\bsk-(?P<old>(?!ant-)[A-Za-z0-9]{32,})",
        "gitleaks openai-api-key",
    ),
    _shape("Google key", "AIza", r"\bAIza(?P<secret>[\w-]{35})", "gitleaks gcp-api-key"),
    _shape(
        "Google token",
        "ya29. GOCSPX-",
        r"\b(?:ya29\.|GOCSPX-)(?P<secret>[\w-]{20,})",
        "developers.google.com/identity/protocols/oauth2",
    ),
    _shape("Hugging Face token", "hf_", r"\bhf_(?P<secret>[A-Za-z]{30,})\b", "gitleaks huggingface-access-token"),
    _shape("npm token", "npm_", r"\bnpm_(?P<secret>[A-Za-z0-9]{36})\b", "gitleaks npm-access-token"),
    _shape("PyPI token", "pypi-AgEI", r"\bpypi-AgEI(?P<secret>[\w-]{50,})", "gitleaks pypi-upload-token"),
    _shape("SendGrid key", "SG.", r"\bSG\.(?P<secret>[\w-]{16,32}\.[\w-]{16,64})\b", "gitleaks sendgrid-api-token"),
    _shape("Twilio key", "SK", r"\bSK(?P<secret>[0-9a-fA-F]{32})\b", "gitleaks twilio-api-key"),
    _shape("Telegram token", ":A", r"\b\d{5,16}:(?P<secret>A[\w-]{34})\b", "gitleaks telegram-bot-api-token"),
    _shape("DigitalOcean token", "_v1_", r"\bdo[opr]_v1_(?P<secret>[a-f0-9]{64})\b", "gitleaks digitalocean-pat"),
    _shape("Databricks token", "dapi", r"\bdapi(?P<secret>[a-f0-9]{32})\b", "gitleaks databricks-api-token"),
    _shape(
        "Shopify token", "shp", r"\bshp(?:at|ca|pa|ss)_(?P<secret>[a-fA-F0-9]{32})\b", "gitleaks shopify-access-token"
    ),
    _shape(
        "Azure key",
        "AccountKey=",
        r"AccountKey=(?P<secret>[A-Za-z0-9+/]{60,}={0,2})",
        "learn.microsoft.com, storage connection strings",
    ),
    _shape("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1(?P<secret>[0-9A-Z]{58})", "gitleaks age-secret-key"),
    _shape("signed token", "eyJ", r"\beyJ(?P<secret>[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})", "RFC 7519, gitleaks jwt"),
    _shape(
        "private key",
        "-----BEGIN",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?P<secret>(?s:.*?)(?=-----END|\Z))",
        "RFC 7468, gitleaks private-key",
    ),
    _shape(
        "password in an address",
        "://",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,80}:(?P<secret>[^\s/@]{3,100})@",
        "RFC 3986, section 3.2.1",
    ),
)
"""Every shape that is looked for."""

_NAMED = late.pattern(
    r"(?i)\b(?:password|passwd|passphrase|pwd|secret|token|api[ _-]?key|access[ _-]?key|pin|credentials?)\b[\"'`]?"
    r"(?:\s+(?:for|of|to)\s+[^\s:=]{1,40})?\s*(?:is|=|:|was)\s*[\"'`]?(?P<secret>[^\s\"'`,;]{4,100})"
)
"""A value that is called a secret, as in gitleaks generic-api-key. It counts only where it looks like no word."""
_BESIDE = late.pattern(
    r"(?i)\b(?:password|passwd|passphrase|pwd|api[ _-]?key)\s+[\"'`]?(?P<secret>[^\s\"'`,;:=]{6,100})"
)
"""The same without *is* or a sign between; it counts where it has letters, digits and signs."""
_PIN = late.pattern(
    r"\bPIN(?: code)?(?:\s+(?:for|of)\s+[^\d:=.]{1,40})?\s*(?:is|=|:|was)?\s*(?P<secret>\d{4})(?![\w-])"
)
"""Four digits that are called a PIN, in capitals."""
_NAMES = ("pass", "pwd", "secret", "token", "key", "pin", "credential")
_CARD = late.pattern(r"(?<![\w.-])(?P<secret>[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{3,4})(?![\w-])")
"""Payment cards: ISO/IEC 7812, with the check digit of its annex B."""

_SHORTEST = 12
"""No value of a shape, with the letters it begins with, is shorter, private keys aside."""
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d{4}[ -]?\d{4}")


def spans(text: str) -> list[Secret]:
    """The secrets of a text, in order, none inside another."""
    found = sorted(_all(text))
    kept: list[Secret] = []
    for secret in found:
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
    return kept


def has_secret(text: str) -> bool:
    """Whether a text holds a secret."""
    return next(_all(text), None) is not None


def mask(text: str) -> str:
    """The text with each secret's value hidden; the very same object where there is none."""
    found = spans(text)
    for secret in reversed(found):
        text = text[: secret.start] + MASK + text[secret.end :]
    return text


def _all(text: str) -> Iterator[Secret]:
    if len(max(text.split(), key=len, default="")) >= _SHORTEST or "-----BEGIN" in text:
        yield from _shaped(text)
    if _DIGIT.search(text) is None:
        return
    lowered = text.lower()
    if any(name in lowered for name in _NAMES):
        for secret in _matches(_NAMED, text, "named secret"):
            if _no_word(text[secret.start : secret.end]):
                yield secret
        for secret in _matches(_BESIDE, text, "named secret"):
            if _is_mixed(text[secret.start : secret.end]):
                yield secret
        if "PIN" in text:
            yield from _matches(_PIN, text, "PIN")
    if _DIGITS.search(text) is not None:
        for secret in _matches(_CARD, text, "card number"):
            if _checks(text[secret.start : secret.end]):
                yield secret


def _shaped(text: str) -> Iterator[Secret]:
    for shape in SHAPES:
        for letters in shape.holds:
            if letters in text:
                yield from _matches(shape.pattern, text, shape.kind)
                break


def _matches(pattern: Callable[[], re.Pattern[str]], text: str, kind: str) -> Iterator[Secret]:
    for match in pattern().finditer(text):
        group = match.lastgroup
        assert group is not None
        yield Secret(match.start(group), match.end(group), kind)


def _no_word(value: str) -> bool:
    """Whether a value is made up of unlike characters, as no word, year or sum is."""
    value = value.rstrip(".!?)")
    letters = any(letter.isalpha() for letter in value)
    digits = any(letter.isdigit() for letter in value)
    signs = any(letter in "!@#$%^&*_+=~" for letter in value)
    return len(value) >= 6 and digits and (letters or signs)


def _is_mixed(value: str) -> bool:
    """Whether a value has letters, digits and signs, as no version or name has."""
    value = value.rstrip(".!?)")
    return (
        _no_word(value) and any(letter.isalpha() for letter in value) and any(sign in "!@#$%^&*_+=~" for sign in value)
    )


def _checks(number: str) -> bool:
    """The check digit of ISO/IEC 7812-1, annex B: every second digit from the right doubled."""
    digits = [int(digit) for digit in number if digit.isdigit()][::-1]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + doubled) % 10 == 0
