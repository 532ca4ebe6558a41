//! The place of a panic, which its payload does not have.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{set_hook, take_hook};

thread_local! {
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Start to remember where panics happen; they are still reported on stderr.
pub(crate) fn watch() {
    let report = take_hook();
    set_hook(Box::new(move |info| {
        if let Some(place) = info.location() {
            PLACE.set(format!(" at {}:{}", place.file(), place.line()));
        }
        report(info);
    }));
}

/// The last panic of this thread in one line.
pub(crate) fn in_words(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().copied();
    let text = text.or_else(|| cause.downcast_ref::<String>().map(String::as_str));
    format!("panicked{}: {}", PLACE.take(), text.unwrap_or("no text"))
}
