"""Threads, processes, signals, memory."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import taut
from conftest import PENDULUM


def resident() -> float:
    """Resident memory of this process in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def final(seed):
    return taut.Model.text(PENDULUM).solve(1.0, start={"x'": 0.0, "y'": -0.1 * seed}).y[-1].tolist()


def test_threads_share_a_model(pendulum):
    expected = [pendulum.solve(1.0, parameters={"g": 1.0 + k % 5}).y[-1] for k in range(5)]

    def work(k):
        for _ in range(20):
            np.testing.assert_array_equal(pendulum.solve(1.0, parameters={"g": 1.0 + k % 5}).y[-1], expected[k % 5])
        return True

    with ThreadPoolExecutor(100) as pool:
        assert all(pool.map(work, range(100)))


def test_threads_run_at_once(pendulum):
    """The interpreter goes on while Rust integrates."""
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.perf_counter()
    pendulum.solve(2000.0, rtol=1e-10)
    ended = time.perf_counter()
    stop.set()
    thread.join()
    meanwhile = [t for t in ticks if began < t < ended]
    assert len(meanwhile) > 0.05 * (ended - began) / 0.001


@pytest.mark.parametrize("kind", ["fork", "spawn"])
def test_processes(kind):
    # Threads of a sweep are gone when it ends, so that a fork after it is whole.
    taut.Model.text(PENDULUM).sweep({"g": [1.0, 2.0]}, 1.0)
    with multiprocessing.get_context(kind).Pool(2) as pool:
        assert pool.map(final, range(4)) == [final(k) for k in range(4)]


LONG = """
import sys, taut
model = taut.Model.text({text!r})
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
CALLS = {
    "a run": "model.solve(1e7, rtol=1e-10, max_steps=10**9)",
    "functions": "taut.FirstOrder.functions(1, lambda t, x: x*0 + 1).solve(1e9, [1.0], max_step=1e-3, max_steps=10**9)",
    "a sweep": "model.sweep({'g': [1.0, 2.0, 3.0]}, 1e7, rtol=1e-10, max_steps=10**9)",
}


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_ends_a_run(name):
    script = LONG.format(text=PENDULUM, call=CALLS[name])
    # A shell lets what it runs in the background ignore Ctrl-C.
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, preexec_fn=heard) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.0)
        asked = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.perf_counter() - asked < 1.0


def test_exceptions_do_not_leak():
    def failing(t, x):
        if t > 0.5:
            raise RuntimeError(str(np.zeros(1000)))
        return -x

    system = taut.FirstOrder.functions(2, failing)

    def provoke(times):
        for _ in range(times):
            with pytest.raises(RuntimeError):
                system.solve(1.0, [1.0, 2.0])

    provoke(200)
    before = resident()
    provoke(1000)
    assert resident() - before < 5.0


def test_runs_do_not_leak(pendulum):
    def run(times):
        for _ in range(times):
            pendulum.solve(1.0, parameters={"g": 1.0})(0.5)

    run(100)
    before = resident()
    run(400)
    assert resident() - before < 5.0


def test_a_million_rows_take_at_most_twice_their_size():
    script = f"""
import resource, numpy as np, taut
model = taut.Model.text({PENDULUM!r})
model.solve(1.0)
times = np.linspace(0, 10, 10**6)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
motion = model.solve(10.0, t_eval=times)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(peak*1024/(motion.t.nbytes + motion.y.nbytes))
"""
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(answer.stdout) < 2.0


def test_import_is_quick():
    script = "import time, numpy; began = time.process_time(); import taut; print(time.process_time() - began)"
    run = lambda: subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: E731
    times = [float(run().stdout) for _ in range(5)]
    assert min(times) < 0.060


def test_nothing_optional_is_imported():
    script = "import sys, taut; print([m for m in ('pandas', 'xarray', 'matplotlib', 'sympy', 'scipy', 'dask') if m in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"
