"""Expressions of strings and of sympy, as model files write them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any


def is_sympy(entry: Any) -> bool:
    """Whether an entry is an expression of sympy, without importing it."""
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(entry, sympy.Basic)


def names_of(given: str | Iterable[Any]) -> list[str]:
    """Names: "x y", ["x", "y"], symbols, or functions of time."""
    if isinstance(given, str):
        return given.replace(",", " ").split()
    return [name_of(entry) for entry in given]


def name_of(entry: Any) -> str:
    """The name of a symbol or of a function of time."""
    if not is_sympy(entry):
        return str(entry)
    return str(entry.func.__name__) if entry.args else str(entry.name)


class Formulas:
    """Expressions that go into one model file together, so that what they share is written once."""

    def __init__(self, coordinates: list[str]) -> None:
        self._coordinates = coordinates
        self._expressions: list[Any] = []
        self._places: list[tuple[dict[str, Any], str]] = []

    def put(self, table: dict[str, Any], name: str, entry: Any) -> None:
        """Puts an expression into a table; those of sympy are written when all are known."""
        if is_sympy(entry):
            self._places.append((table, name))
            self._expressions.append(entry)
            table[name] = ""
        else:
            table[name] = entry if isinstance(entry, str) else repr(float(entry))

    def shared(self, taken: Iterable[str]) -> dict[str, str]:
        """Writes what is left, and gives names to what expressions share."""
        if not self._expressions:
            return {}
        from ._sympy import written

        shared, texts = written(self._expressions, self._coordinates, set(taken))
        for (table, name), text in zip(self._places, texts):
            table[name] = text
        return shared
