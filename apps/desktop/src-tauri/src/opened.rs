//! The session that the application was started with, or that a second instance passes on.

use std::sync::{Mutex, MutexGuard};

/// Keeps a session until the page requests it. Afterwards the page receives further ones as events.
#[derive(Default)]
pub struct OpenedSession {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    pending: Option<String>,
    page_listens: bool,
}

impl OpenedSession {
    pub fn new(path: Option<String>) -> Self {
        Self {
            state: Mutex::new(State {
                pending: path,
                page_listens: false,
            }),
        }
    }

    /// Returns a session to send to the page now; `None` if it is kept.
    pub fn hand_over(&self, path: String) -> Option<String> {
        let mut state = self.lock();
        if state.page_listens {
            return Some(path);
        }
        state.pending = Some(path);
        None
    }

    /// Returns the kept session once.
    pub fn take(&self) -> Option<String> {
        let mut state = self.lock();
        state.page_listens = true;
        state.pending.take()
    }

    /// A new page is loading, which has not requested the session yet.
    pub fn page_begins(&self) {
        self.lock().page_listens = false;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no thread panics with the opened session")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_given_once_and_never_lost() {
        let opened = OpenedSession::new(Some("a".into()));
        assert_eq!(opened.hand_over("b".into()), None);
        assert_eq!(opened.take(), Some("b".into()));
        assert_eq!(opened.take(), None);
        assert_eq!(opened.hand_over("c".into()), Some("c".into()));
        opened.page_begins();
        assert_eq!(opened.hand_over("d".into()), None);
        assert_eq!(opened.take(), Some("d".into()));
    }
}
