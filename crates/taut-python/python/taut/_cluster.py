"""Many runs on a cluster: chunks of runs, each of which takes much longer than a task costs.

A worker compiles the model once and keeps it; a long text of a model goes to each worker once. A worker that dies takes no row
with it: Dask gives its chunks to others. Rows are the same bits wherever they are made.
"""

from __future__ import annotations

import functools
import itertools
import math
import os
import pickle
import time
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ._optional import optional

if TYPE_CHECKING:
    from ._model import Model

#: a task costs the scheduler about so many seconds; see docs/scale.md
_TASK = 1e-3
#: chunks take at least so many seconds: what a task costs beside them is below 1 percent
_SECONDS = 0.25
#: and so many times as long as the scheduler needs to give one to each thread
_ROUNDS = 10
#: so many chunks for each thread of the cluster at least, so that all end at about the same time
_CHUNKS_PER_THREAD = 8
#: so many chunks for each thread are under way at once
_UNDER_WAY = 4
#: a chunk whose worker died, or ended in an error, is tried so often again
_RETRIES = 5
#: the workers find out how long a run takes with chunks of a small share of the runs of a thread, no more than this, and the
#: first of them with this share of that again
_EARLY_SHARE = 32
_MOST_EARLY = 32
_FIRST_SHARE = 8
#: the text of a model goes along with each chunk up to so many bytes
_BESIDE = 50_000
#: a worker keeps so many models
_MODELS = 8

Overrides = list[tuple[str, float]]


class Job(NamedTuple):
    """What all runs have in common."""

    until: float | None
    options: str
    columns: list[str]
    set: Overrides = []


def run_chunk(model: Model, runs: list[Overrides], job: Job, threads: int = 1) -> dict[str, Any]:
    """Makes some runs: columns of numbers, statuses and reasons."""
    return model._compiled.sweep(runs, job.until, job.options, threads, None, job.columns, job.set)


@functools.lru_cache(_MODELS)
def _made(sent: bytes) -> Model:
    """The model of a sweep, made once on each worker."""
    model: Model = pickle.loads(sent)
    return model


def run_packed(sent: bytes, packed: bytes) -> bytes:
    """Makes runs that were packed to be sent; their rows are packed, too, with the seconds that a run took."""
    model, (runs, job) = _made(sent), pickle.loads(packed)
    began = time.process_time()
    rows = run_chunk(model, runs, job)
    return pickle.dumps((rows, (time.process_time() - began) / len(runs)))


