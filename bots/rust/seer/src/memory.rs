//! What everybody has seen in a game so far, from its events.

use arena_sdk::gargon::{card, colour, copies, counts, value, Card, Counts, Event};

/// How many of each card, by colour and value.
pub type Pack = [[u32; 16]; 6];

/// What has been turned up, and who won how many cards of each colour.
pub struct Memory {
    pub gone: Pack,
    pub won: Vec<Counts>,
}

impl Memory {
    pub fn new(seats: usize) -> Self {
        Memory {
            gone: Pack::default(),
            won: vec![Counts::default(); seats],
        }
    }

    pub fn learn(&mut self, event: &Event) {
        match event {
            Event::Revealed { table } => {
                table
                    .iter()
                    .flatten()
                    .for_each(|&card| add(&mut self.gone, card));
            }
            Event::Fought {
                seats,
                cards,
                winner,
            } => {
                let fighters = seats.iter().zip(cards);
                for (&seat, &card) in fighters.filter(|(&seat, _)| seat as i32 == *winner) {
                    self.won[seat][colour(card)] += 1;
                }
            }
            Event::Won { seat, cards } => {
                for (all, more) in self.won[*seat].iter_mut().zip(counts(cards)) {
                    *all += more;
                }
            }
            _ => {}
        }
    }

    /// The cards that nobody has turned up and that are not in this hand.
    pub fn unseen(&self, hand: &[Card]) -> Pack {
        let mut known = self.gone;
        hand.iter().for_each(|&card| add(&mut known, card));
        let mut unseen = Pack::default();
        for (left, known) in unseen.iter_mut().zip(known) {
            for (value, count) in left.iter_mut().enumerate() {
                *count = copies(card(0, value as u8)).saturating_sub(known[value]);
            }
        }
        unseen
    }
}

fn add(pack: &mut Pack, card: Card) {
    pack[colour(card)][usize::from(value(card))] += 1;
}
