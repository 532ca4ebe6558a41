//! Gargon: views, actions, events, and helpers for cards.
//!
//! `arena game show gargon` describes everything.

use serde::{Deserialize, Serialize};

use crate::Choice;

/// A card: `colour * 16 + value`. The two zeros of a colour are the same number.
pub type Card = u8;

/// A colour, the index of its name in [`COLOURS`].
pub type Colour = usize;

/// How many cards of each colour.
pub type Counts = [u32; 6];

/// The names of the colours.
pub const COLOURS: [&str; 6] = ["white", "blue", "violet", "red", "yellow", "green"];

/// The highest value of a card; the lowest is 0.
pub const HIGHEST: u8 = 15;

/// The colour of a card.
pub fn colour(card: Card) -> Colour {
    usize::from(card >> 4)
}

/// The value of a card, 0 to 15.
pub fn value(card: Card) -> u8 {
    card & HIGHEST
}

/// The card of this colour and value.
pub fn card(colour: Colour, value: u8) -> Card {
    (colour as u8) << 4 | value
}

/// The name of a card: "red 9".
pub fn card_name(card: Card) -> String {
    format!("{} {}", colour_name(colour(card)), value(card))
}

/// The name of a colour.
pub fn colour_name(colour: Colour) -> &'static str {
    COLOURS[colour]
}

/// How many of the cards there are of each colour.
pub fn counts(cards: &[Card]) -> Counts {
    let mut counts = Counts::default();
    cards.iter().for_each(|&card| counts[colour(card)] += 1);
    counts
}

/// How many copies of this card there are.
pub fn copies(card: Card) -> u32 {
    if value(card) == 0 {
        2
    } else {
        1
    }
}

/// Amulets on a card.
pub fn amulets(card: Card, rules: &Rules) -> u32 {
    let before = usize::from(value(card)).checked_sub(1);
    before
        .and_then(|at| rules.amulets.get(at))
        .copied()
        .unwrap_or(0)
}

/// The shape of a play, most first: [2, 1] is two cards of one colour and one of another.
pub fn shape(cards: &[Card]) -> Vec<u32> {
    let mut shape: Vec<u32> = counts(cards)
        .into_iter()
        .filter(|&count| count > 0)
        .collect();
    shape.sort_unstable_by(|a, b| b.cmp(a));
    shape
}

/// The options of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// Whether won cards lie open for all to see.
    pub open_winnings: bool,
    /// Amulets on the cards of value 1 to 12.
    pub amulets: [u32; 12],
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            open_winnings: false,
            amulets: [5, 5, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1],
        }
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
    /// The number of the round, from 0.
    pub round: u32,
    /// The starter of the round.
    pub starter: usize,
    /// The starter's shape, most first; none until he has played.
    pub shape: Option<Vec<u32>>,
    /// Who passed in this round.
    pub passed: Vec<bool>,
    /// Your cards, ascending.
    pub hand: Vec<Card>,
    /// Every hand by the colours on the backs.
    pub hands: Vec<Counts>,
    /// The cards before each seat on the table, by colour.
    pub played: Vec<Counts>,
    /// The cards before each seat on the table; none while they lie face down to you.
    pub table: Vec<Option<Vec<Card>>>,
    /// The colours on the backs of both stacks, the top card first.
    pub stacks: [Vec<Colour>; 2],
    /// The piles of won cards, in the order in which they were won; none for other seats before
    /// the end, unless winnings are open.
    pub won: Vec<Option<Vec<Card>>>,
    /// All discarded cards, in the order in which they were discarded.
    pub discards: Vec<Card>,
    /// The colour of the battle going on, -1 if none.
    pub fighting: i32,
    /// Who still draws a card for the one he lost, in order.
    pub drawing: Vec<usize>,
}

impl View {
    /// The seats that play or pass after you in this round, in their order.
    pub fn seats_after(&self) -> impl Iterator<Item = usize> {
        let starter = self.starter;
        self.others().take_while(move |&seat| seat != starter)
    }

    /// The seats of the others, clockwise from you.
    pub fn others(&self) -> impl Iterator<Item = usize> {
        let (seat, seats) = (self.seat, self.hands.len());
        (1..seats).map(move |step| (seat + step) % seats)
    }

    /// Your cards on the table.
    pub fn own_table(&self) -> &[Card] {
        self.table[self.seat].as_deref().unwrap_or_default()
    }

    /// The cards that you have won.
    pub fn own_won(&self) -> &[Card] {
        self.won[self.seat].as_deref().unwrap_or_default()
    }
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "crate::Action", into = "crate::Action")]
pub enum Action {
    /// Put one to three cards of your hand before you, face down.
    Play(Vec<Card>),
    /// Pass, and draw these numbers of cards from the top of stack 0 and of stack 1.
    Pass(u8, u8),
    /// Fight in this colour.
    Battle(Colour),
    /// Draw the top card of this stack.
    Draw(usize),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        match action {
            Action::Play(cards) => crate::Action::new("play", cards.into_iter().map(i64::from)),
            Action::Pass(first, second) => {
                crate::Action::new("pass", [first.into(), second.into()])
            }
            Action::Battle(colour) => crate::Action::new("battle", [colour as i64]),
            Action::Draw(stack) => crate::Action::new("draw", [stack as i64]),
        }
    }
}

impl TryFrom<crate::Action> for Action {
    type Error = String;

    fn try_from(action: crate::Action) -> Result<Self, String> {
        let small = |number: i64| u8::try_from(number).map_err(|_| action.unknown());
        match (action.verb.as_str(), action.numbers.as_slice()) {
            ("play", cards) => cards
                .iter()
                .map(|&card| small(card))
                .collect::<Result<_, _>>()
                .map(Action::Play),
            ("pass", &[first, second]) => Ok(Action::Pass(small(first)?, small(second)?)),
            ("battle", &[colour]) => small(colour).map(|colour| Action::Battle(colour.into())),
            ("draw", &[stack]) => small(stack).map(|stack| Action::Draw(stack.into())),
            _ => Err(action.unknown()),
        }
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
    /// A hand was dealt; only its owner sees the cards.
    Dealt {
        seat: usize,
        colours: Vec<Colour>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cards: Option<Vec<Card>>,
    },
    /// A round began.
    Round { round: u32, starter: usize },
    /// Cards were played face down; only their owner sees which.
    Played {
        seat: usize,
        colours: Vec<Colour>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cards: Option<Vec<Card>>,
    },
    /// A seat passed and drew cards from each stack; only it sees which.
    Passed {
        seat: usize,
        amounts: [u8; 2],
        colours: Vec<Colour>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cards: Option<Vec<Card>>,
    },
    /// The played cards were turned up.
    Revealed { table: Vec<Vec<Card>> },
    /// A colour was chosen for battle.
    Battle { seat: usize, colour: Colour },
    /// The card of each of these seats fought; the winner keeps his, the others are discarded.
    /// The winner is -1 if all were zeros, and nobody draws.
    Fought {
        seats: Vec<usize>,
        cards: Vec<Card>,
        winner: i32,
    },
    /// The only seat left in a colour won its cards.
    Won { seat: usize, cards: Vec<Card> },
    /// A seat drew a card for the one it lost; only it sees which.
    Drew {
        seat: usize,
        stack: usize,
        colour: Colour,
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// The game ended; all piles are shown, and the points by seat.
    Scored {
        won: Vec<Vec<Card>>,
        scores: Vec<i64>,
    },
    /// An event of a later version of the rules.
    #[serde(other)]
    Unknown,
}
