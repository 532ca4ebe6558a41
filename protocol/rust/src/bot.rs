//! The trait that an author implements.

use crate::{Choice, End, Fault, Question, Result, Start};

/// A program that plays. Only `choose` has to be written; [`bot`] makes one from a function.
pub trait Bot {
    /// The bot's name; by default the name of its program.
    fn name(&self) -> String {
        let program = std::env::current_exe().unwrap_or_default();
        program
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    /// Its version, in any form.
    fn version(&self) -> String {
        String::new()
    }

    /// Whether to be sent the list of legal actions with every question. The referee does not
    /// compute what a bot does not want.
    fn wants_actions(&self) -> bool {
        true
    }

    /// Whether to be sent the events.
    fn wants_events(&self) -> bool {
        true
    }

    /// Called when a game begins.
    fn start(&mut self, start: &Start) -> Result {
        let _ = start;
        Ok(())
    }

    /// Returns the choice: `Ok(action.into())`, or the index of an action in `question.actions`.
    fn choose(&mut self, question: &mut Question) -> Result<Choice>;

    /// Called when a game has ended. Nothing of it may influence the next game.
    fn end(&mut self, end: &End) -> Result {
        let _ = end;
        Ok(())
    }

    /// Called when this bot has failed and is out of the game.
    fn fault(&mut self, fault: &Fault) -> Result {
        eprintln!("{fault}");
        Ok(())
    }
}

/// Makes a bot from a function that takes a question and returns an action or an index.
pub fn bot<F, C>(name: &str, choose: F) -> Function<F>
where
    F: FnMut(&mut Question) -> Result<C>,
    C: Into<Choice>,
{
    Function {
        choose,
        name: name.into(),
        version: String::new(),
        actions: true,
        events: true,
    }
}

/// The bot that [`bot`] makes.
pub struct Function<F> {
    choose: F,
    name: String,
    version: String,
    actions: bool,
    events: bool,
}

impl<F> Function<F> {
    /// Its version, in any form.
    pub fn version(mut self, version: &str) -> Self {
        self.version = version.into();
        self
    }

    /// Sets whether to be sent the list of legal actions; the default is true.
    pub fn wants_actions(mut self, wanted: bool) -> Self {
        self.actions = wanted;
        self
    }

    /// Sets whether to be sent the events; the default is true.
    pub fn wants_events(mut self, wanted: bool) -> Self {
        self.events = wanted;
        self
    }
}

impl<F, C> Bot for Function<F>
where
    F: FnMut(&mut Question) -> Result<C>,
    C: Into<Choice>,
{
    fn name(&self) -> String {
        self.name.clone()
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn wants_actions(&self) -> bool {
        self.actions
    }

    fn wants_events(&self) -> bool {
        self.events
    }

    fn choose(&mut self, question: &mut Question) -> Result<Choice> {
        (self.choose)(question).map(Into::into)
    }
}
