//! A picture as data: what both formats are written from.

/// A colour, red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// Colours that people with any kind of colour vision can tell apart (Okabe and Ito 2008), without the yellow, which is
/// too light for lines.
pub const CURVES: [Colour; 7] = [
    Colour(0x00, 0x72, 0xb2),
    Colour(0xd5, 0x5e, 0x00),
    Colour(0x00, 0x9e, 0x73),
    Colour(0xcc, 0x79, 0xa7),
    Colour(0xe6, 0x9f, 0x00),
    Colour(0x56, 0xb4, 0xe9),
    Colour(0x00, 0x00, 0x00),
];
/// The dashes of curves, whenever all colours are taken.
const DASHES: [f64; 3] = [0.0, 6.0, 2.0];
/// Words.
pub const INK: Colour = Colour(0x26, 0x26, 0x26);
/// Words of less weight.
pub const GREY: Colour = Colour(0x6b, 0x6b, 0x6b);
/// The lines behind the curves.
pub const GRID: Colour = Colour(0xe4, 0xe4, 0xe4);
/// The frame around the curves.
pub const FRAME: Colour = Colour(0x9a, 0x9a, 0x9a);

/// A place in the picture, in pixels from the upper left corner.
pub type Point = (f64, f64);

/// Where a text is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// at its beginning
    Start,
    /// in its middle
    Middle,
    /// at its end
    End,
}

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// a line through points
    Line {
        /// the points
        points: Vec<Point>,
        /// its colour
        colour: Colour,
        /// its width
        width: f64,
        /// the length of its dashes; 0 for a line without gaps
        dash: f64,
    },
    /// a filled circle
    Dot {
        /// its middle
        at: Point,
        /// its radius
        radius: f64,
        /// its colour
        colour: Colour,
    },
    /// words on a base line
    Text {
        /// where they are held
        at: Point,
        /// the words
        words: String,
        /// the size of the letters
        size: f64,
        /// how they are held
        anchor: Anchor,
        /// whether they are bold
        bold: bool,
        /// their colour
        colour: Colour,
        /// whether they run upwards
        upwards: bool,
    },
}

/// Everything there is to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// in pixels
    pub width: f64,
    /// in pixels
    pub height: f64,
    /// from back to front
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// A line through points.
    pub fn line(&mut self, points: Vec<Point>, colour: Colour, width: f64) {
        self.shapes.push(Shape::Line { points, colour, width, dash: 0.0 });
    }

    /// The line of a curve, in a colour or dashes of its own.
    pub fn curve(&mut self, points: Vec<Point>, number: usize, width: f64) {
        let dash = DASHES[(number / CURVES.len()) % DASHES.len()];
        self.shapes.push(Shape::Line { points, colour: CURVES[number % CURVES.len()], width, dash });
    }

    /// Words on a base line.
    pub fn text(&mut self, at: Point, words: &str, size: f64, anchor: Anchor, colour: Colour) {
        let words = words.to_owned();
        self.shapes.push(Shape::Text { at, words, size, anchor, bold: false, colour, upwards: false });
    }

    /// Bold words, held at their beginning.
    pub fn title(&mut self, at: Point, words: &str, size: f64) {
        let (words, anchor) = (words.to_owned(), Anchor::Start);
        self.shapes.push(Shape::Text { at, words, size, anchor, bold: true, colour: INK, upwards: false });
    }

    /// Words that run upwards, held in their middle.
    pub fn upwards(&mut self, at: Point, words: &str, size: f64, colour: Colour) {
        let (words, anchor) = (words.to_owned(), Anchor::Middle);
        self.shapes.push(Shape::Text { at, words, size, anchor, bold: false, colour, upwards: true });
    }
}
