//! The chance that a card wins, by the backs that lie on the table or are yet to come.

use arena_sdk::gargon::View;

use crate::memory::Memory;

/// How often a seat that can still play a colour does so, per card of it that it holds.
const JOINS: f64 = 0.22;
/// It does not come more surely than this.
const SUREST: f64 = 0.7;

/// The rivals in every colour, and what they may hold.
pub struct Table {
    rivals: [Vec<Rival>; 6],
    unseen: [[u32; 16]; 6],
}

/// A seat that has cards of a colour on the table, or may have: with this chance so many.
struct Rival {
    comes: f64,
    cards: u32,
}

impl Table {
    pub fn new(view: &View, memory: &Memory) -> Self {
        let rivals = std::array::from_fn(|colour| {
            let seats = view.others().filter(|&seat| !view.passed[seat]);
            seats.filter_map(|seat| rival(view, seat, colour)).collect()
        });
        Table {
            rivals,
            unseen: memory.unseen(&view.hand),
        }
    }

    /// The chance that a card wins: the highest of its colour before this seat has the rank 0, and
    /// fights first; the next one meets only who has a second card, too.
    pub fn chance(&self, colour: usize, rank: usize, value: u8) -> f64 {
        let unseen = &self.unseen[colour];
        let total = f64::from(unseen.iter().sum::<u32>()).max(1.0);
        let lower = f64::from(unseen[..usize::from(value)].iter().sum::<u32>()) / total;
        self.rivals[colour]
            .iter()
            .map(|rival| {
                let beaten = match (rank, rival.cards) {
                    (0, cards) => lower.powi(cards as i32),
                    (_, 0 | 1) => 1.0,
                    (_, _) => 1.0 - (1.0 - lower).powi(2),
                };
                1.0 - rival.comes * (1.0 - beaten)
            })
            .product()
    }
}

fn rival(view: &View, seat: usize, colour: usize) -> Option<Rival> {
    let played = view.played[seat][colour];
    if played > 0 {
        return Some(Rival {
            comes: 1.0,
            cards: played,
        });
    }
    let held = view.hands[seat][colour];
    let waits = view.seats_after().any(|after| after == seat);
    (waits && held > 0).then(|| Rival {
        comes: (JOINS * f64::from(held)).min(SUREST),
        cards: held.min(2),
    })
}
