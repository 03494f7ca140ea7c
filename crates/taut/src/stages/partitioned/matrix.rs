//! Newton's matrix of a partitioned step: all stages together, by one dense or sparse elimination.
//!
//! The derivative blocks are those of each stage. Rows of constraints are divided by h and multipliers multiplied by it, so
//! that the condition does not depend on h. What is left out, ∂(g_t + G f)/∂y of (17g), couples z₁ to what does not depend
//! on it and costs one iteration.

use super::equations::PartitionedEquations;
use super::unknowns::Unknowns;
use crate::failure::StepFailure;
use crate::geometry::product::Product;
use crate::linear::{Choice, Pattern};
use crate::motion::Statistics;
use crate::snapshot::{Snapshot, SnapshotError};
use crate::stages::spark::equations::of_stage;
use crate::stages::spark::whole::WholeMatrix;
use crate::system::{Fault, PartitionStructure};

/// Newton's matrix and the derivative blocks it is made of.
pub(crate) struct PartitionedMatrix {
    places: Places,
    /// G f_z
    end_rate: Product,
    pub(crate) whole: WholeMatrix,
    /// ∂(f, k)/∂(y, z, u) of each part at each stage, then of all parts at the end
    rates: Vec<Vec<f64>>,
    /// ∂(M z)/∂(y, z) of stages and end
    momenta: Vec<Vec<f64>>,
    /// G where constraints are imposed
    jacobians: Vec<Vec<f64>>,
    part_rates: Vec<f64>,
}

/// For each block of the matrix the places of its entries.
struct Places {
    /// by row of stages or end and by stage; nothing where the end has no such row
    rates: Vec<Vec<Vec<Option<usize>>>>,
    /// the same for the rows of Xᵢ
    constrained: Vec<Vec<Vec<Option<usize>>>>,
    momenta: Vec<Vec<usize>>,
    jacobians: Vec<Vec<usize>>,
    end_rate: Vec<usize>,
    identity: Vec<usize>,
}

impl PartitionedMatrix {
    pub(crate) fn new(equations: &PartitionedEquations<'_>, choice: Choice) -> Self {
        let (structure, unknowns) = (equations.system.structure(), equations.unknowns);
        let end_rate = Product::of_end_rate(structure);
        let (pattern, places) = Places::in_whole_matrix(&Entries { structure, unknowns }, &end_rate);
        let stages = unknowns.stages;
        PartitionedMatrix {
            places,
            end_rate,
            whole: WholeMatrix::new(pattern, choice, || None),
            rates: vec![vec![0.0; structure.rates.nnz()]; equations.method.parts.len() * stages + 1],
            momenta: vec![vec![0.0; structure.momentum.nnz()]; stages + 1],
            jacobians: vec![vec![0.0; structure.jacobian.nnz()]; stages],
            part_rates: vec![0.0; structure.rates.nnz()],
        }
    }

