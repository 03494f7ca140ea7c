use crate::number::{DoubleDouble, Matrix, Scalar};
use crate::tableau::Coefficients;
use crate::{Family, Tableau};

impl Coefficients {
    /// The adjoint: a*_ij = b_{s+1-j} - a_{s+1-i,s+1-j}, b*_j = b_{s+1-j}, c*_i = 1 - c_{s+1-i} (Jay 1998, (36)-(37)).
    pub(crate) fn adjoint(&self) -> Self {
        let last = self.b.len() - 1;
        Self {
            a: Matrix::from_fn(last + 1, last + 1, |i, j| self.b[last - j] - self.a[(last - i, last - j)]),
            b: self.b.iter().rev().copied().collect(),
            c: self.c.iter().rev().map(|&node| DoubleDouble::ONE - node).collect(),
        }
    }
}

impl Tableau {
    /// The adjoint method: a step of it with -h undoes a step of this one with h.
    pub fn adjoint(&self) -> Self {
        let adjoint = self.exact().adjoint();
        match self.family_of(&adjoint) {
            Some(family) => Self::computed(family, adjoint.a, adjoint.b, adjoint.c),
            None => Self::unnamed(&format!("adjoint of {}", self.name()), adjoint, self.tolerance()),
        }
    }

    /// The family that the adjoint belongs to, found by comparison with all of them.
    pub fn adjoint_family(&self) -> Option<Family> {
        self.family_of(&self.exact().adjoint())
    }

    fn family_of(&self, coefficients: &Coefficients) -> Option<Family> {
        let stages = self.stages();
        Family::ALL.into_iter().filter(|family| family.stages().contains(&stages)).find(|family| {
            family
                .tableau(stages)
                .is_ok_and(|member| member.exact().distance(coefficients) <= self.tolerance())
        })
    }

    /// Whether the method is its own adjoint (Jay 1998, (36)).
    pub fn is_symmetric(&self) -> bool {
        self.exact().distance(&self.exact().adjoint()) <= self.tolerance()
    }

    /// Whether a_sj = b_j: the last stage is the result (condition (S) in Jay 1998, section 4.2).
    pub fn is_stiffly_accurate(&self) -> bool {
        let exact = self.exact();
        let last = exact.a.row(self.stages() - 1);
        last.iter().zip(&exact.b).all(|(&entry, &weight)| (entry - weight).magnitude() <= self.tolerance())
    }
}
