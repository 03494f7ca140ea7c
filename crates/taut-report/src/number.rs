//! Numbers for people.

/// A number with so many significant digits, without trailing zeros.
pub fn significant(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".to_owned() } else { x.to_string() };
    }
    let exponent = x.abs().log10().floor() as i32;
    if !(-4..9).contains(&exponent) {
        let text = format!("{x:.*e}", digits.saturating_sub(1));
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", without_zeros(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    without_zeros(&format!("{x:.decimals$}")).to_owned()
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn numbers_are_short_and_keep_their_digits() {
        assert_eq!(significant(0.0, 6), "0");
        assert_eq!(significant(20.0, 9), "20");
        assert_eq!(significant(-0.25, 4), "-0.25");
        assert_eq!(significant(std::f64::consts::PI, 5), "3.1416");
        assert_eq!(significant(1.0e11, 9), "1e11");
        assert_eq!(significant(1.25e-9, 3), "1.25e-9");
        assert_eq!(significant(123_456.0, 3), "123456");
    }
}
