//! Bricard's linkage: six hinges in a loop that moves although counting says that it cannot.

use taut::system::{Constraint, Differentiated, Mass, Mechanical, Scalar};

use crate::catalogue::Entry;
use crate::problem::{Motion, Problem, Reference, Start, State, System};

/// Five rods of length and mass 1 between six hinges at right angles, the first at the origin and the last at (0, 0, 1); gravity
/// acts against y.
///
/// The coordinates are those of the four hinges between (x, y, z), each followed by the direction of its axis (a, b, c), which has the
/// inertia J. Rods keep their lengths and are at right angles to the axes at both of their ends, which are at right angles to each
/// other: 24 conditions on 24 coordinates, one of which follows from the others all along.
#[derive(Clone, Copy, Debug)]
pub struct Bricard {
    /// J
    pub inertia: f64,
    /// where the last hinge is on the z-axis: the linkage cannot be put together unless at 1
    pub last: f64,
}

/// Hinges that move.
const HINGES: usize = 4;

impl Bricard {
    /// The places of all hinges, then the directions of all axes.
    fn hinges<S: Scalar>(&self, q: &[S]) -> ([[S; 3]; HINGES + 2], [[S; 3]; HINGES + 2]) {
        let fixed = |vector: [f64; 3]| vector.map(S::constant);
        let (first, last) = ((fixed([0.0; 3]), fixed([0.0, 1.0, 0.0])), fixed([0.0, 0.0, self.last]));
        let vector = |k: usize, part: usize| std::array::from_fn(|d| q[6 * k + 3 * part + d]);
        let place = |k: usize| match k {
            0 => first.0,
            _ if k <= HINGES => vector(k - 1, 0),
            _ => last,
        };
        let axis = |k: usize| match k {
            0 => first.1,
            _ if k <= HINGES => vector(k - 1, 1),
            _ => fixed([1.0, 0.0, 0.0]),
        };
        (std::array::from_fn(place), std::array::from_fn(axis))
    }
}

fn dot<S: Scalar>(a: [S; 3], b: [S; 3]) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Mechanical for Bricard {
    fn coordinates(&self) -> Vec<String> {
        let names = |k: usize| ["x", "y", "z", "a", "b", "c"].map(|name| format!("{name}{k}"));
        (1..=HINGES).flat_map(names).collect()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        for k in 0..HINGES {
            for d in 0..3 {
                let (place, axis) = (6 * k + d, 6 * k + 3 + d);
                mass.add(place, place, S::constant(2.0 / 3.0));
                mass.add(axis, axis, S::constant(self.inertia));
                if k + 1 < HINGES {
                    mass.add(place, place + 6, S::constant(1.0 / 6.0));
                }
            }
        }
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        (0..HINGES).fold(S::zero(), |height, k| height + q[6 * k + 1]) * 9.81
    }

    fn constraints(&self) -> Vec<Constraint> {
        let named = |name: &str, numbers: std::ops::RangeInclusive<usize>| -> Vec<Constraint> {
            numbers.map(|k| Constraint::rod(format!("{name}{k}"))).collect()
        };
        let rods = ["length", "begins", "ends", "turns"].map(|name| named(name, 1..=HINGES + 1));
        [rods.concat(), named("axis", 1..=HINGES)].concat()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        let (places, axes) = self.hinges(q);
        for k in 0..=HINGES {
            let rod = std::array::from_fn(|d| places[k + 1][d] - places[k][d]);
            let of_rod = [
                (dot(rod, rod) - 1.0) * 0.5,
                dot(rod, axes[k]),
                dot(rod, axes[k + 1]),
                dot(axes[k], axes[k + 1]),
            ];
            for (kind, value) in of_rod.into_iter().enumerate() {
                g[kind * (HINGES + 1) + k] = value;
            }
        }
        for (g, axis) in g[4 * (HINGES + 1)..].iter_mut().zip(&axes[1..]) {
            *g = (dot(*axis, *axis) - 1.0) * 0.5;
        }
    }
}

/// The corners of a cube that the rods begin along, with the axes there.
const START: [f64; 6 * HINGES] = [
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, //
    1.0, -1.0, 0.0, 1.0, 0.0, 0.0, //
    1.0, -1.0, 1.0, 0.0, 1.0, 0.0, //
    0.0, -1.0, 1.0, 0.0, 0.0, 1.0,
];

/// At t = 4 with J = 1/1000, by Taylor series with 20 digits without the condition that follows from the others.
const AT_4: ([f64; 24], [f64; 24]) = (
    [
        0.527_904_165_573_657,
        0.0,
        -0.849_303_945_575_422_9,
        0.849_303_945_575_422_9,
        0.0,
        0.527_904_165_573_657,
        0.285_461_006_470_408_1,
        -0.888_303_957_062_671_8,
        -0.459_256_006_892_450_8,
        0.468_939_359_228_947_5,
        -0.459_256_006_892_450_8,
        -0.754_440_055_603_588_3,
        0.527_904_165_573_657,
        -1.642_744_012_666_26,
        0.150_696_054_424_577_15,
        0.849_303_945_575_422_9,
        0.468_939_359_228_947_5,
        0.242_443_159_103_248_96,
        0.0,
        -0.888_303_957_062_671_8,
        0.540_743_993_107_549_2,
        0.0,
        -0.459_256_006_892_450_8,
        0.888_303_957_062_671_8,
    ],
    [
        1.717_979_208_926_796_2,
        0.0,
        1.067_849_013_873_269,
        -1.067_849_013_873_269,
        0.0,
        1.717_979_208_926_796_2,
        1.093_821_525_674_668_2,
        -0.161_430_840_188_719_03,
        0.312_243_393_618_088_1,
        1.611_307_742_428_751_9,
        0.312_243_393_618_088_1,
        0.811_470_655_059_262_3,
        1.717_979_208_926_796_2,
        0.650_039_814_870_543_3,
        1.067_849_013_873_269,
        -1.067_849_013_873_269,
        1.611_307_742_428_751_9,
        0.624_157_683_252_128_2,
        0.0,
        -0.161_430_840_188_719_03,
        0.312_243_393_618_088_1,
        0.0,
        0.312_243_393_618_088_1,
        0.161_430_840_188_719_03,
    ],
);

pub(crate) const ENTRY: Entry = Entry { name: "bricard", starts: &["cube"], build: |_| Ok(problem()) };

fn problem() -> Problem {
    let state =
        |q: &[f64], v: &[f64]| State::Motion(Motion { q: q.to_vec(), v: v.to_vec(), ..Motion::default() });
    Problem {
        name: ENTRY.name.into(),
        start_name: "cube".into(),
        title: "Bricard's linkage".into(),
        source: "IFToMM library of computational benchmark problems, A04 Bricard's mechanism; the axes have inertia here".into(),
        purpose: "a constraint that follows from the others all along".into(),
        index: 3,
        system: System::Mechanical(Box::new(Differentiated::new(Bricard { inertia: 0.001, last: 1.0 }))),
        start: Start { t: 0.0, state: state(&START, &[0.0; 6 * HINGES]) },
        t_end: 4.0,
        kinks: Vec::new(),
        references: vec![Reference { t: 4.0, state: state(&AT_4.0, &AT_4.1), digits: 15 }],
    }
}
