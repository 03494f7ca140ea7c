"""Measures sweeps: `measure.py TAUT threads|peers|memory|dask [RUNS]`; see README.md."""

from __future__ import annotations

import inspect
import json
import math
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np

UNTIL = 0.03
#: sweeps of a second on a cluster are made so often, and the fastest counts: the others were disturbed
REPEATED = 7
TORQUES, SPRINGS = (0.02, 0.05), (3000.0, 6000.0)


def child(command: list[str]) -> tuple[float, float, float]:
    """Seconds of the wall and of the processor, and the largest memory in MB, of a process."""
    script = (
        "import json, resource, subprocess, sys, time\n"
        "began = time.perf_counter()\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps([time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))\n"
    )
    out = subprocess.run([sys.executable, "-c", script, *command], check=True, capture_output=True, text=True)
    return tuple(json.loads(out.stdout))


def squeezer(taut: str, runs: int, threads: int, *options: str) -> tuple[float, float, float]:
    """A grid of runs over torque and spring."""
    side = round(math.sqrt(runs))
    with tempfile.TemporaryDirectory() as folder:
        vary = ["--vary", f"mom={TORQUES[0]}..{TORQUES[1]}:{side}", "--vary", f"c0={SPRINGS[0]}..{SPRINGS[1]}:{side}"]
        out = str(pathlib.Path(folder) / "a.parquet")
        return child([taut, "sweep", "squeezer", *vary, "--quiet", "--threads", str(threads), "--out", out, *options])


def threads(taut: str, runs: int) -> None:
    """Two threads against one, what a run costs before it begins, memory."""
    few = squeezer(taut, runs // 10, 1)
    one, two = squeezer(taut, runs, 1), squeezer(taut, runs, 2)
    # A run of one tiny step: everything that comes before the motion, and that step.
    begun = squeezer(taut, runs, 1, "--until", "1e-12")
    print(f"squeezer, {runs} runs over two parameters")
    print(f"  1 thread   {one[0]:8.2f} s  processor {one[1]:8.2f} s  {1e6 * one[1] / runs:7.1f} us/run  {one[2]:6.1f} MB ({few[2]:.1f} MB for {runs // 10} runs)")
    print(f"  2 threads  {two[0]:8.2f} s  processor {two[1]:8.2f} s  {1e6 * two[1] / runs:7.1f} us/run  {two[2]:6.1f} MB")
    print(f"  two threads are {one[0] / two[0]:.2f} times one, with {two[1] / one[1]:.3f} times the work")
    print(f"  set-up and one step: {1e6 * begun[1] / runs:.1f} us, {100 * begun[1] / one[1]:.1f} percent of a run")


def memory(taut: str, runs: int) -> None:
    """The memory of very many runs."""
    for count in (runs // 100, runs // 10, runs):
        with tempfile.TemporaryDirectory() as folder:
            vary = ["--vary", "g=1..20", "--vary", "l=0.5..2", "--random", str(count), "--sobol", "--until", "1"]
            out = str(pathlib.Path(folder) / "a.parquet")
            wall, processor, megabytes = child([taut, "sweep", "pendulum", *vary, "--quiet", "--out", out])
        print(f"pendulum, {count} runs: {wall:.1f} s, {1e6 * processor / count:.1f} us/run of the processor, {megabytes:.1f} MB")


def formulas(compiled: bool):
    """The right-hand side on index 1 as a function of (t, y, mom, c0), from the formulas of the Python package's bench."""
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "crates" / "taut-python" / "bench"))
    import squeezer as source

    space = {"np": np, "E": source.E, "Z": source.Z}
    decorate = lambda f: f
    if compiled:
        import numba

        decorate = numba.njit(cache=False)
    for name in ("mass", "force", "jacobian", "curvature"):
        text = inspect.getsource(getattr(source, name)).replace("(t, q, v)", "(q, v, mom, c0)")
        text = re.sub(r'P\["(\w+)"\]', lambda m: m[1] if m[1] in ("mom", "c0") else f"({source.P[m[1]]!r})", text)
        text = text.replace("be, th, ga, ph, de, om, ep = q", "be, th, ga, ph, de, om, ep = q[0], q[1], q[2], q[3], q[4], q[5], q[6]")
        text = text.replace("bev, thv, gav, phv, dev, omv, epv = v", "bev, thv, gav, phv, dev, omv, epv = v[0], v[1], v[2], v[3], v[4], v[5], v[6]")
        exec(text, space)
        space[name] = decorate(space[name])
    exec(
        "def rate(t, y, mom, c0):\n"
        "    q, v = y[:7], y[7:]\n"
        "    g = jacobian(q, v, mom, c0)\n"
        "    saddle = np.zeros((13, 13))\n"
        "    saddle[:7, :7] = mass(q, v, mom, c0)\n"
        "    saddle[:7, 7:] = g.T\n"
        "    saddle[7:, :7] = g\n"
        "    right = np.empty(13)\n"
        "    right[:7] = force(q, v, mom, c0)\n"
        "    right[7:] = -curvature(q, v, mom, c0)\n"
        "    answer = np.empty(14)\n"
        "    answer[:7] = v\n"
        "    answer[7:] = np.linalg.solve(saddle, right)[:7]\n"
        "    return answer\n",
        space,
    )
    return decorate(space["rate"])


