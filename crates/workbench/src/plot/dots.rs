//! One line for each case, with a dot for each of a few series.

use super::{Axis, GREY, GRID, Ink, TEXT, draw, font, legend::Legend, tenths};
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

/// A line of dots.
pub(crate) struct Dots {
    pub(crate) label: String,
    /// One value for each series.
    pub(crate) values: Vec<f64>,
}

const WIDTH: u32 = 360;
const LINE: u32 = 19;
/// Room for labels at least, and for a character of one.
const LEFT: u32 = 84;
const CHARACTER: u32 = 8;

/// Lines of dots along an axis of tenths that reaches 1; the series are named on top.
pub(crate) fn dots(title: &str, x_name: &str, series: &[(&str, &Ink)], lines: &[Dots]) -> String {
    let all = || lines.iter().flat_map(|line| line.values.iter().copied());
    let (ends, marks) = tenths(all().fold(0.95, f64::min), all().fold(1.0, f64::max), 10);
    let (count, left) = (lines.len() as f64, ends.start - 0.02);
    let longest = lines.iter().map(|line| line.label.chars().count() as u32).max().unwrap_or(0);
    let middle_left = Pos::new(HPos::Right, VPos::Center);
    let legend = Legend::of(series, WIDTH);
    let above = legend.height();
    draw((WIDTH, LINE * lines.len() as u32 + 52 + above as u32), title, |area| {
        let x = Axis { range: left..ends.end + 0.05, marks, name: |x| format!("{x:.1}") };
        let mut chart = ChartBuilder::on(area)
            .margin(6)
            .margin_top(above)
            .x_label_area_size(40)
            .y_label_area_size(LEFT.max(CHARACTER * longest + 8))
            .build_cartesian_2d(x, count..0.0)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID.light)
            .axis_style(GREY.light)
            .label_style(font(14).color(&TEXT.light))
            .axis_desc_style(font(14).color(&TEXT.light))
            .x_desc(x_name)
            .draw()?;
        chart.draw_series(LineSeries::new([(1.0, 0.0), (1.0, count)], GREY.light.stroke_width(2)))?;
        for (i, line) in lines.iter().enumerate() {
            let y = i as f64 + 0.5;
            let before = EmptyElement::at((left, y));
            let style = font(14).color(&TEXT.light).pos(middle_left);
            chart.draw_series([before + Text::new(line.label.clone(), (-8, 0), style)])?;
            let dots = line.values.iter().zip(series);
            chart.draw_series(dots.map(|(&x, (_, ink))| Circle::new((x, y), 5, ink.light.mix(0.75).filled())))?;
        }
        legend.draw(area)
    })
}
