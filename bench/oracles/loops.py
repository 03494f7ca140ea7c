"""Closed loops: Taut closes them from random angles; pinocchio computes accelerations and the force of the connection there.

Proximal iterations of pinocchio are driven to rounding, so that redundant rows do not matter.
"""

import xml.etree.ElementTree

import numpy as np

from compare import STATES, identifier, ours, relative, vector


def connection(pinocchio, model, path):
    """The constraint of the connection in a file: its anchor is in the first body, and where that is at the start in the second."""
    element = xml.etree.ElementTree.parse(path).find("equality/connect")
    frames = [model.frames[model.getFrameId(body)] if body else None for body in map(element.get, ("body1", "body2"))]
    anchor = pinocchio.SE3(np.eye(3), np.array(element.get("anchor").split(), dtype=float))
    data = model.createData()
    pinocchio.forwardKinematics(model, data, pinocchio.neutral(model))
    first = frames[0].placement * anchor
    place = pinocchio.SE3(np.eye(3), (data.oMi[frames[0].parentJoint] * first).translation)
    joint = frames[1].parentJoint if frames[1] else 0
    # both frames parallel to the world where the file has the robot
    first = data.oMi[frames[0].parentJoint].actInv(place)
    second = data.oMi[joint].actInv(place)
    kind, axes = pinocchio.ContactType.CONTACT_3D, pinocchio.ReferenceFrame.LOCAL
    return pinocchio.RigidConstraintModel(kind, model, frames[0].parentJoint, first, joint, second, axes), first


def constrained(path):
    """The model, and a function from a state and forces to accelerations and the force of the connection, in the world."""
    import pinocchio

    model = pinocchio.buildModelFromMJCF(path)
    gravity = xml.etree.ElementTree.parse(path).find("option").get("gravity")
    model.gravity.linear = np.array(gravity.split(), dtype=float)
    constraint, first = connection(pinocchio, model, path)
    constraints, datas = pinocchio.StdVec_RigidConstraintModel(), pinocchio.StdVec_RigidConstraintData()
    constraints.append(constraint)
    datas.append(constraint.createData())
    data = model.createData()
    pinocchio.initConstraintDynamics(model, data, constraints, datas)
    settings = pinocchio.ProximalSettings(1e-15, 1e-15, 1e-8, 200)

    def dynamics(q, v, push):
        found = pinocchio.constraintDynamics(model, data, q, v, push, constraints, datas, settings).copy()
        rotation = (data.oMi[constraint.joint1_id] * first).rotation
        return found, rotation @ np.asarray(datas[0].contact_force.linear)

    return model, dynamics


def compare_loop(path, stiffness=None, redundant=False):
    """The largest relative differences of accelerations and of the force that closes the loop."""
    model, dynamics = constrained(path)
    random = np.random.default_rng(1)
    names = [model.names[j] for j in range(1, model.njoints)]
    lines = [
        " ".join(f"{identifier(n)}={random.uniform(-0.1, 0.1)!r} {identifier(n)}'={random.normal()!r}" for n in names)
        for _ in range(STATES)
    ]
    found, left_out = ours(path, lines)
    worst = {"accelerations": 0.0, "forces": 0.0, "torques": None}
    for state in found:
        q, v = np.zeros(model.nq), np.zeros(model.nv)
        for j, name in enumerate(names, start=1):
            at, rate = (float(state[identifier(name) + suffix]) for suffix in (".position", ".rate"))
            q[model.joints[j].idx_q], v[model.joints[j].idx_v] = at, rate
        push = -np.asarray(model.damping) * v
        for name, k in (stiffness or {}).items():
            joint = model.joints[model.getJointId(name)]
            push[joint.idx_v] -= k * q[joint.idx_q]
        acceleration, force = dynamics(q, v, push)
        mine = np.array([float(state[identifier(name)]) for name in names])
        worst["accelerations"] = max(worst["accelerations"], relative(mine, acceleration))
        if not redundant:
            taut = vector(state["close.force"])
            # of whom on whom is a convention
            worst["forces"] = max(worst["forces"], min(relative(taut, force), relative(-taut, force)))
    if redundant:
        worst["forces"] = None
    return worst, left_out
