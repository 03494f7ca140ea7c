//! Models with events: what happens is found to rounding, changes what it says, and goes on with the same bits.

use crate::phases::{read, run, run_with};
use taut::Error;
use taut::motion::Stop;
use taut::run::{Observer, RunError, Snapshot, View};

/// All kinds of steps.
const METHODS: [&str; 8] = ["auto", "radau", "bdf", "adams", "dopri8", "spark", "gauss", "lobatto-iiic"];

fn ball(restitution: f64, more: &str) -> String {
    format!(
        "[coordinates]\ny = {{ start = 1 }}\n[energy]\nkinetic = \"y'^2/2\"\npotential = \"9.81*y\"\n[events]\n\
         landing = {{ when = \"y\", direction = \"falling\", set = {{ \"y'\" = \"-{restitution}*y'\" }} }}\n{more}"
    )
}

/// The time of bounce number k (from 0) of a ball that falls from a height of 1.
fn bounce(k: i32, e: f64) -> f64 {
    let fall = (2.0_f64 / 9.81).sqrt();
    fall * (1.0 + (1..=k).map(|j| 2.0 * e.powi(j)).sum::<f64>())
}

#[test]
fn a_ball_bounces_when_it_should_with_every_method() {
    for method in METHODS {
        let motion =
            run(&read(&ball(0.8, "")), method, 1e-9, 2.5).unwrap_or_else(|error| panic!("{method}: {error}"));
        assert_eq!((motion.crossings.len(), motion.events[0].count), (4, 4), "{method}");
        for (k, crossing) in motion.crossings.iter().enumerate() {
            let error = (crossing.t - bounce(k as i32, 0.8)).abs() / (f64::EPSILON * crossing.t);
            // What comes after the first bounce begins with the rounding errors of all steps before it.
            let allowed = if k == 0 { 10.0 } else { 50.0 };
            assert!(error <= allowed, "{method}, bounce {k}: {error} rounding errors");
        }
        let lost = 9.81 * (1.0 - 0.8_f64.powi(8));
        assert!((motion.invariants.by_events + lost).abs() < 1e-12, "{method}");
        assert!(motion.invariants.energy_error < 1e-12, "{method}: {:e}", motion.invariants.energy_error);
        // Rows before and after.
        let times = motion.trajectory.times();
        let twice: Vec<usize> = (1..times.len()).filter(|&k| times[k] == times[k - 1]).collect();
        assert_eq!(twice.len(), 4, "{method}");
        for k in twice {
            let (before, after) = (motion.trajectory.state(k - 1)[1], motion.trajectory.state(k)[1]);
            assert!((after + 0.8 * before).abs() < 1e-12 && before < 0.0, "{method}");
        }
    }
}

#[test]
fn ten_thousand_elastic_bounces_keep_the_energy() {
    let fall = (2.0_f64 / 9.81).sqrt();
    let end = fall * 2.0 * 1e4;
    for method in ["dopri8", "radau"] {
        let motion = run(&read(&ball(1.0, "")), method, 1e-6, end).unwrap();
        assert_eq!(motion.events[0].count, 10_000, "{method}");
        let height = motion.invariants.energy.1 / 9.81;
        // The weights of dopri8 are up to 9, and its rounding errors the same with each bounce.
        assert!((height - 1.0).abs() < 1e4 * 100.0 * f64::EPSILON, "{method}: {:e}", height - 1.0);
        assert!(motion.invariants.by_events.abs() < 1e-12, "{method}");
    }
}

#[test]
fn endless_bounces_come_to_a_clear_end() {
    for method in ["dopri8", "radau"] {
        let error = run(&read(&ball(0.5, "")), method, 1e-6, 10.0).unwrap_err();
        let Error::Stopped { reason, motion } = error else { panic!("{error}") };
        assert!(
            matches!(&reason, RunError::TooManyEvents { event, times: 100, .. } if event == "landing"),
            "{reason}"
        );
        assert!(reason.to_string().contains("landing happened 100 times within"), "{reason}");
        let last = 3.0 * (2.0_f64 / 9.81).sqrt();
        assert!((motion.t - last).abs() < 1e-6, "{method}: {}", motion.t);
    }
}

