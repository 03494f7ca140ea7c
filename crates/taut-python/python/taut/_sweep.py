"""Many runs over parameters and starts."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._optional import optional
from ._options import option_text
from ._progress import Progress

if TYPE_CHECKING:
    from ._model import Model

#: an empty task of dask costs more than a run of a pendulum: at most so many tasks for each of its threads
_CHUNKS_PER_THREAD = 4

Run = dict[str, float]


def sweep(
    model: Model, vary: Any, until: float | None, threads: int | None, client: Any, progress: bool, options: dict[str, Any]
) -> Any:
    """A pandas frame with a row for each run."""
    pandas = optional("pandas", "sweep()")
    runs = runs_of(vary)
    text = option_text(**options)
    end = None if until is None else float(until)
    if client is not None:
        columns = _with_dask(model, runs, end, text, client)
    else:
        columns = run_chunk(model, runs, end, text, threads or os.cpu_count() or 1, progress)
    names = list(dict.fromkeys(name for run in runs for name in run))
    varied = {_label(name, columns): [run.get(name, math.nan) for run in runs] for name in names}
    return pandas.DataFrame({**varied, **columns})


def _label(name: str, columns: dict[str, Any]) -> str:
    """A start value is not the final one of the same name."""
    return f"start {name}" if name in columns else name


def runs_of(vary: Any) -> list[Run]:
    """One dictionary for each run: all combinations of lists, or the rows of a table."""
    if hasattr(vary, "to_dict") and hasattr(vary, "columns"):
        vary = vary.to_dict("records")
    if isinstance(vary, Mapping):
        values = [np.atleast_1d(np.asarray(value, dtype=float)).tolist() for value in vary.values()]
        return [dict(zip(vary, row)) for row in itertools.product(*values)]
    return [{str(name): float(value) for name, value in run.items()} for run in vary]


def run_chunk(
    model: Model, runs: list[Run], until: float | None, options: str, threads: int, progress: bool = False
) -> dict[str, Any]:
    """Runs on threads: columns of numbers."""
    bar = Progress(0.0, float(len(runs)), progress)
    try:
        return model._compiled.sweep(
            [list(run.items()) for run in runs], until, options, threads, bar if bar.visible else None
        )
    finally:
        bar.finish()


def _with_dask(model: Model, runs: list[Run], until: float | None, options: str, client: Any) -> dict[str, Any]:
    workers = sum(client.nthreads().values()) or 1
    size = max(math.ceil(len(runs) / (workers * _CHUNKS_PER_THREAD)), 1)
    chunks = [runs[first : first + size] for first in range(0, len(runs), size)]
    sent = [client.submit(run_chunk, model, chunk, until, options, 1, pure=False) for chunk in chunks]
    parts: list[dict[str, Any]] = client.gather(sent)
    return {name: np.concatenate([np.asarray(part[name]) for part in parts]) for name in parts[0]} if parts else {}
