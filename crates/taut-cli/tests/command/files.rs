//! Trajectories in files: the same numbers in every format.

use crate::support::{Folder, keys, numbers};
use serde_json::Value;

type Columns = Vec<(String, Vec<f64>)>;

fn from_rows(names: Vec<String>, rows: &[Vec<f64>]) -> Columns {
    let column = |(k, name)| (name, rows.iter().map(|row| row[k]).collect());
    names.into_iter().enumerate().map(column).collect()
}

fn read_csv(text: &str) -> Columns {
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    from_rows(names, &rows)
}

fn read_json(text: &str) -> Columns {
    let object: Value = serde_json::from_str(text).unwrap();
    assert_eq!(keys(&object), ["columns", "rows"]);
    let names = object["columns"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned());
    let rows: Vec<Vec<f64>> = object["rows"].as_array().unwrap().iter().map(numbers).collect();
    from_rows(names.collect(), &rows)
}

fn doubles(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

fn read_npz(bytes: &[u8]) -> Columns {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let files = archive.len();
    let read = |k: usize| {
        let mut file = archive.by_index(k).unwrap();
        let mut array = Vec::new();
        std::io::copy(&mut file, &mut array).unwrap();
        assert_eq!(&array[..8], b"\x93NUMPY\x01\x00");
        let begin = 10 + usize::from(u16::from_le_bytes([array[8], array[9]]));
        assert_eq!(begin % 64, 0);
        let header = String::from_utf8(array[10..begin].to_vec()).unwrap();
        let values = doubles(&array[begin..]);
        assert!(
            header.contains("'descr': '<f8'") && header.contains(&format!("'shape': ({},)", values.len()))
        );
        (file.name().unwrap().strip_suffix(".npy").unwrap().to_owned(), values)
    };
    (0..files).map(read).collect()
}

/// A value of Thrift's compact protocol.
#[derive(Debug)]
enum Thrift {
    Number(i64),
    Text(String),
    List(Vec<Thrift>),
    Struct(Vec<(u8, Thrift)>),
}

impl Thrift {
    fn field(&self, number: u8) -> &Thrift {
        let Thrift::Struct(fields) = self else { panic!("{self:?} has no fields") };
        &fields.iter().find(|(field, _)| *field == number).unwrap().1
    }

    fn number(&self) -> i64 {
        let Thrift::Number(number) = self else { panic!("{self:?} is no number") };
        *number
    }

    fn list(&self) -> &[Thrift] {
        let Thrift::List(list) = self else { panic!("{self:?} is no list") };
        list
    }

    fn text(&self) -> &str {
        let Thrift::Text(text) = self else { panic!("{self:?} is no text") };
        text
    }

    fn read(bytes: &mut &[u8], kind: u8) -> Thrift {
        match kind {
            5 | 6 => {
                let raw = varint(bytes);
                Thrift::Number((raw >> 1) as i64 ^ -((raw & 1) as i64))
            }
            8 => {
                let length = varint(bytes) as usize;
                let (text, rest) = bytes.split_at(length);
                *bytes = rest;
                Thrift::Text(String::from_utf8(text.to_vec()).unwrap())
            }
            9 => {
                let head = byte(bytes);
                let length = if head >> 4 == 15 { varint(bytes) } else { u64::from(head >> 4) };
                Thrift::List((0..length).map(|_| Thrift::read(bytes, head & 15)).collect())
            }
            12 => {
                let mut fields = Vec::new();
                let mut last = 0;
                loop {
                    let head = byte(bytes);
                    if head == 0 {
                        return Thrift::Struct(fields);
                    }
                    last += head >> 4;
                    fields.push((last, Thrift::read(bytes, head & 15)));
                }
            }
            _ => panic!("type {kind}"),
        }
    }
}

fn byte(bytes: &mut &[u8]) -> u8 {
    let (first, rest) = bytes.split_first().unwrap();
    *bytes = rest;
    *first
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let next = byte(bytes);
        value |= u64::from(next & 0x7f) << shift;
        if next & 0x80 == 0 {
            break;
        }
    }
    value
}

