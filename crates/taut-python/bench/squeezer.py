"""Andrews' squeezing mechanism with Python functions: Taut on index 3, SciPy's Radau on index 1, at equal error.

    python bench/squeezer.py

prints the table of docs/python.md, measured in one run. Both get the same functions M, f, g, G and curvature.
"""

from __future__ import annotations

import time

import numpy as np
import scipy.integrate

import taut

P = taut.Model.builtin("squeezer").parameters
E, Z = P["e"] - P["ea"], P["zf"] - P["fa"]
UNTIL = 0.03
ROUNDS = 9


def mass(t, q, v):
    """M(q)"""
    be, th, ga, ph, de, om, ep = q
    m = np.zeros((7, 7), dtype=q.dtype)
    cos_th, sin_ph, sin_om = np.cos(th), np.sin(ph), np.sin(om)
    m[0, 0] = P["m1"] * P["ra"] ** 2 + P["m2"] * (P["rr"] ** 2 - 2 * P["da"] * P["rr"] * cos_th + P["da"] ** 2) + P["I1"] + P["I2"]
    m[0, 1] = m[1, 0] = P["m2"] * (P["da"] ** 2 - P["da"] * P["rr"] * cos_th) + P["I2"]
    m[1, 1] = P["m2"] * P["da"] ** 2 + P["I2"]
    m[2, 2] = P["m3"] * (P["sa"] ** 2 + P["sb"] ** 2) + P["I3"]
    m[3, 3] = P["m4"] * E**2 + P["I4"]
    m[3, 4] = m[4, 3] = P["m4"] * (E**2 + P["zt"] * E * sin_ph) + P["I4"]
    m[4, 4] = P["m4"] * (P["zt"] ** 2 + 2 * P["zt"] * E * sin_ph + E**2) + P["m5"] * (P["ta"] ** 2 + P["tb"] ** 2) + P["I4"] + P["I5"]
    m[5, 5] = P["m6"] * Z**2 + P["I6"]
    m[5, 6] = m[6, 5] = P["m6"] * (Z**2 - P["u"] * Z * sin_om) + P["I6"]
    m[6, 6] = P["m6"] * (Z**2 - 2 * P["u"] * Z * sin_om + P["u"] ** 2) + P["m7"] * (P["ua"] ** 2 + P["ub"] ** 2) + P["I6"] + P["I7"]
    return m


def force(t, q, v):
    """f(q, v), Coriolis forces included."""
    be, th, ga, ph, de, om, ep = q
    bev, thv, gav, phv, dev, omv, epv = v
    sin_ga, cos_ga = np.sin(ga), np.cos(ga)
    x = P["sd"] * cos_ga + P["sc"] * sin_ga + P["xb"] - P["xc"]
    y = P["sd"] * sin_ga - P["sc"] * cos_ga + P["yb"] - P["yc"]
    length = np.sqrt(x * x + y * y)
    pull = -P["c0"] * (length - P["l0"]) / length
    a, b, c = P["m2"] * P["da"] * P["rr"] * np.sin(th), P["m4"] * P["zt"] * E * np.cos(ph), P["m6"] * P["u"] * Z * np.cos(om)
    return np.array(
        [
            P["mom"] - a * thv * (thv + 2 * bev),
            a * bev**2,
            pull * x * (P["sc"] * cos_ga - P["sd"] * sin_ga) + pull * y * (P["sd"] * cos_ga + P["sc"] * sin_ga),
            b * dev**2,
            -b * phv * (phv + 2 * dev),
            -c * epv**2,
            c * omv * (omv + 2 * epv),
        ]
    )


def constraint(t, q, v):
    """g(q)"""
    be, th, ga, ph, de, om, ep = q
    x = P["rr"] * np.cos(be) - P["d"] * np.cos(be + th)
    y = P["rr"] * np.sin(be) - P["d"] * np.sin(be + th)
    return np.array(
        [
            x - P["ss"] * np.sin(ga) - P["xb"],
            y + P["ss"] * np.cos(ga) - P["yb"],
            x - P["e"] * np.sin(ph + de) - P["zt"] * np.cos(de) - P["xa"],
            y + P["e"] * np.cos(ph + de) - P["zt"] * np.sin(de) - P["ya"],
            x - P["zf"] * np.cos(om + ep) - P["u"] * np.sin(ep) - P["xa"],
            y - P["zf"] * np.sin(om + ep) + P["u"] * np.cos(ep) - P["ya"],
        ]
    )


