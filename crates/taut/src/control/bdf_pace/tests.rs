use super::*;

fn errors(lower: f64, same: f64, higher: f64) -> Errors {
    Errors { lower: Some(lower), same, higher: Some(higher) }
}

/// A pace at order 3 that has been steady long enough to change.
fn steady() -> Pace {
    let mut pace = Pace::new(5, false, 2.0);
    pace.begin(4, 1.0);
    (0..4).for_each(|_| pace.go_on());
    pace
}

#[test]
fn a_start_allows_the_order_of_its_points() {
    let mut pace = Pace::new(5, false, 2.0);
    pace.begin(4, 0.4);
    assert_eq!((pace.order, pace.factor), (3, 0.4));
    let mut low = Pace::new(2, true, 2.0);
    low.begin(4, 0.4);
    assert_eq!(low.order, 2);
}

#[test]
fn nothing_changes_before_the_past_is_even() {
    let mut pace = Pace::new(5, false, 2.0);
    pace.begin(4, 1.0);
    assert!(!pace.is_due(0.5) && pace.is_due(0.9));
    pace.choose(&errors(1.0, 1e-6, 1e-9));
    assert_eq!((pace.order, pace.factor), (3, 1.0));
}

#[test]
fn the_order_with_the_longest_step_is_taken() {
    let mut pace = steady();
    pace.choose(&errors(10.0, 0.4, 1e-3));
    assert_eq!((pace.order, pace.factor), (4, 2.0));
    let mut pace = steady();
    pace.choose(&errors(1e-4, 0.4, 10.0));
    assert_eq!((pace.order, pace.factor), (2, 2.4));
    // longer by less than a tenth: not worth the change
    let mut pace = steady();
    pace.choose(&errors(1.0, 0.4, 0.35));
    assert_eq!((pace.order, pace.factor), (3, 1.0));
}

#[test]
fn noise_does_not_change_the_order() {
    let mut pace = steady();
    pace.choose(&errors(1e-7, 1e-7, 1e-7));
    assert_eq!((pace.order, pace.factor), (3, 2.0));
}

#[test]
fn errors_that_grow_with_the_order_lower_it() {
    let mut pace = steady();
    pace.choose(&errors(0.5, 0.8, 1.5));
    assert_eq!(pace.order, 2);
    assert!(pace.factor <= 1.0);
}

#[test]
fn a_fixed_order_is_reached_and_kept() {
    let mut pace = Pace::new(4, true, 2.0);
    pace.begin(4, 1.0);
    assert_eq!(pace.neighbours(), (None, Some(4)));
    (0..4).for_each(|_| pace.go_on());
    pace.choose(&Errors { lower: None, same: 0.1, higher: Some(1e3) });
    assert_eq!((pace.order, pace.neighbours()), (4, (None, None)));
    (0..3).for_each(|_| pace.reject());
    assert_eq!((pace.order, pace.rejections), (4, 3));
}

#[test]
fn rejections_lower_the_order() {
    let mut pace = steady();
    pace.reject();
    assert_eq!(pace.order, 3);
    (0..5).for_each(|_| pace.reject());
    assert_eq!(pace.order, 1);
}
