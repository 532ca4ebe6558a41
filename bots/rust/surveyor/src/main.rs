//! Plays Gang de Castors by exact odds: everything is rated by the points that it saves on average.

mod book;

use arena_sdk::castors::{card_name, Action, View, NINE, PEEK, SWAP};
use arena_sdk::{bot, run, Question, Result};

use book::Book;

/// A row of no more points is called in any case.
const LOW: f64 = 6.0;
/// Points by which the own row has to be better than the best of the others.
const AHEAD: f64 = 3.0;
/// Points that each other seat saves in the turn that it still has after a call.
const LAST_TURN: f64 = 2.0;

fn main() -> Result {
    run(bot("surveyor", choose)
        .version("1")
        .wants_actions(false)
        .wants_events(false))
}

fn choose(question: &mut Question) -> Result<Action> {
    let view: View = question.view.read()?;
    let book = Book::new(&view);
    let (action, note) = match question.kind {
        "turn" => turn(&view, &book),
        "card" => card(&view, &book),
        _ => call(&view, &book),
    };
    question.note = note;
    Ok(action)
}

/// The open card, or the pile.
fn turn(view: &View, book: &Book) -> (Action, String) {
    let (position, worst) = book.worst();
    let saved = worst - f64::from(view.top_discard());
    let drawn = book.draw();
    let note = format!(
        "{} saves {saved:.1}, the pile {drawn:.1}",
        card_name(view.top_discard())
    );
    if saved > drawn {
        (Action::Take(position), note)
    } else {
        (Action::Draw, note)
    }
}

/// The drawn card.
fn card(view: &View, book: &Book) -> (Action, String) {
    let drawn = view.drawn.unwrap_or_default();
    let saved = book.saves(drawn);
    let note = format!("{} saves {saved:.1}", card_name(drawn));
    if view.rejectable && book.draw() > saved {
        return (
            Action::Reject,
            format!("{note}, another {:.1}", book.draw()),
        );
    }
    if saved <= 0.0 {
        return (Action::Discard, note);
    }
    let (worst, _) = book.worst();
    let action = match drawn {
        0..=NINE => Action::Keep(worst),
        SWAP => {
            let (seat, position, _) = book.prize();
            Action::Swap {
                own: worst,
                seat,
                position,
            }
        }
        PEEK => book.unknown().map_or(Action::Discard, Action::Peek),
        _ => Action::Draw,
    };
    (action, note)
}

/// The last round, or another one.
fn call(view: &View, book: &Book) -> (Action, String) {
    let own = book.row(view.seat);
    let others = view
        .others()
        .map(|seat| book.row(seat))
        .fold(f64::INFINITY, f64::min);
    let note = format!("has {own:.1}, the best other {others:.1}");
    if own <= LOW || own + AHEAD <= others - LAST_TURN {
        (Action::Call, note)
    } else {
        (Action::Wait, note)
    }
}
