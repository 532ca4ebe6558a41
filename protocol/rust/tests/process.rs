//! Prints, failures and the end of stdin, in a process of its own.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

use arena_sdk::{bot, run, Line, Question, Result};
use serde_json::{json, Value};

fn main() -> Result {
    match std::env::args().nth(1).as_deref() {
        Some("as-a-bot") => run(bot("first", choose).version("2")),
        _ => {
            prints_go_to_stderr();
            failures_are_told_and_seen();
            panics_are_told_and_seen();
            end_of_stdin_is_the_end();
            text_in_place_of_frames_is_named();
            println!("5 tests of processes passed");
            Ok(())
        }
    }
}

fn choose(question: &mut Question) -> Result<usize> {
    println!("asked for {}", question.kind);
    match question.kind {
        "fail" => Err("out of ideas".into()),
        "panic" => panic!("out of {}", "luck"),
        _ => Ok(1),
    }
}

fn spawn() -> Child {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    command
        .arg("as-a-bot")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Sends this to a bot, closes its stdin, and returns what it does.
fn told(bytes: &[u8]) -> (Output, String) {
    let mut child = spawn();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    (output, stderr)
}

/// Frames up to a question of this kind.
fn asked(kind: &str) -> Vec<u8> {
    let clock = json!({"decision": 100, "bank": 1000, "start": 1000});
    let start = json!({"t": "start", "number": 0, "game": "gargon", "rules": {}, "seat": 0,
        "seats": 3, "seed": 1, "clock": clock});
    let act = json!({"t": "act", "id": 7, "kind": kind, "view": {}, "bank": 1000});
    frames(&[json!({"t": "hello", "protocol": [1, 0]}), start, act])
}

fn frames(messages: &[Value]) -> Vec<u8> {
    let mut line = Line::new(&[][..], Vec::new());
    messages
        .iter()
        .for_each(|message| line.send(message).unwrap());
    line.into_sink()
}

/// What a bot wrote after its hello.
fn answer(output: &Output) -> Value {
    let mut line = Line::new(&output.stdout[..], Vec::new());
    assert_eq!(
        line.receive()
            .unwrap()
            .unwrap()
            .get::<&str>("name")
            .unwrap(),
        "first"
    );
    let message = line.receive().unwrap().unwrap();
    let fields = message
        .keys()
        .map(|key| (key, message.get::<Value>(key).unwrap()));
    let answer = fields.collect();
    assert!(line.receive().unwrap().is_none(), "more than one answer");
    answer
}

/// A print in `choose` does not come between the frames.
fn prints_go_to_stderr() {
    let (output, stderr) = told(&asked("turn"));
    assert_eq!(answer(&output), json!({"t": "action", "id": 7, "i": 1}));
    assert_eq!(stderr, "asked for turn\n");
    assert!(output.status.success());
}

/// An error of `choose` reaches the referee, and the author's stderr.
fn failures_are_told_and_seen() {
    let (output, stderr) = told(&asked("fail"));
    assert_eq!(
        answer(&output),
        json!({"t": "error", "text": "out of ideas"})
    );
    assert!(stderr.contains("out of ideas"), "{stderr}");
    assert_eq!(output.status.code(), Some(1));
}

/// A panic in `choose` reaches the referee, and the author's stderr with its place.
fn panics_are_told_and_seen() {
    let (output, stderr) = told(&asked("panic"));
    let text = answer(&output)["text"].to_string();
    assert!(text.contains("panicked at tests/process.rs:"), "{text}");
    assert!(text.ends_with(": out of luck\""), "{text}");
    assert!(
        stderr.contains("process.rs:") && stderr.contains("out of luck"),
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(101));
}

/// When the referee is gone, between frames or in the middle of one, the bot ends.
fn end_of_stdin_is_the_end() {
    for bytes in [&[][..], &[0, 0], &[0, 0, 0, 9, 0x81]] {
        let (output, stderr) = told(bytes);
        assert!(
            output.status.success() && output.stdout.is_empty(),
            "{stderr}"
        );
    }
}

/// Input on stdin that is not a referee's is reported.
fn text_in_place_of_frames_is_named() {
    let (output, stderr) = told(b"Hello, bot!");
    assert_eq!(
        stderr,
        "Error: a frame of 1214606444 bytes; at most 1048576 are allowed\n"
    );
    assert_eq!(output.status.code(), Some(1));
}
