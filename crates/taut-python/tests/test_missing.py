"""Packages that are not there are asked for by name."""

import sys

import pytest


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("pandas", lambda model: model.solve(1.0).to_pandas()),
        ("xarray", lambda model: model.solve(1.0).to_xarray()),
        ("matplotlib.pyplot", lambda model: model.solve(1.0).plot()),
        ("pandas", lambda model: model.sweep({"g": [1.0]}, 1.0)),
    ],
)
def test_what_is_missing_is_said(pendulum, monkeypatch, package, call):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"pip install {package.split('.')[0]}"):
        call(pendulum)
