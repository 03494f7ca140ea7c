//! Thrift's compact protocol, read from bytes that may be anything.

use std::collections::BTreeMap;

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const SHORT: u8 = 4;
const DOUBLE: u8 = 7;

/// Structures may lie in each other so deep.
const DEEPEST: usize = 16;

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// a whole number, or a truth
    Number(i64),
    /// a text or other bytes
    Bytes(Vec<u8>),
    /// a list
    List(Vec<Found>),
    /// a structure
    Struct(BTreeMap<i16, Found>),
}

impl Found {
    /// A field of a structure.
    pub fn field(&self, number: i16) -> Option<&Found> {
        match self {
            Found::Struct(fields) => fields.get(&number),
            _ => None,
        }
    }

    /// A field that is a number.
    pub fn number(&self, field: i16) -> Option<i64> {
        match self.field(field)? {
            Found::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A field that is a text.
    pub fn text(&self, field: i16) -> Option<&str> {
        match self.field(field)? {
            Found::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// A field that is a list.
    pub fn list(&self, field: i16) -> Option<&[Found]> {
        match self.field(field)? {
            Found::List(list) => Some(list),
            _ => None,
        }
    }
}

/// Bytes and how far they are read.
pub struct Cursor<'b> {
    bytes: &'b [u8],
    place: usize,
}

impl<'b> Cursor<'b> {
    /// At the beginning.
    pub fn new(bytes: &'b [u8]) -> Self {
        Cursor { bytes, place: 0 }
    }

    /// How many bytes were read.
    pub fn place(&self) -> usize {
        self.place
    }

    /// The next bytes.
    pub fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let taken = self.bytes.get(self.place..self.place.checked_add(length)?)?;
        self.place += length;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// A number without a sign, seven bits at a time.
    pub fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A structure.
    pub fn structure(&mut self) -> Option<Found> {
        self.structure_at(0)
    }

    fn structure_at(&mut self, depth: usize) -> Option<Found> {
        let mut fields = BTreeMap::new();
        let mut last = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(Found::Struct(fields));
            }
            let number = match head >> 4 {
                0 => i16::try_from(self.zigzag()?).ok()?,
                distance => last.checked_add(i16::from(distance))?,
            };
            last = number;
            let value = match head & 0x0f {
                TRUE => Found::Number(1),
                FALSE => Found::Number(0),
                kind => self.value(kind, depth + 1)?,
            };
            fields.insert(number, value);
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<Found> {
        if depth > DEEPEST {
            return None;
        }
        Some(match kind {
            TRUE | FALSE | BYTE => Found::Number(i64::from(self.byte()?)),
            SHORT | super::INT | super::LONG => Found::Number(self.zigzag()?),
            DOUBLE => Found::Bytes(self.take(8)?.to_vec()),
            super::BINARY => {
                let length = usize::try_from(self.varint()?).ok()?;
                Found::Bytes(self.take(length)?.to_vec())
            }
            super::LIST => {
                let head = self.byte()?;
                let length = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                (0..length)
                    .map(|_| self.value(head & 0x0f, depth + 1))
                    .collect::<Option<Vec<_>>>()
                    .map(Found::List)?
            }
            super::STRUCT => self.structure_at(depth + 1)?,
            _ => return None,
        })
    }
}
