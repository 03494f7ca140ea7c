//! Robots from files: accelerations and forces beside those of MuJoCo 4.0.0 (walker.xml) and pinocchio 4.1.0 (arm.urdf), which
//! `bench/oracles` computes for many more.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use taut::linear::Choice;
use taut::start::consistent_start;
use taut::system::MechanicalSystem;
use taut_bodies::{Ignore, ImportError, Imported, JointKind, Mechanism, World, import, write_model};

const EVERYTHING: Ignore = Ignore { actuators: true, limits: true, friction: true, contacts: true };

fn robots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots")
}

fn read(name: &str) -> Imported {
    import(&robots().join(name), EVERYTHING).unwrap_or_else(|error| panic!("{error}"))
}

/// A text as a file of its own, of this test.
pub(crate) fn read_text(name: &str, text: &str, ignore: Ignore) -> Result<Imported, ImportError> {
    let test = std::thread::current().name().unwrap_or_default().replace("::", "-");
    let path = std::env::temp_dir().join(format!("taut-bodies-{}-{test}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let imported = import(&path, ignore);
    std::fs::remove_file(&path).unwrap();
    imported
}

fn numbers(text: &str) -> Vec<f64> {
    text.split(',').map(|x| x.parse().unwrap()).collect()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn turn([w, x, y, z]: [f64; 4], s: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let inner = cross(u, s);
    let outer = cross(u, [0, 1, 2].map(|k| inner[k] + w * s[k]));
    [0, 1, 2].map(|k| s[k] + 2.0 * outer[k])
}

/// Puts a free body, and what hangs on it, where its origin is to be.
fn place_body(world: &mut World, name: &str, pose: &[f64], twist: &[f64]) {
    let k = world.bodies.iter().position(|body| body.name == name).unwrap();
    let mut to = world.bodies[k].clone();
    let origin = to.place_of("origin").unwrap();
    to.rotation = [pose[3], pose[4], pose[5], pose[6]];
    let arm = turn(to.rotation, origin);
    to.position = [0, 1, 2].map(|k| pose[k] - arm[k]);
    to.spin = [twist[3], twist[4], twist[5]];
    let carried = cross(to.spin, arm);
    to.velocity = [0, 1, 2].map(|k| twist[k] - carried[k]);
    world.carry(k, &to);
}

fn place_joint(world: &mut World, coordinate: &str, value: f64, is_rate: bool) {
    for joint in &mut world.joints {
        let (names, zeros): (Vec<String>, Vec<f64>) = match &joint.kind {
            JointKind::Serial(freedoms) => freedoms.iter().map(|f| (f.name.clone(), f.zero)).unzip(),
            _ => (vec![joint.name.clone()], vec![0.0]),
        };
        if let Some(k) = names.iter().position(|known| known == coordinate) {
            let list = if is_rate { &mut joint.rate } else { &mut joint.start };
            if list.is_empty() {
                *list = if is_rate { vec![0.0; names.len()] } else { zeros };
            }
            list[k] = value;
        }
    }
}

fn at_state(world: &World, line: &str) -> Mechanism {
    let mut world = world.clone();
    for joint in &mut world.joints {
        joint.variables = true;
    }
    let words: Vec<(&str, &str)> =
        line.split_whitespace().map(|word| word.split_once('=').unwrap()).collect();
    for (name, pose) in &words {
        if let Some(body) = name.strip_suffix(".pose") {
            let twist = words.iter().find(|(name, _)| *name == format!("{body}.twist")).unwrap();
            place_body(&mut world, body, &numbers(pose), &numbers(twist.1));
        }
    }
    for (name, value) in words.iter().filter(|(name, _)| !name.contains('.')) {
        place_joint(&mut world, name.trim_end_matches('\''), value.parse().unwrap(), name.ends_with('\''));
    }
    world.build().unwrap()
}

/// The largest difference of accelerations and forces from those on record, relative to the largest.
fn differences(robot: &str, record: &str) -> [f64; 2] {
    let world = read(robot).world;
    let text = std::fs::read_to_string(robots().join(record)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut worst = [0.0_f64; 2];
    for pair in lines.chunks(2) {
        let mechanism = at_state(&world, pair[0]);
        let n = mechanism.structure().n();
        let state = mechanism.start();
        let start = consistent_start(&mechanism, 0.0, &state[..n], &state[n..], Choice::Auto).unwrap();
        assert!(start.moved.0 < 1e-12 && start.moved.1 < 1e-12, "{:?}", start.moved);
        let (mut accelerations, mut forces) = (Vec::new(), Vec::new());
        for (name, value) in pair[1].split_whitespace().map(|word| word.split_once('=').unwrap()) {
            if let Some(joint) = name.strip_suffix(".force") {
                let k = mechanism.joint_names().position(|known| known == joint).unwrap();
                let found = mechanism.joint_state(k, &start.q, &start.v, &start.lambda).force;
                forces.extend(found.into_iter().zip(numbers(value)));
            } else if !name.contains('.') {
                let k = mechanism.structure().coordinates.iter().position(|known| known == name).unwrap();
                accelerations.push((start.a[k], value.parse().unwrap()));
            }
        }
        assert!(accelerations.len() >= 3 && forces.len() >= 9);
        for (worst, pairs) in worst.iter_mut().zip([accelerations, forces]) {
            let scale = pairs.iter().fold(0.0_f64, |scale, pair| scale.max(pair.1.abs()));
            let error = pairs.iter().fold(0.0_f64, |error, pair| error.max((pair.0 - pair.1).abs()));
            *worst = worst.max(error / scale);
        }
    }
    worst
}

#[test]
fn a_walker_accelerates_as_in_mujoco() {
    let worst = differences("walker.xml", "walker.txt");
    assert!(worst.iter().all(|error| *error < 1e-12), "{worst:?}");
}

#[test]
fn an_arm_accelerates_as_in_pinocchio() {
    let worst = differences("arm.urdf", "arm.txt");
    assert!(worst.iter().all(|error| *error < 1e-12), "{worst:?}");
}

#[test]
fn links_without_joints_join_their_parents() {
    let world = read("arm.urdf").world;
    let names: Vec<&str> = world.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["upper", "fore", "rod"]);
    let fore = &world.bodies[1];
    assert!((fore.mass - 1.6).abs() < 1e-15);
    assert!(fore.place_of("tool").is_some());
    assert_eq!(world.joints[2].between, ["fore", "rod"]);
}

#[test]
fn loops_are_closed_where_the_file_says() {
    let text = r#"<mujoco><worldbody>
        <body name="a" pos="0 0 0"><joint name="p" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/>
          <body name="b" pos="1 0 0"><joint name="q" axis="0 1 0" ref="20"/><geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05"/></body>
        </body></worldbody>
        <equality><connect name="loop" body1="b" anchor="0 0 -1"/><joint name="follow" joint1="p" joint2="q" polycoef="0 2 0 0 0"/></equality>
        <actuator><position name="hold" joint="p" kp="50" kv="3"/><motor name="pull" joint="q"/></actuator>
        <tendon><fixed name="rope" stiffness="5"/></tendon></mujoco>"#;
    let imported = read_text("loop.xml", text, Ignore { contacts: true, ..Ignore::default() }).unwrap();
    let world = &imported.world;
    let hook = world.joints.iter().find(|joint| joint.name == "loop").unwrap();
    assert_eq!((hook.kind.clone(), hook.at), (JointKind::Spherical, Some([1.0, 0.0, -1.0])));
    let servo = world.joints.iter().find(|joint| joint.name == "p").unwrap();
    assert_eq!(servo.drive_compliance, [1.0 / 50.0, 3.0 / 50.0]);
    let expected = ["actuator 'pull': its control is 0", "tendon 'rope'"];
    assert!(
        expected.iter().all(|line| imported.left_out.iter().any(|left_out| left_out == line)),
        "{:?}",
        imported.left_out
    );
    assert!(write_model(&imported).contains("# left out: tendon 'rope'"));
    world.build().unwrap();
}

#[test]
fn a_weld_keeps_the_pose_of_the_start_and_says_when_another_is_asked() {
    let left_out = |pose: &str| {
        let text = format!(
            r#"<mujoco><worldbody>
            <body name="a" pos="0 0 1"><freejoint/><geom type="sphere" size="0.1"/></body>
            <body name="b" pos="0 2 1" quat="0 0 0 2"><freejoint/><geom type="sphere" size="0.1"/></body></worldbody>
            <equality><weld name="glue" body1="a" body2="b" relpose="{pose}"/></equality></mujoco>"#
        );
        let contacts = Ignore { contacts: true, ..Ignore::default() };
        read_text("weld.xml", &text, contacts).unwrap().left_out
    };
    for same in ["0 2 0 0 0 0 1", "0 2 0 0 0 0 -3", "7 7 7 0 0 0 0"] {
        assert!(left_out(same).is_empty(), "{same}: {:?}", left_out(same));
    }
    for other in ["0 1 0 0 0 0 1", "0 2 0 1 0 0 0"] {
        assert!(left_out(other).iter().any(|line| line.contains("relative pose")), "{other}");
    }
}

#[test]
fn limits_are_springs_for_the_inertia_behind_them() {
    let text = r#"<mujoco><worldbody>
        <body name="a"><joint name="p" axis="0 1 0" range="-30 60"/><joint name="s" type="slide" axis="0 0 1"/>
          <geom type="sphere" size="0.1" mass="2" pos="1 0 0"/>
          <body name="b" pos="1 0 0"><joint name="q" axis="0 1 0" armature="0.5" range="-1 1" limited="false" frictionloss="0.3"/>
            <geom type="sphere" size="0.1" mass="1" pos="1 0 0"/></body></body>
        <body name="c"><joint name="r" type="slide" range="0 2" solreflimit="-500 -20"/><geom type="sphere" size="0.1" mass="3"/></body>
        </worldbody></mujoco>"#;
    let contacts = Ignore { contacts: true, ..Ignore::default() };
    let imported = read_text("limits.xml", text, contacts).unwrap();
    assert!(imported.left_out.is_empty(), "{:?}", imported.left_out);
    let joint = |name: &str| imported.world.joints.iter().find(|joint| joint.name == name).unwrap();
    let first = joint("p_joint").limits[0].unwrap();
    assert!(
        (first.from + 30_f64.to_radians()).abs() < 1e-15 && (first.to - 60_f64.to_radians()).abs() < 1e-15
    );
    // two balls with their own inertia, one and two metres away
    let inertia = 2.0 * (1.0 + 0.004) + 1.0 * (4.0 + 0.004);
    assert!((first.stiffness / (inertia / (0.95_f64 * 0.02).powi(2)) - 1.0).abs() < 1e-12);
    assert!((first.damping / (inertia * 2.0 / (0.95 * 0.02)) - 1.0).abs() < 1e-12);
    assert!(joint("p_joint").limits[1].is_none() && joint("q").limits == [None]);
    assert_eq!(joint("q").friction.map(|friction| friction.coulomb), Some(0.3));
    let slide = joint("r").limits[0].unwrap();
    assert!((slide.stiffness - 3.0 * 500.0 / (0.95 * 0.95)).abs() < 1e-9 && (slide.to - 2.0).abs() < 1e-15);
    let written = write_model(&imported);
    assert!(written.contains("limits = [{ from = ") && written.contains("}, {}]"), "{written}");
    assert!(written.contains("friction = { coulomb = 0.3"));
    let ignored = Ignore { limits: true, friction: true, ..contacts };
    let free = read_text("free.xml", text, ignored).unwrap().world;
    assert!(free.joints.iter().all(|joint| joint.limits.iter().all(Option::is_none)));
    assert!(free.joints.iter().all(|joint| joint.friction.is_none()));
}

#[test]
fn meshes_weigh_what_is_inside_them() {
    let folder = std::env::temp_dir().join(format!("taut-bodies-{}-meshes", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // a tetrahedron with three edges of length 1 along the axes, in text
    let corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mut stl = String::from("solid t\n");
    for face in faces {
        for [x, y, z] in face.map(|k: usize| corners[k]) {
            stl += &format!("vertex {x} {y} {z}\n");
        }
    }
    std::fs::write(folder.join("t.stl"), stl).unwrap();
    let text = r#"<mujoco><compiler meshdir="."/><asset><mesh name="half" file="t.stl" scale="2 2 2"/><mesh file="t.stl"/><mesh name="gone" file="gone.stl"/></asset>
        <worldbody>
        <body name="a"><freejoint/><geom type="mesh" mesh="half" density="3" pos="1 0 0"/></body>
        <body name="b"><freejoint/><geom type="mesh" mesh="t" mass="5"/></body>
        <body name="c"><freejoint/><geom type="mesh" mesh="gone"/><geom type="sphere" size="1"/></body></worldbody></mujoco>"#;
    std::fs::write(folder.join("m.xml"), text).unwrap();
    let imported = import(&folder.join("m.xml"), EVERYTHING).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(imported.left_out, ["body 'c': the inertia of a mesh"]);
    let alone = text.replace("<geom type=\"sphere\" size=\"1\"/>", "");
    let said = read_text("alone.xml", &alone, EVERYTHING).unwrap_err().to_string();
    assert_eq!(said, "line 3: body 'a' moves without a mass, since mesh 'half' cannot be read");
    let [a, b, _] = imported.world.bodies.as_slice() else { panic!("three bodies") };
    assert!((a.mass - 3.0 * 8.0 / 6.0).abs() < 1e-12 && (b.mass - 5.0).abs() < 1e-12);
    assert!(a.position.iter().zip([1.5, 0.5, 0.5]).all(|(x, y)| (x - y).abs() < 1e-12));
    // of a tetrahedron like this: 3/40 m about the centre, and m/80 beside the diagonal
    let expected = [0.375, 0.375, 0.375, 0.0625, 0.0625, 0.0625];
    assert!(b.inertia.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-12), "{:?}", b.inertia);
}

#[test]
fn mimics_and_limits_of_urdf() {
    let text = r#"<robot name="g"><link name="w"/>
        <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="left finger" type="revolute"><parent link="w"/><child link="a"/><limit lower="0" upper="1"/></joint>
        <joint name="right" type="revolute"><parent link="w"/><child link="b"/><mimic joint="left finger" multiplier="-1" offset="0.1"/></joint></robot>"#;
    let imported = read_text("gripper.urdf", text, Ignore::default()).unwrap();
    assert_eq!(imported.left_out, ["joint 'left_finger': limits, which have no stiffness"]);
    assert_eq!(imported.world.relations[0].polynomial, [0.1, -1.0]);
    let mechanism = imported.world.build().unwrap();
    assert_eq!(mechanism.structure().coordinates[14..], ["left_finger", "right"]);
}

/// As files of simulators are: an empty line before the declaration, a zero behind the end, a type of joint that is not in the standard.
#[test]
fn files_that_simulators_read_are_read() {
    let text = "\n<?xml version='1.0'?>\n<robot name='r'><link name='a'/><link name='b'><inertial><mass value='2'/>\
                <inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='hip' type='spherical'>\
                <parent link='a'/><child link='b'/><origin xyz='0 0 1'/></joint></robot>\n\0";
    let robot = read_text("ball.urdf", text, EVERYTHING).unwrap();
    assert_eq!(robot.world.joints[0].kind, JointKind::Spherical);
    assert_eq!(robot.world.joints[0].at, Some([0.0, 0.0, 1.0]));
    // The line is that of the file.
    let wrong = text.replace("xyz='0 0 1'", "xyz='0 0,1 1'");
    let said = read_text("ball.urdf", &wrong, EVERYTHING).unwrap_err().to_string();
    assert_eq!(said, "line 3: '0,1' is not a number");
}

/// What a ball joint has that is not there is named, and what acts by a tendon; a tendon that only adds joints up does nothing.
#[test]
fn what_a_ball_joint_or_a_tendon_would_do_is_named() {
    let text = "<mujoco><worldbody><body name='a'><joint name='hip' type='ball' damping='2' range='0 30'/><geom size='0.1'/>\
                <body name='b'><joint name='x'/><joint name='y' axis='1 0 0'/><geom size='0.1'/></body></body></worldbody>\
                <tendon><fixed name='sum'><joint joint='x' coef='1'/><joint joint='y' coef='2'/></fixed>\
                <fixed name='rubber' stiffness='3'><joint joint='x' coef='1'/></fixed></tendon></mujoco>";
    let robot = read_text("tendon.xml", text, EVERYTHING).unwrap();
    assert_eq!(robot.world.joints[0].damping, [2.0]);
    let limited = read_text("limited.xml", text, Ignore { limits: false, ..EVERYTHING }).unwrap();
    assert_eq!(limited.left_out[0], "ball joint 'hip': its limit");
    assert_eq!(robot.left_out, ["tendon 'rubber': its spring"]);
}

#[test]
fn what_cannot_be_read_is_said() {
    let wrong = |name: &str, text: &str| read_text(name, text, EVERYTHING).unwrap_err().to_string();
    assert!(wrong("a.xml", "<mujoco><worldbody>").contains("a.xml"));
    assert!(wrong("b.xml", "<sdf/>").contains("neither <robot> (URDF) nor <mujoco> (MJCF)"));
    let joint = "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='wobbly'><parent link='a'/><child link='b'/></joint></robot>";
    assert_eq!(wrong("c.urdf", joint), "line 1: joints of type 'wobbly' are not known here");
    assert!(
        wrong(
            "d.urdf",
            &joint
                .replace("wobbly", "fixed")
                .replace("type=", "origin='' type=")
                .replace("<parent link='a'/>", "")
        )
        .contains("without a parent")
    );
    assert!(import(Path::new("nowhere.urdf"), EVERYTHING).is_err());
    let still = wrong("e.urdf", "<robot name='r'><link name='table'/></robot>");
    assert_eq!(still, "line 1: nothing moves here: no link or body hangs on a joint or is free");
}

/// A time constant and a damping ratio stand for the inertia of a coordinate while all others are free: of two slides along a line
/// m₁m₂/(m₁ + m₂) behind the second.
#[test]
fn springs_by_a_time_constant_know_the_inertia_that_resists() {
    let text = "<mujoco><worldbody><body name='a'><joint name='x' type='slide' axis='1 0 0' stiffness='5'/>\
                <geom type='sphere' size='1' mass='3'/>\
                <body name='b'><joint name='y' type='slide' axis='1 0 0' stiffness='7' springdamper='0.1 2'/>\
                <geom type='sphere' size='1' mass='1'/>\
                <body name='c'><joint name='hip' type='ball' springdamper='0.1 2' stiffness='1'/>\
                <geom type='sphere' size='1' mass='1e-9'/></body></body></body></worldbody></mujoco>";
    let robot = read_text("timed.xml", text, EVERYTHING).unwrap();
    let [x, y, hip] = robot.world.joints.as_slice() else { panic!("three joints") };
    assert_eq!((x.stiffness[0], hip.stiffness.len()), (5.0, 0));
    assert!((y.stiffness[0] - 0.75 / 0.04).abs() < 1e-6 && (y.damping[0] - 0.75 * 20.0).abs() < 1e-6);
    assert_eq!(robot.left_out, ["ball joint 'hip': its spring and damper by a time constant"]);
}
