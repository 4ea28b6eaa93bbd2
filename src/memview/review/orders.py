"""Texts that command an agent rather than state something: see :mod:`memview.store.orders` for the rule."""

from __future__ import annotations

from memview.store.orders import commands

__all__ = ["commands"]