def jacobian(t, q, v):
    """G(q)"""
    be, th, ga, ph, de, om, ep = q
    g = np.zeros((6, 7), dtype=q.dtype)
    g[::2, 1] = P["d"] * np.sin(be + th)
    g[1::2, 1] = -P["d"] * np.cos(be + th)
    g[::2, 0] = g[0, 1] - P["rr"] * np.sin(be)
    g[1::2, 0] = g[1, 1] + P["rr"] * np.cos(be)
    g[0, 2], g[1, 2] = -P["ss"] * np.cos(ga), -P["ss"] * np.sin(ga)
    g[2, 3], g[3, 3] = -P["e"] * np.cos(ph + de), -P["e"] * np.sin(ph + de)
    g[2, 4], g[3, 4] = g[2, 3] + P["zt"] * np.sin(de), g[3, 3] - P["zt"] * np.cos(de)
    g[4, 5], g[5, 5] = P["zf"] * np.sin(om + ep), -P["zf"] * np.cos(om + ep)
    g[4, 6], g[5, 6] = g[4, 5] - P["u"] * np.cos(ep), g[5, 5] - P["u"] * np.sin(ep)
    return g


def curvature(t, q, v):
    """G_q(v, v)"""
    be, th, ga, ph, de, om, ep = q
    bev, thv, gav, phv, dev, omv, epv = v
    x = -P["rr"] * np.cos(be) * bev**2 + P["d"] * np.cos(be + th) * (bev + thv) ** 2
    y = -P["rr"] * np.sin(be) * bev**2 + P["d"] * np.sin(be + th) * (bev + thv) ** 2
    return np.array(
        [
            x + P["ss"] * np.sin(ga) * gav**2,
            y - P["ss"] * np.cos(ga) * gav**2,
            x + P["e"] * np.sin(ph + de) * (phv + dev) ** 2 + P["zt"] * np.cos(de) * dev**2,
            y - P["e"] * np.cos(ph + de) * (phv + dev) ** 2 + P["zt"] * np.sin(de) * dev**2,
            x + P["zf"] * np.cos(om + ep) * (omv + epv) ** 2 + P["u"] * np.sin(ep) * epv**2,
            y + P["zf"] * np.sin(om + ep) * (omv + epv) ** 2 - P["u"] * np.cos(ep) * epv**2,
        ]
    )


def index_one(t, y):
    """q' = v, v' from the twice differentiated constraints."""
    q, v = y[:7], y[7:]
    g = jacobian(t, q, v)
    saddle = np.zeros((13, 13))
    saddle[:7, :7], saddle[:7, 7:], saddle[7:, :7] = mass(t, q, v), g.T, g
    a = np.linalg.solve(saddle, np.concatenate([force(t, q, v), -curvature(t, q, v)]))
    return np.concatenate([v, a[:7]])


def system() -> object:
    """The mechanism as Taut takes it."""
    return taut.Mechanical.functions(
        7, mass=mass, force=force, constraint=constraint, jacobian=jacobian, curvature=curvature, moving=False
    )


def measured(solve, error_of):
    """The best of some rounds: seconds of the processor and error."""
    seconds = []
    for _ in range(ROUNDS):
        began = time.process_time()
        answer = solve()
        seconds.append(time.process_time() - began)
    return min(seconds), error_of(answer)


def at_error(points, error):
    """The time that an error takes, between two measurements; those that another beats in both time and error do not count."""
    points = [p for p in points if not any(other[0] < p[0] and other[1] < p[1] for other in points)]
    points = sorted(points, key=lambda point: point[1])
    return float(np.exp(np.interp(np.log(error), [np.log(e) for _, e in points], [np.log(s) for s, _ in points])))


def main() -> None:
    """Measures and prints."""
    model = taut.Model.builtin("squeezer")
    exact = model.solve(UNTIL, rtol=1e-13, method="radau").q[-1]
    start = model.solve(1e-12, t_eval=[0.0])
    q, v = start.q[0], start.v[0]
    mechanism = system()
    methods = {
        "taut, index 3": lambda tol: lambda: mechanism.solve(UNTIL, q, v, rtol=tol, method="radau").q[-1],
        "taut, auto": lambda tol: lambda: mechanism.solve(UNTIL, q, v, rtol=tol).q[-1],
        "scipy Radau, index 1": lambda tol: lambda: scipy.integrate.solve_ivp(
            index_one, (0, UNTIL), np.concatenate([q, v]), method="Radau", rtol=tol, atol=tol
        ).y[:7, -1],
    }
    found = {}
    for name, method in methods.items():
        found[name] = [
            measured(method(tol), lambda end: float(np.abs(end - exact).max())) for tol in 10.0 ** -np.arange(2, 8)
        ]
        for seconds, error in found[name]:
            print(f"{name:22} {seconds:8.3f} s   error {error:.1e}")
    print("\n| error of positions | scipy Radau, index 1 | taut, index 3 | taut, auto |\n| --- | --- | --- | --- |")
    for error in (1e-3, 1e-4, 1e-5, 1e-6):
        columns = [at_error(found[name], error) for name in ("scipy Radau, index 1", "taut, index 3", "taut, auto")]
        print(f"| {error:.0e} | " + " | ".join(f"{1e3 * seconds:.0f} ms" for seconds in columns) + " |")


if __name__ == "__main__":
    main()
