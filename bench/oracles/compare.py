"""Accelerations and reaction forces of robots at random states: Taut beside MuJoCo and pinocchio.

Trees, and loops closed by a connection (loops.py); contacts, limits, dry friction and actuators off. The relative difference of a vector is that of its largest entry.
"""

import glob
import json
import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
STATES = int(os.environ.get("STATES", "100"))


def identifier(name):
    plain = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    return plain if plain[:1].isalpha() or plain[:1] == "_" else "_" + plain


def ours(path, lines):
    """What Taut says, one dictionary per state."""
    text = "\n".join(lines) + "\n"
    done = subprocess.run([sys.argv[1], path], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    found = []
    for line in done.stdout.splitlines():
        words = dict(word.split("=", 1) for word in line.split())
        found.append(words)
    return found, [line for line in done.stderr.splitlines() if line.startswith("left out")]


def vector(text):
    return np.array([float(x) for x in text.split(",")])


def relative(found, expected):
    # where nothing accelerates, differences are measured against 1
    scale = np.max(np.abs(expected)) if len(expected) else 0.0
    return float(np.max(np.abs(found - expected)) / max(scale, 1.0)) if len(expected) else 0.0


def ball_state(mujoco, model, data, name, joint, turned):
    """A ball joint as Taut counts it: the turn in the axes of the first body, the spin of the second in the first in the world."""
    body = model.jnt_bodyid[joint]
    given, spin = np.zeros(9), data.qvel[model.jnt_dofadr[joint] :][:3]
    mujoco.mju_quat2Mat(given, model.body_quat[body])
    words = {"start": given.reshape(3, 3) @ turned, "rate": data.xmat[body].reshape(3, 3) @ spin}
    return [f"{name}.{word}=" + ",".join(repr(float(x)) for x in numbers) for word, numbers in words.items()]


def angular_acceleration(mujoco, model, data, body):
    """Of a body, in the world."""
    six = np.zeros(6)
    mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, six, 0)
    return six[:3].copy()


