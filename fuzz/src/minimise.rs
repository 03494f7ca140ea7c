//! Making what was found small.

use crate::mechanism::{End, Kind, Mechanism};

/// The shortest text that is still wrong, found by leaving out lines and then pieces of them.
pub fn text(input: &str, is_wrong: impl Fn(&str) -> bool) -> String {
    let mut text = input.to_owned();
    for separator in ["\n", " "] {
        let mut share = 2;
        loop {
            let pieces: Vec<&str> = text.split_inclusive(separator).collect();
            let length = pieces.len().div_ceil(share);
            let without = |from: usize| {
                let kept = pieces.iter().enumerate().filter(|(k, _)| *k < from || *k >= from + length);
                kept.map(|(_, piece)| *piece).collect::<String>()
            };
            let places = (0..pieces.len()).step_by(length.max(1));
            match places.map(without).find(|shorter| shorter.len() < text.len() && is_wrong(shorter)) {
                Some(shorter) => text = shorter,
                None if length <= 1 => break,
                None => share *= 2,
            }
        }
    }
    text
}

/// The simplest mechanism that is still wrong.
pub fn mechanism(input: &Mechanism, is_wrong: impl Fn(&Mechanism) -> bool) -> Mechanism {
    let mut mechanism = input.clone();
    loop {
        let Some(simpler) = simpler(&mechanism).into_iter().find(|simpler| is_wrong(simpler)) else {
            return mechanism;
        };
        mechanism = simpler;
    }
}

/// Mechanisms that are simpler in one respect.
fn simpler(mechanism: &Mechanism) -> Vec<Mechanism> {
    let mut all = Vec::new();
    let mut change = |change: &dyn Fn(&mut Mechanism)| {
        let mut changed = mechanism.clone();
        change(&mut changed);
        if changed != *mechanism {
            all.push(changed);
        }
    };
    for k in 0..mechanism.points.len() {
        change(&|m| remove_point(m, k));
    }
    for k in 0..mechanism.links.len() {
        change(&|m| {
            m.links.remove(k);
        });
    }
    // Each change leads away from what was there, so that the search comes to an end.
    change(&|m| m.gravity = 0.0);
    change(&|m| m.gravity = if m.gravity == 0.0 { 0.0 } else { 1.0 });
    change(&|m| m.end = 1.0);
    for k in 0..mechanism.points.len() {
        change(&|m| m.points[k].mass = 1.0);
        change(&|m| m.points[k].velocity = [0.0; 2]);
    }
    for k in 0..mechanism.links.len() {
        change(&|m| simplify_kind(&mut m.links[k].kind));
        change(&|m| {
            if let End::Driven { place, .. } = m.links[k].from {
                m.links[k].from = End::Ground(place);
            }
        });
    }
    all
}

fn simplify_kind(kind: &mut Kind) {
    match kind {
        Kind::SquaredRod => *kind = Kind::Rod,
        Kind::Stiff { relaxation, .. } => *relaxation = 0.0,
        Kind::Spring { stiffness } => *stiffness = 1.0,
        Kind::Damper { strength } => *strength = 1.0,
        Kind::Rod => {}
    }
}

/// Takes a point out, with all links that it has.
fn remove_point(mechanism: &mut Mechanism, point: usize) {
    if mechanism.points.len() == 1 {
        return;
    }
    mechanism.points.remove(point);
    mechanism.links.retain(|link| link.to != point && link.from != End::Point(point));
    for link in &mut mechanism.links {
        if link.to > point {
            link.to -= 1;
        }
        if let End::Point(k) = &mut link.from
            && *k > point
        {
            *k -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::make;

    #[test]
    fn what_is_wrong_stays_and_the_rest_goes() {
        let long = "one\ntwo three\nfour\nfive six seven\n".repeat(20);
        let short = text(&long, |text| text.contains("six"));
        assert_eq!(short.trim(), "six");
        let springs = |m: &Mechanism| m.links.iter().any(|link| matches!(link.kind, Kind::Spring { .. }));
        let seed = (0..).find(|&seed| springs(&make(seed)) && make(seed).points.len() > 2).unwrap_or(0);
        let small = mechanism(&make(seed), springs);
        assert_eq!((small.links.len(), small.gravity), (1, 0.0));
        assert!(small.points.len() <= 2);
    }
}
