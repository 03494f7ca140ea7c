"""Methods, coefficients, claims, built-in models."""

from __future__ import annotations

import json
from typing import Any

from . import _taut


def methods() -> list[dict[str, Any]]:
    """The methods: name, numbers of stages, orders, stability, and which problems they suit.

    >>> import taut
    >>> "radau" in [method["name"] for method in taut.methods()]
    True
    """
    found: list[dict[str, Any]] = json.loads(_taut.methods())
    return found


def tableau(name: str, stages: int | None = None) -> dict[str, Any]:
    """The coefficients of a method and its properties.

    >>> import taut
    >>> radau = taut.tableau("radau", 3)
    >>> radau["order"], radau["l_stable"]
    (5, True)
    """
    found: dict[str, Any] = json.loads(_taut.tableau(name, stages))
    return found


def models() -> dict[str, str]:
    """The built-in models by name, and what they are.

    >>> import taut
    >>> "squeezer" in taut.models()
    True
    """
    return {name: about for name, about, _ in _taut.builtin_models()}


def verify(claim: str | None = None, *, fast: bool = False) -> list[dict[str, Any]]:
    """Runs executable claims of the literature: those whose name begins with `claim`, or all of them.

    Each has `id`, `paper`, `statement`, `claimed`, `measured`, `verdict` and `note`; `fast` leaves the long experiments out.

    >>> import taut
    >>> [claim["verdict"] for claim in taut.verify("jay-lemma-8.1")]
    ['holds']
    """
    found: list[dict[str, Any]] = json.loads(_taut.verify(claim, fast))
    return found
