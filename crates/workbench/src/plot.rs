//! Plots as SVG text. Colours are those of the light theme; [`PALETTE`] tells the page what the dark theme makes of them.

use crate::symbols::raised;
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

/// A series of a log-log plot.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) ink: Ink,
    pub(crate) points: Vec<(f64, f64)>,
}

/// A log-log plot with powers of two across and powers of ten up; each series is named at its end.
pub(crate) fn log_log(title: &str, x_name: &str, y_name: &str, series: &[Series]) -> String {
    let all = || series.iter().flat_map(|s| s.points.iter());
    let bounds = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)))
    };
    let (x_lo, x_hi) = bounds(&mut all().map(|p| p.0.log2()));
    let (y_lo, y_hi) = bounds(&mut all().map(|p| p.1.log10()));
    let (y_lo, y_hi) = (y_lo.floor(), y_hi.ceil());
    let powers = |lo: f64, hi: f64| (lo as i32..=hi as i32).map(f64::from).collect::<Vec<_>>();
    draw((360, 320), title, |area| {
        let x = Axis { range: x_lo - 0.2..x_hi + 1.6, marks: powers(x_lo.ceil(), x_hi), name: power_of_two };
        let y = Axis { range: y_lo..y_hi, marks: powers(y_lo, y_hi), name: power_of_ten };
        let mut chart =
            ChartBuilder::on(area).margin(6).x_label_area_size(42).y_label_area_size(58).build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID.light)
            .axis_style(GREY.light)
            .label_style(font(15).color(&TEXT.light))
            .axis_desc_style(font(15).color(&TEXT.light))
            .x_desc(x_name)
            .y_desc(y_name)
            .draw()?;
        for s in series {
            let points: Vec<(f64, f64)> = s.points.iter().map(|p| (p.0.log2(), p.1.log10())).collect();
            chart.draw_series(LineSeries::new(points.clone(), s.ink.light.stroke_width(2)))?;
            chart.draw_series(points.iter().map(|&p| Circle::new(p, 3, s.ink.light.filled())))?;
            if let Some(&end) = points.last() {
                let label = EmptyElement::at(end) + Text::new(s.name.clone(), (6, -7), font(15).color(&s.ink.light));
                chart.draw_series([label])?;
            }
        }
        Ok(())
    })
}

/// One step of a computation and the range of its values.
pub(crate) struct Band {
    /// Shown below.
    pub(crate) label: String,
    pub(crate) lo: i64,
    pub(crate) hi: i64,
    /// Whether something is reduced here.
    pub(crate) reduces: bool,
}

/// Ranges step by step between the two ends of the word. Words of more than 16 bits get a scale of bits.
pub(crate) fn bands(title: &str, bits: u32, steps: &[Band], groups: &[(&str, f64)]) -> String {
    let linear = bits <= 16;
    let height = move |v: f64| if linear { v } else { v.signum() * (1.0 + v.abs()).log2() };
    let limit = height(f64::powi(2.0, bits as i32 - 1));
    let ticks = if linear { limit / 2.0 } else { 8.0 };
    let marks = (-(limit / ticks) as i32..=(limit / ticks) as i32).map(|i| f64::from(i) * ticks).collect::<Vec<_>>();
    let count = steps.len() as f64;
    draw((360, 230), title, |area| {
        let y = Axis { range: -limit * 1.12..limit * 1.12, marks, name: if linear { number } else { bit } };
        let mut chart = ChartBuilder::on(area)
            .margin(6)
            .margin_top(20)
            .x_label_area_size(20)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..count, y)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID.light)
            .axis_style(GREY.light)
            .label_style(font(14).color(&TEXT.light))
            .draw()?;
        for (i, step) in steps.iter().enumerate() {
            let (left, right) = (i as f64 + 0.06, i as f64 + 0.94);
            let ink = if step.reduces { ORANGE.light } else { BLUE.light };
            let corners = [(left, height(step.lo as f64)), (right, height(step.hi as f64))];
            chart.draw_series([Rectangle::new(corners, ink.mix(0.55).filled())])?;
            let below = EmptyElement::at((i as f64 + 0.5, -limit * 1.12));
            let centre = font(12).color(&TEXT.light).pos(top_centre());
            chart.draw_series([below + Text::new(step.label.clone(), (0, 4), centre)])?;
        }
        for edge in [-limit, limit] {
            chart.draw_series(LineSeries::new([(0.0, edge), (count, edge)], RED.light.stroke_width(2)))?;
        }
        for &(group, at) in groups {
            let above = EmptyElement::at((at, limit * 1.12));
            let centre = font(14).color(&GREY.light).pos(top_centre());
            chart.draw_series([above + Text::new(group.to_owned(), (0, -17), centre)])?;
        }
        Ok(())
    })
}

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

fn power_of_two(x: f64) -> String {
    x.exp2().round().to_string()
}

/// `10^y` in words: 100, 1 k, 10 k, 1 M.
fn power_of_ten(y: f64) -> String {
    let y = y.round() as usize;
    let unit = ["", " k", " M", " G", " T"].get(y / 3).copied().unwrap_or(" ?");
    format!("1{}{unit}", "0".repeat(y % 3))
}

fn number(y: f64) -> String {
    y.to_string().replace('-', "−")
}

/// The number that has so many bits.
fn bit(y: f64) -> String {
    match y {
        0.0 => "0".into(),
        y if y < 0.0 => format!("−{}", bit(-y)),
        y => format!("2{}", raised(y as usize)),
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Trouble = Box<dyn std::error::Error>;

/// The text of a drawing. Drawing into memory cannot fail.
fn draw(size: (u32, u32), title: &str, paint: impl FnOnce(&Area<'_>) -> Result<(), Trouble>) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    paint(&area).and_then(|()| Ok(area.present()?)).expect("drawing into memory");
    drop(area);
    svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", crate::html::escape(title)), 1)
}
