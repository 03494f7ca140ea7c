//! Pages of hand-made motions, for tests in a browser: `cargo run -p taut-report --example pages FOLDER`.

use std::f64::consts::PI;
use std::path::Path;

use taut_report::Report;
use taut_report::page::{Event, Gravity, ModelText, Note, Table};
use taut_report::plot::{Group, Line, Marks, Plot, Scale, Sources, column, standard};
use taut_report::scene::{Dimension, Item, Joint, Number, Place, Scene, Shape, Solid};
use taut_report::track::{Column, Digits, Extremes, Kind, Track};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let pages: [(&str, Report); 6] = [
        ("shapes", shapes()),
        ("plane-bodies", plane_bodies()),
        ("hostile", hostile()),
        ("hundred-bodies", hundred_bodies()),
        ("million-rows", million_rows()),
        ("claims", claims()),
    ];
    for (name, report) in pages {
        std::fs::write(Path::new(&folder).join(format!("{name}.html")), report.to_html())?;
    }
    Ok(())
}

/// Channels of a scene, filled with functions of time.
struct Channels {
    times: Vec<f64>,
    channels: Vec<Vec<f64>>,
}

impl Channels {
    fn new(end: f64, count: usize) -> Self {
        let times = (0..count).map(|k| end * k as f64 / (count - 1) as f64).collect();
        Channels { times, channels: Vec::new() }
    }

    fn of(&mut self, f: impl Fn(f64) -> f64) -> Number {
        self.channels.push(self.times.iter().map(|&t| f(t)).collect());
        Number::Channel(self.channels.len() - 1)
    }

    /// A turn about an axis of length 1.
    fn turn(&mut self, axis: [f64; 3], angle: impl Fn(f64) -> f64) -> [Number; 4] {
        let half = |t: f64| 0.5 * angle(t);
        let w = self.of(|t| half(t).cos());
        let [x, y, z] = axis.map(|part| self.of(|t| part * half(t).sin()));
        [w, x, y, z]
    }

    fn report(self, title: &str, dimension: Dimension, items: Vec<Item>) -> Report {
        let column = |name: &str, kind: Kind, f: fn(f64) -> f64| {
            Column::named(name).kind(kind).values(self.times.iter().map(|&t| f(t)).collect())
        };
        let columns = vec![
            column("angle", Kind::Position, f64::sin),
            column("angle'", Kind::Velocity, f64::cos),
            column("lambda.pin", Kind::Multiplier, |t| 20.0 * (2.0 * t).cos()),
        ];
        let motion = Track::rows(self.times, columns);
        let groups = standard(&Sources { motion: &motion, extremes: None, steps: None, time: "t" });
        let mut scene = Scene { dimension, channels: self.channels, items };
        scene.settle();
        Report { title: title.to_owned(), motion, groups, scene: Some(scene), ..Report::default() }
    }
}

fn fixed(at: [f64; 3]) -> Place {
    Place::World(at.map(Number::Fixed))
}

fn body(name: &str, shape: Shape, position: [Number; 3], rotation: [Number; 4]) -> Item {
    Item::Body { name: name.to_owned(), solids: vec![shape.into()], colour: None, position, rotation }
}

fn tetrahedron(size: f64) -> Shape {
    let vertices = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    Shape::Mesh {
        vertices: vertices.map(|vertex| vertex.map(|x: f64| size * x)).to_vec(),
        triangles: vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]],
    }
}

/// All shapes, joints and a spring in space.
fn shapes() -> Report {
    let mut c = Channels::new(10.0, 600);
    let still = [1.0, 0.0, 0.0, 0.0].map(Number::Fixed);
    let arm = [c.of(|t| 0.5 * t.cos()), c.of(|t| 0.5 * t.sin()), Number::Fixed(0.6)];
    let swing = [c.of(|t| t.cos()), c.of(|t| t.sin()), c.of(|t| 0.3 + 0.15 * (3.0 * t).sin())];
    let arm_turn = c.turn([0.0, 0.0, 1.0], |t| t);
    let roll = c.turn([1.0, 0.0, 0.0], |t| 2.0 * t);
    let tumble = c.turn([0.6, 0.0, 0.8], |t| 1.5 * t);
    let force = [c.of(|t| -10.0 * t.cos()), c.of(|t| -10.0 * t.sin()), Number::Fixed(4.0)];
    let items = vec![
        body(
            "post",
            Shape::Cylinder { radius: 0.06, length: 0.6 },
            [0.0, 0.0, 0.3].map(Number::Fixed),
            still,
        ),
        body("arm", Shape::Box([1.0, 0.1, 0.06]), arm, arm_turn),
        body("bob", Shape::Sphere { radius: 0.12 }, swing, still),
        body(
            "roller",
            Shape::Capsule { radius: 0.1, length: 0.5 },
            [-1.1, 0.4, 0.1].map(Number::Fixed),
            roll,
        ),
        body("gem", tetrahedron(0.2), [-0.8, -0.9, 0.5].map(Number::Fixed), tumble),
        Item::Spring {
            name: "tie".to_owned(),
            from: Place::On { body: 1, at: [0.5, 0.0, 0.0] },
            to: Place::World(swing),
            stress: Some("lambda.pin".to_owned()),
        },
        Item::Joint {
            name: "pin".to_owned(),
            kind: Joint::Revolute,
            at: fixed([0.0, 0.0, 0.6]),
            axis: [0.0, 0.0, 1.0],
            reaction: Some(force),
            stress: Some("lambda.pin".to_owned()),
        },
        Item::Point { name: "tip".to_owned(), at: Place::World(swing), reaction: None },
    ];
    c.report("Shapes in space", Dimension::Space, items)
}

