"""Problems of the IFToMM library of benchmarks, from bodies: errors, energy and time of the processor of `taut run`.

    python iftomm.py TAUT

TAUT is the command, from an optimised build. References: the pendulum and the N-four-bar are pendulums with one coordinate, found by
quadrature of their energy to rounding; Andrews' mechanism and the governor have model files in coordinates of their own, run at 1e-12;
Bricard's linkage is compared with itself at 1e-12.
"""

import json
import math
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "../../../crates/taut-text/tests/cases")
REPEATS = int(os.environ.get("REPEATS", "3"))

PENDULUM = """
plane = "xy"
gravity = [0, -9.81]
bodies.bob = { mass = 1, inertia = 0, position = [-1, 0] }
joints.pin = { kind = "revolute", between = ["ground", "bob"], at = [0, 0] }
"""


def run(model, until, tolerance, *more):
    """The summary of a run, and the median of its seconds."""
    words = [sys.argv[1], "run", model, "--until", str(until), "--rtol", str(tolerance), "--atol", str(tolerance), "--json", *more]
    answers = [subprocess.run(words, capture_output=True, text=True) for _ in range(REPEATS)]
    if answers[0].returncode != 0:
        raise RuntimeError(answers[0].stderr.strip().splitlines()[-1])
    summaries = [json.loads(answer.stdout) for answer in answers]
    return summaries[0], statistics.median(summary["stats"]["seconds"] for summary in summaries)


def coordinate(summary, name):
    return summary["q"][summary["coordinates"].index(name)]


def swing(angle, rate, pull, until):
    """The angle of a pendulum angle'' = -pull cos(angle) at a time, by Gauss's method with three stages and small steps."""
    steps, root = 200_000, math.sqrt(15)
    h = until / steps
    a = [[5 / 36, 2 / 9 - root / 15, 5 / 36 - root / 30], [5 / 36 + root / 24, 2 / 9, 5 / 36 - root / 24], [5 / 36 + root / 30, 2 / 9 + root / 15, 5 / 36]]
    b = [5 / 18, 4 / 9, 5 / 18]
    f = [-pull * math.cos(angle)] * 3
    for _ in range(steps):
        for _ in range(6):
            v = [rate + h * sum(a[i][j] * f[j] for j in range(3)) for i in range(3)]
            f = [-pull * math.cos(angle + h * sum(a[i][j] * v[j] for j in range(3))) for i in range(3)]
        angle += h * sum(b[i] * v[i] for i in range(3))
        rate += h * sum(b[i] * f[i] for i in range(3))
    return angle


def pendulum(tolerance):
    path = os.path.join(HERE, "pendulum.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PENDULUM)
    summary, seconds = run(path, 10, tolerance)
    os.remove(path)
    angle = swing(math.pi, 0.0, 9.81, 10.0)
    error = math.hypot(coordinate(summary, "bob.x") - math.cos(angle), coordinate(summary, "bob.y") - math.sin(angle))
    return summary, seconds, error


def four_bars(count, until, tolerance, *more):
    summary, seconds = run("n-four-bar", until, tolerance, "--set", f"N={count}", *more)
    # posts turn about their ends, beams go along: (N + 1)/3 + N against (N + 1)/2 + N
    pull = 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    angle = swing(math.pi / 2, -1.0, pull, until)
    x, y, turn = (coordinate(summary, "post0." + name) for name in ("x", "y", "angle"))
    top = x - 0.5 * math.sin(turn), y + 0.5 * math.cos(turn)
    return summary, seconds, math.hypot(top[0] - math.cos(angle), top[1] - math.sin(angle))


def andrews(tolerance, *more):
    summary, seconds = run("squeezer-bodies", 0.05, tolerance, *more)
    reference, _ = run("squeezer", 0.05, 1e-12, "--method", "dopri8")
    known = {name: coordinate(reference, name) for name in reference["coordinates"]}
    known["theta"] += known["beta"]
    known["phi"] += known["delta"]
    known["omega"] += known["epsilon"]
    names = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"]
    error = max(abs(coordinate(summary, f"K{k + 1}.angle") - known[name]) for k, name in enumerate(names))
    return summary, seconds, error


def bricard(tolerance):
    summary, seconds = run("bricard", 10, tolerance)
    reference, _ = run("bricard", 10, 1e-12)
    error = max(abs(coordinate(summary, "rod3." + axis) - coordinate(reference, "rod3." + axis)) for axis in "xyz")
    return summary, seconds, error


def governor(tolerance, *more):
    summary, seconds = run(os.path.join(CASES, "flyball-governor-bodies.toml"), 10, tolerance, *more)
    reference, _ = run(os.path.join(CASES, "flyball-governor-forces.toml"), 10, 1e-12, "--method", "radau")
    return summary, seconds, abs(coordinate(summary, "slider.z") - coordinate(reference, "s"))


def main():
    problems = [
        ("simple pendulum, 10 s", 1e-9, True, pendulum),
        ("N-four-bar with N = 40, 20 s", 1e-6, True, lambda tolerance: four_bars(40, 20, tolerance)),
        ("the same", 1e-9, True, lambda tolerance: four_bars(40, 20, tolerance)),
        ("Andrews' mechanism, 0.05 s", 1e-6, False, andrews),
        ("the same", 1e-9, False, andrews),
        ("the same with radau", 1e-9, False, lambda tolerance: andrews(tolerance, "--method", "radau")),
        ("Bricard, 10 s", 1e-9, True, bricard),
        ("stiff flyball governor, 10 s", 1e-6, False, governor),
        ("the same with radau", 1e-9, False, lambda tolerance: governor(tolerance, "--method", "radau")),
    ]
    print("| problem | tolerance | error | energy | \\|g\\| | steps | seconds |\n| --- | --- | --- | --- | --- | --- | --- |")
    for name, tolerance, is_conserved, problem in problems:
        summary, seconds, error = problem(tolerance)
        drift = f"{summary['energy']['max_error']:.1e} J" if is_conserved else ""
        steps = summary["stats"]["accepted"]
        print(f"| {name} | {tolerance:.0e} | {error:.1e} | {drift} | {summary['residuals']['position']:.1e} | {steps} | {seconds:.3g} |", flush=True)


if __name__ == "__main__":
    main()
