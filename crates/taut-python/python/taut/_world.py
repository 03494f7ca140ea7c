"""Rigid bodies and joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._model import Model
from ._motion import Motion
from ._toml import document

#: numbers or expressions
Vector = Sequence[Any]


class World:
    """Bodies, joints, springs and loads, put together one by one; what they become is a model file.

    In space vectors have three numbers, with `plane="xy"` two. The names of arguments are those of model files.

    >>> import taut
    >>> world = taut.World(gravity=[0, -9.81], plane="xy")
    >>> world.body("rod", mass=1.0, inertia=1/12, position=[0.5, 0.0])
    >>> world.joint("pin", "revolute", between=["ground", "rod"], at=[0, 0])
    >>> motion = world.solve(1.0, rtol=1e-8)
    >>> bool(abs(motion["rod.x"]**2 + motion["rod.y"]**2 - 0.25).max() < 1e-12)
    True
    """

    def __init__(
        self,
        *,
        gravity: Vector | None = None,
        plane: str | None = None,
        parameters: Mapping[str, float] | None = None,
        name: str = "world",
    ) -> None:
        self.name = name
        self._top: dict[str, Any] = _given(gravity=gravity, plane=plane)
        self._parameters = dict(parameters or {})
        self._sections: dict[str, dict[str, Any]] = {"bodies": {}, "joints": {}, "springs": {}, "loads": {}}

    def body(
        self,
        name: str,
        *,
        mass: Any,
        inertia: Any,
        position: Vector | None = None,
        rotation: Any = None,
        velocity: Vector | None = None,
        spin: Any = None,
        points: Mapping[str, Vector] | None = None,
        shape: Mapping[str, Any] | None = None,
    ) -> None:
        """A body: `inertia` about its centre of mass, `position`, `rotation`, `velocity` and `spin` at the start."""
        entries = _given(
            mass=mass,
            inertia=inertia,
            position=position,
            rotation=rotation,
            velocity=velocity,
            spin=spin,
            points=points,
            shape=shape,
        )
        self._put("bodies", name, entries)

    def joint(self, name: str, kind: str, *, between: Sequence[str], **more: Any) -> None:
        """A joint of two bodies: `at`, `axis`, `points`, `compliance`, `drive`, `friction`, `limits`, `start`, `rate`."""
        self._put("joints", name, {"kind": kind, "between": list(between), **_given(**more)})

    def spring(self, name: str, *, between: Sequence[str], **more: Any) -> None:
        """A spring between two bodies: `points`, `length`, `stiffness`, `damping`, `kind`."""
        self._put("springs", name, {"between": list(between), **_given(**more)})

    def load(self, name: str, *, on: str, **more: Any) -> None:
        """A load on a body: `at`, `force`, `torque`, as numbers or expressions."""
        self._put("loads", name, {"on": on, **_given(**more)})

    def model(self, *, end: float | None = None, **sections: Mapping[str, Any]) -> Model:
        """The model; further sections of model files may be added, as `observe={"height": "rod.y"}`."""
        known: dict[str, Mapping[str, Any] | None] = {"parameters": self._parameters, **self._sections, **sections}
        if end is not None:
            known["time"] = {"end": float(end)}
        return Model.text(document(self.name, known, self._top), self.name)

    def solve(self, until: float, **options: Any) -> Motion:
        """Integrates; options are those of `Model.solve`."""
        return self.model().solve(until, **options)

    def _put(self, section: str, name: str, entries: dict[str, Any]) -> None:
        if name in self._sections[section]:
            raise ValueError(f"there is '{name}' among the {section} already")
        self._sections[section][name] = entries

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(entries)} {section}" for section, entries in self._sections.items() if entries)
        return f"<World {self.name}: {counts or 'nothing yet'}>"


def _given(**entries: Any) -> dict[str, Any]:
    return {name: entry for name, entry in entries.items() if entry is not None}
