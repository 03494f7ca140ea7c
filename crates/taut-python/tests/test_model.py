"""Models of text and their motions."""

import copy
import pickle

import numpy as np
import pytest

import taut
from conftest import PENDULUM


def test_a_motion_has_times_states_and_names(pendulum):
    motion = pendulum.solve(10.0, rtol=1e-8, atol=1e-8)
    k = len(motion.t)
    assert motion.q.shape == (k, 2) and motion.v.shape == (k, 2) and motion.multipliers.shape == (k, 1)
    assert motion.columns == ["t", "x", "y", "x'", "y'", "lambda.rod", "angle"]
    assert np.abs(np.hypot(motion["x"], motion["y"]) - 1).max() < 1e-15
    np.testing.assert_allclose(motion["angle"], np.arctan2(motion["x"], -motion["y"]), rtol=1e-14, atol=1e-14)
    assert motion.t[-1] == 10.0 and motion.summary["residuals"]["position"] < 1e-14
    with pytest.raises(KeyError, match="there is no column 'z'"):
        motion["z"]


def test_states_are_views_not_copies(pendulum):
    motion = pendulum.solve(1.0)
    assert motion.q.base is not None and np.shares_memory(motion.q, motion.v.base)
    assert np.shares_memory(motion.q, motion.y)


def test_parameters_and_start_replace_values(pendulum):
    slow = pendulum.solve(1.0, parameters={"g": 1.62}, start={"x": 0.0, "y": -1.0, "x'": 0.5})
    assert slow.q[0].tolist() == [0.0, -1.0] and slow.v[0].tolist() == [0.5, 0.0]
    again = pendulum.solve(1.0)
    assert again.q[0].tolist() == [1.0, 0.0]
    with pytest.raises(taut.ModelError, match="gg"):
        pendulum.solve(1.0, parameters={"gg": 1.0})


def test_output_at_times_and_between(pendulum):
    times = np.linspace(0, 10, 101)
    motion = pendulum.solve(10.0, rtol=1e-8, t_eval=times)
    np.testing.assert_array_equal(motion.t, times)
    free = pendulum.solve(10.0, rtol=1e-8)
    sampled = free(times)
    assert np.abs(sampled.q - motion.q).max() < 1e-8
    assert np.abs(sampled.multipliers - motion.multipliers).max() < 1e-6
    assert np.abs(np.hypot(sampled["x"], sampled["y"]) - 1).max() < 1e-9
    assert abs(free(2.5)["angle"] - motion(2.5)["angle"]) < 1e-12
    dense = pendulum.solve(10.0, rtol=1e-8, dense=True)
    np.testing.assert_array_equal(dense.t, free.t)
    np.testing.assert_array_equal(dense(times).y, sampled.y)
    with pytest.raises(ValueError, match="from t = 0.0 to t = 10.0"):
        free(11.0)
    with pytest.raises(ValueError, match="sorted"):
        pendulum.solve(10.0, t_eval=[2.0, 1.0])
    with pytest.raises(ValueError, match="within"):
        pendulum.solve(10.0, t_eval=[11.0])


def test_events_are_found_counted_and_end_runs(pendulum):
    def bottom(t, q, v):
        return q[0]

    bottom.terminal = 3
    motion = pendulum.solve(10.0, rtol=1e-9, events=[bottom, "y'"])
    assert motion.stop == "event bottom"
    assert len(motion.events["bottom"]["t"]) == 3
    assert np.abs(motion.events["bottom"]["y"][:, 0]).max() < 1e-9
    assert motion.t[-1] == motion.events["bottom"]["t"][-1]
    falling = pendulum.solve(3.0, rtol=1e-9, events={"leftwards": "angle"})
    assert len(falling.events["leftwards"]["t"]) == 3
    with pytest.raises(taut.ModelError, match="there is no column 'nothing'"):
        pendulum.solve(1.0, events="nothing")


