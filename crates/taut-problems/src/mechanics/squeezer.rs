//! Andrews' squeezing mechanism: seven rigid bodies in the plane, one degree of freedom.

use taut::system::{Constraint, ForceClass, Given, Mass, Mechanical, Scalar};

use crate::by_hand;
use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Problem, System};

/// Andrews' squeezing mechanism in the coordinates β, Θ, γ, Φ, δ, Ω, ε (Hairer & Wanner, section VII.7).
///
/// Six constraints for seven angles, a spring and a motor on β. The names of lengths, masses and moments of inertia
/// are those of the literature.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Squeezer {
    /// masses m1 … m7
    pub m: [f64; 7],
    /// moments of inertia I1 … I7
    pub inertia: [f64; 7],
    pub xa: f64,
    pub ya: f64,
    pub xb: f64,
    pub yb: f64,
    pub xc: f64,
    pub yc: f64,
    /// stiffness and rest length of the spring
    pub c0: f64,
    pub l0: f64,
    pub d: f64,
    pub da: f64,
    pub e: f64,
    pub ea: f64,
    pub rr: f64,
    pub ra: f64,
    pub ss: f64,
    pub sa: f64,
    pub sb: f64,
    pub sc: f64,
    pub sd: f64,
    pub ta: f64,
    pub tb: f64,
    pub u: f64,
    pub ua: f64,
    pub ub: f64,
    pub zf: f64,
    pub zt: f64,
    pub fa: f64,
    /// the torque of the motor, and how it changes in time
    pub torque: f64,
    pub drive: Drive,
}

/// How the torque of the motor changes in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drive {
    /// it stays
    Constant,
    /// it falls to 0 linearly until this time, then the mechanism swings freely (Jay 1998, section 10)
    RampDown {
        /// when the torque is 0
        until: f64,
    },
}

impl Drive {
    /// The share of the torque at time t.
    pub(crate) fn share<S: Scalar>(self, t: S) -> S {
        match self {
            Drive::Constant => S::constant(1.0),
            Drive::RampDown { until } => (-(t / until) + 1.0).max(S::zero()),
        }
    }
}

/// The coefficients of the mass matrix: M11 = `m11` − 2 `crank` cos Θ and so on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inertia {
    pub(crate) m11: f64,
    pub(crate) m21: f64,
    pub(crate) m22: f64,
    pub(crate) m33: f64,
    pub(crate) m44: f64,
    pub(crate) m55: f64,
    pub(crate) m66: f64,
    pub(crate) m77: f64,
    /// m2 da rr, the coupling of β and Θ
    pub(crate) crank: f64,
    /// m4 zt (e − ea), the coupling of Φ and δ
    pub(crate) left: f64,
    /// m6 u (zf − fa), the coupling of Ω and ε
    pub(crate) right: f64,
}

impl Squeezer {
    /// The mechanism with the parameters of the literature.
    pub fn new(drive: Drive) -> Result<Squeezer, Error> {
        Squeezer::read(&Data::read(ENTRY.name, DATA, ENTRY.starts[0])?, drive)
    }

    fn read(data: &Data, drive: Drive) -> Result<Squeezer, Error> {
        let of = |key: &str| data.parameter(key);
        Ok(Squeezer {
            m: data.parameter_array("m")?,
            inertia: data.parameter_array("I")?,
            xa: of("xa")?,
            ya: of("ya")?,
            xb: of("xb")?,
            yb: of("yb")?,
            xc: of("xc")?,
            yc: of("yc")?,
            c0: of("c0")?,
            l0: of("l0")?,
            d: of("d")?,
            da: of("da")?,
            e: of("e")?,
            ea: of("ea")?,
            rr: of("rr")?,
            ra: of("ra")?,
            ss: of("ss")?,
            sa: of("sa")?,
            sb: of("sb")?,
            sc: of("sc")?,
            sd: of("sd")?,
            ta: of("ta")?,
            tb: of("tb")?,
            u: of("u")?,
            ua: of("ua")?,
            ub: of("ub")?,
            zf: of("zf")?,
            zt: of("zt")?,
            fa: of("fa")?,
            torque: of("mom")?,
            drive,
        })
    }

    pub(crate) fn names() -> Vec<String> {
        ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"].map(String::from).to_vec()
    }

    pub(crate) fn loops() -> Vec<Constraint> {
        ["g1", "g2", "g3", "g4", "g5", "g6"].map(Constraint::rod).to_vec()
    }

    pub(crate) fn inertia_coefficients(&self) -> Inertia {
        let (m, i) = (&self.m, &self.inertia);
        let (e, z) = (self.e - self.ea, self.zf - self.fa);
        Inertia {
            m11: m[0] * self.ra.powi(2) + m[1] * (self.rr.powi(2) + self.da.powi(2)) + i[0] + i[1],
            m21: m[1] * self.da.powi(2) + i[1],
            m22: m[1] * self.da.powi(2) + i[1],
            m33: m[2] * (self.sa.powi(2) + self.sb.powi(2)) + i[2],
            m44: m[3] * e * e + i[3],
            m55: m[3] * (self.zt.powi(2) + e * e) + m[4] * (self.ta.powi(2) + self.tb.powi(2)) + i[3] + i[4],
            m66: m[5] * z * z + i[5],
            m77: m[5] * (z * z + self.u.powi(2)) + m[6] * (self.ua.powi(2) + self.ub.powi(2)) + i[5] + i[6],
            crank: m[1] * self.da * self.rr,
            left: m[3] * self.zt * e,
            right: m[5] * self.u * z,
        }
    }
}

