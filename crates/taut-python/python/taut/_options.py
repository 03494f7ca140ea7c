"""How a run is made, in the words of the command."""

from __future__ import annotations

import json
from typing import Any

import numpy as np


def option_text(**given: Any) -> str:
    """The options that were given, as JSON; `atol` is `rtol` when it is not given, as for the command."""
    if given.get("atol") is None:
        given["atol"] = given.get("rtol")
    return json.dumps({name: _plain(value) for name, value in given.items() if value is not None})


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
