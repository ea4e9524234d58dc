//! Ranges step by step.

use super::{Axis, BLUE, GREY, GRID, ORANGE, RED, TEXT, draw, font, top_centre};
use crate::symbols::raised;
use plotters::prelude::*;

/// One step of a computation and the range of its values.
pub(crate) struct Band {
    /// Shown below.
    pub(crate) label: String,
    pub(crate) lo: i64,
    pub(crate) hi: i64,
    /// Whether something is reduced here.
    pub(crate) reduces: bool,
}

/// Ranges step by step between the two ends of the word. Words of more than 16 bits get a scale of
/// bits.
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

fn number(y: f64) -> String {
    y.to_string().replace('-', "−")
}

/// The label `2^y` of a scale that counts bits, with its sign.
fn bit(y: f64) -> String {
    match y {
        0.0 => "0".into(),
        y if y < 0.0 => format!("−{}", bit(-y)),
        y => format!("2{}", raised(y as usize)),
    }
}
