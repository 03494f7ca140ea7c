"""Many runs over parameters and starts."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._cluster import Job, chunks_in_order, write_dataset
from ._optional import optional
from ._options import option_text
from ._progress import Progress

if TYPE_CHECKING:
    from ._model import Model

Run = dict[str, float]


def sweep(
    model: Model,
    vary: Any,
    until: float | None,
    threads: int | None,
    client: Any,
    out: str | os.PathLike[str] | None,
    progress: bool,
    options: dict[str, Any],
) -> Any:
    """A pandas frame with a row for each run; with `out` a Dask frame of a dataset."""
    pandas = optional("pandas", "sweep()")
    runs = runs_of(vary)
    sets = [list(run.items()) for run in runs]
    job = Job(None if until is None else float(until), option_text(**options), model._compiled.sweep_columns(sets))
    names = list(dict.fromkeys(name for run in runs for name in run))
    varied = {_label(name, job.columns): [run.get(name, math.nan) for run in runs] for name in names}
    if out is not None:
        if client is None:
            raise ValueError("out= is written by the workers of a cluster: give client=, or write the frame that sweep() returns")
        return write_dataset(client, model, sets, job, varied, os.fspath(out))
    bar = Progress(0.0, float(len(runs)), progress)
    try:
        if client is None:
            shown = bar if bar.visible else None
            workers = threads or os.cpu_count() or 1
            columns = model._compiled.sweep(sets, job.until, job.options, workers, shown, job.columns)
        else:
            parts = []
            for part in chunks_in_order(client, model, iter(sets), len(sets), job):
                parts.append(part)
                bar(float(sum(len(part["status"]) for part in parts)))
            columns = {name: np.concatenate([np.asarray(part[name]) for part in parts]) for name in [*job.columns, "status", "reason"]} if parts else {}
    finally:
        bar.finish()
    return pandas.DataFrame({**varied, **columns})


def _label(name: str, columns: list[str]) -> str:
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
