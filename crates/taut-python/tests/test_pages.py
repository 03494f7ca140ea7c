"""The examples of the documentation run."""

import json
import os
import re
from pathlib import Path

import pytest


def find(name):
    """A page of the documentation: beside the tests when they run in a place of their own."""
    here = Path(__file__).parent
    for place in [here / name, *(parent / "docs" / name for parent in here.parents)]:
        if place.exists():
            return place
    pytest.fail(f"docs/{name} is missing")


def test_every_example_of_the_tutorial_runs(tmp_path, monkeypatch):
    page = find("python.md")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S)
    assert len(blocks) >= 10
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)
    assert os.path.getsize("pendulum.parquet") > 1000
    assert len(names["table"]) == 6 and names["result"].success


def test_the_notebook_runs():
    cells = json.loads(find("tutorial.ipynb").read_text())["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    steps = names["steps"].values()
    assert max(steps) < 1.5 * min(steps)
    assert abs(names["result"].y[0, -1] - names["motion"]["x"][-1]) < 1e-5
