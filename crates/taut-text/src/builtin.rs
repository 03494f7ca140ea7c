//! The models that come with Taut.

use std::path::Path;

use crate::source::Source;

/// The models that come with Taut: name, one line on what it is, and the text of the file.
///
/// ```
/// use taut_text::{Model, Source, builtin};
///
/// for (name, _, text) in builtin() {
///     assert!(Model::read(&Source::new(*name, *text), &[]).is_ok());
/// }
/// ```
pub fn builtin() -> &'static [(&'static str, &'static str, &'static str)] {
    &BUILTIN
}

/// The files that built-in models read, by the name that models call them.
static FILES: [(&str, &str); 1] = [("road.csv", include_str!("../models/road.csv"))];

/// A file that a built-in model reads.
pub(crate) fn builtin_file(model: &Source, name: &Path) -> Option<&'static str> {
    // Included models stand behind the text of the one that includes them.
    let is_builtin = BUILTIN.iter().any(|(_, _, text)| model.text().starts_with(text));
    let file = FILES.iter().find(|(known, _)| Path::new(known) == name).filter(|_| is_builtin);
    let model = |(known, _, _): &&(&str, &str, &str)| Path::new(&format!("{known}.toml")) == name;
    let other = BUILTIN.iter().find(model).filter(|_| is_builtin);
    file.map(|(_, text)| *text).or(other.map(|(_, _, text)| *text))
}

static BUILTIN: [(&str, &str, &str); 38] = [
    ("pendulum", "a point mass on a rod", include_str!("../models/pendulum.toml")),
    (
        "double-pendulum",
        "two rods in angles; the mass matrix depends on them",
        include_str!("../models/double-pendulum.toml"),
    ),
    ("chain", "N point masses and N rods, by repetition", include_str!("../models/chain.toml")),
    (
        "squeezer",
        "Andrews' squeezing mechanism, seven bodies in closed loops",
        include_str!("../models/squeezer.toml"),
    ),
    ("slider-crank", "crank, rod and slider", include_str!("../models/slider-crank.toml")),
    ("four-bar", "crank, coupler and rocker between two pivots", include_str!("../models/four-bar.toml")),
    (
        "car-axis",
        "an axis on a bumpy road; a constraint depends on time",
        include_str!("../models/car-axis.toml"),
    ),
    (
        "stiff-spring-pendulum",
        "a point mass on a very stiff spring",
        include_str!("../models/stiff-spring-pendulum.toml"),
    ),
    (
        "jay-two-pendulums",
        "a rigid pendulum on a stiff one with strong friction",
        include_str!("../models/jay-two-pendulums.toml"),
    ),
    ("knife-edge", "a skate on a slope; nonholonomic", include_str!("../models/knife-edge.toml")),
    (
        "rigid-body",
        "a free rigid body with a quaternion; singular mass matrix",
        include_str!("../models/rigid-body.toml"),
    ),
    (
        "water-molecule",
        "stiff bonds and a stiff angle as one strong potential",
        include_str!("../models/water-molecule.toml"),
    ),
    (
        "robertson",
        "a stiff chemical reaction with an algebraic variable",
        include_str!("../models/robertson.toml"),
    ),
    ("van-der-pol", "an oscillator with a small parameter", include_str!("../models/van-der-pol.toml")),
    (
        "transistor-amplifier",
        "a circuit of index 1 with a singular matrix",
        include_str!("../models/transistor-amplifier.toml"),
    ),
    (
        "spatial-four-bar",
        "bodies and hinges in space, with redundant rows",
        include_str!("../models/spatial-four-bar.toml"),
    ),
    (
        "bricard",
        "Bricard's linkage: six hinges in a loop that moves all the same",
        include_str!("../models/bricard.toml"),
    ),
    (
        "squeezer-bodies",
        "Andrews' squeezing mechanism from bodies, hinges and a spring",
        include_str!("../models/squeezer-bodies.toml"),
    ),
    (
        "engine",
        "slider-crank with flywheel, gas and brake, from bodies",
        include_str!("../models/engine.toml"),
    ),
    ("governor", "a flyball governor from bodies", include_str!("../models/governor.toml")),
    ("gyroscope", "a heavy top on a point", include_str!("../models/gyroscope.toml")),
    ("stewart", "a plate on six legs of prescribed lengths", include_str!("../models/stewart.toml")),
    (
        "bouncing-ball",
        "a ball that bounces until it lies still; events",
        include_str!("../models/bouncing-ball.toml"),
    ),
    (
        "slack-rope",
        "a pendulum whose rope goes slack and catches the weight again",
        include_str!("../models/slack-rope.toml"),
    ),
    ("stick-slip", "a block on a belt that sticks and slips", include_str!("../models/stick-slip.toml")),
    (
        "escapement",
        "the balance of a clock, kicked with every swing",
        include_str!("../models/escapement.toml"),
    ),
    (
        "woodpecker",
        "the toy: a sleeve that jams on its pole and lets go",
        include_str!("../models/woodpecker.toml"),
    ),
    (
        "coupled-pendulums",
        "two pendulums with a spring between them; a model of models",
        include_str!("../models/coupled-pendulums.toml"),
    ),
    ("rough-road", "a quarter of a car on a road from a table", include_str!("../models/rough-road.toml")),
    ("kepler", "a planet around a sun, as H(q, p)", include_str!("../models/kepler.toml")),
    ("toda", "particles in a ring, as H(q, p) by repetition", include_str!("../models/toda.toml")),
    (
        "outer-solar-system",
        "the sun and five planets, as H(q, p) of vectors",
        include_str!("../models/outer-solar-system.toml"),
    ),
    ("heavy-top", "Lagrange's top in Euler's angles, as H(q, p)", include_str!("../models/heavy-top.toml")),
    ("delta-robot", "a plate on three driven arms", include_str!("../models/delta-robot.toml")),
    (
        "excavator",
        "boom, stick and bucket on cylinders of stiff oil",
        include_str!("../models/excavator.toml"),
    ),
    (
        "double-wishbone",
        "a quarter of a car over a bump, from bodies",
        include_str!("../models/double-wishbone.toml"),
    ),
    (
        "n-four-bar",
        "N four-bars side by side, which pass singular configurations",
        include_str!("../models/n-four-bar.toml"),
    ),
    ("rope", "a rope of rods with ball joints in space", include_str!("../models/rope.toml")),
];
