use super::Scalar;
pub use taut_number::DoubleDouble;

impl Scalar for DoubleDouble {
    fn magnitude(self) -> f64 {
        self.to_f64().abs()
    }
}
