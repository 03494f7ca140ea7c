//! Functions of time: drives, loads, motors.

use std::fmt;
use std::sync::Arc;

/// A function of time with its first two derivatives.
#[derive(Clone)]
pub struct Course(Arc<dyn Fn(f64) -> [f64; 3] + Send + Sync>);

impl Course {
    /// A function that returns value, first and second derivative.
    pub fn new(function: impl Fn(f64) -> [f64; 3] + Send + Sync + 'static) -> Self {
        Course(Arc::new(function))
    }

    /// A constant.
    pub fn constant(value: f64) -> Self {
        Course::new(move |_| [value, 0.0, 0.0])
    }

    /// value + rate t
    pub fn linear(value: f64, rate: f64) -> Self {
        Course::new(move |t| [value + rate * t, rate, 0.0])
    }

    /// amplitude sin(frequency t + phase), the frequency in radians per time
    pub fn sine(amplitude: f64, frequency: f64, phase: f64) -> Self {
        Course::new(move |t| {
            let (sin, cos) = (frequency * t + phase).sin_cos();
            [amplitude * sin, amplitude * frequency * cos, -amplitude * frequency * frequency * sin]
        })
    }

    /// Value and derivatives at a time.
    pub fn at(&self, t: f64) -> [f64; 3] {
        (self.0)(t)
    }
}

impl fmt::Debug for Course {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [value, rate, _] = self.at(0.0);
        write!(f, "Course({value} + {rate} t + ..)")
    }
}
