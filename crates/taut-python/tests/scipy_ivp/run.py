"""Runs SciPy's own tests of solve_ivp with taut.solve_ivp in its place.

What is not asked is in `exceptions.txt`, each with its reason: a whole test, or a line of one that is replaced. A test that
passes as it is does not belong there.
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


def exceptions() -> list[list[str]]:
    """Each a test and a reason, or a test, a text of it, what replaces the text, and a reason."""
    lines = [line for line in (HERE / "exceptions.txt").read_text().splitlines() if line and not line.startswith("#")]
    return [[part.strip() for part in line.split("|")] for line in lines]


def with_exceptions(text: str) -> str:
    """SciPy's tests without the lines that are not asked."""
    for test, *change, _reason in exceptions():
        if change:
            old, new = change
            begin = text.index(f"def {test}(")
            end = text.find("\ndef ", begin)
            body = text[begin:end]
            if old not in body:
                sys.exit(f"exceptions.txt: {test} has no line '{old}'")
            text = text[:begin] + body.replace(old, new) + text[end:]
    return text


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
    left_out = [test for test, *change, _reason in exceptions() if not change]
    changed = {test for test, *change, _reason in exceptions() if change}
    asked = run(with_exceptions(source()))
    failed = [name for name, word in asked.items() if word != "PASSED" and name not in left_out]
    as_it_is = run(source(), quiet=True)
    needless = [name for name in [*left_out, *changed] if as_it_is.get(name) == "PASSED"]
    for name in failed:
        print(f"failed: {name}")
    for name in needless:
        print(f"passes, but is in exceptions.txt: {name}")
    passed = sum(word == "PASSED" for word in as_it_is.values())
    print(
        f"SciPy's tests of solve_ivp: {passed} of {len(as_it_is)} pass as they are, "
        f"{len(changed)} but for lines of them, {len(left_out)} are left out"
    )
    return 1 if failed or needless or not asked else 0


def run(tests: str, quiet: bool = False) -> dict[str, str]:
    """The outcome of each test."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_ivp.py").write_text(tests)
        (Path(folder) / "conftest.py").write_text(CONFTEST)
        (Path(folder) / "pytest.ini").write_text(SETTINGS)
        command = [sys.executable, "-m", "pytest", "-rA", "--tb=short", *sys.argv[1:], "test_ivp.py"]
        answer = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    outcome = dict(reversed(pair) for pair in re.findall(r"^(PASSED|FAILED|ERROR) test_ivp\.py::(\S+)", answer.stdout, re.M))
    if not quiet and set(outcome.values()) != {"PASSED"}:
        print(answer.stdout, answer.stderr)
    return outcome


if __name__ == "__main__":
    sys.exit(main())
