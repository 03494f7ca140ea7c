"""The examples of the documentation run."""

import os
import re
from pathlib import Path

import pytest

#: beside the tests when they run in a place of their own
PLACES = [Path(__file__).parent / "python.md", *(parent / "docs" / "python.md" for parent in Path(__file__).parents)]


def test_every_example_of_the_tutorial_runs(tmp_path, monkeypatch):
    page = next((place for place in PLACES if place.exists()), None)
    if page is None:
        pytest.fail("docs/python.md is missing")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S)
    assert len(blocks) >= 10
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)
    assert os.path.getsize("pendulum.parquet") > 1000
    assert len(names["table"]) == 6 and names["result"].success
