//! The exchange by K-RED, as Longa and Naehrig's text has it, in signed words of 32 bits from noise to message.
//!
//! Noise enters Algorithm 3 as it is drawn, slots are bit-reversed, b and u keep their powers of k on the wire, and e'' is
//! added in the transform domain, before Algorithm 4. So messages are not the designers'.
//!
//! Source: Longa and Naehrig 2016, sections 3 and 4. The computation is that of
//! [`sequences`], where words that know their power of k show that it is right.

use super::{N, Polynomials, Q};
use crate::longa_naehrig::{KTables, Tables, sequences};

/// Tables, and the exponent of the constant K.
#[derive(Clone, Debug)]
pub struct KRed {
    tables: KTables,
    stray: i32,
}

impl Default for KRed {
    fn default() -> Self {
        Self::new()
    }
}

impl KRed {
    /// The tables, with K derived.
    pub fn new() -> Self {
        let tables = KTables::of(&Tables::new(N, Q).expect("2048 divides 12288"));
        Self { stray: sequences::stray_of_exchange(&tables), tables }
    }

    /// The tables of Algorithms 3 and 4.
    pub fn tables(&self) -> &KTables {
        &self.tables
    }

    /// The exponent of K.
    pub fn stray(&self) -> i32 {
        self.stray
    }
}

impl Polynomials for KRed {
    type Slots = Vec<i32>;

    fn forward(&self, noise: &[i64]) -> Vec<i32> {
        sequences::forward(noise, &self.tables)
    }

    fn sent(&self, a_hat: &[u64], s_hat: &Vec<i32>, e: &[i64]) -> Vec<u64> {
        let b = sequences::sent(&integers(a_hat), s_hat, e, &self.tables);
        b.into_iter().map(|x| x as u64).collect()
    }

    fn shared(&self, received: &[u64], s_hat: &Vec<i32>, e_second: Option<&[i64]>) -> Vec<u64> {
        let b: Vec<i32> = sequences::received(&integers(received));
        let v = sequences::shared(&b, s_hat, e_second, &self.tables, self.stray);
        v.into_iter().map(|x| x as u64).collect()
    }
}

fn integers(a: &[u64]) -> Vec<i64> {
    a.iter().map(|&x| x as i64).collect()
}