#[test]
fn a_ball_comes_to_rest_where_an_event_says_so() {
    let rest = "rest = { when = \"if(abs(y') < 0.1, y, 1)\", direction = \"falling\", set = { \"y'\" = 0 }, add = [\"floor\"] }\n\
                [constraints]\nfloor = { equation = \"y\", active = false }\n";
    let motion = run(&read(&ball(0.8, rest)), "auto", 1e-8, 5.0).unwrap();
    assert_eq!(
        motion.events.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(),
        ["landing", "rest"]
    );
    assert!(motion.y[0].abs() < 1e-15 && motion.y[1].abs() < 1e-15, "{:?}", motion.y);
    assert!((motion.y[2] + 9.81).abs() < 1e-12, "the floor carries the weight: {:?}", motion.y);
}

const ROPE: &str = "[coordinates]\nx = { start = 1 }\ny = { start = 0, velocity = -4 }\n\
    [energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"9.81*y\"\n[constraints]\nrope = \"hypot(x, y) - 1\"\n\
    [events]\nslack = { when = \"lambda.rope\", direction = \"falling\", remove = [\"rope\"] }\n\
    taut = { when = \"hypot(x, y) - 1\", direction = \"rising\", add = [\"rope\"] }\n";

#[test]
fn a_rope_goes_slack_where_its_force_vanishes_and_takes_hold_with_an_impulse() {
    for method in ["auto", "radau", "bdf", "adams", "spark"] {
        let motion = run(&read(ROPE), method, 1e-10, 2.0).unwrap_or_else(|error| panic!("{method}: {error}"));
        let slack = &motion.crossings[0];
        assert_eq!(slack.event, "slack", "{method}");
        // The weight alone bends the path there, v^2 = g y, and v^2 = 16 - 2 g y.
        let y = 16.0 / (3.0 * 9.81);
        assert!((slack.y[1] - y).abs() < 1e-8, "{method}: {} {y}", slack.y[1]);
        let taut = &motion.crossings[1];
        assert_eq!(taut.event, "taut", "{method}");
        let (x, y, vx, vy) = (taut.y[0], taut.y[1], taut.y[2], taut.y[3]);
        let change = motion.changes.iter().find(|change| change.events == ["taut"]).unwrap();
        let radial = x * vx + y * vy;
        assert!((change.impulses[0].1 - radial).abs() < 1e-9, "{method}: {:?} {radial}", change.impulses);
        assert!((change.energy + radial * radial / 2.0).abs() < 1e-9, "{method}: {}", change.energy);
        assert!(motion.invariants.energy_error < 1e-7, "{method}: {:e}", motion.invariants.energy_error);
    }
}

#[test]
fn events_at_the_same_time_act_in_the_order_of_the_file() {
    let text = "[variables]\nx = { start = 0, rate = \"1\" }\nn = { start = 1, rate = \"0\" }\n[events]\n\
                first = { when = \"t - 1\", set = { n = \"n + 1\" } }\nsecond = { when = \"x - 1\", set = { n = \"10*n\", x = \"0\" } }\n";
    for method in ["auto", "radau", "bdf", "adams"] {
        let motion = run(&read(text), method, 1e-8, 2.5).unwrap();
        assert_eq!(motion.y[1], 200.0, "{method}: {:?}", motion.changes);
        assert_eq!(motion.changes[0].events, ["first", "second"], "{method}");
    }
}

#[test]
fn what_is_set_is_made_consistent_and_all_at_once() {
    let text = "[coordinates]\nx = { start = 1 }\ny = { start = 0, velocity = 1 }\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
                [constraints]\nrod = \"hypot(x, y) - 1\"\n[events]\n\
                hit = { when = \"t - 0.5\", set = { \"x'\" = \"y'\", \"y'\" = \"x'\" } }\n";
    let motion = run(&read(text), "radau", 1e-10, 1.0).unwrap();
    // Exchanged velocities (cos, -sin) have the part -sin(2 t) along the circle, which stays.
    let speed = f64::sin(1.0);
    let along = |motion: &taut::motion::Motion| motion.y[0] * motion.y[3] - motion.y[1] * motion.y[2];
    assert!((along(&motion).abs() - speed.abs()).abs() < 1e-8, "{} {speed}", along(&motion));
}

