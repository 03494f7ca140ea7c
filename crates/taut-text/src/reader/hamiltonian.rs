//! `[hamiltonian]`: coordinates with momenta, and the energy H(t, q, p).

use taut_formula::graph::{Depends, Graph, Node};

use super::Reader;
use super::constraints::Rows;
use super::document::Section;
use super::entries::Entry;
use super::lower::Role;
use super::names::Meaning;
use super::starts::Place;
use crate::compiled::Contents;
use crate::source::Span;
use taut::system::compiled::{PartitionFormulas, canonical_parts};

const ENERGY: Role = Role::any("the energy");

/// The absolute tolerance of a momentum.
const MOMENTUM_ATOL: &str = "momentum_atol";
/// The momentum of a coordinate has this before its name.
pub(super) const MOMENTUM: &str = "p_";

impl<'a> Reader<'a> {
    /// Coordinates with momenta: q' = H_p, p' = −H_q + f − Gᵀλ, 0 = g(t, q) (Jay 1998, eq. 6).
    pub(super) fn hamiltonian_model(&mut self) -> Option<Contents> {
        let (coordinates, mut start) = self.read_canonical_coordinates();
        let n = coordinates.len();
        self.check_not_empty(Section::Coordinates, n);
        self.read_definitions();
        self.read_start_values(&mut start, &mut []);
        let energy = self.read_hamiltonian();
        let rows = self.read_constraints();
        self.check_free_of(n, &rows);
        let (energy, rods) = self.springs_as_energy(energy.unwrap_or(Graph::ZERO), rows);
        let forces = self.read_canonical_forces(n);
        if self.mistakes.any() {
            self.surroundings();
            return None;
        }
        let is_closed = forces.iter().flatten().all(|&force| force == Graph::ZERO);
        let formulas = PartitionFormulas {
            is_closed,
            second: coordinates.iter().map(|name| format!("{MOMENTUM}{name}")).collect(),
            first: coordinates,
            constraints: rods.constraints.iter().map(|constraint| constraint.name.clone()).collect(),
            parts: canonical_parts(&mut self.graph, n, energy, &rods.equations, forces),
            mass: Vec::new(),
            damping: Vec::new(),
            equations: rods.equations,
            energy: Some(energy),
        };
        start.resize(2 * n + formulas.constraints.len(), Graph::ZERO);
        self.finish_partition(formulas, start)
    }

    /// Names and start values: those of q, then those of p.
    fn read_canonical_coordinates(&mut self) -> (Vec<String>, Vec<Node>) {
        let (mut names, mut entries) = (Vec::new(), Vec::new());
        let mut tolerances = Vec::new();
        for part in self.document.parts(Section::Coordinates) {
            for entry in self.entries(&part) {
                let known = ["start", "momentum", "atol", MOMENTUM_ATOL, "unit"];
                let table = self.fields(&entry, &known, "{ start = 0.0, momentum = 0.0 }");
                if let Some(table) = table {
                    self.read_absolute_tolerance(&entry, table, names.len());
                    self.read_unit(&entry.name, table);
                }
                let tolerance = table.and_then(|table| table.get(MOMENTUM_ATOL));
                tolerances.push(tolerance.and_then(|value| self.absolute_tolerance(&entry, value)));
                if let Some(table) = table {
                    self.start_value(&entry, table.get("start"), true, Place::Position(names.len()));
                    self.start_value(&entry, table.get("momentum"), false, Place::Momentum(names.len()));
                }
                self.check_count(2 * names.len(), entry.span);
                self.overrides.take(&entry.name);
                self.overrides.take(&format!("{MOMENTUM}{}", entry.name));
                self.give(&entry, Some(Meaning::Variable(names.len() as u32)));
                names.push(entry.name.clone());
                entries.push(entry);
            }
        }
        for (i, (entry, tolerance)) in entries.into_iter().zip(tolerances).enumerate() {
            self.absolute.extend(tolerance.map(|tolerance| (names.len() + i, tolerance)));
            let unit = self.units.get(&entry.name).and_then(|unit| self.units.momentum(unit));
            let momentum = Entry { name: format!("{MOMENTUM}{}", entry.name), ..entry };
            self.units.set(&momentum.name, unit);
            self.give(&momentum, Some(Meaning::Variable((names.len() + i) as u32)));
        }
        let starts = vec![Graph::ZERO; 2 * names.len()];
        (names, starts)
    }

