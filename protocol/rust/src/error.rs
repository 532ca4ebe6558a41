//! The errors between the referee and a bot.

use std::{fmt, io};

/// Any error that a bot's methods may return, so that `?` works with all errors.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The result of a bot's methods, and of `main`.
pub type Result<T = (), E = Failure> = std::result::Result<T, E>;

/// The errors of this crate.
pub enum Error {
    /// A pipe to or from the referee is broken.
    Line(io::Error),
    /// Data that does not match the protocol or a game's types; the text says where.
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

// Rust prints the error that `main` returns with this trait; it should be a readable sentence.
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
