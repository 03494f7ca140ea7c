//! Bodies, joints and springs that cannot be: refused with names and numbers, or doubted; never moved in silence.
#![allow(clippy::unwrap_used, clippy::panic)]

use taut_bodies::{
    Body, Contact, Freedom, Friction, Hertz, Joint, JointKind, Limits, Spring, Surface, World, WorldError,
};

const ROD: [f64; 3] = [0.1; 3];

fn body(inertia: [f64; 6]) -> Body {
    Body { inertia, ..Body::new("a").at([1.0, 0.0, 0.0]) }
}

fn hinge() -> Joint {
    Joint::revolute("j", "ground", "a").at([0.0; 3]).axis([0.0, 1.0, 0.0])
}

fn refused(world: &World) -> String {
    match world.build() {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it was built"),
    }
}

#[test]
fn moments_that_no_body_has_are_doubted_and_negative_ones_refused() {
    let doubts = |inertia| World::new().body(body(inertia)).joint(hinge()).doubts();
    assert_eq!(
        doubts([1.0, 1.0, 3.0, 0.0, 0.0, 0.0]),
        [
            "body 'a': no body has the principal moments of inertia 1, 1, 3, since the sum of two is never below the third"
        ]
    );
    // 0.9 on the diagonal hides 0.1, 0.1 and 2.5
    let hidden = [0.9, 0.9, 0.9, 0.8, 0.8, 0.8];
    let found = doubts(hidden);
    assert!(found[0].contains("0.1, 0.1, 2.5"), "{found:?}");
    for possible in [[0.0, 0.1, 0.1, 0.0, 0.0, 0.0], [0.0; 6], [0.1, 0.1, 0.2, 0.0, 0.0, 0.0]] {
        assert_eq!(doubts(possible), Vec::<String>::new());
        assert!(World::new().body(body(possible)).joint(hinge()).build().is_ok());
    }
    let negative = World::new().body(body([1.0, 1.0, 1.0, 2.0, 0.0, 0.0])).joint(hinge());
    assert_eq!(
        refused(&negative),
        "the inertia of 'a' cannot be: its principal moments are -1, 1, 3, and none is negative"
    );
    let product = World::new().body(body([1.0, 1.0, 1.0, f64::NAN, 0.0, 0.0]));
    assert_eq!(refused(&product), "the inertia of 'a' cannot be NaN");
    // In the plane there is one moment, and nothing to compare it with.
    assert_eq!(World::plane().body(body([0.0, 0.0, 3.0, 0.0, 0.0, 0.0])).doubts(), Vec::<String>::new());
}

#[test]
fn a_distance_of_nothing_is_refused_with_its_place() {
    let rod = |length| {
        let joint = Joint::new("rod", JointKind::Distance { length }, "ground", "a");
        World::new()
            .body(Body::new("a").inertia(ROD).at([1.0, 2.0, 0.0]))
            .joint(joint.points([1.0, 2.0, 0.5], [0.0, 0.0, 0.5]))
    };
    assert_eq!(
        refused(&rod(None)),
        "the points of 'rod' are both at (1, 2, 0.5): a distance of 0 has no direction in which a force could hold it; take \
         'spherical' (in the plane 'revolute') to hold two points together"
    );
    // Other joints may take them apart; where they do not, this is what is known.
    let apart = rod(Some(0.3));
    assert!(apart.build().is_ok());
    assert_eq!(
        apart.about_row("rod.length").unwrap(),
        "the points of 'rod' are both at (1, 2, 0.5) at the start, and there is no direction in which they could be moved to be \
         0.3 apart; move one of the bodies"
    );
    assert_eq!(apart.about_row("rod.x"), None);
}

#[test]
fn what_would_push_where_it_should_hold_is_refused() {
    let with = |joint: Joint| refused(&World::new().body(Body::new("a").inertia(ROD)).joint(joint));
    assert_eq!(with(Joint { armature: vec![-0.5], ..hinge() }), "the armature of 'j' cannot be -0.5");
    let friction = Some(Friction { coulomb: -1.0, viscous: 0.0, at: 0.1 });
    assert_eq!(with(Joint { friction, ..hinge() }), "the dry friction of 'j' cannot be -1");
    let stop = |stiffness, damping| vec![Some(Limits { from: -1.0, to: 1.0, stiffness, damping })];
    assert_eq!(
        with(Joint { limits: stop(-100.0, 0.0), ..hinge() }),
        "the stiffness of the limits of 'j' cannot be -100"
    );
    assert_eq!(
        with(Joint { limits: stop(100.0, -1.0), ..hinge() }),
        "the damping of the limits of 'j' cannot be -1"
    );
    let nowhere = Freedom { name: "u".into(), turns: true, axis: [0.0; 3], at: [0.0; 3], zero: 0.0 };
    let serial = Joint::new("j", JointKind::Serial(vec![nowhere]), "ground", "a");
    assert_eq!(with(serial), "'j' has no axis for one of its freedoms");
    let contact = |radius, stiffness| Contact {
        name: "floor".into(),
        between: ["ground".into(), "a".into()],
        surface: Surface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] },
        centre: [0.0; 3],
        radius,
        law: Hertz { stiffness, damping: 0.0 },
    };
    let touching = |contact| refused(&World::new().body(Body::new("a").inertia(ROD)).contact(contact));
    assert_eq!(touching(contact(-0.1, 1e6)), "the radius of 'floor' cannot be -0.1");
    assert_eq!(touching(contact(0.1, -1e6)), "the stiffness of 'floor' cannot be -1000000");
}

#[test]
fn springs_that_push_and_forces_without_direction_are_doubted() {
    let spring = |stiffness, damping, length| Spring {
        name: "s".into(),
        between: ["ground".into(), "a".into()],
        ends: [[1.0, 0.0, 0.0], [0.0; 3]],
        length,
        stiffness,
        damping,
    };
    let doubts = |spring: Spring| {
        World::new().body(Body::new("a").inertia(ROD).at([1.0, 0.0, 0.0])).spring(spring).doubts()
    };
    assert_eq!(
        doubts(spring(10.0, 0.0, Some(0.5))),
        ["spring 's': its ends are both at (1, 0, 0) at the start, where its force of -5 has no direction"]
    );
    assert_eq!(doubts(spring(10.0, 1.0, None)), Vec::<String>::new());
    assert_eq!(
        doubts(spring(-10.0, -3.0, None)),
        [
            "spring 's': a stiffness of -10 pushes away from rest",
            "spring 's': a damping of -3 feeds energy in"
        ]
    );
    let joint = Joint { damping: vec![-3.0], ..hinge() };
    let moved = World::new().body(Body::new("a").inertia(ROD)).joint(joint);
    assert_eq!(moved.doubts(), ["joint 'j': a damping of -3 feeds energy in"]);
}

#[test]
fn coordinates_that_nothing_moves_are_explained() {
    let world = World::new().body(body([0.0, 0.1, 0.1, 0.0, 0.0, 0.0])).joint(hinge());
    assert_eq!(
        world.about("a.p1").unwrap(),
        "body 'a' has a mass of 1 and the principal moments of inertia 0, 0.1, 0.1, and no joint holds it where these are 0"
    );
    assert!(
        world
            .about("j")
            .unwrap()
            .starts_with("it is a coordinate of joint 'j', where body 'a' has a mass of 1")
    );
    assert_eq!(world.about("elsewhere"), None);
    assert!(matches!(
        World::new().body(Body::new("a").mass(-1.0)).build(),
        Err(WorldError::Number { what: "the mass", .. })
    ));
}
