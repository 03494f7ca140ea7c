//! Units are checked where they are given, and never required; there are no false alarms.

use taut_text::{Model, Source, builtin};

const PENDULUM: &str = r#"
    [parameters]
    m = { value = 1.5, unit = "kg" }
    g = { value = 9.81, unit = "m/s^2" }
    l = { value = 2, unit = "m" }
    k = { value = "m*g/l", unit = "N/m" }
    omega = { value = 3, unit = "rad/s" }
    [functions]
    "kinetic(m, v)" = "m/2*dot(v, v)"
    [coordinates]
    x = { start = "l", unit = "m" }
    y = { start = 0, velocity = "l*omega", unit = "m" }
    [define]
    at = ["x", "y"]
    angle = "atan2(x, -y)"
    [energy]
    kinetic = "kinetic(m, [x', y'])"
    potential = "m*g*y + 0.5*k*x^2 + 1/2*k*(x - 1)^2 + FORMULA"
    [constraints]
    rod = "norm(at) - l"
    [forces]
    x = { driving = "m*g*sin(omega*t) + 0.2*cos(3*t)" }
    [observe]
    energy = "m/2*(x'^2 + y'^2) + m*g*y"
    angle = "angle"
    pull = "lambda.rod"
    speed = "norm(at)'"
    rate = "angle'"
"#;

fn message(formula: &str) -> Result<Model, String> {
    let text = PENDULUM.replace("FORMULA", formula).replace("norm(at)'", "hypot(x', y')");
    Model::read(&Source::new("model.toml", text), &[]).map_err(|errors| errors.to_string())
}

#[test]
fn formulas_that_fit_are_silent() {
    for formula in [
        "0",
        "9.81*y", // the mass is 1 here, and so on
        "5*x^2",
        "k*x*hypot(x, y)/3",
        "2*y",
        "1/x",
        "m*g*l*(1 - cos(angle))",
        "m*g*y*exp(-x/l)",
        "k*l^2*(x/l)^4",
        "if(x > 0, m*g*y, 0)",
        "m*g*max(y, 0)",
        "m*g*log(x)",
        "sqrt(k*m)*sqrt(g*l)*x*sqrt(x/l)/sqrt(x/l)",
    ] {
        assert!(message(formula).is_ok(), "{formula}: {:?}", message(formula).err());
    }
}

#[test]
fn formulas_that_do_not_fit_are_mistakes_with_both_sides() {
    for (formula, expected) in [
        ("m*g*(y - m)", "kg cannot be added to m"),
        ("m*y", "kg*m cannot be added to J"),
        ("m*g*sin(x)", "sin is taken of a number without unit"),
        ("m*g*l*if(t > x, 1, 0)", "m cannot be compared with s"),
        ("m*g*min(x, m)", "kg cannot be taken together with m"),
        ("k*x", "N cannot be added to J"),
        ("kinetic(g, [x, y])", "m^3/s^2 cannot be added to J"),
    ] {
        let found = message(formula).err().unwrap_or_default();
        assert!(found.contains(expected), "{formula}: {found}");
    }
}

#[test]
fn columns_know_their_units() {
    let model = message("0").unwrap_or_else(|error| panic!("{error}"));
    let found = ["x", "x'", "energy", "angle", "pull", "speed", "rate"].map(|name| model.unit(name));
    assert_eq!(found, [Some("m"), Some("m/s"), Some("J"), None, None, Some("m/s"), Some("Hz")]);
}

#[test]
fn time_may_have_another_unit() {
    let text = |unit: &str| {
        format!(
            "[parameters]\nv = {{ value = 2, unit = \"au/day\" }}\n[variables]\n\
             x = {{ start = 0, rate = \"v\", unit = \"au\" }}\n[time]\nunit = \"{unit}\"\nend = 3"
        )
    };
    let message = |unit: &str| {
        let read = Model::read(&Source::new("model.toml", text(unit)), &[]);
        read.err().map(|errors| errors.to_string()).unwrap_or_default()
    };
    assert_eq!(message("day"), "");
    assert!(message("s").contains("the rate of x is in"));
    assert!(message("kg").contains("this is no unit of time"));
}

/// Whatever unit a single coordinate is given, formulas that were right stay right as long as nothing else has one.
#[test]
fn built_in_models_have_no_false_alarms() {
    for (name, _, text) in builtin() {
        assert!(Model::read(&Source::new(*name, *text), &[]).is_ok(), "{name}");
    }
}

