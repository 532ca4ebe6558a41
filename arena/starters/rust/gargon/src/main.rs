//! A first bot for Gargon: it plays the cards with the highest expected points.

use arena_sdk::gargon::{amulets, colour, value, Action, Card, Rules, View};
use arena_sdk::{bot, run, Question, Result};

#[cfg(test)]
mod tests;

/// The value of a won card for the bonus for most cards of its colour.
const MAJORITY: f64 = 4.0;
/// The value of a won 0, as it doubles the amulets of its colour.
const ZERO: f64 = 8.0;
/// Draw cards rather than play for less than this.
const PASS: f64 = 1.5;

fn main() -> Result {
    run(bot("my-bot", choose).version("1").wants_events(false))
}

/// Returns the best legal action; `question.actions` lists them.
fn choose(question: &mut Question) -> Result<Action> {
    let view: View = question.view.read()?;
    let rules: Rules = question.start.rules.read()?;
    let actions: Vec<Action> = question.actions.read()?;
    let rated = actions
        .into_iter()
        .map(|action| (rate(&action, &view, &rules), action));
    // The first of equal ones.
    let best = rated.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (rate, action) = best.ok_or("there are no actions to choose from")?;
    question.note = format!("rated {rate:.1}");
    Ok(action)
}

fn rate(action: &Action, view: &View, rules: &Rules) -> f64 {
    match action {
        // The value of the cards, each times its chance to win.
        Action::Play(cards) => cards
            .iter()
            .map(|&card| worth(card, rules) * chance(card, view))
            .sum(),
        Action::Pass(first, second) => PASS + 0.1 * f64::from(first + second),
        // Fight first in the colour of its highest card.
        Action::Battle(fought) => {
            let own = view
                .own_table()
                .iter()
                .filter(|&&card| colour(card) == *fought);
            own.map(|&card| f64::from(value(card))).fold(0.0, f64::max)
        }
        // Draw the colour in which most cards were won already.
        Action::Draw(stack) => {
            let top = view.stacks[*stack][0];
            view.own_won()
                .iter()
                .filter(|&&card| colour(card) == top)
                .count() as f64
        }
    }
}

/// Points that a won card brings: its amulets, and a share of the majority of its colour.
fn worth(card: Card, rules: &Rules) -> f64 {
    match value(card) {
        0 => ZERO,
        _ => MAJORITY + f64::from(amulets(card, rules)),
    }
}

/// The probability that a card wins: 1 if it is alone, else higher for higher cards.
fn chance(card: Card, view: &View) -> f64 {
    let colour = colour(card);
    let before: u32 = view.others().map(|seat| view.played[seat][colour]).sum();
    // A seat that has yet to play may choose this colour.
    let may_come = view
        .seats_after()
        .filter(|&seat| view.hands[seat][colour] > 0)
        .count();
    let rivals = f64::from(before) + 0.5 * may_come as f64;
    (f64::from(value(card)) / 16.0).powf(rivals)
}
