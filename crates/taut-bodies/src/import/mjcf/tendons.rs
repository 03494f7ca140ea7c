//! `<tendon>`: sums of joint coordinates, with springs, servos and equalities.

use roxmltree::Node;

use super::super::ImportError;
use super::super::xml::identifier;
use super::attributes::Item;
use super::others::Others;
use crate::description::Relation;

/// A fixed tendon: its length is the sum of joint coordinates, each times a number.
#[derive(Clone, Debug)]
pub(super) struct Tendon {
    name: String,
    /// coordinates and their factors, none of them 0
    terms: Vec<(String, f64)>,
    /// where the file has its bodies
    at_start: f64,
}

impl Tendon {
    /// length − `length` = 0 as a relation, and by what factor its row is shorter: it has coordinate₁ alone. Nothing for fewer
    /// than two joints.
    fn row(&self, name: String, length: f64) -> Option<(Relation, f64)> {
        let [(first, factor), (second, other), further @ ..] = self.terms.as_slice() else { return None };
        let polynomial = vec![length / factor, -other / factor];
        let further = further.iter().map(|(joint, other)| (joint.clone(), -other / factor)).collect();
        let gear = Relation::gear(name, first, second, 1.0);
        Some((Relation { polynomial, further, ..gear }, *factor))
    }

    /// A spring of stiffness k with a damper c that rests at a length.
    fn spring(&self, name: String, length: f64, [k, c]: [f64; 2]) -> Option<Relation> {
        let (row, factor) = self.row(name, length).filter(|_| k > 0.0)?;
        Some(Relation { compliance: 1.0 / (k * factor * factor), relaxation: c / k, ..row })
    }

    /// This one and a multiple of another.
    fn plus(&self, factor: f64, other: &Tendon) -> Tendon {
        let mut sum = self.clone();
        sum.at_start += factor * other.at_start;
        other.terms.iter().for_each(|(joint, number)| sum.add(joint, factor * number));
        sum
    }

    fn add(&mut self, joint: &str, number: f64) {
        match self.terms.iter_mut().find(|(known, _)| known == joint) {
            Some((_, sum)) => *sum += number,
            None => self.terms.push((joint.to_owned(), number)),
        }
        self.terms.retain(|(_, number)| *number != 0.0);
    }
}

impl Others<'_> {
    /// Springs of tendons; what else there is of tendons is listed.
    pub(super) fn read_tendons(&mut self, root: Node<'_, '_>) -> Result<(), ImportError> {
        let sections = root.children().filter(|node| node.has_tag_name("tendon"));
        for node in sections.flat_map(|node| node.children()).filter(|node| node.is_element()) {
            let name = node.attribute("name").unwrap_or("without a name");
            let item = self.defaults.called("tendon", node, None);
            match self.fixed_tendon(node, name)? {
                Some(tendon) => {
                    self.forces_of_tendon(&item, name, &tendon)?;
                    self.tendons.insert(name.to_owned(), tendon);
                }
                None => self.left_out.push(format!("tendon '{name}'")),
            }
        }
        Ok(())
    }

    /// Nothing for a tendon in space, for one without joints and for one with a joint that is not there.
    fn fixed_tendon(&self, node: Node<'_, '_>, name: &str) -> Result<Option<Tendon>, ImportError> {
        if !node.has_tag_name("fixed") {
            return Ok(None);
        }
        let mut tendon = Tendon { name: identifier(name), terms: Vec::new(), at_start: 0.0 };
        for child in node.children().filter(|child| child.has_tag_name("joint")) {
            let item = self.defaults.called("", child, None);
            let number = item.number("coef")?.unwrap_or(1.0);
            let Some(joint) = item.get("joint").and_then(|joint| self.joints.get(joint)) else {
                return Ok(None);
            };
            tendon.at_start += number * joint.zero;
            tendon.add(&joint.name, number);
        }
        Ok(Some(tendon).filter(|tendon| !tendon.terms.is_empty()))
    }

    fn forces_of_tendon(
        &mut self,
        item: &Item<'_, '_>,
        name: &str,
        tendon: &Tendon,
    ) -> Result<(), ImportError> {
        let [stiffness, damping] =
            [item.number("stiffness")?.unwrap_or(0.0), item.number("damping")?.unwrap_or(0.0)];
        let rest = item.numbers("springlength")?.unwrap_or_else(|| vec![-1.0]);
        // Two lengths are the ends of a range without force; one that is negative asks for that of the start.
        let length = match rest.as_slice() {
            [one] | [one, _] if *one < 0.0 => Some(tendon.at_start),
            [one] => Some(*one),
            [one, two] if one == two => Some(*one),
            _ => None,
        };
        let spring = length
            .and_then(|length| tendon.spring(self.free_name(&tendon.name), length, [stiffness, damping]));
        match spring {
            Some(spring) => self.world.relations.push(spring),
            None if stiffness != 0.0 => self.left_out.push(format!("tendon '{name}': its spring")),
            None if damping != 0.0 => self.left_out.push(format!("tendon '{name}': its damping alone")),
            None => {}
        }
        for other in ["frictionloss", "armature", "range"] {
            if item.get(other).is_some_and(|text| text.trim() != "0") {
                self.left_out.push(format!("tendon '{name}': its {other}"));
            }
        }
        Ok(())
    }

    /// length₁ − start₁ = a₀ + a₁ (length₂ − start₂)
    pub(super) fn tendon_equality(&mut self, item: &Item<'_, '_>, name: String) -> Result<(), ImportError> {
        let polynomial = item.numbers("polycoef")?.unwrap_or_else(|| vec![0.0, 1.0]);
        let (offset, slope) = (polynomial.first().copied(), polynomial.get(1).copied());
        let (offset, slope) = (offset.unwrap_or(0.0), slope.unwrap_or(0.0));
        let known = |attribute: &str| item.get(attribute).and_then(|tendon| self.tendons.get(tendon));
        let is_linear = polynomial.iter().skip(2).all(|&number| number == 0.0);
        let sum = match (known("tendon1"), known("tendon2"), item.get("tendon2")) {
            (Some(first), None, None) => Some(first.clone()),
            (Some(first), Some(second), _) if is_linear => Some(first.plus(-slope, second)),
            _ => None,
        };
        match sum.and_then(|sum| sum.row(self.free_name(&name), sum.at_start + offset)) {
            Some((row, _)) => self.world.relations.push(row),
            None => self.left_out.push(format!("equality '{name}' of kind 'tendon'")),
        }
        Ok(())
    }

    /// The spring that a servo of position is.
    pub(super) fn servo_of_tendon(
        &self,
        actuator: &str,
        tendon: &Tendon,
        length: f64,
        gains: [f64; 2],
    ) -> Option<Relation> {
        tendon.spring(self.free_name(&identifier(actuator)), length, gains)
    }

    /// A name that no joint and no relation has.
    fn free_name(&self, name: &str) -> String {
        let joints = &self.world.joints;
        let is_taken = |name: &String| {
            joints.iter().any(|joint| joint.has_coordinate(name))
                || self.world.relations.iter().any(|relation| &relation.name == name)
        };
        let mut free = name.to_owned();
        while is_taken(&free) {
            free.push_str("_tendon");
        }
        free
    }
}
