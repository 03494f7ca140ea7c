//! Motion along jumps that lead back to themselves from both sides: friction that sticks and slips, sliding modes.

use std::f64::consts::PI;

use crate::phases::{read, run, run_with};
use taut::Error;
use taut::motion::Motion;
use taut::run::{Observer, Snapshot};
use taut_text::ModelPhases;

const METHODS: [&str; 4] = ["dopri8", "adams", "radau", "bdf"];

/// How often something has happened.
fn count(motion: &Motion, event: &str) -> usize {
    motion.events.iter().find(|known| known.name == event).map_or(0, |known| known.count)
}

/// When it happened, time after time.
fn times(motion: &Motion, event: &str) -> Vec<f64> {
    motion.crossings.iter().filter(|crossing| crossing.event == event).map(|crossing| crossing.t).collect()
}

#[test]
fn a_variable_stays_on_its_jump_until_one_side_leads_away() {
    // x reaches 0 at 4 - √8 and leaves when t/4 outweighs the jump.
    let text =
        "[variables]\nx = { start = 1, rate = \"-sign(x) + t/4\" }\ny = { start = 0, rate = \"1 + x\" }\n";
    for method in METHODS {
        let motion = run(&read(text), method, 1e-9, 6.0).unwrap_or_else(|error| panic!("{method}: {error}"));
        assert!((motion.y[0] - 0.5).abs() < 1e-7, "{method}: {:?}", motion.y);
        let (held, left) = (times(&motion, "x = 0 holds"), times(&motion, "x = 0 lets go"));
        assert!((held[0] - (4.0 - 8.0_f64.sqrt())).abs() < 1e-9 && held.len() == 1, "{method}: {held:?}");
        assert!((left[0] - 4.0).abs() < 1e-9 && left.len() == 1, "{method}: {left:?}");
        assert_eq!((count(&motion, "x = 0 holds"), count(&motion, "x = 0 lets go")), (1, 1), "{method}");
    }
}

/// x'' = -2 sign(x + x'): once x + x' = 0 is reached the motion is x' = -x.
#[test]
fn a_sliding_mode_decays_as_its_surface_says() {
    let first =
        "[variables]\nx = { start = 1, rate = \"v\" }\nv = { start = 0, rate = \"-2*sign(x + v)\" }\n";
    let second = "[coordinates]\nx = { start = 1 }\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = { driving = \"-2*sign(x + x')\" }\n";
    let condition = second.replace("-2*sign(x + x')", "if(x + x' > 0, -2, 2)");
    for text in [first, second, &condition] {
        for method in METHODS {
            let motion =
                run(&read(text), method, 1e-9, 3.0).unwrap_or_else(|error| panic!("{method}: {error}"));
            // 1 - t² - 2t = 0
            let (at, x) = (2.0_f64.sqrt() - 1.0, 2.0 * (2.0_f64.sqrt() - 1.0));
            let exact = x * (at - 3.0).exp();
            assert!((motion.y[0] - exact).abs() < 1e-7, "{text} {method}: {} {exact}", motion.y[0]);
            assert!((motion.y[0] + motion.y[1]).abs() < 1e-7, "{method}: {:?}", motion.y);
        }
    }
}

/// A push cos t against friction 1/2: slips, sticks at v = 0, slips back from 2π/3 on.
const PUSHED: &str = "[parameters]\nmu = 0.5\n[coordinates]\nx = { start = 0 }\n[energy]\nkinetic = \"x'^2/2\"\n\
                      [forces]\nx = { driving = \"cos(t)\", dissipative = \"-mu*sign(x')\" }\n";

#[test]
fn a_block_sticks_and_slips() {
    for method in METHODS {
        let motion =
            run(&read(PUSHED), method, 1e-10, 3.0).unwrap_or_else(|error| panic!("{method}: {error}"));
        let (held, left) = (times(&motion, "x' = 0 holds"), times(&motion, "x' = 0 lets go"));
        assert!((held[0].sin() - held[0] / 2.0).abs() < 1e-9, "{method}: {held:?}");
        assert!((left[0] - 2.0 * PI / 3.0).abs() < 1e-9, "{method}: {left:?}");
        let v = 3.0_f64.sin() - left[0].sin() + 0.5 * (3.0 - left[0]);
        assert!((motion.y[1] - v).abs() < 1e-8, "{method}: {} {v}", motion.y[1]);
        let rest = 1.0 - held[0].cos() - held[0] * held[0] / 4.0;
        let moved =
            left[0].cos() - 3.0_f64.cos() - left[0].sin() * (3.0 - left[0]) + 0.25 * (3.0 - left[0]).powi(2);
        assert!((motion.y[0] - rest - moved).abs() < 1e-8, "{method}: {:?} {}", motion.y, rest + moved);
    }
    // For a long time: twice in each period, at rest in between.
    let motion = run(&read(&PUSHED.replace("mu = 0.5", "mu = 0.7")), "auto", 1e-8, 100.0 * PI).unwrap();
    let (held, left) = (count(&motion, "x' = 0 holds"), count(&motion, "x' = 0 lets go"));
    assert!(held.abs_diff(left) <= 1 && (98..=101).contains(&left), "{held} {left}");
}

