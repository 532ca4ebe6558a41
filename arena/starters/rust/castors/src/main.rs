//! A first bot for Gang de Castors: it keeps low cards and calls when its row is low.

use arena_sdk::castors::{value, Action, View, NINE, PEEK, ROW, SWAP, UNKNOWN};
use arena_sdk::{bot, run, Question, Result};

#[cfg(test)]
mod tests;

/// The mean points of an unknown card.
const GUESS: f64 = 5.0;
/// Exchange only if it saves more points than this.
const GAIN: f64 = 1.0;
/// Call with a row of at most this many points.
const LOW: f64 = 10.0;

fn main() -> Result {
    run(bot("my-bot", choose)
        .version("1")
        .wants_actions(false)
        .wants_events(false))
}

/// Returns an action; `arena game show castors` lists those of each kind of question.
fn choose(question: &mut Question) -> Result<Action> {
    let view: View = question.view.read()?;
    let row = view
        .own_row()
        .map(|card| value(card).map_or(GUESS, f64::from));
    let total: f64 = row.iter().sum();
    question.note = format!("about {total} points");
    Ok(match question.kind {
        "call" if total <= LOW => Action::Call,
        "call" => Action::Wait,
        "turn" => turn(&view, &row),
        _ => put_to_use(&view, &row),
    })
}

/// The position of the card with the most points.
fn worst(row: &[f64; ROW]) -> usize {
    (1..ROW).fold(0, |worst, position| {
        if row[position] > row[worst] {
            position
        } else {
            worst
        }
    })
}

fn turn(view: &View, row: &[f64; ROW]) -> Action {
    let saved = row[worst(row)] - f64::from(view.top_discard());
    if saved > GUESS / 2.0 {
        Action::Take(worst(row))
    } else {
        Action::Draw
    }
}

/// Returns how to use the drawn card.
fn put_to_use(view: &View, row: &[f64; ROW]) -> Action {
    let worst = worst(row);
    match view.drawn.unwrap_or(UNKNOWN) {
        card @ 0..=NINE if row[worst] - f64::from(card) > GAIN => Action::Keep(worst),
        0..=NINE if view.rejectable => Action::Reject,
        SWAP => match low_card_of_others(view) {
            Some((seat, position)) if row[worst] > GUESS => Action::Swap {
                own: worst,
                seat,
                position,
            },
            _ => Action::Discard,
        },
        PEEK => {
            let unknown = view.own_row().iter().position(|&card| card == UNKNOWN);
            unknown.map_or(Action::Discard, Action::Peek)
        }
        0..=NINE => Action::Discard,
        _ => Action::Draw,
    }
}

/// Returns seat and position of a card that another seat has kept, as it may be low.
fn low_card_of_others(view: &View) -> Option<(usize, usize)> {
    let places =
        (0..view.rows.len()).flat_map(|seat| (0..ROW).map(move |position| (seat, position)));
    places
        .filter(|&(seat, _)| seat != view.seat)
        .find(|&(seat, position)| match view.rows[seat][position] {
            UNKNOWN => view.kept[seat][position],
            card => f64::from(card) < GUESS / 2.0,
        })
}
