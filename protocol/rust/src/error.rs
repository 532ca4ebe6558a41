//! What can go wrong between the referee and a bot.

use std::{fmt, io};

/// Any error: what a bot's methods may fail with, so that `?` works on whatever it calls.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What a bot's methods, and `main`, return.
pub type Result<T = (), E = Failure> = std::result::Result<T, E>;

/// What this crate itself fails with.
pub enum Error {
    /// A pipe to or from the referee is broken.
    Line(io::Error),
    /// Something is not what the protocol, or a game's types, expect; the text says where.
    Protocol(String),
}

impl Error {
    pub(crate) fn protocol(text: impl Into<String>) -> Self {
        Error::Protocol(text.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Line(error) => write!(out, "the line to the referee is broken: {error}"),
            Error::Protocol(text) => out.write_str(text),
        }
    }
}

// What `main` returns is printed by this trait, and an author wants to read a sentence.
impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Line(error) => Some(error),
            Error::Protocol(_) => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Line(error)
    }
}
