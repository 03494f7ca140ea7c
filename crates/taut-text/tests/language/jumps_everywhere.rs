//! Jumps and events in all kinds of models: with bodies, with momenta, with terms by class, with many switches.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::phases::{read, run};

/// A force of constant strength back to 0, from x = 1/2 at rest: parabolas that repeat with the period 4.
const RELAYS: [(&str, &str); 4] = [
    ("momenta", "[coordinates]\nx = { start = 0.5 }\n[hamiltonian]\nenergy = \"p_x^2/2 + abs(x)\"\n"),
    (
        "choice",
        "[coordinates]\nx = { start = 0.5 }\n[hamiltonian]\nenergy = \"p_x^2/2 + if(x > 0, x, -x)\"\n",
    ),
    (
        "terms",
        "[partitioned]\ny = { x = 0.5 }\nz = { p = 0.0 }\n[partitioned.terms]\nflow = { x = \"p\" }\nback = { p = \"-sign(x)\" }\n",
    ),
    (
        "bodies",
        "[bodies.ball]\nmass = 1\ninertia = [1, 1, 1]\nposition = [0.5, 0, 0]\n[loads]\n\
         back = { on = \"ball\", force = [\"-sign(ball.x)\", 0, 0] }\n",
    ),
];

fn relay(t: f64) -> f64 {
    let t = t % 4.0;
    if t > 1.0 && t <= 3.0 {
        (t - 2.0).powi(2) / 2.0 - 0.5
    } else if t > 3.0 {
        0.5 - (t - 4.0).powi(2) / 2.0
    } else {
        0.5 - t * t / 2.0
    }
}

#[test]
fn no_kind_of_model_steps_over_a_jump() {
    let end = 41.3;
    for (kind, text) in RELAYS {
        let model = read(text);
        for method in ["dopri8", "adams", "radau", "bdf"] {
            let motion =
                run(&model, method, 1e-8, end).unwrap_or_else(|error| panic!("{kind} {method}: {error}"));
            let error = (motion.y[0] - relay(end)).abs() / 1e-8;
            assert!(error <= 100.0, "{kind} {method}: {error} tolerances");
        }
    }
}

#[test]
fn loads_on_bodies_jump_in_time() {
    for force in ["if(mod(t, 2) < 1, 1, -1)", "1 - 2*floor(t - 2*floor(t/2))"] {
        let text = format!(
            "[bodies.ball]\nmass = 1\ninertia = [1, 1, 1]\n[loads]\npush = {{ on = \"ball\", force = [\"{force}\", 0, 0] }}\n"
        );
        // Each second pushes forth, each other one back: 1 for each two seconds.
        let motion = run(&read(&text), "dopri8", 1e-8, 40.0).unwrap();
        assert!((motion.y[0] - 20.0).abs() < 1e-11, "{force}: {}", motion.y[0]);
    }
}

#[test]
fn events_set_velocities_of_bodies() {
    let text = "gravity = [0, 0, -9.81]\n[bodies.ball]\nmass = 1\ninertia = [1, 2, 3]\nposition = [0, 0, 1]\nspin = [0, 0, 4]\n\
                [events]\nlanding = { when = \"ball.z\", direction = \"falling\", \
                set = { \"ball.vz\" = \"-0.8*ball.vz\", \"ball.spin.z\" = \"ball.spin.z/2\", \"ball.vx\" = \"ball.spin.z\" } }\n\
                [observe]\nspin = \"ball.spin.z\"\nvx = \"ball.vx\"\n";
    let model = read(text);
    let motion = run(&model, "auto", 1e-10, 0.8).unwrap();
    let fall = (2.0_f64 / 9.81).sqrt();
    let (up, t) = (0.8 * 9.81 * fall, 0.8 - fall);
    assert!((motion.y[2] - (up * t - 9.81 / 2.0 * t * t)).abs() < 1e-12, "{:?}", motion.y);
    let mut observed = [0.0; 2];
    model.observe(motion.t, &motion.y, &mut observed);
    assert!((observed[0] - 2.0).abs() < 1e-9 && (observed[1] - 4.0).abs() < 1e-9, "{observed:?}");
    let plane = "plane = \"xy\"\n[bodies.wheel]\nmass = 1\ninertia = 1\nspin = 3\n[events]\n\
                 stop = { when = \"t - 1\", set = { \"wheel.spin\" = \"-wheel.spin\" } }\n";
    let motion = run(&read(plane), "auto", 1e-10, 3.0).unwrap();
    assert!((motion.y[2] + 3.0).abs() < 1e-12, "{:?}", motion.y);
}

