"""What tests share."""

import sys
from pathlib import Path

import matplotlib
import pytest

matplotlib.use("Agg")
sys.path.insert(0, str(Path(__file__).parent))

PENDULUM = """
name = "Pendulum"
[parameters]
g = 9.81
[coordinates]
x = { start = 1.0 }
y = { start = 0.0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "g*y"
[constraints]
rod = "hypot(x, y) - 1"
[observe]
angle = "atan2(x, -y)"
[time]
end = 10.0
"""


@pytest.fixture
def pendulum():
    import taut

    return taut.Model.text(PENDULUM, "pendulum")