def mujoco_robot(path):
    import mujoco

    spec = mujoco.MjSpec.from_file(path)
    model = spec.compile()
    flags = mujoco.mjtDisableBit
    model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS
    model.opt.disableflags |= flags.mjDSBL_ACTUATION | flags.mjDSBL_EQUALITY
    model.opt.density = model.opt.viscosity = 0.0
    if model.neq or np.any(model.tendon_stiffness) or np.any(model.tendon_damping) or np.any(model.tendon_armature):
        raise RuntimeError("equalities, or tendons with forces")
    kinds = mujoco.mjtJoint
    if model.njnt == 0:
        raise RuntimeError("no joints")
    data = mujoco.MjData(model)
    random = np.random.default_rng(1)
    lines, expected = [], []
    for _ in range(STATES):
        words = []
        for j in range(model.njnt):
            name = identifier(model.joint(j).name or "")
            q, v = model.jnt_qposadr[j], model.jnt_dofadr[j]
            body = identifier(model.body(model.jnt_bodyid[j]).name)
            if model.jnt_type[j] == kinds.mjJNT_FREE:
                quaternion = random.normal(size=4)
                data.qpos[q : q + 3] = random.normal(size=3)
                data.qpos[q + 3 : q + 7] = quaternion / np.linalg.norm(quaternion)
                data.qvel[v : v + 6] = random.normal(size=6)
                words.append((body, q, v))
            elif model.jnt_type[j] == kinds.mjJNT_BALL:
                vector_of_turn = random.uniform(-1, 1, size=3)
                mujoco.mju_axisAngle2Quat(data.qpos[q : q + 4], vector_of_turn / np.linalg.norm(vector_of_turn), np.linalg.norm(vector_of_turn))
                data.qvel[v : v + 3] = random.normal(size=3)
                words.append((name or identifier(f"{model.body(model.jnt_bodyid[j]).name}_joint0"), j, vector_of_turn))
            else:
                if not name:
                    raise RuntimeError("joints without names")
                data.qpos[q] = model.qpos0[q] + random.uniform(-1, 1)
                data.qvel[v] = random.normal()
                words.append(f"{name}={data.qpos[q]!r}".replace("np.float64(", "").replace(")", ""))
                words.append(f"{name}'={data.qvel[v]!r}".replace("np.float64(", "").replace(")", ""))
        mujoco.mj_forward(model, data)
        mujoco.mj_rnePostConstraint(model, data)
        text = []
        for word in words:
            if isinstance(word, str):
                text.append(word)
                continue
            if isinstance(word[2], np.ndarray):
                text += ball_state(mujoco, model, data, *word)
                continue
            body, q, v = word
            quaternion = data.qpos[q + 3 : q + 7]
            flat = np.zeros(9)
            mujoco.mju_quat2Mat(flat, quaternion)
            matrix = flat.reshape(3, 3)
            spin = matrix @ data.qvel[v + 3 : v + 6]
            pose = ",".join(repr(float(x)) for x in data.qpos[q : q + 7])
            twist = ",".join(repr(float(x)) for x in np.concatenate([data.qvel[v : v + 3], spin]))
            text += [f"{body}.pose={pose}", f"{body}.twist={twist}"]
        lines.append(" ".join(text))
        state = {"coordinates": {}, "spins": {}, "free": {}, "reactions": {}}
        for j in range(model.njnt):
            v = model.jnt_dofadr[j]
            body = model.jnt_bodyid[j]
            if model.jnt_type[j] == kinds.mjJNT_FREE:
                flat = np.zeros(9)
                mujoco.mju_quat2Mat(flat, data.qpos[model.jnt_qposadr[j] + 3 : model.jnt_qposadr[j] + 7])
                angular = flat.reshape(3, 3) @ data.qacc[v + 3 : v + 6]
                state["free"][identifier(model.body(body).name)] = np.concatenate([data.qacc[v : v + 3], angular])
            elif model.jnt_type[j] == kinds.mjJNT_BALL:
                if model.dof_armature[v] > 0:
                    # Taut's torque of a ball joint is that of spring and damper alone
                    state["left_torques"] = True
                state["spins"][identifier(model.body(body).name)] = angular_acceleration(mujoco, model, data, body)
            else:
                state["coordinates"][identifier(model.joint(j).name)] = data.qacc[v]
            if model.jnt_type[j] != kinds.mjJNT_FREE:
                torque, force = data.cfrc_int[body][:3], data.cfrc_int[body][3:]
                centre = data.subtree_com[model.body_rootid[body]]
                state["reactions"][identifier(model.body(body).name)] = (force.copy(), torque.copy(), centre.copy())
        expected.append(state)
    return lines, expected


def pinocchio_robot(path):
    import pinocchio

    if "<mimic" in open(path, encoding="utf-8", errors="replace").read():
        raise RuntimeError("mimics")
    model = pinocchio.buildModelFromUrdf(path)
    if model.njoints < 2:
        raise RuntimeError("no joints")
    data = model.createData()
    random = np.random.default_rng(1)
    lines, expected = [], []
    for _ in range(STATES):
        q, v = pinocchio.neutral(model), np.zeros(model.nv)
        words = []
        for j in range(1, model.njoints):
            joint = model.joints[j]
            name = identifier(model.names[j])
            angle = random.uniform(-1, 1)
            v[joint.idx_v] = random.normal()
            if joint.nq == 2:
                q[joint.idx_q : joint.idx_q + 2] = [np.cos(angle), np.sin(angle)]
            elif joint.nq == 1:
                q[joint.idx_q] = angle
            else:
                raise RuntimeError("joints of several freedoms")
            words += [f"{name}={float(angle)!r}", f"{name}'={float(v[joint.idx_v])!r}"]
        damping = np.asarray(model.damping)
        acceleration = pinocchio.aba(model, data, q, v, -damping * v)
        pinocchio.rnea(model, data, q, v, acceleration)
        pinocchio.forwardKinematics(model, data, q)
        state = {"coordinates": {}, "free": {}, "reactions": {}}
        for j in range(1, model.njoints):
            state["coordinates"][identifier(model.names[j])] = acceleration[model.joints[j].idx_v]
            wrench = data.oMi[j].act(data.f[j])
            state["reactions"]["joint " + identifier(model.names[j])] = (wrench.linear, wrench.angular, np.zeros(3))
        lines.append(" ".join(words))
        expected.append(state)
    return lines, expected


