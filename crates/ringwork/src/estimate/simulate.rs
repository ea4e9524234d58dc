//! The simulator of BKZ of Chen and Nguyen, *BKZ 2.0* (2011), algorithm 2.

use super::special::ln_ball;
use core::f64::consts::LN_2;

/// log2 of the lengths in a reduced random basis of dimension 45 and volume 1: averages that Chen and Nguyen measured,
/// from the listing of the simulator in the full version of their paper.
#[rustfmt::skip]
const SMALL_BLOCK: [f64; 45] = [
    0.78952799716, 0.780003183804613, 0.750872218594458, 0.706520454592593, 0.696345241018901, 0.6605338418084,
    0.626274718790505, 0.581480717333169, 0.553171463433503, 0.520811087419712, 0.487994338534253, 0.459541470573431,
    0.414638319529319, 0.392811729940846, 0.339090376264829, 0.306561491936042, 0.276041187709516, 0.236698863270441,
    0.19618634167308, 0.161214212092249, 0.110895134828114, 0.0678261623920553, 0.027280716233561, -0.0234609979600137,
    -0.0320527224746912, -0.0940331032784437, -0.129109087817554, -0.176965384290173, -0.209405754915959,
    -0.265867993276493, -0.299031324494802, -0.349338597048432, -0.380428160303508, -0.427399405474537,
    -0.474944677694975, -0.53014067281815, -0.561625221138784, -0.612008793872032, -0.669011014635905,
    -0.71376673157093, -0.75404178701181, -0.808609696192079, -0.859933249032210, -0.884479963601658,
    -0.886666930030433,
];

/// `ln` of the shortest vector of a random lattice of volume 1.
fn ln_shortest(dimension: usize) -> f64 {
    match SMALL_BLOCK.len().checked_sub(dimension) {
        Some(before) => {
            let block = &SMALL_BLOCK[before..];
            (block[0] - block.iter().sum::<f64>() / dimension as f64) * LN_2
        }
        None => -ln_ball(dimension as f64) / dimension as f64,
    }
}

/// Tours of BKZ: each vector becomes the shortest one of its block where that is shorter, and so do all after it.
pub(super) fn simulate(all: &mut [f64], beta: usize) {
    let d = all.len();
    if d < 2 {
        return;
    }
    let beta = beta.clamp(2, d);
    let shortest: Vec<f64> = (0..=beta).map(|size| if size == 0 { 0.0 } else { ln_shortest(size) }).collect();
    for _ in 0..d {
        let mut volume: f64 = all[..beta].iter().sum();
        let (mut updated, mut change) = (false, 0.0_f64);
        for k in 0..d - 1 {
            let size = beta.min(d - k);
            let found = volume / size as f64 + shortest[size];
            if updated || found < all[k] {
                change = change.max((all[k] - found).abs());
                all[k] = found;
                updated = true;
            }
            volume -= all[k];
            if let Some(next) = all.get(k + beta) {
                volume += next;
            }
        }
        all[d - 1] = volume;
        if change < 1e-7 {
            break;
        }
    }
}
