"""`solve_ivp` as SciPy has it."""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _taut
from ._dense import Dense
from ._first_order import events_of_state
from ._jacobian import Jacobian
from ._numbers import Vector, output_times
from ._options import option_text

if TYPE_CHECKING:
    import os

#: the names of SciPy and what comes nearest
_METHODS = {
    "RK23": "dopri5",
    "RK45": "dopri5",
    "DOP853": "dopri8",
    "Radau": "radau",
    "BDF": "bdf",
    "LSODA": "auto",
}
_MESSAGES = {
    0: "The solver successfully reached the end of the integration interval.",
    1: "A termination event occurred.",
}
#: runs without an end go on in pieces, each so much longer than the one before
_GROWTH = 16.0
_LAST_TIME = 1e300
#: states are put onto `constraints` with so many passes
_PASSES = 2


class OdeResult(dict[str, Any]):
    """What `solve_ivp` returns: `t`, `y`, `sol`, `t_events`, `y_events`, `nfev`, `njev`, `nlu`, `status`, `message`, `success`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error

    __setattr__ = dict.__setitem__

    def __dir__(self) -> list[str]:
        return [*self, "report"]

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """A page with plots and how it went; written to `path` when one is given.

        >>> import taut
        >>> page = taut.solve_ivp(lambda t, y: -y, (0, 1), [1.0]).report()
        >>> '"name":"variables"' in page
        True
        """
        from ._report import page_of_rows, written

        steps = self.t if self.sol is None else self.sol.ts
        times, rows = (self.t, np.transpose(self.y)) if self.sol is None else self.sol.places()
        names = [f"y[{k}]" for k in range(np.shape(rows)[-1])]
        if np.iscomplexobj(rows):
            names = [f"{part} {name}" for part in ("Re", "Im") for name in names]
            rows = np.concatenate([np.real(rows), np.imag(rows)], axis=1)
        counts = {name: self[name] for name in ("message", "nfev", "njev", "nlu")}
        page = page_of_rows(
            title="solve_ivp",
            subtitle=f"{len(names)} variables",
            facts=[("states", str(len(self.t)))],
            warnings=[] if self.success else [self.message],
            summary=counts,
            columns=[(name, "position") for name in names],
            t=times,
            rows=rows,
            steps=steps,
        )
        return written(page, path)

    def __repr__(self) -> str:
        width = max(map(len, self))
        return "\n".join(f"{name:>{width}}: {value!r}" for name, value in self.items())


def solve_ivp(
    fun: Callable[..., Any],
    t_span: tuple[float, float],
    y0: ArrayLike,
    method: str = "radau",
    t_eval: ArrayLike | None = None,
    dense_output: bool = False,
    events: Any = None,
    vectorized: bool = False,
    args: tuple[Any, ...] | None = None,
    *,
    mass: ArrayLike | None = None,
    jac: Any = None,
    jac_sparsity: Any = None,
    constraints: Callable[..., Any] | None = None,
    rtol: ArrayLike = 1e-6,
    atol: ArrayLike = 1e-6,
    first_step: float | None = None,
    max_step: float = np.inf,
    **options: Any,
) -> OdeResult:
    """Integrates mass y' = fun(t, y), with the arguments and the result of `scipy.integrate.solve_ivp`.

    Beyond SciPy: `mass` is a constant matrix that may be singular (index up to 3); `constraints(t, y)` are functions
    that the solution keeps at zero, given that it begins there; `method` is any of `taut.methods()`, or a name of SciPy.

    >>> import numpy as np, taut
    >>> result = taut.solve_ivp(lambda t, y: -y, (0, 1), [1.0], rtol=1e-8, atol=1e-8)
    >>> bool(abs(result.y[0, -1] - np.exp(-1)) < 1e-7)
    True

    The pendulum as it stands, of index 3:

    >>> def pendulum(t, y):
    ...     x, z, u, w, force = y
    ...     return [u, w, -force*x, -force*z - 9.81, x*x + z*z - 1]
    >>> result = taut.solve_ivp(pendulum, (0, 1), [1, 0, 0, 0, 0], mass=np.diag([1, 1, 1, 1, 0]), rtol=1e-9, atol=1e-9)
    >>> bool(abs(result.y[0]**2 + result.y[1]**2 - 1).max() < 1e-9)
    True
    """
    problem = _Problem(fun, y0, args, mass, jac, jac_sparsity, constraints)
    t0, end = map(float, t_span)
    listed = events_of_state([] if events is None else _with_args(events, args))
    problem.set_tolerance(rtol, atol)
    if max_step <= 0:
        raise ValueError("`max_step` must be positive.")
    if first_step is not None and not 0 < first_step <= abs(end - t0):
        raise ValueError("`first_step` must be positive and not exceed the bounds of the interval.")
    times = output_times(t_eval, t0, end)
    how: dict[str, Any] = {
        "times": times,
        "inside": dense_output,
        "options": option_text(method=_method(method), rtol=problem.rtol, atol=problem.atol, **options),
        "first_step": first_step,
        "largest_step": None if np.isinf(max_step) else float(max_step),
        "events": [(name, problem.event(function), direction, count) for name, function, direction, count in listed],
        "progress": None,
    }
    if problem.n == 0 or t0 == end:
        record = problem.nothing(t0, end, times, dense_output)
    else:
        record = problem.run(t0, end, how)
    return _result(problem, record, None if events is None else len(listed))


class _Problem:
    """What is solved: real variables, scaled so that one absolute tolerance serves all."""

    def __init__(self, fun: Any, y0: Any, args: Any, mass: Any, jac: Any, sparsity: Any, constraints: Any) -> None:
        if args is not None:
            try:
                args = tuple(args)
            except TypeError as error:
                message = (
                    "Supplied 'args' cannot be unpacked. Please supply `args` as a tuple (e.g. `args=(1,)`)"
                )
                raise TypeError(message) from error
        start = np.atleast_1d(np.asarray(y0))
        if start.ndim != 1:
            raise ValueError("`y0` must be 1-dimensional.")
        if not np.isfinite(start).all():
            raise ValueError("All components of the initial state `y0` must be finite.")
        self.is_complex = bool(np.iscomplexobj(start))
        self.dtype = complex if self.is_complex else float
        self.start = start.astype(self.dtype)
        self.n = start.size
        self._fun = fun if args is None else lambda t, y: fun(t, y, *args)
        self._jac = jac if args is None or not callable(jac) else lambda t, y: jac(t, y, *args)
        self._constraints = constraints
        self._mass = None if mass is None else np.asarray(mass.toarray() if hasattr(mass, "toarray") else mass)
        self._sparsity = sparsity
        self._scale = np.ones(self.n)
        # Stages at the end of a step may lie behind the end of the run by rounding; functions need not be defined there.
        self._span = (-np.inf, np.inf)
        self.rtol, self.atol = 1e-6, 1e-6
        self.jacobian_is_constant = jac is not None and not callable(jac)

    def set_tolerance(self, rtol: ArrayLike, atol: ArrayLike) -> None:
        """One relative tolerance (the smallest) and absolute ones for each variable."""
        least = 100 * np.finfo(float).eps
        if np.any(np.asarray(rtol) < least):
            warnings.warn(
                f"At least one element of `rtol` is too small. Setting `rtol = np.maximum(rtol, {least})`.", stacklevel=3
            )
        self.rtol = float(np.min(np.maximum(rtol, least)))
        absolute = np.asarray(atol, dtype=float)
        if absolute.ndim > 0 and absolute.shape != (self.n,):
            raise ValueError("`atol` has wrong shape.")
        if np.any(absolute < 0):
            raise ValueError("`atol` must be positive.")
        absolute = np.maximum(np.broadcast_to(absolute, (self.n,)), np.finfo(float).tiny * 1e10)
        self.atol = float(absolute.min()) if self.n else 1.0
        self._scale = absolute / self.atol

    def nothing(self, t0: float, end: float, times: Vector | None, dense: bool) -> dict[str, Any]:
        """What comes out when there is nothing to integrate."""
        t = np.array([t0]) if t0 == end or np.isinf(end) else np.array([t0, end])
        t = t if times is None else times
        stats = {"rhs": 0, "jacobians": 0, "factorizations": 0}
        rows = np.repeat(self.start[None, :], t.size, axis=0)
        inside = (np.array([t0]), self.start[None, :]) if dense else None
        return {"t": t, "y": rows, "inside": inside, "events": [], "stop": "end", "error": None, "stats": stats}

    def run(self, t0: float, end: float, how: dict[str, Any]) -> dict[str, Any]:
        """Integrates; a span without an end in pieces, until an event ends it."""
        self._span = (min(t0, end), max(t0, end))
        names = [f"y{k}" for k in range(self._real(self.start).size)]
        jacobian, m = self._jacobian(), self._number_of_constraints(t0)
        rate: Callable[..., Any] = self._rate
        if m:
            held = _Held(self._rate, self._scaled_constraints, m)
            names += [f"mu{k}" for k in range(m)]
            rate, jacobian = held.rate, Jacobian(len(names), held.rate)
        system = _taut.FirstOrderFunctions(names, rate, jacobian, self._mass_matrix(m), jacobian.places)
        jacobian.order(system.places())
        start = [*self._real(self.start / self._scale).tolist(), *[0.0] * m]
        if np.isfinite(end):
            records = [self._outward(system.solve((t0, end), start, how), m)]
        else:
            records = list(self._pieces(system, t0, np.sign(end), start, how, m))
        return _joined(records)

    def _pieces(self, system: Any, t0: float, sign: float, start: list[float], how: dict[str, Any], m: int) -> Any:
        length, counts = 1.0, [count for _, _, _, count in how["events"]]
        while t0 * sign < _LAST_TIME:
            record = system.solve((t0, t0 + sign * length), start, how)
            t0, y = record["end"]
            start = y.tolist()
            happened = [name for name, _, _ in record["events"]]
            record = self._outward(record, m)
            yield record
            if record["stop"] != "end" or record["error"] is not None:
                return
            for k, event in enumerate(how["events"]):
                if counts[k] is not None:
                    counts[k] -= happened.count(event[0])
            events = [(*event[:3], count) for event, count in zip(how["events"], counts)]
            how = {**how, "events": events, "first_step": None}
            length *= _GROWTH

    def event(self, function: Any) -> Callable[[float, Vector], Any]:
        """An event that sees the variables as they were given."""
        return lambda t, y: function(t, self._given(y))

    def _outward(self, record: dict[str, Any], m: int) -> dict[str, Any]:
        record["stats"] = json.loads(record.pop("summary"))["stats"]
        record["multipliers"] = record["y"][:, record["y"].shape[1] - m :] if m else None
        record["y"] = self._on_constraints(record["t"], self._given(record["y"]), m)
        if record["inside"] is not None:
            t, y = record["inside"]
            record["inside"] = (t, self._on_constraints(t, self._given(y), m))
        record["events"] = [(name, t, self._given(y)) for name, t, y in record["events"]]
        return record

    def _rate(self, t: float, y: Vector) -> Vector:
        t = min(max(t, self._span[0]), self._span[1])
        rate = np.asarray(self._fun(t, self._given(y)), dtype=self.dtype)
        return self._real(rate.reshape(self.n) / self._scale)

    def _scaled_constraints(self, t: float, y: Vector) -> Vector:
        return np.atleast_1d(np.asarray(self._constraints(t, self._given(y)), dtype=float))

    def _on_constraints(self, times: Vector, rows: Vector, m: int) -> Vector:
        """The nearest states that satisfy the constraints: what Newton's iteration has left is taken away."""
        for k, t in enumerate(times if m else times[:0]):
            for _ in range(_PASSES):
                scaled = rows[k] / self._scale
                gradient = _gradient(self._scaled_constraints, t, scaled)
                scaled -= np.linalg.pinv(gradient) @ self._scaled_constraints(t, scaled)
                rows[k] = scaled * self._scale
        return rows

    def _number_of_constraints(self, t0: float) -> int:
        if self._constraints is None:
            return 0
        if self.is_complex:
            raise ValueError("`constraints` need real variables")
        return int(np.atleast_1d(self._constraints(t0, self.start)).size)

    def _jacobian(self) -> Jacobian:
        size = self._real(self.start).size
        given = self._jac
        if given is not None:
            constant = None if callable(given) else self._real_matrix(given)
            given = constant if constant is not None else lambda t, y: self._real_matrix(self._jac(t, self._given(y)))
        sparsity = None if self.is_complex else self._sparsity
        return Jacobian(size, self._rate, given, sparsity)

    def _mass_matrix(self, m: int) -> Any:
        if self._mass is None and m == 0:
            return None
        mass = np.eye(self.n) if self._mass is None else self._mass.reshape(self.n, self.n)
        whole = np.zeros((self._real(self.start).size + m,) * 2)
        inner = self._real_matrix(mass)
        whole[: len(inner), : len(inner)] = inner
        return whole

    def _real(self, y: Any) -> Vector:
        return np.concatenate([y.real, y.imag]) if self.is_complex else np.ascontiguousarray(y)

    def _real_matrix(self, matrix: Any) -> Any:
        dense = np.array(matrix.toarray() if hasattr(matrix, "toarray") else matrix, dtype=self.dtype)
        dense = dense.reshape(self.n, self.n) * (self._scale / self._scale[:, None])
        return np.block([[dense.real, -dense.imag], [dense.imag, dense.real]]) if self.is_complex else dense

    def _given(self, y: Any) -> Any:
        if self.is_complex:
            return (y[..., : self.n] + 1j * y[..., self.n : 2 * self.n]) * self._scale
        return y[..., : self.n] * self._scale


