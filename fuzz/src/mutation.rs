//! What becomes of a text when little pieces of it are changed.

use crate::random::Random;

/// Pieces that mean something somewhere.
const PIECES: [&str; 49] = [
    "0",
    "-1",
    "1e308",
    "1e-308",
    "5e-324",
    "1e999",
    "nan",
    "inf",
    "9007199254740993",
    "-",
    "+",
    "*",
    "/",
    "^",
    "(",
    ")",
    "'",
    "\"",
    "\"\"\"",
    "{",
    "}",
    "[",
    "]",
    "[[",
    ",",
    ".",
    "..",
    "=",
    "#",
    "\n",
    "\\u0000",
    "\u{e9}\u{2202}",
    "x",
    "t",
    "pi",
    "sin(",
    "hypot(",
    "if(x > 0, ",
    "lambda.",
    "[events]\n",
    "when = ",
    "set = { ",
    "remove = [",
    "[tables]\n",
    "points = [[0, 1], ",
    "[include]\n",
    "sum(i, 1, 9, ",
    "{i}",
    "^64",
];

/// Changes a text in a few places: pieces are taken out, put in, repeated, exchanged for others of the same text.
pub fn mutate(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(letters.len() + 1);
        let end = (at + random.below(12)).min(letters.len());
        match random.below(6) {
            0 => {
                letters.drain(at..end);
            }
            1 | 2 => {
                let piece = random.one_of(&PIECES);
                letters.splice(at..end.min(at + 1), piece.chars());
            }
            3 => {
                let piece = random.one_of(&PIECES);
                letters.splice(at..at, piece.chars());
            }
            4 => {
                let copy: Vec<char> = letters[at..end].to_vec();
                let times = 1 + random.below(20);
                letters.splice(at..at, std::iter::repeat_n(copy, times).flatten());
            }
            _ => exchange_words(&mut letters, random),
        }
    }
    letters.into_iter().collect()
}

/// Puts one word of a text in the place of another.
fn exchange_words(letters: &mut Vec<char>, random: &mut Random) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut words: Vec<(usize, usize)> = Vec::new();
    for (k, c) in letters.iter().enumerate() {
        match words.last_mut() {
            Some(last) if is_word(*c) && last.1 == k => last.1 = k + 1,
            _ if is_word(*c) => words.push((k, k + 1)),
            _ => {}
        }
    }
    if words.is_empty() {
        return;
    }
    let (from, to) = (*random.one_of(&words), *random.one_of(&words));
    let word: Vec<char> = letters[from.0..from.1].to_vec();
    letters.splice(to.0..to.1, word);
}