/// Bodies in the plane: a crank, a sliding block, a rolling wheel.
fn plane_bodies() -> Report {
    let mut c = Channels::new(6.0, 400);
    let z = [0.0, 0.0, 1.0];
    let zero = Number::Fixed(0.0);
    let crank = [c.of(|t| 0.2 * t.cos()), c.of(|t| 0.2 * t.sin()), zero];
    let slide = |t: f64| 0.4 * t.cos() + (1.0 - (0.4 * t.sin()).powi(2)).sqrt();
    let block = [c.of(slide), zero, zero];
    let rod = [c.of(|t| 0.5 * (0.4 * t.cos() + slide(t))), c.of(|t| 0.2 * t.sin()), zero];
    let crank_turn = c.turn(z, |t| t);
    let rod_turn = c.turn(z, |t| -(0.4 * t.sin()).asin());
    let wheel = [c.of(|t| 0.1 * t), Number::Fixed(-0.55), zero];
    let roll = c.turn(z, |t| -t);
    let still = [1.0, 0.0, 0.0, 0.0].map(Number::Fixed);
    let joint = |name: &str, kind: Joint, at: Place| Item::Joint {
        name: name.to_owned(),
        kind,
        at,
        axis: [1.0, 0.0, 0.0],
        reaction: None,
        stress: None,
    };
    let spoke = Solid { position: [0.08, 0.0, 0.0], ..Shape::Box([0.16, 0.02, 0.02]).into() };
    let items = vec![
        body("rod", Shape::Box([1.0, 0.06, 0.06]), rod, rod_turn),
        body("crank", Shape::Capsule { radius: 0.05, length: 0.3 }, crank, crank_turn),
        body("block", Shape::Box([0.22, 0.14, 0.1]), block, still),
        Item::Body {
            name: "wheel".to_owned(),
            solids: vec![Shape::Sphere { radius: 0.15 }.into(), spoke],
            colour: Some([200, 120, 60]),
            position: wheel,
            rotation: roll,
        },
        joint("ground", Joint::Revolute, fixed([0.0; 3])),
        joint("guide", Joint::Prismatic, Place::On { body: 2, at: [0.0; 3] }),
        Item::Spring {
            name: "spring".to_owned(),
            from: fixed([2.0, 0.0, 0.0]),
            to: Place::World(block),
            stress: None,
        },
    ];
    c.report("Bodies in the plane", Dimension::Plane, items)
}

/// Names and texts that would like to be more than text.
fn hostile() -> Report {
    let script = "<script>window.harmed = true</script>";
    let image = "\"><img src=x onerror=\"window.harmed = true\">";
    let times: Vec<f64> = (0..50).map(f64::from).collect();
    let columns = vec![
        Column::named(script).kind(Kind::Position).values(times.iter().map(|t| t.sin()).collect()),
        Column::named(image).unit("</script>").values(times.iter().map(|t| t.cos()).collect()),
    ];
    let motion = Track::rows(times.clone(), columns);
    let groups = standard(&Sources { motion: &motion, extremes: None, steps: None, time: "t" });
    let channels = vec![times.iter().map(|t| t.sin()).collect()];
    let at = Place::World([Number::Channel(0), Number::Fixed(0.0), Number::Fixed(0.0)]);
    let items = vec![Item::Point { name: script.to_owned(), at, reaction: None }];
    Report {
        title: script.to_owned(),
        subtitle: image.to_owned(),
        facts: vec![(script.to_owned(), image.to_owned())],
        notes: vec![Note { gravity: Gravity::Warning, text: format!("{script}{{{{model}}}}") }],
        motion,
        groups,
        scene: Some(Scene { dimension: Dimension::Plane, channels, items }),
        events: vec![Event { name: image.to_owned(), t: 10.0 }],
        summary: vec![Table {
            title: script.to_owned(),
            heads: vec![image.to_owned(), script.to_owned()],
            rows: vec![vec![script.to_owned(), "--> ]]> {{script}}".to_owned()]],
        }],
        model: Some(ModelText {
            name: image.to_owned(),
            text: format!("</pre>{script}\nname = \"{image}\""),
        }),
        reproduce: vec![("command".to_owned(), format!("taut run '{script}'"))],
        ..Report::default()
    }
}

