"""A double pendulum, the Pleiades and the outer solar system, as equations of heyoka."""

import heyoka as hy

GRAVITY = 9.81


def attraction(masses, places, velocities, constant):
    """Bodies that attract each other, and their start: all positions, then all velocities, as in the models."""
    axes = "xyz"[: len(places[0])]
    at = [[hy.expression(f"{axis}{i}") for axis in axes] for i in range(len(masses))]
    moving = [[hy.expression(f"v{axis}{i}") for axis in axes] for i in range(len(masses))]
    rates = [[hy.expression(0.0) for _ in axes] for _ in masses]
    for i in range(len(masses)):
        for j in range(i):
            apart = [a - b for a, b in zip(at[j], at[i])]
            pull = constant * hy.sum([d * d for d in apart]) ** -1.5
            for axis, d in enumerate(apart):
                rates[i][axis] = rates[i][axis] + masses[j] * pull * d
                rates[j][axis] = rates[j][axis] - masses[i] * pull * d
    equations = [pair for x, v in zip(at, moving) for pair in zip(x, v)]
    equations += [pair for v, rate in zip(moving, rates) for pair in zip(v, rate)]
    return equations, [x for place in places for x in place] + [v for velocity in velocities for v in velocity]


def double_pendulum():
    import math

    a, b, u, w = hy.make_vars("a", "b", "u", "w")
    sine, cosine = hy.sin(a - b), hy.cos(a - b)
    # 2 a'' + cos b'' = first, cos a'' + b'' = second.
    first = -sine * w * w - 2.0 * GRAVITY * hy.sin(a)
    second = sine * u * u - GRAVITY * hy.sin(b)
    below = 2.0 - cosine * cosine
    rates = [(first - cosine * second) / below, (2.0 * second - cosine * first) / below]
    return [(a, u), (b, w), (u, rates[0]), (w, rates[1])], [math.pi / 2, math.pi / 2, 0.0, 0.0]


def pleiades():
    places = [[3, 3], [3, -3], [-1, 2], [-3, 0], [2, 0], [-2, -4], [2, 4]]
    velocities = [[0, 0], [0, 0], [0, 0], [0, -1.25], [0, 1], [1.75, 0], [-1.5, 0]]
    return attraction([float(i) for i in range(1, 8)], places, velocities, 1.0)


def outer_solar_system():
    masses = [1.00000597682, 0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449, 1 / 1.3e8]
    places = [
        [0, 0, 0],
        [-3.5023653, -3.8169847, -1.5507963],
        [9.0755314, -3.0458353, -1.6483708],
        [8.3101420, -16.2901086, -7.2521278],
        [11.4707666, -25.7294829, -10.8169456],
        [-15.5387357, -25.2225594, -3.1902382],
    ]
    velocities = [
        [0, 0, 0],
        [0.00565429, -0.00412490, -0.00190589],
        [0.00168318, 0.00483525, 0.00192462],
        [0.00354178, 0.00137102, 0.00055029],
        [0.00288930, 0.00114527, 0.00039677],
        [0.00276725, -0.00170702, -0.00136504],
    ]
    return attraction(masses, places, velocities, 2.95912208286e-4)


# Name, equations, end, number of positions.
PROBLEMS = [
    ("double-pendulum", double_pendulum, 10.0, 2),
    ("pleiades", pleiades, 3.0, 14),
    ("outer-solar-system", outer_solar_system, 20000.0, 18),
]