class _Held:
    """y' = f(t, y) - G' mu, 0 = g(t, y): what f keeps up to its error is kept exactly (Gear 1986)."""

    def __init__(self, rate: Any, constraints: Any, m: int) -> None:
        self._rate, self._constraints, self._m = rate, constraints, m

    def rate(self, t: float, y: Vector) -> Vector:
        """The rates, and what has to vanish."""
        x, mu = y[: -self._m], y[-self._m :]
        gradient = _gradient(self._constraints, t, x)
        return np.concatenate([self._rate(t, x) - mu @ gradient, self._constraints(t, x)])


def _gradient(function: Callable[[float, Vector], Vector], t: float, x: Vector) -> Any:
    """The derivative of a function by central differences."""
    columns = []
    for j, step in enumerate(np.cbrt(np.finfo(float).eps) * (1.0 + np.abs(x))):
        ahead, behind = x.copy(), x.copy()
        ahead[j] += step
        behind[j] -= step
        columns.append((function(t, ahead) - function(t, behind)) / (ahead[j] - behind[j]))
    return np.stack(columns, axis=1)


def _joined(records: list[dict[str, Any]]) -> dict[str, Any]:
    last = records[-1]
    if len(records) == 1:
        return last
    keep = [record["t"][:-1] for record in records[:-1]] + [last["t"]]
    rows = [record["y"][:-1] for record in records[:-1]] + [last["y"]]
    stats = {name: sum(record["stats"][name] for record in records) for name in last["stats"]}
    events = [event for record in records for event in record["events"]]
    inside = None
    if last["inside"] is not None:
        # The start of a piece is the end of the one before.
        parts = [record["inside"] for record in records]
        inside = (
            np.concatenate([parts[0][0], *(t[1:] for t, _ in parts[1:])]),
            np.concatenate([parts[0][1], *(y[1:] for _, y in parts[1:])]),
        )
    return {
        **last, "t": np.concatenate(keep), "y": np.concatenate(rows), "inside": inside, "events": events, "stats": stats
    }


