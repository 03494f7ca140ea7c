"""The mechanisms of problems.py in Simbody, through OpenSim."""

import time

import numpy as np

from problems import GRAVITY


def chain(osim, problem):
    """Joints turn about y, then about the rod, then about z: no two of these axes come together while the chain swings."""
    model, half = osim.Model(), problem.length / 2
    model.setGravity(osim.Vec3(0, 0, -GRAVITY))
    turned = osim.Vec3(0, 0, np.pi / 2)
    last, at, bodies, joints = model.getGround(), osim.Vec3(0), [], []
    for k in range(problem.count):
        inertia = osim.Inertia(problem.axial, problem.across, problem.across)
        body = osim.Body(f"rod{k}", problem.mass, osim.Vec3(0), inertia)
        joint = osim.BallJoint(f"ball{k}", last, at, turned, body, osim.Vec3(-half, 0, 0), turned)
        model.addBody(body)
        model.addJoint(joint)
        bodies.append(body)
        joints.append(joint)
        last, at = body, osim.Vec3(half, 0, 0)
    state = model.initSystem()
    joints[0].get_coordinates(2).setSpeedValue(state, problem.turn)
    return model, state, bodies, None


def four_bar(osim, problem):
    model = osim.Model()
    model.setGravity(osim.Vec3(0, -GRAVITY, 0))
    bodies, pins = {}, {}
    for name, _, _, length, _, _, _ in problem.bars:
        inertia = osim.Inertia(length * 1e-4, length**3 / 12, length**3 / 12)
        bodies[name] = osim.Body(name, length, osim.Vec3(0), inertia)
        model.addBody(bodies[name])
    ground, zero = model.getGround(), osim.Vec3(0)
    crank, coupler, rocker = problem.bars
    for bar, parent, at in [
        (crank, ground, osim.Vec3(0)), (coupler, bodies["crank"], osim.Vec3(crank[3] / 2, 0, 0)), (rocker, ground, osim.Vec3(2, 0, 0)),
    ]:
        pins[bar[0]] = osim.PinJoint("pin_" + bar[0], parent, at, zero, bodies[bar[0]], osim.Vec3(-bar[3] / 2, 0, 0), zero)
        model.addJoint(pins[bar[0]])
    ends = [(bodies[bar[0]], osim.Vec3(bar[3] / 2, 0, 0)) for bar in (coupler, rocker)]
    model.addConstraint(osim.PointConstraint(*ends[0], *ends[1]))
    state = model.initSystem()
    before = {"crank": (0.0, 0.0), "coupler": (crank[4], crank[5]), "rocker": (0.0, 0.0)}
    for bar in problem.bars:
        coordinate = pins[bar[0]].get_coordinates(0)
        coordinate.setValue(state, bar[4] - before[bar[0]][0], False)
        coordinate.setSpeedValue(state, bar[5] - before[bar[0]][1])
    return model, state, list(bodies.values()), ends


def run(problem, accuracy):
    import opensim as osim

    osim.Logger.setLevelString("Off")
    build = chain if hasattr(problem, "count") else four_bar
    model, state, bodies, ends = build(osim, problem)
    manager = osim.Manager(model)
    manager.setIntegratorMethod(osim.Manager.IntegratorMethod_RungeKuttaMerson)
    manager.setIntegratorAccuracy(accuracy)
    manager.setWriteToStorage(False)
    manager.setPerformAnalyses(False)
    manager.initialize(state)
    clock = time.process_time()
    state = manager.integrate(problem.until)
    seconds = time.process_time() - clock
    model.realizeVelocity(state)

    def numbers(vector):
        return np.array([vector.get(k) for k in range(3)])

    centres = [numbers(body.findStationLocationInGround(state, osim.Vec3(0))) for body in bodies]
    if ends is None:
        return np.array(centres), seconds, None, None
    places = [numbers(body.findStationLocationInGround(state, at)) for body, at in ends]
    rates = [numbers(body.findStationVelocityInGround(state, at)) for body, at in ends]
    gaps = [float(np.max(np.abs(one - two))) for one, two in (places, rates)]
    return np.array(centres), seconds, *gaps
