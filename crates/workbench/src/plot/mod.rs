//! Plots as SVG text. Colours are those of the light theme; [`PALETTE`] tells the page what the
//! dark theme makes of them.

mod bands;
mod curves;
mod dots;
mod legend;
mod multiples;

pub(crate) use bands::{Band, bands};
pub(crate) use curves::{Point, Series, log_log};
pub(crate) use dots::{Dots, dots};
pub(crate) use multiples::{Panel, multiples};

use plotters::{
    coord::{
        Shift,
        ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter},
    },
    prelude::*,
};
use std::ops::Range;

/// A colour in the light theme, and what a style sheet replaces it by in the dark one.
pub(crate) struct Ink {
    light: RGBColor,
    /// CSS colour.
    pub(crate) dark: &'static str,
}

impl Ink {
    /// How the colour is written in the SVG.
    pub(crate) fn attribute(&self) -> String {
        let RGBColor(r, g, b) = self.light;
        format!("#{r:02X}{g:02X}{b:02X}")
    }
}

pub(crate) const TEXT: Ink = Ink { light: RGBColor(0x24, 0x2D, 0x38), dark: "#d7dee6" };
pub(crate) const GRID: Ink = Ink { light: RGBColor(0xDC, 0xE2, 0xE8), dark: "#333d48" };
pub(crate) const GREY: Ink = Ink { light: RGBColor(0x6B, 0x76, 0x82), dark: "#98a4b1" };
pub(crate) const BLUE: Ink = Ink { light: RGBColor(0x1B, 0x66, 0xB1), dark: "#6cb4ff" };
pub(crate) const ORANGE: Ink = Ink { light: RGBColor(0xB8, 0x54, 0x0B), dark: "#ffa657" };
pub(crate) const RED: Ink = Ink { light: RGBColor(0xBB, 0x2B, 0x3A), dark: "#ff7b84" };

/// All inks.
pub(crate) const PALETTE: [Ink; 6] = [TEXT, GRID, GREY, BLUE, ORANGE, RED];

fn top_centre() -> plotters::style::text_anchor::Pos {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    Pos::new(HPos::Center, VPos::Top)
}

fn font(size: u32) -> FontDesc<'static> {
    ("sans-serif", size).into_font()
}

/// A straight axis with marks of its own choice.
struct Axis {
    range: Range<f64>,
    marks: Vec<f64>,
    name: fn(f64) -> String,
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.marks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        (self.name)(*value)
    }
}

/// The whole tenths around ratios from `lo` to `hi`, and those among them that get marks, one in `1 + width / most`, with
/// 1.0.
fn tenths(lo: f64, hi: f64, most: i32) -> (Range<f64>, Vec<f64>) {
    let (lo, hi) = ((10.0 * lo) as i32, (10.0 * hi) as i32 + 1);
    let (every, tenth) = (1 + (hi - lo) / most, |i| f64::from(i) / 10.0);
    (tenth(lo)..tenth(hi), (lo..=hi).filter(|i| (i - 10) % every == 0).map(tenth).collect())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Trouble = Box<dyn std::error::Error>;

/// The text of a drawing. Drawing into memory cannot fail.
fn draw(size: (u32, u32), title: &str, paint: impl FnOnce(&Area<'_>) -> Result<(), Trouble>) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    paint(&area).and_then(|()| Ok(area.present()?)).expect("drawing into memory");
    drop(area);
    svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", crate::symbols::escape(title)), 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn tenths_enclose_ratios_and_mark_one() {
        assert_eq!(super::tenths(0.95, 1.0, 10), (0.9..1.1, vec![0.9, 1.0, 1.1]));
        assert_eq!(super::tenths(0.57, 1.34, 5), (0.5..1.4, vec![0.6, 0.8, 1.0, 1.2, 1.4]));
    }
}
