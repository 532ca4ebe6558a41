//! The arena's SDK for bots in Rust.
//!
//! A bot is a function that returns an action for each question:
//!
//! ```no_run
//! use arena_sdk::{bot, run, Result};
//!
//! fn main() -> Result {
//!     run(bot("first", |question| {
//!         question.note = format!("{} choices", question.actions.len());
//!         Ok(0)
//!     }))
//! }
//! ```
//!
//! or a type with the trait [`Bot`], if it keeps state or needs to know when games begin and end.
//! [`gargon`] and [`castors`] have the types of the two games.

#![deny(missing_docs, unsafe_code)]

mod action;
mod bot;
pub mod castors;
mod end;
mod error;
pub mod gargon;
mod line;
mod message;
mod panics;
mod question;
mod random;
mod raw;
mod run;
mod start;
mod stdio;

pub use action::{Action, Choice};
pub use bot::{bot, Bot, Function};
pub use end::{End, Fault};
pub use error::{Error, Failure, Result};
pub use line::Line;
pub use message::Message;
pub use question::Question;
pub use random::Random;
pub use raw::Raw;
pub use run::{run, run_on};
pub use start::{Clock, Start};

/// The version of the protocol that this crate speaks: major, minor.
pub const VERSION: [u64; 2] = [1, 0];

/// Compiles the README's bot in tests only: a copy of the crate in a bot has no README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
