//! Decimal text, in and out.

use super::DoubleDouble;

/// More digits than there are change nothing.
const MOST_DIGITS: usize = 36;

impl DoubleDouble {
    /// The number that decimal text stands for; nothing when it stands for none.
    ///
    /// ```
    /// use taut_number::DoubleDouble;
    ///
    /// let tenth = DoubleDouble::parse("0.1").unwrap_or_default();
    /// assert_eq!((tenth * 10.0 - 1.0).to_f64(), 0.0);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let plain: f64 = text.parse().ok()?;
        if !plain.is_finite() {
            return None;
        }
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let negative = whole.starts_with('-');
        let mut exponent = exponent.parse::<i32>().ok()?.checked_sub(fraction.len() as i32)?;
        let mut value = DoubleDouble::default();
        let digits = whole.trim_start_matches(['-', '+']).chars().chain(fraction.chars());
        for (k, digit) in digits.filter(|c| *c != '_').skip_while(|c| *c == '0').enumerate() {
            if k < MOST_DIGITS {
                value = value * 10.0 + f64::from(digit.to_digit(10)?);
            } else {
                exponent = exponent.checked_add(1)?;
            }
        }
        let ten = DoubleDouble::from(10.0);
        let size = exponent.unsigned_abs().min(i32::MAX as u32) as i32;
        let value = if exponent < 0 { value / ten.powi(size) } else { value * ten.powi(size) };
        // Beyond the range of powers of ten the plain number is all there is.
        let value = if value.is_finite() { value } else { plain.abs().into() };
        Some(if negative { -value } else { value })
    }

    /// So many significant digits, as `-1.234e-5`.
    pub fn to_text(self, digits: usize) -> String {
        if !self.is_finite() {
            return self.to_f64().to_string();
        }
        let (size, ten) = (self.abs(), DoubleDouble::from(10.0));
        if size.to_f64() == 0.0 {
            return "0".to_owned();
        }
        let digits = digits.clamp(1, MOST_DIGITS);
        let mut exponent = size.to_f64().log10().floor() as i32;
        let mut scaled = if exponent < 0 { size * ten.powi(-exponent) } else { size / ten.powi(exponent) };
        // A logarithm beside a whole number may be rounded to the wrong side.
        if scaled.to_f64() >= 10.0 {
            (scaled, exponent) = (scaled / 10.0, exponent + 1);
        } else if scaled.to_f64() < 1.0 {
            (scaled, exponent) = (scaled * 10.0, exponent - 1);
        }
        let mut found = round_digits(scaled, digits);
        if found.len() > digits {
            found.pop();
            exponent += 1;
        }
        let sign = if self.to_f64() < 0.0 { "-" } else { "" };
        let (first, rest) = found.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{rest}e{exponent}")
    }
}

/// The digits of a number between 1 and 10, the last one rounded; one more of them where it rounds up to 10.
fn round_digits(mut scaled: DoubleDouble, digits: usize) -> String {
    let mut found: Vec<u8> = Vec::with_capacity(digits + 1);
    for _ in 0..=digits {
        let mut digit = scaled.to_f64().floor();
        // 3 as 3 + a negative rest is 2.999…
        if (scaled - digit).to_f64() < 0.0 {
            digit -= 1.0;
        }
        let digit = digit.clamp(0.0, 9.0);
        found.push(digit as u8);
        scaled = (scaled - digit) * 10.0;
    }
    let up = found.pop().is_some_and(|digit| digit >= 5);
    let mut carry = up;
    for digit in found.iter_mut().rev() {
        if carry {
            carry = *digit == 9;
            *digit = if carry { 0 } else { *digit + 1 };
        }
    }
    if carry {
        found.insert(0, 1);
    }
    found.iter().map(|digit| char::from(b'0' + digit)).collect()
}
