//! The programs of two theses as they were written: their loops, their tables, and the operator `%`
//! after every operation.
//!
//! Sources: [`royher`] A. Royher, *Implementing Lattice-Based Cryptography*, chapters 3 to 5, with the
//! repository that it names; [`bakkebo`] A. Bakkebø, master's thesis, 2020, appendices A to E, with
//! the repository that it names. The example `textbook_times` times them.

pub mod bakkebo;
pub mod royher;

/// The rand() that the C standard gives as an example, in place of the one that the theses' programs
/// were linked with.
#[derive(Clone, Copy, Debug)]
pub struct Rand(pub u32);

impl Rand {
    /// The next number, below 2¹⁵.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        u64::from(self.0 >> 16 & 0x7fff)
    }

    /// rand() % q for a q up to 2³⁰, from two numbers.
    pub fn residue(&mut self, q: u64) -> u64 {
        (self.draw() << 15 | self.draw()) % q
    }
}