fn read(text: &str) -> Result<Model, String> {
    Model::read(&Source::new("model.toml", text), &[]).map_err(|errors| errors.to_string())
}

/// Bodies are measured in m, kg and s.
#[test]
fn bodies_have_units() {
    let arm = r#"
        gravity = [0, 0, "-g"]
        [parameters]
        g = { value = 9.81, unit = "m/s^2" }
        m = { value = 2, unit = "kg" }
        l = { value = 0.5, unit = "m" }
        F = { value = 3, unit = "N" }
        k = { value = 50, unit = "N/m" }
        [bodies.arm]
        mass = "m"
        inertia = ["m*l^2/12", "m*l^2/12", "m*l^2/12"]
        position = ["l", 0, 0]
        points = { tip = ["l", 0, 0] }
        [joints.pin]
        kind = "revolute"
        between = ["ground", "arm"]
        at = [0, 0, 0]
        axis = [0, 1, 0]
        [springs]
        tie = { between = ["ground", "arm"], points = [[0, 0, 1], "tip"], length = "l", stiffness = "k" }
        [loads]
        push = { on = "arm", at = "tip", force = ["F*sin(pin.angle)", 0, "-k*arm.tip.z"], torque = [0, "F*l*arm.spin.y*t", 0] }
        [observe]
        kinetic = "m/2*(arm.vx^2 + arm.vz^2) + m*l^2/24*pin.rate^2"
        [events]
        low = { when = "arm.tip.z + l" }
    "#;
    assert!(read(arm).is_ok(), "{:?}", read(arm).err());
    for (from, to, message) in [
        ("mass = \"m\"", "mass = \"l\"", "mass is in kg, and this is in m"),
        ("length = \"l\"", "length = \"k\"", "length is in m, and this is in"),
        ("stiffness = \"k\"", "stiffness = \"F\"", "stiffness is in kg/s^2, and this is in N"),
        ("F*sin(pin.angle)", "k*sin(pin.angle)", "a force is in N, and this is in kg/s^2"),
        ("F*sin(pin.angle)", "F*sin(arm.x)", "sin is taken of a number without unit"),
        ("F*l*arm.spin.y*t", "F*arm.spin.y*t", "a torque is in J, and this is in N"),
        ("arm.tip.z + l\"", "arm.tip.vz + l\"", "cannot be added to"),
        ("m*l^2/24*pin.rate^2", "m*l/24*pin.rate^2", "cannot be added to"),
        ("position = [\"l\"", "position = [\"m\"", "position is in m, and this is in kg"),
        ("gravity = [0, 0, \"-g\"]", "gravity = [0, 0, \"-k\"]", "gravity is in m/s^2"),
    ] {
        let found = read(&arm.replace(from, to)).err().unwrap_or_else(|| panic!("{to} is accepted"));
        assert!(found.contains(message), "{to}: {found}");
    }
}

/// A momentum is measured in that of its coordinate.
#[test]
fn momenta_have_units() {
    let planet = r#"
        [parameters]
        m = { value = 2, unit = "kg" }
        g = { value = 9.81, unit = "m/s^2" }
        v = { value = 3, unit = "m/s" }
        [coordinates]
        x = { start = 0, momentum = "m*v", unit = "m" }
        [hamiltonian]
        energy = "p_x^2/(2*m) + m*g*x"
        [observe]
        speed = "p_x/m - v"
        [events]
        turn = { when = "p_x - m*v/2" }
    "#;
    let model = read(planet).unwrap();
    assert_eq!((model.unit("p_x"), model.unit("speed")), (Some("kg*m/s"), Some("m/s")));
    for (from, to) in
        [("\"m*v\"", "\"m*g\""), ("p_x^2/(2*m)", "p_x^2/2*m/m"), ("p_x/m - v", "p_x - v"), ("m*v/2", "v/2")]
    {
        assert!(read(&planet.replace(from, to)).is_err(), "{to} is accepted");
    }
    // Grams and kilometres are no mistake, and angles have momenta of their own.
    let grams = planet.replace("unit = \"kg\"", "unit = \"g\"");
    assert!(read(&grams).is_ok(), "{:?}", read(&grams).err());
    let angle = "[parameters]\nJ = { value = 2, unit = \"kg*m^2\" }\n[coordinates]\na = { start = 0, momentum = 1, unit = \"rad\" }\n\
                 [hamiltonian]\nenergy = \"p_a^2/(2*J) + 3*cos(a)\"\n";
    assert!(read(angle).is_ok(), "{:?}", read(angle).err());
}
