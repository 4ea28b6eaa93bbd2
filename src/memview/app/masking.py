"""Secrets out of sight: see :mod:`memview.review.masking`."""

from __future__ import annotations

from memview.review.masking import CARRIED, LAID_OUT, beginning, hidden, line, part_hidden

__all__ = ["CARRIED", "LAID_OUT", "beginning", "hidden", "line", "part_hidden"]
