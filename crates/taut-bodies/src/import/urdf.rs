//! URDF: links, joints, inertias, damping, mimics.

use std::collections::{HashMap, HashSet};

use roxmltree::{Document, Node};

use super::mass::{Mass, check_mass};
use super::tree::{Frame, Hanging, Link, into_world, joint_of};
use super::xml::{identifier, number_or, numbers, vector, wrong};
use super::{Ignore, ImportError, Imported};
use crate::description::{Freedom, GROUND, Joint, JointKind, Relation, Shape};
use crate::rotation::euler;
use crate::vector::direction;
use crate::world::World;

const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

/// A joint of the file.
struct Edge<'a, 'i> {
    node: Node<'a, 'i>,
    parent: String,
    child: String,
    origin: Frame,
}

pub(super) fn import(document: &Document<'_>, ignore: Ignore) -> Result<Imported, ImportError> {
    let robot = document.root_element();
    let mut left_out = Vec::new();
    let nodes = named(robot, "link")?;
    let joints = edges(robot, &nodes)?;
    let edges: HashMap<&str, &Edge<'_, '_>> = joints.iter().map(|edge| (edge.child.as_str(), edge)).collect();
    let mut links: Vec<Link> = Vec::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    let mut front: Vec<Node<'_, '_>> = root(&nodes, &edges)?.into_iter().collect();
    let mut at = 0;
    while let Some(&node) = front.get(at) {
        at += 1;
        let name = name_of(node).to_string();
        let (parent, frame, hanging) = match edges.get(name.as_str()) {
            // The root stands on the ground.
            None => (None, Frame::HERE, Hanging::Fixed),
            Some(edge) => {
                let parent = by_name.get(&edge.parent).copied();
                let outer = parent.map_or(Frame::HERE, |k: usize| links[k].frame);
                let frame = outer.then(edge.origin);
                (parent, frame, hanging(edge.node, frame, ignore, &mut left_out)?)
            }
        };
        by_name.insert(name.clone(), links.len());
        let (mass, shapes) = (mass(node)?, shapes(node)?);
        links.push(Link { parent, hanging, frame, mass, shapes, name: name.clone() });
        for edge in joints.iter().filter(|edge| edge.parent == name) {
            front.extend(nodes.iter().find(|node| name_of(**node) == edge.child));
        }
    }
    if let Some(node) = nodes.iter().find(|node| !by_name.contains_key(name_of(**node))) {
        let name = name_of(*node);
        return Err(wrong(
            *node,
            format!("link '{name}' hangs on itself: its joints lead round in a circle"),
        ));
    }
    let mut world = World::new().gravity(GRAVITY);
    into_world(links, &mut world);
    for node in robot.children().filter(|node| node.has_tag_name("joint")) {
        world.relations.extend(mimic(node)?);
    }
    note_what_is_left(robot, ignore, &mut left_out);
    Ok(Imported { name: robot.attribute("name").unwrap_or_default().to_string(), world, left_out })
}

/// The links or joints of a robot; no two have one name.
fn named<'a, 'i>(robot: Node<'a, 'i>, tag: &str) -> Result<Vec<Node<'a, 'i>>, ImportError> {
    let nodes: Vec<Node<'_, '_>> = robot.children().filter(|node| node.has_tag_name(tag)).collect();
    let mut known = HashSet::new();
    match nodes.iter().find(|node| !known.insert(name_of(**node))) {
        Some(again) => Err(wrong(*again, format!("there are two {tag}s '{}'", name_of(*again)))),
        None => Ok(nodes),
    }
}

/// The joints: every link hangs on one of them at most.
fn edges<'a, 'i>(robot: Node<'a, 'i>, links: &[Node<'a, 'i>]) -> Result<Vec<Edge<'a, 'i>>, ImportError> {
    let known: HashSet<&str> = links.iter().map(|&link| name_of(link)).collect();
    let mut edges: Vec<Edge<'_, '_>> = Vec::new();
    for node in named(robot, "joint")? {
        let edge = edge(node)?;
        let name = name_of(node);
        if let Some(link) =
            [&edge.parent, &edge.child].into_iter().find(|link| !known.contains(link.as_str()))
        {
            return Err(wrong(node, format!("joint '{name}' leads to '{link}', a link that is not there")));
        }
        if let Some(other) = edges.iter().find(|other| other.child == edge.child) {
            let (child, other) = (&edge.child, name_of(other.node));
            let both = format!("link '{child}' hangs on two joints, '{other}' and '{name}'");
            return Err(wrong(
                node,
                format!("{both}: a loop has to be closed in the model file that is imported"),
            ));
        }
        edges.push(edge);
    }
    Ok(edges)
}

