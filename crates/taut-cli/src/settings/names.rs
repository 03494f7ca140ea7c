//! Choices by their names, on the command line and in checkpoints. A name that is not known is a mistake, never a default.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use taut::equations::Formulation;
use taut::options::{AlgebraicRows, Controller, Projection, Vibrations};

/// A choice among a few that have names.
pub trait Named: Copy + 'static {
    /// all of them
    fn all() -> &'static [Self];

    /// what it is called
    fn name(self) -> &'static str;
}

impl Named for Controller {
    fn all() -> &'static [Self] {
        &Controller::ALL
    }

    fn name(self) -> &'static str {
        Controller::name(self)
    }
}

impl Named for Formulation {
    fn all() -> &'static [Self] {
        &Formulation::ALL
    }

    fn name(self) -> &'static str {
        Formulation::name(self)
    }
}

impl Named for Projection {
    fn all() -> &'static [Self] {
        &Projection::ALL
    }

    fn name(self) -> &'static str {
        Projection::name(self)
    }
}

impl Named for Vibrations {
    fn all() -> &'static [Self] {
        &Vibrations::ALL
    }

    fn name(self) -> &'static str {
        Vibrations::name(self)
    }
}

impl Named for AlgebraicRows {
    fn all() -> &'static [Self] {
        &AlgebraicRows::ALL
    }

    fn name(self) -> &'static str {
        AlgebraicRows::name(self)
    }
}

/// The choice of a name.
pub fn parse<T: Named>(name: &str) -> Result<T, String> {
    let found = T::all().iter().copied().find(|value| value.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = T::all().iter().map(|value| value.name()).collect();
        format!("there are {}", names.join(", "))
    })
}

/// Writes the name.
pub fn serialize<T: Named, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.name())
}

/// Reads a name.
pub fn deserialize<'de, T: Named, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let name = String::deserialize(deserializer)?;
    parse(&name).map_err(|known| D::Error::custom(format!("'{name}' is not known; {known}")))
}

/// The same where nothing may be chosen.
pub mod or_nothing {
    use super::{Deserialize, Deserializer, Error, Named, Serializer, parse};

    /// Writes the name, or nothing.
    pub fn serialize<T: Named, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.serialize_some(value.name()),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a name, or nothing.
    pub fn deserialize<'de, T: Named, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        let name = Option::<String>::deserialize(deserializer)?;
        let known = |name: String| {
            parse(&name).map_err(|known| D::Error::custom(format!("'{name}' is not known; {known}")))
        };
        name.map(known).transpose()
    }
}
