"""Models of text: files, strings, built-in ones."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from . import _taut
from ._errors import IntegrationError, ModelError
from ._events import events_of_model
from ._motion import Layout, Motion
from ._numbers import no_times, output_times
from ._options import option_text
from ._progress import Progress

if TYPE_CHECKING:
    import os

Overrides = list[tuple[str, float]]

#: endings of the files of robots
ROBOTS = (".urdf", ".xml")


class Model:
    """A model file: a path, a text, or a built-in name. The path may be that of a robot (URDF, MJCF).

    >>> import taut
    >>> pendulum = taut.Model.text('''
    ... [parameters]
    ... g = 9.81
    ... [coordinates]
    ... x = { start = 1.0 }
    ... y = { start = 0.0 }
    ... [energy]
    ... kinetic = "(x'^2 + y'^2)/2"
    ... potential = "g*y"
    ... [constraints]
    ... rod = "hypot(x, y) - 1"
    ... ''')
    >>> motion = pendulum.solve(10.0, rtol=1e-8, parameters={"g": 1.62})
    >>> bool(motion["y"].min() < -0.99)
    True
    """

    #: what the file of a robot has and this model has not, one line each
    left_out: list[str]

    def __init__(self, path: str | os.PathLike[str]) -> None:
        file = Path(path)
        if file.suffix in ROBOTS:
            self._robot(file, (), False)
            return
        try:
            text = file.read_text(encoding="utf-8")
        except OSError as error:
            raise ModelError(f"{path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise ModelError(f"{path}: this is not text: {error}") from error
        self._setup(file.stem, str(path), text)

    def _robot(self, file: Path, ignore: Iterable[str], strict: bool) -> None:
        words = [ignore] if isinstance(ignore, str) else list(ignore)
        text, left_out = _taut.read_robot(str(file), words, strict)
        self._setup(file.stem, str(file), text)
        self.left_out = left_out
        if left_out:
            # The line that asked for the robot is two calls above.
            warnings.warn(f"{file}: left out: {'; '.join(left_out)}", stacklevel=3)

    def _setup(self, name: str, file: str, text: str) -> None:
        self.name = name
        self._file = file
        self.left_out = []
        self._compiled = _taut.Compiled(name, file, text)
        found = self._compiled.describe([])
        self.title: str = found["title"]
        self.parameters: dict[str, float] = dict(found["parameters"])
        self.end: float | None = found["end"]
        self._start_time: float = found["start"][0]
        self._layout = Layout(
            found["coordinates"], found["constraints"], found["observables"], found["mechanical"]
        )

    @classmethod
    def text(cls, text: str, name: str = "model") -> Model:
        """A model of a string.

        >>> import taut
        >>> taut.Model.text('[variables]\\nx = { start = 1.0, rate = "-x" }').solve(1.0).x[-1].round(5)
        array([0.36788])
        """
        model = Model.__new__(Model)
        model._setup(name, f"{name}.toml", text)
        return model

    @classmethod
    def builtin(cls, name: str) -> Model:
        """A built-in model; `taut.models()` lists them.

        >>> import taut
        >>> taut.Model.builtin("squeezer").coordinates[:3]
        ['beta', 'theta', 'gamma']
        """
        for known, _, text in _taut.builtin_models():
            if known == name:
                return cls.text(text, name)
        known_names = ", ".join(known for known, _, _ in _taut.builtin_models())
        raise ModelError(f"there is no built-in model '{name}'; there are {known_names}")

    @classmethod
    def urdf(cls, path: str | os.PathLike[str], *, ignore: Iterable[str] = (), strict: bool = False) -> Model:
        """A robot of a URDF file; `model.source` is the model file that it becomes.

        `ignore` names what is left out on purpose: "actuators", "limits", "friction", "contacts". What else the file
        has and Taut has not is listed in `model.left_out`, with a warning; `strict=True` refuses it instead.

        >>> import pathlib, tempfile, taut
        >>> file = pathlib.Path(tempfile.mkdtemp(), "arm.urdf")
        >>> _ = file.write_text('''<robot name="arm">
        ...   <link name="base"/>
        ...   <link name="upper"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
        ...     <inertia ixx="0.1" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial></link>
        ...   <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
        ... </robot>''')
        >>> arm = taut.Model.urdf(file)
        >>> motion = arm.solve(1.0, start={"shoulder": 0.3, "shoulder'": 1.0})
        >>> arm.left_out, round(motion.summary["joints"]["shoulder"]["coordinate"], 3)
        ([], 2.756)
        """
        model = Model.__new__(Model)
        model._robot(Path(path), ignore, strict)
        return model

    @classmethod
    def mjcf(cls, path: str | os.PathLike[str], *, ignore: Iterable[str] = (), strict: bool = False) -> Model:
        """A robot of an MJCF file of MuJoCo; `ignore`, `strict` and `model.left_out` are as for `urdf`.

        >>> import pathlib, tempfile, taut
        >>> file = pathlib.Path(tempfile.mkdtemp(), "swing.xml")
        >>> _ = file.write_text('''<mujoco model="swing"><worldbody><body name="rod" pos="0 0 2">
        ...   <joint name="pin" type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/>
        ... </body></worldbody></mujoco>''')
        >>> swing = taut.Model.mjcf(file, ignore=["contacts"])
        >>> bool(abs(swing.solve(1.0)["rod.z"] - 2).max() > 0.1)
        True
        """
        model = Model.__new__(Model)
        model._robot(Path(path), ignore, strict)
        return model

    @property
    def source(self) -> str:
        """The text of the model."""
        return self._compiled.text

    @property
    def coordinates(self) -> list[str]:
        """The names of the coordinates, or of the variables of a first-order model."""
        return list(self._layout.names)

    @property
    def constraints(self) -> list[str]:
        """The names of the constraints and springs."""
        return list(self._layout.constraints)

    @property
    def observables(self) -> list[str]:
        """The names of the extra columns."""
        return list(self._layout.observables)

    def check(
        self, parameters: Mapping[str, float] | None = None, start: Mapping[str, float] | None = None
    ) -> dict[str, Any]:
        """What `taut check` finds: constraints, degrees of freedom, a consistent start, what is conserved.

        >>> import taut
        >>> taut.Model.builtin("pendulum").check()["degrees_of_freedom"]
        1
        """
        found: dict[str, Any] = json.loads(self._compiled.check(_overrides(parameters, start))[1])
        return found

    def solve(
        self,
        until: float | None = None,
        *,
        rtol: float | None = None,
        atol: float | None = None,
        method: str | None = None,
        t_eval: ArrayLike | None = None,
        parameters: Mapping[str, float] | None = None,
        start: Mapping[str, float] | None = None,
        events: Any = None,
        dense: bool = False,
        second_run: bool = False,
        progress: bool = False,
        **options: Any,
    ) -> Motion:
        """Integrates the model until a time, or until the end that the model says.

        `parameters` and `start` replace values of the model (`start={"x": 1.0, "x'": 0.0}`). States are those at every
        step, or at the times `t_eval`. `events` are functions of (t, q, v) or names of columns whose zeros are looked
        for, in a list or by name; as in SciPy, `event.terminal` ends the run and `event.direction` chooses crossings.
        With `second_run` the model is run again with a tenth of the tolerance: `motion.summary["second_run"]` says by how
        many tolerances the end is off, and in which variable; beyond 100 there is a warning.
        Further options are those of the command: `stages`, `step`, `controller`, `formulation`, `project`,
        `smooth_start`, `vibrations`, `max_steps`, `approach`.

        >>> import taut
        >>> model = taut.Model.builtin("pendulum")
        >>> motion = model.solve(5.0, events={"bottom": "x"})
        >>> len(motion.events["bottom"]["t"])
        4
        """
        overrides = _overrides(parameters, start)
        end = self.end if until is None else float(until)
        times = output_times(t_eval, self._start_time, end) if end is not None else None
        bar = Progress(self._start_time, end or 0.0, progress)
        columns = ["t", *self._layout.columns, *self._layout.observables]
        wanted = {
            "until": end,
            "times": times,
            "inside": dense,
            "options": option_text(rtol=rtol, atol=atol, method=method, **options),
            "set": overrides,
            "events": events_of_model(events, columns, self._layout.n),
            "progress": bar if bar.visible else None,
            "second_run": second_run,
        }
        try:
            record = self._compiled.solve(wanted)
        finally:
            bar.finish()
        once_more = {"times": no_times(), "inside": True, "events": [], "progress": None, "second_run": False}
        again = Again(self, {**wanted, **once_more})
        motion = Motion(record, self._layout, self, overrides, again)
        if record["error"] is not None:
            message, t = record["error"]
            raise IntegrationError(message, motion, t)
        return motion

    def sweep(
        self,
        vary: Mapping[str, Sequence[float]] | Iterable[Mapping[str, float]] | Any,
        until: float | None = None,
        *,
        threads: int | None = None,
        client: Any = None,
        out: str | os.PathLike[str] | None = None,
        progress: bool = False,
        **options: Any,
    ) -> Any:
        """Many runs: one row of a pandas frame for each.

        `vary` is a list of values for each name (all combinations are run), or a table with one row for each run (a
        pandas frame, a list of dictionaries). Names are parameters, start values `x` and start velocities `x'`. A run
        that fails is a row, with `status` and `reason`. Rows are those of `taut sweep`, to the last bit. `client` is a
        dask.distributed Client, which gets the runs in chunks; with `out`, a folder that all workers see, they write a
        Parquet dataset there, and a Dask frame of it is returned.

        >>> import taut
        >>> table = taut.Model.builtin("pendulum").sweep({"g": [1.62, 9.81], "x'": [0.0, 0.1]}, 1.0)
        >>> len(table), list(table["status"].unique())
        (4, ['done'])
        """
        from ._sweep import sweep

        return sweep(self, vary, until, threads, client, out, progress, options)

    def __repr__(self) -> str:
        kind = "coordinates" if self._layout.mechanical else "variables"
        held = f", {len(self.constraints)} constraints" if self.constraints else ""
        return f"<Model {self.name}: {len(self.coordinates)} {kind}{held}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._compiled.check([])[0])}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (type(self), self.name, self._file, self.source), {"left_out": self.left_out})


class Again:
    """Makes a run of a model once more."""

    def __init__(self, model: Model, wanted: dict[str, Any]) -> None:
        self._model = model
        self._wanted = wanted

    def __call__(self) -> dict[str, Any]:
        return self._model._compiled.solve(self._wanted)

    def report(self) -> str:
        """The page of the run."""
        return self._model._compiled.report(self._wanted)


def _restore(kind: type[Model], name: str, file: str, text: str) -> Model:
    model = kind.__new__(kind)
    model._setup(name, file, text)
    return model


def _overrides(parameters: Mapping[str, float] | None, start: Mapping[str, float] | None) -> Overrides:
    return [(str(name), float(value)) for given in (parameters, start) for name, value in (given or {}).items()]
