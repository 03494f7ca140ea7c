//! Axes: which numbers are written where.

use crate::number::significant;

/// How numbers are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// evenly
    Linear,
    /// by powers of ten; only positive numbers are shown
    Logarithmic,
}

impl Scale {
    /// Whether a number can be shown.
    pub fn shows(self, x: f64) -> bool {
        x.is_finite() && (self == Scale::Linear || x > 0.0)
    }

    fn stretched(self, x: f64) -> f64 {
        match self {
            Scale::Linear => x,
            Scale::Logarithmic => x.log10(),
        }
    }
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    scale: Scale,
    /// the ends, stretched
    low: f64,
    high: f64,
    /// numbers and what is written at them
    pub ticks: Vec<(f64, String)>,
}

/// Numbers below this are drawn as 0, those above at the end of the axis: between them a step of an axis is a number.
const LEAST: f64 = 1e-290;
const LARGEST: f64 = 1e300;
/// About so many numbers are written at an axis.
const TICKS: f64 = 6.0;

impl Axis {
    /// An axis that shows all these numbers; `margin` is the share of the length left free at both ends.
    pub fn around(numbers: impl Iterator<Item = f64>, scale: Scale, margin: f64) -> Self {
        let shown = numbers.filter(|&x| scale.shows(x));
        let (least, most) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), x| (l.min(x), m.max(x)));
        let (least, most) = if least <= most { (least, most) } else { (1.0, 1.0) };
        match scale {
            Scale::Linear => Self::linear(least, most, margin),
            Scale::Logarithmic => Self::logarithmic(least, most),
        }
    }

    fn linear(least: f64, most: f64, margin: f64) -> Self {
        let (least, most) = (least.max(-LARGEST), most.min(LARGEST));
        let size = least.abs().max(most.abs());
        // A constant is shown in the middle; differences of rounding size are none, and what is next to nothing is nothing.
        let nothing = size < LEAST;
        let flat = nothing || most - least <= 1e-13 * size;
        let (low, high) = if flat {
            let half = if nothing { 1.0 } else { 0.1 * size };
            (least - half, most + half)
        } else {
            let free = margin * (most - least);
            (least - free, most + free)
        };
        Self::between(low, high)
    }

    /// A linear axis from one number to another.
    fn between(low: f64, high: f64) -> Self {
        let step = round_step((high - low) / TICKS);
        // An end that misses a round number by rounding only is one.
        let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
        let ticks = (first..=last).map(|k| (k as f64 * step, significant(k as f64 * step, 10)));
        Axis { scale: Scale::Linear, low, high, ticks: ticks.collect() }
    }

    /// Widens one of two linear axes, so that one unit is as long on both; `aspect` is the width over the height.
    pub fn make_equal(x: &mut Axis, y: &mut Axis, aspect: f64) {
        let (wide, tall) = (x.high - x.low, y.high - y.low);
        let widened = |axis: &Axis, length: f64| {
            let middle = 0.5 * (axis.low + axis.high);
            Self::between(middle - 0.5 * length, middle + 0.5 * length)
        };
        if wide < aspect * tall {
            *x = widened(x, aspect * tall);
        } else {
            *y = widened(y, wide / aspect);
        }
    }

    fn logarithmic(least: f64, most: f64) -> Self {
        // Less than two powers of ten are not worth a logarithm of their own: they get 1, 2 and 5.
        let (mut low, mut high) = (least.log10(), most.log10());
        let fine = high - low < 2.0;
        let free = if fine { 0.1 + 0.05 * (high - low) } else { 0.0 };
        (low, high) = (low - free, high + free);
        if !fine {
            (low, high) = (low.floor(), high.ceil());
        }
        let (first, last) = (low.floor() as i32, high.ceil() as i32);
        let stride = ((high - low) / TICKS).ceil().max(1.0) as usize;
        let mut ticks = Vec::new();
        for k in (first..=last).step_by(stride) {
            ticks.push((10_f64.powi(k), power_of_ten(k)));
            if fine {
                ticks.extend([2, 5].map(|digit| {
                    (f64::from(digit) * 10_f64.powi(k), format!("{digit}·{}", power_of_ten(k)))
                }));
            }
        }
        let inside = |(x, _): &(f64, String)| (low - 1e-9..=high + 1e-9).contains(&x.log10());
        ticks.retain(inside);
        Axis { scale: Scale::Logarithmic, low, high, ticks }
    }

    /// Where a number lies, from 0 at the lower end to 1 at the upper.
    pub fn share(&self, x: f64) -> f64 {
        (self.scale.stretched(x) - self.low) / (self.high - self.low)
    }

    /// Whether a number can be shown.
    pub fn shows(&self, x: f64) -> bool {
        self.scale.shows(x)
    }
}

/// The next of 1, 2, 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

fn power_of_ten(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| match c.to_digit(10) {
        Some(digit) => DIGITS[digit as usize],
        None => '⁻',
    };
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn linear_axes_have_round_numbers_inside() {
        let axis = Axis::around([0.0, 0.3].into_iter(), Scale::Linear, 0.0);
        assert_eq!(labels(&axis), ["0", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3"]);
        assert_eq!((axis.share(0.0), axis.share(0.3)), (0.0, 1.0));
        let flat = Axis::around([2.0, 2.0].into_iter(), Scale::Linear, 0.05);
        assert!((flat.share(2.0) - 0.5).abs() < 1e-12);
        let nothing = Axis::around(std::iter::empty(), Scale::Linear, 0.05);
        assert!(!nothing.ticks.is_empty());
    }

    #[test]
    fn the_ends_of_the_range_of_numbers_have_an_axis() {
        for numbers in [[0.0, 5e-324], [-f64::MAX, f64::MAX], [1e-300, 2e-300], [f64::MAX, f64::MAX]] {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                let axis = Axis::around(numbers.into_iter(), scale, 0.05);
                assert!(axis.ticks.len() < 20, "{numbers:?}: {:?}", axis.ticks);
                assert!(numbers.iter().all(|x| !axis.shows(*x) || !axis.share(*x).is_nan()), "{numbers:?}");
            }
        }
    }

    #[test]
    fn logarithmic_axes_have_powers_of_ten() {
        let axis = Axis::around([2e-16, 0.0, 3e-13].into_iter(), Scale::Logarithmic, 0.0);
        assert_eq!(labels(&axis), ["10⁻¹⁶", "10⁻¹⁵", "10⁻¹⁴", "10⁻¹³", "10⁻¹²"]);
        assert!(!axis.shows(0.0) && axis.shows(1e-14));
        let narrow = Axis::around([0.11, 0.6].into_iter(), Scale::Logarithmic, 0.0);
        assert_eq!(labels(&narrow), ["10⁻¹", "2·10⁻¹", "5·10⁻¹"]);
    }
}
