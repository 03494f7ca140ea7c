//! Systems x' = f(x, y), ε y' = g(x, y) whose invariant manifolds and motions are known (Nipp 1999).

use taut::system::{Arrangement, FirstOrder, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::error::Error;
use crate::names;
use crate::problem::{Problem, Reference, Start, State, System};

/// x' = F(x) + (x2, 1) z, ε y' = −z − z³ + ε ∇s · x', with z = y − s(x): singularly perturbed for ε > 0 and of index 1 for
/// ε = 0 (Nipp 1999, eq. (1)_ε and (1)_0).
///
/// F(x) = (−x2, x1) + x (1 − |x|²) turns once in 2π and draws the motion to the unit circle. The graph of
/// s(x, ε) = x1 x2 + sin x1 + ε (1 + x2²) is exactly invariant for every ε, and attractive at the rate 1/ε at least.
#[derive(Clone, Copy, Debug)]
pub struct AttractiveManifold {
    /// ε ≥ 0
    pub epsilon: f64,
}

impl AttractiveManifold {
    /// s(x, ε): the manifold M_ε is y = s(x, ε)
    pub fn manifold(&self, x: &[f64]) -> f64 {
        self.height(x)
    }

    /// (x1, x2, y) at time t, from x = (1/2, 0) on the manifold: |x|² = 1/(1 + 3 e⁻²ᵗ), turned by t
    pub fn solution(&self, t: f64) -> [f64; 3] {
        let radius = 1.0 / (1.0 + 3.0 * (-2.0 * t).exp()).sqrt();
        let x = [radius * t.cos(), radius * t.sin()];
        [x[0], x[1], self.manifold(&x)]
    }

    fn height<S: Scalar>(&self, x: &[S]) -> S {
        x[0] * x[1] + x[0].sin() + (x[1].square() + 1.0) * self.epsilon
    }
}

impl FirstOrder for AttractiveManifold {
    fn variables(&self) -> Vec<String> {
        [names("x", 2), vec!["y".into()]].concat()
    }

    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        let z = x[2] - self.height(x);
        let inward = -x[0].square() - x[1].square() + 1.0;
        rate[0] = x[0] * inward - x[1] + x[1] * z;
        rate[1] = x[1] * inward + x[0] + z;
        let slope = (x[1] + x[0].cos()) * rate[0] + (x[0] + x[1] * 2.0 * self.epsilon) * rate[1];
        rate[2] = slope * self.epsilon - z - z.powi(3);
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        masses(2, self.epsilon)
    }

    fn arrangement(&self) -> Arrangement {
        Arrangement::SemiExplicit { differential: 2 }
    }
}

/// In which form a system x' = f(x, y), 0 = G(x) of index 2 is written (Nipp 1999, section 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// 0 = G(x)
    Index2,
    /// 0 = G_x(x) f(x, y), which keeps G(x) on every solution
    Index1,
    /// ε y' = G_x(x) f(x, y) with this ε > 0, which keeps G(x) − ε y on every solution
    Perturbed(f64),
}

impl Form {
    fn epsilon(self) -> f64 {
        match self {
            Form::Perturbed(epsilon) => epsilon,
            Form::Index2 | Form::Index1 => 0.0,
        }
    }

    fn index(self) -> u8 {
        match self {
            Form::Index2 => 2,
            Form::Index1 => 1,
            Form::Perturbed(_) => 0,
        }
    }

    fn named(start: &str) -> Self {
        match start {
            "index2" => Form::Index2,
            "index1" => Form::Index1,
            _ => Form::Perturbed(1e-3),
        }
    }
}

/// The names of the forms as starts.
const FORMS: &[&str] = &["index2", "index1", "eps1e-3"];

/// An index-2 system with the nonlinear G(x) = (x1² + w² − 1)/2, w = x2 + x1²/2.
///
/// In (x1, w) the motion is (x1, w)' = (−w, x1) + (x1, w)(s(x) − y), a rotation, with s(x) = x1 + x1 x2. G_x f =
/// (x1² + w²)(s(x) − y), so that M_0 is the graph of s, and G_x f_y < 0.
#[derive(Clone, Copy, Debug)]
pub struct CurvedIndex2 {
    /// how the constraint is written
    pub form: Form,
}

impl CurvedIndex2 {
    /// s(x): the manifold M_0 is y = s(x)
    pub fn manifold(x: &[f64]) -> f64 {
        x[0] + x[0] * x[1]
    }

    /// G(x)
    pub fn constraint(x: &[f64]) -> f64 {
        let w = x[1] + 0.5 * x[0] * x[0];
        0.5 * (x[0] * x[0] + w * w - 1.0)
    }

    /// (x1, x2, y) at time t for ε = 0, from x = (1, −1/2)
    pub fn solution(t: f64) -> [f64; 3] {
        let x = [t.cos(), t.sin() - 0.5 * t.cos().powi(2)];
        [x[0], x[1], Self::manifold(&x)]
    }
}

impl FirstOrder for CurvedIndex2 {
    fn variables(&self) -> Vec<String> {
        [names("x", 2), vec!["y".into()]].concat()
    }

    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        let w = x[1] + x[0].square() * 0.5;
        let square = x[0].square() + w.square();
        let push = x[0] + x[0] * x[1] - x[2];
        rate[0] = x[0] * push - w;
        rate[1] = x[0] + w * push - x[0] * rate[0];
        rate[2] = match self.form {
            Form::Index2 => (square - 1.0) * 0.5,
            Form::Index1 | Form::Perturbed(_) => square * push,
        };
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        masses(2, self.form.epsilon())
    }

    fn arrangement(&self) -> Arrangement {
        Arrangement::SemiExplicit { differential: 2 }
    }
}

