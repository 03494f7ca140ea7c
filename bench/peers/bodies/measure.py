"""Time of the processor for one simulated second at equal error of the positions, and how well joints hold: Taut, MuJoCo, Simbody, Exudyn.

Every program runs with finer and finer steps or tolerances until its error is below 1e-6 m; times are interpolated to that error.
"""

import json
import os
import sys
import time

import numpy as np

import simbody
from problems import Chain, FourBar

HERE = os.path.dirname(os.path.abspath(__file__))
ASKED = 1e-6
LONGEST = float(os.environ.get("LONGEST", "20"))


def by_taut(problem, tolerance):
    import taut

    model = taut.Model.text(problem.taut())
    clock = time.process_time()
    motion = model.solve(problem.until, rtol=tolerance, atol=tolerance, t_eval=[problem.until])
    seconds = time.process_time() - clock
    residuals = motion.summary["residuals"]
    return problem.taut_positions(motion), seconds, residuals["position"], residuals["velocity"]


def by_mujoco(problem, step):
    import mujoco

    model = mujoco.MjModel.from_xml_string(problem.mujoco(step))
    data = mujoco.MjData(model)
    problem.mujoco_start(data)
    steps = round(problem.until / step)
    clock = time.process_time()
    mujoco.mj_step(model, data, nstep=steps)
    seconds = time.process_time() - clock
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    positions = problem.mujoco_positions(data)
    return positions, seconds, *problem.mujoco_gap(mujoco, model, data)


def by_exudyn(problem, step):
    import exudyn as exu

    mbs = exu.SystemContainer().AddSystem()
    bodies = problem.exudyn(exu, mbs)
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = problem.until
    settings.timeIntegration.numberOfSteps = round(problem.until / step)
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0
    settings.timeIntegration.generalizedAlpha.useIndex2Constraints = True
    settings.timeIntegration.generalizedAlpha.useNewmark = True
    settings.solution.file.write = False
    sparse = exu.LinearSolverType.EigenSparse if len(bodies) > 10 else exu.LinearSolverType.EXUdense
    settings.linearSolver.solverType = sparse
    clock = time.process_time()
    mbs.SolveDynamic(settings)
    seconds = time.process_time() - clock

    def at(end, kind):
        body, place = end
        if body is None:
            return np.array(place, dtype=float) if kind == exu.OutputVariableType.Position else np.zeros(3)
        return np.array(mbs.GetObjectOutputBody(body, kind, localPosition=place))

    gaps = [
        max(float(np.max(np.abs(at(one, kind) - at(two, kind)))) for one, two in problem.exudyn_ends(bodies))
        for kind in (exu.OutputVariableType.Position, exu.OutputVariableType.Velocity)
    ]
    centres = [at((body, [0, 0, 0]), exu.OutputVariableType.Position) for body in bodies]
    return np.array(centres), seconds, *gaps


def sweep(problem, program, finer, reference):
    """The runs of a program, until they are exact enough or take too long."""
    runs = []
    for fineness in finer:
        try:
            positions, seconds, gap, rate = program(problem, fineness)
        except Exception as error:  # a run that a program refuses or does not finish
            print(f"    {fineness:.1e}: {str(error)[:100]}", flush=True)
            continue
        error = float(np.max(np.abs(positions[:, : reference.shape[1]] - reference)))
        runs.append({"fineness": fineness, "error": error, "seconds": seconds / problem.until, "g": gap, "Gv": rate})
        print(f"    {fineness:.1e}: error {error:.1e}, {seconds / problem.until:.2e} s, |g| {gap}, |Gv| {rate}", flush=True)
        if error < ASKED or seconds > LONGEST:
            break
    return runs


def at_asked(runs):
    """The last run, with its time at the error that is asked; without a time where that was not reached."""
    if not runs or runs[-1]["error"] > ASKED:
        return {**(runs[-1] if runs else {}), "at_asked": None}
    last = runs[-1]
    if len(runs) < 2 or runs[-2]["error"] <= last["error"]:
        return {**last, "at_asked": last["seconds"]}
    # seconds as a power of the error
    power = np.log(last["seconds"] / runs[-2]["seconds"]) / np.log(last["error"] / runs[-2]["error"])
    return {**last, "at_asked": float(last["seconds"] * (ASKED / last["error"]) ** power)}


def main():
    programs = {
        "Taut": (by_taut, [10.0**-k for k in range(3, 12)]),
        "MuJoCo": (by_mujoco, [0.01 / 2**k for k in range(12)]),
        "Simbody": (simbody.run, [10.0**-k for k in range(3, 11)]),
        "Exudyn": (by_exudyn, [0.00125 / 2**k for k in range(9)]),
    }
    wanted = sys.argv[1:] or list(programs)
    rows = []
    for problem in (FourBar(), Chain(10), Chain(100)):
        reference = by_taut(problem, 1e-12)[0]
        for name in wanted:
            program, finer = programs[name]
            print(f"{problem.name}, {name}", flush=True)
            rows.append({"problem": problem.name, "program": name, **at_asked(sweep(problem, program, finer, reference))})
            with open(os.path.join(HERE, "measured.json"), "w", encoding="utf-8") as file:
                json.dump(rows, file, indent=1)
    for row in rows:
        print(row)


if __name__ == "__main__":
    main()
