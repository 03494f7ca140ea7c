"""Numbers as numpy has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]


def as_numbers(value: Any, what: str) -> Vector:
    """A vector, or a matrix row by row, as one contiguous array of doubles."""
    if hasattr(value, "toarray"):
        value = value.toarray()
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{what} returned {array.dtype} instead of real numbers")
    return np.ascontiguousarray(array, dtype=np.float64).ravel()


def as_vector(value: ArrayLike, name: str, length: int | None = None) -> Vector:
    """A vector of finite numbers."""
    array = np.atleast_1d(np.asarray(value, dtype=np.float64))
    if array.ndim != 1 or (length is not None and array.size != length):
        wanted = "a vector" if length is None else f"{length} numbers"
        raise ValueError(f"`{name}` has the shape {array.shape}, but must be {wanted}")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"All components of `{name}` must be finite.")
    return array


def no_times() -> Vector:
    """No output."""
    return np.zeros(0)


def output_times(t_eval: ArrayLike | None, start: float, end: float) -> Vector | None:
    """The times of the output, in the direction of the run."""
    if t_eval is None:
        return None
    times = np.atleast_1d(np.asarray(t_eval, dtype=np.float64))
    if times.ndim != 1:
        raise ValueError("`t_eval` must be 1-dimensional.")
    if np.any(times < min(start, end)) or np.any(times > max(start, end)):
        raise ValueError("Values in `t_eval` are not within `t_span`.")
    steps = np.diff(times)
    if np.any(steps <= 0 if end > start else steps >= 0):
        raise ValueError("Values in `t_eval` are not properly sorted.")
    return np.ascontiguousarray(times)
