//! Closures give the same numbers as a type that is generic in its number.

use proptest::prelude::*;

use crate::system::testing::*;
use crate::system::{Differentiated, ForceClass, MechanicalSystem, Scalar, Sketch, Terms};

proptest! {
    #![proptest_config(deterministic(32))]

    #[test]
    fn closures_agree_with_the_generic_type(t in 0.0..2.0_f64, x in prop::collection::vec(-1.2..1.2_f64, 12)) {
        let (closures, generic) = (
            Differentiated::new(sketch_of_everything()),
            Differentiated::new(Everything { mass_by: MassBy::KineticEnergy }),
        );
        let (q, v, a, lambda) = (&x[..3], &x[3..6], &x[6..9], &x[9..]);
        let found = At { system: &closures, t, q, v };
        let expected = At { system: &generic, t, q, v };
        prop_assert_eq!(found.mass(), expected.mass());
        for terms in [Terms::ACCELERATING, Terms::KINETIC, Terms::of(ForceClass::Driving)] {
            assert_close(&found.force(terms), &expected.force(terms), 1e-13, "f");
            let (stiffness, damping) = found.newton_blocks(terms, a, lambda);
            let (stiffness_expected, damping_expected) = expected.newton_blocks(terms, a, lambda);
            assert_close(&stiffness, &stiffness_expected, 1e-13, "K");
            assert_close(&damping, &damping_expected, 1e-13, "D");
        }
        assert_close(&found.constraint(), &expected.constraint(), 1e-15, "g");
        assert_close(&found.rate(), &expected.rate(), 1e-14, "rate");
        assert_close(&found.curvature(), &expected.curvature(), 1e-14, "curvature");
        assert_close(&found.jacobian(), &expected.jacobian(), 1e-14, "G");
        let (found, expected) = (closures.energy(t, q, v).unwrap(), generic.energy(t, q, v).unwrap());
        assert_close(&[found.kinetic, found.potential], &[expected.kinetic, expected.potential], 1e-14, "energy");
    }
}

#[test]
fn a_bare_sketch_has_unit_masses_and_no_forces() {
    let system = Differentiated::new(Sketch::new(["x", "y"]));
    let at = At { system: &system, t: 0.0, q: &[0.1, 0.2], v: &[0.3, 0.4] };
    assert_eq!(full(&system.structure().mass, &at.mass()), [[1.0, 0.0], [0.0, 1.0]]);
    assert_eq!(at.force(Terms::ACCELERATING), [0.0, 0.0]);
    assert_eq!(system.structure().m(), 0);
}

#[test]
fn forces_on_one_coordinate_add_up() {
    let sketch = Sketch::new(["x"])
        .force(ForceClass::Driving, 0, |t, _q, _v| t)
        .force(ForceClass::Driving, 0, |_t, q, _v| q[0].square())
        .force(ForceClass::Dissipative, 0, |_t, _q, v| -v[0]);
    let system = Differentiated::new(sketch);
    let at = At { system: &system, t: 5.0, q: &[3.0], v: &[2.0] };
    assert_eq!(at.force(Terms::DRIVING), [14.0]);
    assert_eq!(at.force(Terms::ACCELERATING), [12.0]);
}

#[test]
fn a_sketch_names_its_constraints_in_order() {
    let sketch = Sketch::new(["x"])
        .nonholonomic_rod("skate", |_t, _q, v| v[0])
        .rod("rod", |_t, q| q[0])
        .spring("spring", 0.5, |_t, q| q[0]);
    let constraints = Differentiated::new(sketch).structure().constraints.clone();
    let names: Vec<&str> = constraints.iter().map(|constraint| constraint.name.as_str()).collect();
    assert_eq!(names, ["rod", "spring", "skate"]);
    assert_eq!(constraints.iter().map(|c| c.compliance()).collect::<Vec<_>>(), [0.0, 0.5, 0.0]);
    assert_eq!(constraints.iter().map(|c| c.is_rod()).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(constraints.iter().map(|c| c.is_holonomic()).collect::<Vec<_>>(), [true, true, false]);
}
