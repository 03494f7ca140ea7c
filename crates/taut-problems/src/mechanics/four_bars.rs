//! Four-bar linkages in a row, which pass configurations in which all bars lie in one line.

use taut::system::{Constraint, Differentiated, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::error::Error;
use crate::problem::{Motion, Problem, Reference, Start, State, System};

/// N parallelograms in a row: N + 1 uprights from (i, 0) to (xᵢ, yᵢ), i = 0 … N, and N bars between their ends. All bars have
/// length and mass 1; gravity acts against y.
///
/// The mechanism has one degree of freedom but 2N + 1 constraints on 2N + 2 coordinates whose gradients become dependent when
/// all bars are in line: there it could go on as an antiparallelogram.
#[derive(Clone, Copy, Debug)]
pub struct FourBars {
    /// N
    pub linkages: usize,
    /// g
    pub gravity: f64,
}

impl Mechanical for FourBars {
    fn coordinates(&self) -> Vec<String> {
        (0..=self.linkages).flat_map(|i| [format!("x{i}"), format!("y{i}")]).collect()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        for i in 0..=self.linkages {
            let bars = usize::from(i > 0) + usize::from(i < self.linkages);
            let own = S::constant((1.0 + bars as f64) / 3.0);
            for k in [2 * i, 2 * i + 1] {
                mass.add(k, k, own);
                if i < self.linkages {
                    mass.add(k, k + 2, S::constant(1.0 / 6.0));
                }
            }
        }
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        let mut height = S::zero();
        for i in 0..=self.linkages {
            let bars = usize::from(i > 0) + usize::from(i < self.linkages);
            height += q[2 * i + 1] * (0.5 * (1.0 + bars as f64));
        }
        height * self.gravity
    }

    fn constraints(&self) -> Vec<Constraint> {
        let uprights = (0..=self.linkages).map(|i| Constraint::rod(format!("upright{i}")));
        uprights.chain((0..self.linkages).map(|i| Constraint::rod(format!("bar{i}")))).collect()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        let (uprights, bars) = g.split_at_mut(self.linkages + 1);
        for (i, g) in uprights.iter_mut().enumerate() {
            *g = ((q[2 * i] - i as f64).square() + q[2 * i + 1].square() - 1.0) * 0.5;
        }
        for (i, g) in bars.iter_mut().enumerate() {
            let (x, y) = (q[2 * i + 2] - q[2 * i], q[2 * i + 3] - q[2 * i + 1]);
            *g = (x.square() + y.square() - 1.0) * 0.5;
        }
    }
}

/// N, and the sine and cosine of the angle of the uprights at t = 10 and its rate there: the pendulum
/// φ'' = g (3N + 1)/2 / ((4N + 1)/3) sin φ, φ(0) = 0, φ'(0) = 1, by Taylor series with 40 digits.
const AT_10: [(usize, [f64; 3]); 3] = [
    (2, [0.328_458_111_540_815_4, 0.944_518_538_178_601, 1.506_642_180_841_829_5]),
    (10, [0.204_353_560_989_770_98, 0.978_897_145_828_304, 1.212_262_216_527_867_3]),
    (40, [0.180_512_226_686_728_4, 0.983_572_740_582_311_6, 1.167_622_108_751_707]),
];

pub(crate) const ENTRY: Entry = Entry { name: "four_bars_2", starts: &["upright"], build: |_| four_bars(2) };

/// N parallelograms in a row, upright, that fall with the speed 1; with reference values for N = 2, 10 and 40.
///
/// # Errors
/// There is no row of no parallelograms.
pub fn four_bars(linkages: usize) -> Result<Problem, Error> {
    if linkages == 0 {
        return Err(Error::UnknownProblem { name: "four_bars".into() });
    }
    let place = |sine: f64, cosine: f64| (0..=linkages).flat_map(|i| [i as f64 + sine, cosine]).collect();
    let moving = |x: f64, y: f64| (0..=linkages).flat_map(|_| [x, y]).collect();
    let state = |[sine, cosine, rate]: [f64; 3]| {
        let (q, v) = (place(sine, cosine), moving(rate * cosine, -rate * sine));
        State::Motion(Motion { q, v, ..Motion::default() })
    };
    let known = AT_10.iter().filter(|(number, _)| *number == linkages);
    Ok(Problem {
        name: format!("four_bars_{linkages}"),
        start_name: "upright".into(),
        title: format!("{linkages} four-bar linkages in a row"),
        source: "IFToMM library of computational benchmark problems, A02 N-four-bar mechanism".into(),
        purpose:
            "singular configurations: all constraints of a row become dependent when its bars are in line"
                .into(),
        index: 3,
        system: System::Mechanical(Box::new(Differentiated::new(FourBars { linkages, gravity: 9.81 }))),
        start: Start { t: 0.0, state: state([0.0, 1.0, 1.0]) },
        t_end: 10.0,
        kinks: Vec::new(),
        references: known.map(|(_, end)| Reference { t: 10.0, digits: 16, state: state(*end) }).collect(),
    })
}
