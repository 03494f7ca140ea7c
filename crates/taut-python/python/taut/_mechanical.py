"""Mechanical systems from strings, from sympy, from functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ._expressions import Formulas, names_of
from ._functions import Functions
from ._model import Model
from ._toml import document

Expression = Any


class Mechanical(Model):
    """A mechanical system from energies, constraints and forces, as strings or sympy expressions.

    `coordinates` are names ("x y"), symbols or functions of time. `kinetic` may be replaced by `mass`, entries
    {"x,x": ...}. A constraint is an expression, or {"equation": ..., "compliance": ...} for a spring. A force is an
    expression by coordinate, or {"dissipative": ...}, {"driving": ...}; one without a class is taken as driving.

    >>> import taut
    >>> pendulum = taut.Mechanical("x y", kinetic="(x'^2 + y'^2)/2", potential="g*y",
    ...                            constraints={"rod": "hypot(x, y) - 1"}, parameters={"g": 9.81}, start={"x": 1.0})
    >>> float(pendulum.solve(1.0, rtol=1e-9)["y"][-1].round(4))
    -0.165

    With sympy:

    >>> import sympy
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> angle, length = dynamicsymbols("angle"), sympy.Symbol("length")
    >>> t = dynamicsymbols._t
    >>> swing = taut.Mechanical([angle], kinetic=length**2*angle.diff(t)**2/2, potential=-length*sympy.cos(angle),
    ...                         parameters={"length": 2.0}, start={"angle": 0.1})
    >>> swing.solve(1.0).q.shape[1]
    1
    """

    def __init__(
        self,
        coordinates: str | Iterable[Any],
        *,
        kinetic: Expression = None,
        mass: Mapping[str, Expression] | None = None,
        potential: Expression = None,
        constraints: Mapping[str, Expression | Mapping[str, Expression]] | None = None,
        nonholonomic: Mapping[str, Expression] | None = None,
        forces: Mapping[str, Expression | Mapping[str, Expression]] | None = None,
        parameters: Mapping[Any, float] | None = None,
        start: Mapping[str, float] | None = None,
        define: Mapping[str, str] | None = None,
        observe: Mapping[str, Expression] | None = None,
        end: float | None = None,
        name: str = "model",
    ) -> None:
        names = names_of(coordinates)
        values = {names_of([parameter])[0]: value for parameter, value in (parameters or {}).items()}
        formulas = Formulas(names)
        sections: dict[str, dict[str, Any]] = {
            "parameters": values,
            "coordinates": {coordinate: _start(coordinate, start or {}) for coordinate in names},
            "define": dict(define or {}),
            "energy": _table(formulas, {"kinetic": kinetic, "potential": potential}),
            "mass": _table(formulas, mass),
            "constraints": _nested(formulas, constraints),
            "nonholonomic": _table(formulas, nonholonomic),
            "forces": _nested(formulas, _classified(forces)),
            "observe": _table(formulas, observe),
            "time": {} if end is None else {"end": float(end)},
        }
        _check_start(start or {}, names)
        sections["define"].update(formulas.shared([*names, *values, *(define or {})]))
        self._setup(name, f"{name}.toml", document(name, sections))

    @classmethod
    def sympy(cls, method: Any, **more: Any) -> Mechanical:
        """A LagrangesMethod (with holonomic constraints) or a KanesMethod of sympy.physics.mechanics.

        The speeds of a KanesMethod have to be the velocities of its coordinates. What else a model needs is added by
        the names of `Mechanical`: `parameters`, `start`, `constraints`, ...

        >>> import taut
        >>> from sympy import symbols, Matrix
        >>> from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
        >>> x, y = dynamicsymbols("x y")
        >>> t, g = dynamicsymbols._t, symbols("g")
        >>> lagrange = LagrangesMethod((x.diff(t)**2 + y.diff(t)**2)/2 - g*y, [x, y], hol_coneqs=[x**2 + y**2 - 1])
        >>> pendulum = taut.Mechanical.sympy(lagrange, parameters={"g": 9.81}, start={"x": 1.0})
        >>> bool(abs(pendulum.solve(1.0).q ** 2 @ [1, 1] - 1).max() < 1e-12)
        True
        """
        from ._sympy import from_kane, from_lagrange

        found = from_lagrange(method) if hasattr(method, "form_lagranges_equations") else from_kane(method)
        for table in ("constraints", "forces"):
            if table in more:
                found[table] = {**found.get(table, {}), **more.pop(table)}
        return cls(**{**found, **more})

    @staticmethod
    def functions(
        n: int | str | Iterable[str],
        *,
        mass: Any,
        force: Callable[..., Any],
        constraint: Callable[..., Any] | None = None,
        jacobian: Callable[..., Any] | None = None,
        potential: Callable[..., Any] | None = None,
        curvature: Callable[..., Any] | None = None,
        stiffness: Callable[..., Any] | None = None,
        damping: Callable[..., Any] | None = None,
        constraints: Any = None,
        moving: bool = True,
        derivatives: str | None = None,
    ) -> Functions:
        """A system M(q) v' = f(t, q, v) - G' lambda, g(t, q) = 0 of Python or numba functions of (t, q, v).

        >>> import numpy as np, taut
        >>> pendulum = taut.Mechanical.functions(
        ...     "x y", mass=np.eye(2), force=lambda t, q, v: np.array([0.0, -9.81]),
        ...     constraint=lambda t, q, v: np.array([(q @ q - 1.0)/2]), jacobian=lambda t, q, v: q.reshape(1, 2))
        >>> motion = pendulum.solve(1.0, [1.0, 0.0], rtol=1e-9)
        >>> float(motion["y"][-1].round(4))
        -0.165
        """
        names = [f"q{k}" for k in range(n)] if isinstance(n, int) else names_of(n)
        return Functions(
            names,
            mass=mass,
            force=force,
            constraint=constraint,
            jacobian=jacobian,
            potential=potential,
            curvature=curvature,
            stiffness=stiffness,
            damping=damping,
            constraints=constraints,
            moving=moving,
            derivatives=derivatives,
        )


def _table(formulas: Formulas, entries: Mapping[str, Any] | None) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for name, entry in (entries or {}).items():
        if entry is not None:
            formulas.put(table, str(name), entry)
    return table


def _nested(formulas: Formulas, entries: Mapping[str, Any] | None) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for name, entry in (entries or {}).items():
        if isinstance(entry, Mapping):
            table[names_of([name])[0]] = _table(formulas, entry)
        else:
            formulas.put(table, names_of([name])[0], entry)
    return table


def _classified(forces: Mapping[str, Any] | None) -> dict[str, Any]:
    return {k: force if isinstance(force, Mapping) else {"driving": force} for k, force in (forces or {}).items()}


def _start(coordinate: str, start: Mapping[str, float]) -> dict[str, Any]:
    table: dict[str, Any] = {"start": start.get(coordinate, 0.0)}
    if f"{coordinate}'" in start:
        table["velocity"] = start[f"{coordinate}'"]
    return table


def _check_start(start: Mapping[str, float], names: list[str]) -> None:
    known = [*names, *(f"{name}'" for name in names)]
    for name in start:
        if name not in known:
            raise ValueError(f"there is no coordinate '{name}' to start with; there are {', '.join(known)}")