/// An index-2 system with the linear G(x) = x3 − x1.
///
/// x1' = −x2 + x2 u, x2' = x1 + x1 u, x3' = x1' − u with u = y − s(x), s(x) = x1 x2 + sin x3. G_x f = −u, so that M_0 is the
/// graph of s.
#[derive(Clone, Copy, Debug)]
pub struct PlaneIndex2 {
    /// how the constraint is written
    pub form: Form,
}

impl PlaneIndex2 {
    /// s(x): the manifold M_0 is y = s(x)
    pub fn manifold(x: &[f64]) -> f64 {
        x[0] * x[1] + x[2].sin()
    }

    /// G(x)
    pub fn constraint(x: &[f64]) -> f64 {
        x[2] - x[0]
    }

    /// (x1, x2, x3, y) at time t for ε = 0, from x = (1, 0, 1)
    pub fn solution(t: f64) -> [f64; 4] {
        let x = [t.cos(), t.sin(), t.cos()];
        [x[0], x[1], x[2], Self::manifold(&x)]
    }
}

impl FirstOrder for PlaneIndex2 {
    fn variables(&self) -> Vec<String> {
        [names("x", 3), vec!["y".into()]].concat()
    }

    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        let u = x[3] - x[0] * x[1] - x[2].sin();
        rate[0] = x[1] * u - x[1];
        rate[1] = x[0] * u + x[0];
        rate[2] = rate[0] - u;
        rate[3] = match self.form {
            Form::Index2 => x[2] - x[0],
            Form::Index1 | Form::Perturbed(_) => -u,
        };
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        masses(3, self.form.epsilon())
    }

    fn arrangement(&self) -> Arrangement {
        Arrangement::SemiExplicit { differential: 3 }
    }
}

/// E of x' = f, ε y' = g with so many variables x and one y.
fn masses(differential: usize, epsilon: f64) -> Vec<(usize, usize, f64)> {
    let x = (0..differential).map(|i| (i, i, 1.0));
    let y = (epsilon != 0.0).then_some((differential, differential, epsilon));
    x.chain(y).collect()
}

pub(crate) const ATTRACTIVE: Entry =
    Entry { name: "attractive_manifold", starts: &["index1", "eps1e-2", "eps1e-6"], build: attractive };

fn attractive(start: &str) -> Result<Problem, Error> {
    let epsilon = match start {
        "index1" => 0.0,
        "eps1e-2" => 1e-2,
        _ => 1e-6,
    };
    let system = AttractiveManifold { epsilon };
    Ok(Problem {
        name: ATTRACTIVE.name.into(),
        start_name: start.into(),
        title: "A known attractive manifold, singularly perturbed or of index 1".into(),
        source: "made for this library, for Nipp (1999), section 2".into(),
        purpose: "closeness of discrete invariant manifolds, rates of attraction, errors in x and y".into(),
        index: u8::from(epsilon == 0.0),
        start: Start { t: 0.0, state: State::Variables(system.solution(0.0).to_vec()) },
        t_end: 2.0,
        kinks: Vec::new(),
        references: [1.0, 2.0].map(|t| exact(t, &system.solution(t))).to_vec(),
        system: System::FirstOrder(Box::new(Linearised::new(system))),
    })
}

pub(crate) const CURVED: Entry = Entry {
    name: "index2_curved",
    starts: FORMS,
    build: |start| {
        let form = Form::named(start);
        let system = System::FirstOrder(Box::new(Linearised::new(CurvedIndex2 { form })));
        let title = "Index 2 on a closed curve, periodic";
        Ok(in_form(CURVED.name, start, form, title, system, &|t| CurvedIndex2::solution(t).to_vec()))
    },
};

pub(crate) const PLANE: Entry = Entry {
    name: "index2_plane",
    starts: FORMS,
    build: |start| {
        let form = Form::named(start);
        let system = System::FirstOrder(Box::new(Linearised::new(PlaneIndex2 { form })));
        let title = "Index 2 on a plane, periodic";
        Ok(in_form(PLANE.name, start, form, title, system, &|t| PlaneIndex2::solution(t).to_vec()))
    },
};

fn in_form(
    name: &str,
    start: &str,
    form: Form,
    title: &str,
    system: System,
    solution: &dyn Fn(f64) -> Vec<f64>,
) -> Problem {
    // With ε > 0 the motion is another one, O(ε) away.
    let times: &[f64] = if form.epsilon() > 0.0 { &[] } else { &[1.0, 5.0] };
    Problem {
        name: name.into(),
        start_name: start.into(),
        title: title.into(),
        source: "made for this library, for Nipp (1999), section 3".into(),
        purpose: "drift off G = 0 in the form of index 1, invariant manifolds in the form of index 2".into(),
        index: form.index(),
        system,
        start: Start { t: 0.0, state: State::Variables(solution(0.0)) },
        t_end: 5.0,
        kinks: Vec::new(),
        references: times.iter().map(|&t| exact(t, &solution(t))).collect(),
    }
}

/// A reference value from an exact solution.
fn exact(t: f64, x: &[f64]) -> Reference {
    Reference { t, state: State::Variables(x.to_vec()), digits: 15 }
}