def test_models_and_motions_can_be_pickled(pendulum):
    model = pickle.loads(pickle.dumps(pendulum))
    assert model.source == PENDULUM and model.name == "pendulum"
    motion = pendulum.solve(2.0, parameters={"g": 3.0})
    for other in (pickle.loads(pickle.dumps(motion)), copy.deepcopy(motion)):
        np.testing.assert_array_equal(other.y, motion.y)
        np.testing.assert_array_equal(other["angle"], motion["angle"])
        np.testing.assert_array_equal(other(1.0).y, motion(1.0).y)
        assert other.summary == motion.summary


def test_files_come_from_paths(tmp_path, pendulum):
    file = tmp_path / "swing.toml"
    file.write_text(PENDULUM)
    model = taut.Model(file)
    assert model.name == "swing" and model.title == "Pendulum" and model.end == 10.0
    np.testing.assert_array_equal(model.solve(2.0).y, pendulum.solve(2.0).y)
    with pytest.raises(taut.ModelError, match="nowhere.toml"):
        taut.Model(tmp_path / "nowhere.toml")


def test_what_is_wrong_is_said_as_the_command_says_it(pendulum):
    with pytest.raises(taut.ModelError) as error:
        taut.Model.text(PENDULUM.replace("g*y", "h*y"), "wrong")
    assert "wrong.toml" in str(error.value) and "'h'" in str(error.value)
    with pytest.raises(taut.ModelError, match="radau"):
        pendulum.solve(1.0, method="radaw")
    with pytest.raises(taut.ModelError, match="there is no option 'rtoll'"):
        pendulum.solve(1.0, rtoll=1e-3)
    with pytest.raises(taut.ModelError, match="rtol"):
        pendulum.solve(1.0, rtol=-1.0)
    with pytest.raises(taut.ModelError, match="end time"):
        taut.Model.text(PENDULUM.replace("end = 10.0", "")).solve()
    with pytest.raises(taut.ModelError, match="pendulum"):
        taut.Model.builtin("pendulun")
    assert issubclass(taut.ModelError, ValueError)


def test_a_run_that_stops_early_keeps_what_it_has():
    model = taut.Model.text('[variables]\nx = { start = 1.0, rate = "x^2" }')
    with pytest.raises(taut.IntegrationError) as error:
        model.solve(2.0)
    assert abs(error.value.t - 1.0) < 1e-3
    assert error.value.motion.x[-1, 0] > 1e3
    copied = pickle.loads(pickle.dumps(error.value))
    assert copied.t == error.value.t and len(copied.motion) == len(error.value.motion)


def test_every_built_in_model_runs_and_checks():
    for name in taut.models():
        model = taut.Model.builtin(name)
        motion = model.solve(min(model.end, 0.01))
        assert motion.summary["stats"]["accepted"] > 0, name
        assert model.check()["problem"] is None
        assert name in repr(model)


def test_notebooks_see_models_and_motions(pendulum, tmp_path):
    assert "degrees of freedom" in pendulum._repr_html_()
    motion = pendulum.solve(1.0)
    shown = motion._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "id=&quot;motion&quot;" in shown
    motion.report(tmp_path / "motion.html")
    page = (tmp_path / "motion.html").read_text()
    assert page.startswith("<!") and 'id="summary"' in page and "http" + "s://" not in page.split("<body")[0]


def test_a_second_run_says_how_far_the_end_is_off(pendulum):
    assert pendulum.solve(1.0).summary["second_run"] is None
    found = pendulum.solve(1.0, second_run=True).summary["second_run"]
    assert found["tolerances"] < 1 and found["variable"] in ("x", "y", "x'", "y'")
    kepler = taut.Model.builtin("kepler")
    summary = kepler.solve(method="dopri8", second_run=True).summary
    assert summary["second_run"]["tolerances"] > 100 and "the end is off by about" in summary["warning"]
