//! Files of robots with mistakes in them: refused with a sentence, or listed; never another robot in silence.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::PathBuf;

use taut_bodies::{Ignore, ImportError, Imported, import};

/// Files of one test, in a folder of its own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("taut-mistakes-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn read(&self, name: &str, text: &str) -> Result<Imported, ImportError> {
        std::fs::write(self.0.join(name), text).unwrap();
        import(&self.0.join(name), Ignore { contacts: true, ..Ignore::default() })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn refused(name: &str, text: &str) -> String {
    match Folder::new(name).read(name, text) {
        Err(error) => error.to_string(),
        Ok(imported) => panic!("{name} was read: {:?}", imported.left_out),
    }
}

fn listed(name: &str, text: &str) -> Vec<String> {
    match Folder::new(name).read(name, text) {
        Err(error) => panic!("{name}: {error}"),
        Ok(imported) => imported.left_out,
    }
}

const INERTIA: &str = r#"<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>"#;

/// A robot with a base, links a, b, c with mass, and joints (name, parent, child).
fn robot(joints: &[[&str; 3]]) -> String {
    let links = ["a", "b", "c"].map(|name| format!("<link name=\"{name}\">{INERTIA}</link>\n")).concat();
    let joint = |[name, parent, child]: &[&str; 3]| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>\n"
        )
    };
    let joints: String = joints.iter().map(joint).collect();
    format!("<robot name=\"r\"><link name=\"base\"/>\n{links}{joints}</robot>")
}

#[test]
fn a_link_hangs_on_one_joint() {
    let two = robot(&[["j", "base", "a"], ["k", "a", "b"], ["l", "a", "c"], ["m", "b", "c"]]);
    assert_eq!(
        refused("two.urdf", &two),
        "line 8: link 'c' hangs on two joints, 'l' and 'm': a loop has to be closed in the model file that is imported"
    );
    let circle = robot(&[["j", "base", "a"], ["k", "b", "c"], ["l", "c", "b"]]);
    assert_eq!(
        refused("circle.urdf", &circle),
        "line 3: link 'b' hangs on itself: its joints lead round in a circle"
    );
}

#[test]
fn joints_of_urdf_lead_to_links() {
    let nowhere = robot(&[["j", "base", "a"], ["k", "aa", "b"], ["l", "a", "c"]]);
    assert_eq!(
        refused("nowhere.urdf", &nowhere),
        "line 6: joint 'k' leads to 'aa', a link that is not there"
    );
    let again = robot(&[["j", "base", "a"], ["j", "a", "b"], ["l", "a", "c"]]);
    assert_eq!(refused("again.urdf", &again), "line 6: there are two joints 'j'");
}

/// A pendulum in MJCF with something else in places of it.
fn pendulum(defaults: &str, joint: &str, geom: &str, beside: &str) -> String {
    format!(
        "<mujoco>{defaults}<worldbody>\n<body name=\"b\"><joint name=\"j\" axis=\"0 1 0\" {joint}/>\n\
         <geom pos=\"0.5 0 0\" {geom}/></body></worldbody>{beside}</mujoco>"
    )
}

const BALL: &str = r#"type="sphere" size="0.1""#;

