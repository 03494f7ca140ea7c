"""The same mechanisms for three programs: a chain of rods with ball joints in space, and a closed four-bar in the plane."""

import numpy as np

GRAVITY = 9.81


class Chain:
    """Rods of 0.1 m that lie along x, hang on the ground with their first end and turn about the vertical as one piece."""

    length, mass, axial, until, turn = 0.1, 0.1, 5e-6, 1.0, 1.0
    across = mass * length**2 / 12

    def __init__(self, count):
        self.count = count
        self.name = f"chain of {count} rods"

    def centres(self):
        return [((k + 0.5) * self.length, 0.0, 0.0) for k in range(self.count)]

    def taut(self):
        lines = [f"gravity = [0, 0, -{GRAVITY}]", "[bodies]"]
        for k, (x, _, _) in enumerate(self.centres()):
            inertia = f"[{self.axial}, {self.across}, {self.across}]"
            motion = f"velocity = [0, {self.turn * x}, 0], spin = [0, 0, {self.turn}]"
            lines.append(f"rod{k} = {{ mass = {self.mass}, inertia = {inertia}, position = [{x}, 0, 0], {motion} }}")
        lines.append("[joints]")
        for k in range(self.count):
            first = f"rod{k - 1}" if k else "ground"
            between = f'between = ["{first}", "rod{k}"]'
            lines.append(f'ball{k} = {{ kind = "spherical", {between}, at = [{k * self.length}, 0, 0] }}')
        return "\n".join(lines) + "\n"

    def taut_positions(self, motion):
        return np.array([[motion[f"rod{k}.{axis}"][-1] for axis in "xyz"] for k in range(self.count)])

    def mujoco(self, step):
        inertial = f'<inertial pos="{self.length / 2} 0 0" mass="{self.mass}" diaginertia="{self.axial} {self.across} {self.across}"/>'
        text = ""
        for k in reversed(range(self.count)):
            at = self.length if k else 0
            text = f'<body name="rod{k}" pos="{at} 0 0"><joint type="ball"/>{inertial}{text}</body>'
        option = f'<option timestep="{step!r}" integrator="RK4" gravity="0 0 -{GRAVITY}"/>'
        return f"<mujoco>{option}<worldbody>{text}</worldbody></mujoco>"

    def mujoco_start(self, data):
        data.qvel[2] = self.turn

    def mujoco_positions(self, data):
        return np.array(data.xipos[1:])

    def mujoco_gap(self, mujoco, model, data):
        return None, None

    def exudyn(self, exu, mbs):
        from exudyn.utilities import RigidBodyInertia

        inertia = RigidBodyInertia(mass=self.mass, inertiaTensor=np.diag([self.axial, self.across, self.across]))
        last, bodies = mbs.CreateGround(), []
        for k, (x, _, _) in enumerate(self.centres()):
            body = mbs.CreateRigidBody(
                referencePosition=[x, 0, 0], inertia=inertia, gravity=[0, 0, -GRAVITY],
                initialVelocity=[0, self.turn * x, 0], initialAngularVelocity=[0, 0, self.turn],
            )
            mbs.CreateSphericalJoint(bodyNumbers=[last, body], position=[k * self.length, 0, 0], show=False)
            bodies.append(body)
            last = body
        return bodies

    def exudyn_ends(self, bodies):
        """Pairs of points that should coincide; None is the ground."""
        half = self.length / 2
        pairs = [((None, [0, 0, 0]), (bodies[0], [-half, 0, 0]))]
        return pairs + [((a, [half, 0, 0]), (b, [-half, 0, 0])) for a, b in zip(bodies, bodies[1:])]


