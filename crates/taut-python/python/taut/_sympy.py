"""From sympy to model files."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.printing.str import StrPrinter

#: functions whose names differ
_NAMES = {"Abs": "abs", "Min": "min", "Max": "max", "ceiling": "ceil", "sign": "sign", "Heaviside": "step"}


class _Printer(StrPrinter):  # type: ignore[misc]
    """Writes an expression as a model file has it."""

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if expr.exp == sympy.Rational(1, 2):
            return f"sqrt({self._print(expr.base)})"
        if expr.exp == sympy.Rational(-1, 2):
            return f"(1/sqrt({self._print(expr.base)}))"
        return f"(({self._print(expr.base)})^({self._print(expr.exp)}))"

    def _print_Function(self, expr: Any) -> str:
        name = expr.func.__name__
        return f"{_NAMES.get(name, name)}({', '.join(self._print(part) for part in expr.args)})"

    _print_Abs = _print_Min = _print_Max = _print_sign = _print_Heaviside = _print_Function

    def _print_Rational(self, expr: Any) -> str:
        return f"({expr.p}/{expr.q})"

    def _print_Float(self, expr: Any) -> str:
        return repr(float(expr))

    def _print_Exp1(self, expr: Any) -> str:
        return "exp(1)"


def written(expressions: list[Any], coordinates: list[str], taken: set[str]) -> tuple[dict[str, str], list[str]]:
    """Names for what the expressions share, and the expressions with them."""
    plain = [_plain(expression, coordinates) for expression in expressions]
    taken = taken | {symbol.name for expression in plain for symbol in expression.free_symbols}
    fresh = (sympy.Symbol(f"shared{k}") for k in range(10**6) if f"shared{k}" not in taken)
    shared, reduced = sympy.cse(plain, symbols=fresh)
    printer = _Printer()
    return (
        {symbol.name: printer.doprint(value) for symbol, value in shared},
        [printer.doprint(expression) for expression in reduced],
    )


def _plain(expression: Any, coordinates: list[str]) -> Any:
    """The expression with x for x(t), x' for its derivative."""
    expression = sympy.sympify(expression)
    changes: dict[Any, Any] = {}
    for derivative in expression.atoms(sympy.Derivative):
        function = derivative.expr
        if not isinstance(function, AppliedUndef) or derivative.derivative_count != 1:
            raise ValueError(f"{derivative} is not the velocity of a coordinate")
        changes[derivative] = sympy.Symbol(f"{function.func.__name__}'")
    expression = expression.xreplace(changes)
    functions = {f: sympy.Symbol(f.func.__name__) for f in expression.atoms(AppliedUndef)}
    unknown = [str(symbol) for symbol in functions.values() if symbol.name not in coordinates]
    if unknown:
        raise ValueError(f"{', '.join(unknown)}: functions of time that are not coordinates ({', '.join(coordinates)})")
    return expression.xreplace(functions)


def from_lagrange(method: Any) -> dict[str, Any]:
    """What a LagrangesMethod says: kinetic and potential energy, constraints, forces."""
    method.form_lagranges_equations()
    coordinates = list(method.q)
    velocities = [q.diff(sympy.physics.vector.dynamicsymbols._t) for q in coordinates]
    at_rest = {v: 0 for v in velocities}
    lagrangian = sympy.expand(method._L[0] if hasattr(method._L, "shape") else method._L)
    potential = -lagrangian.subs(at_rest)
    forces = {_name(q): force for q, force in zip(coordinates, method._term4) if force != 0}
    holonomic = list(getattr(method, "_hol_coneqs", None) or [])
    return {
        "coordinates": coordinates,
        "kinetic": sympy.simplify(lagrangian + potential),
        "potential": potential,
        "forces": forces,
        "constraints": {f"constraint{k + 1}": equation for k, equation in enumerate(holonomic)},
    }


def from_kane(method: Any) -> dict[str, Any]:
    """What a KanesMethod says, when its speeds are the velocities of its coordinates: mass matrix and forces.

    The forces of Kane's equations have the Coriolis forces in them, which a model file adds by itself.
    """
    time = sympy.physics.vector.dynamicsymbols._t
    coordinates, rates = list(method.q), method.kindiffdict()
    speeds = list(method.u)
    velocity = {u: q.diff(time) for q, u in zip(coordinates, speeds)}
    for q, u in zip(coordinates, speeds):
        if sympy.simplify(rates[q.diff(time)] - u) != 0:
            raise ValueError(f"the speed {u} is not the velocity of {q}: choose speeds {u} = {q}'")
    plain = {u: sympy.Symbol(f"{_name(u)}_") for u in speeds}
    mass = method.mass_matrix.subs(plain)
    v = sympy.Matrix([plain[u] for u in speeds])
    momentum = mass * v
    kinetic = (v.T * momentum)[0] / 2
    coriolis = [
        sympy.diff(kinetic, q) - sum(sympy.diff(momentum[i], other) * v[j] for j, other in enumerate(coordinates))
        for i, q in enumerate(coordinates)
    ]
    back = {plain[u]: velocity[u] for u in speeds}
    forcing = method.forcing.subs(plain)
    forces = {_name(q): sympy.simplify(forcing[i] - coriolis[i]).subs(back) for i, q in enumerate(coordinates)}
    entries = {
        f"{_name(coordinates[i])},{_name(coordinates[j])}": mass[i, j]
        for i in range(len(coordinates))
        for j in range(i + 1)
        if mass[i, j] != 0
    }
    return {"coordinates": coordinates, "mass": entries, "forces": {q: f for q, f in forces.items() if f != 0}}


def _name(function: Any) -> str:
    return str(function.func.__name__) if function.args else str(function.name)
