"""How the documentation is built; ``make docs`` does it."""

from __future__ import annotations

from typing import Any

from memview.version import __version__

project = "memview"
copyright = "the memview authors"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["deflist"]
exclude_patterns = ["_build"]

autodoc_default_options = {"members": True}
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "memview"
html_copy_source = False
html_show_sphinx = False

_said: dict[str, list[str]] = {}


def _keep(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Note what an attribute's docstring says, before a colon in it is taken for a type."""
    if what == "attribute":
        _said[name] = list(lines)


def _put_back(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    if name in _said:
        lines[:] = _said.pop(name)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _keep, priority=400)
    app.connect("autodoc-process-docstring", _put_back, priority=600)
