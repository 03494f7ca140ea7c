//! What an expression can be: a number, a vector, a matrix, or a condition; and what can be done with them.

use crate::expression::{Factor, Sign};
use crate::function::{Binary, Unary};
use taut_formula::graph::{Graph, Node};

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quantity {
    Number(Node),
    Vector(Vec<Node>),
    /// by rows
    Matrix(Vec<Vec<Node>>),
    Condition(Condition),
}

/// A condition on numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    Positive(Node),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// Why an operation has no meaning, in words.
pub(super) type Senseless = String;

impl Quantity {
    /// "a vector of 3"
    pub(super) fn kind(&self) -> String {
        match self {
            Quantity::Number(_) => "a number".to_string(),
            Quantity::Vector(x) => format!("a vector of {}", x.len()),
            Quantity::Matrix(rows) => format!("a matrix of {} by {}", rows.len(), width(rows)),
            Quantity::Condition(_) => "a condition".to_string(),
        }
    }

    /// All numbers in it; a condition has none.
    pub(super) fn nodes(&self) -> Vec<Node> {
        match self {
            Quantity::Number(x) => vec![*x],
            Quantity::Vector(x) => x.clone(),
            Quantity::Matrix(rows) => rows.concat(),
            Quantity::Condition(_) => Vec::new(),
        }
    }

    /// The same shape with every number changed; a condition stays as it is.
    pub(super) fn map(&self, mut f: impl FnMut(Node) -> Node) -> Quantity {
        match self {
            Quantity::Number(x) => Quantity::Number(f(*x)),
            Quantity::Vector(x) => Quantity::Vector(x.iter().map(|x| f(*x)).collect()),
            Quantity::Matrix(rows) => {
                Quantity::Matrix(rows.iter().map(|row| row.iter().map(|x| f(*x)).collect()).collect())
            }
            Quantity::Condition(_) => self.clone(),
        }
    }

    /// A list of numbers is a vector, one of vectors of the same length a matrix.
    pub(super) fn list(elements: Vec<Quantity>) -> Result<Quantity, Senseless> {
        let numbers: Option<Vec<Node>> = elements.iter().map(Quantity::number).collect();
        if let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) {
            return Ok(Quantity::Vector(numbers));
        }
        let rows: Option<Vec<Vec<Node>>> = elements.iter().map(Quantity::vector).collect();
        match rows {
            Some(rows) if !rows.is_empty() && rows.iter().all(|row| row.len() == rows[0].len()) => {
                Ok(Quantity::Matrix(rows))
            }
            _ => Err("a list holds numbers, or rows of numbers of the same length".to_string()),
        }
    }

    pub(super) fn number(&self) -> Option<Node> {
        if let Quantity::Number(x) = self { Some(*x) } else { None }
    }

    pub(super) fn vector(&self) -> Option<Vec<Node>> {
        if let Quantity::Vector(x) = self { Some(x.clone()) } else { None }
    }

    /// a + b or a − b, of the same kind.
    pub(super) fn plus(
        &self,
        sign: Sign,
        other: &Quantity,
        graph: &mut Graph,
    ) -> Result<Quantity, Senseless> {
        let mut add = |(a, b): (&Node, &Node)| match sign {
            Sign::Plus => graph.add(*a, *b),
            Sign::Minus => graph.subtract(*a, *b),
        };
        match (self, other) {
            (Quantity::Number(a), Quantity::Number(b)) => Ok(Quantity::Number(add((a, b)))),
            (Quantity::Vector(a), Quantity::Vector(b)) if a.len() == b.len() => {
                Ok(Quantity::Vector(a.iter().zip(b).map(add).collect()))
            }
            (Quantity::Matrix(a), Quantity::Matrix(b)) if a.len() == b.len() && width(a) == width(b) => {
                let rows = a.iter().zip(b);
                Ok(Quantity::Matrix(rows.map(|(a, b)| a.iter().zip(b).map(&mut add).collect()).collect()))
            }
            _ => Err(format!("{} and {} cannot be added", self.kind(), other.kind())),
        }
    }

    /// a b or a / b: one of them is a number, or they are matrices and vectors that fit.
    pub(super) fn times(
        &self,
        factor: Factor,
        other: &Quantity,
        graph: &mut Graph,
    ) -> Result<Quantity, Senseless> {
        match (factor, self, other) {
            (Factor::Over, Quantity::Condition(_), _) => {}
            (Factor::Over, _, Quantity::Number(b)) => return Ok(self.map(|a| graph.divide(a, *b))),
            (Factor::Times, Quantity::Number(a), b) if b.is_numeric() => {
                return Ok(b.map(|b| graph.multiply(*a, b)));
            }
            (Factor::Times, a, Quantity::Number(b)) if a.is_numeric() => {
                return Ok(a.map(|a| graph.multiply(a, *b)));
            }
            (Factor::Times, Quantity::Matrix(rows), Quantity::Vector(x)) if width(rows) == x.len() => {
                return Ok(Quantity::Vector(rows.iter().map(|row| dot(graph, row, x)).collect()));
            }
            (Factor::Times, Quantity::Matrix(a), Quantity::Matrix(b)) if width(a) == b.len() => {
                let columns = transposed(b);
                let product = |row: &Vec<Node>, graph: &mut Graph| {
                    columns.iter().map(|column| dot(graph, row, column)).collect()
                };
                return Ok(Quantity::Matrix(a.iter().map(|row| product(row, graph)).collect()));
            }
            _ => {}
        }
        let verb = if factor == Factor::Times { "multiplied" } else { "divided" };
        let help = match (self, other) {
            (Quantity::Vector(_), Quantity::Vector(_)) => "; there are dot(p, q) and cross(p, q)",
            _ => "",
        };
        Err(format!("{} and {} cannot be {verb}{help}", self.kind(), other.kind()))
    }

    fn is_numeric(&self) -> bool {
        !matches!(self, Quantity::Condition(_))
    }

    /// Element number k of a vector, row number k of a matrix, counted from 1.
    pub(super) fn element(&self, k: i64) -> Result<Quantity, Senseless> {
        let place = usize::try_from(k).ok().and_then(|k| k.checked_sub(1));
        let found = match self {
            Quantity::Vector(x) => place.and_then(|k| x.get(k)).map(|x| Quantity::Number(*x)),
            Quantity::Matrix(rows) => {
                place.and_then(|k| rows.get(k)).map(|row| Quantity::Vector(row.clone()))
            }
            _ => return Err(format!("{} has no elements", self.kind())),
        };
        found.ok_or_else(|| format!("{} has no element {k}; the first is [1]", self.kind()))
    }
}

