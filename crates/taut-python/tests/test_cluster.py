"""Sweeps on a Dask cluster of two processes, one of which dies."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import taut

distributed = pytest.importorskip("distributed")

VALUES = {"g": np.linspace(1.0, 20.0, 40), "m2": [0.5, 1.0, 2.0, 4.0, 8.0]}


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.fixture(scope="module")
def serial():
    return taut.Model.builtin("double-pendulum").sweep(VALUES, 10.0, rtol=1e-8, threads=1)


def test_rows_are_those_of_one_thread(cluster, serial):
    table = taut.Model.builtin("double-pendulum").sweep(VALUES, 10.0, rtol=1e-8, client=cluster)
    assert table.equals(serial)


def test_a_worker_that_dies_takes_nothing_with_it(cluster, serial, monkeypatch):
    monkeypatch.setattr("taut._cluster._SECONDS", 0.03)
    victims = list(cluster.run(os.getpid).values())

    def kill():
        time.sleep(0.3)
        os.kill(victims[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    table = taut.Model.builtin("double-pendulum").sweep(VALUES, 10.0, rtol=1e-8, client=cluster)
    killer.join()
    assert len(table) == 200 and table.equals(serial)


def test_workers_write_a_dataset(cluster, serial, tmp_path):
    pytest.importorskip("pyarrow")
    model = taut.Model.builtin("double-pendulum")
    frame = model.sweep(VALUES, 10.0, rtol=1e-8, client=cluster, out=tmp_path / "set")
    table = frame.compute().sort_values("run").reset_index(drop=True)
    assert list(table["run"]) == list(range(200))
    for name in serial.columns:
        assert list(table[name]) == list(serial[name]) or table[name].equals(serial[name]), name
    with pytest.raises(FileExistsError):
        model.sweep(VALUES, 10.0, client=cluster, out=tmp_path / "set")


@pytest.mark.skipif("TAUT_COMMAND" not in os.environ, reason="TAUT_COMMAND names the command")
def test_the_command_on_a_cluster(cluster, tmp_path):
    words = "sweep double-pendulum --vary g=1..20:30 --set m2=2 --until 5 --json".split()
    command, environment = os.environ["TAUT_COMMAND"], {**os.environ, "TAUT_PYTHON": sys.executable}
    for place in ([], ["--dask", cluster.scheduler.address]):
        out = tmp_path / ("far.csv" if place else "near.csv")
        subprocess.run([command, *words, *place, "--out", out], check=True, env=environment, stdout=subprocess.DEVNULL)
    assert (tmp_path / "far.csv").read_bytes() == (tmp_path / "near.csv").read_bytes()
