#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]
use std::time::Instant;
use taut::Solver;
use taut::method::Method;
use taut::run::Output;
fn spark(s: usize) -> Method {
    Method::named("spark").unwrap().with_stages(s).unwrap()
}
#[test]
fn look() {
    let p = taut_problems::all().find(|e| e.name == "andrews").unwrap().with_start("ramp_down").unwrap();
    let sys = p.system.mechanism().unwrap();
    let st = p.start.state.motion().unwrap();
    let y = [st.q.clone(), st.v.clone()].concat();
    let now = Instant::now();
    let m = Solver::mechanical(sys)
        .method(spark(3))
        .step(5e-5)
        .breaks(&p.kinks)
        .output(Output::Steps)
        .watch(true)
        .run(0.0, 0.1, &y)
        .map_err(|e| e.to_string())
        .unwrap();
    println!("{:?} {:?} {:?}", now.elapsed(), m.statistics, m.invariants);
    let mut e0 = None;
    let (mut lo, mut hi) = (0.0f64, 0.0f64);
    for (t, y) in m.trajectory.iter() {
        if t >= 0.02 - 1e-12 {
            let e = sys.energy(t, &y[..7], &y[7..14]).unwrap().total();
            let b = *e0.get_or_insert(e);
            lo = lo.min(e - b);
            hi = hi.max(e - b);
        }
    }
    println!("energy {lo:.3e} {hi:.3e}");
    let p = taut_problems::all().find(|e| e.name == "andrews").unwrap().with_start("default").unwrap();
    let sys = p.system.mechanism().unwrap();
    let r = p.references.last().unwrap();
    let rm = r.state.motion().unwrap();
    let d = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    for (s, n) in
        [(2, 600), (2, 1200), (2, 2400), (3, 300), (3, 600), (3, 1200), (4, 150), (4, 300), (4, 600)]
    {
        let m = Solver::mechanical(sys)
            .method(spark(s))
            .step(r.t / n as f64)
            .run(0.0, r.t, &y)
            .map_err(|e| e.to_string())
            .unwrap();
        println!(
            "{s} {n} t={} q {:.3e} v {:.3e} l {:.3e} {}",
            r.t,
            d(m.q(), &rm.q),
            d(m.v(), &rm.v),
            d(m.lambda(), rm.lambda.as_ref().unwrap()),
            m.statistics.newton_iterations as f64 / n as f64
        );
    }
}
