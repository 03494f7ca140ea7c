//! Springs that say what rods or other springs say.
//!
//! A spring between points that rods hold to each other cannot stretch: it pulls with (g + d g')/c, rods answer, and nothing
//! vibrates. Springs beside each other stretch together, and share by their compliances what they pull with. Taken along with the
//! rods, neither would leave multipliers determined: G M⁻¹Gᵀ is singular, or so nearly that rounding errors hide it.

use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::geometry::rods::DEPENDENT;
use crate::linear::{ConstraintRank, Pattern};
use crate::motion::Statistics;

/// What rods and other springs leave to a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Freedom {
    /// it stretches by itself
    Own,
    /// so does it, but rods leave it this share of how fast it would vibrate alone: light points that it pulls at move heavy ones
    Slowed(f64),
    /// nothing, wherever the mechanism moves: rods hold it
    None,
    /// it stretches with others, or does not stretch here: so many times as fast as alone, where others are beside it
    Shared(f64),
}

impl Freedom {
    /// Whether it stretches by itself.
    pub(crate) fn is_own(self) -> bool {
        matches!(self, Freedom::Own | Freedom::Slowed(_))
    }
}

/// Rods that leave no more than this share of G M⁻¹Gᵀ to a spring hold it,
const HELD: f64 = DEPENDENT * DEPENDENT;
/// and those that leave less than this one slow it down.
const SLOWED: f64 = 1e-4;
/// Of more constraints the springs are not looked at one by one.
const MOST_LOOKED_AT: usize = 200;

/// The mechanism is moved by so much, in units of 1 + |q|, to look whether a spring is held elsewhere, too,
const MOVE: f64 = 1e-2;
/// in so many directions.
const DIRECTIONS: usize = 2;

