"""A bar in a terminal or in a notebook."""

from __future__ import annotations

import importlib
import sys
from typing import Any

_WIDTH = 30


def in_notebook() -> bool:
    """Whether somebody looks at a notebook."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class Progress:
    """Shows how far something has come; nothing when nobody could see it."""

    def __init__(self, start: float, end: float, wanted: bool = True) -> None:
        self._start, self._length = start, end - start
        self._handle: Any = None
        self._shown = False
        self._notebook = wanted and in_notebook()
        self._terminal = wanted and not self._notebook and sys.stderr.isatty()

    @property
    def visible(self) -> bool:
        """Whether there is somebody to show it to."""
        return self._notebook or self._terminal

    def __call__(self, reached: float, step: float | None = None) -> None:
        share = min(max((reached - self._start) / self._length, 0.0), 1.0) if self._length else 1.0
        text = f"{share:4.0%}  t = {reached:.6g}  step {abs(step):.1e}" if step is not None else f"{share:4.0%}"
        self._shown = True
        if self._terminal:
            filled = round(_WIDTH * share)
            sys.stderr.write(f"\r{'#' * filled}{'.' * (_WIDTH - filled)} {text}\x1b[K")
            sys.stderr.flush()
        elif self._notebook:
            self._show_in_notebook(share, text)

    def _show_in_notebook(self, share: float, text: str) -> None:
        display: Any = importlib.import_module("IPython.display")
        bar = display.HTML(f'<progress value="{share}" style="width: 20em"></progress> {text}')
        if self._handle is None:
            self._handle = display.display(bar, display_id=True)
        else:
            self._handle.update(bar)

    def finish(self) -> None:
        """Takes the bar away."""
        if self._terminal and self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