/// A block on a slope, held on it by a rod: it comes to rest where friction is stronger than gravity, and its weight stays.
#[test]
fn friction_holds_beside_constraints() {
    let text = "[parameters]\na = 0.4\nmu = 0.6\ng = 9.81\n[coordinates]\nx = { start = 0, velocity = \"2*cos(a)\" }\n\
                y = { start = 0, velocity = \"2*sin(a)\" }\n[define]\nspeed = \"x'*cos(a) + y'*sin(a)\"\n\
                friction = \"-mu*g*cos(a)*sign(speed)\"\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"g*y\"\n\
                [constraints]\nslope = \"y*cos(a) - x*sin(a)\"\n[forces]\nx = { dissipative = \"friction*cos(a)\" }\n\
                y = { dissipative = \"friction*sin(a)\" }\n";
    let deceleration = 9.81 * (0.4_f64.sin() + 0.6 * 0.4_f64.cos());
    for method in METHODS {
        let motion = run(&read(text), method, 1e-10, 2.0).unwrap_or_else(|error| panic!("{method}: {error}"));
        let way = 2.0 / deceleration;
        assert!((motion.y[0].hypot(motion.y[1]) - way).abs() < 1e-8, "{method}: {:?}", motion.y);
        assert!(motion.y[2].hypot(motion.y[3]) < 1e-14, "{method}: {:?}", motion.y);
        assert!((motion.y[4] + 9.81 * 0.4_f64.cos()).abs() < 1e-6, "{method}: {:?}", motion.y);
        assert_eq!(motion.y.len(), 5);
    }
    // With less friction it turns round and slides down.
    let motion = run(&read(&text.replace("mu = 0.6", "mu = 0.3")), "radau", 1e-10, 2.0).unwrap();
    assert!(
        motion.y[0] < -0.1 && count(&motion, "x'*cos(a) + y'*sin(a) = 0 holds") == 0,
        "{:?}",
        motion.events
    );
}

#[test]
fn two_blocks_come_to_rest_one_after_the_other() {
    let text = "[coordinates]\na = { start = 0, velocity = 1 }\nb = { start = 2 }\n[energy]\nkinetic = \"(a'^2 + b'^2)/2\"\n\
                potential = \"(b - a - 2)^2/2\"\n[forces]\na = { dissipative = \"-0.2*sign(a')\" }\nb = { dissipative = \"-0.3*sign(b')\" }\n";
    let mut ends = Vec::new();
    for method in METHODS {
        let motion = run(&read(text), method, 1e-9, 30.0).unwrap_or_else(|error| panic!("{method}: {error}"));
        assert!(motion.y[2].abs() + motion.y[3].abs() < 1e-13, "{method}: {:?}", motion.y);
        let pull = motion.y[1] - motion.y[0] - 2.0;
        assert!(pull.abs() <= 0.2 + 1e-9, "{method}: {pull}");
        ends.push((motion.y[0], motion.y[1]));
    }
    assert!(ends.iter().all(|end| (end.0 - ends[0].0).abs() + (end.1 - ends[0].1).abs() < 1e-6), "{ends:?}");
}

#[test]
fn what_rests_is_held_from_the_start() {
    // Nothing pulls at first; the push grows until friction is overcome at t = 2.
    let text = PUSHED.replace("cos(t)", "t/4");
    for method in METHODS {
        let motion = run(&read(&text), method, 1e-9, 4.0).unwrap_or_else(|error| panic!("{method}: {error}"));
        // x' = (t - 2)²/8
        assert!((motion.y[1] - 0.5).abs() < 1e-8, "{method}: {:?}", motion.y);
        assert_eq!(count(&motion, "x' = 0 lets go"), 1, "{method}");
    }
}

#[test]
fn two_jumps_at_once_are_named() {
    let text =
        "[variables]\nx = { start = 1, rate = \"-sign(x)\" }\ny = { start = 1.5, rate = \"-sign(y)\" }\n";
    let Err(Error::Stopped { reason, motion }) = run(&read(text), "radau", 1e-8, 3.0) else {
        panic!("it goes on")
    };
    let reason = reason.to_string();
    assert!(reason.contains("the jumps at x = 0 and at y = 0 hold the motion together"), "{reason}");
    assert!((motion.t - 1.5).abs() < 1e-9, "{}", motion.t);
    // A force that jumps with the velocity of another coordinate.
    let text = "[coordinates]\nx = { start = 0.2 }\ny = { start = 0, velocity = 1 }\n[energy]\nkinetic = \"(x'^2 + y'^2)/2 + x'*y'/2\"\n\
                [forces]\nx = { driving = \"2*sign(y')\" }\ny = { driving = \"-0.1\" }\n";
    let Err(Error::Stopped { reason, .. }) = run(&read(text), "radau", 1e-8, 9.0) else {
        panic!("it goes on")
    };
    assert!(
        reason.to_string().contains("the force that jumps at y' = 0 does not act along its velocity"),
        "{reason}"
    );
}