impl Manifold<'_> {
    /// What is left to each spring at a state that was just evaluated; rods have their own rows. Afterwards all springs are followed,
    /// and nothing is factored.
    pub(crate) fn freedom_of_springs(
        &mut self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        count: &mut Statistics,
    ) -> Result<Vec<Freedom>, StepFailure> {
        self.follow_springs(|_| true);
        let rods = self.compliance.contains(&0.0);
        let mut left = vec![1.0; self.compliance.len()];
        if rods {
            self.factor(count)?;
            let looked_at = if left.len() <= MOST_LOOKED_AT { SLOWED } else { HELD };
            left = self.left_by_rods(looked_at, count);
        }
        let held: Vec<bool> = left.iter().map(|left| *left <= HELD).collect();
        let mut freedom = self.shared_freedom(&held);
        for (freedom, left) in freedom.iter_mut().zip(&left).filter(|(_, left)| **left < SLOWED) {
            if *freedom == Freedom::Own {
                *freedom = Freedom::Slowed(left.sqrt());
            }
        }
        if held.contains(&true) {
            let always = self.held_elsewhere(t, (q, v), &held, count);
            self.evaluate(t, q, v, count)?;
            for k in (0..held.len()).filter(|&k| held[k]) {
                freedom[k] = if always[k] { Freedom::None } else { Freedom::Shared(1.0) };
            }
        }
        Ok(freedom)
    }

    /// The share of G M⁻¹Gᵀ that rods leave to each spring, G P M⁻¹Gᵀ, with what was evaluated and factored last; 1 where it is
    /// more than is looked at.
    fn left_by_rods(&mut self, looked_at: f64, count: &mut Statistics) -> Vec<f64> {
        let n = self.structure().n();
        let (rows, masses) = (self.gradients(), self.inverse_masses());
        let mut shares = vec![1.0; rows.len()];
        let mut answer = vec![0.0; n];
        let [first, second] = std::array::from_fn(|number| self.answer_to_impulse(number, count));
        for (k, row) in rows.iter().enumerate() {
            let all: f64 = row.iter().map(|(column, g)| g * g * masses[*column]).sum();
            let stretches = |(moved, square): &(Vec<f64>, f64)| {
                let stretch: f64 = row.iter().map(|(column, g)| g * moved[*column]).sum();
                stretch * stretch > looked_at * all * square
            };
            if self.is_rigid(k) || stretches(&first) || stretches(&second) {
                continue;
            }
            answer.fill(0.0);
            row.iter().for_each(|(column, g)| answer[*column] = *g);
            self.tangent_velocities(&mut answer, count);
            let left: f64 = row.iter().map(|(column, g)| g * answer[*column]).sum();
            shares[k] = if all > 0.0 { left.abs() / all } else { 0.0 };
        }
        shares
    }

    /// x = P M⁻¹b, what rods leave of the answer to arbitrary impulses b, and bᵀx. Springs that stretch by it are not held, and need
    /// not be looked at one by one: G P M⁻¹Gᵀ ≥ (G x)²/bᵀx (Cauchy and Schwarz).
    fn answer_to_impulse(&mut self, number: usize, count: &mut Statistics) -> (Vec<f64>, f64) {
        let impulse = arbitrary(self.structure().n(), number);
        let mut answer = impulse.clone();
        self.tangent_velocities(&mut answer, count);
        let square: f64 = impulse.iter().zip(&answer).map(|(b, x)| b * x).sum();
        // Where rods hold everything, both are rounding errors.
        let free: f64 = impulse.iter().zip(self.inverse_masses()).map(|(b, mass)| b * b * mass).sum();
        (answer, square.max(f64::EPSILON.sqrt() * free))
    }

    /// Those of the springs held here that are held in other places, too; none where the system cannot be evaluated there.
    fn held_elsewhere(
        &mut self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        held: &[bool],
        count: &mut Statistics,
    ) -> Vec<bool> {
        let mut always = held.to_vec();
        let size = |x: &[f64]| x.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        for number in 0..DIRECTIONS {
            let arbitrary = arbitrary(q.len(), number);
            let found = self.evaluate_geometry(t, q, v).and_then(|()| self.factor(count));
            let mut direction = vec![0.0; q.len()];
            self.structure().mass.multiply_add(&self.evaluated().mass, &arbitrary, &mut direction, 1.0);
            self.tangent_velocities(&mut direction, count);
            // What is all rounding is no direction: nothing moves.
            let length = size(&direction);
            let scale = if length > DEPENDENT { MOVE * (1.0 + size(q)) / length } else { 0.0 };
            let moved: Vec<f64> = q.iter().zip(&direction).map(|(q, d)| q + scale * d).collect();
            let found = found.and_then(|()| self.evaluate_geometry(t, &moved, v));
            let found = found.and_then(|()| self.factor(count)).map(|()| self.left_by_rods(HELD, count));
            let there = found.unwrap_or_else(|_| vec![1.0; held.len()]);
            always.iter_mut().zip(there).for_each(|(always, left)| *always &= left <= HELD);
        }
        always
    }

    /// Which springs stretch with others, of those that are not held.
    fn shared_freedom(&self, held: &[bool]) -> Vec<Freedom> {
        let numbers: Vec<usize> = (0..held.len()).filter(|&k| !held[k]).collect();
        let place = |k: usize| numbers.binary_search(&k).ok();
        let entries = || {
            let all = self.structure().jacobian.entries().zip(&self.evaluated().jacobian);
            all.filter_map(|((row, column), g)| Some(((place(row)?, column), *g)))
        };
        let columns = self.structure().n();
        let pattern = Pattern::from_entries(numbers.len(), columns, entries().map(|(entry, _)| entry));
        let values: Vec<f64> = entries().map(|(_, g)| g).collect();
        let rank = ConstraintRank::new(&pattern, &values, DEPENDENT);
        let mut freedom = vec![Freedom::Own; held.len()];
        // What a spring pulls with per stretch, with all those beside it.
        let mut pulls: Vec<f64> = self.compliance.iter().map(|c| 1.0 / c).collect();
        let mut beside = Vec::new();
        for &row in rank.dependent() {
            let combination = rank.combination(row);
            for number in combination.iter().map(|(other, _)| *other).chain([row]) {
                freedom[numbers[number]] = Freedom::Shared(1.0);
            }
            if let [(other, factor)] = combination[..] {
                pulls[numbers[other]] += factor * factor / self.compliance[numbers[row]];
                beside.push((numbers[row], numbers[other], factor));
            }
        }
        let others = beside.iter().map(|(_, other, _)| (*other, *other, 1.0));
        for (k, other, factor) in others.chain(beside.iter().copied()) {
            let stiffer = pulls[other] * self.compliance[k] / (factor * factor);
            freedom[k] = Freedom::Shared(stiffer.max(1.0).sqrt());
        }
        freedom
    }
}

/// Numbers between −1 and 1 that no mechanism is made for, other ones for each `number`.
fn arbitrary(n: usize, number: usize) -> Vec<f64> {
    (0..n).map(|i| ((i + 1) as f64 * (1.7 + number as f64)).sin()).collect()
}