/// The link that hangs on no joint; nothing where joints lead round in a circle.
fn root<'a, 'i>(
    links: &[Node<'a, 'i>],
    edges: &HashMap<&str, &Edge<'_, '_>>,
) -> Result<Option<Node<'a, 'i>>, ImportError> {
    let mut roots = links.iter().copied().filter(|link| !edges.contains_key(name_of(*link)));
    let first = roots.next();
    match (first, roots.next()) {
        (Some(first), Some(second)) => {
            let (first, name) = (name_of(first), name_of(second));
            let both = format!("links '{first}' and '{name}' both hang on no joint");
            Err(wrong(second, format!("{both}: one link of a URDF is its root")))
        }
        _ => Ok(first),
    }
}

fn name_of<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("name").unwrap_or_default()
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn edge<'a, 'i>(node: Node<'a, 'i>) -> Result<Edge<'a, 'i>, ImportError> {
    let link = |tag: &str| {
        let found = child(node, tag).and_then(|end| end.attribute("link"));
        found.map(str::to_owned).ok_or_else(|| wrong(node, format!("a joint without a {tag}")))
    };
    let origin = child(node, "origin").map_or(Ok(Frame::HERE), origin)?;
    Ok(Edge { node, parent: link("parent")?, child: link("child")?, origin })
}

/// xyz and rpy: about axes that stay, x first.
fn origin(node: Node<'_, '_>) -> Result<Frame, ImportError> {
    let x = vector(node, node.attribute("xyz").unwrap_or("0 0 0"))?;
    let angles = vector(node, node.attribute("rpy").unwrap_or("0 0 0"))?;
    let p = euler("XYZ", angles).ok_or_else(|| wrong(node, "no rotation"))?;
    Ok(Frame { x, p })
}

fn mass(link: Node<'_, '_>) -> Result<Mass, ImportError> {
    let Some(node) = child(link, "inertial") else { return Ok(Mass::default()) };
    let name = name_of(link);
    if let Some(again) = link.children().filter(|node| node.has_tag_name("inertial")).nth(1) {
        return Err(wrong(again, format!("link '{name}' has two inertials")));
    }
    let frame = child(node, "origin").map_or(Ok(Frame::HERE), origin)?;
    let Some(weight) = child(node, "mass").filter(|mass| mass.has_attribute("value")) else {
        return Err(wrong(node, format!("the inertial of link '{name}' has no mass: <mass value=\"1\"/>")));
    };
    let mass = number_or(weight, "value", 0.0)?;
    let mut inertia = [[0.0; 3]; 3];
    if let Some(node) = child(node, "inertia") {
        let entry = |name: &str| number_or(node, name, 0.0);
        let (xy, xz, yz) = (entry("ixy")?, entry("ixz")?, entry("iyz")?);
        inertia = [[entry("ixx")?, xy, xz], [xy, entry("iyy")?, yz], [xz, yz, entry("izz")?]];
    }
    let mass = Mass { mass, centre: [0.0; 3], inertia };
    check_mass(node, name, &mass)?;
    Ok(mass.moved(frame.x, frame.p))
}

fn hanging(
    node: Node<'_, '_>,
    frame: Frame,
    ignore: Ignore,
    left_out: &mut Vec<String>,
) -> Result<Hanging, ImportError> {
    let kind = node.attribute("type").unwrap_or_default();
    let turns = match kind {
        "fixed" => return Ok(Hanging::Fixed),
        "floating" => return Ok(Hanging::Free),
        "revolute" | "continuous" => true,
        "prismatic" => false,
        // Not of the standard, but simulators read it.
        "spherical" => {
            let mut ball = Joint::new(identifier(name_of(node)), JointKind::Spherical, GROUND, GROUND);
            let damping = child(node, "dynamics").map(|node| number_or(node, "damping", 0.0)).transpose()?;
            ball.damping.extend(damping.filter(|&damping| damping != 0.0));
            return Ok(Hanging::Joint(Box::new(ball.at(frame.x))));
        }
        other => return Err(wrong(node, format!("joints of type '{other}' are not known here"))),
    };
    let axis = child(node, "axis").and_then(|axis| axis.attribute("xyz")).unwrap_or("1 0 0");
    let axis = direction(vector(node, axis)?).ok_or_else(|| wrong(node, "an axis without a direction"))?;
    let name = identifier(name_of(node));
    let freedom = Freedom { name: name.clone(), turns, axis: frame.vector(axis), at: frame.x, zero: 0.0 };
    let mut joint: Joint = joint_of(vec![freedom]);
    if let Some(dynamics) = child(node, "dynamics") {
        let damping = number_or(dynamics, "damping", 0.0)?;
        joint.damping = if damping == 0.0 { Vec::new() } else { vec![damping] };
        if number_or(dynamics, "friction", 0.0)? != 0.0 && !ignore.friction {
            left_out.push(format!("joint '{name}': dry friction, which has no rate at which it sets in"));
        }
    }
    if kind != "continuous" && child(node, "limit").is_some_and(limits_something) && !ignore.limits {
        left_out.push(format!("joint '{name}': limits, which have no stiffness"));
    }
    Ok(Hanging::Joint(Box::new(joint)))
}

