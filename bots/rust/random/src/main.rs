//! Some legal action, by chance: any game.

use arena_sdk::{bot, run, Result};

fn main() -> Result {
    run(bot("random", |question| {
        Ok(question.random().below(question.actions.len()))
    })
    .version("1")
    .wants_events(false))
}
