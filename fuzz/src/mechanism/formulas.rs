//! The mechanics of a mechanism, written down by hand: what a state must satisfy.

use super::{End, Kind, Link, Mechanism};

/// A state of a mechanism as the command reports it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// the time
    pub t: f64,
    /// x0, y0, x1, y1, ...
    pub q: Vec<f64>,
    /// their rates
    pub v: Vec<f64>,
    /// one for each link that is a constraint, in order
    pub multipliers: Vec<f64>,
}

/// Place, velocity and acceleration of an end that is not a point.
fn motion_of(end: &End, t: f64, axis: usize) -> [f64; 3] {
    match end {
        End::Point(_) => [0.0; 3],
        End::Ground(place) => [place[axis], 0.0, 0.0],
        End::Driven { place, amplitude, frequency } => {
            let (sine, cosine) = (frequency * t).sin_cos();
            let a = amplitude[axis];
            [place[axis] + a * sine, a * frequency * cosine, -a * frequency * frequency * sine]
        }
    }
}

/// From one end of a link to the other: the vector, its rate.
struct Stretch {
    d: [f64; 2],
    w: [f64; 2],
}

fn stretch(link: &Link, state: &State) -> Stretch {
    let along = |axis: usize| {
        let [place, velocity, _] = motion_of(&link.from, state.t, axis);
        let to = 2 * link.to + axis;
        match link.from {
            End::Point(k) => (state.q[to] - state.q[2 * k + axis], state.v[to] - state.v[2 * k + axis]),
            _ => (state.q[to] - place, state.v[to] - velocity),
        }
    };
    let ((dx, wx), (dy, wy)) = (along(0), along(1));
    Stretch { d: [dx, dy], w: [wx, wy] }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// What a rod leaves on the levels of position, velocity and acceleration, each with its scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// the residuals
    pub found: [f64; 3],
    /// what they are compared with
    pub scale: [f64; 3],
}

impl State {
    /// The force on each coordinate, without that of constraints, and its size without cancellation.
    fn forces(&self, mechanism: &Mechanism) -> (Vec<f64>, Vec<f64>) {
        let n = 2 * mechanism.points.len();
        let (mut force, mut size) = (vec![0.0; n], vec![0.0; n]);
        let mut add = |point: usize, vector: [f64; 2], factor: f64| {
            for axis in 0..2 {
                force[2 * point + axis] += factor * vector[axis];
                size[2 * point + axis] += (factor * vector[axis]).abs();
            }
        };
        for (k, point) in mechanism.points.iter().enumerate() {
            add(k, [0.0, -1.0], point.mass * mechanism.gravity);
        }
        for link in &mechanism.links {
            let Stretch { d, w } = stretch(link, self);
            let (vector, factor) = match link.kind {
                Kind::Spring { stiffness } => {
                    let far = d[0].hypot(d[1]);
                    (d, -stiffness * (far - link.length) / far)
                }
                Kind::Damper { strength } => (w, -strength),
                _ => continue,
            };
            add(link.to, vector, factor);
            if let End::Point(k) = link.from {
                add(k, vector, -factor);
            }
        }
        (force, size)
    }

    /// The accelerations that follow from the forces and the multipliers, M a = f − G'λ, and their size without cancellation.
    fn accelerations(&self, mechanism: &Mechanism) -> (Vec<f64>, Vec<f64>) {
        let (mut force, mut size) = self.forces(mechanism);
        let constraints = mechanism.links.iter().filter(|link| link.is_constraint());
        for (link, multiplier) in constraints.zip(&self.multipliers) {
            let Stretch { d, .. } = stretch(link, self);
            let far = d[0].hypot(d[1]);
            let gradient = if link.kind == Kind::SquaredRod { d } else { [d[0] / far, d[1] / far] };
            for axis in 0..2 {
                let pull = multiplier * gradient[axis];
                force[2 * link.to + axis] -= pull;
                size[2 * link.to + axis] += pull.abs();
                if let End::Point(k) = link.from {
                    force[2 * k + axis] += pull;
                    size[2 * k + axis] += pull.abs();
                }
            }
        }
        for (k, point) in mechanism.points.iter().enumerate() {
            for axis in 0..2 {
                force[2 * k + axis] /= point.mass;
                size[2 * k + axis] /= point.mass;
            }
        }
        (force, size)
    }

    /// What the rods leave.
    pub fn residuals(&self, mechanism: &Mechanism) -> Vec<Residual> {
        let (a, a_size) = self.accelerations(mechanism);
        let speed = self.v.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let of_rod = |link: &Link| {
            let Stretch { d, w } = stretch(link, self);
            let far = d[0].hypot(d[1]);
            let (mut relative, mut size) = ([0.0; 2], 0.0);
            for axis in 0..2 {
                let own = 2 * link.to + axis;
                let other = match link.from {
                    End::Point(k) => (a[2 * k + axis], a_size[2 * k + axis]),
                    _ => {
                        (motion_of(&link.from, self.t, axis)[2], motion_of(&link.from, self.t, axis)[2].abs())
                    }
                };
                relative[axis] = a[own] - other.0;
                size += a_size[own] + other.1;
            }
            // A mechanism at rest is compared with one that crosses itself while it is followed.
            let crossing = link.length / mechanism.end;
            let driven = [0, 1].map(|axis| motion_of(&link.from, self.t, axis)[1].abs());
            let speed = speed + crossing + driven[0] + driven[1];
            // In lengths, velocities and accelerations, however the rod is written.
            Residual {
                found: [
                    far - link.length,
                    dot(d, w) / far,
                    dot(d, relative) / far + (dot(w, w) - (dot(d, w) / far).powi(2)) / far,
                ],
                scale: [
                    link.length,
                    speed + f64::MIN_POSITIVE,
                    size + speed * speed / far + f64::MIN_POSITIVE,
                ],
            }
        };
        mechanism.links.iter().filter(|link| link.is_rigid()).map(of_rod).collect()
    }

    /// The energy and its size without cancellation.
    pub fn energy(&self, mechanism: &Mechanism) -> (f64, f64) {
        let (mut energy, mut size) = (0.0, 0.0);
        let mut add = |term: f64| {
            energy += term;
            size += term.abs();
        };
        for (k, point) in mechanism.points.iter().enumerate() {
            add(0.5 * point.mass * (self.v[2 * k].powi(2) + self.v[2 * k + 1].powi(2)));
            add(point.mass * mechanism.gravity * self.q[2 * k + 1]);
        }
        for link in &mechanism.links {
            let Stretch { d, .. } = stretch(link, self);
            let longer = d[0].hypot(d[1]) - link.length;
            match link.kind {
                Kind::Spring { stiffness } => add(0.5 * stiffness * longer * longer),
                Kind::Stiff { compliance, .. } => add(0.5 * longer * longer / compliance),
                _ => {}
            }
        }
        (energy, size)
    }
}
