//! The models that come with Taut.

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

static BUILTIN: [(&str, &str, &str); 15] = [
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
];
