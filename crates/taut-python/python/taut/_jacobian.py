"""The Jacobian of a right-hand side: given, constant, or by differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._numbers import Matrix, Vector

#: differences of a variable are sqrt(eps max(least, |x|)) long (Hairer and Wanner, RADAU5)
_LEAST = 1e-5


class Jacobian:
    """df/dx as a solver asks for it: all entries row by row, or those of a pattern in its order."""

    def __init__(self, n: int, rate: Callable[..., Any], given: Any = None, sparsity: Any = None) -> None:
        self.n = n
        self._rate = rate
        self._given = given if callable(given) else None
        self._constant = None if given is None or callable(given) else _matrix(given, n)
        self.places: list[tuple[int, int]] | None = None
        self._rows = self._columns = np.zeros(0, dtype=int)
        self._groups: list[Any] = [np.array([j]) for j in range(n)]
        if sparsity is not None and given is None:
            pattern = _matrix(sparsity, n) != 0
            self.places = [(int(i), int(j)) for i, j in zip(*np.nonzero(pattern))]
            self._groups = _groups(pattern)
        self._group_of = np.zeros(n, dtype=int)
        for k, group in enumerate(self._groups):
            self._group_of[group] = k

    @property
    def is_constant(self) -> bool:
        """Whether it is a matrix and no function."""
        return self._constant is not None

    @property
    def how(self) -> str:
        """Where it comes from, in one word."""
        return "differences" if self._given is None and self._constant is None else "given"

    def order(self, places: list[tuple[int, int]]) -> None:
        """The order in which a solver wants the entries of the pattern."""
        if self.places is not None:
            self._rows, self._columns = (np.array(index, dtype=int) for index in zip(*places))

    def __call__(self, t: float, x: Vector) -> Any:
        if self._constant is not None:
            return self._constant
        if self._given is not None:
            return _matrix(self._given(t, x), self.n)
        return self._by_differences(t, x)

    def _by_differences(self, t: float, x: Vector) -> Matrix:
        here = np.asarray(self._rate(t, x), dtype=float).ravel()
        steps = np.sqrt(np.finfo(float).eps * np.maximum(_LEAST, np.abs(x)))
        steps = (x + steps) - x
        slopes = np.empty((len(self._groups), self.n))
        for k, group in enumerate(self._groups):
            moved = x.copy()
            moved[group] += steps[group]
            slopes[k] = np.asarray(self._rate(t, moved), dtype=float).ravel() - here
        if self.places is None:
            return np.ascontiguousarray((slopes / steps[:, None]).T)
        entries: Vector = slopes[self._group_of[self._columns], self._rows] / steps[self._columns]
        return entries


def _matrix(given: Any, n: int) -> Matrix:
    array = given.toarray() if hasattr(given, "toarray") else given
    return np.array(array, dtype=float).reshape(n, n)


def _groups(pattern: Any) -> list[Any]:
    """Columns that share no row, together: the first group that has room takes a column (Curtis, Powell and Reid 1974)."""
    groups: list[list[int]] = []
    used: list[Any] = []
    for j in np.argsort(-pattern.sum(axis=0), kind="stable"):
        for group, rows in zip(groups, used):
            if not np.any(rows & pattern[:, j]):
                group.append(int(j))
                rows |= pattern[:, j]
                break
        else:
            groups.append([int(j)])
            used.append(pattern[:, j].copy())
    return [np.array(group) for group in groups]
