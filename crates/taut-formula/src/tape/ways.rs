//! Where columns are read from and written to: found once for slices of the same lengths.

use super::columns::AT_LEAST;
use super::direct::{Outside, Shape};
use super::repeated::Repeated;
use super::stretch::Stretch;

/// Where a column is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Source {
    /// the number of its slice, 0 for the file of registers
    pub(super) slice: u8,
    /// whether it is read together with others
    pub(super) is_woven: bool,
}

/// Where a column is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Target {
    /// the number of its slice, 0 for the file of registers
    pub(super) slice: u8,
    /// whether it is written together with others
    pub(super) is_woven: bool,
    /// whether its values are looked at, as those that go outside are, unless others tell of them
    pub(super) is_looked_at: bool,
}

/// The ways of all columns of a stretch.
#[derive(Clone, Debug, Default)]
pub(super) struct Routes {
    pub(super) sources: Vec<Source>,
    pub(super) targets: Vec<Target>,
}

/// The ways of all stretches of a tape, for slices of these lengths.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    shape: Option<Shape>,
    fits: bool,
    routes: Vec<Routes>,
}

impl Ways {
    /// The ways to and from these slices, stretch by stretch, and whether all columns can go them.
    pub(super) fn find<'t>(
        &mut self,
        outside: &Outside<'_, '_>,
        all: impl Iterator<Item = &'t Repeated> + Clone,
        fits: impl FnOnce() -> bool,
    ) -> (&[Routes], bool) {
        if self.shape != Some(outside.shape()) {
            self.shape = Some(outside.shape());
            self.fits = fits();
            let stretches =
                all.flat_map(|repeated| repeated.stretches().map(|stretch| (stretch, repeated.witnesses())));
            self.routes.resize_with(stretches.clone().count(), Routes::default);
            for (routes, (stretch, witnesses)) in self.routes.iter_mut().zip(stretches) {
                routes.set(stretch, witnesses, outside);
            }
        }
        (&self.routes, self.fits)
    }
}

impl Routes {
    fn set(&mut self, stretch: &Stretch, witnesses: &[Vec<usize>], outside: &Outside<'_, '_>) {
        let (sources, targets) = (&mut self.sources, &mut self.targets);
        sources.clear();
        targets.clear();
        let source = |column| Source { slice: outside.source(column, stretch.count), is_woven: false };
        sources.extend(stretch.leaves.iter().map(source));
        let target = |column| Target { slice: outside.target(column, stretch.count), ..Target::default() };
        targets.extend(stretch.made().map(target));
        for k in 0..targets.len() {
            let told = witnesses.get(k).is_some_and(|all| all.iter().any(|&other| targets[other].slice > 0));
            targets[k].is_looked_at = targets[k].slice > 0 && !told;
        }
        // What is woven has to lie in one slice, and fill a block.
        let fills = stretch.count >= AT_LEAST;
        let [read, written] = stretch.weaves();
        for weave in read {
            let is_woven = fills && weave.is_one(|number| sources[number].slice);
            weave.numbers().for_each(|number| sources[number].is_woven = is_woven);
        }
        for weave in written {
            let is_woven = fills && weave.is_one(|number| targets[number].slice);
            weave.numbers().for_each(|number| targets[number].is_woven = is_woven);
        }
    }
}
