"""Instructions of one run: Taut's series beside heyoka's, at a tolerance of 1e-13.

Each program runs under callgrind twice, with one run and with eleven, which are counted from when everything has been made ready: a tenth of
the difference is one run. Of Taut the difference for a run that ends at once is subtracted, as in measure.py.
"""

import json
import os
import re
import subprocess
import sys

from measure import HERE, by_heyoka, by_taut
from problems import PROBLEMS

TOLERANCE = 1e-13
REPEATED = 10


def run(name, program, times):
    """What is counted: so many runs."""
    make, until = next((make, until) for known, make, until, _ in PROBLEMS if known == name)
    if program == "heyoka":
        once, _, _ = by_heyoka(*make(), until, TOLERANCE)
    else:
        whole, at_once, _ = by_taut(name, until, TOLERANCE)
        once = whole if program == "taut" else at_once
    once()
    collect("on")
    for _ in range(times):
        once()
    collect("off")


def collect(state):
    subprocess.run(["callgrind_control", "--instr=" + state, str(os.getpid())], check=True, stdout=subprocess.DEVNULL)


def instructions(*arguments):
    command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null", sys.executable, __file__, *arguments]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return int(re.search(r"Collected *: *(\d+)", said)[1])


def of_one_run(name, program):
    few, many = [instructions(name, program, str(times)) for times in (1, 1 + REPEATED)]
    return (many - few) / REPEATED


def main():
    rows = []
    for name, *_ in PROBLEMS:
        taut = of_one_run(name, "taut") - of_one_run(name, "taut at once")
        heyoka = of_one_run(name, "heyoka")
        rows.append({"problem": name, "taut": taut, "heyoka": heyoka, "ratio": taut / heyoka})
        print(f"{name:20} {1e-6 * taut:8.3f} M, heyoka {1e-6 * heyoka:8.3f} M, {taut / heyoka:.2f}")
    with open(os.path.join(HERE, "counted.json"), "w") as file:
        json.dump({"tolerance": TOLERANCE, "rows": rows}, file, indent=1)
        file.write("\n")


if len(sys.argv) == 4:
    run(sys.argv[1], sys.argv[2], int(sys.argv[3]))
else:
    main()
