//! A small generator for tests and simulations: its words are public and reproducible.

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). **Not for secrets.**
#[derive(Clone, Debug)]
pub struct Random(
    /// The state.
    pub u64,
);

impl Random {
    /// 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// A word for a sampler.
    pub fn nine_bits(&mut self) -> u16 {
        (self.word() >> 55) as u16
    }

    /// A bit.
    pub fn bit(&mut self) -> bool {
        self.word() >> 63 == 1
    }
}
