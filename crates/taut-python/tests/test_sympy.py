"""Systems of sympy expressions move as their model files do."""

import numpy as np
import pytest

import taut

sympy = pytest.importorskip("sympy")
from sympy import cos, sin, symbols  # noqa: E402
from sympy.physics.mechanics import (  # noqa: E402
    KanesMethod,
    LagrangesMethod,
    Particle,
    Point,
    ReferenceFrame,
    dynamicsymbols,
)

t = dynamicsymbols._t
TOLERANCE = 1e-8


def assert_same(model, reference, until):
    times = np.linspace(0, until, 11)
    expected = reference.solve(until, rtol=TOLERANCE, t_eval=times)
    motion = model.solve(until, rtol=TOLERANCE, t_eval=times)
    assert np.abs(motion.q - expected.q).max() <= 10 * TOLERANCE * (1 + np.abs(expected.q).max())
    assert np.abs(motion.v - expected.v).max() <= 10 * TOLERANCE * (1 + np.abs(expected.v).max())


def test_double_pendulum():
    a, b = dynamicsymbols("a b")
    m1, m2, l1, l2, g = symbols("m1 m2 l1 l2 g")
    x1, y1 = l1 * sin(a), -l1 * cos(a)
    x2, y2 = x1 + l2 * sin(b), y1 - l2 * cos(b)
    kinetic = m1 / 2 * (x1.diff(t) ** 2 + y1.diff(t) ** 2) + m2 / 2 * (x2.diff(t) ** 2 + y2.diff(t) ** 2)
    model = taut.Mechanical(
        [a, b],
        kinetic=kinetic,
        potential=g * (m1 * y1 + m2 * y2),
        parameters={m1: 1.0, m2: 1.0, l1: 1.0, l2: 1.0, g: 9.81},
        start={"a": np.pi / 2, "b": np.pi / 2},
        observe={"height": y2},
    )
    assert "shared" in model.source
    assert_same(model, taut.Model.builtin("double-pendulum"), 2.0)
    assert model.solve(0.1)["height"].shape == model.solve(0.1).t.shape


def test_four_bar():
    reference = taut.Model.builtin("four-bar")
    a, b, c = dynamicsymbols("a b c")
    l0, l1, l2, l3, m1, m2, m3, g = symbols("l0 l1 l2 l3 m1 m2 m3 g")
    u = (l1 * cos(a) + l2 / 2 * cos(b)).diff(t)
    w = (l1 * sin(a) + l2 / 2 * sin(b)).diff(t)
    kinetic = (
        m1 * l1**2 / 6 * a.diff(t) ** 2
        + m2 / 2 * (u**2 + w**2)
        + m2 * l2**2 / 24 * b.diff(t) ** 2
        + m3 * l3**2 / 6 * c.diff(t) ** 2
    )
    height = m1 * l1 / 2 * sin(a) + m2 * (l1 * sin(a) + l2 / 2 * sin(b)) + m3 * l3 / 2 * sin(c)
    model = taut.Mechanical(
        [a, b, c],
        kinetic=kinetic,
        potential=g * height,
        constraints={
            "across": l1 * cos(a) + l2 * cos(b) - l3 * cos(c) - l0,
            "up": l1 * sin(a) + l2 * sin(b) - l3 * sin(c),
        },
        parameters={name: reference.parameters[name] for name in "l0 l1 l2 l3 m1 m2 m3 g".split()},
        start={"a": np.pi / 2, "b": np.arctan2(1.5, 2.0), "c": np.pi / 2, "a'": 8.0, "c'": 3.2},
    )
    assert model.constraints == reference.constraints
    assert_same(model, reference, 1.0)


FURUTA = """
[parameters]
m = 0.2
M = 0.3
r = 0.4
l = 0.5
g = 9.81
[coordinates]
arm = { start = 0.0, velocity = 1.0 }
swing = { start = 0.4 }
[define]
ux = "-r*sin(arm)*arm' + l*cos(swing)*swing'*(-sin(arm)) - l*sin(swing)*cos(arm)*arm'"
uy = "r*cos(arm)*arm' + l*cos(swing)*swing'*cos(arm) - l*sin(swing)*sin(arm)*arm'"
uz = "-l*sin(swing)*swing'"
[energy]
kinetic = "M*r^2/2*arm'^2 + m/2*(ux^2 + uy^2 + uz^2)"
potential = "m*g*l*cos(swing)"
[forces]
arm = { dissipative = "-0.01*arm'" }
"""


