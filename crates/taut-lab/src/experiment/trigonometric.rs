//! Trigonometric methods for x'' = -diag(0, omega^2) x - grad U(x) (Hairer, Lubich and Wanner 2006, XIII.2.2).

/// Filter functions of h omega: psi, and phi inside of the force.
#[derive(Clone, Copy, Debug)]
pub struct Filters {
    /// of the force
    pub psi: f64,
    /// of what the force is taken at
    pub phi: f64,
}

impl Filters {
    /// psi = sinc^2, phi = sinc (García-Archilla, Sanz-Serna and Skeel 1999).
    pub fn mollified(xi: f64) -> Self {
        Filters { psi: sinc(xi) * sinc(xi), phi: sinc(xi) }
    }

    /// psi = sinc, phi = 1 (Deuflhard 1979).
    pub fn deuflhard(xi: f64) -> Self {
        Filters { psi: sinc(xi), phi: 1.0 }
    }

    /// psi = sinc^2(./2), phi = 1 (Gautschi 1961, in the form of Hochbruck and Lubich 1999).
    pub fn gautschi(xi: f64) -> Self {
        Filters { psi: sinc(0.5 * xi) * sinc(0.5 * xi), phi: 1.0 }
    }
}

/// sin x / x
fn sinc(x: f64) -> f64 {
    x.sin() / x
}

/// -grad U of U = x^4/4 + x^2 z + x^2 z^2/2 + z^4/4.
fn force([x, z]: [f64; 2]) -> [f64; 2] {
    [-(x * x * x + 2.0 * x * z + x * z * z), -(x * x + x * x * z + z * z * z)]
}

/// The largest change of the oscillatory energy (z'^2 + omega^2 z^2)/2 in so many steps, from x = 1, z = 0, x' = 0, z' = 1.
pub fn oscillatory_energy_change(omega: f64, h: f64, filters: Filters, steps: usize) -> f64 {
    let xi = h * omega;
    let (sin, cos) = xi.sin_cos();
    // Symmetric methods: psi = sinc psi_1, psi_0 = cos psi_1.
    let psi_1 = filters.psi / sinc(xi);
    let filtered = |q: [f64; 2]| force([q[0], filters.phi * q[1]]);
    let (mut q, mut v) = ([1.0, 0.0], [0.0, 1.0]);
    let mut f = filtered(q);
    let energy = |q: [f64; 2], v: [f64; 2]| 0.5 * (v[1] * v[1] + omega * omega * q[1] * q[1]);
    let at_start = energy(q, v);
    let mut largest = 0.0_f64;
    for _ in 0..steps {
        let next = [
            q[0] + h * v[0] + 0.5 * h * h * f[0],
            cos * q[1] + sin / omega * v[1] + 0.5 * h * h * filters.psi * f[1],
        ];
        let there = filtered(next);
        v = [
            v[0] + 0.5 * h * (f[0] + there[0]),
            -omega * sin * q[1] + cos * v[1] + 0.5 * h * psi_1 * (cos * f[1] + there[1]),
        ];
        (q, f) = (next, there);
        largest = largest.max((energy(q, v) - at_start).abs());
    }
    largest
}
