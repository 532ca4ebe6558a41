//! A decision to make.

use crate::{Error, Message, Random, Raw, Result, Start};

/// A decision to make.
///
/// `view`, `actions` and `events` are decoded on demand, as the types of the game or any other:
///
/// ```
/// # fn choose(question: &arena_sdk::Question) -> arena_sdk::Result {
/// use arena_sdk::gargon::{Action, View};
///
/// let view: View = question.view.read()?;
/// let actions: Vec<Action> = question.actions.read()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Question<'a> {
    /// Its number.
    pub id: i64,
    /// The kind of decision, as the game defines it.
    pub kind: &'a str,
    /// What this seat sees.
    pub view: Raw<'a>,
    /// The legal actions, in canonical order, if the bot wants them; else empty.
    pub actions: Raw<'a>,
    /// What happened since this bot was last asked, if it wants events; else empty.
    pub events: Raw<'a>,
    /// The number of the first of `events`.
    pub first_event: i64,
    /// The rest of the game's bank, in milliseconds.
    pub bank: i64,
    /// A remark that replays show.
    pub note: String,
    /// The game.
    pub start: &'a Start,
}

impl<'a> Question<'a> {
    /// Makes a question for a test.
    pub fn new(kind: &'a str, view: Raw<'a>, start: &'a Start) -> Self {
        let (actions, events) = (Raw::default(), Raw::default());
        let (note, bank) = (String::new(), start.clock.bank);
        Question {
            id: 1,
            kind,
            view,
            actions,
            events,
            first_event: 0,
            bank,
            note,
            start,
        }
    }

    pub(crate) fn read(message: &Message<'a>, start: &'a Start) -> Result<Self, Error> {
        Ok(Question {
            id: message.get("id")?,
            kind: message.get("kind")?,
            view: message.raw("view")?,
            actions: message.list("actions"),
            events: message.list("events"),
            first_event: message.get_or("first_event", 0)?,
            bank: message.get("bank")?,
            note: String::new(),
            start,
        })
    }

    /// The random generator of this game.
    pub fn random(&self) -> &'a Random {
        &self.start.random
    }
}
