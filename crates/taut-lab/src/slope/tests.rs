use proptest::prelude::*;

use super::{FEWEST_POINTS, fit};

fn halved(points: usize) -> Vec<f64> {
    (0..points).map(|k| 0.5_f64.powi(k as i32)).collect()
}

proptest! {
    #[test]
    fn a_power_law_is_found_whatever_its_constant(order in 0.5..14.0_f64, constant in 1e-3..1e3_f64) {
        let h = halved(7);
        let errors: Vec<f64> = h.iter().map(|h| constant * h.powf(order)).collect();
        let fit = fit(&h, &errors, |_| 0.0).ok_or(TestCaseError::fail("no fit"))?;
        prop_assert!((fit.slope - order).abs() < 1e-10);
        prop_assert!((fit.offset - constant.ln()).abs() < 1e-10);
        prop_assert!(fit.residual < 1e-10);
        prop_assert_eq!(fit.points(), 7);
    }

    #[test]
    fn points_on_the_plateau_do_not_count(order in 2.0..6.0_f64, fine in 4..8_usize) {
        let h = halved(fine + 3);
        let errors: Vec<f64> =
            h.iter().enumerate().map(|(k, h)| if k < fine { h.powf(order) } else { 1e-30 }).collect();
        let fit = fit(&h, &errors, |_| 1e-29).ok_or(TestCaseError::fail("no fit"))?;
        prop_assert!((fit.slope - order).abs() < 1e-10);
        prop_assert_eq!(fit.points(), fine);
    }
}

#[test]
fn coarse_points_outside_the_asymptotic_range_are_left_out() {
    let h = halved(8);
    let errors: Vec<f64> = h.iter().map(|h| h.powi(3) * (1.0 + 50.0 * h.powi(4))).collect();
    let fit = fit(&h, &errors, |_| 0.0);
    let fit = fit.as_ref();
    assert!(fit.is_some_and(|fit| (fit.slope - 3.0).abs() < 0.1), "{fit:?}");
    assert_eq!(fit.map(|fit| fit.used[0]), Some(false));
    assert_eq!(fit.map(|fit| fit.used[7]), Some(true));
}

#[test]
fn too_few_points_give_nothing() {
    let h = halved(FEWEST_POINTS - 1);
    assert_eq!(fit(&h, &h, |_| 0.0), None);
    assert_eq!(fit(&halved(6), &[1.0, 0.5, f64::NAN, 0.2, 0.1, 0.05], |_| 0.0), None);
}
