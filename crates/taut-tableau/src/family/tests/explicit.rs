//! The methods with published constants: order conditions of all rooted trees.

use crate::number::{DoubleDouble, Matrix};
use crate::{Family, RootedTrees, Tableau};

/// The matrix of all stages of the continuous extension, those of the step first.
fn all_stages(tableau: &Tableau) -> Matrix<DoubleDouble> {
    let continuous = tableau.continuous().unwrap();
    let (stages, all) = (tableau.stages(), continuous.stages());
    Matrix::from_fn(all, all, |i, j| match continuous.extra() {
        Some(extra) if i >= stages => DoubleDouble::from(extra.a[(i - stages, j)]),
        _ if j < stages => tableau.exact().a[(i, j)],
        _ => DoubleDouble::ZERO,
    })
}

/// The largest defect of the conditions up to each order over several theta.
fn extension_defects(tableau: &Tableau, order: usize) -> Vec<f64> {
    let continuous = tableau.continuous().unwrap();
    let a = all_stages(tableau);
    let trees = RootedTrees::up_to(order);
    let mut worst = vec![0.0_f64; order];
    for theta in [0.0, 0.1, 0.25, 0.5, 0.7, 0.9, 1.0] {
        let mut weights = vec![0.0; continuous.stages()];
        continuous.weights(theta, &mut weights);
        let weights: Vec<DoubleDouble> = weights.into_iter().map(DoubleDouble::from).collect();
        for (worst, defect) in worst.iter_mut().zip(trees.defects(&a, &weights, theta)) {
            *worst = worst.max(defect);
        }
    }
    worst
}

fn defects(tableau: &Tableau, weights: &[DoubleDouble], order: usize) -> Vec<f64> {
    RootedTrees::up_to(order).defects(&tableau.exact().a, weights, 1.0)
}

#[test]
fn dormand_prince_8_fulfils_all_200_conditions() {
    let tableau = Family::DormandPrince8.tableau(12).unwrap();
    let weights = defects(&tableau, &tableau.exact().b, 9);
    assert!(weights[..8].iter().all(|&defect| defect < 1e-14), "{weights:?}");
    assert!(weights[8] > 1e-7, "order 9 fails: {weights:?}");
    for (embedded, order) in tableau.embedded().iter().zip([5, 3]) {
        let weights = defects(&tableau, embedded.exact(), order + 1);
        assert!(weights[..order].iter().all(|&defect| defect < 1e-14), "{order}: {weights:?}");
        assert!(weights[order] > 1e-6, "order {order} is the highest: {weights:?}");
    }
    assert_eq!((tableau.order(), tableau.embedded_orders()), (8, vec![5, 3]));
}

#[test]
fn dormand_prince_8_has_the_published_nodes() {
    let tableau = Family::DormandPrince8.tableau(12).unwrap();
    let root = 6.0_f64.sqrt();
    let c_4 = (6.0 - root) / 30.0;
    let expected = [
        0.0,
        c_4 * 4.0 / 9.0,
        c_4 * 2.0 / 3.0,
        c_4,
        (6.0 + root) / 30.0,
        1.0 / 3.0,
        1.0 / 4.0,
        4.0 / 13.0,
        127.0 / 195.0,
        3.0 / 5.0,
        6.0 / 7.0,
        1.0,
    ];
    for (i, (node, expected)) in tableau.c().iter().zip(expected).enumerate() {
        assert!((node - expected).abs() < 1e-14, "c_{} = {node}, not {expected}", i + 1);
    }
    let extra = tableau.continuous().unwrap().extra().unwrap().clone();
    for (node, expected) in extra.c.iter().zip([1.0, 0.1, 0.2, 7.0 / 9.0]) {
        assert!((node - expected).abs() < 1e-14, "{node}, not {expected}");
    }
}

#[test]
fn the_extension_of_dormand_prince_8_has_order_7() {
    let tableau = Family::DormandPrince8.tableau(12).unwrap();
    let worst = extension_defects(&tableau, 8);
    assert!(worst[..7].iter().all(|&defect| defect < 1e-13), "{worst:?}");
    assert!(worst[7] > 1e-8, "order 8 fails: {worst:?}");
}

#[test]
fn dormand_prince_5_fulfils_its_conditions() {
    let tableau = Family::DormandPrince5.tableau(7).unwrap();
    let weights = defects(&tableau, &tableau.exact().b, 6);
    assert!(weights[..5].iter().all(|&defect| defect < 1e-29), "{weights:?}");
    assert!(weights[5] > 1e-5);
    assert_eq!((tableau.order(), tableau.embedded_orders()), (5, vec![4]));
    assert!(tableau.is_stiffly_accurate() && tableau.is_explicit());
    let row_sums = tableau.exact().a.times(&[DoubleDouble::ONE; 7]);
    for (sum, node) in row_sums.iter().zip(tableau.c()) {
        assert_eq!(sum.to_f64(), *node);
    }
}

#[test]
fn the_extension_of_dormand_prince_5_has_order_4() {
    let tableau = Family::DormandPrince5.tableau(7).unwrap();
    let worst = extension_defects(&tableau, 5);
    assert!(worst[..4].iter().all(|&defect| defect < 1e-14), "{worst:?}");
    assert!(worst[4] > 1e-6, "{worst:?}");
}

#[test]
fn diagonally_implicit_methods_have_their_orders() {
    let expected = [
        (Family::Sdirk, 2, 2, 1, vec![]),
        (Family::Sdirk, 3, 3, 1, vec![]),
        (Family::Sdirk, 5, 4, 1, vec![3]),
        (Family::Esdirk, 3, 2, 2, vec![3]),
        (Family::Esdirk, 4, 3, 2, vec![2]),
        (Family::Esdirk, 6, 4, 2, vec![3]),
    ];
    for (family, stages, order, stage_order, embedded) in expected {
        let tableau = family.tableau(stages).unwrap();
        assert_eq!((tableau.order(), tableau.stage_order()), (order, stage_order), "{family} {stages}");
        assert_eq!(tableau.embedded_orders(), embedded, "{family} {stages}");
        assert!(tableau.is_diagonally_implicit() && tableau.is_stiffly_accurate());
        let stability = tableau.stability_function();
        assert!(stability.is_l_stable(), "{family} {stages}");
        let weights = defects(&tableau, &tableau.exact().b, order + 1);
        assert!(weights[..order].iter().all(|&defect| defect < 1e-28), "{weights:?}");
        assert!(weights[order] > 1e-4);
    }
}

#[test]
fn diagonals_are_the_published_ones() {
    let diagonal = |family: Family, stages| family.tableau(stages).unwrap().a()[(1, 1)];
    assert!((diagonal(Family::Sdirk, 2) - (1.0 - 0.5_f64.sqrt())).abs() < 2e-16);
    // The root of gamma^3 - 3 gamma^2 + 3/2 gamma - 1/6 in closed form.
    let angle = (1.0 / (2.0 * 2.0_f64.sqrt())).atan() / 3.0;
    let gamma = 1.0 + (1.5_f64).sqrt() * angle.sin() - angle.cos() / 2.0_f64.sqrt();
    assert!((diagonal(Family::Sdirk, 3) - gamma).abs() < 1e-15);
    assert!((diagonal(Family::Esdirk, 4) - gamma).abs() < 1e-15);
    assert_eq!(diagonal(Family::Sdirk, 5), 0.25);
    assert_eq!(diagonal(Family::Esdirk, 6), 0.25);
}
