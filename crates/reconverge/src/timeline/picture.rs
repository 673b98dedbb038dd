//! How a timeline is drawn: shapes with coordinates, which the page and files of SVG both show.
//!
//! Threads that are converged are one field of one colour with the letter of their set; between fields a thread waits (hatched) or is elsewhere (dotted). A barrier is a line across its threads,
//! an arrow leads from whom a value comes to who gets it, and where values of several come together all lead to one line.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Serialize, Serializer};

use super::{Timeline, TimelineColumn, TimelineRow, TimelineSet};

/// The style of pictures: for light and dark paper, with colours that can be told apart by people who see fewer.
pub const PICTURE_STYLE: &str = include_str!("picture.css");

/// The height of a row, and of a field in it.
const ROW: f64 = 26.0;
const FIELD: f64 = 20.0;
/// The width of a letter.
const LETTER: f64 = 7.3;
/// The most letters of a name above a column.
const LONGEST: usize = 20;
/// How many colours there are.
const COLOURS: usize = 8;
/// Names above columns rise so much to the right.
const SLANT: (f64, f64) = (0.766, 0.643);

/// A timeline, drawn.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Picture {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// Where the fields begin, and where they end, from the top.
    pub fields: [f64; 2],
    /// What belongs to no column.
    pub shapes: Vec<Shape>,
    /// The columns.
    pub columns: Vec<PictureColumn>,
}

/// A column, drawn.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct PictureColumn {
    /// Its left edge.
    pub x: f64,
    /// Its width.
    pub width: f64,
    /// What is in it.
    pub shapes: Vec<Shape>,
}

/// An element of SVG. Its JSON is `[tag, attributes]` or `[tag, attributes, text]`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Shape {
    /// The tag: `rect`, `line`, `path`, `circle` or `text`.
    pub tag: &'static str,
    /// The attributes.
    pub attributes: BTreeMap<&'static str, String>,
    /// The text in it, of `text`.
    pub text: Option<String>,
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.text {
            None => (self.tag, &self.attributes).serialize(serializer),
            Some(text) => (self.tag, &self.attributes, text).serialize(serializer),
        }
    }
}

/// A number with at most one digit behind the point.
fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    tenths.to_string()
}

