//! The golden frames and transcripts: the SDK reads the referee's messages, and the rule bot writes
//! the right answers.

#[path = "../rule-bot/src/rule.rs"]
mod rule;

use std::io::Read;
use std::path::PathBuf;

use arena_sdk::{bot, castors, gargon, run_on, Action, Line, Message};
use serde::{de::DeserializeOwned, Serialize};
use serde_json::{json, Value};

fn vectors() -> PathBuf {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    std::env::var_os("ARENA_VECTORS").map_or(beside, PathBuf::from)
}

fn load(path: PathBuf) -> Value {
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap()
}

fn entries(name: &str) -> Vec<Value> {
    load(vectors().join(name)).as_array().unwrap().clone()
}

fn transcripts() -> Vec<Value> {
    let folder = std::fs::read_dir(vectors().join("transcripts")).unwrap();
    let found: Vec<Value> = folder.map(|file| load(file.unwrap().path())).collect();
    assert!(!found.is_empty());
    found
}

fn bytes(entry: &Value) -> Vec<u8> {
    let hex = entry["hex"].as_str().unwrap().as_bytes();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    hex.chunks(2).map(pair).collect()
}

/// A frame with this message.
fn frame(message: Value) -> Vec<u8> {
    let mut line = Line::new(&[][..], Vec::new());
    line.send(&message).unwrap();
    line.into_sink()
}

/// A message as JSON, with all its fields.
fn json_of(message: &Message) -> Value {
    message
        .keys()
        .map(|key| (key, message.get::<Value>(key).unwrap()))
        .collect()
}

/// All that was written, message by message.
fn written(bytes: Vec<u8>) -> Vec<Value> {
    let mut line = Line::new(&bytes[..], Vec::new());
    let mut messages = Vec::new();
    while let Some(message) = line.receive().unwrap() {
        messages.push(json_of(&message));
    }
    messages
}

/// What the rule bot writes when it is fed these bytes.
fn rule_bot(source: impl Read) -> Vec<Value> {
    let mut line = Line::new(source, Vec::new());
    run_on(&mut line, rule::RuleBot::default()).unwrap();
    written(line.into_sink())
}

/// Gives out one byte at a time, and is interrupted before each.
struct Dripping<'a>(&'a [u8], bool);

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let count = self.0.len().min(buffer.len()).min(1);
        self.0.read(&mut buffer[..count])
    }
}

/// Frames are read as the protocol says; what it does not allow is refused.
#[test]
fn frames_are_read_or_refused() {
    for entry in entries("frames.json") {
        let (name, bytes) = (&entry["name"], bytes(&entry));
        let mut line = Line::new(&bytes[..], Vec::new());
        let received = line.receive();
        let error = entry["error"].as_str().unwrap_or("");
        match entry["verdict"].as_str().unwrap() {
            "ok" => assert_eq!(
                json_of(&received.unwrap().unwrap()),
                entry["message"],
                "{name}"
            ),
            "incomplete" => assert!(received.unwrap().is_none(), "{name}"),
            // The referee sends no key twice, so a bot need not look for that.
            _ if error.starts_with("expected every key") => (),
            // The other errors are about what a bot may say, which a bot need not know.
            _ if error.starts_with("expected") => assert!(received.is_err(), "{name}"),
            _ => assert!(received.is_ok(), "{name}"),
        }
    }
}

/// Only messages that ask for an answer get one, and it is of the right kind.
#[test]
fn referee_gets_the_answers_it_waits_for() {
    let all = entries("to_bot.json");
    let start = all.iter().find(|entry| entry["name"] == "start").unwrap();
    for entry in &all {
        let mut told = bytes(start);
        told.extend(bytes(entry));
        let mut line = Line::new(&told[..], Vec::new());
        run_on(&mut line, bot("first", |_| Ok(0))).unwrap();
        let answers: Vec<Value> = written(line.into_sink())
            .into_iter()
            .map(|answer| answer["t"].clone())
            .collect();
        let expected: Vec<&Value> = [&entry["answer"]]
            .into_iter()
            .filter(|t| !t.is_null())
            .collect();
        assert_eq!(
            answers.iter().collect::<Vec<_>>(),
            expected,
            "{}",
            entry["name"]
        );
    }
}