    /// `energy` of `[hamiltonian]`.
    fn read_hamiltonian(&mut self) -> Option<Node> {
        let part = self.document.first(Section::Hamiltonian)?;
        let mut energy = None;
        let entries = self.entries(&part);
        for mut entry in entries {
            match entry.name.as_str() {
                "energy" => energy = Some(self.formula(entry.value, &mut entry.indices, &ENERGY)),
                name => {
                    self.mistakes
                        .add(entry.span, format!("[hamiltonian] has no '{name}'"))
                        .suggest(name, ["energy"]);
                }
            }
        }
        if energy.is_none() {
            self.mistakes
                .add(part.span, "the energy is missing")
                .label("'energy' is not given")
                .help("energy = \"p_x^2/(2*m) + V\", a function of coordinates x and momenta p_x");
        }
        energy.flatten()
    }

    /// Constraints are on the first variables alone.
    pub(super) fn check_free_of(&mut self, n: usize, rows: &Rows) {
        for (constraint, &equation) in rows.constraints.iter().zip(&rows.equations) {
            let depends = self.graph.gradient(equation, Depends::POSITION);
            if depends.iter().all(|&(j, _)| j < n) {
                continue;
            }
            let name = constraint.name.split('[').next().unwrap_or_default();
            let parts = self.document.parts(Section::Constraints);
            let keys = parts.iter().flat_map(|part| part.table.iter());
            let mut place =
                keys.filter(|(key, _)| key.get_ref() == name).map(|(_, value)| Span::new(value.span()));
            let span = place.next_back().or(parts.first().map(|part| part.span)).unwrap_or_default();
            self.mistakes
                .add(span, "a constraint restricts coordinates, not momenta")
                .label("this depends on a momentum");
        }
    }

    /// The energy with g²/(2c) of springs, and the rods.
    fn springs_as_energy(&mut self, mut energy: Node, rows: Rows) -> (Node, Rows) {
        let mut rods = Rows::default();
        for ((constraint, equation), spring) in
            rows.constraints.into_iter().zip(rows.equations).zip(rows.springs)
        {
            if constraint.relaxation() > 0.0 {
                let span =
                    self.document.first(Section::Constraints).map_or(Span::default(), |part| part.span);
                self.mistakes
                    .add(span, format!("the damper beside '{}' has no energy", constraint.name))
                    .help("give a dissipative force under [forces]");
            }
            if constraint.compliance() > 0.0 {
                let square = self.graph.power(equation, 2);
                let two = self.graph.constant(2.0);
                let twice = self.graph.multiply(two, spring[0]);
                let share = self.graph.divide(square, twice);
                energy = self.graph.add(energy, share);
            } else {
                rods.constraints.push(constraint);
                rods.equations.push(equation);
                rods.springs.push(spring);
            }
        }
        (energy, rods)
    }

    /// The forces on momenta, by class.
    fn read_canonical_forces(&mut self, n: usize) -> [Vec<Node>; 4] {
        let forces = self.read_forces(2 * n);
        let on_momenta =
            forces.by_class.iter().any(|forces| forces[n..].iter().any(|&force| force != Graph::ZERO));
        let damped = forces.shares.iter().any(|&share| share != Graph::ZERO);
        let span = self.document.first(Section::Forces).map_or(Span::default(), |part| part.span);
        if on_momenta {
            self.mistakes.add(span, "a force acts on a coordinate").label("one here has a momentum's name");
        } else if damped {
            self.mistakes
                .add(span, "a Hamiltonian model has no damped share of a force")
                .help("[coefficients] gives shares to whole classes, or make the force dissipative");
        }
        forces.by_class
    }
}
