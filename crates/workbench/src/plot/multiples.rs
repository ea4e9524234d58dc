//! Small multiples: panels with the same axes, side by side.

use super::{Axis, GREY, GRID, Ink, Point, TEXT, curves::power_of_two, draw, font, legend::Legend, tenths, top_centre};
use plotters::prelude::*;

/// A panel.
pub(crate) struct Panel {
    pub(crate) title: String,
    /// The points of each series.
    pub(crate) lines: Vec<Vec<Point>>,
}

const WIDTH: u32 = 360;
const HEIGHT: u32 = 130;
/// Below all panels, for the name of their axis.
const BELOW: u32 = 20;

/// Panels of ratios by degree: powers of two across, tenths up, with a line at 1; the series are named on top, and bars
/// reach from quartile to quartile.
pub(crate) fn multiples(title: &str, x_name: &str, series: &[(&str, &Ink)], panels: &[Panel]) -> String {
    let all = || panels.iter().flat_map(|panel| panel.lines.iter().flatten());
    let reaches = || all().map(|point| point.reach());
    let lowest = reaches().map(|(low, _)| low).fold(1.0, f64::min);
    let (ratios, marks) = tenths(lowest, reaches().map(|(_, high)| high).fold(1.0, f64::max), 5);
    let degrees = || all().map(|point| point.x.log2());
    let (x_lo, x_hi) = (degrees().fold(f64::INFINITY, f64::min), degrees().fold(f64::NEG_INFINITY, f64::max));
    // Three side by side, or two where three would leave one alone.
    let columns = if panels.len() % 3 == 1 { 2 } else { 3 };
    let (legend, rows) = (Legend::of(series, WIDTH), panels.len().div_ceil(columns));
    let above = legend.height();
    let size = (WIDTH, above as u32 + HEIGHT * rows as u32 + BELOW);
    draw(size, title, |area| {
        legend.draw(area)?;
        let (plots, _) = area.split_vertically(above as u32 + HEIGHT * rows as u32);
        let (_, plots) = plots.split_vertically(above);
        for (panel, cell) in panels.iter().zip(plots.split_evenly((rows, columns))) {
            let x = Axis { range: x_lo - 0.4..x_hi + 0.6, marks: vec![x_lo, x_hi], name: power_of_two };
            let y = Axis { range: ratios.clone(), marks: marks.clone(), name: |y| format!("{y:.1}") };
            let mut chart = ChartBuilder::on(&cell)
                .margin(4)
                .margin_top(20)
                .margin_right(12)
                .x_label_area_size(20)
                .y_label_area_size(28)
                .build_cartesian_2d(x, y)?;
            chart
                .configure_mesh()
                .disable_x_mesh()
                .light_line_style(TRANSPARENT)
                .bold_line_style(GRID.light)
                .axis_style(GREY.light)
                .label_style(font(12).color(&TEXT.light))
                .draw()?;
            chart.draw_series(LineSeries::new([(x_lo - 0.4, 1.0), (x_hi + 0.6, 1.0)], GREY.light.stroke_width(2)))?;
            for (points, (_, ink)) in panel.lines.iter().zip(series) {
                let place = |point: &Point| (point.x.log2(), point.y);
                chart.draw_series(LineSeries::new(points.iter().map(place), ink.light.stroke_width(1)))?;
                for point in points {
                    let (x, (low, high)) = (point.x.log2(), point.reach());
                    chart.draw_series(LineSeries::new([(x, low), (x, high)], ink.light.stroke_width(1)))?;
                }
                chart.draw_series(points.iter().map(|point| Circle::new(place(point), 2, ink.light.filled())))?;
            }
            let centre = (WIDTH / columns as u32 / 2 + 10) as i32;
            cell.draw(&Text::new(panel.title.clone(), (centre, 4), font(13).color(&TEXT.light).pos(top_centre())))?;
        }
        let below = (WIDTH as i32 / 2, size.1 as i32 - BELOW as i32);
        area.draw(&Text::new(x_name.to_owned(), below, font(14).color(&TEXT.light).pos(top_centre())))?;
        Ok(())
    })
}
