//! Mechanisms of bodies, in one program: each of these files would be linked by itself otherwise.

mod actuators;
mod balls;
mod derivatives;
mod import;
mod impossible;
mod joints;
mod mistakes;
mod motion;
mod tendons;
mod words;
