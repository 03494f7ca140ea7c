//! As much of Thrift's compact protocol as the metadata of a Parquet file needs.

mod reading;

pub use reading::{Cursor, Found};

const INT: u8 = 5;
const LONG: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure whose fields are written in ascending order.
#[derive(Default)]
pub struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    /// A structure without fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// A field of 32 bits.
    pub fn int(self, field: u8, value: i32) -> Self {
        self.field(field, INT).number(i64::from(value))
    }

    /// A field of 64 bits.
    pub fn long(self, field: u8, value: i64) -> Self {
        self.field(field, LONG).number(value)
    }

    /// A field with a text.
    pub fn text(mut self, field: u8, text: &str) -> Self {
        self = self.field(field, BINARY);
        put_text(&mut self.bytes, text);
        self
    }

    /// A field with a structure that has ended.
    pub fn inner(mut self, field: u8, inner: &[u8]) -> Self {
        self = self.field(field, STRUCT);
        self.bytes.extend_from_slice(inner);
        self
    }

    /// A field with a list of numbers of 32 bits.
    pub fn ints(mut self, field: u8, values: &[i32]) -> Self {
        self = self.list(field, INT, values.len());
        for &value in values {
            self = self.number(i64::from(value));
        }
        self
    }

    /// A field with a list of texts.
    pub fn texts(mut self, field: u8, texts: &[&str]) -> Self {
        self = self.list(field, BINARY, texts.len());
        for text in texts {
            put_text(&mut self.bytes, text);
        }
        self
    }

    /// A field with a list of structures that have ended.
    pub fn structs(mut self, field: u8, structs: &[Vec<u8>]) -> Self {
        self = self.list(field, STRUCT, structs.len());
        for inner in structs {
            self.bytes.extend_from_slice(inner);
        }
        self
    }

    /// The bytes of the structure.
    pub fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }

    /// The head of a field: the distance to the field before and the type.
    fn field(mut self, field: u8, kind: u8) -> Self {
        self.bytes.push((field - self.last) << 4 | kind);
        self.last = field;
        self
    }

    fn list(mut self, field: u8, kind: u8, length: usize) -> Self {
        self = self.field(field, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            put_varint(&mut self.bytes, length as u64);
        }
        self
    }

    /// A number with its sign in the lowest bit.
    fn number(mut self, value: i64) -> Self {
        put_varint(&mut self.bytes, (value << 1 ^ value >> 63) as u64);
        self
    }
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_varint(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Seven bits at a time, the lowest first; all but the last byte have their highest bit set.
fn put_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// The number at the beginning of some bytes.
pub fn varint(bytes: &[u8]) -> u64 {
    let end = bytes.iter().take(9).position(|byte| byte & 0x80 == 0).map_or(0, |last| last + 1);
    bytes[..end].iter().rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7f))
}
