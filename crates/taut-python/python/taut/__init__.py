"""Motion of mechanical systems that are held together by rods and by very stiff springs.

>>> import taut
>>> motion = taut.Model.builtin("pendulum").solve(10.0, rtol=1e-8)
>>> motion.q.shape[1]
2
>>> bool(abs(motion.q ** 2 @ [1, 1] - 1).max() < 1e-14)
True
"""

# numpy comes first: what is written in Rust expects it to be there.
import numpy as _numpy  # noqa: F401

from ._errors import IntegrationError, ModelError
from ._first_order import FirstOrder
from ._ivp import solve_ivp
from ._lists import methods, models, tableau, verify
from ._mechanical import Mechanical
from ._model import Model
from ._motion import Motion, Sample
from ._taut import __version__
from ._world import World

__all__ = [
    "FirstOrder",
    "IntegrationError",
    "Mechanical",
    "Model",
    "ModelError",
    "Motion",
    "Sample",
    "World",
    "__version__",
    "methods",
    "models",
    "solve_ivp",
    "tableau",
    "verify",
]
