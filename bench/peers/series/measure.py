"""Time of the processor and error of the positions: Taut's series beside heyoka's, at tolerances from 1e-7 to 1e-15.

What is made ready before the first step is not counted, on either side: of Taut the time of a run that ends at once is subtracted.
Runs of both take turns, and the shortest of each counts. Equal errors lie between tolerances: times are interpolated there, in
logarithms.
"""

import json
import math
import os
import time

import heyoka as hy
import numpy as np
import taut

from problems import PROBLEMS

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "../../../crates/taut-cli/tests/references")
TOLERANCES = [10.0**-k for k in range(7, 16)]
ERRORS = [1e-8, 1e-10, 1e-12]
REPEATED = int(os.environ.get("REPEATED", "40"))


def clocked(run):
    clock = time.process_time()
    answer = run()
    return time.process_time() - clock, answer


def by_taut(name, until, tolerance):
    """A run, and one that ends at once."""
    path = os.path.join(MODELS, f"{name}.toml")
    model = taut.Model(path) if os.path.exists(path) else taut.Model.builtin(name)

    def run(end):
        return model.solve(end, method="taylor", rtol=tolerance, atol=tolerance, t_eval=[end])

    def state(motion):
        return np.array(motion.y[-1]), motion.summary["stats"]["steps"]

    return lambda: run(until), lambda: run(1e-9 * until), state


def by_heyoka(equations, start, until, tolerance):
    solver = hy.taylor_adaptive(equations, start, tol=tolerance)

    def run():
        solver.time = 0.0
        solver.state[:] = start
        # The first step of the double pendulum would be too long: coefficients that vanish by symmetry say nothing.
        solver.step(max_delta_t=1e-3 * until)
        return solver.propagate_until(until)

    return run, None, lambda outcome: (np.array(solver.state), outcome[3] + 1)


def shortest(programs):
    """Runs of all programs, taking turns: the shortest times and the states."""
    least = {name: [math.inf, 0.0 if at_once is None else math.inf] for name, (_, at_once, _) in programs.items()}
    states = {}
    for _ in range(REPEATED):
        for name, (run, at_once, state) in programs.items():
            seconds, answer = clocked(run)
            least[name][0] = min(least[name][0], seconds)
            states[name] = state(answer)
            if at_once is not None:
                least[name][1] = min(least[name][1], clocked(at_once)[0])
    return {name: (states[name], whole - begun) for name, (whole, begun) in least.items()}


def time_at(error, runs):
    """The time at an error, between two runs; nothing beyond them."""
    for before, after in zip(runs, runs[1:]):
        if before["error"] >= error >= after["error"]:
            share = math.log(before["error"] / error) / math.log(before["error"] / after["error"])
            return before["seconds"] ** (1 - share) * after["seconds"] ** share
    return None


def main():
    rows = []
    for name, make, until, positions in PROBLEMS:
        with open(os.path.join(HERE, "reference", f"{name}.json")) as file:
            known = np.array([float(value["value"]) for value in json.load(file)["values"]][:positions])
        runs = {"taut": [], "heyoka": []}
        for tolerance in TOLERANCES:
            programs = {"taut": by_taut(name, until, tolerance), "heyoka": by_heyoka(*make(), until, tolerance)}
            for program, ((state, steps), seconds) in shortest(programs).items():
                error = float(np.max(np.abs(state[:positions] - known) / (1 + np.abs(known))))
                runs[program].append({"tolerance": tolerance, "seconds": seconds, "error": error, "steps": steps})
                print(f"{name:20} {tolerance:.0e} {program:7} {1e3 * seconds:8.3f} ms, {steps} steps, error {error:.1e}")
        row = {"problem": name, **runs, "at": []}
        for error in ERRORS:
            times = [time_at(error, runs[program]) for program in ("taut", "heyoka")]
            if None not in times:
                row["at"].append({"error": error, "taut": times[0], "heyoka": times[1], "ratio": times[0] / times[1]})
                print(f"{name:20} at an error of {error:.0e}: {1e3 * times[0]:.3f} and {1e3 * times[1]:.3f} ms, {times[0] / times[1]:.2f}")
        rows.append(row)
    with open(os.path.join(HERE, "measured.json"), "w") as file:
        json.dump({"heyoka": hy.__version__, "rows": rows}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
