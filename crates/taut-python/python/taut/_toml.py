"""Model files, written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def key(name: str) -> str:
    """A name as TOML wants it."""
    return name if _BARE.match(name) else json.dumps(name)


def value(entry: Any) -> str:
    """A number, a text, a list or a table in one line."""
    if hasattr(entry, "tolist"):
        entry = entry.tolist()
    if isinstance(entry, Mapping):
        return "{ " + ", ".join(f"{key(name)} = {value(part)}" for name, part in entry.items()) + " }"
    if isinstance(entry, (list, tuple)):
        return "[" + ", ".join(value(part) for part in entry) + "]"
    if isinstance(entry, bool):
        return "true" if entry else "false"
    if isinstance(entry, (int, float)):
        return repr(float(entry))
    return json.dumps(str(entry), ensure_ascii=False)


def document(
    name: str, sections: Mapping[str, Mapping[str, Any] | None], top: Mapping[str, Any] | None = None
) -> str:
    """A model file with these sections; those that are empty are left out."""
    lines = [f"name = {value(name)}", *(f"{key(entry)} = {value(content)}" for entry, content in (top or {}).items())]
    for section, entries in sections.items():
        if entries:
            lines += ["", f"[{section}]"]
            lines += [f"{key(entry)} = {value(content)}" for entry, content in entries.items()]
    return "\n".join(lines) + "\n"
