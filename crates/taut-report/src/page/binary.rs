//! Numbers as text: quantised, differences taken, sorted by bytes, deflated, in base 64.

use serde_json::{Value, json};

use crate::track::Digits;

/// 11 digits of the largest value.
const MANY: f64 = 1.0 / (1_u64 << 37) as f64;
/// More than a screen has pixels.
const FEW: f64 = 1.0 / 65_000.0;
/// Four digits of each value.
const OF_LOGARITHM: f64 = 1e-4;
/// How hard the deflating is tried.
const LEVEL: u8 = 9;

/// Columns of numbers, put together.
#[derive(Debug, Default)]
pub(super) struct Binary {
    bytes: Vec<u8>,
}

impl Binary {
    /// Adds a column; returns what `decode.js` needs to read it.
    pub(super) fn column(&mut self, values: &[f64], digits: Digits) -> Value {
        let logarithms: Vec<f64>;
        let (values, logarithmic) = match digits {
            Digits::OfLogarithm => {
                logarithms = values.iter().map(|value| value.log10()).collect();
                (logarithms.as_slice(), true)
            }
            _ => (values, false),
        };
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let (least, most) =
            finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), x| (l.min(x), m.max(x)));
        let (base, most) = if least <= most { (least, most) } else { (0.0, 0.0) };
        let quantum = match digits {
            Digits::Many => MANY * base.abs().max(most.abs()),
            Digits::Few => FEW * (most - base),
            Digits::OfLogarithm => OF_LOGARITHM,
        };
        // 0 stands for what is no number.
        let whole = |value: &f64| match value.is_finite() {
            true if quantum > 0.0 => 1 + ((value - base) / quantum).round() as i64,
            true => 1,
            false => 0,
        };
        let order_and_bytes = smallest(&values.iter().map(whole).collect::<Vec<i64>>());
        let (order, width, bytes) = order_and_bytes;
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        json!([offset, values.len(), width, base, quantum, order, u8::from(logarithmic)])
    }

    /// Adds numbers as they are.
    pub(super) fn exact(&mut self, values: &[f64]) -> Value {
        let offset = self.bytes.len();
        self.bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        json!([offset, values.len()])
    }

    /// The number of bytes, and all of them as text.
    pub(super) fn finish(self) -> (usize, String) {
        (self.bytes.len(), base64(&miniz_oxide::deflate::compress_to_vec(&self.bytes, LEVEL)))
    }
}

/// Differences of order 0, 1 or 2, whichever are the smallest, as bytes: first the lowest byte of all of them, then the next.
fn smallest(whole: &[i64]) -> (usize, usize, Vec<u8>) {
    let first = differences(whole);
    let second = differences(&first);
    let size =
        |numbers: &[i64]| -> u32 { numbers.iter().map(|x| 64 - x.unsigned_abs().leading_zeros()).sum() };
    let orders = [whole.to_vec(), first, second];
    let (order, numbers) =
        orders.iter().enumerate().min_by_key(|(_, numbers)| size(numbers)).unwrap_or((0, &orders[0]));
    let zigzag: Vec<u64> = numbers.iter().map(|&x| ((x << 1) ^ (x >> 63)) as u64).collect();
    let most = zigzag.iter().copied().max().unwrap_or(0);
    let width = (64 - most.leading_zeros()).div_ceil(8) as usize;
    let bytes = (0..width).flat_map(|byte| zigzag.iter().map(move |x| (x >> (8 * byte)) as u8));
    (order, width, bytes.collect())
}

fn differences(numbers: &[i64]) -> Vec<i64> {
    let mut last = 0;
    numbers.iter().map(|&x| x - std::mem::replace(&mut last, x)).collect()
}

/// The usual text of bytes (RFC 4648).
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |k: usize| u32::from(three.get(k).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k) & 63) as usize] as char;
            text.push(if k > three.len() { '=' } else { letter });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a column as `decode.js` does.
    fn decoded(bytes: &[u8], code: &Value) -> Vec<f64> {
        let number = |k: usize| code[k].as_f64().unwrap();
        let (offset, count, width) = (number(0) as usize, number(1) as usize, number(2) as usize);
        let mut numbers: Vec<i64> = (0..count)
            .map(|k| {
                let zigzag =
                    (0..width).map(|b| u64::from(bytes[offset + b * count + k]) << (8 * b)).sum::<u64>();
                (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64)
            })
            .collect();
        for _ in 0..number(5) as usize {
            for k in 1..count {
                numbers[k] += numbers[k - 1];
            }
        }
        let value = |&k: &i64| if k == 0 { f64::NAN } else { number(3) + (k - 1) as f64 * number(4) };
        let values = numbers.iter().map(value);
        if number(6) == 1.0 { values.map(|x| 10_f64.powf(x)).collect() } else { values.collect() }
    }

    #[test]
    fn columns_come_back() {
        let wave: Vec<f64> = (0..500).map(|k| 3.0 * (0.1 * f64::from(k)).sin()).collect();
        let holes = [1.0, f64::NAN, -2.0, f64::INFINITY];
        let small = [1e-16, 3e-12, 0.0, 2.5];
        let mut binary = Binary::default();
        let codes = [
            binary.column(&wave, Digits::Many),
            binary.column(&wave, Digits::Few),
            binary.column(&holes, Digits::Many),
            binary.column(&small, Digits::OfLogarithm),
            binary.column(&[5.0; 9], Digits::Many),
            binary.column(&[], Digits::Few),
        ];
        let close = |code: &Value, expected: &[f64], tolerance: f64| {
            for (found, expected) in decoded(&binary.bytes, code).iter().zip(expected) {
                let same = (found - expected).abs() <= tolerance || !expected.is_finite() && found.is_nan();
                assert!(same, "{found} instead of {expected}");
            }
        };
        close(&codes[0], &wave, 1.2e-11);
        close(&codes[1], &wave, 5e-5);
        close(&codes[2], &holes, 1e-10);
        for (found, expected) in decoded(&binary.bytes, &codes[3]).iter().zip([1e-16, 3e-12, f64::NAN, 2.5]) {
            assert!((found / expected - 1.0).abs() < 2e-4 || found.is_nan() == expected.is_nan());
        }
        close(&codes[4], &[5.0; 9], 1e-9);
        assert!(decoded(&binary.bytes, &codes[5]).is_empty());
    }

    #[test]
    fn base_64_is_the_usual_one() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"f"), "Zg==");
        assert_eq!(base64(b"fo"), "Zm8=");
        assert_eq!(base64(b"foobar"), "Zm9vYmFy");
    }
}
