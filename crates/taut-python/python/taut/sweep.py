"""`taut sweep --dask ADDRESS`: the command sends runs, this process has them made by a cluster and gives rows back.

The first line of the input is a JSON object, each other one the values of a run. The output has one line for each row, in the
same order, with the bytes of all numbers in hexadecimal.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from . import Model, __version__
from ._cluster import Job, Overrides, chunks_in_order
from ._model import _restore
from ._optional import optional

__all__ = ["main"]


def _runs(lines: TextIO, names: list[str]) -> Iterator[Overrides]:
    for line in lines:
        yield list(zip(names, map(float, json.loads(line))))


def _write(rows: dict[str, Any], columns: list[str], output: TextIO) -> None:
    for k, status in enumerate(rows["status"]):
        numbers = struct.pack(f"<{len(columns)}d", *(rows[name][k] for name in columns)).hex()
        output.write(json.dumps({"numbers": numbers, "status": status, "reason": rows["reason"][k]}) + "\n")
    output.flush()


def main(lines: TextIO = sys.stdin, output: TextIO = sys.stdout) -> None:
    """Makes the runs that are read, and writes their rows."""
    head = json.loads(lines.readline())
    if head["version"] != __version__:
        sys.exit(f"the command is taut {head['version']}, the Python package {__version__}: both must be the same")
    options = dict(head["options"])
    fixed = [(name, value) for name, value in options.pop("set")]
    model = _restore(Model, "model", head["file"], head["text"])
    job = Job(head["until"], json.dumps(options), head["columns"], fixed)
    distributed: Any = optional("distributed", "taut sweep --dask")
    with distributed.Client(head["address"], timeout=30) as client:
        output.write(json.dumps({"threads": sum(client.nthreads().values())}) + "\n")
        for rows in chunks_in_order(client, model, _runs(lines, head["names"]), head["runs"], job):
            _write(rows, job.columns, output)


if __name__ == "__main__":
    main()
