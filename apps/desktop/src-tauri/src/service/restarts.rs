//! Restart policy after crashes.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

const MOST: usize = 5;
const WITHIN: Duration = Duration::from_secs(60);
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// Counts restarts, so that a failing server is given up after a while.
#[derive(Default)]
pub struct Restarts {
    recent: VecDeque<Instant>,
}

impl Restarts {
    /// Pause before the next start, doubled each time. `None` after too many.
    pub fn next_pause(&mut self, now: Instant) -> Option<Duration> {
        self.recent
            .retain(|&start| now.duration_since(start) < WITHIN);
        if self.recent.len() == MOST {
            return None;
        }
        let pause = FIRST_PAUSE * 2_u32.pow(self.recent.len() as u32);
        self.recent.push_back(now);
        Some(pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_longer_each_time_then_gives_up() {
        let mut restarts = Restarts::default();
        let start = Instant::now();
        let pauses: Vec<_> = (0..6)
            .map(|second| restarts.next_pause(start + Duration::from_secs(second)))
            .map(|pause| pause.map(|pause| pause.as_secs()))
            .collect();
        let expected = [Some(1), Some(2), Some(4), Some(8), Some(16), None];
        assert_eq!(pauses, expected);
    }

    #[test]
    fn forgets_after_a_minute() {
        let mut restarts = Restarts::default();
        let start = Instant::now();
        for crash in 0..20 {
            let pause = restarts.next_pause(start + Duration::from_secs(crash * 60));
            assert_eq!(pause, Some(FIRST_PAUSE));
        }
    }
}