def compare(path, reader):
    lines, expected = reader(path)
    found, left_out = ours(path, lines)
    worst = {"accelerations": 0.0, "forces": 0.0, "torques": 0.0}
    for state, known in zip(found, expected):
        names = list(known["coordinates"])
        a = np.array([float(state[name]) for name in names] if names else [])
        b = np.array([known["coordinates"][name] for name in names])
        for body, acceleration in known.get("spins", {}).items():
            a = np.concatenate([a, vector(state[f"{body}.acceleration"])[3:]])
            b = np.concatenate([b, acceleration])
        for body, acceleration in known["free"].items():
            a = np.concatenate([a, vector(state[f"{body}.acceleration"])])
            b = np.concatenate([b, acceleration])
        worst["accelerations"] = max(worst["accelerations"], relative(a, b))
        forces, torques = [[], []], [[], []]
        for word in [word for word in state if word.endswith(".child")]:
            joint = word[: -len(".child")]
            key = next((key for key in (state[word], "joint " + joint) if key in known["reactions"]), None)
            if key is None:
                continue
            force, torque, centre = known["reactions"][key]
            at = vector(state[f"{joint}.at"])
            forces[0].append(vector(state[f"{joint}.force"]))
            forces[1].append(force)
            torques[0].append(vector(state[f"{joint}.torque"]))
            torques[1].append(torque + np.cross(centre - at, force))
        if forces[0]:
            worst["forces"] = max(worst["forces"], relative(np.concatenate(forces[0]), np.concatenate(forces[1])))
            worst["torques"] = max(worst["torques"], relative(np.concatenate(torques[0]), np.concatenate(torques[1])))
    if any("left_torques" in known for known in expected):
        worst["torques"] = None
    return worst, left_out


def candidates():
    """Path, name, oracle and comparison of every robot."""
    import dm_control

    root = os.path.dirname(dm_control.__file__)
    suite = sorted(glob.glob(root + "/suite/*.xml"))
    others = [p for p in sorted(glob.glob(root + "/**/*.xml", recursive=True)) if "/suite/" not in p]
    for path in suite + others:
        yield path, os.path.relpath(path, root), "MuJoCo", lambda p: compare(p, mujoco_robot)
    for folder in sys.argv[2:]:
        for path in sorted(glob.glob(folder + "/**/*.urdf", recursive=True)):
            yield path, "/".join(path.split("/")[-2:]), "pinocchio", lambda p: compare(p, pinocchio_robot)
    for path in sorted(glob.glob(HERE + "/balls/*.xml")):
        yield path, "balls/" + os.path.basename(path), "MuJoCo", lambda p: compare(p, mujoco_robot)
    from loops import compare_loop

    special = {"four-bar.xml": {"redundant": True}, "leg.xml": {"stiffness": {"pitch": 4.0}}}
    for path in sorted(glob.glob(HERE + "/loops/*.xml")):
        name = os.path.basename(path)
        yield path, "loops/" + name, "pinocchio", lambda p, more=special.get(name, {}): compare_loop(p, **more)


def main():
    rows = []
    for path, name, oracle, comparison in candidates():
        try:
            worst, left_out = comparison(path)
        except Exception as error:  # a file that one of the two does not take
            print(f"{name:50} {oracle:10} skipped: {str(error)[:90]}", flush=True)
            continue
        rows.append({"robot": name, "oracle": oracle, **worst})
        shown = " ".join("      -" if x is None else f"{x:.1e}" for x in worst.values())
        print(f"{name:50} {oracle:10} {shown}", flush=True)
    with open(os.path.join(HERE, "measured.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
