//! What a register holds: a number, or the same number of several states.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::hypotenuse::{hypotenuse, is_safe};

/// Numbers that instructions compute with.
pub(super) trait Value:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A function of each number.
    fn map(self, f: impl Fn(f64) -> f64) -> Self;

    /// A function of each pair of numbers.
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self;

    /// √(x² + y²)
    fn hypotenuse(self, other: Self) -> Self;
}

impl Value for f64 {
    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        f(self)
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        f(self, other)
    }

    #[inline(always)]
    fn hypotenuse(self, other: Self) -> Self {
        hypotenuse(self, other)
    }
}

/// The same number of L states. Loops over lanes become vector instructions.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(super) struct Lanes<const L: usize>(pub(super) [f64; L]);

impl<const L: usize> Value for Lanes<L> {
    #[inline(always)]
    fn map(mut self, f: impl Fn(f64) -> f64) -> Self {
        for k in 0..L {
            self.0[k] = f(self.0[k]);
        }
        self
    }

    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        for k in 0..L {
            self.0[k] = f(self.0[k], other.0[k]);
        }
        self
    }

    #[inline(always)]
    fn hypotenuse(self, other: Self) -> Self {
        let square = self * self + other * other;
        let mut safe = true;
        for k in 0..L {
            safe &= is_safe(square.0[k]);
        }
        if safe { square.map(f64::sqrt) } else { self.zip(other, hypotenuse) }
    }
}

impl<const L: usize> Add for Lanes<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl<const L: usize> Sub for Lanes<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl<const L: usize> Mul for Lanes<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}

impl<const L: usize> Div for Lanes<L> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }
}

impl<const L: usize> Neg for Lanes<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}
