//! Gang de Castors: views, actions, events, and the odds of hidden cards.
//!
//! `arena game show castors` describes everything.

use serde::{Deserialize, Serialize};

use crate::Choice;

/// A card: 0 to 9 its value, [`SWAP`], [`PEEK`] or [`DRAW`]; [`UNKNOWN`] if you cannot know it.
pub type Card = i8;

/// A card that you cannot know.
pub const UNKNOWN: Card = -1;
/// The highest value.
pub const NINE: Card = 9;
/// Exchanges one of your cards for any one of an opponent.
pub const SWAP: Card = 10;
/// Looks at one of your cards.
pub const PEEK: Card = 11;
/// Draws a card that can be rejected for a second one.
pub const DRAW: Card = 12;
/// How many different cards there are.
pub const KINDS: usize = 13;
/// How many cards a row has.
pub const ROW: usize = 4;

/// The number of each card.
pub type Pool = [u32; KINDS];

/// The probability of each card.
pub type Odds = [f64; KINDS];

/// The points of a card; none if it is special or unknown.
pub fn value(card: Card) -> Option<u8> {
    if card > NINE {
        return None;
    }
    u8::try_from(card).ok()
}

/// Whether a card is swap, peek or draw.
pub fn is_special(card: Card) -> bool {
    card > NINE
}

/// The name of a card: "5", or "swap".
pub fn card_name(card: Card) -> String {
    match card {
        UNKNOWN => "unknown".into(),
        SWAP => "swap".into(),
        PEEK => "peek".into(),
        DRAW => "draw".into(),
        value => value.to_string(),
    }
}

/// The options of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// The number of laps after which a deal ends even if nobody has called.
    pub laps: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { laps: 100 }
    }
}

/// What a seat sees. Lists with one entry per seat start with seat 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Your seat.
    pub seat: usize,
    /// The seat that has to decide, -1 after the end.
    pub turn: i32,
    /// What it has to decide, empty after the end.
    pub kind: String,
    /// The number of the deal, from 0.
    pub deal: u32,
    /// How many deals the game has.
    pub deals: u32,
    /// The dealer; his left neighbour began.
    pub dealer: usize,
    /// How many turns were completed in this deal.
    pub moves: u32,
    /// Who called the last round, -1 if nobody has.
    pub caller: i32,
    /// The rows of all seats.
    pub rows: Vec<[Card; ROW]>,
    /// Who knows which card of the rows: the sum of 2^seat over the seats that do.
    pub known_by: Vec<[u8; ROW]>,
    /// Which cards were drawn and kept, so that they are surely value cards.
    pub kept: Vec<[bool; ROW]>,
    /// The discards, the top card last.
    pub discards: Vec<Card>,
    /// How many cards the pile has.
    pub pile: u32,
    /// The card that the seat in turn has drawn; none if there is none.
    pub drawn: Option<Card>,
    /// Whether the drawn card can be rejected for a second one.
    pub rejectable: bool,
    /// How many of each card you cannot locate, by the shuffle that they came from; the last pool
    /// is that of the pile.
    pub pools: Vec<Pool>,
    /// The pool from which each card of the rows came.
    pub row_pools: Vec<[usize; ROW]>,
    /// The pool from which the drawn card came, -1 if none.
    pub drawn_pool: i32,
    /// The points of the deals so far, by seat.
    pub totals: Vec<i64>,
}

impl View {
    /// Your row.
    pub fn own_row(&self) -> &[Card; ROW] {
        &self.rows[self.seat]
    }

    /// The open card.
    pub fn top_discard(&self) -> Card {
        self.discards.last().copied().unwrap_or(UNKNOWN)
    }

    /// The seats of the others, clockwise from you.
    pub fn others(&self) -> impl Iterator<Item = usize> {
        let (seat, seats) = (self.seat, self.rows.len());
        (1..seats).map(move |step| (seat + step) % seats)
    }

    /// How many of each card may be at this place, if you do not know the card.
    pub fn pool(&self, seat: usize, position: usize) -> &Pool {
        &self.pools[self.row_pools[seat][position]]
    }

    /// How many of each card may come next from the pile.
    pub fn pile_pool(&self) -> &Pool {
        &self.pools[self.pools.len() - 1]
    }

    /// The mean points of the card at a position. At the end a value card replaces a special card.
    pub fn expected_points(&self, seat: usize, position: usize) -> f64 {
        match self.rows[seat][position] {
            UNKNOWN => mean_value(self.pool(seat, position)),
            card => value(card).map_or_else(|| mean_value(self.pile_pool()), f64::from),
        }
    }
}

/// The probability of each card of a pool.
pub fn odds(pool: &Pool) -> Odds {
    let total = pool.iter().sum::<u32>().max(1);
    pool.map(|count| f64::from(count) / f64::from(total))
}

