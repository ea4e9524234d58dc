//! The names of series, above a plot.

use super::{Area, Ink, Trouble, font};
use plotters::prelude::*;

/// A dot and a name for each series; names follow one another, on as many lines as they need.
pub(super) struct Legend<'a> {
    series: &'a [(&'a str, &'a Ink)],
    places: Vec<(i32, i32)>,
}

impl<'a> Legend<'a> {
    /// On lines of so many pixels.
    pub(super) fn of(series: &'a [(&'a str, &'a Ink)], width: u32) -> Self {
        let (mut x, mut y) = (12, 11);
        let place = |(name, _): &(&str, _)| {
            let room = 28 + 15 * name.len() as i32 / 2;
            if x + room > width as i32 {
                (x, y) = (12, y + 18);
            }
            let here = (x, y);
            x += room;
            here
        };
        Self { series, places: series.iter().map(place).collect() }
    }

    /// Pixels from the top of the drawing to what follows.
    pub(super) fn height(&self) -> i32 {
        self.places.last().map_or(0, |(_, y)| y + 15)
    }

    pub(super) fn draw(&self, area: &Area<'_>) -> Result<(), Trouble> {
        for ((name, ink), &(x, y)) in self.series.iter().zip(&self.places) {
            area.draw(&Circle::new((x, y), 5, ink.light.mix(0.75).filled()))?;
            area.draw(&Text::new((*name).to_owned(), (x + 9, y - 6), font(14).color(&ink.light)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::BLUE;

    #[test]
    fn a_long_legend_takes_two_lines() {
        let series = ["paper", "unoptimised", "optimised", "this CPU", "engine"].map(|name| (name, &BLUE));
        let places = super::Legend::of(&series, 360).places;
        assert!(places.iter().all(|(x, _)| *x < 300) && places[0].1 < places[4].1, "{places:?}");
    }
}
