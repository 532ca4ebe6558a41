//! Random numbers that are the same whenever a game is played again.

use std::cell::Cell;

/// A generator of random numbers (SplitMix64). It needs no `mut`, so that it can be used while a
/// question is borrowed.
#[derive(Clone, Debug)]
pub struct Random(Cell<u64>);

impl Random {
    /// The same seed gives the same numbers.
    pub fn new(seed: u32) -> Self {
        Random(Cell::new(u64::from(seed)))
    }

    /// 64 random bits.
    pub fn bits(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A random integer from 0 to `count` - 1, all equally likely; 0 if `count` is 0.
    pub fn below(&self, count: usize) -> usize {
        let product = u128::from(self.bits()) * count as u128;
        (product >> 64) as usize
    }

    /// A random number from 0 up to, but not including, 1.
    pub fn float(&self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A random entry; none if there are none.
    pub fn pick<'a, T>(&self, entries: &'a [T]) -> Option<&'a T> {
        entries.get(self.below(entries.len()))
    }

    /// Put the entries in a random order.
    pub fn shuffle<T>(&self, entries: &mut [T]) {
        for last in (1..entries.len()).rev() {
            entries.swap(last, self.below(last + 1));
        }
    }
}
