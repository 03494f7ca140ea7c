//! The times of the output.

/// At which times states are recorded.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Output {
    /// at the end only
    #[default]
    End,
    /// at the start and after every accepted step
    Steps,
    /// at these times, from dense output; they lie in the direction of the run
    Times(Vec<f64>),
    /// at so many times, equally far apart, from dense output; no list of them is kept
    Samples {
        /// the first of them
        first: f64,
        /// the last of them, and the only one when `count` is 1
        last: f64,
        /// their number
        count: usize,
    },
    /// at the first time and each time that lies a multiple of a distance behind it, from dense output; no list of them is
    /// kept
    Every {
        /// the first of them
        first: f64,
        /// none is behind it
        last: f64,
        /// from one to the next; there are no times unless it is positive
        distance: f64,
    },
}

/// A last time that misses a multiple of the distance by rounding only is one.
const SLACK: f64 = 1e-9;

impl Output {
    /// The number of times, where they do not depend on the steps.
    pub fn times(&self) -> Option<usize> {
        match self {
            Output::End | Output::Steps => None,
            Output::Times(times) => Some(times.len()),
            Output::Samples { count, .. } => Some(*count),
            Output::Every { first, last, distance } if *distance > 0.0 => {
                Some((distances(*first, *last, *distance).1 as usize).saturating_add(1))
            }
            Output::Every { .. } => Some(0),
        }
    }

    /// The k-th time, where they do not depend on the steps.
    pub fn time(&self, k: usize) -> Option<f64> {
        if self.times().is_none_or(|times| k >= times) {
            return None;
        }
        match self {
            Output::End | Output::Steps => None,
            Output::Times(times) => times.get(k).copied(),
            Output::Samples { first, last, count } => {
                let steps = count - 1;
                Some(if k == steps { *last } else { first + part(last - first, k, steps) })
            }
            Output::Every { first, last, distance } => {
                let (count, whole) = distances(*first, *last, *distance);
                let meets_last = k as f64 == whole && (count - whole).abs() <= SLACK * count.max(1.0);
                let direction = (last - first).signum();
                Some(if meets_last { *last } else { first + direction * multiple(*distance, k) })
            }
        }
    }
}

/// k/steps of a span. The product comes first, so that the tenths of 20 are what a person would write, not the neighbours of
/// these numbers.
fn part(span: f64, k: usize, steps: usize) -> f64 {
    let product = k as f64 * span;
    if product.is_finite() { product / steps as f64 } else { span * (k as f64 / steps as f64) }
}

/// k distances; those of 1/10 are k/10, for the same reason.
fn multiple(distance: f64, k: usize) -> f64 {
    let parts = (1.0 / distance).round();
    let divides_one = (parts * distance - 1.0).abs() <= 2.0 * f64::EPSILON && parts.is_finite();
    if divides_one { k as f64 / parts } else { distance * k as f64 }
}

/// How many distances lie between two times, and how many of them are whole.
fn distances(first: f64, last: f64, distance: f64) -> (f64, f64) {
    let count = (last - first).abs() / distance;
    (count, (count * (1.0 + SLACK)).floor())
}

#[cfg(test)]
mod tests {
    use super::Output;

    fn all(output: &Output) -> Vec<f64> {
        (0..).map_while(|k| output.time(k)).collect()
    }

    #[test]
    fn samples_meet_both_ends() {
        let samples = |first, last, count| all(&Output::Samples { first, last, count });
        assert_eq!(samples(0.0, 1.0, 5), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(samples(3.0, 1.0, 3), [3.0, 2.0, 1.0]);
        assert_eq!(samples(0.1, 0.7, 7).last(), Some(&0.7));
        assert_eq!(samples(0.0, 2.0, 1), [2.0]);
        assert!(samples(0.0, 2.0, 0).is_empty());
    }

    #[test]
    fn multiples_end_before_the_last_time_or_at_it() {
        let every = |first, last, distance| all(&Output::Every { first, last, distance });
        assert_eq!(every(0.0, 1.0, 0.4), [0.0, 0.4, 0.8]);
        assert_eq!(every(1.0, 0.0, 0.4), [1.0, 1.0 - 0.4, 1.0 - 0.8]);
        let tenths = every(0.0, 0.3, 0.1);
        assert_eq!((tenths.len(), tenths.last()), (4, Some(&0.3)), "3 times 0.1 is not 0.3");
        assert_eq!(every(2.0, 2.0, 0.1), [2.0]);
        for distance in [0.0, -1.0, f64::NAN] {
            assert!(every(0.0, 1.0, distance).is_empty());
        }
    }

    /// 0.3 is 0.3, not 0.30000000000000004.
    #[test]
    fn times_are_what_a_person_would_write() {
        let samples = all(&Output::Samples { first: 0.0, last: 20.0, count: 201 });
        let every = all(&Output::Every { first: 0.0, last: 1e3, distance: 0.1 });
        for (k, time) in samples.iter().enumerate().chain(every.iter().enumerate()) {
            let written = format!("{}.{}", k / 10, k % 10);
            assert_eq!(written.parse(), Ok(*time));
        }
        let wide = all(&Output::Samples { first: -1e308, last: 0.5e308, count: 4 });
        assert_eq!(wide, [-1e308, -5e307, 0.0, 0.5e308]);
    }

    #[test]
    fn many_times_take_no_room() {
        let output = Output::Samples { first: 0.0, last: 1.0, count: usize::MAX };
        assert_eq!(output.times(), Some(usize::MAX));
        assert_eq!((output.time(0), output.time(usize::MAX - 1)), (Some(0.0), Some(1.0)));
        assert_eq!(output.time(1 << 62), Some(0.25));
        assert_eq!(Output::Steps.times().or(Output::End.times()), None);
        assert_eq!(Output::Times(vec![1.0, 2.0]).time(1), Some(2.0));
    }
}
