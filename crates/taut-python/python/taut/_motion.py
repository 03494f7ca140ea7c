"""What comes out of a run."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _taut
from ._dense import Dense
from ._numbers import Matrix, Vector
from ._optional import optional

if TYPE_CHECKING:
    import os

    from ._model import Model


class Layout:
    """Where everything lies in a row of numbers: (q, v, multipliers), or x, and what is observed."""

    def __init__(self, names: list[str], constraints: list[str], observables: list[str], mechanical: bool) -> None:
        self.names = names
        self.constraints = constraints
        self.observables = observables
        self.mechanical = mechanical

    @property
    def n(self) -> int:
        """How many coordinates or variables there are."""
        return len(self.names)

    @property
    def columns(self) -> list[str]:
        """The names of the numbers of a state, without what is observed."""
        if not self.mechanical:
            return list(self.names)
        return [*self.names, *(f"{name}'" for name in self.names), *(f"lambda.{name}" for name in self.constraints)]


class Sample:
    """The motion at one time or at some times.

    >>> import taut
    >>> motion = taut.Model.builtin("pendulum").solve(2.0)
    >>> motion(1.0).q.shape, motion([0.5, 1.0]).q.shape
    ((2,), (2, 2))
    """

    def __init__(self, t: Any, y: Any, layout: Layout, observe: Callable[[Any, Any], Matrix]) -> None:
        self.t = t
        self.y = y
        self._layout = layout
        self._observe = observe

    @property
    def q(self) -> Any:
        """The positions, or the variables of a first-order model."""
        return self.y[..., : self._layout.n]

    @property
    def v(self) -> Any:
        """The velocities."""
        n = self._layout.n
        return self.y[..., n : 2 * n]

    @property
    def multipliers(self) -> Any:
        """The multipliers of the constraints."""
        return self.y[..., 2 * self._layout.n :] if self._layout.mechanical else self.y[..., :0]

    def __getitem__(self, name: str) -> Any:
        columns = self._layout.columns
        if name in columns:
            return self.y[..., columns.index(name)]
        if name == "t":
            return self.t
        if name in self._layout.observables:
            rows = self._observe(np.atleast_1d(self.t), np.atleast_2d(self.y))
            values = rows[:, self._layout.observables.index(name)]
            return values[0] if np.ndim(self.t) == 0 else values
        known = ["t", *columns, *self._layout.observables]
        raise KeyError(f"there is no column '{name}'; there are {', '.join(known)}")

    def __repr__(self) -> str:
        return f"Sample(t={self.t!r}, q={self.q!r})"


class Motion(Sample):
    """What a run gives back: times, states, events, and how it went.

    `t`, `q`, `v`, `multipliers` are arrays with a row for each time; `motion["x"]`, `motion["x'"]`,
    `motion["lambda.rod"]` and `motion["angle"]` are columns by name; `motion(2.5)` is the motion at any time.

    >>> import taut
    >>> motion = taut.Model.builtin("pendulum").solve(2.0, t_eval=[0.0, 1.0, 2.0])
    >>> motion.t
    array([0., 1., 2.])
    >>> motion["x"].shape, motion["lambda.rod"].shape
    ((3,), (3,))
    >>> bool(abs(motion(1.0)["x"] - motion["x"][1]) < 1e-6)
    True
    """

    def __init__(
        self,
        record: dict[str, Any],
        layout: Layout,
        model: Model | None = None,
        overrides: list[tuple[str, float]] | None = None,
        again: Callable[[], dict[str, Any]] | None = None,
    ) -> None:
        self._summary: str = record["summary"]
        self.stop: str = record["stop"]
        self.model = model
        self.events = _by_name(record["events"])
        self._overrides = overrides or []
        self._again = again
        self._dense: Dense | None = None
        if record["inside"] is not None:
            self._dense = Dense(*record["inside"])
        super().__init__(record["t"], record["y"], layout, self._observe_rows)

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """How it went, as `taut run --json` prints it; read when it is asked for, which takes as long as some steps."""
        found: dict[str, Any] = json.loads(self._summary)
        return found

    def _observe_rows(self, t: Any, y: Any) -> Matrix:
        if self.model is None:
            return np.empty((len(t), 0))
        t, y = np.ascontiguousarray(t, dtype=float), np.ascontiguousarray(y, dtype=float)
        return self.model._compiled.observe(self._overrides, t, y)

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        return ["t", *self._layout.columns, *self._layout.observables]

    @property
    def x(self) -> Any:
        """The variables of a first-order model."""
        return self.q

    @property
    def dense(self) -> Dense:
        """The motion at any time; a run that was made without `dense=True` is made again, with the same bits, once."""
        if self._dense is None:
            if self._again is None:
                raise ValueError("this motion has no dense output: solve with dense=True")
            self._dense = Dense(*self._again()["inside"])
        return self._dense

    def __call__(self, t: ArrayLike) -> Sample:
        """The motion at a time or at many, on its constraints up to the tolerance."""
        times = np.asarray(t, dtype=np.float64)
        rows = self.dense.rows(np.atleast_1d(times).ravel())
        first, last = sorted((self.dense.ts[0], self.dense.ts[-1]))
        if np.any(times < first) or np.any(times > last):
            raise ValueError(f"the motion goes from t = {first} to t = {last}")
        return Sample(times[()], rows[0] if times.ndim == 0 else rows, self._layout, self._observe_rows)

    def to_array(self) -> Matrix:
        """All columns as one array (k, columns)."""
        return np.column_stack([self.t, self.y, self._observe_rows(self.t, self.y)])

    def to_pandas(self) -> Any:
        """All columns as a pandas data frame.

        >>> import taut
        >>> list(taut.Model.builtin("pendulum").solve(1.0).to_pandas().columns)[:3]
        ['t', 'x', 'y']
        """
        pandas = optional("pandas", "to_pandas()")
        return pandas.DataFrame(self.to_array(), columns=self.columns)

    def to_xarray(self) -> Any:
        """All columns as an xarray data set with the coordinate t.

        >>> import taut
        >>> taut.Model.builtin("pendulum").solve(1.0).to_xarray()["x"].dims
        ('t',)
        """
        xarray = optional("xarray", "to_xarray()")
        rows = self.to_array()
        columns = {name: ("t", rows[:, k]) for k, name in enumerate(self.columns) if k > 0}
        return xarray.Dataset(columns, coords={"t": self.t}, attrs={"taut": json.dumps(self.summary)})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all columns; the ending chooses the format: .csv, .json, .npz, .parquet."""
        _taut.save(str(path), self.columns, self.to_array())

    def plot(self, columns: str | Iterable[str] | None = None, ax: Any = None) -> Any:
        """Draws columns over time with matplotlib; the coordinates when none are named."""
        from ._plot import plot

        return plot(self, columns, ax)

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """A page of its own with the motion, plots and the summary; written to `path` when one is given.

        The motion of functions has plots and the summary: there is nothing to draw.

        >>> import taut
        >>> page = taut.Model.builtin("pendulum").solve(1.0).report()
        >>> 'id="motion"' in page
        True
        """
        from ._report import report

        return report(self, path)

    def _repr_html_(self) -> str:
        from ._report import frame

        return frame(self)

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        name = self.model.name if self.model is not None else "functions"
        counts = self.summary["stats"]
        reached = float(self.t[-1]) if len(self.t) else float("nan")
        return f"<Motion of {name}: {len(self.t)} states to t = {reached:g}, {counts['accepted']} steps of {self.summary['method']}>"

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        # Bound methods and functions are put in place again.
        del state["_observe"]
        if self.model is None:
            state["_again"] = None
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._observe = self._observe_rows


def _by_name(crossings: list[tuple[str, float, Vector]]) -> dict[str, dict[str, Any]]:
    """Events by name: when they happened and the states then."""
    events: dict[str, dict[str, Any]] = {}
    for name, t, y in crossings:
        event = events.setdefault(name, {"t": [], "y": []})
        event["t"].append(t)
        event["y"].append(y)
    return {name: {key: np.array(values) for key, values in event.items()} for name, event in events.items()}


def summary_table(summary: dict[str, Any]) -> str:
    """The numbers of a summary as a table of HTML."""
    rows = [
        f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(short(value))}</td></tr>"
        for name, value in summary.items()
    ]
    return f"<table>{''.join(rows)}</table>"


def short(value: Any) -> str:
    """An entry of a summary in one line."""
    if isinstance(value, dict):
        value = ", ".join(f"{key} {short(entry)}" for key, entry in value.items())
    if isinstance(value, float):
        return f"{value:.6g}"
    text = str(value)
    return text if len(text) < 240 else text[:237] + "..."
