"""Mechanical systems made of Python functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _taut
from ._derivatives import Derivatives
from ._errors import IntegrationError
from ._events import events_of_model
from ._motion import Layout, Motion
from ._numbers import as_vector, no_times, output_times
from ._options import option_text
from ._progress import Progress


class Functions:
    """A mechanical system of functions; see `Mechanical.functions`.

    `mass` is a matrix or a function; all functions take (t, q, v). Without `jacobian` the derivative of the constraint
    is found by complex steps, where the functions take complex numbers, or by differences; so are the derivatives that
    Newton's iteration and accelerations need. `derivatives="differences"` avoids complex numbers. The summary of a
    motion says what was taken. `moving=False` says that constraints do not depend on t, which saves calls.
    `constraints` are names, or (name, compliance, relaxation) of springs.
    """

    def __init__(self, names: list[str], *, constraints: Any = None, **functions: Any) -> None:
        self.coordinates = names
        self._derivatives = Derivatives(len(names), **functions)
        self._given = constraints

    def solve(
        self,
        until: float,
        q: ArrayLike,
        v: ArrayLike | None = None,
        *,
        t0: float = 0.0,
        rtol: float | None = None,
        atol: float | None = None,
        method: str | None = None,
        t_eval: ArrayLike | None = None,
        events: Any = None,
        dense: bool = False,
        first_step: float | None = None,
        max_step: float | None = None,
        progress: bool = False,
        **options: Any,
    ) -> Motion:
        """Integrates from t0 until a time, beginning with positions q and velocities v (0 when they are not given)."""
        n = len(self.coordinates)
        start_q = as_vector(q, "q", n)
        start_v = np.zeros(n) if v is None else as_vector(v, "v", n)
        functions = self._derivatives.at(float(t0), start_q, start_v)
        constraints = self._constraints(functions.m)
        layout = Layout(self.coordinates, [name for name, _, _ in constraints], [], True)
        system = _taut.MechanicalFunctions(self.coordinates, constraints, functions, functions.constant_mass)
        times = output_times(t_eval, float(t0), float(until))
        bar = Progress(float(t0), float(until), progress)
        how: dict[str, Any] = {
            "times": times,
            "inside": dense,
            "options": option_text(rtol=rtol, atol=atol, method=method, **options),
            "first_step": first_step,
            "largest_step": max_step,
            "events": events_of_model(events, ["t", *layout.columns], n),
            "progress": bar if bar.visible else None,
        }
        span, start = (float(t0), float(until)), [*start_q.tolist(), *start_v.tolist()]
        try:
            record = system.solve(span, start, how)
        finally:
            bar.finish()
        again = _again(system, span, start, {**how, "times": no_times(), "inside": True, "events": [], "progress": None})
        motion = Motion(record, layout, again=again)
        motion.summary["derivatives"] = functions.found
        if not functions.has_potential:
            motion.summary["energy"] = None
        if record["error"] is not None:
            message, t = record["error"]
            raise IntegrationError(message, motion, t)
        return motion

    def _constraints(self, m: int) -> list[tuple[str, float, float]]:
        given = self._given
        if given is None:
            given = [f"g{k}" for k in range(m)]
        if isinstance(given, str):
            given = given.split()
        full = [(c, 0.0, 0.0) if isinstance(c, str) else (*c, *(0.0,) * (3 - len(c))) for c in given]
        if len(full) != m:
            raise ValueError(f"there are {m} constraints, but {len(full)} names of them")
        return [(str(name), float(compliance), float(relaxation)) for name, compliance, relaxation in full]


def _again(
    system: _taut.MechanicalFunctions, span: tuple[float, float], start: list[float], how: dict[str, Any]
) -> Callable[[], dict[str, Any]]:
    return lambda: system.solve(span, start, how)
