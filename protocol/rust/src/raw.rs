//! A value in msgpack, decoded on demand.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

const EMPTY: &[u8] = &[0x90];

/// A value of a message that is not decoded yet: `question.view.read()?` decodes it as any type
/// that can be deserialized, such as [`gargon::View`](crate::gargon::View).
#[derive(Clone, Debug)]
pub struct Raw<'a>(Cow<'a, [u8]>);

impl<'a> Raw<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Raw(Cow::Borrowed(bytes))
    }

    /// Decodes the value as a type.
    pub fn read<'s, T: Deserialize<'s>>(&'s self) -> Result<T, Error> {
        rmp_serde::from_slice(&self.0)
            .map_err(|error| Error::Protocol(format!("{}: {error}", std::any::type_name::<T>())))
    }

    /// How many entries an array or a map has; 0 if the value is something else.
    pub fn len(&self) -> usize {
        let long = || rmp::decode::read_array_len(&mut &*self.0).ok();
        let entries = long().or_else(|| rmp::decode::read_map_len(&mut &*self.0).ok());
        entries.unwrap_or(0) as usize
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value in msgpack.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// A copy of the value that outlives the message.
    pub fn into_owned(self) -> Raw<'static> {
        Raw(Cow::Owned(self.0.into_owned()))
    }
}

impl Raw<'static> {
    /// Makes a value from anything that can be serialized, for tests.
    pub fn of(value: &impl Serialize) -> Self {
        let bytes = rmp_serde::to_vec_named(value).expect("a value of plain data");
        Raw(Cow::Owned(bytes))
    }
}

/// An array without entries.
impl Default for Raw<'_> {
    fn default() -> Self {
        Raw(Cow::Borrowed(EMPTY))
    }
}