fn read_parquet(bytes: &[u8]) -> Columns {
    let end = bytes.len() - 8;
    assert_eq!((&bytes[..4], &bytes[end + 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
    let length = u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap()) as usize;
    let metadata = Thrift::read(&mut &bytes[end - length..end], 12);
    let names = metadata.field(2).list()[1..].iter().map(|element| element.field(4).text().to_owned());
    let mut columns: Columns = names.map(|name| (name, Vec::new())).collect();
    for group in metadata.field(4).list() {
        for ((name, values), column) in columns.iter_mut().zip(group.field(1).list()) {
            let metadata = column.field(3);
            assert_eq!(metadata.field(3).list()[0].text(), name);
            let mut page = &bytes[metadata.field(9).number() as usize..];
            let header = Thrift::read(&mut page, 12);
            assert_eq!(header.field(5).field(1).number(), metadata.field(5).number());
            values.extend(doubles(&page[..header.field(3).number() as usize]));
        }
    }
    let rows = metadata.field(3).number() as usize;
    assert!(columns.iter().all(|(_, values)| values.len() == rows));
    columns
}

fn all_formats(folder: &Folder, arguments: &str) -> [Columns; 4] {
    for format in ["csv", "json", "npz", "parquet"] {
        let answer = folder.taut(&format!("run {arguments} --out out.{format}"));
        assert_eq!(answer.code, 0, "{}", answer.err);
    }
    [
        read_csv(&folder.text("out.csv")),
        read_json(&folder.text("out.json")),
        read_npz(&folder.read("out.npz")),
        read_parquet(&folder.read("out.parquet")),
    ]
}

#[test]
fn all_formats_hold_the_same_numbers() {
    let folder = Folder::new();
    let [csv, json, npz, parquet] =
        all_formats(&folder, "jay-two-pendulums --method radau --until 0.5 --samples 37");
    let names: Vec<&str> = csv.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "t",
        "x1",
        "z1",
        "x2",
        "z2",
        "x1'",
        "z1'",
        "x2'",
        "z2'",
        "lambda.rod",
        "lambda.spring",
        "swing",
        "energy_of_rigid",
    ];
    assert_eq!(names, expected);
    assert_eq!(csv[0].1.len(), 37);
    assert!(csv == json && csv == npz && csv == parquet);
    assert!(!folder.has("out.npz.part"));
}

#[test]
fn long_runs_are_written_in_several_blocks() {
    let folder = Folder::new();
    let [csv, json, npz, parquet] = all_formats(&folder, "pendulum --samples 40001");
    assert_eq!(csv[0].1.len(), 40_001);
    assert!(csv == json && csv == npz && csv == parquet);
    let (x, y, angle) = (&csv[1].1, &csv[2].1, &csv[6].1);
    assert!(x.iter().zip(y).all(|(x, y)| (x.hypot(*y) - 1.0).abs() < 1e-13));
    assert!(x.iter().zip(y).zip(angle).all(|((x, y), angle)| x.atan2(-y) == *angle));
}

#[test]
fn output_is_at_every_step_unless_times_are_given() {
    let folder = Folder::new();
    let summary = folder.taut("run pendulum --out steps.csv --json").json();
    let times = &read_csv(&folder.text("steps.csv"))[0].1;
    assert_eq!(times.len() as u64, summary["stats"]["accepted"].as_u64().unwrap() + 1);
    assert_eq!((times[0], times[times.len() - 1]), (0.0, 20.0));
    folder.taut("run pendulum --samples 11 --out samples.csv");
    let times = &read_csv(&folder.text("samples.csv"))[0].1;
    assert_eq!(*times, (0..=10).map(|k| 2.0 * f64::from(k)).collect::<Vec<_>>());
    folder.taut("run pendulum --until 1 --every 0.3 --out every.csv");
    let times = &read_csv(&folder.text("every.csv"))[0].1;
    assert!(times.len() == 4 && (times[3] - 0.9).abs() < 1e-15);
    folder.taut("run pendulum --until 1 --every 0.1 --out meets.csv");
    let times = &read_csv(&folder.text("meets.csv"))[0].1;
    assert_eq!((times.len(), times[10]), (11, 1.0));
}

#[test]
fn the_last_row_is_the_summary() {
    let folder = Folder::new();
    let summary = folder.taut("run squeezer --method radau --out s.csv --json").json();
    let last: Vec<f64> =
        read_csv(&folder.text("s.csv")).iter().map(|(_, column)| column[column.len() - 1]).collect();
    let multipliers: Vec<f64> =
        summary["multipliers"].as_object().unwrap().values().map(|value| value.as_f64().unwrap()).collect();
    let expected = [vec![0.03], numbers(&summary["q"]), numbers(&summary["v"]), multipliers].concat();
    assert_eq!(last, expected);
}

#[test]
fn a_manifest_says_how_the_file_was_made() {
    let folder = Folder::new();
    folder.taut("run pendulum --set l=2 --rtol 1e-8 --samples 5 --out p.csv");
    let manifest: Value = serde_json::from_str(&folder.text("p.csv.manifest.json")).unwrap();
    assert_eq!(manifest["taut"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["file"], "p.csv");
    assert_eq!(
        (&manifest["options"]["rtol"], &manifest["options"]["method"]),
        (&1e-8.into(), &"auto".into())
    );
    assert_eq!(manifest["parameters"]["l"], 2.0);
    assert!(manifest["model"]["text"].as_str().unwrap().contains("[coordinates]"));
    assert_eq!(manifest["columns"][1], "x");
    assert!(manifest["summary"]["stats"]["steps"].as_u64().unwrap() > 0);
}