def test_furuta_pendulum_by_lagrange():
    arm, swing = dynamicsymbols("arm swing")
    m, big, r, l, g = symbols("m M r l g")
    x = r * cos(arm) - l * sin(swing) * sin(arm)
    y = r * sin(arm) + l * sin(swing) * cos(arm)
    z = l * cos(swing)
    kinetic = big * r**2 / 2 * arm.diff(t) ** 2 + m / 2 * (x.diff(t) ** 2 + y.diff(t) ** 2 + z.diff(t) ** 2)
    lagrange = LagrangesMethod(kinetic - m * g * z, [arm, swing])
    model = taut.Mechanical.sympy(
        lagrange,
        parameters={m: 0.2, big: 0.3, r: 0.4, l: 0.5, g: 9.81},
        start={"swing": 0.4, "arm'": 1.0},
        forces={"arm": {"dissipative": -arm.diff(t) / 100}},
    )
    assert_same(model, taut.Model.text(FURUTA), 2.0)


def test_chain_of_six_bodies_with_constraints():
    links = 6
    names = [f"{axis}{k}" for k in range(1, links + 1) for axis in "xy"]
    q = dynamicsymbols(" ".join(names))
    g = symbols("g")
    points = [(sympy.Integer(0), sympy.Integer(0)), *zip(q[::2], q[1::2])]
    rods = [(b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 - 1 for a, b in zip(points, points[1:])]
    kinetic = sum(c.diff(t) ** 2 for c in q) / 2
    lagrange = LagrangesMethod(kinetic - g * sum(q[1::2]), q, hol_coneqs=rods)
    start = {f"x{k}": float(k) for k in range(1, links + 1)}
    model = taut.Mechanical.sympy(lagrange, parameters={g: 9.81}, start=start)
    text = "[parameters]\ng = 9.81\n[coordinates]\n"
    text += "".join(f"{name} = {{ start = {start.get(name, 0.0)} }}\n" for name in names)
    text += '[energy]\nkinetic = "(' + " + ".join(f"{name}'^2" for name in names) + ')/2"\n'
    text += 'potential = "g*(' + " + ".join(names[1::2]) + ')"\n[constraints]\nr1 = "x1^2 + y1^2 - 1"\n'
    for k in range(2, links + 1):
        text += f'r{k} = "(x{k} - x{k - 1})^2 + (y{k} - y{k - 1})^2 - 1"\n'
    # A chain is chaotic; what rounding makes of two formulations is seen after a while.
    assert_same(model, taut.Model.text(text), 0.5)


def test_kane():
    q, u = dynamicsymbols("q u")
    m, l, g, c = symbols("m l g c")
    frame = ReferenceFrame("N")
    turned = frame.orientnew("A", "Axis", [q, frame.z])
    turned.set_ang_vel(frame, u * frame.z)
    origin, bob = Point("O"), Point("P")
    origin.set_vel(frame, 0)
    bob.set_pos(origin, l * turned.x)
    bob.v2pt_theory(origin, frame, turned)
    kane = KanesMethod(frame, q_ind=[q], u_ind=[u], kd_eqs=[q.diff(t) - u])
    kane.kanes_equations([Particle("B", bob, m)], [(bob, m * g * frame.x), (turned, -c * u * frame.z)])
    model = taut.Mechanical.sympy(kane, parameters={m: 2.0, l: 0.5, g: 9.81, c: 0.1}, start={"q": 1.0})
    text = """
    [parameters]
    m = 2.0
    l = 0.5
    g = 9.81
    [coordinates]
    q = { start = 1.0 }
    [energy]
    kinetic = "m*l^2*q'^2/2"
    potential = "-m*g*l*cos(q)"
    [forces]
    q = { dissipative = "-0.1*q'" }
    """
    assert_same(model, taut.Model.text(text), 3.0)


def test_what_is_no_coordinate_is_named():
    x, other = dynamicsymbols("x other")
    with pytest.raises(ValueError, match="other"):
        taut.Mechanical([x], kinetic=x.diff(t) ** 2 / 2, potential=other)
    with pytest.raises(ValueError, match="nothing"):
        taut.Mechanical("x", kinetic="x'^2/2", start={"nothing": 1.0})
    with pytest.raises(taut.ModelError, match="k"):
        taut.Mechanical([x], kinetic=x.diff(t) ** 2 / 2, potential=symbols("k") * x**2)
