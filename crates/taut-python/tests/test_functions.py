"""Systems of Python functions."""

import pickle

import numpy as np
import pytest

import taut


def gravity(t, q, v):
    return np.array([0.0, -9.81])


def length(t, q, v):
    return np.array([(q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0])


def gradient(t, q, v):
    return q.reshape(1, 2)


@pytest.fixture
def reference(pendulum):
    return pendulum.solve(3.0, rtol=1e-11, t_eval=[0.0, 1.0, 2.0, 3.0])


@pytest.mark.parametrize("jacobian", [gradient, None])
@pytest.mark.parametrize("derivatives", [None, "complex", "differences"])
@pytest.mark.parametrize("method", ["auto", "radau", "bdf"])
def test_a_pendulum_of_functions_moves_as_that_of_text(reference, jacobian, derivatives, method):
    system = taut.Mechanical.functions(
        "x y", mass=np.eye(2), force=gravity, constraint=length, jacobian=jacobian, derivatives=derivatives
    )
    motion = system.solve(3.0, [1.0, 0.0], rtol=1e-8, method=method, t_eval=reference.t)
    assert np.abs(motion.q - reference.q).max() < 1e-6
    assert np.abs(motion.multipliers[:, 0] - reference["lambda.rod"]).max() < 1e-4
    assert np.abs(motion.q**2 @ [1, 1] - 1).max() < 1e-13
    found = motion.summary["derivatives"]
    assert found["constraint"] == ("given" if jacobian else found["newton"])
    assert found["newton"] == ("differences" if derivatives == "differences" else "complex steps")
    assert motion.summary["energy"] is None


def test_a_mass_matrix_that_depends_on_the_coordinates():
    def mass(t, q, v):
        c = np.cos(q[0] - q[1])
        return np.array([[2.0 + 0 * c, c], [c, 1.0 + 0 * c]])

    def force(t, q, v):
        s = np.sin(q[0] - q[1])
        return np.array([-s * v[1] ** 2 - 2 * 9.81 * np.sin(q[0]), s * v[0] ** 2 - 9.81 * np.sin(q[1])])

    def potential(t, q, v):
        return -9.81 * (2 * np.cos(q[0]) + np.cos(q[1]))

    system = taut.Mechanical.functions("a b", mass=mass, force=force, potential=potential)
    times = [0.0, 1.0, 2.0]
    expected = taut.Model.builtin("double-pendulum").solve(2.0, rtol=1e-10, t_eval=times)
    for method in ("auto", "radau", "spark"):
        motion = system.solve(2.0, [np.pi / 2, np.pi / 2], rtol=1e-7, method=method, t_eval=times)
        assert np.abs(motion.q - expected.q).max() < 1e-4, method
        assert motion.summary["energy"]["max_error"] < 1e-3


def test_a_constraint_that_moves():
    system = taut.Mechanical.functions(
        "x y",
        mass=np.eye(2),
        force=gravity,
        constraint=lambda t, q, v: np.array([q[0] - np.sin(2 * t)]),
        jacobian=lambda t, q, v: np.array([[1.0, 0.0]]),
    )
    motion = system.solve(1.0, [0.0, 0.0], [2.0, 0.0], rtol=1e-8)
    np.testing.assert_allclose(motion["x"], np.sin(2 * motion.t), atol=1e-12)
    np.testing.assert_allclose(motion["x'"], 2 * np.cos(2 * motion.t), atol=1e-9)
    np.testing.assert_allclose(motion["lambda.g0"], 4 * np.sin(2 * motion.t), atol=1e-6)


def test_a_spring_of_functions():
    system = taut.Mechanical.functions(
        "x", mass=[[1.0]], force=lambda t, q, v: np.zeros(1), constraint=lambda t, q, v: q.copy(), constraints=[("spring", 0.25)]
    )
    motion = system.solve(1.0, [1.0], rtol=1e-9, vibrations="follow")
    np.testing.assert_allclose(motion["x"], np.cos(2 * motion.t), atol=1e-7)


def test_given_derivatives_are_used():
    calls = {"curvature": 0, "stiffness": 0, "damping": 0}

    def counted(name, function):
        def call(*arguments):
            calls[name] += 1
            return function(*arguments)

        return call

    system = taut.Mechanical.functions(
        2,
        mass=np.eye(2),
        force=gravity,
        constraint=length,
        jacobian=gradient,
        curvature=counted("curvature", lambda t, q, v: np.array([v @ v])),
        stiffness=counted("stiffness", lambda t, q, v, a, m: -m[0] * np.eye(2)),
        damping=counted("damping", lambda t, q, v: np.zeros((2, 2))),
        moving=False,
    )
    motion = system.solve(1.0, [1.0, 0.0], method="radau")
    assert min(calls.values()) > 0
    assert set(motion.summary["derivatives"].values()) == {"given"}
    assert motion.columns[1:3] == ["q0", "q1"]


class Trouble(Exception):
    pass


@pytest.mark.parametrize("place", ["mass", "force", "constraint", "jacobian", "event"])
@pytest.mark.parametrize("method", ["radau", "auto", "bdf"])
def test_an_exception_comes_out_as_it_is_and_at_once(place, method):
    calls = []

    def failing(name, function):
        def call(t, q, v):
            if name == place and t > 0.5:
                calls.append(t)
                raise Trouble("no table for this")
            return function(t, q, v)

        return call

    # The mass does not know the time in every call; it fails by position instead.
    def mass(t, q, v):
        if place == "mass" and q[1].real < -0.5:
            calls.append(1.0)
            raise Trouble("no table for this")
        return np.eye(2)

    system = taut.Mechanical.functions(
        2,
        mass=mass,
        force=failing("force", gravity),
        constraint=failing("constraint", length),
        jacobian=failing("jacobian", gradient),
        derivatives="differences",
    )
    with pytest.raises(Trouble, match="no table for this") as error:
        system.solve(3.0, [1.0, 0.0], method=method, events=[failing("event", lambda t, q, v: q[0] + 5)])
    assert len(calls) == 1
    if hasattr(error.value, "__notes__"):
        assert "at t = " in error.value.__notes__[0]


def test_what_functions_return_is_checked():
    def solve(force):
        system = taut.Mechanical.functions(2, mass=np.eye(2), force=force, derivatives="differences")
        return system.solve(1.0, [1.0, 0.0])

    with pytest.raises(ValueError, match="3 numbers instead of 2"):
        solve(lambda t, q, v: np.zeros(3))
    with pytest.raises(TypeError):
        solve(lambda t, q, v: ["a", "b"])
    with pytest.raises((taut.ModelError, taut.IntegrationError), match="not finite"):
        solve(lambda t, q, v: np.array([np.nan, 0.0]))
    assert solve(lambda t, q, v: [0.0, -1]).t[-1] == 1.0
    system = taut.Mechanical.functions(2, mass=np.eye(2), force=gravity)
    with pytest.raises(ValueError, match="`q` has the shape"):
        system.solve(1.0, [1.0])
    with pytest.raises(ValueError, match="derivatives"):
        taut.Mechanical.functions(2, mass=np.eye(2), force=gravity, derivatives="guess")


def test_first_order_functions():
    system = taut.FirstOrder.functions("x y", lambda t, x: [-x[1], x[0]])
    motion = system.solve(np.pi, [1.0, 0.0], rtol=1e-9)
    np.testing.assert_allclose(motion.x[-1], [-1.0, 0.0], atol=1e-7)
    np.testing.assert_allclose(motion(1.0)["x"], np.cos(1.0), atol=1e-7)
    assert motion.summary["derivatives"] == {"jacobian": "differences"}
    with pytest.raises(ZeroDivisionError):
        taut.FirstOrder.functions(1, lambda t, x: [1 / 0] if t > 0.1 else x).solve(1.0, [1.0])


def test_dense_output_of_functions():
    system = taut.Mechanical.functions(2, mass=np.eye(2), force=gravity, constraint=length, jacobian=gradient)
    motion = system.solve(2.0, [1.0, 0.0], rtol=1e-9, dense=True)
    again = system.solve(2.0, [1.0, 0.0], rtol=1e-9)
    np.testing.assert_array_equal(motion(1.3).y, again(1.3).y)
    assert "position" in motion._repr_html_()


def test_motions_of_functions_can_be_pickled():
    motion = taut.FirstOrder.functions(1, lambda t, x: -x).solve(1.0, [1.0], dense=True)
    other = pickle.loads(pickle.dumps(motion))
    np.testing.assert_array_equal(other(0.5).y, motion(0.5).y)
    sparse = pickle.loads(pickle.dumps(taut.FirstOrder.functions(1, lambda t, x: -x).solve(1.0, [1.0])))
    with pytest.raises(ValueError, match="dense=True"):
        sparse(0.5)


def test_motions_of_functions_have_pages(tmp_path):
    system = taut.Mechanical.functions("x y", mass=np.eye(2), force=gravity, constraint=length, jacobian=gradient)
    motion = system.solve(2.0, [1.0, 0.0])
    page = motion.report(tmp_path / "functions.html")
    assert (tmp_path / "functions.html").read_text() == page
    for plot in ("coordinates", "velocities", "multipliers", "steps"):
        assert f'"name":"{plot}"' in page
    # What cannot be integrated again is drawn from its rows.
    assert '"name":"coordinates"' in pickle.loads(pickle.dumps(motion)).report()
    variables = taut.FirstOrder.functions("x z", lambda t, x: [-x[1], x[0]]).solve(1.0, [1.0, 0.0])
    assert '"name":"variables"' in variables.report()


def test_results_of_solve_ivp_have_pages(tmp_path):
    for dense in (False, True):
        result = taut.solve_ivp(lambda t, y: 1j * y, (0, 1), [1.0 + 0j], dense_output=dense)
        page = result.report(tmp_path / "result.html")
        assert '"name":"variables"' in page and "Im y[0]" in page and (tmp_path / "result.html").exists()
    stopped = taut.solve_ivp(lambda t, y: y**2, (0, 2), [1.0])
    assert not stopped.success and "t = " in stopped.report()


def test_functions_of_numba():
    numba = pytest.importorskip("numba", reason="numba is not there")

    @numba.njit
    def force(t, q, v):
        return np.array([0.0, -9.81])

    @numba.njit
    def constraint(t, q, v):
        return np.array([(q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0])

    @numba.njit
    def jacobian(t, q, v):
        return q.copy().reshape(1, 2)

    compiled = taut.Mechanical.functions(2, mass=np.eye(2), force=force, constraint=constraint, jacobian=jacobian)
    plain = taut.Mechanical.functions(
        2, mass=np.eye(2), force=force.py_func, constraint=constraint.py_func, jacobian=jacobian.py_func
    )
    motion = compiled.solve(2.0, [1.0, 0.0], rtol=1e-9)
    expected = plain.solve(2.0, [1.0, 0.0], rtol=1e-9)
    np.testing.assert_allclose(motion.q[-1], expected.q[-1], atol=1e-8)
    assert motion.summary["residuals"]["position"] < 1e-14

    @numba.njit
    def failing(t, x):
        if t > 0.5:
            raise ValueError("too late")
        return -x

    with pytest.raises(ValueError, match="too late"):
        taut.FirstOrder.functions(1, failing).solve(1.0, [1.0])
