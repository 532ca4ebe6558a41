//! The start of a game.

use serde::Deserialize;

use crate::{Error, Message, Random, Raw, Result};

/// The start of a game: the game, its rules, and this bot's seat.
#[derive(Clone, Debug)]
pub struct Start {
    /// The number of the game.
    pub number: i64,
    /// Its name.
    pub game: String,
    /// All options of the game, to be read as [`gargon::Rules`](crate::gargon::Rules) or
    /// [`castors::Rules`](crate::castors::Rules).
    pub rules: Raw<'static>,
    /// This bot's seat.
    pub seat: usize,
    /// How many seats there are.
    pub seats: usize,
    /// This bot's own seed for this game.
    pub seed: u32,
    /// The time that the bot has.
    pub clock: Clock,
    /// The random generator of this game, made from the seed; the same seed gives the same numbers.
    pub random: Random,
}

/// Milliseconds.
#[derive(Clone, Debug, Deserialize)]
pub struct Clock {
    /// For every decision.
    pub decision: i64,
    /// For longer decisions in a game.
    pub bank: i64,
    /// From the start of the process until its hello.
    pub start: i64,
}

impl Start {
    /// Makes a start for a test.
    pub fn new(game: &str, rules: Raw<'static>, seat: usize, seats: usize, seed: u32) -> Self {
        let clock = Clock {
            decision: 100,
            bank: 10_000,
            start: 10_000,
        };
        let (game, random) = (game.to_string(), Random::new(seed));
        Start {
            number: 0,
            game,
            rules,
            seat,
            seats,
            seed,
            clock,
            random,
        }
    }

    pub(crate) fn read(message: &Message) -> Result<Self, Error> {
        let seed = message.get("seed")?;
        Ok(Start {
            number: message.get("number")?,
            game: message.get("game")?,
            rules: message.raw("rules")?.into_owned(),
            seat: message.get("seat")?,
            seats: message.get("seats")?,
            seed,
            clock: message.get("clock")?,
            random: Random::new(seed),
        })
    }
}
