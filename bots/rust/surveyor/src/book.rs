//! What every card on the table is worth on average, to the eyes of one seat.

use arena_sdk::castors::{
    mean_value, odds, value, Card, Odds, View, DRAW, KINDS, NINE, PEEK, ROW, SWAP, UNKNOWN,
};

/// Points that knowing one more of the own cards saves later.
const PEEKED: f64 = 0.6;

/// The expected points of all rows, worked out once for a decision.
pub struct Book<'a> {
    view: &'a View,
    pile: Odds,
    points: Vec<[f64; ROW]>,
    worst: (usize, f64),
    prize: (usize, usize, f64),
    draw: f64,
}

impl<'a> Book<'a> {
    pub fn new(view: &'a View) -> Self {
        let points: Vec<[f64; ROW]> = (0..view.rows.len())
            .map(|seat| std::array::from_fn(|position| points(view, seat, position)))
            .collect();
        let places = |seat: usize| {
            let row = points[seat].iter().copied().enumerate();
            row.map(move |(position, points)| (seat, position, points))
        };
        let (_, position, most) = places(view.seat)
            .max_by(|a, b| a.2.total_cmp(&b.2))
            .unwrap_or_default();
        let prize = view
            .others()
            .flat_map(places)
            .min_by(|a, b| a.2.total_cmp(&b.2))
            .unwrap_or_default();
        let mut book = Book {
            view,
            pile: odds(view.pile_pool()),
            worst: (position, most),
            prize,
            draw: 0.0,
            points,
        };
        book.draw = book.on_average(|card| book.saves(card).max(0.0));
        book
    }

    /// The position of the own card with the most points, and how many.
    pub fn worst(&self) -> (usize, f64) {
        self.worst
    }

    /// Seat and position of the others' card with the fewest points, and how many.
    pub fn prize(&self) -> (usize, usize, f64) {
        self.prize
    }

    /// The points of a row.
    pub fn row(&self, seat: usize) -> f64 {
        self.points[seat].iter().sum()
    }

    /// A position of the own row whose card is not known.
    pub fn unknown(&self) -> Option<usize> {
        self.view.own_row().iter().position(|&card| card == UNKNOWN)
    }

    /// Points that drawing from the pile saves.
    pub fn draw(&self) -> f64 {
        self.draw
    }

    /// Points that a drawn card saves if it is put to use.
    pub fn saves(&self, card: Card) -> f64 {
        match card {
            0..=NINE => self.worst.1 - f64::from(card),
            SWAP => self.worst.1 - self.prize.2,
            PEEK => self.unknown().map_or(0.0, |_| PEEKED),
            // The better of two cards: the first is rejected if the second promises more.
            _ => {
                let plain = |card| {
                    if card == DRAW {
                        0.0
                    } else {
                        self.saves(card).max(0.0)
                    }
                };
                let second = self.on_average(plain);
                self.on_average(|card| plain(card).max(second))
            }
        }
    }

    fn on_average(&self, saved: impl Fn(Card) -> f64) -> f64 {
        (0..KINDS)
            .map(|card| self.pile[card] * saved(card as Card))
            .sum()
    }
}

/// The points at a position on average. Nobody keeps a card by chance: what another seat has drawn
/// and kept is the likelier the lower it is.
fn points(view: &View, seat: usize, position: usize) -> f64 {
    if view.rows[seat][position] != UNKNOWN {
        return view.expected_points(seat, position);
    }
    let (mut sum, mut weights) = (0.0, 0.0);
    for (card, &count) in (0..).zip(view.pool(seat, position)) {
        let weight = match (value(card), view.kept[seat][position]) {
            (Some(_), true) => f64::from(count) * f64::from(NINE + 1 - card),
            (None, true) => 0.0,
            (_, false) => f64::from(count),
        };
        sum += weight * value(card).map_or_else(|| mean_value(view.pile_pool()), f64::from);
        weights += weight;
    }
    sum / weights.max(f64::MIN_POSITIVE)
}
