//! `verify`

use crate::support::{Folder, keys, taut};

#[test]
fn a_claim_with_all_its_numbers() {
    let answer = taut("verify schropp-3.3");
    assert_eq!(answer.code, 0);
    for word in ["schropp-3.3 (Schropp 2003): holds", "statement", "claimed", "slope", "residual", "used"] {
        assert!(answer.out.contains(word), "{word}: {}", answer.out);
    }
}

#[test]
fn claims_that_begin_alike_in_a_table() {
    let answer = taut("verify schropp-table --fast");
    assert_eq!(answer.code, 0);
    for word in [
        "schropp-table-1",
        "schropp-table-2",
        "2580",
        "measured",
        "2 claims: 1 hold, 1 hold in a corrected form",
    ] {
        assert!(answer.out.contains(word), "{word}: {}", answer.out);
    }
    assert!(!answer.out.contains("jay"));
}

#[test]
fn claims_as_json_and_as_figures() {
    let folder = Folder::new();
    let answer = folder.taut("verify schropp-remark --json --plot figures --report claims.html");
    assert_eq!(answer.code, 0);
    let list = answer.json();
    let expected =
        ["id", "paper", "statement", "claimed", "measured", "verdict", "note", "bounds", "checks", "tables"];
    assert_eq!(keys(&list[0]), expected);
    assert_eq!((list.as_array().unwrap().len(), &list[0]["verdict"]), (1, &"corrected".into()));
    let figure = folder.text("figures/schropp-remark-2.1.svg");
    assert!(figure.contains("<svg") && figure.contains("lambda") && figure.contains("radau-ia s = 3"));
    let page = folder.text("claims.html");
    assert!(
        page.contains("schropp-remark-2.1") && page.contains("radau-ia s = 3") && page.contains("corrected")
    );
}

#[test]
fn unknown_claims_are_answered_with_what_exists() {
    let answer = taut("verify nonsense");
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("there is no claim 'nonsense'") && answer.err.contains("schropp-table-1"));
    assert_eq!(taut("verify schropp-3.3 --write page.md").code, 2);
}

/// Orders over h and eps, as a table.
#[test]
fn maps_are_printed() {
    let answer = taut("verify beyond-order-maps");
    assert_eq!(answer.code, 0, "{}", answer.out);
    for expected in ["order of y', generalised alpha", "eps \\ h  2^-4", "2^-24"] {
        assert!(answer.out.contains(expected), "{}", answer.out);
    }
}