/// 100 bodies, 600 frames, 20 plots.
fn hundred_bodies() -> Report {
    let mut c = Channels::new(10.0, 600);
    let items = (0..100).map(|k| {
        let (row, place) = (f64::from(k / 10), f64::from(k % 10));
        let wave = move |t: f64| 0.4 * (2.0 * t + 0.5 * row + 0.3 * place).sin();
        let position = [
            c.of(move |t| place + 0.2 * (t + row).cos()),
            c.of(move |t| row + 0.2 * (1.3 * t + place).sin()),
            c.of(move |t| 1.0 + wave(t)),
        ];
        let rotation = c.turn([0.6, 0.8, 0.0], move |t| (1.0 + 0.1 * place) * t);
        let shape = match k % 4 {
            0 => Shape::Box([0.5, 0.3, 0.2]),
            1 => Shape::Cylinder { radius: 0.2, length: 0.5 },
            2 => Shape::Sphere { radius: 0.25 },
            _ => Shape::Capsule { radius: 0.12, length: 0.4 },
        };
        body(&format!("body {k}"), shape, position, rotation)
    });
    let items = items.collect();
    let mut report = c.report("A hundred bodies", Dimension::Space, items);
    let plots = (0..20).map(|k| Plot { name: format!("plot-{k}"), ..report.groups[0].plots[k % 2].clone() });
    report.groups =
        vec![Group { title: "Twenty plots".to_owned(), text: Vec::new(), plots: plots.collect() }];
    report
}

/// A million rows with two spikes.
fn million_rows() -> Report {
    let value = |k: u32| match k {
        250_001 => 7.0,
        700_003 => -9.0,
        _ => (f64::from(k) * 2e-4 * PI).sin(),
    };
    let mut extremes = Extremes::new(3000);
    for k in 0..1_000_000 {
        extremes.push(f64::from(k) * 1e-3, &[value(k)]);
    }
    let (times, mut values) = extremes.finish();
    let thinned = Column::named("x").kind(Kind::Position).values(values.remove(0));
    let few: Vec<u32> = (0..=1000).map(|k| (k * 1000).min(999_999)).collect();
    let motion = Track::rows(
        few.iter().map(|&k| f64::from(k) * 1e-3).collect(),
        vec![Column::named("x").kind(Kind::Position).values(few.iter().map(|&k| value(k)).collect())],
    );
    let groups = standard(&Sources { motion: &motion, extremes: Some(1), steps: None, time: "t" });
    let tables = vec![Track::rows(times, vec![thinned.digits(Digits::Many)])];
    Report { title: "A million rows".to_owned(), motion, tables, groups, ..Report::default() }
}

/// A page without a motion: curves over one another.
fn claims() -> Report {
    let h: Vec<f64> = (1..10).map(|k| 0.5_f64.powi(k)).collect();
    let error = |order: i32| h.iter().map(|h| h.powi(order)).collect::<Vec<f64>>();
    let columns = vec![
        Column::named(column::STEP).digits(Digits::OfLogarithm).values(h.clone()),
        Column::named("error of q").digits(Digits::OfLogarithm).values(error(5)),
        Column::named("error of v").digits(Digits::OfLogarithm).values(error(3)),
    ];
    let line =
        |y: usize, name: &str| Line { name: name.to_owned(), table: 1, y, x: Some(0), marks: Marks::Both };
    let plot = Plot {
        name: "orders".to_owned(),
        title: "Orders".to_owned(),
        x_label: "h".to_owned(),
        y_label: "error".to_owned(),
        x_scale: Scale::Logarithmic,
        y_scale: Scale::Logarithmic,
        equal: false,
        lines: vec![line(1, "q (5.00)"), line(2, "v (3.00)")],
    };
    let text = vec![("claimed".to_owned(), "orders 5 and 3".to_owned())];
    Report {
        title: "Claims".to_owned(),
        tables: vec![Track::rows(h.clone(), columns)],
        groups: vec![Group { title: "radau-order".to_owned(), text, plots: vec![plot] }],
        ..Report::default()
    }
}
