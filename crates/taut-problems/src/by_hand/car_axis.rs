//! The car axis with derivatives written by hand.

use taut::linear::Pattern;
use taut::system::{Dynamics, Energy, Evaluation, Fault, Mechanical, MechanicalSystem, Structure, Terms};

use crate::mechanics;

/// [`mechanics::CarAxis`], all derivatives written out.
#[derive(Clone, Debug)]
pub struct CarAxis {
    parameters: mechanics::CarAxis,
    structure: Structure,
}

/// Where K has entries, column by column: springs couple x and y, the axis couples its ends.
const STIFFNESS: [(usize, usize); 12] =
    [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (3, 1), (0, 2), (2, 2), (3, 2), (1, 3), (2, 3), (3, 3)];

/// Where G has entries, column by column.
const JACOBIAN: [(usize, usize); 6] = [(0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (1, 3)];

/// The road under the right wheel, (x_b, y_b), and its first and second derivative.
struct Road {
    position: [f64; 2],
    velocity: [f64; 2],
    acceleration: [f64; 2],
}

/// A spring along (x, y): its force is tension (x, y).
struct Spring {
    x: f64,
    y: f64,
    length: f64,
    tension: f64,
}

impl Spring {
    fn new(x: f64, y: f64, rest_length: f64) -> Self {
        let length = (x * x + y * y).sqrt();
        Spring { x, y, length, tension: (rest_length - length) / length }
    }

    /// The derivatives of its force: by x, mixed, by y.
    fn stiffness(&self, rest_length: f64) -> [f64; 3] {
        let turning = rest_length / self.length.powi(3);
        let Spring { x, y, tension, .. } = *self;
        [tension - turning * x * x, -turning * x * y, tension - turning * y * y]
    }
}

impl CarAxis {
    /// The car axis with these parameters.
    pub fn new(parameters: mechanics::CarAxis) -> Self {
        let structure = Structure {
            mass: Pattern::diagonal(4),
            stiffness: Pattern::from_entries(4, 4, STIFFNESS),
            damping: Pattern::empty(4, 4),
            jacobian: Pattern::from_entries(2, 4, JACOBIAN),
            constant_mass: true,
            ..Structure::dense(parameters.coordinates(), parameters.constraints())
        };
        CarAxis { parameters, structure }
    }

    fn road(&self, t: f64) -> Road {
        let mechanics::CarAxis { length, height, frequency, .. } = self.parameters;
        let (sine, cosine) = (frequency * t).sin_cos();
        let (y, y_rate) = (height * sine, height * frequency * cosine);
        let y_second = -frequency * frequency * y;
        let x = (length * length - y * y).sqrt();
        let x_rate = -y * y_rate / x;
        let x_second = -(y_rate * y_rate + y * y_second + x_rate * x_rate) / x;
        Road { position: [x, y], velocity: [x_rate, y_rate], acceleration: [x_second, y_second] }
    }

    /// The springs under the left and the right wheel.
    fn springs(&self, road: &Road, q: &[f64]) -> [Spring; 2] {
        let (rest_length, [x, y]) = (self.parameters.rest_length, road.position);
        [Spring::new(q[0], q[1], rest_length), Spring::new(q[2] - x, q[3] - y, rest_length)]
    }

    fn write_force(&self, terms: Terms, road: &Road, q: &[f64], force: &mut [f64]) {
        let [left, right] = self.springs(road, q);
        force.fill(0.0);
        if terms.contain(Terms::POTENTIAL) {
            let weight = self.parameters.mass * self.parameters.gravity;
            force[0] = left.tension * left.x;
            force[1] = left.tension * left.y - weight;
            force[3] = -weight;
        }
        if terms.contain(Terms::DRIVING) {
            force[2] += right.tension * right.x;
            force[3] += right.tension * right.y;
        }
    }

    fn write_constraint(&self, road: &Road, q: &[f64], g: &mut [f64]) {
        let ([x, y], length) = (road.position, self.parameters.length);
        let (dx, dy) = (q[0] - q[2], q[1] - q[3]);
        g[0] = q[0] * x + q[1] * y;
        g[1] = dx * dx + dy * dy - length * length;
    }

    fn write_jacobian(road: &Road, q: &[f64], jacobian: &mut [f64]) {
        let ([x, y], dx, dy) = (road.position, 2.0 * (q[0] - q[2]), 2.0 * (q[1] - q[3]));
        jacobian.copy_from_slice(&[x, dx, y, dy, -dx, -dy]);
    }

    fn write_curvature(road: &Road, q: &[f64], v: &[f64], curvature: &mut [f64]) {
        let (dvx, dvy) = (v[0] - v[2], v[1] - v[3]);
        curvature[0] = 2.0 * (v[0] * road.velocity[0] + v[1] * road.velocity[1])
            + (q[0] * road.acceleration[0] + q[1] * road.acceleration[1]);
        curvature[1] = 2.0 * (dvx * dvx + dvy * dvy);
    }

    fn write_dynamics(&self, road: &Road, t: f64, q: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        out.mass.fill(self.parameters.mass);
        self.write_force(Terms::ACCELERATING, road, q, out.force);
        self.write_constraint(road, q, out.constraint);
        Self::write_jacobian(road, q, out.jacobian);
        // the road is in f and g, so that G is finite when these are
        self.structure.finite_coordinates(out.force, "the force", t)?;
        self.structure.finite_constraints(out.constraint, "the constraint", t)
    }
}

impl MechanicalSystem for CarAxis {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, _q: &[f64], mass: &mut [f64]) -> Evaluation {
        mass.fill(self.parameters.mass);
        Ok(())
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], _v: &[f64], force: &mut [f64]) -> Evaluation {
        self.write_force(terms, &self.road(t), q, force);
        self.structure.finite_coordinates(force, "the force", t)
    }

    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation {
        self.write_constraint(&self.road(t), q, g);
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, t: f64, q: &[f64], _v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        Self::write_jacobian(&self.road(t), q, jacobian);
        self.structure.finite_block(&self.structure.jacobian, jacobian, "the constraint Jacobian", t)
    }

    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation {
        let Road { position, velocity, .. } = self.road(t);
        rate[0] = v[0] * position[0] + v[1] * position[1] + (q[0] * velocity[0] + q[1] * velocity[1]);
        rate[1] = 2.0 * ((q[0] - q[2]) * (v[0] - v[2]) + (q[1] - q[3]) * (v[1] - v[3]));
        self.structure.finite_constraints(rate, "the rate of the constraint", t)
    }

    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation {
        Self::write_curvature(&self.road(t), q, v, curvature);
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
    }

    fn newton_blocks(
        &self,
        terms: Terms,
        t: f64,
        q: &[f64],
        _v: &[f64],
        _a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
        _damping: &mut [f64],
    ) -> Evaluation {
        let rest_length = self.parameters.rest_length;
        let [left, right] = self.springs(&self.road(t), q);
        let share = |term: Terms, spring: Spring| match terms.contain(term) {
            true => spring.stiffness(rest_length),
            false => [0.0; 3],
        };
        let (left, right) = (share(Terms::POTENTIAL, left), share(Terms::DRIVING, right));
        let axis = 2.0 * lambda[1];
        stiffness.copy_from_slice(&[
            left[0] - axis,
            left[1],
            axis,
            left[1],
            left[2] - axis,
            axis,
            axis,
            right[0] - axis,
            right[1],
            axis,
            right[1],
            right[2] - axis,
        ]);
        self.structure.finite_block(&self.structure.stiffness, stiffness, "the stiffness", t)
    }

    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let mechanics::CarAxis { mass, gravity, rest_length, .. } = self.parameters;
        let stretched = (q[0] * q[0] + q[1] * q[1]).sqrt() - rest_length;
        let square: f64 = v.iter().map(|v| v * v).sum();
        Ok(Energy {
            kinetic: 0.5 * mass * square,
            potential: 0.5 * stretched * stretched + mass * gravity * (q[1] + q[3]),
        })
    }

    fn dynamics(&self, t: f64, q: &[f64], _v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        self.write_dynamics(&self.road(t), t, q, out)
    }

    fn dynamics_and_curvature(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Dynamics<'_>,
        curvature: &mut [f64],
    ) -> Evaluation {
        let road = self.road(t);
        self.write_dynamics(&road, t, q, out)?;
        Self::write_curvature(&road, q, v, curvature);
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
    }
}
