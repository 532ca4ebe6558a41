//! Tests of the bot's choices: run them with `cargo test --release`.

use arena_sdk::gargon::{Action, Rules, View};
use arena_sdk::{Question, Raw, Start};

use crate::choose;

/// The bot's action as seat 0 of three, the starter, with this view.
fn chosen(kind: &str, actions: &[Action], view: View) -> Action {
    let start = Start::new("gargon", Raw::of(&Rules::default()), 0, 3, 1);
    let mut question = Question::new(kind, Raw::of(&view), &start);
    question.actions = Raw::of(&actions);
    choose(&mut question).unwrap()
}

fn view() -> View {
    View {
        hand: vec![3, 15, 34], // white 3, white 15, violet 2
        hands: vec![[2, 0, 1, 0, 0, 0], [4, 0, 0, 3, 3, 0], [2, 0, 0, 4, 0, 4]],
        played: vec![[0; 6]; 3],
        table: vec![Some(vec![]), None, None],
        stacks: [vec![4, 0], vec![1, 5]],
        won: vec![Some(vec![]), None, None],
        ..View::default()
    }
}

/// Nobody else holds violet, so the bot plays the violet 2, which has five amulets.
#[test]
fn plays_what_nobody_can_fight() {
    let actions = [3, 15, 34].map(|card| Action::Play(vec![card]));
    assert_eq!(chosen("play", &actions, view()), Action::Play(vec![34]));
}

/// The bot fights with yellow 13 before white 3.
#[test]
fn fights_with_the_highest_card_first() {
    let table = vec![Some(vec![3, 77]), Some(vec![4]), Some(vec![66])];
    let actions = [Action::Battle(0), Action::Battle(4)];
    assert_eq!(
        chosen("battle", &actions, View { table, ..view() }),
        Action::Battle(4)
    );
}

/// The bot has won blue cards, so it draws blue.
#[test]
fn draws_the_colour_that_it_collects() {
    let won = vec![Some(vec![20, 21]), None, None];
    let actions = [Action::Draw(0), Action::Draw(1)];
    assert_eq!(
        chosen("draw", &actions, View { won, ..view() }),
        Action::Draw(1)
    );
}
