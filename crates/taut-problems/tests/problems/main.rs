//! Every problem of the library, tested for what it claims.

#![allow(clippy::unwrap_used, clippy::panic)]

mod by_hand;
mod catalogue;
mod consistency;
mod derivatives;
mod motion;
mod reactions;
mod support;
mod theory;
