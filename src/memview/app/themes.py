"""Our own themes: greys and one accent colour."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from textual.theme import BUILTIN_THEMES, Theme

from memview.text import one_line

DARK = Theme(
    name="memview-dark",
    primary="#e6a23c",
    secondary="#5f7fa6",
    accent="#e6a23c",
    warning="#e6a23c",
    error="#e06c75",
    success="#7fb77e",
    foreground="#d6dae0",
    background="#0e1116",
    surface="#0e1116",
    panel="#171b22",
    dark=True,
    variables={
        "text-muted": "#868e99",
        "text-disabled": "#5d6570",
        "border": "#e6a23c",
        "border-blurred": "#2b313a",
        "block-cursor-background": "#e6a23c",
        "block-cursor-foreground": "#0e1116",
        "input-cursor-background": "#d6dae0",
        "input-cursor-foreground": "#0e1116",
        "input-selection-background": "#7b9cc4 35%",
        "footer-background": "#0e1116",
    },
)

LIGHT = Theme(
    name="memview-light",
    primary="#9a5b00",
    secondary="#40699c",
    accent="#9a5b00",
    warning="#9a5b00",
    error="#b3261e",
    success="#2f6f37",
    foreground="#1f2328",
    background="#fbfaf7",
    surface="#fbfaf7",
    panel="#efede7",
    dark=False,
    variables={
        "text-muted": "#646b73",
        "text-disabled": "#8f959c",
        "border": "#9a5b00",
        "border-blurred": "#d5d2ca",
        "block-cursor-background": "#9a5b00",
        "block-cursor-foreground": "#fbfaf7",
        "input-cursor-background": "#1f2328",
        "input-cursor-foreground": "#fbfaf7",
        "input-selection-background": "#40699c 30%",
        "footer-background": "#fbfaf7",
    },
)


HIGH_CONTRAST = Theme(
    name="memview-high-contrast",
    primary="#ffd75f",
    secondary="#9ecbff",
    accent="#ffd75f",
    warning="#ffd75f",
    error="#ff8f8f",
    success="#8fff8f",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    variables={
        "text-muted": "#d0d0d0",
        "text-disabled": "#a8a8a8",
        "border": "#ffd75f",
        "border-blurred": "#808080",
        "block-cursor-background": "#ffd75f",
        "block-cursor-foreground": "#000000",
        "input-cursor-background": "#ffffff",
        "input-cursor-foreground": "#000000",
        "input-selection-background": "#9ecbff 45%",
        "footer-background": "#000000",
    },
)

_BUILTIN = BUILTIN_THEMES["ansi-dark"]

ANSI = replace(
    _BUILTIN,
    name="memview-ansi",
    primary="ansi_yellow",
    accent="ansi_yellow",
    variables={**_BUILTIN.variables, "border": "ansi_yellow", "border-blurred": "ansi_bright_black"},
)
"""The terminal's own 16 colours, on its own background."""

THEMES = {"dark": DARK, "light": LIGHT, "high contrast": HIGH_CONTRAST, "16 colours": ANSI}
"""Our own themes, by what the palette calls them."""


def chosen_theme(name: str, known: Collection[str], colours: str | None = None) -> tuple[str, list[str]]:
    """The full name of a theme by what a person calls it, and what is to be said about it.

    Args:
        name: ``light``, ``dark``, or the full name of a theme; empty for the usual one.
        known: the full names there are.
        colours: how many colours the terminal has, as rich calls it: with ``standard``, which are 16, the usual theme
            is the one made of them, for the nearest of them to our amber is a red that looks like an error.
    """
    for full in (f"memview-{name}", name):
        if full in known:
            return full, []
    ours = " or ".join(theme.removeprefix("memview-") for theme in sorted(known) if theme.startswith("memview-"))
    usual = ANSI if colours == "standard" else DARK
    return usual.name, [f"There is no theme {one_line(name, 40)}; try {ours}."] if name else []