    /// Evaluates the derivative blocks at the stages that the unknowns `x` give.
    pub(crate) fn refresh(
        &mut self,
        equations: &mut PartitionedEquations<'_>,
        x: &[f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        equations.place_stages(x);
        let (system, Unknowns { stages, n, .. }) = (equations.system, equations.unknowns);
        count.jacobians += 1;
        let Some((end, parts)) = self.rates.split_last_mut() else { return Ok(()) };
        for (k, values) in parts.iter_mut().enumerate() {
            let part = equations.method.parts[k / stages].part;
            system.rate_derivatives(part, equations.stage(k % stages, x), values)?;
        }
        end.fill(0.0);
        for part in &equations.method.parts {
            system.rate_derivatives(part.part, equations.stage(stages, x), &mut self.part_rates)?;
            end.iter_mut().zip(&self.part_rates).for_each(|(sum, value)| *sum += value);
        }
        for (i, values) in self.momenta.iter_mut().enumerate() {
            let at = equations.stage(i, x);
            system.momentum_derivatives(at.y, at.z, values)?;
        }
        for (i, values) in self.jacobians.iter_mut().enumerate() {
            system.jacobian(equations.time(i), &equations.constrained[of_stage(i, n)], values)?;
        }
        Ok(())
    }

    /// Puts the matrix together and factors it.
    pub(crate) fn factor(
        &mut self,
        equations: &PartitionedEquations<'_>,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.whole.values.fill(0.0);
        for &place in &self.places.identity {
            self.whole.values[place] += 1.0;
        }
        for r in 0..=equations.unknowns.stages {
            self.add_row(equations, r);
        }
        self.add_constraints(equations);
        count.factorizations += 1;
        self.whole.eliminate(|k| name(equations, k))
    }

    /// Factors a matrix from a snapshot.
    pub(crate) fn recall(
        &mut self,
        equations: &PartitionedEquations<'_>,
        snapshot: &Snapshot,
    ) -> Result<(), SnapshotError> {
        self.whole.recall(snapshot, |k| name(equations, k))
    }

    /// The derivatives of the rows of Wᵣ, Xᵣ and Zᵣ; r = s is the end.
    fn add_row(&mut self, equations: &PartitionedEquations<'_>, r: usize) {
        let (method, h, unknowns) = (&equations.method, equations.h, equations.unknowns);
        let (structure, values) = (equations.system.structure(), &mut self.whole.values);
        let entries = Entries { structure, unknowns };
        for (g, part) in method.parts.iter().enumerate() {
            for j in 0..unknowns.stages {
                let block = &self.rates[g * unknowns.stages + j];
                let n = unknowns.n;
                let own = |i: usize| method.of_rate(part, (r, j), i, n) * if i < n { 1.0 } else { h };
                add_rates(values, &entries, &self.places.rates[r][j], block, own, h);
                if let Some(places) = self.places.constrained.get(r) {
                    let imposed = |i: usize| if i < n { method.a[(r, j)] } else { 0.0 };
                    add_rates(values, &entries, &places[j], block, imposed, h);
                }
            }
        }
        let momenta = self.places.momenta[r].iter().zip(&self.momenta[r]).zip(structure.momentum.entries());
        for ((&place, value), (_, j)) in momenta {
            values[place] += if j < unknowns.n { h * value } else { *value };
        }
    }

    /// The derivatives of g/h of the stages and of g_t + G f of the end.
    fn add_constraints(&mut self, equations: &PartitionedEquations<'_>) {
        let stages = equations.unknowns.stages;
        for (places, block) in self.places.jacobians.iter().zip(&self.jacobians).skip(1) {
            for (&place, value) in places.iter().zip(block) {
                self.whole.values[place] += value;
            }
        }
        let rates = &self.rates[equations.method.parts.len() * stages];
        for (&place, value) in
            self.places.end_rate.iter().zip(self.end_rate.values(&self.jacobians[stages - 1], rates))
        {
            self.whole.values[place] += value;
        }
    }
}

/// Subtracts a block of rates with the coefficients of its rows; columns are scaled like their unknowns.
fn add_rates(
    values: &mut [f64],
    entries: &Entries<'_>,
    places: &[Option<usize>],
    block: &[f64],
    coefficient: impl Fn(usize) -> f64,
    h: f64,
) {
    let Unknowns { n, p, .. } = entries.unknowns;
    for ((place, value), (i, j)) in places.iter().zip(block).zip(entries.structure.rates.entries()) {
        let Some(place) = *place else { continue };
        let column = match j {
            j if j < n => h,
            j if j < n + p => 1.0,
            _ => 1.0 / h,
        };
        values[place] -= column * coefficient(i) * value;
    }
}

/// Where the entries of the blocks lie in the whole matrix, as rows and columns.
struct Entries<'s> {
    structure: &'s PartitionStructure,
    unknowns: Unknowns,
}

