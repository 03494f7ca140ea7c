mod closed_forms;
mod definitions;
mod explicit;

use super::*;

#[test]
fn names_lead_back_to_families() {
    for family in Family::ALL {
        assert_eq!(Family::from_name(family.name()), Ok(family));
        assert_eq!(family.to_string(), family.name());
    }
}

#[test]
fn unknown_names_are_told_what_there_is() {
    let error = Family::from_name("radua").unwrap_err().to_string();
    for family in Family::ALL {
        assert!(error.contains(family.name()), "{error}");
    }
    assert!(error.contains("radua"));
}

#[test]
fn wrong_numbers_of_stages_are_refused_with_the_numbers() {
    let message = |family: Family, stages| family.tableau(stages).unwrap_err().to_string();
    assert_eq!(message(Family::RadauIia, 0), "radau begins with 1 stages, not 0");
    assert_eq!(message(Family::LobattoIiia, 1), "lobatto-iiia begins with 2 stages, not 1");
    assert_eq!(
        message(Family::Gauss, 21),
        "gauss with 21 stages is beyond the working precision; the largest is 20 stages"
    );
    assert_eq!(message(Family::Sdirk, 4), "there is no sdirk with 4 stages; there is sdirk with 2, 3, 5");
    assert_eq!(message(Family::Esdirk, 1), "there is no esdirk with 1 stages; there is esdirk with 3, 4, 6");
    assert_eq!(
        message(Family::DormandPrince8, 3),
        "there is no dopri8 with 3 stages; there is dopri8 with 12"
    );
    assert_eq!(
        message(Family::DormandPrince5, 0),
        "there is no dopri5 with 0 stages; there is dopri5 with 7"
    );
}

#[test]
fn every_listed_number_of_stages_exists() {
    for family in Family::ALL {
        for stages in family.stages() {
            let tableau = family.tableau(stages).unwrap();
            assert_eq!((tableau.stages(), tableau.family()), (stages, Some(family)));
            assert_eq!(tableau.name(), family.name());
        }
    }
}

#[test]
fn no_coefficient_is_near_the_rounding_errors() {
    for family in Family::ALL {
        for stages in family.stages() {
            let tableau = family.tableau(stages).unwrap();
            let least = tableau
                .a()
                .as_slice()
                .iter()
                .filter(|&&entry| entry != 0.0)
                .fold(1.0, |m: f64, x| m.min(x.abs()));
            assert!(least > 1e-7, "{family} with {stages} stages has the entry {least}");
        }
    }
}