fn limits_something(node: Node<'_, '_>) -> bool {
    ["lower", "upper"].into_iter().any(|name| node.attribute(name).is_some())
}

/// A joint that follows another one.
fn mimic(node: Node<'_, '_>) -> Result<Option<Relation>, ImportError> {
    let Some(mimic) = child(node, "mimic") else { return Ok(None) };
    let (name, leader) =
        (identifier(name_of(node)), identifier(mimic.attribute("joint").unwrap_or_default()));
    let (ratio, offset) = (number_or(mimic, "multiplier", 1.0)?, number_or(mimic, "offset", 0.0)?);
    let mut relation = Relation::gear(format!("{name}_mimic"), name, leader, ratio);
    relation.polynomial[0] = offset;
    Ok(Some(relation))
}

fn shapes(link: Node<'_, '_>) -> Result<Vec<Shape>, ImportError> {
    let mut shapes = Vec::new();
    for visual in link.children().filter(|node| node.has_tag_name("visual")) {
        let Some(shape) = child(visual, "geometry").and_then(|node| node.first_element_child()) else {
            continue;
        };
        match shape.tag_name().name() {
            "box" => {
                let size = numbers(shape, shape.attribute("size").unwrap_or_default())?;
                shapes.extend(<[f64; 3]>::try_from(size).ok().map(Shape::Box));
            }
            "sphere" => shapes.push(Shape::Sphere(number_or(shape, "radius", 0.0)?)),
            "cylinder" => {
                let (radius, length) = (number_or(shape, "radius", 0.0)?, number_or(shape, "length", 0.0)?);
                shapes.push(Shape::Cylinder(radius, length));
            }
            "mesh" => shapes.extend(shape.attribute("filename").map(|file| Shape::Mesh(file.to_string()))),
            _ => {}
        }
    }
    Ok(shapes)
}

/// Elements with what they may have that is read, or that a motion without contacts does not depend on: elements inside, attributes.
const KNOWN: [(&str, &str, &str); 14] = [
    ("robot", "link joint material transmission gazebo", "name version"),
    ("link", "inertial visual collision contact", "name type concave"),
    ("joint", "origin parent child axis calibration dynamics limit mimic safety_controller", "name type"),
    ("inertial", "origin mass inertia", ""),
    ("mass", "", "value"),
    ("inertia", "", "ixx iyy izz ixy ixz iyz"),
    ("dynamics", "", "damping friction"),
    ("mimic", "", "joint multiplier offset"),
    ("origin", "", "xyz rpy"),
    ("parent", "", "link"),
    ("child", "", "link"),
    ("axis", "", "xyz"),
    ("limit", "", "lower upper effort velocity acceleration deceleration jerk"),
    // Bullet has inertia_scaling beside these.
    (
        "contact",
        "lateral_friction rolling_friction spinning_friction stiffness damping contact_cfm contact_erp restitution friction_anchor",
        "",
    ),
];

/// Lists elements and attributes of a robot, its links and joints that are not known, misspelt ones among them.
fn note_unknown_words(robot: Node<'_, '_>, left_out: &mut Vec<String>) {
    let contains = |words: &str, word: &str| words.split_whitespace().any(|known| known == word);
    let parts = robot.children().filter(|node| node.has_tag_name("link") || node.has_tag_name("joint"));
    let inside = parts.flat_map(|node| node.descendants()).filter(|node| node.is_element());
    for node in [robot].into_iter().chain(inside) {
        let tag = node.tag_name().name();
        let Some((_, elements, attributes)) = KNOWN.iter().find(|(known, ..)| *known == tag) else {
            continue;
        };
        let inside = node.children().filter(|child| child.is_element()).map(|child| child.tag_name().name());
        let unknown = inside.filter(|name| !contains(elements, name));
        left_out.extend(unknown.map(|name| format!("elements <{name}> of <{tag}>")));
        let unknown = node.attributes().map(|given| given.name()).filter(|name| !contains(attributes, name));
        left_out.extend(unknown.map(|name| format!("'{name}' of <{tag}>")));
    }
}

fn note_what_is_left(robot: Node<'_, '_>, ignore: Ignore, left_out: &mut Vec<String>) {
    note_unknown_words(robot, left_out);
    for tag in ["transmission", "gazebo"] {
        let count = robot.children().filter(|node| node.has_tag_name(tag)).count();
        if count > 0 {
            left_out.push(format!("{count} elements <{tag}>"));
        }
    }
    let collisions = robot.descendants().filter(|node| node.has_tag_name("collision")).count();
    if collisions > 0 && !ignore.contacts {
        left_out.push(format!("contacts of {collisions} collision shapes"));
    }
}
