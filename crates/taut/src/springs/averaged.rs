//! Springs with energy in them: what their vibrations do to everything else, without following them.
//!
//! A vibration of frequency ω(q), fast against everything else, keeps its action J = E/ω. Its energy J ω(q) then acts on the
//! slow motion like a potential (Rubin and Ungar 1957; Bornemann 1998): positions are those of followed vibrations up to
//! the amplitude of these. The actions of several vibrations are kept as long as their frequencies stay apart from each
//! other and from resonances ωᵢ = 2ωⱼ and ωᵢ = ωⱼ + ωₖ, over which they would exchange energy.

use std::cell::RefCell;

use super::modes::Modes;
use crate::linear::Choice;
use crate::system::{
    Dynamics, Energy, Evaluation, Fault, MechanicalExpansion, MechanicalSystem, MotionSeries, MovingFrame,
    Series, Terms, Wrapper,
};

/// Energies below this share of that of the motion are taken for rounding.
const NEGLIGIBLE: f64 = 1e-12;
/// Friction is none when it changes the energy of a vibration by less than this share in the time 1/ω.
const NO_FRICTION: f64 = 1e-12;
/// Frequencies are apart when they differ by more than this share, those of resonances by more than that.
const APART: f64 = 0.05;
const NOT_RESONANT: f64 = 0.01;
/// A vibration is the same one in the next step when its direction has turned by less than this cosine.
const SAME: f64 = 0.7;

/// A system with the potential of the vibrations of its springs, which themselves are in smooth motion.
pub(crate) struct AveragedVibrations<'a> {
    system: &'a dyn MechanicalSystem,
    work: RefCell<Work<'a>>,
}

struct Work<'a> {
    modes: Modes<'a>,
    /// J of each vibration, the fastest first
    actions: Vec<f64>,
    /// the shares of springs in each vibration at the last accepted state
    shares: Vec<f64>,
}

impl<'a> AveragedVibrations<'a> {
    /// The vibrations of a start whose smooth motion is `smooth`, positions and velocities.
    ///
    /// # Errors
    /// Why they cannot be averaged.
    pub(crate) fn of(
        system: &'a dyn MechanicalSystem,
        t: f64,
        (q, v): (&[f64], &[f64]),
        smooth: (&[f64], &[f64]),
        choice: Choice,
    ) -> Result<Self, Fault> {
        let refuse = |reason: String| Fault::OutsideDomain { t, reason };
        let damped = system.structure().constraints.iter().find(|constraint| constraint.relaxation() > 0.0);
        if let Some(spring) = damped {
            return Err(refuse(format!(
                "the damper of '{}' takes the energy of vibrations out",
                spring.name
            )));
        }
        if system.frame().is_some() {
            return Err(refuse("vibrations of a strong potential cannot be averaged".to_owned()));
        }
        let mut modes = Modes::new(system, choice);
        modes.find(t, smooth.0)?;
        let difference = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x - y).collect::<Vec<f64>>();
        let (dq, dv) = (difference(q, smooth.0), difference(v, smooth.1));
        let least = NEGLIGIBLE * system.energy(t, q, v)?.kinetic;
        let mut actions = vec![0.0; modes.len()];
        for (i, action) in actions.iter_mut().enumerate() {
            let (energy, frequency) = (modes.energy(i, &dq, &dv), modes.frequency(i));
            if energy <= least {
                continue;
            }
            *action = energy / frequency;
            if modes.friction(i, t, smooth.0, smooth.1)?.abs() > NO_FRICTION * frequency {
                return Err(refuse("friction changes the energy of vibrations".to_owned()));
            }
        }
        let shares = modes.shares().to_vec();
        let work = Work { modes, actions, shares };
        work.check(t)?;
        Ok(AveragedVibrations { system, work: RefCell::new(work) })
    }
}

