//! The loop that runs a bot.

use std::any::Any;
use std::io::{Read, Write};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

use serde::Serialize;

use crate::{
    panics, Action, Bot, Choice, End, Failure, Fault, Line, Message, Question, Result, Start,
    VERSION,
};

/// Play until the referee says goodbye or closes the connection. The protocol uses stdin and
/// stdout, and prints go to stderr.
pub fn run(bot: impl Bot) -> Result {
    let mut line = Line::take_stdio()?;
    panics::watch();
    run_on(&mut line, bot)
}

/// Play over any line, for tests.
pub fn run_on<R: Read, W: Write>(line: &mut Line<R, W>, mut bot: impl Bot) -> Result {
    let mut start = None;
    while let Some(message) = line.receive()? {
        match message.t() {
            "act" => {
                let game = start.as_ref().ok_or("act: there was no start before it")?;
                answer(&mut bot, Question::read(&message, game)?).send(line)?;
            }
            "start" => bot.start(start.insert(Start::read(&message)?))?,
            "end" => {
                let game = start.take().ok_or("end: there was no start before it")?;
                bot.end(&End::read(&message, &game)?)?;
            }
            "hello" => greet(&bot, &message).send(line)?,
            "fault" => bot.fault(&Fault::read(&message)?)?,
            "bye" => break,
            _ => {}
        }
    }
    Ok(())
}

/// The answer to send, and whether to continue.
enum Reply {
    Hello(Hello),
    Answer(Answer),
    Failed(Failure),
    Panicked(Box<dyn Any + Send>),
}

impl Reply {
    fn send<R: Read, W: Write>(self, line: &mut Line<R, W>) -> Result {
        match self {
            Reply::Hello(hello) => Ok(line.send(&hello)?),
            Reply::Answer(answer) => Ok(line.send(&answer)?),
            Reply::Failed(failure) => {
                line.send(&Refusal {
                    t: "error",
                    text: &failure.to_string(),
                })?;
                Err(failure)
            }
            Reply::Panicked(cause) => {
                let text = panics::in_words(&*cause);
                line.send(&Refusal {
                    t: "error",
                    text: &text,
                })?;
                resume_unwind(cause)
            }
        }
    }
}

fn greet(bot: &impl Bot, message: &Message) -> Reply {
    let spoken: Vec<u64> = match message.get("protocol") {
        Ok(spoken) => spoken,
        Err(error) => return Reply::Failed(error.into()),
    };
    if spoken.first() != Some(&VERSION[0]) {
        let text = format!("this bot speaks protocol {VERSION:?}, not {spoken:?}");
        return Reply::Failed(text.into());
    }
    Reply::Hello(Hello {
        t: "hello",
        protocol: VERSION,
        name: bot.name(),
        version: bot.version(),
        actions: bot.wants_actions(),
        events: bot.wants_events(),
    })
}

fn answer(bot: &mut impl Bot, mut question: Question) -> Reply {
    match catch_unwind(AssertUnwindSafe(|| bot.choose(&mut question))) {
        Ok(Ok(choice)) => {
            let (i, a) = match choice {
                Choice::Index(index) => (Some(index), None),
                Choice::Action(action) => (None, Some(action)),
            };
            Reply::Answer(Answer {
                t: "action",
                id: question.id,
                i,
                a,
                note: question.note,
            })
        }
        Ok(Err(failure)) => Reply::Failed(failure),
        Err(cause) => Reply::Panicked(cause),
    }
}

#[derive(Serialize)]
struct Hello {
    t: &'static str,
    protocol: [u64; 2],
    name: String,
    version: String,
    actions: bool,
    events: bool,
}

#[derive(Serialize)]
struct Answer {
    t: &'static str,
    id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    i: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<Action>,
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
}

#[derive(Serialize)]
struct Refusal<'a> {
    t: &'static str,
    text: &'a str,
}
