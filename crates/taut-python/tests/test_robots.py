"""Robots from URDF and MJCF files."""

import pickle
import warnings

import numpy as np
import pytest

import taut

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
    <inertia ixx="0.01" iyy="0.1666667" izz="0.1666667" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-0.5" upper="0.5" effort="1" velocity="1"/></joint>
</robot>"""
SWING = """<mujoco model="swing"><worldbody>
  <body name="rod" pos="0 0 2">
    <joint name="pin" type="hinge" axis="0 1 0"/><geom name="stick" type="capsule" fromto="0 0 0 1 0 0" size="0.05"/>
    <site name="here"/>
  </body></worldbody>
  <tendon><spatial name="rope"><site site="here"/></spatial></tendon>
</mujoco>"""


@pytest.fixture
def arm(tmp_path):
    file = tmp_path / "arm.urdf"
    file.write_text(ARM)
    return file


@pytest.fixture
def swing(tmp_path):
    file = tmp_path / "swing.xml"
    file.write_text(SWING)
    return file


def test_a_urdf_is_a_model(arm):
    model = taut.Model.urdf(arm, ignore=["limits"])
    assert model.name == "arm" and model.left_out == []
    motion = model.solve(1.0, rtol=1e-9, start={"shoulder": 0.3, "shoulder'": 1.0})
    # (J + m l^2) a'' = m g l cos(a), a downwards
    inertia = 0.1666667 + 2 * 0.25
    expected = taut.Mechanical(
        "a", kinetic=f"{inertia}/2*a'^2", potential="-2*9.81*0.5*sin(a)", start={"a": 0.3, "a'": 1.0}
    ).solve(1.0, rtol=1e-10)
    np.testing.assert_allclose(motion["upper.z"][-1], -0.5 * np.sin(expected["a"][-1]), atol=1e-7)
    assert 'id="motion"' in motion.report()


def test_what_is_left_out_is_said_or_refused(swing):
    with pytest.warns(UserWarning, match="rope") as said:
        model = taut.Model.mjcf(swing, ignore="contacts")
    assert said[0].filename == __file__
    assert len(model.left_out) == 1 and "rope" in model.left_out[0]
    assert pickle.loads(pickle.dumps(model)).left_out == model.left_out
    with pytest.raises(taut.ModelError, match="rope"):
        taut.Model.mjcf(swing, ignore=["contacts"], strict=True)
    with pytest.raises(ValueError, match="'tendons' can be ignored; there are actuators"):
        taut.Model.mjcf(swing, ignore=["tendons"])


def test_paths_of_robots_are_paths_of_models(arm):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = taut.Model(arm)
    assert model.source == taut.Model.text(model.source).source
    assert model.coordinates[:3] == ["upper.x", "upper.y", "upper.z"]


def test_wrong_files_are_said(tmp_path, arm):
    with pytest.raises(taut.ModelError, match="nowhere.urdf"):
        taut.Model.urdf(tmp_path / "nowhere.urdf")
    arm.write_text(ARM.replace("</robot>", ""))
    with pytest.raises(taut.ModelError, match="arm.urdf"):
        taut.Model.urdf(arm)
    arm.write_text("<sdf/>")
    with pytest.raises(taut.ModelError, match="neither <robot>"):
        taut.Model.urdf(arm)
