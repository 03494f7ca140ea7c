use crate::number::{DoubleDouble, Matrix, Scalar, dot};

/// All rooted trees up to some order, and with them the conditions for the order of a Runge-Kutta method
/// (Hairer, Norsett and Wanner, II.2): sum_i b_i Phi_i(t) = 1/gamma(t) for every tree t.
#[derive(Clone, Debug)]
pub struct RootedTrees {
    trees: Vec<Tree>,
}

/// A root with subtrees, which are named by their place in the list of all trees.
#[derive(Clone, Debug)]
struct Tree {
    order: usize,
    subtrees: Vec<usize>,
    density: f64,
}

impl RootedTrees {
    /// All trees with at most `order` vertices: 1, 2, 4, 8, 17, 37, 85, 200, ... of them.
    pub fn up_to(order: usize) -> Self {
        let mut trees: Vec<Tree> = Vec::new();
        for vertices in 1..=order {
            let mut forests = Vec::new();
            collect_forests(&trees, vertices - 1, trees.len(), &mut Vec::new(), &mut forests);
            for subtrees in forests {
                let below: f64 = subtrees.iter().map(|&t| trees[t].density).product();
                trees.push(Tree { order: vertices, subtrees, density: vertices as f64 * below });
            }
        }
        Self { trees }
    }

    /// The number of trees with exactly `order` vertices.
    pub fn count(&self, order: usize) -> usize {
        self.trees.iter().filter(|tree| tree.order == order).count()
    }

    /// For each order 1, 2, ... the largest defect |sum_i b_i Phi_i(t) - theta^order / gamma(t)|. With theta = 1 these
    /// are the order conditions of the weights b, with b = b(theta) those of a continuous extension.
    pub fn defects(&self, a: &Matrix<DoubleDouble>, b: &[DoubleDouble], theta: f64) -> Vec<f64> {
        let highest = self.trees.last().map_or(0, |tree| tree.order);
        let mut defects = vec![0.0_f64; highest];
        let mut stage_sums: Vec<Vec<DoubleDouble>> = Vec::with_capacity(self.trees.len());
        for tree in &self.trees {
            let weights = tree.subtrees.iter().fold(vec![DoubleDouble::ONE; b.len()], |product, &subtree| {
                product.iter().zip(&stage_sums[subtree]).map(|(&x, &y)| x * y).collect()
            });
            let exact = DoubleDouble::from(theta).powi(tree.order as i32) / DoubleDouble::from(tree.density);
            let defect = (dot(b, &weights) - exact).magnitude();
            defects[tree.order - 1] = defects[tree.order - 1].max(defect);
            stage_sums.push(a.times(&weights));
        }
        defects
    }

    /// The largest order up to which all conditions hold within `tolerance`.
    pub(crate) fn order(&self, a: &Matrix<DoubleDouble>, b: &[DoubleDouble], tolerance: f64) -> usize {
        self.defects(a, b, 1.0).iter().take_while(|&&defect| defect <= tolerance).count()
    }
}

/// All multisets of trees, in descending places below `limit`, with `vertices` vertices altogether.
fn collect_forests(
    trees: &[Tree],
    vertices: usize,
    limit: usize,
    chosen: &mut Vec<usize>,
    forests: &mut Vec<Vec<usize>>,
) {
    if vertices == 0 {
        forests.push(chosen.clone());
        return;
    }
    for place in (0..limit).filter(|&place| trees[place].order <= vertices) {
        chosen.push(place);
        collect_forests(trees, vertices - trees[place].order, place + 1, chosen, forests);
        chosen.pop();
    }
}
