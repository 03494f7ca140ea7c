"""Events: zeros of functions of the motion."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ._errors import ModelError
from ._numbers import Vector

#: name, function of (t, y) or column, direction, crossings that end the run
Given = tuple[str, "Callable[[float, Vector], float] | int", float, "int | None"]


def crossings_that_end(event: Any) -> int | None:
    """`terminal` of an event: a bool or a number of crossings."""
    terminal = getattr(event, "terminal", None)
    if terminal is None or terminal == 0:
        return None
    message = "The `terminal` attribute of each event must be a boolean or positive integer."
    try:
        count = operator.index(terminal)
    except TypeError as error:
        raise ValueError(message) from error
    if count < 0:
        raise ValueError(message)
    return count


def events_of_model(events: Any, columns: list[str], n: int) -> list[Given]:
    """Events by name: functions of (t, q, v), or names of columns whose zeros are looked for."""
    if events is None:
        return []
    if isinstance(events, str) or callable(events):
        events = [events]
    named: Iterable[tuple[str, Any]]
    if isinstance(events, Mapping):
        named = events.items()
    else:
        named = [(_name(event, k), event) for k, event in enumerate(events)]
    return [(str(name), _looked_at(event, columns, n), *_rules(event)) for name, event in named]


def _name(event: Any, k: int) -> str:
    return event if isinstance(event, str) else str(getattr(event, "__name__", f"event {k}"))


def _rules(event: Any) -> tuple[float, int | None]:
    return float(getattr(event, "direction", 0.0)), crossings_that_end(event)


def _looked_at(event: Any, columns: list[str], n: int) -> Any:
    if isinstance(event, str):
        if event not in columns[1:]:
            raise ModelError(f"there is no column '{event}'; there are {', '.join(columns[1:])}")
        return columns.index(event) - 1
    if not callable(event):
        raise TypeError(f"an event is a function of (t, q, v) or the name of a column, not {event!r}")
    return lambda t, y: event(t, y[:n], y[n : 2 * n])
