mod jacobian;
mod motion;
mod structure;
