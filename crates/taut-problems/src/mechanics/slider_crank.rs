//! A planar slider crank with a flexible connecting rod.

use taut::system::{Constraint, Differentiated, Given, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

type Vector = [f64; 4];
type Matrix = [Vector; 4];

/// The slider crank of Simeon (1996): crank angle φ1, rod angle φ2, slider x3, elastic coordinates q1 … q4 (two lateral
/// sine modes, two longitudinal nodes). The crank turns with constant speed: g3 = φ1 − Ω t.
///
/// The element matrices keep two oddities of the published model, without which its end values are not found again:
/// π = 3.1415927, and a longitudinal mass matrix without the factor 1/15. There is no gravity and no damping, the
/// stiffness is linear.
#[derive(Clone, Debug)]
pub struct SliderCrank {
    l1: f64,
    l2: f64,
    rho: f64,
    omega: f64,
    /// J1 + M2 L1²
    crank_inertia: f64,
    /// J2
    rod_inertia: f64,
    /// L1 L2 M2 / 2
    coupling: f64,
    /// M3
    slider_mass: f64,
    mass_q: Matrix,
    stiffness_q: Matrix,
    /// B, skew
    b: Matrix,
    c1: Vector,
    c2: Vector,
    c12: Vector,
    c21: Vector,
}

fn dot<S: Scalar>(c: &Vector, x: &[S]) -> S {
    c.iter().zip(x).fold(S::zero(), |sum, (c, x)| sum + *x * *c)
}

fn form<S: Scalar>(x: &[S], matrix: &Matrix, y: &[S]) -> S {
    x.iter().zip(matrix).fold(S::zero(), |sum, (x, row)| sum + *x * dot(row, y))
}

impl SliderCrank {
    /// With the parameters of the literature.
    pub fn new() -> Result<SliderCrank, Error> {
        SliderCrank::read(&Data::read(ENTRY.name, DATA, ENTRY.starts[0])?)
    }

    fn read(data: &Data) -> Result<SliderCrank, Error> {
        let of = |key: &str| data.parameter(key);
        let (l1, l2, rho, height) = (of("L1")?, of("L2")?, of("RHO")?, of("HH")?);
        let (m2, pi) = (of("M2")?, of("pi_in_matrices")?);
        let volume = of("BB")? * height * l2;
        let (mass, stiffness) = (rho * volume, of("EE")? * of("BB")? * height / l2);
        let bending = stiffness * pi.powi(4) * (height / l2).powi(2);
        let mut b = [[0.0; 4]; 4];
        b[0][2] = -volume * 16.0 / pi.powi(3);
        b[0][3] = volume * (8.0 / pi.powi(3) - 1.0 / pi);
        b[1][3] = volume * 0.5 / pi;
        (b[2][0], b[3][0], b[3][1]) = (-b[0][2], -b[0][3], -b[1][3]);
        Ok(SliderCrank {
            l1,
            l2,
            rho,
            omega: of("OMEGA")?,
            crank_inertia: of("J1")? + m2 * l1 * l1,
            rod_inertia: of("J2")?,
            coupling: 0.5 * l1 * l2 * m2,
            slider_mass: of("M3")?,
            mass_q: [
                [0.5 * mass, 0.0, 0.0, 0.0],
                [0.0, 0.5 * mass, 0.0, 0.0],
                [0.0, 0.0, 8.0 * mass, mass],
                [0.0, 0.0, mass, 2.0 * mass],
            ],
            stiffness_q: [
                [bending / 24.0, 0.0, 0.0, 0.0],
                [0.0, bending * 2.0 / 3.0, 0.0, 0.0],
                [0.0, 0.0, stiffness * 16.0 / 3.0, stiffness * -8.0 / 3.0],
                [0.0, 0.0, stiffness * -8.0 / 3.0, stiffness * 7.0 / 3.0],
            ],
            b,
            c1: [0.0, 0.0, volume * 2.0 / 3.0, volume / 6.0],
            c2: [volume * 2.0 / pi, 0.0, 0.0, 0.0],
            c12: [0.0, 0.0, l2 * volume / 3.0, l2 * volume / 6.0],
            c21: [l2 * volume / pi, -l2 * volume * 0.5 / pi, 0.0, 0.0],
        })
    }
}

impl Mechanical for SliderCrank {
    fn coordinates(&self) -> Vec<String> {
        ["phi1", "phi2", "x3", "q1", "q2", "q3", "q4"].map(String::from).to_vec()
    }

    fn mass<S: Scalar>(&self, position: &[S], mass: &mut Mass<'_, S>) {
        let q = &position[3..];
        let (sin, cos) = (position[0] - position[1]).sin_cos();
        let along = sin * dot(&self.c2, q) + cos * dot(&self.c1, q);
        mass.add(0, 0, S::constant(self.crank_inertia));
        mass.add(0, 1, cos * self.coupling + along * (self.rho * self.l1));
        mass.add(1, 1, form(q, &self.mass_q, q) + dot(&self.c12, q) * (2.0 * self.rho) + self.rod_inertia);
        mass.add(2, 2, S::constant(self.slider_mass));
        for i in 0..4 {
            // (qᵀB)_i = −(B q)_i, since B is skew
            mass.add(0, 3 + i, (cos * self.c2[i] - sin * self.c1[i]) * (self.rho * self.l1));
            mass.add(1, 3 + i, (-dot(&self.b[i], q) + self.c21[i]) * self.rho);
            for j in 0..=i {
                if self.mass_q[i][j] != 0.0 {
                    mass.add(3 + i, 3 + j, S::constant(self.mass_q[i][j]));
                }
            }
        }
    }

    fn potential<S: Scalar>(&self, position: &[S]) -> S {
        form(&position[3..], &self.stiffness_q, &position[3..]) * 0.5
    }

    fn potential_force<S: Scalar>(&self, position: &[S], force: &mut [S]) -> Given {
        for (force, row) in force[3..].iter_mut().zip(&self.stiffness_q) {
            *force = -dot(row, &position[3..]);
        }
        Given::Written
    }

    fn coriolis_force<S: Scalar>(&self, position: &[S], v: &[S], force: &mut [S]) -> Given {
        let (q, q_rate) = (&position[3..], &v[3..]);
        let (crank2, rod2) = (v[0].square(), v[1].square());
        let (sin, cos) = (position[0] - position[1]).sin_cos();
        let lever = self.rho * self.l1;
        let across = (cos * dot(&self.c2, q) - sin * dot(&self.c1, q)) * lever - sin * self.coupling;
        let along_rate = (cos * dot(&self.c1, q_rate) + sin * dot(&self.c2, q_rate)) * lever;
        force[0] = rod2 * across - v[1] * along_rate * 2.0;
        let rod_rate = dot(&self.c12, q_rate) * self.rho + form(q_rate, &self.mass_q, q);
        force[1] = -crank2 * across - v[1] * rod_rate * 2.0;
        for i in 0..4 {
            let centrifugal = dot(&self.mass_q[i], q) + self.rho * self.c12[i];
            let crank = (cos * self.c1[i] + sin * self.c2[i]) * lever;
            force[3 + i] =
                rod2 * centrifugal + crank2 * crank + v[1] * dot(&self.b[i], q_rate) * (2.0 * self.rho);
        }
        Given::Written
    }

    fn constraints(&self) -> Vec<Constraint> {
        ["slide", "reach", "drive"].map(Constraint::rod).to_vec()
    }

    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        let ((sin_crank, cos_crank), (sin_rod, cos_rod)) = (q[0].sin_cos(), q[1].sin_cos());
        let rod = q[6] + self.l2;
        g[0] = sin_crank * self.l1 + rod * sin_rod;
        g[1] = q[2] - cos_crank * self.l1 - rod * cos_rod;
        g[2] = q[0] - t * self.omega;
    }
}

const DATA: &str = include_str!("../../reference/slider_crank_flexible.toml");

pub(crate) const ENTRY: Entry = Entry {
    name: "slider_crank_flexible",
    starts: &["fully_consistent", "published_velocity_projected", "published"],
    build,
};

fn build(start: &str) -> Result<Problem, Error> {
    let data = Data::read(ENTRY.name, DATA, start)?;
    let system = System::Mechanical(Box::new(Differentiated::new(SliderCrank::read(&data)?)));
    let purpose = "rigid and elastic coordinates together: stiff oscillations of small amplitude, driven by a constraint";
    let mut problem = data.problem(purpose, Layout::WithAccelerations, system)?;
    problem.index = 3;
    Ok(problem)
}
