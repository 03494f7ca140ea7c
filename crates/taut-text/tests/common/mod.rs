//! The systems of some model files, written by hand for any number type.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use taut::system::{Constraint, ForceClass, Mass, Mechanical, Scalar};
use taut_text::{MechanicalModel, Model, Source, System, builtin};

/// Random tests that are the same in every run.
pub fn deterministic(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1992),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

pub fn load(name: &str) -> Model {
    let (_, _, text) = builtin().iter().find(|model| model.0 == name).unwrap();
    Model::read(&Source::new(name, *text), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

pub fn mechanical(model: Model) -> MechanicalModel {
    match model.system {
        System::Mechanical(system) => system,
        System::Strong(_) | System::Bodies(_) | System::Partitioned(_) | System::FirstOrder(_) => {
            panic!("{} is not mechanical", model.name)
        }
    }
}

fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(String::from).to_vec()
}

pub struct Pendulum;

impl Mechanical for Pendulum {
    fn coordinates(&self) -> Vec<String> {
        names(["x", "y"])
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[1] * 9.81
    }
    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::rod("rod")]
    }
    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = (q[0].square() + q[1].square() - 1.0) * 0.5;
    }
}

/// Andrews' squeezing mechanism.
pub struct Squeezer;

const M: [f64; 7] = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498];
const I: [f64; 7] = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5];
const XA: f64 = -0.06934;
const YA: f64 = -0.00227;
const XB: f64 = -0.03635;
const YB: f64 = 0.03273;
const XC: f64 = 0.014;
const YC: f64 = 0.072;
const C0: f64 = 4530.0;
const D: f64 = 0.028;
const DA: f64 = 0.0115;
const E: f64 = 0.02;
const EA: f64 = 0.01421;
const RR: f64 = 0.007;
const RA: f64 = 0.00092;
const L0: f64 = 0.07785;
const SS: f64 = 0.035;
const SA: f64 = 0.01874;
const SB: f64 = 0.01043;
const SC: f64 = 0.018;
const SD: f64 = 0.02;
const TA: f64 = 0.02308;
const TB: f64 = 0.00916;
const U: f64 = 0.04;
const UA: f64 = 0.01228;
const UB: f64 = 0.00449;
const ZF: f64 = 0.02;
const ZT: f64 = 0.04;
const FA: f64 = 0.01421;
const MOM: f64 = 0.033;
const EE: f64 = E - EA;
const ZZ: f64 = ZF - FA;

impl Mechanical for Squeezer {
    fn coordinates(&self) -> Vec<String> {
        names(["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"])
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        let (cos_theta, sin_phi, sin_omega) = (q[1].cos(), q[3].sin(), q[5].sin());
        let c = S::constant;
        mass.add(
            0,
            0,
            cos_theta * (-2.0 * M[1] * DA * RR) + M[0] * RA * RA + M[1] * (RR * RR + DA * DA) + I[0] + I[1],
        );
        mass.add(1, 0, cos_theta * (-M[1] * DA * RR) + M[1] * DA * DA + I[1]);
        mass.add(1, 1, c(M[1] * DA * DA + I[1]));
        mass.add(2, 2, c(M[2] * (SA * SA + SB * SB) + I[2]));
        mass.add(3, 3, c(M[3] * EE * EE + I[3]));
        mass.add(4, 3, sin_phi * (M[3] * ZT * EE) + M[3] * EE * EE + I[3]);
        let fixed = M[3] * (ZT * ZT + EE * EE) + M[4] * (TA * TA + TB * TB) + I[3] + I[4];
        mass.add(4, 4, sin_phi * (2.0 * M[3] * ZT * EE) + fixed);
        mass.add(5, 5, c(M[5] * ZZ * ZZ + I[5]));
        mass.add(6, 5, sin_omega * (-M[5] * U * ZZ) + M[5] * ZZ * ZZ + I[5]);
        let fixed = M[5] * (ZZ * ZZ + U * U) + M[6] * (UA * UA + UB * UB) + I[5] + I[6];
        mass.add(6, 6, sin_omega * (-2.0 * M[5] * U * ZZ) + fixed);
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        let (s, c) = q[2].sin_cos();
        let (x, y) = (c * SD + s * SC + (XB - XC), s * SD - c * SC + (YB - YC));
        (x.hypot(y) - L0).square() * (0.5 * C0)
    }
    fn force<S: Scalar>(&self, class: ForceClass, _t: S, _q: &[S], _v: &[S], force: &mut [S]) {
        if class == ForceClass::Driving {
            force[0] += S::constant(MOM);
        }
    }
    fn constraints(&self) -> Vec<Constraint> {
        ["bx", "by", "ax", "ay", "ux", "uy"].map(Constraint::rod).to_vec()
    }
    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        let [beta, theta, gamma, phi, delta, omega, epsilon] = [q[0], q[1], q[2], q[3], q[4], q[5], q[6]];
        let x = beta.cos() * RR - (beta + theta).cos() * D;
        let y = beta.sin() * RR - (beta + theta).sin() * D;
        g[0] = x - gamma.sin() * SS - XB;
        g[1] = y + gamma.cos() * SS - YB;
        g[2] = x - (phi + delta).sin() * E - delta.cos() * ZT - XA;
        g[3] = y + (phi + delta).cos() * E - delta.sin() * ZT - YA;
        g[4] = x - (omega + epsilon).cos() * ZF - epsilon.sin() * U - XA;
        g[5] = y - (omega + epsilon).sin() * ZF + epsilon.cos() * U - YA;
    }
}

