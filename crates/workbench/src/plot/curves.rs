//! Curves on two logarithmic axes.

use super::{Axis, GREY, GRID, Ink, TEXT, draw, font};
use crate::measure::Spread;
use plotters::prelude::*;

/// A point; what was measured has its quartiles as a bar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    bar: Option<(f64, f64)>,
}

impl Point {
    /// As somebody printed it.
    pub(crate) const fn printed(x: f64, y: f64) -> Self {
        Self { x, y, bar: None }
    }

    /// A quotient of two that were measured: its bar is that of the dividend.
    pub(crate) fn ratio(x: f64, y: Spread, by: f64) -> Self {
        Self { x, y: y.median / by, bar: Some((y.low / by, y.high / by)) }
    }

    /// As it was measured.
    pub(crate) const fn measured(x: f64, y: Spread) -> Self {
        Self { x, y: y.median, bar: Some((y.low, y.high)) }
    }

    /// From where to where its bar reaches, or twice its height.
    pub(super) fn reach(self) -> (f64, f64) {
        self.bar.unwrap_or((self.y, self.y))
    }

    fn place(self) -> (f64, f64) {
        (self.x.log2(), self.y.log10())
    }
}

/// A series of a log-log plot.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) ink: Ink,
    pub(crate) points: Vec<Point>,
}

impl Series {
    /// What `point` makes of each item; those of which it makes nothing are left out.
    pub(crate) fn of<T>(name: &str, ink: Ink, items: &[T], point: impl Fn(&T) -> Option<Point>) -> Self {
        Self { name: name.into(), ink, points: items.iter().filter_map(point).collect() }
    }
}

const WIDTH: u32 = 360;
const HEIGHT: u32 = 320;
const MARGIN: u32 = 10;
const BELOW: u32 = 42;
/// Pixels between two names.
const LINE: f64 = 16.0;

/// A log-log plot with powers of two across and powers of ten up; each series is named at its end,
/// and bars reach from quartile to quartile.
pub(crate) fn log_log(title: &str, x_name: &str, y_name: &str, series: &[Series]) -> String {
    let all = || series.iter().flat_map(|s| s.points.iter());
    let bounds = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)))
    };
    let (x_lo, x_hi) = bounds(&mut all().map(|p| p.place().0));
    let (y_lo, y_hi) = bounds(&mut all().map(|p| p.place().1));
    let (y_lo, y_hi) = (y_lo.floor(), y_hi.ceil());
    let powers =
        |lo: f64, hi: f64, every: usize| (lo as i32..=hi as i32).step_by(every).map(f64::from).collect::<Vec<_>>();
    // At most eight marks across, and room for the names on the right.
    let (every, room) = (1 + (x_hi - x_lo) as usize / 8, 0.27 * (x_hi - x_lo));
    let pixels = f64::from(HEIGHT - BELOW - 2 * MARGIN) / (y_hi - y_lo);
    draw((WIDTH, HEIGHT), title, |area| {
        let x = Axis { range: x_lo - 0.2..x_hi + room, marks: powers(x_lo.ceil(), x_hi, every), name: power_of_two };
        let y = Axis { range: y_lo..y_hi, marks: powers(y_lo, y_hi, 1), name: power_of_ten };
        let mut chart = ChartBuilder::on(area)
            .margin(MARGIN)
            .x_label_area_size(BELOW)
            .y_label_area_size(58)
            .build_cartesian_2d(x, y)?;
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
        let ends: Vec<f64> =
            series.iter().map(|s| s.points.last().map_or(f64::NAN, |p| -p.place().1 * pixels)).collect();
        for (s, down) in series.iter().zip(apart(&ends)) {
            let points: Vec<(f64, f64)> = s.points.iter().map(|p| p.place()).collect();
            chart.draw_series(LineSeries::new(points.clone(), s.ink.light.stroke_width(2)))?;
            for point in &s.points {
                let Some((low, high)) = point.bar.filter(|(low, high)| 0.0 < *low && low < high) else { continue };
                let (x, low, high) = (point.place().0, low.log10().max(y_lo), high.log10().min(y_hi));
                let cap = 0.008 * (x_hi - x_lo);
                for line in
                    [[(x, low), (x, high)], [(x - cap, low), (x + cap, low)], [(x - cap, high), (x + cap, high)]]
                {
                    chart.draw_series(LineSeries::new(line, s.ink.light.stroke_width(1)))?;
                }
            }
            chart.draw_series(points.iter().map(|&p| Circle::new(p, 3, s.ink.light.filled())))?;
            if let Some(&end) = points.last() {
                let label =
                    EmptyElement::at(end) + Text::new(s.name.clone(), (6, down - 7), font(15).color(&s.ink.light));
                chart.draw_series([label])?;
            }
        }
        Ok(())
    })
}

/// How far down each name moves so that none covers another; names whose series end apart stay.
fn apart(ends: &[f64]) -> Vec<i32> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|&a, &b| ends[a].total_cmp(&ends[b]));
    let mut moved = vec![0; ends.len()];
    let mut free = f64::NEG_INFINITY;
    for i in order {
        let place = ends[i].max(free);
        moved[i] = (place - ends[i]).round() as i32;
        free = place + LINE;
    }
    moved
}

pub(super) fn power_of_two(x: f64) -> String {
    x.exp2().round().to_string()
}

/// `10^y` in words: 0.1, 100, 1 k, 10 k, 1 M.
fn power_of_ten(y: f64) -> String {
    if y < 0.0 {
        return format!("{:.*}", -y.round() as usize, 10_f64.powf(y));
    }
    let y = y.round() as usize;
    let unit = ["", " k", " M", " G", " T"].get(y / 3).copied().unwrap_or(" ?");
    format!("1{}{unit}", "0".repeat(y % 3))
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_keep_apart() {
        assert_eq!(super::apart(&[0.0, 40.0, 41.0, 2.0]), [0, 0, 15, 14]);
        assert_eq!([-2.0, -1.0, 0.0, 4.0].map(super::power_of_ten), ["0.01", "0.1", "1", "10 k"]);
    }
}