#[test]
fn an_event_can_stop_the_run() {
    let motion =
        run(&read(&ball(0.8, "done = { when = \"t - 0.7\", stop = true }\n")), "auto", 1e-8, 5.0).unwrap();
    assert_eq!((motion.stop, motion.t), (Stop::Event("done".into()), 0.7));
}

/// Keeps all snapshots.
#[derive(Default)]
struct Keeper(Vec<(f64, Snapshot)>, f64);

impl Observer for Keeper {
    fn step(&mut self, view: &View<'_>) -> bool {
        self.1 = view.t;
        true
    }

    fn snapshot(&mut self, snapshot: &Snapshot) {
        self.0.push((self.1, snapshot.clone()));
    }
}

#[test]
fn runs_with_events_resume_with_the_same_bits() {
    let friction = "[coordinates]\nx = { start = 0, velocity = 2 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
                    [forces]\nx = { dissipative = \"-0.01*sign(x')\" }\n";
    for (text, methods) in [
        (ROPE.to_string(), vec!["radau", "dopri8", "bdf", "adams", "spark"]),
        (ball(0.8, ""), vec!["dopri8", "radau"]),
        (friction.to_string(), vec!["dopri8", "bdf", "adams", "radau"]),
    ] {
        let model = read(&text);
        for method in methods {
            let mut keeper = Keeper::default();
            let whole = run_with(&model, method, 1e-7, 2.0, None, &mut keeper, Some(1)).unwrap();
            assert!(keeper.0.len() >= 3, "{method}: {}", keeper.0.len());
            for (t, snapshot) in keeper.0.iter().step_by(keeper.0.len().div_ceil(8)) {
                let rest =
                    run_with(&model, method, 1e-7, 2.0, Some(snapshot), &mut Keeper::default(), Some(1))
                        .unwrap();
                assert_eq!(rest.y, whole.y, "{method} from {t}");
                assert_eq!(rest.events, whole.events, "{method} from {t}");
                assert_eq!(rest.statistics.steps, whole.statistics.steps, "{method} from {t}");
            }
        }
    }
}

#[test]
fn the_examples_of_the_readme_run() {
    let readme = include_str!("../../README.md");
    let blocks: Vec<&str> =
        readme.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let ball = run(&read(blocks[3]), "auto", 1e-8, 20.0).unwrap();
    assert_eq!(ball.stop, Stop::Event("done".into()));
    assert!((ball.t - 10.0).abs() < 1e-12 && ball.events.iter().any(|event| event.name == "rest"));
    let friction = run(&read(blocks[4]), "auto", 1e-8, 9.0).unwrap();
    assert!(friction.y[0].abs() < 0.5);
    let torque = run(&read(blocks[5]), "auto", 1e-9, 2.0).unwrap();
    // w' = torque - 0.1 w by hand: the integral of exp(0.1 (s - 2)) torque(s) over 0 to 2.
    let exact = 250.0 * (1.0 - f64::exp(-0.1)).powi(2);
    assert!((torque.y[0] - exact).abs() < 1e-7, "{} {exact}", torque.y[0]);
}

#[test]
fn vectors_are_set_as_a_whole() {
    let text = "[coordinates]\nx = { start = 0, velocity = 1 }\ny = { start = 1 }\n[define]\np = [\"x\", \"y\"]\nn = [0, 1]\n[energy]\n\
                kinetic = \"dot(p', p')/2\"\npotential = \"9.81*y\"\n[events]\n\
                landing = { when = \"y\", direction = \"falling\", set = { \"p'\" = \"p' - 1.8*dot(p', n)*n\" } }\n\
                back = { when = \"t - 0.7\", set = { p = \"[0, y]\" } }\n";
    let motion = run(&read(text), "dopri8", 1e-10, 0.8).unwrap();
    let fall = (2.0_f64 / 9.81).sqrt();
    let (up, t) = (0.8 * 9.81 * fall, 0.8 - fall);
    assert!((motion.y[1] - (up * t - 9.81 / 2.0 * t * t)).abs() < 1e-9, "{:?}", motion.y);
    assert!((motion.y[0] - 0.1).abs() < 1e-9, "{:?}", motion.y);
}
