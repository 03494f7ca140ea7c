//! Columns that share no row can be differentiated in one go.

use super::Pattern;

/// Columns of a matrix grouped into colours, so that columns of one colour have no row in common
/// (Curtis, Powell and Reid 1974). A chain of any length needs as many colours as one link.
#[derive(Clone, Debug)]
pub(crate) struct Coloring {
    color: Vec<usize>,
    colors: usize,
}

impl Coloring {
    /// Colours the columns of `pattern` greedily, in their order.
    pub(crate) fn of(pattern: &Pattern) -> Self {
        let (by_row, _) = pattern.transpose();
        let mut color = vec![usize::MAX; pattern.cols()];
        let mut taken_by = Vec::new();
        for j in 0..pattern.cols() {
            for &i in pattern.column(j) {
                for &other in by_row.column(i) {
                    if other < j {
                        taken_by[color[other]] = j;
                    }
                }
            }
            let free = taken_by.iter().position(|&taken| taken != j).unwrap_or(taken_by.len());
            if free == taken_by.len() {
                taken_by.push(usize::MAX);
            }
            color[j] = free;
        }
        Coloring { color, colors: taken_by.len() }
    }

    /// How many colours there are.
    pub(crate) fn colors(&self) -> usize {
        self.colors
    }

    /// Whether column `j` has this colour.
    pub(crate) fn has(&self, j: usize, color: usize) -> bool {
        self.color[j] == color
    }
}
