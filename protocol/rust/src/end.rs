//! The end of a game for this bot: a normal end or a fault.

use std::fmt;

use crate::{Error, Message, Raw, Result, Start};

/// The end of a game: scores, places and verdicts by seat, and the last events.
#[derive(Debug)]
pub struct End<'a> {
    /// Points.
    pub scores: Vec<i64>,
    /// Places, 1 the best; equal results share the better place.
    pub places: Vec<i64>,
    /// `finished`, or the code of a fault.
    pub verdicts: Vec<&'a str>,
    /// What happened since this bot was last asked, if it wants events; else empty.
    pub events: Raw<'a>,
    /// The number of the first of `events`.
    pub first_event: i64,
    /// The game.
    pub start: &'a Start,
}

impl<'a> End<'a> {
    pub(crate) fn read(message: &Message<'a>, start: &'a Start) -> Result<Self, Error> {
        Ok(End {
            scores: message.get("scores")?,
            places: message.get("places")?,
            verdicts: message.get("verdicts")?,
            events: message.list("events"),
            first_event: message.get_or("first_event", 0)?,
            start,
        })
    }
}

/// This bot has failed, and is out of the game.
#[derive(Debug)]
pub struct Fault<'a> {
    /// The code of the fault.
    pub verdict: &'a str,
    /// What was wrong and where.
    pub text: &'a str,
    /// How many decisions all seats together had taken before the fault.
    pub decision: i64,
    /// The consequences of the fault.
    pub follows: &'a str,
}

impl<'a> Fault<'a> {
    pub(crate) fn read(message: &Message<'a>) -> Result<Self, Error> {
        Ok(Fault {
            verdict: message.get("verdict")?,
            text: message.get("text")?,
            decision: message.get("decision")?,
            follows: message.get("follows")?,
        })
    }
}

impl fmt::Display for Fault<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "fault: {}: {}", self.verdict, self.text)
    }
}
