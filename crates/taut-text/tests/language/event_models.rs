//! The models with events, against what is known in closed form.

use crate::phases::{read, run};
use taut::motion::Motion;
use taut_text::builtin;

fn motion(name: &str, method: &str, tolerance: f64, end: f64) -> Motion {
    let (.., text) = builtin().iter().find(|model| model.0 == name).unwrap();
    run(&read(text), method, tolerance, end).unwrap_or_else(|error| panic!("{name}, {method}: {error}"))
}

fn times(motion: &Motion, event: &str) -> Vec<f64> {
    motion.crossings.iter().filter(|crossing| crossing.event == event).map(|crossing| crossing.t).collect()
}

#[test]
fn the_ball_rolls_on_once_it_lies_still() {
    let motion = motion("bouncing-ball", "auto", 1e-8, 5.0);
    let fall = (2.0_f64 / 9.81).sqrt();
    let speed = 9.81 * fall;
    let bounces = (1..).take_while(|&k| speed * 0.8_f64.powi(k - 1) >= 0.05).count() + 1;
    assert_eq!(times(&motion, "landing").len(), bounces);
    assert_eq!(times(&motion, "rest").len(), 1);
    assert!((motion.y[0] - 2.5).abs() < 1e-12 && motion.y[1].abs() < 1e-15);
    assert!((motion.lambda()[0] + 9.81).abs() < 1e-12);
}

#[test]
fn the_rope_is_never_longer_than_it_is() {
    for method in ["auto", "radau", "bdf"] {
        let motion = motion("slack-rope", method, 1e-9, 5.0);
        assert!(!times(&motion, "slack").is_empty() && !times(&motion, "taut").is_empty(), "{method}");
        for (_, y) in motion.trajectory.iter() {
            assert!(y[0].hypot(y[1]) < 1.0 + 1e-9 && y[4] > -1e-9, "{method}: {y:?}");
        }
    }
}

#[test]
fn stick_and_slip_take_their_time() {
    let (stiffness, belt, difference) = (1.0_f64, 0.1_f64, 0.15_f64);
    let omega = stiffness.sqrt();
    let reach = difference / stiffness;
    let phase = (belt / omega).atan2(reach);
    let (slipping, sticking) = ((std::f64::consts::PI + 2.0 * phase) / omega, 2.0 * reach / belt);
    for method in ["auto", "radau", "bdf", "adams"] {
        let motion = motion("stick-slip", method, 1e-10, 40.0);
        let (slip, stick) = (times(&motion, "slip"), times(&motion, "stick"));
        assert!((slip[0] - 0.4 / belt).abs() < 1e-7, "{method}: {}", slip[0]);
        for (slip, stick) in slip.iter().zip(&stick) {
            assert!((stick - slip - slipping).abs() < 1e-7, "{method}: {}", stick - slip);
        }
        for (stick, slip) in stick.iter().zip(&slip[1..]) {
            assert!((slip - stick - sticking).abs() < 1e-7, "{method}: {}", slip - stick);
        }
    }
}

#[test]
fn the_clock_settles_to_the_swing_that_friction_allows() {
    let (friction, kick) = (0.1_f64, 0.2_f64);
    let omega = ((2.0 * std::f64::consts::PI).powi(2) - friction * friction / 4.0).sqrt();
    let left = (-friction / 2.0 * std::f64::consts::PI / omega).exp();
    let speed = (2.0 * kick / (1.0 - left * left)).sqrt();
    for method in ["auto", "radau", "bdf", "adams"] {
        let motion = motion("escapement", method, 1e-9, 120.0);
        let after = motion.changes.last().unwrap().t;
        let state = motion.trajectory.iter().filter(|(t, _)| *t == after).last().unwrap().1;
        // Of where it began less than this is left after two minutes.
        let memory = (-friction * 120.0_f64).exp() * 10.0;
        assert!((state[1].abs() - speed).abs() < memory + 1e-6, "{method}: {} {speed}", state[1]);
    }
}

#[test]
fn the_woodpecker_pecks_its_way_down() {
    let motion = motion("woodpecker", "auto", 1e-9, 2.0);
    for event in ["peck", "jam_above", "free_above", "jam_below", "free_below"] {
        assert!(times(&motion, event).len() >= 3, "{event}: {:?}", motion.events);
    }
    // Once above and twice below: there the force changes its sign while the bird goes down, and again on its way back.
    assert_eq!((times(&motion, "jam_above").len(), times(&motion, "jam_below").len()), (22, 44));
    assert!(motion.y[0] < -0.005, "{:?}", motion.y);
    assert!(motion.invariants.energy_error < 1e-9, "{:e}", motion.invariants.energy_error);
}
