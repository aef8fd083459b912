//! Output of the server.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::Mutex;

/// Enough to see why it ended.
const KEPT_LINES: usize = 40;
const KEPT_LINE_BYTES: usize = 600;

/// Copies the server's output, and keeps the last lines.
#[derive(Default)]
pub struct Log {
    lines: Mutex<VecDeque<String>>,
}

impl Log {
    /// Copies all lines of the server to this process's output, until the server closes the pipe.
    pub fn follow(&self, from: impl Read, mut to: impl Write, mut on_line: impl FnMut(&str)) {
        let mut reader = BufReader::new(from);
        let mut bytes = Vec::new();
        while matches!(reader.read_until(b'\n', &mut bytes), Ok(count) if count > 0) {
            let line = String::from_utf8_lossy(&bytes);
            // The server's first line may contain the token of the start, which must not be copied.
            let (shown, token) = line.split_once("/?token=").unwrap_or((&line, ""));
            let copy = if token.is_empty() {
                &bytes[..]
            } else {
                &[shown.as_bytes(), b"\n"].concat()
            };
            // The parent may have closed the pipe; the server continues.
            let _ = to.write_all(copy).and_then(|()| to.flush());
            self.keep(shown.trim_end());
            on_line(line.trim_end());
            bytes.clear();
        }
    }

    /// The last lines, oldest first.
    pub fn tail(&self) -> String {
        let lines = self.lines.lock().expect("no thread panics with the log");
        Vec::from_iter(lines.iter().map(String::as_str)).join("\n")
    }

    pub fn clear(&self) {
        self.lines
            .lock()
            .expect("no thread panics with the log")
            .clear();
    }

    fn keep(&self, line: &str) {
        let end = line.floor_char_boundary(KEPT_LINE_BYTES);
        let mut lines = self.lines.lock().expect("no thread panics with the log");
        if lines.len() == KEPT_LINES {
            lines.pop_front();
        }
        lines.push_back(line[..end].to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_everything_on_and_keeps_the_end() {
        let long = "ü".repeat(KEPT_LINE_BYTES);
        let text = (0..100).map(|n| format!("line {n}\n")).collect::<String>() + &long;
        let log = Log::default();
        let mut copy = Vec::new();
        let mut count = 0;
        log.follow(text.as_bytes(), &mut copy, |_| count += 1);
        assert_eq!(copy, text.as_bytes());
        assert_eq!(count, 101);
        let tail = log.tail();
        let lines: Vec<&str> = tail.lines().collect();
        assert_eq!(lines.len(), KEPT_LINES);
        assert_eq!(lines[0], "line 61");
        assert_eq!(lines[KEPT_LINES - 1].len(), KEPT_LINE_BYTES);
    }

    #[test]
    fn keeps_the_token_of_a_start_to_itself() {
        let log = Log::default();
        let (mut copy, mut lines) = (Vec::new(), Vec::new());
        let text = "It is listening on http://127.0.0.1:1/?token=sm_start\nnext\n";
        log.follow(text.as_bytes(), &mut copy, |line| {
            lines.push(line.to_owned())
        });
        assert_eq!(copy, b"It is listening on http://127.0.0.1:1\nnext\n");
        assert_eq!(log.tail(), "It is listening on http://127.0.0.1:1\nnext");
        assert_eq!(
            lines[0],
            "It is listening on http://127.0.0.1:1/?token=sm_start"
        );
    }

    #[test]
    fn goes_on_when_nobody_reads_it() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let log = Log::default();
        log.follow(&b"one\ntwo\n"[..], Closed, |_| {});
        assert_eq!(log.tail(), "one\ntwo");
    }
}
