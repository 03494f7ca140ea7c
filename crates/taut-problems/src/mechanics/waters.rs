//! Rigid water molecules with forces between all pairs of their atoms.

use taut::system::{Constraint, Differentiated, Mass, Mechanical, Scalar};

use crate::by_hand;
use crate::catalogue::Entry;
use crate::problem::{Motion, Problem, Reference, Start, State, System};

/// Water as three atoms at fixed distances (the simple point charge model, SPC): charges act between all atoms of different
/// molecules, and the oxygens repel and attract each other as Lennard-Jones has it. A weak spring draws the oxygens to the
/// origin, so that a drop stays together.
///
/// Lengths are in ångström, masses in atomic units, energies in kcal/mol; the unit of time is 48.89 fs.
#[derive(Clone, Copy, Debug)]
pub struct Waters {
    /// how many
    pub molecules: usize,
}

/// The masses of an oxygen and of its two hydrogens.
pub(crate) const MASSES: [f64; 3] = [15.999, 1.008, 1.008];
/// The charges, times the root of Coulomb's constant.
pub(crate) const CHARGES: [f64; 3] = [-14.942_7, 7.471_35, 7.471_35];
/// Repulsion and attraction of oxygens, A/r¹² − C/r⁶.
pub(crate) const REPULSION: f64 = 629_400.0;
pub(crate) const ATTRACTION: f64 = 625.5;
/// The stiffness of the spring to the origin.
pub(crate) const TRAP: f64 = 0.05;
/// Which atoms are held at which square of their distance.
pub(crate) const BONDS: [(usize, usize, f64); 3] = [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 8.0 / 3.0)];
/// Between neighbours at the start.
const DISTANCE: f64 = 3.1;
/// The speed with which molecules begin, one up and the next down.
const SPEED: f64 = 0.1;

impl Waters {
    /// The molecules in the corners of a cube's grid, all turned alike.
    pub fn start(&self) -> Motion {
        let side = (1..).find(|side: &usize| side.pow(3) >= self.molecules).unwrap_or(1);
        let place = |k: usize| DISTANCE * (k as f64 - 0.5 * (side as f64 - 1.0));
        let (along, across) = ((1.0_f64 / 3.0).sqrt(), (2.0_f64 / 3.0).sqrt());
        let mut motion = Motion::default();
        for i in 0..self.molecules {
            let oxygen = [place(i % side), place(i / side % side), place(i / side.pow(2))];
            let speed = if i % 2 == 0 { SPEED } else { -SPEED };
            for [x, y] in [[0.0, 0.0], [along, across], [along, -across]] {
                motion.q.extend([oxygen[0] + x, oxygen[1] + y, oxygen[2]]);
                motion.v.extend([0.0, 0.0, speed]);
            }
        }
        motion
    }

    pub(crate) fn coordinate_names(&self) -> Vec<String> {
        let atoms = (1..=self.molecules).flat_map(|i| ["o", "a", "b"].map(|atom| (i, atom)));
        atoms.flat_map(|(i, atom)| ["x", "y", "z"].map(|axis| format!("{atom}{axis}{i}"))).collect()
    }

    pub(crate) fn bonds(&self) -> Vec<Constraint> {
        let bonds = (1..=self.molecules).flat_map(|i| ["oa", "ob", "ab"].map(|bond| format!("{bond}{i}")));
        bonds.map(Constraint::rod).collect()
    }
}

fn square_of_distance<S: Scalar>(a: &[S], b: &[S]) -> S {
    (a[0] - b[0]).square() + (a[1] - b[1]).square() + (a[2] - b[2]).square()
}