#[test]
fn momenta_and_terms_are_set_by_events() {
    for text in [
        "[coordinates]\ny = { start = 1 }\n[hamiltonian]\nenergy = \"p_y^2/2 + 9.81*y\"\n[events]\n\
         landing = { when = \"y\", direction = \"falling\", set = { p_y = \"-0.8*p_y\" } }\n",
        "[partitioned]\ny = { y = 1 }\nz = { p_y = 0 }\n[partitioned.terms]\nflow = { y = \"p_y\" }\nfall = { p_y = \"-9.81\" }\n\
         [events]\nlanding = { when = \"y\", direction = \"falling\", set = { p_y = \"-0.8*p_y\" } }\n",
    ] {
        let motion = run(&read(text), "auto", 1e-10, 0.8).unwrap();
        let fall = (2.0_f64 / 9.81).sqrt();
        let (up, t) = (0.8 * 9.81 * fall, 0.8 - fall);
        assert!((motion.y[0] - (up * t - 9.81 / 2.0 * t * t)).abs() < 1e-12, "{:?}", motion.y);
    }
}

/// A weight on a rod, without gravity and with the speed 1: x = cos t, and λ = 1.
#[test]
fn events_know_accelerations_and_powers() {
    let text = "[coordinates]\nx = { start = 1 }\ny = { start = 0, velocity = 1 }\n[define]\nangle = \"atan2(y, x)\"\n[energy]\n\
                kinetic = \"(x'^2 + y'^2)/2\"\n[constraints]\nrod = \"hypot(x, y) - 1\"\n[events]\n\
                inflection = { when = \"x''\" }\nsteep = { when = \"x'' + y'' + lambda.rod\" }\n\
                push = { when = \"x'' - t/10 + power.rod\", direction = \"rising\", set = { \"y'\" = \"2*y' + x''*0\" } }\n";
    for method in ["auto", "radau", "bdf"] {
        let motion = run(&read(text), method, 1e-10, 3.0).unwrap();
        let of = |name: &'static str| motion.crossings.iter().filter(move |crossing| crossing.event == name);
        let inflection = of("inflection").next().unwrap();
        assert!((inflection.t - FRAC_PI_2).abs() < 1e-8, "{method}: {}", inflection.t);
        // -cos t - sin t + 1 is 0 at the start and at π/2.
        let steep: Vec<f64> = of("steep").map(|crossing| crossing.t).collect();
        assert!((steep.last().unwrap() - FRAC_PI_2).abs() < 1e-8, "{method}: {steep:?}");
        let push = of("push").next().unwrap();
        assert!((-push.t.cos() - push.t / 10.0).abs() < 1e-8 && push.t < PI, "{method}: {}", push.t);
    }
}

#[test]
fn what_friction_stops_stays() {
    let friction = "[parameters]\nmu = 0.3\n[coordinates]\nx = { start = 1 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
                    [forces]\nx = { dissipative = \"-mu*sign(x' - 0*t)\" }\n";
    for method in ["dopri8", "radau", "bdf", "adams"] {
        // From 1 to -0.4, to -0.2, where the spring is weaker than friction.
        let motion =
            run(&read(friction), method, 1e-9, 20.0).unwrap_or_else(|error| panic!("{method}: {error}"));
        let held = motion.crossings.iter().find(|crossing| crossing.event == "x' = 0 holds").unwrap();
        assert!((held.t - 2.0 * PI).abs() < 1e-7, "{method}: {}", held.t);
        assert!((motion.y[0] + 0.2).abs() < 1e-7 && motion.y[1].abs() < 1e-15, "{method}: {:?}", motion.y);
    }
    // Nothing pulls, and nothing moves.
    let still = read(&friction.replace("start = 1", "start = 0"));
    assert_eq!(run(&still, "auto", 1e-8, 5.0).unwrap().y[..2], [0.0, 0.0]);
    // A kink holds nothing: the tip of |x| is passed.
    let kink =
        "[variables]\nx = { start = 0, rate = \"v\" }\nv = { start = 1, rate = \"-abs(x) - abs(v)*v/10\" }\n";
    assert!(run(&read(kink), "dopri8", 1e-8, 1.5).is_ok());
}

#[test]
fn more_than_a_hundred_switches_are_followed() {
    let text = "[parameters]\nN = 110\n[[for]]\ni = \"1..N\"\n[for.variables]\n\
                \"x{i}\" = { start = \"0.4 + 0.2*i/N\", rate = \"v{i}\" }\n\"v{i}\" = { start = 0, rate = \"-sign(x{i})\" }\n";
    let (model, end) = (read(text), 1.5);
    let motion = run(&model, "dopri8", 1e-8, end).unwrap();
    for i in 1..=110 {
        let zero = (2.0 * (0.4 + 0.2 * f64::from(i) / 110.0)).sqrt();
        let exact = -zero * (end - zero) + (end - zero).powi(2) / 2.0;
        let name = format!("x{i}");
        let place = model.coordinates().iter().position(|known| *known == name).unwrap();
        assert!((motion.y[place] - exact).abs() < 1e-12, "{name}: {} {exact}", motion.y[place]);
    }
}