impl Condition {
    /// `first` where the condition holds, else `second`.
    pub(super) fn choose(&self, graph: &mut Graph, first: Node, second: Node) -> Node {
        match self {
            Condition::Positive(x) => {
                let (first, second) = (graph.when(*x, first), graph.unless(*x, second));
                graph.add(first, second)
            }
            Condition::Not(condition) => condition.choose(graph, second, first),
            Condition::All(conditions) => {
                conditions.iter().rev().fold(first, |inner, condition| condition.choose(graph, inner, second))
            }
            Condition::Any(conditions) => {
                conditions.iter().rev().fold(second, |inner, condition| condition.choose(graph, first, inner))
            }
        }
    }
}

fn width(rows: &[Vec<Node>]) -> usize {
    rows.first().map_or(0, Vec::len)
}

/// The matrix with rows and columns exchanged.
pub(super) fn transposed(rows: &[Vec<Node>]) -> Vec<Vec<Node>> {
    (0..width(rows)).map(|j| rows.iter().map(|row| row[j]).collect()).collect()
}

/// The sum of the products of the elements.
pub(super) fn dot(graph: &mut Graph, a: &[Node], b: &[Node]) -> Node {
    a.iter().zip(b).fold(Graph::ZERO, |sum, (a, b)| {
        let product = graph.multiply(*a, *b);
        graph.add(sum, product)
    })
}

/// The vector product in space.
pub(super) fn cross(graph: &mut Graph, a: &[Node; 3], b: &[Node; 3]) -> [Node; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
        let (left, right) = (graph.multiply(a[i], b[j]), graph.multiply(a[j], b[i]));
        graph.subtract(left, right)
    })
}

/// The length of a vector: through `hypot` in the plane, which does not overflow.
pub(super) fn norm(graph: &mut Graph, x: &[Node]) -> Node {
    match x {
        [x] => graph.unary(Unary::Abs, *x),
        [x, y] => graph.binary(Binary::Hypot, *x, *y),
        _ => {
            let square = dot(graph, x, x);
            graph.unary(Unary::Sqrt, square)
        }
    }
}

/// The rotation about an axis of any length by an angle: cos I + sin [e]× + (1 − cos) e eᵀ (Rodrigues).
pub(super) fn rotation(graph: &mut Graph, axis: &[Node; 3], angle: Node) -> Vec<Vec<Node>> {
    let length = norm(graph, axis);
    let e = axis.map(|x| graph.divide(x, length));
    let (cosine, sine) = (graph.unary(Unary::Cos, angle), graph.unary(Unary::Sin, angle));
    let rest = graph.subtract(Graph::ONE, cosine);
    let entry = |graph: &mut Graph, i: usize, j: usize| {
        let product = graph.multiply(e[i], e[j]);
        let symmetric = graph.multiply(rest, product);
        if i == j {
            return graph.add(cosine, symmetric);
        }
        let across = graph.multiply(sine, e[3 - i - j]);
        if (i + 1) % 3 == j { graph.subtract(symmetric, across) } else { graph.add(symmetric, across) }
    };
    (0..3).map(|i| (0..3).map(|j| entry(graph, i, j)).collect()).collect()
}

/// The rotation of the plane by an angle.
pub(super) fn plane_rotation(graph: &mut Graph, angle: Node) -> Vec<Vec<Node>> {
    let (cosine, sine) = (graph.unary(Unary::Cos, angle), graph.unary(Unary::Sin, angle));
    let minus = graph.negative(sine);
    vec![vec![cosine, minus], vec![sine, cosine]]
}

/// The names of the elements of what has a name: `name[1]` and so on, or the name itself for a single number.
pub(super) fn elements(name: &str, count: usize) -> Vec<String> {
    match count {
        1 => vec![name.to_string()],
        _ => (1..=count).map(|k| format!("{name}[{k}]")).collect(),
    }
}
