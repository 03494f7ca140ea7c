//! Snappy, as much as reading takes: the length of the text, then pieces that are new or copies of what came before.

use super::thrift::Cursor;

/// The text of some bytes; nothing where they are none, or have not this length.
pub fn decompress(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut cursor = Cursor::new(bytes);
    if cursor.varint()? != length as u64 {
        return None;
    }
    let mut text = Vec::new();
    while cursor.place() < bytes.len() {
        let tag = cursor.take(1)?[0];
        let (count, offset) = match tag & 3 {
            0 => {
                let count = match usize::from(tag >> 2) {
                    short @ 0..=59 => short,
                    long => number(cursor.take(long - 59)?),
                };
                text.extend_from_slice(cursor.take(count.checked_add(1)?)?);
                (0, 1)
            }
            1 => {
                let high = usize::from(tag >> 5) << 8;
                (usize::from(tag >> 2 & 7) + 4, high | number(cursor.take(1)?))
            }
            2 => (usize::from(tag >> 2) + 1, number(cursor.take(2)?)),
            _ => (usize::from(tag >> 2) + 1, number(cursor.take(4)?)),
        };
        if text.len() + count > length {
            return None;
        }
        let from = text.len().checked_sub(offset).filter(|_| offset > 0 || count == 0);
        // A copy may reach into what it makes.
        for k in 0..count {
            text.push(*text.get(from? + k)?);
        }
    }
    (text.len() == length).then_some(text)
}

/// A number, its lowest byte first.
fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_may_reach_into_themselves() {
        // "ab", then seven bytes from two before, then five from nine before with a long offset.
        let bytes = [14, 1 << 2, b'a', b'b', 3 << 2 | 1, 2, 4 << 2 | 2, 9, 0];
        assert_eq!(decompress(&bytes, 14).as_deref(), Some(b"ababababaababa".as_slice()));
    }

    #[test]
    fn damage_is_noticed() {
        for bytes in [&[][..], &[5], &[3, 2 << 2, b'a'], &[4, 1, 1], &[4, 0, b'a', 1, 9], &[200, 200]] {
            assert_eq!(decompress(bytes, 4), None, "{bytes:?}");
        }
    }
}
