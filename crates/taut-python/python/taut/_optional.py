"""Packages that are used when they are there."""

from __future__ import annotations

import importlib
from types import ModuleType


def optional(name: str, purpose: str) -> ModuleType:
    """The package, or an error that says what it is needed for and how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        raise ImportError(f"{purpose} needs {package}: pip install {package}") from error
