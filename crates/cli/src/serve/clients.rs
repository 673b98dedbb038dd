//! Whose questions are being answered.
//!
//! **Invariant.** A client has at most one question that is not cancelled, the last one; there are at most [`MOST`] questions, cancelled ones with them.

use std::sync::{Mutex, PoisonError};

use reconverge::Control;

/// The most questions at a time.
const MOST: usize = 16;

/// Questions that are being answered, each with its client.
#[derive(Debug, Default)]
pub(super) struct Clients {
    running: Mutex<Vec<(String, Control)>>,
}

/// A question, which is forgotten when this is dropped.
#[derive(Debug)]
pub(super) struct Running<'a> {
    clients: &'a Clients,
    /// What ends it early.
    pub(super) control: Control,
}

impl Clients {
    /// A client has a question, and its older ones end; none where there are too many.
    pub(super) fn ask(&self, client: &str) -> Option<Running<'_>> {
        self.stop(client);
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.len() >= MOST {
            return None;
        }
        let control = Control::new();
        running.push((client.to_owned(), control.clone()));
        Some(Running { clients: self, control })
    }

    /// Ends what a client has asked.
    pub(super) fn stop(&self, client: &str) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.iter().filter(|(of, _)| of == client).for_each(|(_, control)| control.cancel());
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut running = self.clients.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = running.iter().position(|(_, control)| control.is_same(&self.control)) {
            running.swap_remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_question_ends_the_older_one_of_its_client() {
        let clients = Clients::default();
        let first = clients.ask("a").expect("room");
        let other = clients.ask("b").expect("room");
        let second = clients.ask("a").expect("room");
        assert!(first.control.is_cancelled());
        assert!(!other.control.is_cancelled() && !second.control.is_cancelled());
        drop(first);
        assert!(!second.control.is_cancelled());
        clients.stop("a");
        assert!(second.control.is_cancelled() && !other.control.is_cancelled());
    }

    #[test]
    fn there_is_an_end_of_them() {
        let clients = Clients::default();
        let mut running: Vec<_> = (0..MOST).map(|number| clients.ask(&number.to_string()).expect("room")).collect();
        assert!(clients.ask("one more").is_none());
        running.pop();
        assert!(clients.ask("one more").is_some());
    }
}
