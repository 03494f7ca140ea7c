"""First-order systems from strings, from sympy, from functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _taut
from ._errors import IntegrationError
from ._events import Given, crossings_that_end
from ._expressions import Formulas, names_of
from ._jacobian import Jacobian
from ._model import Model
from ._motion import Layout, Motion
from ._numbers import Vector, as_vector, no_times, output_times
from ._options import option_text
from ._progress import Progress
from ._toml import document


class FirstOrder(Model):
    """A system E x' = f(t, x) from strings or sympy expressions: rates of variables, and equations without derivatives.

    `rates` are x' = rate by variable, `scale` factors with scale x' = rate, `equations` 0 = equation for variables
    that are algebraic.

    >>> import taut
    >>> decay = taut.FirstOrder("x y", rates={"x": "-k*x*y"}, equations={"y": "x^2 + y - 1"},
    ...                         parameters={"k": 2.0}, start={"x": 0.5, "y": 0.75})
    >>> motion = decay.solve(1.0, rtol=1e-9)
    >>> bool(abs(motion["x"] ** 2 + motion["y"] - 1).max() < 1e-9)
    True
    """

    def __init__(
        self,
        variables: str | Iterable[Any],
        *,
        rates: Mapping[Any, Any] | None = None,
        equations: Mapping[Any, Any] | None = None,
        scale: Mapping[Any, Any] | None = None,
        parameters: Mapping[Any, float] | None = None,
        start: Mapping[str, float] | None = None,
        define: Mapping[str, str] | None = None,
        observe: Mapping[str, Any] | None = None,
        end: float | None = None,
        name: str = "model",
    ) -> None:
        names = names_of(variables)
        values = {names_of([parameter])[0]: value for parameter, value in (parameters or {}).items()}
        formulas = Formulas(names)
        tables: dict[str, dict[str, Any]] = {variable: {"start": (start or {}).get(variable, 0.0)} for variable in names}
        for word, entries in (("rate", rates), ("equation", equations), ("scale", scale)):
            for variable, entry in (entries or {}).items():
                known = names_of([variable])[0]
                if known not in tables:
                    raise ValueError(f"there is no variable '{known}'; there are {', '.join(names)}")
                formulas.put(tables[known], word, entry)
        observed: dict[str, Any] = {}
        for column, entry in (observe or {}).items():
            formulas.put(observed, column, entry)
        sections: dict[str, Mapping[str, Any]] = {
            "parameters": values,
            "variables": tables,
            "define": {**(define or {}), **formulas.shared([*names, *values, *(define or {})])},
            "observe": observed,
            "time": {} if end is None else {"end": float(end)},
        }
        self._setup(name, f"{name}.toml", document(name, sections))

    @staticmethod
    def functions(
        n: int | str | Iterable[str],
        rate: Callable[..., Any],
        *,
        mass: ArrayLike | None = None,
        jacobian: Any = None,
        sparsity: Any = None,
    ) -> FirstOrderFunctions:
        """A system E x' = f(t, x) of Python or numba functions of (t, x); E is constant and may be singular.

        >>> import numpy as np, taut
        >>> circle = taut.FirstOrder.functions("x y", lambda t, x: np.array([-x[1], x[0]]))
        >>> float(circle.solve(np.pi, [1.0, 0.0], rtol=1e-9)["x"][-1].round(6))
        -1.0
        """
        names = [f"x{k}" for k in range(n)] if isinstance(n, int) else names_of(n)
        return FirstOrderFunctions(names, rate, mass=mass, jacobian=jacobian, sparsity=sparsity)


class FirstOrderFunctions:
    """A first-order system of functions; see `FirstOrder.functions`."""

    def __init__(
        self, names: list[str], rate: Callable[..., Any], *, mass: Any = None, jacobian: Any = None, sparsity: Any = None
    ) -> None:
        n = len(names)
        self.variables = names
        self._jacobian = Jacobian(n, rate, jacobian, sparsity)
        matrix = None if mass is None else np.array(_dense(mass), dtype=float).reshape(n, n)
        places = self._jacobian.places
        self._system = _taut.FirstOrderFunctions(names, rate, self._jacobian, matrix, places)
        self._jacobian.order(self._system.places())

    def solve(
        self,
        until: float,
        x: ArrayLike,
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
        """Integrates from t0 until a time, beginning with x."""
        start = as_vector(x, "x", len(self.variables)).tolist()
        times = output_times(t_eval, float(t0), float(until))
        bar = Progress(float(t0), float(until), progress)
        how = {
            "times": times,
            "inside": dense,
            "options": option_text(rtol=rtol, atol=atol, method=method, **options),
            "first_step": first_step,
            "largest_step": max_step,
            "events": events_of_state(events),
            "progress": bar if bar.visible else None,
        }
        span = (float(t0), float(until))
        try:
            record = self._system.solve(span, start, how)
        finally:
            bar.finish()
        again = {**how, "times": no_times(), "inside": True, "events": [], "progress": None}
        layout = Layout(self.variables, [], [], False)
        motion = Motion(record, layout, again=lambda: self._system.solve(span, start, again))
        motion.summary.update(energy=None, derivatives={"jacobian": self._jacobian.how})
        if record["error"] is not None:
            message, t = record["error"]
            raise IntegrationError(message, motion, t)
        return motion


def events_of_state(events: Any) -> list[Given]:
    """Events as SciPy has them: functions of (t, x)."""
    if events is None:
        return []
    listed = [events] if callable(events) else list(events)
    return [
        (f"event {k}", event, float(getattr(event, "direction", 0.0)), crossings_that_end(event))
        for k, event in enumerate(listed)
    ]


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix


__all__ = ["FirstOrder", "FirstOrderFunctions", "Vector", "events_of_state"]
