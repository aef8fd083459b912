//! The service behind the window: a running one, or our own, which is restarted if it crashes.

pub mod health;
mod log;
mod process;
mod restarts;

use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use tauri::Url;

use self::log::Log;
use self::process::{Place, Process};
use self::restarts::Restarts;

/// Polling interval for a started service.
const ASK_EVERY: Duration = Duration::from_millis(50);
/// Polling interval for another program's service.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// A busy service may miss one poll.
const MISSES: u32 = 2;

/// State shown by the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    Starting,
    /// URL of the page, with the token of the start in `?token=` if required.
    Running(Url),
    /// It crashed and will be restarted.
    Restarting,
    /// It cannot be started; has its last lines of output.
    Failed(String),
}

/// Keeps a service running until stopped.
pub struct Service {
    shared: Arc<Mutex<Shared>>,
    signals: Mutex<Sender<Signal>>,
}

#[derive(Default)]
struct Shared {
    stopping: bool,
    process: Option<Arc<Process>>,
}

enum Signal {
    TryAgain,
    Stop,
}

/// How a run of the server ended.
enum End {
    /// Exited before serving, with an error message.
    Refused,
    Crashed,
}

impl Service {
    /// Starts the service in a separate thread, which calls `on_status`.
    pub fn start(
        command: impl Fn() -> Command + Send + 'static,
        on_status: impl Fn(Status) + Send + 'static,
    ) -> Self {
        let (sender, signals) = channel();
        let shared = Arc::new(Mutex::new(Shared::default()));
        let keeper = Keeper {
            shared: Arc::clone(&shared),
            signals,
            log: Arc::default(),
            on_status,
        };
        thread::spawn(move || keeper.keep(command));
        Self {
            shared,
            signals: Mutex::new(sender),
        }
    }

    /// Restarts it now if it is waiting or was given up.
    pub fn try_again(&self) {
        self.send(Signal::TryAgain);
    }

    /// Stops our own server and waits for its end. Leaves another program's service running.
    pub fn stop(&self) {
        let process = {
            let mut shared = lock(&self.shared);
            shared.stopping = true;
            shared.process.take()
        };
        self.send(Signal::Stop);
        if let Some(process) = process {
            process.end();
        }
    }

    fn send(&self, signal: Signal) {
        // The thread may have ended.
        let _ = self
            .signals
            .lock()
            .expect("no thread panics with the signals")
            .send(signal);
    }
}

struct Keeper<OnStatus> {
    shared: Arc<Mutex<Shared>>,
    signals: Receiver<Signal>,
    log: Arc<Log>,
    on_status: OnStatus,
}

impl<OnStatus: Fn(Status)> Keeper<OnStatus> {
    fn keep(&self, command: impl Fn() -> Command) {
        let mut restarts = Restarts::default();
        loop {
            (self.on_status)(Status::Starting);
            let end = self.run(command());
            if lock(&self.shared).stopping {
                return;
            }
            // The start fulfils pending requests.
            while self.signals.try_recv().is_ok() {}
            let pause = match end {
                End::Crashed => restarts.next_pause(Instant::now()),
                End::Refused => None,
            };
            if let Some(pause) = pause {
                (self.on_status)(Status::Restarting);
                if matches!(self.signals.recv_timeout(pause), Ok(Signal::Stop)) {
                    return;
                }
            } else {
                (self.on_status)(Status::Failed(self.log.tail()));
                if !matches!(self.signals.recv(), Ok(Signal::TryAgain)) {
                    return;
                }
                restarts = Restarts::default();
            }
        }
    }

