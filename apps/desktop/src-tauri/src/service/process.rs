//! One run of the server process.

use std::io::{self, stderr, stdout};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use shared_child::SharedChild;
use tauri::Url;

use super::log::Log;

/// Time for agents and terminals to shut down.
const END_WITHIN: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Where the service is.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// In this process.
    Here(Url),
    /// In another process, which was already running. This process exits.
    Elsewhere(Url),
}

pub struct Process {
    child: SharedChild,
    /// The server exits when its standard input ends, so it also ends when this program is killed.
    input: Mutex<Option<ChildStdin>>,
    first_line: Mutex<Receiver<String>>,
    errors: Mutex<Option<JoinHandle<()>>>,
}

impl Process {
    pub fn start(mut command: Command, log: &Arc<Log>) -> io::Result<Self> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(windows)]
        hide_console(&mut command);
        let child = SharedChild::spawn(&mut command)?;
        let (sender, first_line) = channel();
        if let Some(output) = child.take_stdout() {
            let log = Arc::clone(log);
            // Lines after the first one are only copied.
            thread::spawn(move || {
                log.follow(output, stdout(), |line| drop(sender.send(line.to_owned())))
            });
        }
        let errors = child.take_stderr().map(|output| {
            let log = Arc::clone(log);
            thread::spawn(move || log.follow(output, stderr(), |_| {}))
        });
        let input = Mutex::new(child.take_stdin());
        Ok(Self {
            child,
            input,
            first_line: Mutex::new(first_line),
            errors: Mutex::new(errors),
        })
    }

    /// Waits for the first line, which has the address. `None` if the server exits without one.
    pub fn place(&self) -> Option<Place> {
        let lines = self
            .first_line
            .lock()
            .expect("one thread reads the first line");
        read_place(&lines.recv().ok()?)
    }

    pub fn has_ended(&self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits until the log has all error output. Only for a server that never served: otherwise its child processes may
    /// hold the pipe open.
    pub fn read_errors(&self) {
        if let Some(reader) = self
            .errors
            .lock()
            .expect("one thread reads the errors")
            .take()
        {
            let _ = reader.join();
        }
    }

    pub fn wait(&self) -> io::Result<ExitStatus> {
        self.child.wait()
    }

    /// Shuts the server down, or kills it if it does not exit.
    pub fn end(&self) {
        drop(
            self.input
                .lock()
                .expect("no thread panics with the input")
                .take(),
        );
        let deadline = Instant::now() + END_WITHIN;
        while !self.has_ended() {
            if Instant::now() > deadline {
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            thread::sleep(LOOK_EVERY);
        }
    }
}

fn read_place(line: &str) -> Option<Place> {
    let rest = line.strip_prefix("Session Manager is ")?;
    if let Some(address) = rest.strip_prefix("already listening on ") {
        return Some(Place::Elsewhere(address.parse().ok()?));
    }
    Some(Place::Here(
        rest.strip_prefix("listening on ")?.parse().ok()?,
    ))
}

#[cfg(windows)]
fn hide_console(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_first_line() {
        let url: Url = "http://127.0.0.1:52131/".parse().unwrap();
        let here = "Session Manager is listening on http://127.0.0.1:52131";
        assert_eq!(read_place(here), Some(Place::Here(url.clone())));
        let elsewhere = "Session Manager is already listening on http://127.0.0.1:52131";
        assert_eq!(read_place(elsewhere), Some(Place::Elsewhere(url)));
        let with_token = "http://127.0.0.1:52131/?token=sm_start";
        assert_eq!(
            read_place(&format!("Session Manager is listening on {with_token}")),
            Some(Place::Here(with_token.parse().unwrap()))
        );
        for line in [
            "",
            "{\"level\":\"info\"}",
            "Session Manager is listening on nothing",
        ] {
            assert_eq!(read_place(line), None, "{line}");
        }
    }
}