impl Entries<'_> {
    /// The column of entry j of (y, z, u) at stage l; number s is the end.
    fn column(&self, j: usize, l: usize) -> usize {
        let (unknowns, Unknowns { n, p, stages, .. }) = (self.unknowns, self.unknowns);
        match j {
            j if j < n && l == stages => unknowns.constrained(stages - 1).start + j,
            j if j < n => unknowns.first(l).start + j,
            j if j < n + p => unknowns.second(l).start + j - n,
            j => unknowns.multipliers(l).start + j - n - p,
        }
    }

    /// The entries of the rates of stage l in the rows of stage r; the end has no row for f.
    fn rates(&self, r: usize, l: usize) -> impl Iterator<Item = Option<(usize, usize)>> + '_ {
        let (unknowns, n) = (self.unknowns, self.unknowns.n);
        self.structure.rates.entries().map(move |(i, j)| {
            let row = match i {
                i if i < n && r < unknowns.stages => unknowns.first(r).start + i,
                i if i < n => return None,
                i => unknowns.second(r).start + i - n,
            };
            Some((row, self.column(j, l)))
        })
    }

    /// The entries of the rates of stage l in the rows of Xᵣ.
    fn constrained(&self, r: usize, l: usize) -> impl Iterator<Item = Option<(usize, usize)>> + '_ {
        let (row, n) = (self.unknowns.constrained(r).start, self.unknowns.n);
        let entries = self.structure.rates.entries();
        entries.map(move |(i, j)| (i < n).then(|| (row + i, self.column(j, l))))
    }

    fn momenta(&self, r: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let row = self.unknowns.second(r).start;
        self.structure.momentum.entries().map(move |(i, j)| (row + i, self.column(j, r)))
    }

    fn jacobian(&self, i: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (row, column) = (self.unknowns.multipliers(i).start, self.unknowns.constrained(i).start);
        self.structure.jacobian.entries().map(move |(k, j)| (row + k, column + j))
    }

    fn end_rate<'e>(&'e self, product: &'e Product) -> impl Iterator<Item = (usize, usize)> + 'e {
        let row = self.unknowns.multipliers(0).start;
        let column = self.unknowns.second(self.unknowns.stages).start;
        product.entries().map(move |(k, j)| (row + k, column + j))
    }

    /// The diagonal of Wᵢ and Xᵢ.
    fn identity(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.unknowns.second(0).start).map(|k| (k, k))
    }
}

/// What an unknown belongs to.
fn name(equations: &PartitionedEquations<'_>, unknown: usize) -> String {
    let entry = equations.unknowns.entry_of_state(unknown);
    equations.system.structure().name(entry).to_owned()
}

impl Places {
    /// The pattern of the whole matrix, and where the entries of its blocks lie in it.
    fn in_whole_matrix(entries: &Entries<'_>, end_rate: &Product) -> (Pattern, Self) {
        let size = entries.unknowns.len();
        Pattern::with_places(size, size, |place| Places::new(entries, end_rate, place))
    }

    fn new(entries: &Entries<'_>, end_rate: &Product, place: &mut dyn FnMut(usize, usize) -> usize) -> Self {
        let stages = entries.unknowns.stages;
        let mut place = |(i, j): (usize, usize)| place(i, j);
        let apart = if entries.unknowns.apart { stages } else { 0 };
        let mut blocks = |rows: usize, block: &dyn Fn(usize, usize) -> Vec<Option<(usize, usize)>>| {
            let mut of_stage =
                |r: usize, l: usize| block(r, l).into_iter().map(|entry| entry.map(&mut place)).collect();
            (0..rows).map(|r| (0..stages).map(|l| of_stage(r, l)).collect()).collect()
        };
        Places {
            rates: blocks(stages + 1, &|r, l| entries.rates(r, l).collect()),
            constrained: blocks(apart, &|r, l| entries.constrained(r, l).collect()),
            momenta: (0..=stages).map(|r| entries.momenta(r).map(&mut place).collect()).collect(),
            jacobians: (0..stages).map(|i| entries.jacobian(i).map(&mut place).collect()).collect(),
            end_rate: entries.end_rate(end_rate).map(&mut place).collect(),
            identity: entries.identity().map(&mut place).collect(),
        }
    }
}
