"""solve_ivp beyond what SciPy's own tests ask for."""

import numpy as np
import pytest

import taut


def pendulum(t, y):
    x, z, u, w, force = y
    return [u, w, -force * x, -force * z - 9.81, x * x + z * z - 1]


def test_index_three_as_it_stands():
    mass = np.diag([1.0, 1, 1, 1, 0])
    result = taut.solve_ivp(pendulum, (0, 1), [1, 0, 0, 0, 0], mass=mass, rtol=1e-9, atol=1e-9)
    assert result.success and result.t[-1] == 1
    assert np.abs(result.y[0] ** 2 + result.y[1] ** 2 - 1).max() < 1e-9
    expected = taut.Mechanical(
        "x y", kinetic="(x'^2 + y'^2)/2", potential="9.81*y", constraints={"rod": "x^2 + y^2 - 1"}, start={"x": 1.0}
    ).solve(1.0, rtol=1e-10)
    np.testing.assert_allclose(result.y[:2, -1], expected.q[-1], atol=1e-7)


def test_singular_mass_of_index_one():
    mass = np.diag([1.0, 0.0])
    result = taut.solve_ivp(lambda t, y: [-y[1], y[0] ** 2 + y[1] - 1], (0, 2), [0.5, 0.75], mass=mass, rtol=1e-8)
    assert np.abs(result.y[0] ** 2 + result.y[1] - 1).max() < 1e-8


def test_constraints_are_kept():
    def kepler(t, y):
        r3 = np.hypot(y[0], y[1]) ** 3
        return [y[2], y[3], -y[0] / r3, -y[1] / r3]

    def energy(t, y):
        return [(y[2] ** 2 + y[3] ** 2) / 2 - 1 / np.hypot(y[0], y[1]) + 0.5]

    start = [0.5, 0.0, 0.0, np.sqrt(3.0)]
    held = taut.solve_ivp(kepler, (0, 20), start, constraints=energy, rtol=1e-5, atol=1e-5)
    free = taut.solve_ivp(kepler, (0, 20), start, rtol=1e-5, atol=1e-5)
    assert held.success and held.y.shape[0] == 4
    assert np.abs(energy(0, held.y)).max() < 1e-13 < 1e-8 < np.abs(energy(0, free.y)).max()


def test_tolerances_of_each_variable():
    scale = np.array([1.0, 1e6])
    result = taut.solve_ivp(lambda t, y: [-y[0], -y[1]], (0, 1), scale, rtol=1e-12, atol=1e-8 * scale)
    np.testing.assert_allclose(result.y[:, -1], np.exp(-1) * scale, rtol=1e-7)
    with pytest.raises(ValueError, match="atol"):
        taut.solve_ivp(lambda t, y: -y, (0, 1), [1.0], atol=[1e-3, 1e-3])


def test_complex_variables():
    result = taut.solve_ivp(lambda t, y: 1j * y, (0, np.pi), [1.0 + 0j], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(result.y[0, -1], -1.0, atol=1e-8)


def test_results_look_like_scipys():
    result = taut.solve_ivp(lambda t, y: -y, (0, 1), [1.0, 2.0])
    fields = {"t", "y", "sol", "t_events", "y_events", "nfev", "njev", "nlu", "status", "message", "success"}
    assert set(result) == fields
    assert result.y.shape == (2, len(result.t)) and result["t"] is result.t
    with pytest.raises(AttributeError):
        result.nothing
    assert "success: True" in repr(result)


def test_a_failure_is_a_status_and_an_exception_an_exception():
    result = taut.solve_ivp(lambda t, y: y**2, (0, 2), [1.0])
    assert result.status == -1 and not result.success and "t = " in result.message
    assert abs(result.t[-1] - 1) < 1e-2
    with pytest.raises(ZeroDivisionError):
        taut.solve_ivp(lambda t, y: [1 / 0], (0, 1), [1.0])
    with pytest.raises(taut.ModelError, match="radau"):
        taut.solve_ivp(lambda t, y: y, (0, 1), [1.0], method="RK99")
