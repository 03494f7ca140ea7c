"""Derivatives of Python functions: by complex steps, or by differences."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ._numbers import Matrix, Vector

#: a complex step has no rounding error, so it may be this short
_COMPLEX = 1e-40
#: central differences of fourth order along a motion
_ALONG = 2e-4
_CENTRAL = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))
_SECOND = ((-2, -1 / 12), (-1, 4 / 3), (0, -5 / 2), (1, 4 / 3), (2, -1 / 12))
#: second differences lose twice the digits
_SECOND_STEP = 2e-3
#: differences for Newton's iteration, which forgives; longer ones where G is a difference already
_NEWTON = 1e-7
_NESTED = 1e-5
#: two derivatives that agree to this are the same
_AGREE = 1e-4


class Derivatives:
    """Functions of (t, q, v) with all derivatives that a solver asks for."""

    # What is given is called as it is, without a detour.
    force: Callable[..., Any]
    constraint: Callable[..., Any]
    jacobian: Callable[..., Any]

    def __init__(
        self,
        n: int,
        *,
        mass: Any,
        force: Callable[..., Any],
        constraint: Callable[..., Any] | None,
        jacobian: Callable[..., Any] | None,
        potential: Callable[..., Any] | None,
        curvature: Callable[..., Any] | None,
        stiffness: Callable[..., Any] | None,
        damping: Callable[..., Any] | None,
        moving: bool,
        derivatives: str | None,
    ) -> None:
        if derivatives not in (None, "complex", "differences"):
            raise ValueError(f"`derivatives` is {derivatives!r}, but must be 'complex' or 'differences'")
        if jacobian is not None and constraint is None:
            raise ValueError("there is a `jacobian`, but no `constraint` it belongs to")
        self.n, self.m = n, 0
        self.constant_mass = not callable(mass)
        self._constant = None if callable(mass) else np.array(mass, dtype=float).reshape(n, n)
        self._mass, self._constraint, self._jacobian = mass, constraint, jacobian
        self.force = force
        if constraint is not None:
            self.constraint = constraint
        if jacobian is not None:
            self.jacobian = jacobian
        self._potential, self._curvature = potential, curvature
        self._stiffness, self._damping = stiffness, damping
        self._moving, self._wanted = moving, derivatives
        self._complex = False
        self.has_potential = potential is not None
        self.found: dict[str, str] = {}

    def at(self, t: float, q: Vector, v: Vector) -> Derivatives:
        """The same functions, with what the start of a run tells: how many constraints, and which derivatives."""
        ready = copy.copy(self)
        if self._jacobian is None:
            ready.jacobian = ready._found_jacobian
        if self._constraint is not None:
            ready.m = int(np.size(self._constraint(t, q, v)))
        ready._complex = self._wanted == "complex" or (self._wanted is None and ready._takes_complex(t, q, v))
        how = "complex steps" if ready._complex else "differences"
        ready.found = {
            "constraint": "given" if self._jacobian is not None else how,
            "curvature": "given" if self._curvature is not None else how,
            "newton": "given" if self._stiffness is not None and self._damping is not None else how,
        }
        return ready

    def mass(self, t: float, q: Any, v: Any) -> Any:
        """M(q)"""
        return self._constant if self._constant is not None else np.asarray(self._mass(t, q, v))

    def _found_jacobian(self, t: float, q: Vector, v: Vector) -> Matrix:
        """G(t, q) where it is not given"""
        return np.ascontiguousarray(self._g(t, q, v))

    def _value(self, t: Any, q: Any, v: Any) -> Any:
        """g(t, q) as a vector"""
        return np.asarray(self.constraint(t, q, v)).reshape(self.m)

    def rate(self, t: float, q: Vector, v: Vector) -> Vector:
        """G v + g_t"""
        rate: Vector = self._g(t, q, v) @ v
        if self._moving:
            rate = rate + self._sum(_CENTRAL, _ALONG, lambda s: self._value(t + s, q, v)) / _ALONG
        return rate

    def curvature(self, t: float, q: Vector, v: Vector) -> Vector:
        """G_q(v, v) + 2 G_t v + g_tt"""
        if self._curvature is not None:
            return np.asarray(self._curvature(t, q, v), dtype=float)
        if self._complex:
            bent = np.imag(self._g(t, q + 1j * _COMPLEX * v, v) @ v) / _COMPLEX
        else:
            step = _ALONG * (1.0 + np.max(np.abs(q), initial=0.0)) / (1.0 + np.max(np.abs(v), initial=0.0))
            bent = self._sum(_CENTRAL, step, lambda s: self._g(t, q + s * v, v) @ v) / step
        if self._moving:
            turned = self._sum(_CENTRAL, _ALONG, lambda s: self._g(t + s, q, v) @ v) / _ALONG
            second = self._sum(_SECOND, _SECOND_STEP, lambda s: self._value(t + s, q, v))
            bent = bent + 2.0 * turned + second / _SECOND_STEP**2
        return np.asarray(bent, dtype=float)

    def kinetic(self, t: float, q: Vector, v: Vector) -> Vector:
        """M' v: what f has of Coriolis forces less than (M v)' wants."""
        step = _ALONG / (1.0 + np.max(np.abs(v), initial=0.0))
        change: Vector = self._sum(_CENTRAL, step, lambda s: self.mass(t, q + s * v, v) @ v) / step
        return change

    def blocks(
        self, t: float, q: Vector, v: Vector, a: Vector, multipliers: Vector, force: bool, kinetic: bool
    ) -> tuple[Matrix, Matrix]:
        """K = d(f - M a - G' lambda)/dq and D = df/dv."""
        n = self.n

        def pushed(at_q: Any, at_v: Any) -> Any:
            total = np.asarray(self.force(t, at_q, at_v)) if force else np.zeros(n)
            return total + self.kinetic(t, at_q, at_v) if kinetic and not self.constant_mass else total

        def balance(at_q: Any) -> Any:
            total = pushed(at_q, v)
            if not self.constant_mass:
                total = total - self.mass(t, at_q, v) @ a
            return total - multipliers @ self._g(t, at_q, v) if self.m else total

        nothing = not (force or kinetic)
        if self._stiffness is not None and force and not kinetic:
            k = np.asarray(self._stiffness(t, q, v, a, multipliers), dtype=float)
        else:
            k = self._columns(balance, q)
        if nothing:
            return k, np.zeros((n, n))
        if self._damping is not None and force and not kinetic:
            return k, np.asarray(self._damping(t, q, v), dtype=float)
        return k, self._columns(lambda at_v: pushed(q, at_v), v)

    def energy(self, t: float, q: Vector, v: Vector) -> Vector:
        """Kinetic and potential energy."""
        potential = 0.0 if self._potential is None else float(self._potential(t, q, v))
        return np.array([0.5 * v @ self.mass(t, q, v) @ v, potential])

    def _g(self, t: Any, q: Any, v: Any) -> Any:
        """G, m by n."""
        if self._jacobian is not None:
            return np.asarray(self._jacobian(t, q, v)).reshape(self.m, self.n)
        if np.iscomplexobj(q) or not self._complex:
            columns = [
                self._sum(_CENTRAL, step, lambda s, j=j: self._value(t, _moved(q, j, s), v)) / step  # type: ignore[misc]
                for j, step in enumerate(_ALONG * (1.0 + np.abs(q)))
            ]
            return np.stack(columns, axis=1)
        return self._columns(lambda at_q: self._value(t, at_q, v), q)

    def _columns(self, function: Callable[[Any], Any], x: Vector) -> Matrix:
        """The derivative of a function of x, column by column."""
        if self._complex:
            columns = [np.imag(function(_moved(x, j, 1j * _COMPLEX))) / _COMPLEX for j in range(x.size)]
        else:
            here = np.asarray(function(x), dtype=float)
            steps = (_NEWTON if self._jacobian is not None or not self.m else _NESTED) * (0.1 + np.abs(x))
            columns = [(function(_moved(x, j, step)) - here) / step for j, step in enumerate(steps)]
        return np.ascontiguousarray(np.stack(columns, axis=1))

    @staticmethod
    def _sum(weights: tuple[tuple[int, float], ...], step: float, function: Callable[[float], Any]) -> Any:
        return sum(weight * function(k * step) for k, weight in weights)

    def _takes_complex(self, t: float, q: Vector, v: Vector) -> bool:
        """Whether complex steps through the functions give what differences give."""
        a, multipliers = np.ones(self.n), np.ones(self.m)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                trial = copy.copy(self)
                trial._complex, trial._stiffness, trial._damping = True, None, None
                by_complex = trial.blocks(t, q, v, a, multipliers, True, False)
                bent = trial.curvature(t, q, v) if self.m and self._curvature is None else np.zeros(0)
                trial._complex = False
                by_differences = trial.blocks(t, q, v, a, multipliers, True, False)
                bent_again = trial.curvature(t, q, v) if bent.size else bent
        except Exception:
            # Functions that do not take complex numbers say so in many ways.
            return False
        pairs = [*zip(by_complex, by_differences), (bent, bent_again)]
        return all(np.allclose(x, y, rtol=_AGREE, atol=_AGREE * (1.0 + np.max(np.abs(y), initial=0.0))) for x, y in pairs)


def _moved(x: Any, j: int, step: Any) -> Any:
    moved = x + 0 * step
    moved[j] += step
    return moved
