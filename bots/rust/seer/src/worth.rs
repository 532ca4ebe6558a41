//! What a card is worth once it is won: amulets, zeros that double them, and the majority.

use arena_sdk::gargon::{amulets, card, colour, value, Rules, View};

use crate::memory::Memory;

/// Points for the most cards of a colour.
const MOST: f64 = 10.0;
/// Amulets of a colour that a zero may still come to double, while the game is young.
const HOPED: f64 = 6.0;
/// A game wins about so many cards for a seat.
const CARDS: f64 = 20.0;

/// What the cards of each colour are worth to a seat.
pub struct Worth {
    amulets: [u32; 16],
    sums: [f64; 6],
    doubled: [f64; 6],
    majority: [f64; 6],
    hope: f64,
}

impl Worth {
    pub fn new(view: &View, memory: &Memory, rules: &Rules) -> Self {
        let amulets = std::array::from_fn(|value| amulets(card(0, value as u8), rules));
        let (mut sums, mut doubled) = ([0.0; 6], [1.0; 6]);
        for &card in view.own_won() {
            sums[colour(card)] += f64::from(amulets[usize::from(value(card))]);
            if value(card) == 0 {
                doubled[colour(card)] *= 2.0;
            }
        }
        let majority = std::array::from_fn(|colour| {
            let own = memory.won[view.seat][colour];
            let most = view
                .others()
                .map(|seat| memory.won[seat][colour])
                .max()
                .unwrap_or(0);
            share(f64::from(own) - f64::from(most))
        });
        let hope = HOPED * (1.0 - view.own_won().len() as f64 / CARDS).max(0.0);
        Worth {
            amulets,
            sums,
            doubled,
            majority,
            hope,
        }
    }

    /// Points that a won card brings on average.
    pub fn of(&self, colour: usize, value: u8) -> f64 {
        let own = match value {
            0 => self.sums[colour] * self.doubled[colour] + self.hope,
            _ => f64::from(self.amulets[usize::from(value)]) * self.doubled[colour],
        };
        own + self.majority[colour]
    }

    /// What makes a colour better than another one, whatever the card.
    pub fn of_colour(&self, colour: usize) -> f64 {
        self.majority[colour] + self.doubled[colour]
    }
}

/// A card's share of the majority, by how far this seat leads or trails: most in a close race.
fn share(lead: f64) -> f64 {
    MOST * 0.4 / (1.0 + 0.35 * (lead + 0.5).abs())
}
