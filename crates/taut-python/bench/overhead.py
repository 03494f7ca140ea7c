"""What Python adds to a run, and what expressions of sympy take beside a model file.

    python bench/overhead.py

Times are those of the processor, and the best of many.
"""

from __future__ import annotations

import subprocess
import sys
import time

import sympy
from sympy.physics.mechanics import dynamicsymbols

import taut

ROUNDS = 40


def best(model: taut.Model, until: float, **options: object) -> float:
    """Seconds of a call."""
    calls = []
    for _ in range(ROUNDS):
        began = time.process_time()
        model.solve(until, **options)
        calls.append(time.process_time() - began)
    return min(calls)


def double_pendulum() -> taut.Model:
    """The built-in double pendulum from sympy."""
    a, b = dynamicsymbols("a b")
    g, t = sympy.Symbol("g"), dynamicsymbols._t
    x1, y1 = sympy.sin(a), -sympy.cos(a)
    x2, y2 = x1 + sympy.sin(b), y1 - sympy.cos(b)
    kinetic = sum(place.diff(t) ** 2 for place in (x1, y1, x2, y2)) / 2
    start = {"a": 1.5707963267948966, "b": 1.5707963267948966}
    return taut.Mechanical([a, b], kinetic=kinetic, potential=g * (y1 + y2), parameters={g: 9.81}, start=start)


def main() -> None:
    """Measures and prints."""
    pendulum = taut.Model.builtin("double-pendulum")
    call, empty = best(pendulum, 60.0, rtol=1e-9), best(pendulum, 1e-9, rtol=1e-9)
    print(f"a call that takes one step: {1e6 * empty:.0f} us, {100 * empty / call:.2f} percent of one of {1e3 * call:.1f} ms")
    from_sympy = best(double_pendulum(), 60.0, rtol=1e-9)
    print(f"from sympy it takes {from_sympy / call:.2f} of the time of the model file")
    script = "import time, numpy; began = time.process_time(); import taut; print(time.process_time() - began)"
    run = [sys.executable, "-c", script]
    imports = [float(subprocess.run(run, capture_output=True, check=True).stdout) for _ in range(5)]
    print(f"import: {1e3 * min(imports):.0f} ms beyond numpy")


if __name__ == "__main__":
    main()
