//! The polynomial of degree 5 that has positions, velocities and accelerations of both ends of a step.

/// Weights at θ of (q₀, q₁, h v₀, h v₁, h² a₀, h² a₁) in q(t₀ + θh), and in h q'(t₀ + θh).
pub(crate) fn quintic(theta: f64) -> ([f64; 6], [f64; 6]) {
    let rest = 1.0 - theta;
    // The weights of the far end are those of the near end, seen from there.
    let near = |x: f64| {
        let (y, cube) = (1.0 - x, (1.0 - x).powi(3));
        let value = [cube * (1.0 + x * (3.0 + 6.0 * x)), cube * x * (1.0 + 3.0 * x), 0.5 * cube * x * x];
        let square = y * y;
        let slope = [
            -30.0 * square * x * x,
            square * (1.0 + x * (2.0 - 15.0 * x)),
            0.5 * square * x * (2.0 - 5.0 * x),
        ];
        (value, slope)
    };
    let ((p0, d0), (p1, d1)) = (near(theta), near(rest));
    ([p0[0], p1[0], p0[1], -p1[1], p0[2], p1[2]], [d0[0], -d1[0], d0[1], d1[1], d0[2], -d1[2]])
}

#[cfg(test)]
mod tests {
    use super::quintic;

    #[test]
    fn polynomials_of_degree_five_are_reproduced() {
        for power in 0..=5 {
            let (value, slope, bend) = (
                |x: f64| x.powi(power),
                |x: f64| f64::from(power) * if power == 0 { 0.0 } else { x.powi(power - 1) },
                |x: f64| f64::from(power * (power - 1)) * if power < 2 { 0.0 } else { x.powi(power - 2) },
            );
            let ends = [value(0.0), value(1.0), slope(0.0), slope(1.0), bend(0.0), bend(1.0)];
            for theta in [0.0, 0.1, 0.35, 0.5, 0.8, 1.0] {
                let (weights, rates) = quintic(theta);
                let sum = |w: &[f64; 6]| w.iter().zip(&ends).map(|(w, e)| w * e).sum::<f64>();
                assert!((sum(&weights) - value(theta)).abs() < 1e-14, "value, power {power}, at {theta}");
                assert!((sum(&rates) - slope(theta)).abs() < 1e-14, "slope, power {power}, at {theta}");
            }
        }
    }
}
