//! The rule bot: section 11 of the protocol.

use arena_sdk::{Action, Bot, Choice, Question, Result, Start};

/// Its state.
#[derive(Default)]
pub struct RuleBot {
    x: u32,
    questions: u32,
}

impl Bot for RuleBot {
    fn name(&self) -> String {
        "rule".into()
    }

    fn version(&self) -> String {
        "1".into()
    }

    fn start(&mut self, start: &Start) -> Result {
        self.x = start.seed.max(1);
        self.questions = 0;
        Ok(())
    }

    fn choose(&mut self, question: &mut Question) -> Result<Choice> {
        self.x ^= self.x << 13;
        self.x ^= self.x >> 17;
        self.x ^= self.x << 5;
        let index = self.x as usize % question.actions.len();
        self.questions += 1;
        if self.questions % 2 == 1 {
            return Ok(index.into());
        }
        let mut actions: Vec<Action> = question.actions.read()?;
        Ok(actions.swap_remove(index).into())
    }
}