_rate = {}


def scipy_run(case: tuple[bool, float, float, float, list[float]]) -> list[float]:
    """One run of solve_ivp; the function is compiled once in each process."""
    import scipy.integrate

    compiled, mom, c0, rtol, start = case
    if compiled not in _rate:
        _rate[compiled] = formulas(compiled)
    answer = scipy.integrate.solve_ivp(_rate[compiled], (0.0, UNTIL), start, method="DOP853", rtol=rtol, atol=rtol, args=(mom, c0))
    return answer.y[:7, -1].tolist()


def peers(taut_command: str, runs: int) -> None:
    """Runs a second at equal error, two processes of SciPy against two threads of Taut."""
    import pandas

    import taut

    side = round(math.sqrt(runs))
    grid = {"mom": np.linspace(*TORQUES, side), "c0": np.linspace(*SPRINGS, side)}
    cases = [(mom, c0) for mom in grid["mom"] for c0 in grid["c0"]]
    model = taut.Model.builtin("squeezer")
    names = model.coordinates
    motion = model.solve(UNTIL, rtol=1e-6)
    start = [*motion.q[0], *motion.v[0]]
    exact = model.sweep(grid, UNTIL, rtol=1e-12, method="radau")[names].to_numpy()
    error = lambda found: float(np.max(np.linalg.norm(np.asarray(found) - exact, axis=1) / np.linalg.norm(exact, axis=1)))
    ours = []
    with tempfile.TemporaryDirectory() as folder:
        for rtol in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
            out = str(pathlib.Path(folder) / f"{rtol}.csv")
            vary = ["--vary", f"mom={TORQUES[0]}..{TORQUES[1]}:{side}", "--vary", f"c0={SPRINGS[0]}..{SPRINGS[1]}:{side}"]
            began = time.perf_counter()
            subprocess.run([taut_command, "sweep", "squeezer", *vary, "--quiet", "--threads", "2", "--rtol", str(rtol), "--out", out], check=True, stdout=subprocess.DEVNULL)
            seconds = time.perf_counter() - began
            ours.append((error(pandas.read_csv(out)[names].to_numpy()), seconds / runs))
            print(f"  taut    rtol {rtol:.0e}: error {ours[-1][0]:.1e}, {1e6 * seconds / runs:8.0f} us/run")
    for compiled, word in ((True, "numba"), (False, "numpy")):
        some = cases if compiled else cases[:: max(1, len(cases) // 200)]
        reference = exact if compiled else exact[:: max(1, len(cases) // 200)]
        with ProcessPoolExecutor(2) as pool:
            list(pool.map(scipy_run, [(compiled, *cases[0], 1e-3, start)] * 4))
            for rtol in (1e-5, 1e-6, 1e-7):
                began = time.perf_counter()
                found = list(pool.map(scipy_run, [(compiled, mom, c0, rtol, start) for mom, c0 in some], chunksize=25))
                seconds = (time.perf_counter() - began) / len(some)
                reached = float(np.max(np.linalg.norm(np.asarray(found) - reference, axis=1) / np.linalg.norm(reference, axis=1)))
                points = sorted(ours)
                equal = math.exp(np.interp(math.log(reached), [math.log(e) for e, _ in points], [math.log(s) for _, s in points]))
                print(f"  {word}   rtol {rtol:.0e}: error {reached:.1e}, {1e6 * seconds:8.0f} us/run, {seconds / equal:.1f} times as long as Taut at this error")


def sweep_once(model, grid: dict, client) -> float:
    """Seconds of the wall."""
    began = time.perf_counter()
    model.sweep(grid, UNTIL, client=client)
    return time.perf_counter() - began


def dask(_taut: str, runs: int) -> None:
    """One and two workers, and what a task costs."""
    import distributed

    import taut

    side = round(math.sqrt(runs))
    grid = {"mom": np.linspace(*TORQUES, side), "c0": np.linspace(*SPRINGS, side)}
    model = taut.Model.builtin("squeezer")
    walls = []
    for workers in (1, 2):
        with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
            with distributed.Client(cluster) as client:
                client.gather(client.map(math.sqrt, range(100)))
                began = time.perf_counter()
                client.gather(client.map(math.exp, np.linspace(0.0, 1.0, 1000), pure=False))
                task = (time.perf_counter() - began) / 1000
                model.sweep(grid, UNTIL, client=client)
                walls.append(min(sweep_once(model, grid, client) for _ in range(REPEATED)))
        print(f"  {workers} workers: {walls[-1]:.2f} s for {side * side} runs, an empty task {1e3 * task:.2f} ms")
    print(f"  two workers are {walls[0] / walls[1]:.2f} times one")


if __name__ == "__main__":
    usual = {"threads": 10_000, "peers": 2500, "memory": 1_000_000, "dask": 2000}
    command, what = sys.argv[1], sys.argv[2]
    {"threads": threads, "peers": peers, "memory": memory, "dask": dask}[what](command, int(sys.argv[3]) if len(sys.argv) > 3 else usual[what])
