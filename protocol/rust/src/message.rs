//! A message: the fields of a frame, found in one pass and decoded on demand.

use std::fmt::Display;

use rmp::Marker;
use serde::Deserialize;

use crate::{Error, Raw, Result};

/// The largest nesting depth of messages, including the message itself.
const DEEPEST: usize = 16;
/// No message has more fields today.
const USUAL: usize = 8;

/// A received message with all its fields.
#[derive(Debug)]
pub struct Message<'a> {
    fields: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> Message<'a> {
    /// Reads the body of a frame: one map, with only the types that the protocol allows.
    pub fn read(body: &'a [u8]) -> Result<Self, Error> {
        Message::scan(body).map_err(Error::protocol)
    }

    fn scan(body: &'a [u8]) -> Result<Self, Flaw> {
        let mut scan = Scan { bytes: body, at: 0 };
        let count = scan.map()?;
        let mut fields = Vec::with_capacity(count.min(USUAL));
        for _ in 0..count {
            let key = scan.key()?;
            let begin = scan.at;
            scan.pass(DEEPEST - 1)?;
            fields.push((key, &body[begin..scan.at]));
        }
        if scan.at < body.len() {
            return Err("expected one map in a frame, got more bytes after it");
        }
        Ok(Message { fields })
    }

    /// The type of the message, its field `t`; empty if it has none.
    pub fn t(&self) -> &'a str {
        self.field("t")
            .and_then(|bytes| rmp_serde::from_slice(bytes).ok())
            .unwrap_or("")
    }

    /// A required field.
    pub fn get<T: Deserialize<'a>>(&self, key: &str) -> Result<T, Error> {
        let bytes = self.required(key)?;
        rmp_serde::from_slice(bytes).map_err(|error| self.wrong(key, error))
    }

    /// An optional field.
    pub fn get_or<T: Deserialize<'a>>(&self, key: &str, absent: T) -> Result<T, Error> {
        self.field(key).map_or(Ok(absent), |_| self.get(key))
    }

    /// A field, not decoded, to be read later.
    pub fn raw(&self, key: &str) -> Result<Raw<'a>, Error> {
        self.required(key).map(Raw::new)
    }

    /// An array, not decoded; empty if it is absent.
    pub fn list(&self, key: &str) -> Raw<'a> {
        self.field(key).map(Raw::new).unwrap_or_default()
    }

    /// The names of all fields.
    pub fn keys(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.fields
            .iter()
            .filter_map(|field| std::str::from_utf8(field.0).ok())
    }

    fn field(&self, key: &str) -> Option<&'a [u8]> {
        self.fields
            .iter()
            .find(|field| field.0 == key.as_bytes())
            .map(|field| field.1)
    }

    fn required(&self, key: &str) -> Result<&'a [u8], Error> {
        self.field(key)
            .ok_or_else(|| self.wrong(key, "there is no such field"))
    }

    fn wrong(&self, key: &str, problem: impl Display) -> Error {
        Error::Protocol(format!("{}.{key}: {problem}", self.t()))
    }
}

/// Walks over msgpack without building values. It reads every byte of every message.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// What is wrong with the bytes. Small, so that the walk is fast.
type Flaw = &'static str;

const CUT: Flaw = "expected one map in a frame, got bytes that break off";
const KEYS: Flaw = "expected texts as keys of maps, got something else";
const PLAIN: Flaw = "expected nil, booleans, numbers, texts, arrays and maps, got something else";
const DEEP: Flaw = "expected at most 16 levels of nesting, got more";