/// A bead and a wheel: every kind of constraint and force, a mass matrix that moves, time everywhere.
pub struct Everything;

pub const EVERYTHING: &str = r#"
[parameters]
eps = 0.1
[coordinates]
x = { start = 0.3, velocity = 0.1 }
y = { start = -0.2 }
z = { start = 0.5, velocity = -0.4 }
[define]
r = "hypot(x, y)"
[energy]
kinetic = "(x'^2 + y'^2)/2 + (1 + x^2)/2*z'^2 + sin(y)*x'*z'/4"
potential = "x*y*z + r^3"
[stiff]
potential = "(z - x^2)^2/2"
epsilon = "eps"
[constraints]
rail = "z - x*y - sin(2*t)"
spring = { equation = "r - 1 - t/10", compliance = "eps^2" }
[nonholonomic]
roll = "x'*z - y'*(1 + t) + z'^2/4"
[forces]
x = { dissipative = "-0.1*x'*abs(x')", driving = "cos(3*t)*y", damping = 0.25 }
y = { conservative = "exp(-y)", oscillatory = "tanh(x - y')" }
z = { dissipative = "-z'^3", driving = "min(x, z)*max(y, t)" }
"#;

impl Mechanical for Everything {
    fn coordinates(&self) -> Vec<String> {
        names(["x", "y", "z"])
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        mass.add(0, 0, S::constant(1.0));
        mass.add(1, 1, S::constant(1.0));
        mass.add(2, 2, q[0].square() + 1.0);
        mass.add(2, 0, q[1].sin() * 0.25);
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[0] * q[1] * q[2] + q[0].hypot(q[1]).powi(3)
    }
    fn epsilon(&self) -> Option<f64> {
        Some(0.1)
    }
    fn strong_potential<S: Scalar>(&self, q: &[S]) -> S {
        (q[2] - q[0].square()).square() * 0.5
    }
    fn force<S: Scalar>(&self, class: ForceClass, t: S, q: &[S], v: &[S], force: &mut [S]) {
        match class {
            ForceClass::Conservative => force[1] += (-q[1]).exp(),
            ForceClass::Dissipative => {
                force[0] += v[0] * v[0].abs() * -0.1;
                force[2] += -v[2].powi(3);
            }
            ForceClass::Driving => {
                force[0] += (t * 3.0).cos() * q[1];
                force[2] += q[0].min(q[2]) * q[1].max(t);
            }
            ForceClass::Oscillatory => force[1] += (q[0] - v[1]).tanh(),
        }
    }
    fn constraints(&self) -> Vec<Constraint> {
        let compliance = 0.1 * 0.1;
        vec![
            Constraint::rod("rail"),
            Constraint::spring("spring", compliance),
            Constraint::nonholonomic("roll"),
        ]
    }
    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        g[0] = q[2] - q[0] * q[1] - (t * 2.0).sin();
        g[1] = q[0].hypot(q[1]) - 1.0 - t * 0.1;
    }
    fn nonholonomic<S: Scalar>(&self, t: S, q: &[S], v: &[S], h: &mut [S]) {
        h[0] = v[0] * q[2] - v[1] * (t + 1.0) + v[2].square() * 0.25;
    }
}