/// The mean of the value cards of a pool; 0 if it has none.
pub fn mean_value(pool: &Pool) -> f64 {
    let values = &pool[..=NINE as usize];
    let points: u32 = values
        .iter()
        .zip(0..)
        .map(|(count, value)| count * value)
        .sum();
    f64::from(points) / f64::from(values.iter().sum::<u32>().max(1))
}

/// An action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "crate::Action", into = "crate::Action")]
pub enum Action {
    /// Draw the top card of the pile, or play the draw card.
    Draw,
    /// Take the top discard and put it into your row at this position.
    Take(usize),
    /// Put the drawn value card into your row at this position.
    Keep(usize),
    /// Play the swap card.
    Swap {
        /// Where your card lies.
        own: usize,
        /// Whose card you get.
        seat: usize,
        /// Where it lies.
        position: usize,
    },
    /// Play the peek card: look at your card at this position.
    Peek(usize),
    /// Put the drawn card on the discards, without effect.
    Discard,
    /// Discard the first card from a draw card, and draw a second one that must be used.
    Reject,
    /// Call the last round.
    Call,
    /// Play on.
    Wait,
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        let (verb, numbers): (_, &[usize]) = match action {
            Action::Draw => ("draw", &[]),
            Action::Take(position) => ("take", &[position]),
            Action::Keep(position) => ("keep", &[position]),
            Action::Swap {
                own,
                seat,
                position,
            } => ("swap", &[own, seat, position]),
            Action::Peek(position) => ("peek", &[position]),
            Action::Discard => ("discard", &[]),
            Action::Reject => ("reject", &[]),
            Action::Call => ("call", &[]),
            Action::Wait => ("wait", &[]),
        };
        crate::Action::new(verb, numbers.iter().map(|&number| number as i64))
    }
}

impl TryFrom<crate::Action> for Action {
    type Error = String;

    fn try_from(action: crate::Action) -> Result<Self, String> {
        let numbers: Result<Vec<usize>, _> = action.numbers.iter().map(|&n| n.try_into()).collect();
        let numbers = numbers.map_err(|_| action.unknown())?;
        Ok(match (action.verb.as_str(), numbers.as_slice()) {
            ("draw", []) => Action::Draw,
            ("take", &[position]) => Action::Take(position),
            ("keep", &[position]) => Action::Keep(position),
            ("swap", &[own, seat, position]) => Action::Swap {
                own,
                seat,
                position,
            },
            ("peek", &[position]) => Action::Peek(position),
            ("discard", []) => Action::Discard,
            ("reject", []) => Action::Reject,
            ("call", []) => Action::Call,
            ("wait", []) => Action::Wait,
            _ => return Err(action.unknown()),
        })
    }
}

impl From<Action> for Choice {
    fn from(action: Action) -> Self {
        Choice::Action(action.into())
    }
}

/// An event. Private fields are none for the other seats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
#[allow(missing_docs)] // the fields mean the same as in the view
pub enum Event {
    /// A deal began, and a card was turned up.
    Deal {
        deal: u32,
        dealer: usize,
        card: Card,
    },
    /// A seat looked at the ends of its row; only it sees the cards.
    Looked {
        seat: usize,
        positions: Vec<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cards: Option<Vec<Card>>,
    },
    /// A seat took the top discard into its row.
    Took {
        seat: usize,
        card: Card,
        position: usize,
        discarded: Card,
    },
    /// A seat drew; only it sees the card.
    Drew {
        seat: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// A seat put the drawn card into its row.
    Kept {
        seat: usize,
        position: usize,
        discarded: Card,
    },
    /// A seat discarded the drawn card.
    Discarded { seat: usize, card: Card },
    /// A seat rejected the drawn card.
    Rejected { seat: usize, card: Card },
    /// A seat played a swap card.
    Swapped {
        seat: usize,
        position: usize,
        other: usize,
        other_position: usize,
    },
    /// A seat played a peek card; only it sees what it looked at.
    Peeked {
        seat: usize,
        position: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// A seat played a draw card.
    Drawing { seat: usize },
    /// The discards became a new pile with this number of cards.
    Reshuffled { pile: u32 },
    /// A seat called the last round.
    Called { seat: usize },
    /// An action card in a row was replaced at the end of a deal: the cards set aside, then the
    /// one that stayed.
    Replaced {
        seat: usize,
        position: usize,
        cards: Vec<Card>,
    },
    /// A deal ended; all rows are shown, with the points of this deal and of all so far.
    Counted {
        rows: Vec<[Card; ROW]>,
        points: Vec<i64>,
        totals: Vec<i64>,
    },
    /// An event of a later version of the rules.
    #[serde(other)]
    Unknown,
}
