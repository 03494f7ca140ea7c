//! What the script of the page is given, as JSON.

use serde_json::{Map, Value, json};

use super::Report;
use super::binary::Binary;
use crate::figure::{Marks, Scale};
use crate::plot::{Group, Line, Plot};
use crate::scene::{Dimension, Item, Number, Place, Scene, Shape, Solid};
use crate::track::{Digits, Kind, Track};

/// The description of everything, and the numbers.
pub(super) fn encode(report: &Report) -> (Value, String) {
    let mut binary = Binary::default();
    let tables = std::iter::once(&report.motion).chain(&report.tables);
    let tables: Vec<Value> = tables.map(|track| encode_track(track, &mut binary)).collect();
    let events = report.events.iter().map(|event| json!({ "name": event.name, "t": event.t }));
    let mut data = json!({
        "title": report.title,
        "time": { "name": report.time.name, "unit": report.time.unit, "logarithmic": report.time.logarithmic },
        "tables": tables,
        "scene": report.scene.as_ref().map(|scene| encode_scene(scene, &mut binary)),
        "groups": report.groups.iter().map(encode_group).collect::<Vec<_>>(),
        "events": events.collect::<Vec<_>>(),
    });
    let (bytes, numbers) = binary.finish();
    data["bytes"] = json!(bytes);
    (data, numbers)
}

fn encode_track(track: &Track, binary: &mut Binary) -> Value {
    let intervals: Vec<f64> = track.intervals.iter().map(|&n| f64::from(n)).collect();
    let mut columns = Vec::with_capacity(track.columns.len());
    for column in &track.columns {
        columns.push(json!({
            "name": column.name,
            "unit": column.unit,
            "kind": kind(column.kind),
            "values": binary.column(&column.values, column.digits),
        }));
    }
    json!({
        "times": binary.exact(&track.times),
        "intervals": if intervals.is_empty() { Value::Null } else { binary.column(&intervals, Digits::Many) },
        "columns": columns,
    })
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Position => "position",
        Kind::Velocity => "velocity",
        Kind::Multiplier => "multiplier",
        Kind::Observed => "observed",
        Kind::Other => "other",
    }
}

fn encode_group(group: &Group) -> Value {
    json!({ "title": group.title, "text": group.text, "plots": group.plots.iter().map(encode_plot).collect::<Vec<_>>() })
}

fn encode_plot(plot: &Plot) -> Value {
    let scale = |scale: Scale| if scale == Scale::Logarithmic { "log" } else { "linear" };
    let marks = |marks: Marks| match marks {
        Marks::Line => "line",
        Marks::Dots => "dots",
        Marks::Both => "both",
        Marks::Bars => "bars",
        Marks::Tiles => "tiles",
    };
    let line = |line: &Line| json!({ "name": line.name, "table": line.table, "y": line.y, "x": line.x, "marks": marks(line.marks) });
    json!({
        "name": plot.name,
        "title": plot.title,
        "x": plot.x_label,
        "y": plot.y_label,
        "xScale": scale(plot.x_scale),
        "yScale": scale(plot.y_scale),
        "equal": plot.equal,
        "lines": plot.lines.iter().map(line).collect::<Vec<_>>(),
    })
}

fn encode_scene(scene: &Scene, binary: &mut Binary) -> Value {
    let channels = scene.channels.iter().map(|channel| binary.column(channel, Digits::Few));
    json!({
        "dimension": if scene.dimension == Dimension::Space { 3 } else { 2 },
        "channels": channels.collect::<Vec<_>>(),
        "items": scene.items.iter().map(|item| encode_item(item, binary)).collect::<Vec<_>>(),
    })
}

fn encode_item(item: &Item, binary: &mut Binary) -> Value {
    match item {
        Item::Point { name, at, reaction } => {
            json!({ "kind": "point", "name": name, "at": place(at), "reaction": reaction.as_ref().map(numbers) })
        }
        Item::Line { name, corners, stress } => {
            let corners: Vec<Value> = corners.iter().map(place).collect();
            json!({ "kind": "line", "name": name, "corners": corners, "stress": stress })
        }
        Item::Spring { name, from, to, stress } => {
            json!({ "kind": "spring", "name": name, "corners": [place(from), place(to)], "stress": stress })
        }
        Item::Joint { name, kind, at, axis, reaction, stress } => json!({
            "kind": "joint",
            "name": name,
            "joint": kind.name(),
            "at": place(at),
            "axis": axis,
            "reaction": reaction.as_ref().map(numbers),
            "stress": stress,
        }),
        Item::Body { name, solids, colour, position, rotation } => json!({
            "kind": "body",
            "name": name,
            "solids": solids.iter().map(|solid| encode_solid(solid, binary)).collect::<Vec<_>>(),
            "colour": colour,
            "position": numbers(position),
            "rotation": numbers(rotation),
        }),
    }
}

/// A number that stays is a number, a channel a list of one.
fn numbers(numbers: &impl AsRef<[Number]>) -> Value {
    let number = |number: &Number| match number {
        Number::Fixed(value) => json!(value),
        Number::Channel(channel) => json!([channel]),
    };
    Value::Array(numbers.as_ref().iter().map(number).collect())
}

fn place(place: &Place) -> Value {
    match place {
        Place::World(coordinates) => numbers(coordinates),
        Place::On { body, at } => json!({ "body": body, "at": at }),
    }
}

fn encode_solid(solid: &Solid, binary: &mut Binary) -> Value {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    match &solid.shape {
        Shape::Box(edges) => put("box", json!(edges)),
        Shape::Cylinder { radius, length } => put("cylinder", json!([radius, length])),
        Shape::Sphere { radius } => put("sphere", json!(radius)),
        Shape::Capsule { radius, length } => put("capsule", json!([radius, length])),
        Shape::Mesh { vertices, triangles } => {
            let axis = |k: usize| vertices.iter().map(|vertex| vertex[k]).collect::<Vec<f64>>();
            let corners: Vec<f64> = triangles.iter().flatten().map(|&corner| f64::from(corner)).collect();
            let axes: Vec<Value> = (0..3).map(|k| binary.column(&axis(k), Digits::Few)).collect();
            put("mesh", json!({ "vertices": axes, "corners": binary.column(&corners, Digits::Many) }))
        }
    };
    put("position", json!(solid.position));
    put("rotation", json!(solid.rotation));
    Value::Object(object)
}