class FourBar:
    """A crank that turns all around, a coupler and a rocker, uniform bars of 1 kg for each metre."""

    name, until = "closed four-bar", 2.0

    def __init__(self, spin=6.0):
        a, d = np.array([0.0, 0.0]), np.array([2.0, 0.0])
        b = np.array([0.5, 0.0])
        c = np.array([0.5 + 4 / 3, np.sqrt(4 - 16 / 9)])
        quarter = lambda r: np.array([-r[1], r[0]])
        at_b = spin * quarter(b - a)
        # at_b + wc quarter(c - b) = wr quarter(c - d)
        wc, wr = np.linalg.solve(np.column_stack([quarter(c - b), -quarter(c - d)]), -at_b)
        self.bars = []
        for name, (p, q), w, at_p in [
            ("crank", (a, b), spin, np.zeros(2)), ("coupler", (b, c), wc, at_b), ("rocker", (d, c), wr, np.zeros(2)),
        ]:
            length = float(np.linalg.norm(q - p))
            velocity = at_p + w * quarter(q - p) / 2
            angle = float(np.arctan2(*(q - p)[::-1]))
            self.bars.append((name, p, q, length, angle, float(w), velocity))

    def taut(self):
        lines = ['plane = "xy"', f"gravity = [0, -{GRAVITY}]", "[bodies]"]
        for name, p, q, length, angle, w, v in self.bars:
            x = (p + q) / 2
            lines.append(
                f"{name} = {{ mass = {length!r}, inertia = {length**3 / 12!r}, position = [{float(x[0])!r}, {float(x[1])!r}], rotation = {angle!r}, "
                f"velocity = [{float(v[0])!r}, {float(v[1])!r}], spin = {w!r}, points = {{ from = [{-length / 2!r}, 0], to = [{length / 2!r}, 0] }} }}"
            )
        lines.append("[joints]")
        lines.append('a = { kind = "revolute", between = ["ground", "crank"], points = [[0, 0], "from"] }')
        lines.append('b = { kind = "revolute", between = ["crank", "coupler"], points = ["to", "from"] }')
        lines.append('c = { kind = "revolute", between = ["coupler", "rocker"], points = ["to", "to"] }')
        lines.append('d = { kind = "revolute", between = ["ground", "rocker"], points = [[2, 0], "from"] }')
        return "\n".join(lines) + "\n"

    def taut_positions(self, motion):
        return np.array([[motion[f"{bar[0]}.{axis}"][-1] for axis in "xy"] for bar in self.bars])

    def mujoco(self, step):
        def body(name, at, angle, length, inner=""):
            half = length / 2
            inertia = f"{length * 1e-4} {length**3 / 12} {length**3 / 12}"
            return (
                f'<body name="{name}" pos="{float(at[0])!r} {float(at[1])!r} 0" euler="0 0 {angle!r}"><joint name="{name}" axis="0 0 1"/>'
                f'<inertial pos="{half!r} 0 0" mass="{length!r}" diaginertia="{inertia}"/>{inner}</body>'
            )

        crank, coupler, rocker = self.bars
        inner = body("coupler", [crank[3], 0.0], coupler[4] - crank[4], coupler[3])
        bodies = body("crank", crank[1], crank[4], crank[3], inner) + body("rocker", rocker[1], rocker[4], rocker[3])
        close = (
            f'<equality><connect body1="coupler" body2="rocker" anchor="{coupler[3]!r} 0 0" solref="{2 * step!r} 1" '
            f'solimp="0.9999 0.9999 0.001 0.5 2"/></equality>'
        )
        option = f'<option timestep="{step!r}" integrator="RK4" gravity="0 -{GRAVITY} 0" tolerance="1e-12" iterations="100"/>'
        return f'<mujoco><compiler angle="radian"/>{option}<worldbody>{bodies}</worldbody>{close}</mujoco>'

    def mujoco_start(self, data):
        data.qvel[:] = [self.bars[0][5], self.bars[1][5] - self.bars[0][5], self.bars[2][5]]

    def mujoco_positions(self, data):
        return np.array(data.xipos[1:])[:, :2]

    def mujoco_gap(self, mujoco, model, data):
        mujoco.mj_forward(model, data)
        return float(np.max(np.abs(data.efc_pos))), float(np.max(np.abs(data.efc_vel)))

    def exudyn(self, exu, mbs):
        from exudyn.itemInterface import MarkerBodyPosition, ObjectJointRevolute2D
        from exudyn.utilities import RigidBodyInertia

        ground, bodies = mbs.CreateGround(), {}
        for name, p, q, length, angle, w, v in self.bars:
            c, s = np.cos(angle), np.sin(angle)
            bodies[name] = mbs.CreateRigidBody(
                referencePosition=[*((p + q) / 2), 0], referenceRotationMatrix=np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
                inertia=RigidBodyInertia(mass=length, inertiaTensor=np.diag([1e-4, length**3 / 12, length**3 / 12])),
                gravity=[0, -GRAVITY, 0], initialVelocity=[*v, 0], initialAngularVelocity=[0, 0, w], create2D=True,
            )
        self.pairs = []
        for one, two in self.pins():
            markers = []
            for name, place in (one, two):
                body = ground if name is None else bodies[name]
                markers.append(mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=place)))
            mbs.AddObject(ObjectJointRevolute2D(markerNumbers=markers))
            self.pairs.append(tuple((None if name is None else bodies[name], place) for name, place in (one, two)))
        return list(bodies.values())

    def pins(self):
        half = {bar[0]: bar[3] / 2 for bar in self.bars}
        end = lambda name, side: (name, [side * half[name], 0, 0])
        return [
            ((None, [0, 0, 0]), end("crank", -1)), (end("crank", 1), end("coupler", -1)),
            (end("coupler", 1), end("rocker", 1)), ((None, [2, 0, 0]), end("rocker", -1)),
        ]

    def exudyn_ends(self, bodies):
        return self.pairs