#[test]
fn an_event_pushes_what_sticks() {
    let text = format!(
        "{}[events]\nkick = {{ when = \"t - 1\", set = {{ \"x'\" = \"1\" }} }}\n",
        PUSHED.replace("cos(t)", "0.1")
    );
    let motion = run(&read(&text), "radau", 1e-10, 5.0).unwrap();
    assert!((motion.y[0] - 0.5 / 0.4).abs() < 1e-8 && motion.y[1].abs() < 1e-15, "{:?}", motion.y);
    assert_eq!(count(&motion, "x' = 0 holds"), 1);
}

/// Accelerations in events are those of what sticks.
#[test]
fn events_know_that_it_sticks() {
    let text = format!("{PUSHED}[events]\nsudden = {{ when = \"x'' - 0.01\" }}\n");
    let motion = run(&read(&text), "radau", 1e-10, 2.05).unwrap();
    // x'' = cos t - 1/2 is 0.01 once, and 0 while it sticks.
    let sudden = times(&motion, "sudden");
    assert!(sudden.len() == 1 && (sudden[0].cos() - 0.51).abs() < 1e-9, "{sudden:?}");
}

/// Bodies stick in their joints.
#[test]
fn an_axle_sticks() {
    let text = "gravity = [0, 0, -9.81]\n[bodies.arm]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [0.5, 0, 0]\n\
                [joints.pin]\nkind = \"revolute\"\nbetween = [\"ground\", \"arm\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
                FRICTION[forces]\npin = { dissipative = \"FORCE\" }\n";
    let formula = text.replace("FRICTION", "").replace("FORCE", "-2*sign(pin.rate) - 0.01*pin.rate");
    let field =
        text.replace("FRICTION", "friction = { coulomb = 2, viscous = 0.01 }\n").replace("FORCE", "0");
    let of_joint = run(&read(&field), "radau", 1e-8, 8.0).unwrap();
    let model = read(&formula);
    let place = model.coordinates().iter().position(|name| name == "pin").unwrap();
    let n = model.coordinates().len();
    for method in ["radau", "dopri8"] {
        let motion = run(&model, method, 1e-8, 8.0).unwrap_or_else(|error| panic!("{method}: {error}"));
        // At rest where gravity turns it with less than friction.
        let (angle, rate) = (motion.y[place], motion.y[n + place]);
        assert!(rate.abs() < 1e-12 && (4.905 * angle.cos()).abs() < 2.0, "{method}: {angle} {rate}");
        assert!(count(&motion, "pin' = 0 holds") == 1, "{method}: {:?}", motion.events);
        assert!((angle - of_joint.y[place]).abs() < 1e-5, "{method}: {angle} {}", of_joint.y[place]);
    }
}

#[test]
fn a_resting_start_holds_or_does_not() {
    let model = read(&PUSHED.replace("cos(t)", "0.1"));
    let phases = ModelPhases::new(&model, false);
    assert!(phases.refused().is_none() && phases.held().len() == 1);
    assert!(ModelPhases::new(&model, true).held().is_empty());
    let moving = read(PUSHED);
    assert!(ModelPhases::new(&moving, false).held().is_empty());
}

/// Keeps the snapshots of a run.
#[derive(Default)]
struct Snapshots(Vec<Snapshot>);

impl Observer for Snapshots {
    fn snapshot(&mut self, snapshot: &Snapshot) {
        self.0.push(snapshot.clone());
    }
}

#[test]
fn runs_that_stick_go_on_with_the_same_bits() {
    let sliding =
        "[variables]\nx = { start = 1, rate = \"-sign(x) + t/4\" }\ny = { start = 0, rate = \"1 + x\" }\n";
    for (text, method) in [(PUSHED, "radau"), (PUSHED, "dopri8"), (sliding, "radau"), (sliding, "bdf")] {
        let (model, mut seen) = (read(text), Snapshots::default());
        let whole = run_with(&model, method, 1e-8, 6.0, None, &mut seen, Some(1)).unwrap();
        for snapshot in &seen.0 {
            let rest =
                run_with(&model, method, 1e-8, 6.0, Some(snapshot), &mut taut::run::Nobody, Some(1)).unwrap();
            assert_eq!(whole.y, rest.y, "{method}");
        }
        assert!(seen.0.len() > 3, "{}", seen.0.len());
    }
}
