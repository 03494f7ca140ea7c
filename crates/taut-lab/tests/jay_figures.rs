//! The experiments of Jay 1998, section 10, figure by figure.
#![allow(clippy::unwrap_used)]

use taut::method::{Shares, SparkOptions};
use taut::options::Options;
use taut_lab::experiment::squeezer_energy::{STEP, driven_squeezer, free_squeezer};
use taut_lab::experiment::two_pendulums::{damped, mixed, rigid_pendulum_energy};
use taut_tableau::Lobatto;

/// Figure 1: constant steps, free motion. The energy error is bounded and does not drift.
#[test]
fn figure_1_the_energy_error_is_bounded() {
    let run = free_squeezer(Options { constant_step: Some(STEP), ..Options::default() }, 0.08).unwrap();
    let ((least, largest), drift) = (run.band(), run.drift() * 0.08);
    println!(
        "claimed [-5.8e-9, 7.2e-9] without drift; measured [{least:.2e}, {largest:.2e}], drift {drift:.1e}"
    );
    assert!((-5.9e-9..-5.7e-9).contains(&least) && (7.1e-9..7.3e-9).contains(&largest));
    assert!(drift.abs() < 1e-10, "{drift:.1e}");
}

/// Figure 3: constant torque. The running maximum of the error grows with the square of time.
#[test]
fn figure_3_the_energy_error_grows_with_the_square_of_time() {
    let growth = driven_squeezer(0.1).unwrap().growth(0.01);
    println!("claimed exponent 2, measured {growth:.2}");
    assert!((1.8..2.2).contains(&growth), "{growth:.2}");
}

/// Figure 5: IIIC for all equations damps the rigid pendulum.
#[test]
fn figure_5_the_rigid_pendulum_is_damped() {
    let run = rigid_pendulum_energy(damped(), 4000).unwrap();
    let lost = -run.drift();
    println!("claimed a loss of 8.9e-7 per unit time, measured {lost:.2e}");
    assert!((8.7e-7..9.1e-7).contains(&lost), "{lost:.2e}");
}

/// Figure 6: 1/ε = 1e8, friction 1e12, h = 0.12. The energy error of the rigid pendulum stays bounded, with IIIB for the rod
/// as well as with IIIC, which treats forces that do not depend on velocities in the same way.
#[test]
fn figure_6_the_rigid_pendulum_keeps_its_energy() {
    let all_damped = SparkOptions { positions: Shares::only(Lobatto::A), ..damped() };
    for (name, options) in [("IIIB for the rod", mixed()), ("IIIC for the rod", all_damped)] {
        let run = rigid_pendulum_energy(options, 4000).unwrap();
        let ((least, largest), lost) = (run.band(), run.drift());
        println!(
            "{name}: claimed [-1.3e-6, 1e-8]; measured [{least:.2e}, {largest:.2e}], {lost:.1e} per unit time"
        );
        assert!(-1.3e-6 < least && largest < 3e-7 && lost.abs() < 1e-10);
    }
}
