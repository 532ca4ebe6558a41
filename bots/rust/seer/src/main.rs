//! Plays Gargon by expectation: what each card is worth, times the chance that it wins.

mod memory;
mod odds;
mod worth;

use arena_sdk::gargon::{self, colour_name, counts, Action, Card, Event, Rules, View, COLOURS};
use arena_sdk::{Bot, Choice, Question, Result, Start};

use memory::Memory;
use odds::Table;
use worth::Worth;

/// What a drawn card is worth while there is time to play it.
const DRAWN: f64 = 0.9;
/// What a card would bring on another day, by which a play has to be better.
const KEPT: f64 = 0.45;
/// Hands of this size are large enough: drawing more is worth less.
const ENOUGH: f64 = 10.0;
/// Stacks of this size leave time to play whatever is drawn.
const LATE: f64 = 10.0;

fn main() -> Result {
    arena_sdk::run(Seer {
        rules: Rules::default(),
        memory: Memory::new(0),
    })
}

struct Seer {
    rules: Rules,
    memory: Memory,
}

impl Bot for Seer {
    fn name(&self) -> String {
        "seer".into()
    }

    fn version(&self) -> String {
        "1".into()
    }

    fn start(&mut self, start: &Start) -> Result {
        self.rules = start.rules.read()?;
        self.memory = Memory::new(start.seats);
        Ok(())
    }

    fn choose(&mut self, question: &mut Question) -> Result<Choice> {
        let events: Vec<Event> = question.events.read()?;
        events.iter().for_each(|event| self.memory.learn(event));
        let view: View = question.view.read()?;
        let actions: Vec<Action> = question.actions.read()?;
        let judge = Judge {
            table: Table::new(&view, &self.memory),
            worth: Worth::new(&view, &self.memory, &self.rules),
            view: &view,
        };
        let mut best = (0, f64::NEG_INFINITY);
        for (index, action) in actions.iter().enumerate() {
            let rate = judge.rate(action);
            if rate > best.1 {
                best = (index, rate);
            }
        }
        question.note = judge.explain(&actions[best.0], best.1);
        Ok(best.0.into())
    }
}

/// Rates actions in one position.
struct Judge<'a> {
    view: &'a View,
    table: Table,
    worth: Worth,
}

impl Judge<'_> {
    fn rate(&self, action: &Action) -> f64 {
        match action {
            Action::Play(cards) => self.gain(cards) - KEPT * cards.len() as f64 * self.time(),
            Action::Pass(first, second) => self.drawing([*first, *second]),
            // Whoever loses first draws first.
            Action::Battle(colour) => -self.highest(*colour),
            Action::Draw(stack) => self.back(*stack, 0),
        }
    }

    /// What the cards win on average.
    fn gain(&self, cards: &[Card]) -> f64 {
        let played = counts(cards);
        let mut gain = 0.0;
        for colour in (0..COLOURS.len()).filter(|&colour| played[colour] > 0) {
            let mut own: Vec<u8> = cards
                .iter()
                .filter(|&&card| gargon::colour(card) == colour)
                .map(|&card| gargon::value(card))
                .collect();
            own.sort_unstable_by(|a, b| b.cmp(a));
            for (rank, &value) in own.iter().enumerate() {
                gain += self.worth.of(colour, value) * self.table.chance(colour, rank, value);
            }
        }
        gain
    }

    fn drawing(&self, amounts: [u8; 2]) -> f64 {
        let mut sum = 0.0;
        for (stack, &amount) in amounts.iter().enumerate() {
            sum += (0..amount.into())
                .map(|at| self.back(stack, at))
                .sum::<f64>();
        }
        let room = (ENOUGH / self.view.hand.len().max(1) as f64).min(1.5);
        sum * room * self.time()
    }

    /// What a card of a stack is worth by its back.
    fn back(&self, stack: usize, at: usize) -> f64 {
        let colour = self.view.stacks[stack].get(at);
        colour.map_or(0.0, |&colour| DRAWN + 0.1 * self.worth.of_colour(colour))
    }

    /// How much of what is held now can still be played: 1 for all, near the end 0.
    fn time(&self) -> f64 {
        let left = self.view.stacks.iter().map(Vec::len).min().unwrap_or(0);
        (left as f64 / LATE).min(1.0)
    }

    fn highest(&self, colour: usize) -> f64 {
        let own = self
            .view
            .own_table()
            .iter()
            .filter(|&&card| gargon::colour(card) == colour);
        own.map(|&card| f64::from(gargon::value(card)))
            .fold(0.0, f64::max)
    }

    fn explain(&self, action: &Action, rate: f64) -> String {
        match action {
            Action::Play(cards) => format!("expects {:.1} points", self.gain(cards)),
            Action::Pass(..) => format!("drawing is worth {rate:.1}"),
            Action::Battle(colour) => format!("weakest in {}", colour_name(*colour)),
            Action::Draw(stack) => {
                let colour = self.view.stacks[*stack].first();
                format!(
                    "wants {}",
                    colour.map_or("any", |&colour| colour_name(colour))
                )
            }
        }
    }
}