impl<'a> Scan<'a> {
    fn byte(&mut self) -> Result<u8, Flaw> {
        let byte = *self.bytes.get(self.at).ok_or(CUT)?;
        self.at += 1;
        Ok(byte)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Flaw> {
        let taken = self.bytes[self.at..].get(..count).ok_or(CUT)?;
        self.at += count;
        Ok(taken)
    }

    /// A length of this many bytes, which follows its marker.
    fn length(&mut self, width: usize) -> Result<usize, Flaw> {
        let bytes = self.take(width)?;
        Ok(bytes
            .iter()
            .fold(0, |length, byte| length << 8 | usize::from(*byte)))
    }

    /// The number of entries of a map, if it is one.
    fn map(&mut self) -> Result<usize, Flaw> {
        match Marker::from_u8(self.byte()?) {
            Marker::FixMap(count) => Ok(count.into()),
            Marker::Map16 => self.length(2),
            Marker::Map32 => self.length(4),
            _ => Err("expected one map in a frame, got something else"),
        }
    }

    /// The bytes of a key.
    fn key(&mut self) -> Result<&'a [u8], Flaw> {
        let length = match Marker::from_u8(self.byte()?) {
            Marker::FixStr(length) => length.into(),
            Marker::Str8 => self.length(1)?,
            Marker::Str16 => self.length(2)?,
            Marker::Str32 => self.length(4)?,
            _ => return Err(KEYS),
        };
        self.text(length)
    }

    /// The bytes of a text.
    #[inline]
    fn text(&mut self, length: usize) -> Result<&'a [u8], Flaw> {
        let bytes = self.take(length)?;
        // Nearly all texts are short and ASCII; for them the full test takes several times as long.
        if bytes.iter().all(u8::is_ascii) || std::str::from_utf8(bytes).is_ok() {
            return Ok(bytes);
        }
        Err("expected texts in UTF-8, got other bytes")
    }

    /// Skip one value, which may nest at most this many levels deep.
    fn pass(&mut self, levels: usize) -> Result<(), Flaw> {
        let byte = self.byte()?;
        match byte {
            0x00..=0x7f | 0xe0..=0xff => Ok(()),
            0xa0..=0xbf => self.text(usize::from(byte & 0x1f)).map(drop),
            0x90..=0x9f => self.entries(usize::from(byte & 0x0f), levels),
            _ => self.pass_long(Marker::from_u8(byte), levels),
        }
    }

    /// Skip a value that is longer than one byte and rarer than short texts and arrays.
    fn pass_long(&mut self, marker: Marker, levels: usize) -> Result<(), Flaw> {
        match marker {
            Marker::Null | Marker::True | Marker::False => Ok(()),
            Marker::U8 | Marker::I8 => self.take(1).map(drop),
            Marker::U16 | Marker::I16 => self.take(2).map(drop),
            Marker::U32 | Marker::I32 | Marker::F32 => self.take(4).map(drop),
            Marker::U64 | Marker::I64 | Marker::F64 => self.take(8).map(drop),
            Marker::FixMap(count) => self.fields(count.into(), levels),
            Marker::Map16 => self.length(2).and_then(|count| self.fields(count, levels)),
            Marker::Map32 => self.length(4).and_then(|count| self.fields(count, levels)),
            Marker::Array16 => self.length(2).and_then(|count| self.entries(count, levels)),
            Marker::Array32 => self.length(4).and_then(|count| self.entries(count, levels)),
            Marker::Str8 => self
                .length(1)
                .and_then(|length| self.text(length))
                .map(drop),
            Marker::Str16 => self
                .length(2)
                .and_then(|length| self.text(length))
                .map(drop),
            Marker::Str32 => self
                .length(4)
                .and_then(|length| self.text(length))
                .map(drop),
            _ => Err(PLAIN),
        }
    }

    fn entries(&mut self, count: usize, levels: usize) -> Result<(), Flaw> {
        let inside = levels.checked_sub(1).ok_or(DEEP)?;
        for _ in 0..count {
            // Most values are small numbers of one byte.
            match self.bytes.get(self.at) {
                Some(0..=0x7f) => self.at += 1,
                _ => self.pass(inside)?,
            }
        }
        Ok(())
    }

    fn fields(&mut self, count: usize, levels: usize) -> Result<(), Flaw> {
        let inside = levels.checked_sub(1).ok_or(DEEP)?;
        for _ in 0..count {
            self.key()?;
            self.pass(inside)?;
        }
        Ok(())
    }
}