impl Mechanical for Waters {
    fn coordinates(&self) -> Vec<String> {
        self.coordinate_names()
    }

    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        for i in 0..q.len() {
            mass.add(i, i, S::constant(MASSES[i / 3 % 3]));
        }
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        let mut potential = S::zero();
        for (i, one) in q.chunks_exact(9).enumerate() {
            potential += (one[0].square() + one[1].square() + one[2].square()) * (0.5 * TRAP);
            for other in q.chunks_exact(9).skip(i + 1) {
                let cube = square_of_distance(one, other).powi(3);
                potential += (S::constant(REPULSION) / cube - ATTRACTION) / cube;
                for (a, charge) in one.chunks_exact(3).zip(CHARGES) {
                    for (b, other_charge) in other.chunks_exact(3).zip(CHARGES) {
                        potential += S::constant(charge * other_charge) / square_of_distance(a, b).sqrt();
                    }
                }
            }
        }
        potential
    }

    fn constraints(&self) -> Vec<Constraint> {
        self.bonds()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        for (g, atoms) in g.chunks_exact_mut(3).zip(q.chunks_exact(9)) {
            for (g, (i, j, square)) in g.iter_mut().zip(BONDS) {
                *g = (square_of_distance(&atoms[3 * i..], &atoms[3 * j..]) - square) * 0.5;
            }
        }
    }
}

/// Two molecules at t = 10, by Taylor series with 20 digits.
const AT_10: ([f64; 18], [f64; 18]) = (
    [
        -1.013_715_333_396_881_6,
        -1.438_869_320_499_642,
        -0.388_493_701_455_556_9,
        -0.268_890_937_311_506_54,
        -1.409_533_968_687_667_6,
        -1.055_109_074_913_238_1,
        -1.201_662_875_181_193_3,
        -0.514_051_575_656_828_9,
        -0.057_755_345_105_574_45,
        1.055_779_813_827_193_4,
        -1.325_662_237_032_152_7,
        -2.254_216_094_152_571_5,
        1.187_789_351_704_381_6,
        -1.005_903_896_787_139_7,
        -3.192_474_100_115_327,
        1.870_136_423_332_291,
        -1.116_176_052_134_247_9,
        -1.712_977_837_104_640_2,
    ],
    [
        -0.084_739_923_857_527_32,
        0.029_288_800_393_424_796,
        0.157_136_100_808_657_86,
        0.115_889_044_982_894_73,
        0.492_773_584_364_128_8,
        0.401_699_677_111_216_74,
        0.091_057_412_290_494_52,
        -0.253_893_997_040_962_77,
        1.048_877_707_490_365_5,
        0.049_158_915_154_352_285,
        0.109_239_623_932_127_27,
        -0.083_215_441_374_140_03,
        -0.201_751_313_753_591_57,
        -0.844_233_878_995_877_2,
        -0.443_461_392_895_572_5,
        0.542_548_717_031_533_7,
        -0.128_875_386_138_340_07,
        -0.733_416_044_550_164_1,
    ],
);

pub(crate) const ENTRY: Entry =
    Entry { name: "waters_2", starts: &["grid"], build: |_| Ok(pair_of_waters()) };

/// So many molecules, with derivatives by hand: K of all pairs is not kept, so that methods with Newton's matrices are refused.
pub fn waters(molecules: usize) -> Problem {
    let system = by_hand::Waters::new(Waters { molecules });
    problem(molecules, System::Mechanical(Box::new(system)), Vec::new())
}

fn pair_of_waters() -> Problem {
    let system = System::Mechanical(Box::new(Differentiated::new(Waters { molecules: 2 })));
    let end = Motion { q: AT_10.0.to_vec(), v: AT_10.1.to_vec(), ..Motion::default() };
    problem(2, system, vec![Reference { t: 10.0, state: State::Motion(end), digits: 16 }])
}

fn problem(molecules: usize, system: System, references: Vec<Reference>) -> Problem {
    Problem {
        name: format!("waters_{molecules}"),
        start_name: "grid".into(),
        title: format!("{molecules} rigid waters"),
        source: "Berendsen, Postma, van Gunsteren, Hermans 1981: Interaction models for water in relation to protein hydration"
            .into(),
        purpose: "molecular dynamics: forces of positions alone between all pairs, bonds as rods".into(),
        index: 3,
        system,
        start: Start { t: 0.0, state: State::Motion(Waters { molecules }.start()) },
        t_end: 10.0,
        kinks: Vec::new(),
        references,
    }
}
