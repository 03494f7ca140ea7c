//! What does not change in a view.

use crate::equations::{FirstOrderView, Form, Ggl, Index1, Index2, Index3, Layout};
use crate::linear::Choice;
use crate::start::find_index;
use crate::system::testing::*;
use crate::system::{Arrangement, Differentiated, Fault, FirstOrderSystem, MechanicalSystem, Sketch};

fn index_of<F: Form>(system: &dyn MechanicalSystem) -> Vec<u8> {
    FirstOrderView::<F>::new(system).composition().index.clone().unwrap()
}

#[test]
fn variables_are_named_after_coordinates_and_constraints() {
    let system = Differentiated::new(Pendulum);
    let view = FirstOrderView::<Ggl>::new(&system);
    let names = ["x", "y", "x'", "y'", "x''", "y''", "lambda(rod)", "mu(rod)"];
    assert_eq!(view.composition().variables, names);
    assert_eq!(view.composition().arrangement, Arrangement::General);
}

#[test]
fn positions_and_velocities_alone_have_derivatives() {
    let system = Differentiated::new(Everything { mass_by: MassBy::Entries });
    let view = FirstOrderView::<Index3>::new(&system);
    let entries: Vec<_> = view.composition().mass.entries().collect();
    assert_eq!(entries, (0..6).map(|i| (i, i)).collect::<Vec<_>>());
    assert_eq!(view.composition().mass_values, [1.0; 6]);
}

#[test]
fn the_index_is_that_of_the_levels() {
    let pendulum = Differentiated::new(Pendulum);
    assert_eq!(index_of::<Index3>(&pendulum), [1, 1, 2, 2, 3, 3, 3]);
    assert_eq!(index_of::<Index2>(&pendulum), [0, 0, 1, 1, 2, 2, 2]);
    assert_eq!(index_of::<Ggl>(&pendulum), [1, 1, 1, 1, 2, 2, 2, 2]);
    assert_eq!(index_of::<Index1>(&pendulum), [0, 0, 0, 0, 1, 1, 1]);
    let free = Differentiated::new(Sketch::new(["x"]));
    assert_eq!(index_of::<Index3>(&free), [0, 0, 1]);
    let skate =
        Differentiated::new(Sketch::new(["x", "y"]).nonholonomic_rod("skate", |_, q, v| v[0] - q[0] * v[1]));
    assert_eq!(index_of::<Index3>(&skate), [0, 0, 1, 1, 2, 2, 2]);
    assert_eq!(index_of::<Index1>(&skate), [0, 0, 0, 0, 1, 1, 1]);
    let everything = Differentiated::new(Everything { mass_by: MassBy::Entries });
    assert_eq!(index_of::<Ggl>(&everything), [1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 2]);
}

/// A view without the author's word on its index.
struct Anonymous<'a>(FirstOrderView<'a, Index3>, crate::system::Composition);

impl FirstOrderSystem for Anonymous<'_> {
    fn composition(&self) -> &crate::system::Composition {
        &self.1
    }
    fn rate(&self, t: f64, x: &[f64], rate: &mut [f64]) -> crate::system::Evaluation {
        self.0.rate(t, x, rate)
    }
    fn jacobian(&self, t: f64, x: &[f64], jacobian: &mut [f64]) -> crate::system::Evaluation {
        self.0.jacobian(t, x, jacobian)
    }
}

#[test]
fn the_resolvent_finds_the_same_index() {
    let system = Differentiated::new(Pendulum);
    let view = FirstOrderView::<Index3>::new(&system);
    let stated = view.composition().index.clone().unwrap();
    let composition = crate::system::Composition { index: None, ..view.composition().clone() };
    let anonymous = Anonymous(view, composition);
    let x = [0.6, -0.8, 0.4, 0.3, 0.1, -2.0, 5.0];
    assert_eq!(find_index(&anonymous, 0.0, &x, Choice::Dense).unwrap(), stated);
}

#[test]
fn states_are_taken_apart_and_put_together() {
    let system = Differentiated::new(Pendulum);
    let view = FirstOrderView::<Ggl>::new(&system);
    let layout = view.layout();
    let mut x = layout.state(&[1.0, 2.0], &[3.0, 4.0], &[5.0, 6.0], &[7.0]);
    assert_eq!(x, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0]);
    *layout.split_mut(&mut x).mu.last_mut().unwrap() = 8.0;
    let parts = layout.split(&x);
    assert_eq!((parts.q, parts.v), ([1.0, 2.0].as_slice(), [3.0, 4.0].as_slice()));
    assert_eq!(
        (parts.a, parts.lambda, parts.mu),
        ([5.0, 6.0].as_slice(), [7.0].as_slice(), [8.0].as_slice())
    );
    let y = layout.mechanical_state(&x);
    let (q, v, lambda) = Layout::mechanical(2, 1).split(&y);
    assert_eq!((q, v, lambda), (parts.q, parts.v, parts.lambda));
    assert_eq!((layout.len(), layout.is_empty()), (8, false));
}

/// Every link brings as many entries as the one before: nothing fills up.
#[test]
fn a_chain_stays_sparse() {
    let entries = |links: usize| {
        let system = Differentiated::new(Chain { links });
        let count = |view: &dyn FirstOrderSystem| view.composition().jacobian.nnz();
        [
            count(&FirstOrderView::<Index3>::new(&system)),
            count(&FirstOrderView::<Index2>::new(&system)),
            count(&FirstOrderView::<Ggl>::new(&system)),
            count(&FirstOrderView::<Index1>::new(&system)),
        ]
    };
    let (short, middle, long) = (entries(10), entries(20), entries(30));
    for form in 0..4 {
        assert_eq!(long[form] - middle[form], middle[form] - short[form]);
    }
    // Each of the 2 coordinates of a link has 2 ones, a mass and a stiffness to itself and to either side; Gᵀ and G have
    // 4 entries.
    assert_eq!(long[0] - middle[0], 10 * (2 * (2 + 1 + 3) + 4 + 4));
}

#[test]
fn faults_of_the_system_come_through() {
    use crate::system::Scalar;
    let system = Differentiated::new(Sketch::new(["x"]).rod("rod", |_t, q| q[0].ln()));
    let view = FirstOrderView::<Index3>::new(&system);
    let mut rate = [0.0; 4];
    let fault = view.rate(2.0, &[-1.0, 0.0, 0.0, 0.0], &mut rate).unwrap_err();
    assert_eq!(fault, Fault::NotFinite { quantity: "the constraint", name: "rod".into(), t: 2.0 });
}