#[test]
fn classes_and_names_of_mjcf_are_there_once() {
    let refuse = |name: &str, defaults: &str, joint: &str, geom: &str| {
        refused(name, &pendulum(defaults, joint, geom, ""))
    };
    assert_eq!(refuse("c.xml", "", "class=\"nix\"", BALL), "line 2: there is no class 'nix' of defaults");
    let nested = r#"<default><default class="a"><default class="b"/></default></default>"#;
    let known = pendulum(nested, r#"class="b""#, BALL, "");
    assert_eq!(listed("n.xml", &known), Vec::<String>::new());
    let twice = pendulum("", "", BALL, "")
        .replace("</worldbody>", r#"<body name="b"><geom size="0.1"/></body></worldbody>"#);
    assert_eq!(refused("t.xml", &twice), "line 3: there are two bodies 'b'");
}

#[test]
fn solids_of_mjcf_have_a_kind_and_a_size() {
    let refuse = |name: &str, geom: &str| refused(name, &pendulum("", "", geom, ""));
    assert_eq!(
        refuse("k.xml", r#"type="bxo" size="1 1 1" mass="2""#),
        "line 3: geoms of type 'bxo' are not known here"
    );
    let sizes = "line 3: the size of a box is 3 numbers above 0";
    assert_eq!(refuse("s.xml", r#"type="box" size="0.1 0.1""#), sizes);
    assert_eq!(refuse("n.xml", r#"type="sphere""#), "line 3: the size of a sphere is 1 number above 0");
}

#[test]
fn what_is_not_known_of_mjcf_is_listed() {
    let text = pendulum(
        "<tendons/>",
        r#"dampng="3""#,
        r#"type="sphere" size="0.1" shellinertia="true" rgba="1 0 0 1""#,
        r#"<actuator><position joint="j" kp="10" dampratio="1" forcerange="-1 1" armature="0"/></actuator>"#,
    );
    assert_eq!(
        listed("l.xml", &text),
        [
            "'dampng' of <joint>",
            "'dampratio' of <position>",
            "'forcerange' of <position>",
            "'shellinertia' of <geom>",
            "elements <tendons> of <mujoco>",
        ]
    );
    let inside = pendulum("", "", BALL, "").replace("</body>", "<composite/></body>");
    assert_eq!(listed("i.xml", &inside), ["elements <composite> of <body>"]);
    let free =
        pendulum(r#"<default><joint damping="1"/></default>"#, r#"type="free" armature="0""#, BALL, "");
    assert_eq!(listed("f.xml", &free), ["free joint 'j': its damping"]);
}

#[test]
fn a_file_does_not_include_itself() {
    let folder = Folder::new("include");
    let inner = "<mujoco><include file=\"outer.xml\"/></mujoco>";
    assert!(folder.read("inner.xml", inner).is_err());
    let outer = pendulum("<include file=\"inner.xml\"/>", "", BALL, "");
    let error = folder.read("outer.xml", &outer).unwrap_err().to_string();
    assert!(error.ends_with("outer.xml: it includes itself"), "{error}");
}

#[test]
fn flags_and_ranges_are_taken_as_they_are_meant() {
    let read = |name: &str, text: &str| Folder::new(name).read(name, text).unwrap().world;
    let limited = |name: &str, compiler: &str, joint: &str| {
        let world = read(name, &pendulum(compiler, joint, BALL, ""));
        world.joints[0].limits.iter().any(Option::is_some)
    };
    let range = r#"range="-10 10""#;
    assert!(limited("a.xml", "", range));
    assert!(!limited("b.xml", r#"<compiler autolimits="false"/>"#, range));
    assert!(limited("c.xml", r#"<compiler autolimits="false"/>"#, r#"range="-10 10" limited="true""#));
    assert!(!limited("d.xml", "", r#"range="0 0""#));
    assert!(!limited("e.xml", r#"<option><flag limit="disable"/></option>"#, range));
    let springs = |flag: &str| {
        let option = format!("<option><flag {flag}=\"disable\"/></option>");
        let joint = r#"stiffness="2" damping="3""#;
        let joint = read("g.xml", &pendulum(&option, joint, BALL, "")).joints.remove(0);
        (joint.stiffness, joint.damping)
    };
    assert_eq!(springs("energy"), (vec![2.0], vec![3.0]));
    assert_eq!(springs("spring"), (vec![], vec![3.0]));
    assert_eq!(springs("passive"), (vec![], vec![]));
    let connected = pendulum(
        r#"<option><flag equality="disable"/></option>"#,
        "",
        BALL,
        r#"<equality><connect body1="b" anchor="0.5 0 0"/></equality>"#,
    );
    assert_eq!(read("h.xml", &connected).joints.len(), 1);
}

#[test]
fn a_least_mass_is_no_mass_of_a_mesh() {
    let compiler = r#"<compiler boundmass="1e-6" boundinertia="1e-9"/><asset><mesh name="m" file="nowhere.stl"/></asset>"#;
    let alone = pendulum(compiler, "", r#"type="mesh" mesh="m""#, "");
    assert_eq!(
        refused("m.xml", &alone),
        "line 3: body 'b' moves without a mass, since mesh 'm' cannot be read"
    );
    let beside = alone.replace("</body>", r#"<geom size="0.1"/></body>"#);
    assert_eq!(listed("b.xml", &beside), ["body 'b': the inertia of a mesh"]);
}

/// A robot of one link with this inertial, and something in its joint.
fn link(inertial: &str, joint: &str) -> String {
    robot(&[["j", "base", "a"], ["k", "a", "b"], ["l", "a", "c"]]).replacen(INERTIA, inertial, 1).replacen(
        "<child link=\"a\"/>",
        &format!("<child link=\"a\"/>{joint}"),
        1,
    )
}

#[test]
fn inertials_of_urdf_weigh_something_that_can_be() {
    let refuse = |name: &str, inertial: &str| refused(name, &link(inertial, ""));
    assert_eq!(
        refuse("weight-m.urdf", &INERTIA.replace("value", "valu")),
        "line 2: the inertial of link 'a' has no mass: <mass value=\"1\"/>"
    );
    assert_eq!(
        refuse("weight-n.urdf", &INERTIA.replace("value=\"1\"", "value=\"-1\"")),
        "line 2: the mass of 'a' cannot be -1"
    );
    assert_eq!(
        refuse("weight-p.urdf", &INERTIA.replace("ixy=\"0\"", "ixy=\"0.2\"")),
        "line 2: the inertia of 'a' cannot be: its principal moments are -0.1, 0.1, 0.3, and none is negative"
    );
    assert_eq!(refuse("weight-t.urdf", &INERTIA.repeat(2)), "line 2: link 'a' has two inertials");
    let impossible = link(&INERTIA.replace("izz=\"0.1\"", "izz=\"0.3\""), "");
    let world = Folder::new("weight-i.urdf").read("weight-i.urdf", &impossible).unwrap().world;
    assert!(world.doubts()[0].contains("'a': no body has the principal moments of inertia 0.1, 0.1, 0.3"));
}

#[test]
fn what_is_not_known_of_urdf_is_listed() {
    let misspelt = link(&INERTIA.replace("iyz", "izy"), "<dynamic damping=\"3\"/><dynamics dampng=\"3\"/>");
    assert_eq!(
        listed("words-l.urdf", &misspelt),
        ["'dampng' of <dynamics>", "'izy' of <inertia>", "elements <dynamic> of <joint>"]
    );
    let touching = link(&format!("{INERTIA}<collision/>"), "");
    assert_eq!(listed("words-c.urdf", &touching), Vec::<String>::new());
}

#[test]
fn masses_of_mjcf_are_not_negative() {
    let given = |inertial: &str| {
        pendulum("", "", BALL, "").replace("<geom", &format!("<inertial pos=\"0 0 0\" {inertial}/><geom"))
    };
    assert_eq!(
        refused("masses-m.xml", &given(r#"mass="-1" diaginertia="1 1 1""#)),
        "line 3: the mass of 'b' cannot be -1"
    );
    assert_eq!(
        refused("masses-d.xml", &given(r#"mass="1" diaginertia="-0.1 0.1 0.3""#)),
        "line 3: the inertia of 'b' cannot be: its principal moments are -0.1, 0.1, 0.3, and none is negative"
    );
    let kinds =
        "line 3: the inertial of 'b' has either three numbers 'diaginertia' or six numbers 'fullinertia'";
    assert_eq!(refused("masses-f.xml", &given(r#"mass="1" fullinertia="1 1 1""#)), kinds);
    assert_eq!(
        refused("masses-b.xml", &given(r#"mass="1" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0""#)),
        kinds
    );
    for what in ["mass", "density"] {
        let geom = format!("{BALL} {what}=\"-2\"");
        let found = refused("masses-g.xml", &pendulum("", "", &geom, ""));
        assert_eq!(found, format!("line 3: the {what} of a sphere cannot be -2"));
    }
}

#[test]
fn joints_of_mjcf_that_others_name_are_there() {
    let beside = |what: &str| pendulum("", "", BALL, what);
    let nobody = "line 3: there is no joint 'q'";
    let related = r#"<equality><joint joint1="j" joint2="q" polycoef="0 1 0 0 0"/></equality>"#;
    assert_eq!(refused("named-e.xml", &beside(related)), nobody);
    assert_eq!(refused("named-a.xml", &beside(r#"<actuator><position joint="q"/></actuator>"#)), nobody);
    let negative = r#"<actuator><position name="s" joint="j" kp="-10"/></actuator>"#;
    assert_eq!(listed("named-n.xml", &beside(negative)), ["actuator 's', whose gains are -10 and 0"]);
    let damper = r#"<actuator><position joint="j" kp="0" kv="2"/></actuator>"#;
    let world = Folder::new("named-k.xml").read("named-k.xml", &beside(damper)).unwrap().world;
    assert_eq!((world.joints[0].damping.as_slice(), world.joints[0].drive.is_some()), (&[2.0][..], false));
    let free = pendulum("", "", BALL, "").replace("<joint", "<freejoint/><joint");
    assert_eq!(refused("named-f.xml", &free), "line 2: a free joint beside others");
}
