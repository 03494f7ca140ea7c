//! Chains of point masses on rods, in the plane and in space, of any length.

use taut::system::{Constraint, Given, Mass, Mechanical, Scalar};

use crate::by_hand;
use crate::catalogue::Entry;
use crate::data::{Data, Layout};
use crate::error::Error;
use crate::problem::{Motion, Problem, Start, State, System};

/// N point masses r_i in D = 2 or 3 dimensions, linked by massless rods: g_i = (|r_i − r_{i−1}|² − l²)/2, r_0 = 0.
///
/// Gravity acts against the last coordinate. All blocks are sparse: the work grows like N.
#[derive(Clone, Copy, Debug)]
pub struct Chain<const D: usize> {
    /// N
    pub links: usize,
    /// the mass of each point
    pub mass: f64,
    /// l, the length of each rod
    pub length: f64,
    /// g
    pub gravity: f64,
}

impl<const D: usize> Chain<D> {
    /// Unit masses and rods under gravity 9.81.
    pub fn unit(links: usize) -> Self {
        Chain { links, mass: 1.0, length: 1.0, gravity: 9.81 }
    }

    pub(crate) fn coordinate_names(&self) -> Vec<String> {
        const { assert!(D == 2 || D == 3) }
        (1..=self.links)
            .flat_map(|i| ["x", "y", "z"][..D].iter().map(move |axis| format!("{axis}{i}")))
            .collect()
    }

    pub(crate) fn rods(&self) -> Vec<Constraint> {
        (1..=self.links).map(|i| Constraint::rod(format!("rod{i}"))).collect()
    }
}

impl<const D: usize> Mechanical for Chain<D> {
    fn coordinates(&self) -> Vec<String> {
        self.coordinate_names()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(self.mass));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q.chunks_exact(D).fold(S::zero(), |height, r| height + r[D - 1]) * (self.mass * self.gravity)
    }

    fn potential_force<S: Scalar>(&self, _q: &[S], force: &mut [S]) -> Given {
        for force in force.chunks_exact_mut(D) {
            force[D - 1] = S::constant(-self.mass * self.gravity);
        }
        Given::Written
    }

    fn constraints(&self) -> Vec<Constraint> {
        self.rods()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        let mut before = [S::zero(); D];
        for (g, r) in g.iter_mut().zip(q.chunks_exact(D)) {
            let mut square = S::constant(-self.length * self.length);
            for d in 0..D {
                square += (r[d] - before[d]).square();
                before[d] = r[d];
            }
            *g = square * 0.5;
        }
    }
}

pub(crate) const CHAIN_2: Entry =
    Entry { name: "pendulum_chain_2", starts: &["horizontal_rest"], build: build_chain_2 };
pub(crate) const CHAIN_20: Entry =
    Entry { name: "pendulum_chain_20", starts: &["horizontal_rest"], build: |_| Ok(planar_chain(20)) };
pub(crate) const SPACE_CHAIN_20: Entry =
    Entry { name: "space_chain_20", starts: &["horizontal_swing"], build: |_| Ok(space_chain(20)) };

fn build_chain_2(start: &str) -> Result<Problem, Error> {
    let data = Data::read(CHAIN_2.name, include_str!("../../reference/pendulum_chain_2.toml"), start)?;
    let chain = Chain::<2> {
        links: 2,
        mass: data.parameter("mass")?,
        length: data.parameter("length")?,
        gravity: data.parameter("g")?,
    };
    let system = System::Mechanical(Box::new(by_hand::Chain::new(chain)));
    let purpose = "a chaotic motion of index 3 with reference values: two rods, rapidly changing forces";
    data.problem(purpose, Layout::WithMultipliers { factor: 1.0 }, system)
}

/// A chain of `links` unit masses in the plane, horizontal and at rest; all multipliers begin at 0.
pub fn planar_chain(links: usize) -> Problem {
    let chain = Chain::<2>::unit(links);
    let motion = Motion { lambda: Some(vec![0.0; links]), ..horizontal::<2>(links, 0.0) };
    problem(chain, format!("pendulum_chain_{links}"), "horizontal_rest", motion)
}

/// A chain of `links` unit masses in space, horizontal and turning about the vertical through its fixed end with
/// angular speed 1, so that it does not stay in a plane.
pub fn space_chain(links: usize) -> Problem {
    let chain = Chain::<3>::unit(links);
    problem(chain, format!("space_chain_{links}"), "horizontal_swing", horizontal::<3>(links, 1.0))
}

/// r_i = (i, 0, …), v_i = (0, ω i, …)
fn horizontal<const D: usize>(links: usize, angular_speed: f64) -> Motion {
    let along = |axis: usize, rate: f64| {
        let place = move |k: usize| if k % D == axis { rate * (k / D + 1) as f64 } else { 0.0 };
        (0..D * links).map(place).collect()
    };
    Motion { q: along(0, 1.0), v: along(1, angular_speed), ..Motion::default() }
}

fn problem<const D: usize>(chain: Chain<D>, name: String, start_name: &str, motion: Motion) -> Problem {
    Problem {
        name,
        start_name: start_name.into(),
        title: format!("Chain of {} point masses on rods in {D} dimensions", chain.links),
        source: "a standard benchmark of multibody dynamics; start chosen here".into(),
        purpose: "large sparse systems of index 3: the work should grow like the number of links".into(),
        index: 3,
        system: System::Mechanical(Box::new(by_hand::Chain::new(chain))),
        start: Start { t: 0.0, state: State::Motion(motion) },
        t_end: 10.0,
        kinks: Vec::new(),
        references: Vec::new(),
    }
}
