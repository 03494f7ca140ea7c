//! A system without some of its constraints against the full one.

use proptest::prelude::*;

use crate::system::testing::*;
use crate::system::{Differentiated, Independent, MechanicalSystem, Terms};

fn select(all: &[f64], kept: &[usize]) -> Vec<f64> {
    kept.iter().map(|&k| all[k]).collect()
}

proptest! {
    #![proptest_config(deterministic(32))]

    #[test]
    fn kept_rows_are_those_of_the_full_system(
        t in 0.0..2.0_f64, x in prop::collection::vec(-1.0..1.0_f64, 12),
        without in prop::sample::subsequence(vec![0_usize, 1, 2], 0..=3),
    ) {
        let everything = Differentiated::new(Everything { mass_by: MassBy::Entries });
        let independent = Independent::without(&everything, &without);
        let kept: Vec<usize> = (0..3).filter(|k| !without.contains(k)).collect();
        let (q, v, a, lambda) = (&x[..3], &x[3..6], &x[6..9], &x[9..9 + kept.len()]);
        let found = At { system: &independent, t, q, v };
        let expected = At { system: &everything, t, q, v };

        let names = |system: &dyn MechanicalSystem| {
            system.structure().constraints.iter().map(|c| c.name.clone()).collect::<Vec<_>>()
        };
        let all_names = names(&everything);
        prop_assert_eq!(names(&independent), kept.iter().map(|&k| all_names[k].clone()).collect::<Vec<_>>());
        prop_assert_eq!(found.constraint(), select(&expected.constraint(), &kept));
        prop_assert_eq!(found.rate(), select(&expected.rate(), &kept));
        prop_assert_eq!(found.curvature(), select(&expected.curvature(), &kept));
        let jacobian = full(&independent.structure().jacobian, &found.jacobian());
        let full_jacobian = full(&everything.structure().jacobian, &expected.jacobian());
        for j in 0..3 {
            prop_assert_eq!(&jacobian[j], &select(&full_jacobian[j], &kept));
        }

        let all = independent.all_multipliers(lambda);
        prop_assert_eq!(independent.kept_multipliers(&all), lambda);
        prop_assert!(without.iter().all(|&k| all[k] == 0.0));
        let terms = Terms::ACCELERATING;
        prop_assert_eq!(found.newton_blocks(terms, a, lambda), expected.newton_blocks(terms, a, &all));
        prop_assert_eq!(found.force(terms), expected.force(terms));
        prop_assert_eq!(found.mass(), expected.mass());
        assert_close(&found.balance(terms, a, lambda), &expected.balance(terms, a, &all), 1e-14, "balance");
        prop_assert_eq!(independent.energy(t, q, v), everything.energy(t, q, v));
    }
}