/// The rule bot writes the answers of every transcript and seat, however the bytes arrive.
#[test]
fn rule_bot_plays_the_transcripts() {
    for transcript in transcripts() {
        for seat in 0..transcript["seats"].as_u64().unwrap() {
            let (mut told, mut said) = (Vec::new(), Vec::new());
            for frame in transcript["frames"].as_array().unwrap() {
                match frame["from"].as_str().unwrap() {
                    _ if frame["seat"] != seat => {}
                    "bot" => said.extend(bytes(frame)),
                    _ => told.extend(bytes(frame)),
                }
            }
            let said = written(said);
            assert_eq!(rule_bot(&told[..]), said);
            assert_eq!(rule_bot(Dripping(&told, false)), said);
        }
    }
}

/// Reads a value as a type and writes it back; missing and additional fields of the type show.
fn assert_known<T: DeserializeOwned + Serialize>(raw: &arena_sdk::Raw) {
    let value: T = raw.read().unwrap();
    assert_eq!(
        serde_json::to_value(value).unwrap(),
        raw.read::<Value>().unwrap()
    );
}

/// The types of both games have all that the referee sends, and nothing else.
#[test]
fn types_know_all_fields() {
    for transcript in transcripts() {
        for frame in transcript["frames"].as_array().unwrap() {
            let bytes = bytes(frame);
            let mut line = Line::new(&bytes[..], Vec::new());
            let message = line.receive().unwrap().unwrap();
            let events = message.list("events");
            match (transcript["game"].as_str().unwrap(), message.t()) {
                ("gargon", "act") => {
                    assert_known::<gargon::View>(&message.raw("view").unwrap());
                    assert_known::<Vec<gargon::Action>>(&message.list("actions"));
                    assert_known::<Vec<gargon::Event>>(&events);
                }
                ("castors", "act") => {
                    assert_known::<castors::View>(&message.raw("view").unwrap());
                    assert_known::<Vec<castors::Action>>(&message.list("actions"));
                    assert_known::<Vec<castors::Event>>(&events);
                }
                ("gargon", "start") => {
                    assert_known::<gargon::Rules>(&message.raw("rules").unwrap())
                }
                ("castors", "start") => {
                    assert_known::<castors::Rules>(&message.raw("rules").unwrap())
                }
                ("gargon", "end") => assert_known::<Vec<gargon::Event>>(&events),
                ("castors", "end") => assert_known::<Vec<castors::Event>>(&events),
                _ => {}
            }
        }
    }
}

/// The bot refuses a referee of another major version, and ends.
#[test]
fn another_major_version_is_refused() {
    let told = frame(json!({"t": "hello", "protocol": [2, 0], "games": {}}));
    let mut line = Line::new(&told[..], Vec::new());
    let error = run_on(&mut line, bot("first", |_| Ok(0))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this bot speaks protocol [1, 0], not [2, 0]"
    );
    assert_eq!(
        written(line.into_sink()),
        [json!({"t": "error", "text": error.to_string()})]
    );
}

/// A typed action and a note are written as the protocol says.
#[test]
fn typed_actions_and_notes_are_sent() {
    let swap = castors::Action::Swap {
        own: 0,
        seat: 2,
        position: 3,
    };
    let all = entries("to_bot.json");
    let told: Vec<u8> = ["start", "act, without either"]
        .iter()
        .flat_map(|name| bytes(all.iter().find(|entry| entry["name"] == *name).unwrap()))
        .collect();
    let mut line = Line::new(&told[..], Vec::new());
    let chosen = bot("first", |question| {
        question.note = "why not".into();
        Ok(swap)
    });
    run_on(&mut line, chosen).unwrap();
    let answer = json!({"t": "action", "id": 1, "a": ["swap", 0, 2, 3], "note": "why not"});
    assert_eq!(written(line.into_sink()), [answer]);
}

/// An action that a game does not have is named.
#[test]
fn unknown_actions_are_named() {
    let error = gargon::Action::try_from(Action::new("fly", [1, 2])).unwrap_err();
    assert_eq!(error, r#"["fly", 1, 2] is no action of this game"#);
}