def _result(
    problem: _Problem, record: dict[str, Any], events: int | None
) -> OdeResult:
    # Where there is no row SciPy has empty lists.
    t, y = (record["t"], record["y"].T) if record["t"].size else ([], [])
    found = [[event for event in record["events"] if event[0] == f"event {k}"] for k in range(events or 0)]
    status = -1 if record["error"] is not None else 1 if record["stop"].startswith("event") else 0
    stats = record["stats"]
    result = OdeResult(
        t=t,
        y=y,
        sol=None if record["inside"] is None else Dense(*record["inside"]),
        t_events=None if events is None else [np.array([event[1] for event in of]) for of in found],
        y_events=None if events is None else [np.array([event[2] for event in of]) for of in found],
        nfev=stats["rhs"],
        njev=0 if problem.jacobian_is_constant else stats["jacobians"],
        nlu=stats["factorizations"],
        status=status,
        message=_MESSAGES[status] if status >= 0 else record["error"][0],
        success=status >= 0,
    )
    if record.get("multipliers") is not None:
        result["multipliers"] = record["multipliers"].T
    return result


def _method(method: Any) -> str:
    name = method.__name__ if inspect.isclass(method) else str(method)
    return _METHODS.get(name, name)


def _with_args(events: Any, args: Any) -> list[Any]:
    listed = [events] if callable(events) else list(events)
    return listed if args is None else [_Bound(event, tuple(args)) for event in listed]


class _Bound:
    """An event with further arguments."""

    def __init__(self, event: Any, args: tuple[Any, ...]) -> None:
        self._event, self._args = event, args
        self.terminal = getattr(event, "terminal", None)
        self.direction = getattr(event, "direction", 0.0)

    def __call__(self, t: float, y: Any) -> Any:
        return self._event(t, y, *self._args)
