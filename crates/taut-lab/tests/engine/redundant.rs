//! Constraints that follow from others all along, and that contradict them by the rounding of data.

use taut::method::Method;
use taut::options::Options;
use taut::start::StartError;
use taut::system::Differentiated;
use taut::{Error, Solver};
use taut_lab::{solver_of, start_of};
use taut_problems::find;
use taut_problems::mechanics::Bricard;

#[test]
fn bricards_linkage_moves_with_every_method() {
    let linkage = find("bricard").unwrap();
    let reference = linkage.references[0].state.motion().unwrap();
    for (name, rtol) in
        [("auto", 1e-6), ("radau", 1e-6), ("radau", 1e-9), ("bdf", 1e-6), ("bdf", 1e-10), ("dopri8", 1e-6)]
    {
        let options = Options { rtol, atol: rtol, ..Options::default() };
        let solver = solver_of(&linkage).method(Method::named(name).unwrap()).options(options).watch(true);
        let motion = solver.run(0.0, linkage.t_end, &start_of(&linkage)).unwrap();
        let off = motion.q().iter().zip(&reference.q).map(|(q, exact)| (q - exact).abs()).fold(0.0, f64::max);
        assert!(off < 100.0 * rtol.max(1e-9), "{name} at {rtol:e}: {off:.1e}");
        assert!(motion.invariants.residuals[0] < 1e-12, "{name}: {:?}", motion.invariants);
        assert_eq!(motion.redundant.len(), 1, "{name}: {:?}", motion.redundant);
    }
}

/// The last hinge is off by a millionth: counting rods one by one they contradict each other.
#[test]
fn a_gap_of_rounding_is_told_and_spread_when_it_is_accepted() {
    let linkage = find("bricard").unwrap();
    let rounded = Differentiated::new(Bricard { inertia: 0.001, last: 1.0 + 1e-6 });
    let refused = Solver::mechanical(&rounded).run(0.0, 1.0, &start_of(&linkage));
    let Err(Error::Start(error)) = refused else { panic!("{refused:?}") };
    let StartError::Contradiction { residual, .. } = &error else { panic!("{error}") };
    assert!((1e-7..1e-5).contains(residual), "{error}");
    assert!(error.to_string().contains("--accept-gap"), "{error}");

    let options = Options { accept_gap: 1e-5, rtol: 1e-8, atol: 1e-8, ..Options::default() };
    let solver = Solver::mechanical(&rounded).options(options).watch(true);
    let motion = solver.run(0.0, linkage.t_end, &start_of(&linkage)).unwrap();
    let gap = motion.invariants.residuals[0];
    assert!((1e-8..5e-6).contains(&gap), "{gap:e}");
    let reference = linkage.references[0].state.motion().unwrap();
    let off = motion.q().iter().zip(&reference.q).map(|(q, exact)| (q - exact).abs()).fold(0.0, f64::max);
    assert!(off < 1e-4, "{off:e}");
}
