"""The motion between its steps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._numbers import Vector
from ._taut import PLACES

#: places in a step, both ends included, and the weights of interpolation between them (Berrut and Trefethen, SIAM Review
#: 46 (2004), section 5)
_PLACES = np.array([0.0, *PLACES])
_WEIGHTS = np.where(np.arange(_PLACES.size) % 2 == 0, 1.0, -1.0) * np.where(
    (_PLACES == 0.0) | (_PLACES == 1.0), 0.5, 1.0
)
#: beyond the ends a parabola through these goes on: polynomials of high degree would amplify rounding
_FEW = np.array([0, 5, 9])
#: a step that is shorter than the one before by this factor does not tell where the motion goes
_TINY = 1e-3
#: so many numbers are worked on at once
_BLOCK = 1 << 20


class Dense:
    """States at any time, from those at the places inside each step."""

    def __init__(self, t: Vector, y: NDArray[Any]) -> None:
        inside = _PLACES.size - 1
        steps = max((t.size - 1) // inside, 0)
        self.ts = np.ascontiguousarray(t[: steps * inside + 1 : inside])
        self._y = y
        self._inside = inside

    @property
    def t_min(self) -> float:
        """The earliest time."""
        return float(min(self.ts[0], self.ts[-1]))

    @property
    def t_max(self) -> float:
        """The latest time."""
        return float(max(self.ts[0], self.ts[-1]))

    def places(self) -> tuple[Vector, NDArray[Any]]:
        """The times and states (k, n) that everything between them is found from."""
        steps = np.diff(self.ts)[:, None]
        times = np.concatenate([self.ts[:1], (self.ts[:-1, None] + steps * _PLACES[1:]).ravel()])
        return times, self._y[: times.size]

    def __call__(self, t: ArrayLike) -> NDArray[Any]:
        """The state at a time, or the states (n, k) at k times, as SciPy has them."""
        times = np.asarray(t, dtype=np.float64)
        rows = self.rows(np.atleast_1d(times).ravel())
        return rows[0] if times.ndim == 0 else rows.T

    def rows(self, times: Vector) -> NDArray[Any]:
        """The states (k, n) at k times."""
        width = self._y.shape[1]
        if self.ts.size == 1:
            return np.repeat(self._y[:1], times.size, axis=0)
        rows = np.empty((times.size, width), dtype=self._y.dtype)
        block = max(_BLOCK // max(width * _PLACES.size, 1), 1)
        for first in range(0, times.size, block):
            rows[first : first + block] = self._block(times[first : first + block])
        return rows

    def _last_long_step(self) -> int:
        """The step that goes on beyond the end: an event may have left a tiny one behind it."""
        lengths = np.abs(np.diff(self.ts[-3:]))
        return int(self.ts.size - 2 - (lengths.size > 1 and lengths[-1] < _TINY * lengths[0]))

    def _block(self, times: Vector) -> NDArray[Any]:
        forward = self.ts[-1] >= self.ts[0]
        ordered = self.ts if forward else -self.ts
        keys = times if forward else -times
        step = np.clip(np.searchsorted(ordered, keys, side="left") - 1, 0, self.ts.size - 2)
        step[keys > ordered[-1]] = self._last_long_step()
        theta = (times - self.ts[step]) / (self.ts[step + 1] - self.ts[step])
        nodes = self._y[step[:, None] * self._inside + np.arange(self._inside + 1)]
        outside = (theta < 0.0) | (theta > 1.0)
        values: NDArray[Any] = np.einsum("kp,kpn->kn", _shares(theta, _PLACES, _WEIGHTS), nodes)
        if outside.any():
            values[outside] = _parabola(theta[outside, None], nodes[outside][:, _FEW])
        return values


def _parabola(theta: Vector, y: NDArray[Any]) -> NDArray[Any]:
    """Newton's form: nothing cancels far away."""
    first, middle, last = _PLACES[_FEW]
    slope = (y[:, 1] - y[:, 0]) / (middle - first)
    bend = ((y[:, 2] - y[:, 1]) / (last - middle) - slope) / (last - first)
    outside: NDArray[Any] = y[:, 0] + (theta - first) * (slope + (theta - middle) * bend)
    return outside


def _shares(theta: Vector, places: Vector, weights: Vector) -> Vector:
    """How much each place counts: the barycentric formula."""
    distance = theta[:, None] - places
    hit = distance == 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = weights / distance
        shares /= shares.sum(axis=1, keepdims=True)
    rows = hit.any(axis=1)
    shares[rows] = hit[rows]
    return shares
