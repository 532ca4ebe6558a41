//! The rule bot as a program.

mod rule;

fn main() -> arena_sdk::Result {
    arena_sdk::run(rule::RuleBot::default())
}
