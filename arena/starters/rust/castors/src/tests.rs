//! Tests of the bot's choices: run them with `cargo test --release`.

use arena_sdk::castors::{Action, Card, Rules, View, ROW};
use arena_sdk::{Question, Raw, Start};

use crate::choose;

/// The bot's action as seat 0 of two with this view.
fn chosen(kind: &str, view: View) -> Action {
    let start = Start::new("castors", Raw::of(&Rules::default()), 0, 2, 1);
    choose(&mut Question::new(kind, Raw::of(&view), &start)).unwrap()
}

fn view(row: [Card; ROW]) -> View {
    View {
        rows: vec![row, [-1; ROW]],
        kept: vec![[false; ROW]; 2],
        discards: vec![7],
        ..View::default()
    }
}

/// The bot puts an open 1 in the place of its 8.
#[test]
fn takes_a_low_discard_for_the_worst_card() {
    let view = View {
        discards: vec![9, 1],
        ..view([2, -1, 8, 3])
    };
    assert_eq!(chosen("turn", view), Action::Take(2));
}

/// The bot does not take an open 7; it draws.
#[test]
fn leaves_a_high_discard() {
    assert_eq!(chosen("turn", view([2, -1, -1, 3])), Action::Draw);
}

/// The bot puts a drawn 0 in the place of its 9.
#[test]
fn keeps_a_low_card() {
    let view = View {
        drawn: Some(0),
        ..view([9, -1, -1, 3])
    };
    assert_eq!(chosen("card", view), Action::Keep(0));
}

/// The bot swaps its 9 for a card that another seat has drawn and kept.
#[test]
fn swaps_its_worst_card_for_a_kept_one() {
    let kept = vec![[false; ROW], [false, true, false, false]];
    let view = View {
        drawn: Some(10),
        kept,
        ..view([9, 1, 1, 3])
    };
    assert_eq!(
        chosen("card", view),
        Action::Swap {
            own: 0,
            seat: 1,
            position: 1
        }
    );
}

/// The bot calls with a row of six points, but not of sixteen.
#[test]
fn calls_with_a_low_row() {
    assert_eq!(chosen("call", view([0, 1, 2, 3])), Action::Call);
    assert_eq!(chosen("call", view([-1, 1, -1, 5])), Action::Wait);
}
