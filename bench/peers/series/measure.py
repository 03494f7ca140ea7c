"""Time of the processor and error of the positions at a tolerance of 1e-13: Taut's series beside heyoka's.

What is made ready before the first step is not counted, on either side: of Taut the time of a run that ends at once is subtracted.
"""

import json
import os
import resource
import subprocess
import time

import heyoka as hy
import numpy as np

from problems import PROBLEMS

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "../../../crates/taut-cli/tests/references")
TAUT = os.environ.get("TAUT", os.path.join(HERE, "../../../target/release/taut"))
TOLERANCE = "1e-13"
REPEATED = int(os.environ.get("REPEATED", "30"))


def by_taut(name, until):
    path = os.path.join(MODELS, f"{name}.toml")
    model = path if os.path.exists(path) else name

    def run(end):
        arguments = ["run", model, "--method", "taylor", "--rtol", TOLERANCE, "--atol", TOLERANCE, "--json"]
        answer = subprocess.run([TAUT, *arguments, "--until", str(end)], capture_output=True, check=True, text=True)
        return json.loads(answer.stdout)

    def seconds(end):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        for _ in range(REPEATED):
            answer = run(end)
        return (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) / REPEATED, answer

    (whole, answer), (at_once, _) = seconds(until), seconds(1e-9 * until)
    state = answer.get("q", answer.get("x"))
    return np.array(state), whole - at_once, answer["stats"]["steps"]


def by_heyoka(equations, start, until):
    solver = hy.taylor_adaptive(equations, start, tol=float(TOLERANCE))
    times = []
    for _ in range(10 * REPEATED):
        solver.time = 0.0
        solver.state[:] = start
        clock = time.process_time()
        # The first step of the double pendulum would be too long: coefficients that vanish by symmetry say nothing.
        solver.step(max_delta_t=1e-3 * until)
        outcome = solver.propagate_until(until)
        times.append(time.process_time() - clock)
    return np.array(solver.state), min(times), outcome[3] + 1


def main():
    rows = []
    for name, make, until, positions in PROBLEMS:
        with open(os.path.join(HERE, "reference", f"{name}.json")) as file:
            known = np.array([float(value["value"]) for value in json.load(file)["values"]][:positions])
        row = {"problem": name}
        for program, (state, seconds, steps) in [("taut", by_taut(name, until)), ("heyoka", by_heyoka(*make(), until))]:
            error = float(np.max(np.abs(state[:positions] - known) / (1 + np.abs(known))))
            row[program] = {"seconds": seconds, "error": error, "steps": steps}
            print(f"{name:20} {program:7} {1e3 * seconds:8.3f} ms, {steps} steps, error {error:.1e}")
        row["ratio"] = row["taut"]["seconds"] / row["heyoka"]["seconds"]
        rows.append(row)
    with open(os.path.join(HERE, "measured.json"), "w") as file:
        json.dump({"heyoka": hy.__version__, "tolerance": TOLERANCE, "rows": rows}, file, indent=1)
        file.write("\n")


main()