impl Shape {
    fn new(tag: &'static str, class: impl Into<String>, numbers: &[(&'static str, f64)]) -> Shape {
        let mut attributes: BTreeMap<&'static str, String> =
            numbers.iter().map(|&(name, value)| (name, number(value))).collect();
        attributes.insert("class", class.into());
        Shape { tag, attributes, text: None }
    }

    fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Shape {
        Shape::new("line", class, &[("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)])
    }

    fn rect(class: impl Into<String>, (x, y): (f64, f64), (width, height): (f64, f64), radius: f64) -> Shape {
        let size = [("x", x), ("y", y), ("width", width), ("height", height), ("rx", radius)];
        Shape::new("rect", class, &size)
    }

    fn text(class: impl Into<String>, (x, y): (f64, f64), anchor: &str, text: impl Into<String>) -> Shape {
        let mut shape = Shape::new("text", class, &[("x", x), ("y", y)]);
        if anchor != "start" {
            shape.attributes.insert("text-anchor", anchor.to_owned());
        }
        shape.text = Some(text.into());
        shape
    }

    fn path(class: &str, way: String) -> Shape {
        let mut shape = Shape::new("path", class, &[]);
        shape.attributes.insert("d", way);
        shape
    }

    fn write(&self, svg: &mut String) {
        let _ = write!(svg, "<{}", self.tag);
        for (name, value) in &self.attributes {
            let _ = write!(svg, " {name}=\"{}\"", escaped(value));
        }
        match &self.text {
            None => svg.push_str("/>"),
            Some(text) => {
                let _ = write!(svg, ">{}</{}>", escaped(text), self.tag);
            }
        }
    }
}

/// Text in a document of XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // No document may have these.
            '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// A name, not too long.
fn short(name: &str) -> String {
    let name = name.strip_prefix("@llvm.").unwrap_or(name);
    match name.char_indices().nth(LONGEST) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

/// Which rows are in a column, as ranges of neighbours.
fn groups(rows: &[TimelineRow], column: usize) -> Vec<(usize, usize)> {
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for (row, data) in rows.iter().enumerate() {
        if data.states.as_bytes().get(column) == Some(&b'r') {
            match groups.last_mut() {
                Some((_, end)) if *end == row => *end += 1,
                _ => groups.push((row, row + 1)),
            }
        }
    }
    groups
}

impl Picture {
    pub(super) fn new(rows: &[TimelineRow], columns: &[TimelineColumn], sets: &[TimelineSet]) -> Picture {
        let letters = |text: &str| text.chars().count() as f64 * LETTER;
        let longest = columns.iter().map(|column| letters(&short(&column.name))).fold(0.0, f64::max);
        let top = (longest * SLANT.1 + 22.0).max(30.0);
        let left = rows.iter().map(|row| letters(&row.name)).fold(letters("thread"), f64::max) + 22.0;
        let middle = |row: usize| top + ROW * row as f64 + ROW / 2.0;
        let mut x = left;
        let mut drawn: Vec<PictureColumn> = Vec::new();
        for (number, column) in columns.iter().enumerate() {
            let class = format!("s{}", column.set % COLOURS);
            let letter = sets.get(column.set).map_or("", |set| set.letter.as_str());
            let cells = rows.iter().filter_map(|row| row.cells.get(number)?.as_deref());
            let widest = cells.map(letters).fold(letters(letter), f64::max);
            let width = match column.kind {
                "barrier" => widest + 26.0,
                "exchange" => widest + 66.0,
                "combine" => widest + 48.0,
                _ => (widest + 12.0).max(27.0),
            };
            let place = Place { x, width, middle: &middle };
            let mut shapes = vec![slanted((x + width / 2.0 - 2.0, top - 7.0), &short(&column.name))];
            let groups = groups(rows, number);
            match column.kind {
                "barrier" => place.barrier(&groups, &class, letter, &mut shapes),
                "exchange" => place.exchange(&groups, &class, letter, &arrows(rows, column, sets), &mut shapes),
                "combine" => place.combine(&groups, &class, letter, &mut shapes),
                kind => {
                    let cell = |row: usize| rows[row].cells.get(number).cloned().flatten();
                    place.code(&groups, &class, (letter, kind == "call"), cell, &mut shapes);
                }
            }
            drawn.push(PictureColumn { x, width, shapes });
            x += width;
        }
        let end = x + 34.0;
        let bottom = top + ROW * rows.len() as f64;
        let mut shapes = vec![Shape::text("soft", (left - 12.0, top - 7.0), "end", "thread")];
        for (row, data) in rows.iter().enumerate() {
            let y = middle(row);
            shapes.push(Shape::text("", (left - 12.0, y + 4.0), "end", data.name.clone()));
            between(data, &drawn, (x, end), y, &mut shapes);
        }
        let width = (end + 8.0).max(x + longest * SLANT.0 - 8.0);
        Picture { width: width.ceil(), height: (bottom + 8.0).ceil(), fields: [top, bottom], shapes, columns: drawn }
    }

    /// The elements, without one around them.
    fn write(&self, svg: &mut String) {
        let mut group = |shapes: &[Shape]| {
            svg.push_str("<g>");
            shapes.iter().for_each(|shape| shape.write(svg));
            svg.push_str("</g>\n");
        };
        group(&self.shapes);
        self.columns.iter().for_each(|column| group(&column.shapes));
    }
}

/// Timelines as one document of SVG, one below the other; where there are several, each under its model.
pub fn svg_of_timelines(timelines: &[Timeline]) -> String {
    const TITLE: f64 = 24.0;
    let title = if timelines.len() > 1 { TITLE } else { 0.0 };
    let width = timelines.iter().map(|timeline| timeline.picture.width).fold(0.0, f64::max);
    let height: f64 = timelines.iter().map(|timeline| timeline.picture.height + title).sum();
    let (width, height) = (number(width), number(height));
    let names: Vec<String> =
        timelines.iter().map(|timeline| format!("{}, {}", timeline.function, timeline.model)).collect();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline sets\" role=\"img\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>{}</title>\n<style>\n{PICTURE_STYLE}</style>\n",
        escaped(&names.join("; "))
    );
    let mut y = 0.0;
    for timeline in timelines {
        if timelines.len() > 1 {
            Shape::text("letter", (10.0, y + TITLE - 6.0), "start", timeline.model.clone()).write(&mut svg);
        }
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", number(y + title));
        timeline.picture.write(&mut svg);
        svg.push_str("</g>\n");
        y += title + timeline.picture.height;
    }
    svg.push_str("</svg>\n");
    svg
}

/// A name that rises to the right from a point.
fn slanted((x, y): (f64, f64), text: &str) -> Shape {
    let mut shape = Shape::text("", (x, y), "start", text);
    shape.attributes.insert("transform", format!("rotate(-40 {} {})", number(x), number(y)));
    shape
}

/// What a thread does between the columns that it is in.
fn between(row: &TimelineRow, columns: &[PictureColumn], (last, end): (f64, f64), y: f64, shapes: &mut Vec<Shape>) {
    let mut rest = 0;
    for states in row.states.as_bytes().chunk_by(|one, other| one == other) {
        let from = columns.get(rest).map_or(last, |column| column.x);
        rest += states.len();
        let to = columns.get(rest).map_or(if rest > columns.len() { end } else { last }, |column| column.x);
        let line = |class: &str, inset: f64| Shape::line(class, (from + inset, y), (to - inset, y));
        match states[0] {
            b'w' => shapes.push(line("wait", 3.0)),
            b'o' | b'?' => shapes.push(line("gap", 5.0)),
            b'h' => {
                shapes.push(line("hold", 3.0));
                shapes.push(Shape::text("bad", (end, y + 4.0), "end", "✕"));
            }
            b'x' => shapes.push(Shape::rect("end", (from + 5.0, y - 3.5), (7.0, 7.0), 1.0)),
            _ => {}
        }
    }
}

/// From which row to which row values go.
fn arrows(rows: &[TimelineRow], column: &TimelineColumn, sets: &[TimelineSet]) -> Vec<(usize, usize)> {
    let row_of = |thread: u64| rows.iter().position(|row| row.threads.contains(&thread));
    let threads = sets.get(column.set).map_or(&[][..], |set| &set.threads);
    let pairs = threads.iter().zip(&column.from).filter_map(|(&to, &from)| Some((row_of(from?)?, row_of(to)?)));
    let mut all: Vec<(usize, usize)> = pairs.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Where a column is drawn.
struct Place<'p> {
    x: f64,
    width: f64,
    middle: &'p dyn Fn(usize) -> f64,
}

impl Place<'_> {
    fn top(&self, row: usize) -> f64 {
        (self.middle)(row) - FIELD / 2.0
    }

    /// The field of neighbours.
    fn field(&self, class: &str, (first, end): (usize, usize)) -> Shape {
        let height = (self.middle)(end - 1) + FIELD / 2.0 - self.top(first);
        Shape::rect(class, (self.x + 1.0, self.top(first)), (self.width - 2.0, height), 5.0)
    }

    /// The middle of a group, for its letter.
    fn centre(&self, (first, end): (usize, usize)) -> f64 {
        f64::midpoint((self.middle)(first), (self.middle)(end - 1)) + 4.5
    }

    fn code(
        &self,
        groups: &[(usize, usize)],
        class: &str,
        (letter, is_call): (&str, bool),
        cell: impl Fn(usize) -> Option<String>,
        shapes: &mut Vec<Shape>,
    ) {
        let x = self.x + self.width / 2.0;
        for &group in groups {
            let kind = if is_call { "on call" } else { "on" };
            shapes.push(self.field(&format!("{kind} {class}"), group));
            let in_field = format!("in {class}");
            if (group.0..group.1).all(|row| cell(row).is_none()) {
                shapes.push(Shape::text(in_field, (x, self.centre(group)), "middle", letter));
                continue;
            }
            for row in group.0..group.1 {
                let text = cell(row).unwrap_or_default();
                shapes.push(Shape::text(in_field.clone(), (x, (self.middle)(row) + 4.5), "middle", text));
            }
        }
    }

    /// A line from the first to the last row, thin where it passes rows that are not in it.
    fn bar(&self, groups: &[(usize, usize)], x: f64, shapes: &mut Vec<Shape>) {
        if let (Some(first), Some(last)) = (groups.first(), groups.last()) {
            shapes.push(Shape::line("past", (x, self.top(first.0)), (x, self.top(last.1 - 1) + FIELD)));
        }
        for &(first, end) in groups {
            shapes.push(Shape::line("bar", (x, self.top(first) - 2.0), (x, self.top(end - 1) + FIELD + 2.0)));
        }
    }

    fn barrier(&self, groups: &[(usize, usize)], class: &str, letter: &str, shapes: &mut Vec<Shape>) {
        let x = self.x + self.width - 13.0;
        for &group in groups {
            shapes.push(self.field(&format!("on {class}"), group));
            let centre = (f64::midpoint(self.x, x), self.centre(group));
            shapes.push(Shape::text(format!("in {class}"), centre, "middle", letter));
        }
        self.bar(groups, x, shapes);
    }

    /// A field with a pale part behind its letter, so that what is drawn on that can be seen; answers where it begins.
    fn pale(&self, groups: &[(usize, usize)], class: &str, letter: &str, shapes: &mut Vec<Shape>) -> f64 {
        let strip = letter.chars().count() as f64 * LETTER + 9.0;
        for &group in groups {
            shapes.push(self.field(&format!("pale {class}"), group));
            let mut solid = self.field(&format!("on {class}"), group);
            solid.attributes.insert("width", number(strip));
            shapes.push(solid);
            shapes.push(self.field(&format!("edge {class}"), group));
            let centre = (self.x + 1.0 + strip / 2.0, self.centre(group));
            shapes.push(Shape::text(format!("in {class}"), centre, "middle", letter));
        }
        self.x + 1.0 + strip
    }

    fn head(&self, (x, y): (f64, f64)) -> Shape {
        Shape::path("dot", format!("M{} {}l-7 -4v8z", number(x), number(y)))
    }

    fn dot(&self, (x, y): (f64, f64)) -> Shape {
        Shape::new("circle", "dot", &[("cx", x), ("cy", y), ("r", 2.5)])
    }

    fn exchange(
        &self,
        groups: &[(usize, usize)],
        class: &str,
        letter: &str,
        arrows: &[(usize, usize)],
        shapes: &mut Vec<Shape>,
    ) {
        let (from, to) = (self.pale(groups, class, letter, shapes) + 7.0, self.x + self.width - 5.0);
        let mut sources: Vec<usize> = arrows.iter().map(|&(source, _)| source).collect();
        sources.dedup();
        shapes.extend(sources.into_iter().map(|row| self.dot((from, (self.middle)(row)))));
        for &(source, target) in arrows {
            let (start, end) = ((self.middle)(source), (self.middle)(target));
            let turn = f64::midpoint(from, to);
            let [from, turn, start, end, before] = [from, turn, start, end, to - 6.0].map(number);
            shapes.push(Shape::path("flow", format!("M{from} {start}C{turn} {start} {turn} {end} {before} {end}")));
        }
        let mut targets: Vec<usize> = arrows.iter().map(|&(_, target)| target).collect();
        targets.sort_unstable();
        targets.dedup();
        shapes.extend(targets.into_iter().map(|row| self.head((to, (self.middle)(row)))));
    }

    fn combine(&self, groups: &[(usize, usize)], class: &str, letter: &str, shapes: &mut Vec<Shape>) {
        let (from, to) = (self.pale(groups, class, letter, shapes) + 7.0, self.x + self.width - 5.0);
        let middle = from + (to - from) * 0.4;
        for row in groups.iter().flat_map(|&(first, end)| first..end) {
            let y = (self.middle)(row);
            shapes.push(self.dot((from, y)));
            shapes.push(Shape::line("flow", (from, y), (to - 6.0, y)));
            shapes.push(self.head((to, y)));
        }
        if let (Some(first), Some(last)) = (groups.first(), groups.last()) {
            let ends = ((self.middle)(first.0), (self.middle)(last.1 - 1));
            shapes.push(Shape::line("bar", (middle, ends.0), (middle, ends.1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_program_stays_text() {
        let shape = Shape::text("in", (1.25, 2.0), "middle", "<a & \"b\">\u{1}");
        let mut svg = String::new();
        shape.write(&mut svg);
        assert_eq!(
            svg,
            "<text class=\"in\" text-anchor=\"middle\" x=\"1.3\" y=\"2\">&lt;a &amp; &quot;b&quot;&gt;\u{fffd}</text>"
        );
    }

    #[test]
    fn names_are_not_too_long() {
        assert_eq!(short("@llvm.nvvm.barrier.cta.sync.aligned.all"), "nvvm.barrier.cta.syn…");
        assert_eq!(short("__syncthreads"), "__syncthreads");
    }
}
