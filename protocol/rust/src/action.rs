//! An action: a verb, then integers.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};

/// An action of any game, such as `["take", 2]`. The games' own types convert to and from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The verb.
    pub verb: String,
    /// The integers after the verb.
    pub numbers: Vec<i64>,
}

impl Action {
    /// An action of any game.
    pub fn new(verb: &str, numbers: impl IntoIterator<Item = i64>) -> Self {
        Action {
            verb: verb.to_string(),
            numbers: numbers.into_iter().collect(),
        }
    }

    /// The error for an action that a game does not have.
    pub(crate) fn unknown(&self) -> String {
        let numbers: String = self
            .numbers
            .iter()
            .map(|number| format!(", {number}"))
            .collect();
        format!("[{:?}{numbers}] is no action of this game", self.verb)
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut words = serializer.serialize_seq(Some(1 + self.numbers.len()))?;
        words.serialize_element(&self.verb)?;
        self.numbers
            .iter()
            .try_for_each(|number| words.serialize_element(number))?;
        words.end()
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Words)
    }
}

struct Words;

impl<'de> Visitor<'de> for Words {
    type Value = Action;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("an action: an array of a verb and integers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut words: A) -> Result<Action, A::Error> {
        let verb = words
            .next_element()?
            .ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let mut numbers = Vec::with_capacity(words.size_hint().unwrap_or(0));
        while let Some(number) = words.next_element()? {
            numbers.push(number);
        }
        Ok(Action { verb, numbers })
    }
}

/// A bot's choice: an action, or its index in the list of legal actions. Actions and integers
/// convert to it with `into()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The action itself.
    Action(Action),
    /// Its index in `question.actions`.
    Index(i64),
}

impl From<Action> for Choice {
    fn from(action: Action) -> Self {
        Choice::Action(action)
    }
}

impl From<usize> for Choice {
    fn from(index: usize) -> Self {
        Choice::Index(index as i64)
    }
}

// The default type of integers, so that `Ok(0)` is an answer.
impl From<i32> for Choice {
    fn from(index: i32) -> Self {
        Choice::Index(index.into())
    }
}
