"""What can go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._taut import ModelError

if TYPE_CHECKING:
    from ._motion import Motion

__all__ = ["IntegrationError", "ModelError"]


class IntegrationError(RuntimeError):
    """A run stopped before its end; `motion` is what was computed so far, `t` how far it came.

    >>> import taut
    >>> model = taut.Model.text('''
    ... [variables]
    ... x = { start = 1.0, rate = "x^2" }
    ... ''')
    >>> try:
    ...     model.solve(2.0)
    ... except taut.IntegrationError as error:
    ...     print(round(error.t, 3), len(error.motion.t) > 10)
    1.0 True
    """

    def __init__(self, message: str, motion: Motion | None = None, t: float = float("nan")) -> None:
        super().__init__(message)
        self.motion = motion
        self.t = t

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.args[0], self.motion, self.t))
