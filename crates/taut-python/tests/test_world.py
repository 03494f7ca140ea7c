"""Bodies and joints."""

import numpy as np
import pytest

import taut


def swing():
    world = taut.World(gravity=[0, -9.81], plane="xy")
    world.body("rod", mass=2.0, inertia=2.0 / 12, position=[0.5, 0.0], points={"tip": [0.5, 0.0]})
    world.joint("pin", "revolute", between=["ground", "rod"], at=[0.0, 0.0])
    return world


def test_a_rod_on_a_pin_swings_as_a_physical_pendulum():
    times = np.linspace(0.0, 2.0, 21)
    motion = swing().solve(2.0, rtol=1e-9, t_eval=times)
    # (1/3) m l^2 a'' = -m g l/2 sin(a), a from the downward vertical
    expected = taut.Mechanical(
        "a", kinetic="2/6*a'^2", potential="-2*9.81*0.5*cos(a)", start={"a": np.pi / 2}
    ).solve(2.0, rtol=1e-10, t_eval=times)
    np.testing.assert_allclose(motion["rod.x"], 0.5 * np.sin(expected["a"]), atol=1e-7)
    np.testing.assert_allclose(motion["rod.y"], -0.5 * np.cos(expected["a"]), atol=1e-7)


def test_loads_springs_and_further_sections():
    world = swing()
    world.load("push", on="rod", at="tip", force=["0", "3*sin(t)"])
    world.spring("tie", between=["ground", "rod"], points=[[0.0, 1.0], "tip"], length=1.0, stiffness=50.0)
    model = world.model(end=1.0, observe={"height": "rod.tip.y"})
    motion = model.solve()
    assert motion.t[-1] == 1.0 and "height" in motion.columns
    assert "[loads]" in model.source and "<World world: 1 bodies, 1 joints" in repr(world)


def test_names_are_taken_once():
    world = swing()
    with pytest.raises(ValueError, match="'rod'"):
        world.body("rod", mass=1.0, inertia=1.0)
    world.joint("odd", "hinge", between=["ground", "rod"], at=[0.0, 0.0])
    with pytest.raises(taut.ModelError, match="hinge"):
        world.model()
