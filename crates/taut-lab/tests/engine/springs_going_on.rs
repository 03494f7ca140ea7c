//! Springs that vibrate where a run goes on with other steps: the vibration goes on, too, and no energy comes from nothing.

use taut::Solver;
use taut::method::Method;
use taut::motion::Motion;
use taut::options::Options;
use taut::run::Output;
use taut::system::{Differentiated, Mechanical, Number, Scalar, Sketch};

const TOLERANCE: f64 = 1e-7;

fn run<M: Mechanical>(system: M, method: Method, (end, start): (f64, &[f64]), breaks: &[f64]) -> Motion {
    let system = Differentiated::new(system);
    let options = Options { rtol: TOLERANCE, atol: TOLERANCE, ..Options::default() };
    let solver = Solver::mechanical(&system).method(method).options(options);
    solver.breaks(breaks).watch(true).output(Output::Steps).run(0.0, end, start).unwrap()
}

fn distance(a: [Number; 2], b: [Number; 2]) -> Number {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

fn energy_of(masses: &'static [f64]) -> impl Fn(&[Number], &[Number]) -> Number {
    move |_q, v| {
        let of = |k: usize| (v[2 * k].square() + v[2 * k + 1].square()) * (0.5 * masses[k]);
        (1..masses.len()).fold(of(0), |sum, k| sum + of(k))
    }
}

/// A four-bar with a heavy mass on a spring at its first joint. It comes to its dead point with the spring vibrating by a tenth of
/// a millimetre: other steps cross it, and put 36 J into the motion when they took the vibration out of the state.
#[test]
fn vibrations_go_on_across_dead_points() {
    const PIVOT: [f64; 2] = [-0.18443073342732352, -0.07197973127333646];
    const START: [f64; 6] = [
        0.7548492679067306,
        -1.4830973888868242,
        1.5096985358134611,
        -2.9661947777736484,
        2.2645478037201916,
        -4.449292166660473,
    ];
    let length = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
    let [a, b, c] = [0, 2, 4].map(|k| [START[k], START[k + 1]]);
    let [ab, ac, crank, rocker] = [length(a, b), length(a, c), length(PIVOT, a), length([0.0, 0.0], b)];
    let four_bar = Sketch::new(["xa", "ya", "xb", "yb", "xc", "yc"])
        .kinetic(energy_of(&[1.0, 421.1, 881.1]))
        .rod("crank", move |_t, q| (q[0] - PIVOT[0]).hypot(q[1] - PIVOT[1]) - crank)
        .rod("coupler", move |_t, q| distance([q[0], q[1]], [q[2], q[3]]) - ab)
        .spring("spring", 2.55e-9, move |_t, q| distance([q[0], q[1]], [q[4], q[5]]) - ac)
        .rod("rocker", move |_t, q| q[2].hypot(q[3]) - rocker);
    let start = [&START[..], &[0.0, 0.0, 1.7468738758742062, 1.4112208165294153, 0.0, 0.0]].concat();
    let motion = run(four_bar, Method::radau(), (1.0, &start), &[]);
    let (before, after) = motion.invariants.energy;
    assert!((after - before).abs() < 1e-3 * before, "from {before} J to {after} J");
    let spans: Vec<_> = motion.spring_spans.iter().map(|span| (span.motion, span.from, span.to)).collect();
    assert_eq!(spans[spans.len() - 1].0, "followed", "{spans:?}");
    assert_eq!((spans[0].1, spans[spans.len() - 1].2), (0.0, 1.0), "{spans:?}");
}

/// Rod, spring and rod with three unit masses, released at the horizontal: a spring of stiffness 4e4 vibrates from t = 0.7 on, and steps that
/// begin anew find it vibrating; stiffer ones are in smooth motion. Where a force jumps there is a break on both sides, and a step between
/// them that is as short as the rounding of times.
#[test]
fn vibrations_and_smooth_motion_go_on_across_breaks() {
    let chain = |compliance: f64| {
        Sketch::new(["x1", "y1", "x2", "y2", "x3", "y3"])
            .potential(|q| (q[1] + q[3] + q[5]) * 9.81)
            .rod("first", |_t, q| q[0].hypot(q[1]) - 1.0)
            .spring("spring", compliance, |_t, q| distance([q[0], q[1]], [q[2], q[3]]) - 1.0)
            .rod("second", |_t, q| distance([q[2], q[3]], [q[4], q[5]]) - 1.0)
    };
    let start = [1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    for (compliance, becomes) in [(2.5e-5, "followed"), (1e-8, "smooth")] {
        let whole = run(chain(compliance), Method::radau(), (2.0, &start), &[]);
        for breaks in [&[1.1, 1.7][..], &[1.1_f64.next_down(), 1.1, 1.7_f64.next_down(), 1.7]] {
            let pieces = run(chain(compliance), Method::radau(), (2.0, &start), breaks);
            let states = pieces.q().iter().zip(whole.q());
            let errors = states.map(|(q, exact)| (q - exact).abs() / (1.0 + exact.abs()));
            let error = errors.fold(0.0, f64::max) / TOLERANCE;
            assert!(error < 30.0, "compliance {compliance}, {breaks:?}: {error} tolerances");
            let last = pieces.spring_spans.last().map(|span| span.motion);
            assert_eq!(last, Some(becomes), "compliance {compliance}: {:?}", pieces.spring_spans);
        }
    }
}

/// Two masses in line on a spring and a damped one, one of them on a soft spring, too: formulas of `bdf` come to short steps, and second
/// differences over a share of these were rounding errors that put 5 J into the motion.
#[test]
fn damped_springs_in_short_steps_put_no_energy_in() {
    const FAR: [f64; 2] = [3.5542563181974236, 3.6945458902640826];
    const START: [f64; 4] = [1.3394302519365584, -2.6316585227033484, 2.678860503873117, -5.263317045406697];
    let near_length = (START[2] - START[0]).hypot(START[3] - START[1]);
    let far_length = START[2].hypot(START[3]);
    let masses = |bodies: &'static [f64]| {
        Sketch::new(["xa", "ya", "xb", "yb"])
            .kinetic(energy_of(bodies))
            .potential(|q| {
                let stretch = (q[0] - FAR[0]).hypot(q[1] - FAR[1]) - 6.63299344777592;
                stretch.square() * 541.8976907260474
            })
            .spring("spring", 3.3676217764025295e-6, move |_t, q| q[2].hypot(q[3]) - far_length)
            .damped_spring("damped", 2.53544106388967e-8, 5.375843809972874e-5, move |_t, q| {
                distance([q[0], q[1]], [q[2], q[3]]) - near_length
            })
    };
    let start = [&START[..], &[0.0; 4]].concat();
    for method in [Method::bdf(), Method::radau()] {
        let name = method.name();
        let motion = run(masses(&[1.0, 1.238249674661557]), method, (1.0, &start), &[]);
        let (before, after) = motion.invariants.energy;
        assert!(after - before < 1e-3, "{name}: from {before} J to {after} J");
    }
}