impl Mechanical for Squeezer {
    fn coordinates(&self) -> Vec<String> {
        Squeezer::names()
    }

    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        let c = self.inertia_coefficients();
        let (cos_theta, sin_phi, sin_omega) = (q[1].cos(), q[3].sin(), q[5].sin());
        mass.add(0, 0, cos_theta * (-2.0 * c.crank) + c.m11);
        mass.add(1, 0, cos_theta * -c.crank + c.m21);
        mass.add(1, 1, S::constant(c.m22));
        mass.add(2, 2, S::constant(c.m33));
        mass.add(3, 3, S::constant(c.m44));
        mass.add(4, 3, sin_phi * c.left + c.m44);
        mass.add(4, 4, sin_phi * (2.0 * c.left) + c.m55);
        mass.add(5, 5, S::constant(c.m66));
        mass.add(6, 5, sin_omega * -c.right + c.m66);
        mass.add(6, 6, sin_omega * (-2.0 * c.right) + c.m77);
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        let (sin, cos) = q[2].sin_cos();
        let x = cos * self.sd + sin * self.sc + (self.xb - self.xc);
        let y = sin * self.sd - cos * self.sc + (self.yb - self.yc);
        ((x.square() + y.square()).sqrt() - self.l0).square() * (0.5 * self.c0)
    }

    fn potential_force<S: Scalar>(&self, q: &[S], force: &mut [S]) -> Given {
        let (sin, cos) = q[2].sin_cos();
        let (x_slope, y_slope) = (cos * self.sc - sin * self.sd, cos * self.sd + sin * self.sc);
        let (x, y) = (y_slope + (self.xb - self.xc), -x_slope + (self.yb - self.yc));
        let length = (x.square() + y.square()).sqrt();
        force[2] = (length - self.l0) / length * (x * x_slope + y * y_slope) * -self.c0;
        Given::Written
    }

    fn coriolis_force<S: Scalar>(&self, q: &[S], v: &[S], force: &mut [S]) -> Given {
        let c = self.inertia_coefficients();
        let crank = q[1].sin() * c.crank;
        let left = q[3].cos() * c.left;
        let right = q[5].cos() * c.right;
        force[0] = -crank * v[1] * (v[1] + v[0] * 2.0);
        force[1] = crank * v[0].square();
        force[3] = left * v[4].square();
        force[4] = -left * v[3] * (v[3] + v[4] * 2.0);
        force[5] = -right * v[6].square();
        force[6] = right * v[5] * (v[5] + v[6] * 2.0);
        Given::Written
    }

    fn force<S: Scalar>(&self, class: ForceClass, t: S, _q: &[S], _v: &[S], force: &mut [S]) {
        if class == ForceClass::Driving {
            force[0] += self.drive.share(t) * self.torque;
        }
    }

    fn constraints(&self) -> Vec<Constraint> {
        Squeezer::loops()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        let ((sin_beta, cos_beta), (sin_crank, cos_crank)) = (q[0].sin_cos(), (q[0] + q[1]).sin_cos());
        let x = cos_beta * self.rr - cos_crank * self.d;
        let y = sin_beta * self.rr - sin_crank * self.d;
        let (sin_gamma, cos_gamma) = q[2].sin_cos();
        let ((sin_left, cos_left), (sin_delta, cos_delta)) = ((q[3] + q[4]).sin_cos(), q[4].sin_cos());
        let ((sin_right, cos_right), (sin_epsilon, cos_epsilon)) = ((q[5] + q[6]).sin_cos(), q[6].sin_cos());
        g[0] = x - sin_gamma * self.ss - self.xb;
        g[1] = y + cos_gamma * self.ss - self.yb;
        g[2] = x - sin_left * self.e - cos_delta * self.zt - self.xa;
        g[3] = y + cos_left * self.e - sin_delta * self.zt - self.ya;
        g[4] = x - cos_right * self.zf - sin_epsilon * self.u - self.xa;
        g[5] = y - sin_right * self.zf + cos_epsilon * self.u - self.ya;
    }
}

const DATA: &str = include_str!("../../reference/andrews.toml");

pub(crate) const ENTRY: Entry = Entry { name: "andrews", starts: &["default", "ramp_down"], build };

fn build(start: &str) -> Result<Problem, Error> {
    let free_from = 0.02;
    let ramp = start == "ramp_down";
    let start_in_file = if ramp { "default" } else { start };
    let data = Data::read(ENTRY.name, DATA, start_in_file)?;
    let drive = if ramp { Drive::RampDown { until: free_from } } else { Drive::Constant };
    let system = System::Mechanical(Box::new(by_hand::Squeezer::new(Squeezer::read(&data, drive)?)));
    let purpose = "the workhorse of index 3: M(q), centrifugal forces, six constraints, fast rotation";
    let mut problem = data.problem(purpose, Layout::WithAccelerations, system)?;
    if ramp {
        problem.start_name = start.into();
        problem.t_end = 0.1;
        problem.kinks = vec![free_from];
        problem.references.clear();
    }
    Ok(problem)
}
