//! What the page is to show: on start, for a second instance, or after a click outside of the window.

use std::sync::{Mutex, MutexGuard};

use serde::Serialize;

/// Something to show. The page knows where that is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Path of a session file.
    File(String),
    /// A link of ours, which anybody may have written: the page checks it.
    Link(String),
    /// An address within the page, which the page itself has given.
    Address(String),
}

/// Keeps a place until the page requests it. Afterwards the page receives further ones as events.
#[derive(Default)]
pub struct Opened {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    pending: Option<Place>,
    page_listens: bool,
}

impl Opened {
    pub fn new(place: Option<Place>) -> Self {
        Self {
            state: Mutex::new(State {
                pending: place,
                page_listens: false,
            }),
        }
    }

    /// Returns a place to send to the page now; `None` if it is kept.
    pub fn hand_over(&self, place: Place) -> Option<Place> {
        let mut state = self.lock();
        if state.page_listens {
            return Some(place);
        }
        state.pending = Some(place);
        None
    }

    /// Returns the kept place once.
    pub fn take(&self) -> Option<Place> {
        let mut state = self.lock();
        state.page_listens = true;
        state.pending.take()
    }

    /// A new page is loading, which has not requested the place yet.
    pub fn page_begins(&self) {
        self.lock().page_listens = false;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no thread panics with the opened place")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(name: &str) -> Place {
        Place::Link(name.into())
    }

    #[test]
    fn is_given_once_and_never_lost() {
        let opened = Opened::new(Some(link("a")));
        assert_eq!(opened.hand_over(link("b")), None);
        assert_eq!(opened.take(), Some(link("b")));
        assert_eq!(opened.take(), None);
        assert_eq!(opened.hand_over(link("c")), Some(link("c")));
        opened.page_begins();
        assert_eq!(opened.hand_over(link("d")), None);
        assert_eq!(opened.take(), Some(link("d")));
    }

    #[test]
    fn tells_the_page_what_it_is() {
        let json = |place: &Place| serde_json::to_string(place).unwrap();
        assert_eq!(json(&Place::File("/a".into())), r#"{"file":"/a"}"#);
        assert_eq!(json(&link("a")), r#"{"link":"a"}"#);
        assert_eq!(json(&Place::Address("/".into())), r#"{"address":"/"}"#);
    }
}
