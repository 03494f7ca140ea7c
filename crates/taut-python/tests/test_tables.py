"""Frames, files, pictures, lists."""

import json
import pickle

import numpy as np
import pytest

import taut


def test_frames_and_data_sets(pendulum):
    motion = pendulum.solve(1.0)
    frame = motion.to_pandas()
    assert list(frame.columns) == motion.columns
    np.testing.assert_array_equal(frame["lambda.rod"], motion["lambda.rod"])
    data = motion.to_xarray()
    np.testing.assert_array_equal(data["angle"], motion["angle"])
    assert data["x'"].dims == ("t",)


def test_files_of_all_formats(pendulum, tmp_path):
    motion = pendulum.solve(1.0)
    rows = motion.to_array()
    motion.save(tmp_path / "motion.csv")
    np.testing.assert_array_equal(np.loadtxt(tmp_path / "motion.csv", delimiter=",", skiprows=1), rows)
    motion.save(tmp_path / "motion.npz")
    with np.load(tmp_path / "motion.npz") as arrays:
        np.testing.assert_array_equal(arrays["x"], motion["x"])
    motion.save(tmp_path / "motion.json")
    assert json.loads((tmp_path / "motion.json").read_text())["columns"] == motion.columns
    motion.save(tmp_path / "motion.parquet")
    assert (tmp_path / "motion.parquet").read_bytes()[:4] == b"PAR1"
    with pytest.raises(taut.ModelError, match=".parquet"):
        motion.save(tmp_path / "motion.xls")
    with pytest.raises(OSError):
        motion.save(tmp_path / "nowhere" / "motion.csv")


def test_pictures(pendulum):
    motion = pendulum.solve(1.0)
    axes = motion.plot()
    assert [line.get_label() for line in axes.lines] == ["x", "y"]
    assert motion.plot("angle", ax=axes) is axes and len(axes.lines) == 3


def test_lists():
    names = [method["name"] for method in taut.methods()]
    assert {"auto", "radau", "bdf", "spark"} <= set(names)
    radau = taut.tableau("radau", 3)
    assert radau["order"] == 5 and len(radau["A"]) == 3
    assert taut.tableau("bdf")["order"] == 2
    with pytest.raises(taut.ModelError, match="radau"):
        taut.tableau("radaw")
    with pytest.raises(taut.ModelError, match="there is no claim"):
        taut.verify("nobody")


def test_sweeps(pendulum):
    values = {"g": [1.62, 9.81, 3.7], "x'": [0.0, 0.1]}
    table = pendulum.sweep(values, 2.0, rtol=1e-8)
    assert len(table) == 6 and list(table["status"].unique()) == ["done"]
    assert list(table["g"]) == [1.62, 1.62, 9.81, 9.81, 3.7, 3.7]
    motion = pendulum.solve(2.0, rtol=1e-8, parameters={"g": 9.81})
    row = table[(table["g"] == 9.81) & (table["start x'"] == 0.0)].iloc[0]
    assert row["x"] == motion["x"][-1] and row["lambda.rod"] == motion["lambda.rod"][-1]
    assert row["max angle"] == motion["angle"].max()
    one = pendulum.sweep(values, 2.0, rtol=1e-8, threads=1)
    many = pendulum.sweep(values, 2.0, rtol=1e-8, threads=4)
    assert one.equals(many)
    from_table = pendulum.sweep(table[["g"]], 2.0, rtol=1e-8)
    assert list(from_table["g"]) == list(table["g"])


def test_a_run_of_a_sweep_that_fails_is_a_row():
    model = taut.Model.text('[parameters]\nk = 1.0\n[variables]\nx = { start = 1.0, rate = "k*x^2" }')
    table = model.sweep([{"k": -1.0}, {"k": 1.0}], 2.0)
    assert list(table["status"]) == ["done", "stopped"]
    assert abs(table["t"][1] - 1.0) < 1e-3 and "t = " in table["reason"][1]
    wrong = model.sweep([{"kk": -1.0}], 2.0)
    assert list(wrong["status"]) == ["failed"] and "kk" in wrong["reason"][0]


class Client:
    """What a sweep asks of a dask.distributed Client; arguments travel pickled, as they would."""

    def __init__(self, broken=()):
        self.chunks, self.broken = 0, broken

    def nthreads(self):
        return {"one": 2, "two": 1}

    def submit(self, function, *arguments, pure, retries=0):
        self.chunks += 1
        if self.chunks in self.broken:
            return RuntimeError("the worker was\nkilled")
        function, arguments = pickle.loads(pickle.dumps((function, arguments)))
        return function(*arguments)

    def map(self, function, *arguments, pure, retries=0):
        return [self.submit(function, *those, pure=pure, retries=retries) for those in zip(*arguments)]

    def gather(self, answer):
        if isinstance(answer, list):
            return [self.gather(one) for one in answer]
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_sweeps_go_to_dask_in_chunks(pendulum):
    client = Client()
    values = {"g": np.linspace(1.0, 10.0, 30)}
    far = pendulum.sweep(values, 1.0, client=client)
    near = pendulum.sweep(values, 1.0)
    assert far.equals(near) and 1 <= client.chunks <= 31


def test_chunks_that_a_cluster_cannot_make_are_rows(pendulum):
    values = {"g": np.linspace(1.0, 10.0, 48)}
    table = pendulum.sweep(values, 1.0, client=Client(broken=(3,)))
    lost = table["status"] == "failed"
    assert len(table) == 48 and 0 < lost.sum() < 48 and list(table["g"]) == list(values["g"])
    assert set(table["reason"][lost]) == {"the cluster did not make this run: RuntimeError: the worker was killed"}
    near = pendulum.sweep(values, 1.0)
    assert table[~lost].equals(near[~lost])


def test_a_sweep_may_change_the_structure():
    table = taut.Model.builtin("chain").sweep({"N": [2, 4, 3]}, 0.1)
    assert list(table["x4"].isna()) == [True, False, True] and list(table["status"].unique()) == ["done"]
    alone = taut.Model.builtin("chain").solve(0.1, parameters={"N": 3})
    assert table["x3"][2] == alone["x3"][-1]


def test_options_that_are_rarely_given(pendulum):
    assert pendulum.solve(1.0, max_step=0.01).summary["stats"]["steps"] >= 100
    assert pendulum.solve(1.0, first_step=1e-5).t[1] == 1e-5