def chunks_in_order(client: Any, model: Model, runs: Iterator[Overrides], count: int, job: Job) -> Iterator[dict[str, Any]]:
    """The rows of all runs, chunk after chunk, in the order of the runs."""
    threads = sum(client.nthreads().values()) or 1
    sent = _send(client, model)
    # Runs may take long, so that few of them go together until that is known.
    size = max(1, min(_MOST_EARLY, count // (_EARLY_SHARE * threads)))
    waiting = _submitted(client, sent, [*_cut(runs, max(1, size // _FIRST_SHARE), threads), *_cut(runs, size, threads)], job)
    left = count - sum(length for _, length in waiting)
    first = _gathered(client, waiting, threads, job)
    seconds = max((seconds for _, seconds in first), default=0.0)
    size, most = _chunk_size(left, seconds, threads), _UNDER_WAY * threads
    waiting.extend(_submitted(client, sent, _cut(runs, size, most), job))
    yield from (rows for rows, _ in first)
    while waiting:
        # Half of them together: to ask for rows costs as much as a task.
        found = _gathered(client, waiting, max(1, most // 2), job)
        waiting.extend(_submitted(client, sent, _cut(runs, size, most - len(waiting)), job))
        yield from (rows for rows, _ in found)


def _cut(runs: Iterator[Overrides], size: int, most: int) -> list[list[Overrides]]:
    """At most so many chunks of so many runs."""
    chunks = (list(itertools.islice(runs, size)) for _ in range(most))
    return list(itertools.takewhile(bool, chunks))


def _submitted(client: Any, sent: Any, chunks: list[list[Overrides]], job: Job) -> deque[tuple[Any, int]]:
    """Sends chunks, all in one message: futures and the numbers of runs."""
    if not chunks:
        return deque()
    # As bytes: Dask would look for futures in every number of every run, and wrap every column of the rows by itself.
    packed = [pickle.dumps((chunk, job)) for chunk in chunks]
    futures = client.map(run_packed, [sent] * len(packed), packed, pure=False, retries=_RETRIES)
    return deque(zip(futures, map(len, chunks)))


def _gathered(client: Any, waiting: deque[tuple[Any, int]], most: int, job: Job) -> list[tuple[dict[str, Any], float]]:
    """Takes the rows of the first chunks that are under way, and the seconds that a run took."""
    together = [waiting.popleft() for _ in range(min(most, len(waiting)))]
    try:
        packed = client.gather([future for future, _ in together])
    except Exception:  # one of them has failed: they are taken one by one
        packed = [_one(client, future) for future, _ in together]
    lengths = (length for _, length in together)
    return [_failed(job, length, rows) if isinstance(rows, Exception) else pickle.loads(rows) for rows, length in zip(packed, lengths)]


def _one(client: Any, future: Any) -> Any:
    """The rows of a chunk, or what ended it for good."""
    try:
        return client.gather(future)
    except Exception as error:
        return error


def _send(client: Any, model: Model) -> Any:
    """The text of a model on its way to the workers: beside their chunks, or as the value of a task, which is not lost with a
    worker. The first begins at once everywhere, the second goes to each worker only once."""
    text = pickle.dumps(model)
    return text if len(text) <= _BESIDE else client.submit(bytes, text, pure=False)


def _chunk_size(runs: int, seconds: float, threads: int) -> int:
    """As many runs as take long enough, unless too few chunks would be left to share."""
    long_enough = math.ceil(max(_SECONDS, _ROUNDS * _TASK * threads) / max(seconds, 1e-9))
    shared = math.ceil(max(runs, 1) / (_CHUNKS_PER_THREAD * threads))
    return max(1, min(long_enough, shared))


def _failed(job: Job, count: int, error: Exception) -> tuple[dict[str, Any], float]:
    reason = " ".join(f"the cluster did not make this run: {type(error).__name__}: {error}".split())
    rows: dict[str, Any] = {name: [math.nan] * count for name in job.columns}
    return {**rows, "status": ["failed"] * count, "reason": [reason] * count}, 0.0


def write_dataset(client: Any, model: Model, runs: list[Overrides], job: Job, varied: dict[str, list[float]], folder: str) -> Any:
    """Lets the workers write a Parquet dataset: part-00000.parquet and so on, in a folder that all of them see."""
    frames = optional("dask.dataframe", "out=")
    os.makedirs(folder, exist_ok=True)
    if os.listdir(folder):
        raise FileExistsError(f"{folder} is not empty; take another folder for out=")
    threads = sum(client.nthreads().values()) or 1
    sent = _send(client, model)
    began = time.perf_counter()
    run_chunk(model, runs[:1], job)
    size = _chunk_size(len(runs), time.perf_counter() - began, threads)
    waiting = []
    for number, first in enumerate(range(0, len(runs), size)):
        part = {name: values[first : first + size] for name, values in varied.items()}
        path = os.path.join(folder, f"part-{number:05}.parquet")
        chunk = runs[first : first + size]
        waiting.append(client.submit(write_part, sent, chunk, job, {"run": range(first, first + len(chunk)), **part}, path, pure=False, retries=_RETRIES))
    client.gather(waiting)
    return frames.read_parquet(folder)


def write_part(sent: bytes, runs: list[Overrides], job: Job, varied: dict[str, Any], path: str) -> str:
    """Makes some runs and writes their rows; a file is there whole or not at all."""
    pandas = optional("pandas", "sweep()")
    frame = pandas.DataFrame({**{name: list(values) for name, values in varied.items()}, **run_chunk(_made(sent), runs, job)})
    unfinished = f"{path}.{os.getpid()}.new"
    frame.to_parquet(unfinished)
    os.replace(unfinished, path)
    return path