    /// Runs the server until it ends.
    fn run(&self, command: Command) -> End {
        self.log.clear();
        let process = {
            let mut shared = lock(&self.shared);
            if shared.stopping {
                return End::Refused;
            }
            let process = match Process::start(command, &self.log) {
                Ok(process) => Arc::new(process),
                Err(error) => {
                    self.log
                        .follow(error.to_string().as_bytes(), std::io::stderr(), |_| {});
                    return End::Refused;
                }
            };
            shared.process = Some(Arc::clone(&process));
            process
        };
        let place = process.place();
        if let Some(Place::Here(url)) = &place {
            while !process.has_ended() {
                if health::answers(url) {
                    (self.on_status)(Status::Running(url.clone()));
                    break;
                }
                thread::sleep(ASK_EVERY);
            }
        }
        let status = process.wait();
        lock(&self.shared).process = None;
        match place {
            Some(Place::Elsewhere(url)) => {
                self.watch(&url);
                End::Crashed
            }
            Some(Place::Here(_)) => End::Crashed,
            // Ended by a signal, without exit code.
            None if status.is_ok_and(|status| status.code().is_some()) => {
                process.read_errors();
                End::Refused
            }
            None => End::Crashed,
        }
    }

    /// Uses another program's service until it ends, or we have to stop.
    fn watch(&self, url: &Url) {
        (self.on_status)(Status::Running(url.clone()));
        let mut misses = 0;
        while misses < MISSES {
            match self.signals.recv_timeout(LOOK_EVERY) {
                Ok(Signal::TryAgain) => {}
                Err(RecvTimeoutError::Timeout) => {
                    misses = if health::answers(url) { 0 } else { misses + 1 };
                }
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared
        .lock()
        .expect("no thread panics with the state of the service")
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// Starts a service that runs a line of shell, and hears of its states.
    fn start(script: String) -> (Service, Receiver<Status>) {
        let (sender, states) = channel();
        let command = move || {
            let mut command = Command::new("sh");
            command.arg("-c").arg(&script);
            command
        };
        let service = Service::start(command, move |status| {
            let _ = sender.send(status);
        });
        (service, states)
    }

    /// Answers as a service does, until the test ends.
    fn serve_health() -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for socket in listener.incoming() {
                let mut socket = socket.unwrap();
                let _ = socket.read(&mut [0; 1024]);
                let body = r#"{"status":"starting","api_version":1}"#;
                let length = body.len();
                let answer = format!("HTTP/1.1 503 x\r\nContent-Length: {length}\r\n\r\n{body}");
                let _ = socket.write_all(answer.as_bytes());
            }
        });
        url.parse().unwrap()
    }

    #[test]
    fn tells_where_it_is_and_ends_with_its_input() {
        let url = serve_health();
        let (service, states) = start(format!("echo Session Manager is listening on {url}; cat"));
        assert_eq!(states.recv(), Ok(Status::Starting));
        assert_eq!(states.recv(), Ok(Status::Running(url)));
        service.stop();
        assert!(states.recv().is_err(), "the keeper has ended");
    }

    #[test]
    fn is_started_again_after_a_crash() {
        let url = serve_health();
        let (service, states) = start(format!(
            "echo Session Manager is listening on {url}; kill -9 $$"
        ));
        let seen: Vec<Status> = states
            .iter()
            .filter(|s| !matches!(s, Status::Running(_)))
            .take(3)
            .collect();
        assert_eq!(
            seen,
            [Status::Starting, Status::Restarting, Status::Starting]
        );
        service.stop();
    }

    #[test]
    fn is_not_started_again_where_it_refuses_until_somebody_asks() {
        let (service, states) = start("echo The port is taken. >&2; exit 1".to_owned());
        for _ in 0..2 {
            assert_eq!(states.recv(), Ok(Status::Starting));
            let Ok(Status::Failed(log)) = states.recv() else {
                panic!("it fails");
            };
            assert_eq!(log, "The port is taken.");
            service.try_again();
        }
        service.stop();
    }

    #[test]
    fn uses_one_that_runs_already_and_leaves_it_alone() {
        let url = serve_health();
        let (service, states) = start(format!(
            "echo Session Manager is already listening on {url}"
        ));
        assert_eq!(states.recv(), Ok(Status::Starting));
        assert_eq!(states.recv(), Ok(Status::Running(url.clone())));
        service.stop();
        assert!(states.recv().is_err(), "the keeper has ended");
        assert!(health::answers(&url));
    }
}
