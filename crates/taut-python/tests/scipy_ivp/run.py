"""Runs SciPy's own tests of solve_ivp with taut.solve_ivp in its place.

Tests that are not run are in `exceptions.txt`, each with its reason; one that passes does not belong there.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
CONFTEST = '''
import pytest


@pytest.fixture
def num_parallel_threads():
    return 1
'''
SETTINGS = '''
[pytest]
addopts = -q -p no:cacheprovider
markers =
    thread_unsafe
    fail_slow
    slow
filterwarnings =
    ignore::DeprecationWarning
'''


def exceptions() -> dict[str, str]:
    """Tests that are left out, and why."""
    lines = [line for line in (HERE / "exceptions.txt").read_text().splitlines() if line and not line.startswith("#")]
    return {name.strip(): reason.strip() for name, reason in (line.split("|", 1) for line in lines)}


def source() -> str:
    """SciPy's tests with another solve_ivp."""
    found = importlib.util.find_spec("scipy.integrate._ivp.tests.test_ivp")
    if found is None or found.origin is None:
        sys.exit("this SciPy has no tests")
    text = Path(found.origin).read_text()
    replaced, count = re.subn(r"from scipy\.integrate import solve_ivp, ", "from taut import solve_ivp\nfrom scipy.integrate import ", text)
    if count != 1:
        sys.exit("SciPy's tests import solve_ivp in another way than expected")
    return replaced


def main() -> int:
    """0 when all tests pass but those that are left out, and none of these does."""
    left_out = exceptions()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_ivp.py").write_text(source())
        (Path(folder) / "conftest.py").write_text(CONFTEST)
        (Path(folder) / "pytest.ini").write_text(SETTINGS)
        command = [sys.executable, "-m", "pytest", "-rA", "--tb=short", *sys.argv[1:], "test_ivp.py"]
        answer = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    outcome = dict(reversed(pair) for pair in re.findall(r"^(PASSED|FAILED|ERROR) test_ivp\.py::(\S+)", answer.stdout, re.M))
    if not outcome:
        print(answer.stdout, answer.stderr)
        return 1
    failed = [name for name, word in outcome.items() if word != "PASSED" and name not in left_out]
    needless = [name for name in left_out if outcome.get(name) == "PASSED"]
    if failed:
        print(answer.stdout)
    for name in failed:
        print(f"failed: {name}")
    for name in needless:
        print(f"passes, but is in exceptions.txt: {name}")
    passed = sum(word == "PASSED" for word in outcome.values())
    print(f"SciPy's tests of solve_ivp: {passed} of {len(outcome)} pass, {len(left_out)} exceptions")
    return 1 if failed or needless else 0


if __name__ == "__main__":
    sys.exit(main())