impl Work<'_> {
    /// Whether vibrations with energy stay the same ones, at frequencies that are apart.
    fn check(&self, t: f64) -> Evaluation {
        let (modes, number) = (&self.modes, self.modes.len());
        let stop =
            |why: String| Err(Fault::raised(t, format!("vibrations cannot be averaged any more: {why}")));
        for i in (0..number).filter(|&i| self.actions[i] > 0.0) {
            let own = modes.frequency(i);
            let close = |other: f64, share: f64| (own - other).abs() <= share * own;
            for j in (0..number).filter(|&j| j != i) {
                let other = modes.frequency(j);
                if close(other, APART) {
                    return stop(format!("the frequencies {own:.3e} and {other:.3e} come together"));
                }
                let double = close(2.0 * other, NOT_RESONANT) || close(0.5 * other, NOT_RESONANT);
                let sums = (0..j).filter(|&k| k != i).map(|k| modes.frequency(k));
                let mut sums = sums.flat_map(|third| [other + third, (other - third).abs()]);
                if double || sums.any(|sum| close(sum, NOT_RESONANT)) {
                    return stop(format!("the frequency {own:.3e} is in resonance with {other:.3e}"));
                }
            }
            let (now, before) = (&modes.shares()[i * number..], &self.shares[i * number..]);
            let cosine: f64 = now.iter().zip(before).take(number).map(|(x, y)| x * y).sum();
            if cosine.abs() < SAME {
                return stop(format!("that of frequency {own:.3e} becomes another one"));
            }
        }
        Ok(())
    }

    /// Adds −Σ J ∂ω/∂q.
    fn add_force(&mut self, t: f64, q: &[f64], force: &mut [f64]) -> Evaluation {
        if self.actions.iter().all(|action| *action == 0.0) {
            return Ok(());
        }
        self.modes.find(t, q)?;
        for (i, action) in self.actions.iter().enumerate().filter(|(_, action)| **action > 0.0) {
            self.modes.add_slope(i, t, q, -action, force)?;
        }
        Ok(())
    }
}

impl Wrapper for AveragedVibrations<'_> {
    /// Its Newton blocks are taken as they are, without the derivative of the further potential's force, which is as slow as
    /// everything else: Newton's iteration contracts like O(h²) with it.
    fn inner(&self) -> &dyn MechanicalSystem {
        self.system
    }

    /// None: frequencies are found by iteration.
    fn series(&self, _along: &MotionSeries<'_>, _balance: &mut [Series], _constraint: &mut [Series]) -> bool {
        false
    }

    /// None: frequencies are found by iteration.
    fn expansion(&self) -> Option<MechanicalExpansion> {
        None
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        self.system.force(terms, t, q, v, force)?;
        if terms.contain(Terms::POTENTIAL) {
            self.work.borrow_mut().add_force(t, q, force)?;
        }
        Ok(())
    }

    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        self.system.dynamics(t, q, v, out)?;
        self.work.borrow_mut().add_force(t, q, out.force)
    }

    /// With the energy of the vibrations.
    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        let mut energy = self.system.energy(t, q, v)?;
        let Work { modes, actions, .. } = &mut *self.work.borrow_mut();
        modes.find(t, q)?;
        energy.potential += actions.iter().enumerate().map(|(i, j)| j * modes.frequency(i)).sum::<f64>();
        Ok(energy)
    }

    fn frame(&self) -> Option<&dyn MovingFrame> {
        Some(self)
    }

    fn terms(&self) -> Terms {
        self.system.terms() | Terms::POTENTIAL
    }
}

/// The actions, which stay, and the vibrations that they belong to.
impl MovingFrame for AveragedVibrations<'_> {
    fn begin(&self, _t: f64, _q: &[f64]) -> Evaluation {
        Ok(())
    }

    fn follow(&self, t: f64, state: &[f64]) -> Evaluation {
        let work = &mut *self.work.borrow_mut();
        work.modes.find(t, &state[..self.system.structure().n()])?;
        work.check(t)?;
        work.shares.copy_from_slice(work.modes.shares());
        Ok(())
    }

    fn save(&self) -> Vec<f64> {
        let work = self.work.borrow();
        [work.actions.as_slice(), &work.shares].concat()
    }

    fn restore(&self, numbers: &[f64]) -> bool {
        let Work { actions, shares, .. } = &mut *self.work.borrow_mut();
        if numbers.len() != actions.len() + shares.len() {
            return false;
        }
        let (of_actions, of_shares) = numbers.split_at(actions.len());
        actions.copy_from_slice(of_actions);
        shares.copy_from_slice(of_shares);
        true
    }
}
