//! The command line.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use tauri::Url;

use crate::opened::Place;

/// Server options with a value: such a value is not a session to open.
const OPTIONS_WITH_VALUE: &[&str] = &[
    "--port",
    "--bind",
    "--config-dir",
    "--data-dir",
    "--agent-home",
    "--log-level",
];

/// Scheme of the links that the system opens with this program.
const LINK_SCHEME: &str = "session-manager:";

pub const HELP: &str = "\
Usage: session-manager [options] [session.jsonl]
       session-manager session-manager://open?path=/a/session.jsonl

Opens a window on the sessions of a coding agent, and serves them to other programs on this machine.

  --cli, --headless  serve without a window, or run a command: everything else is then as for session-cli
  --version          print the version
  --help             print this text

Options of session-cli, such as --port, --config-dir, --data-dir and --agent-home, are for the service of
the window too. session-manager --cli --help explains them.
";

/// Action requested by the command line.
#[derive(Debug, PartialEq)]
pub enum Request {
    /// Run as the server, with these arguments.
    Serve(Vec<OsString>),
    OpenWindow(WindowArguments),
    PrintHelp,
    PrintVersion,
    /// Invalid request, with the reason.
    Refuse(String),
}

#[derive(Debug, Default, PartialEq)]
pub struct WindowArguments {
    /// For the server.
    pub server: Vec<OsString>,
    /// What to show.
    pub place: Option<Place>,
}

/// Parses the arguments after the program's name. Relative session paths are resolved against `directory`.
pub fn read(arguments: impl IntoIterator<Item = OsString>, directory: &Path) -> Request {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(link) = arguments.iter().find(|one| is_link(one)) {
        return read_link(link, arguments.len());
    }
    if arguments.iter().any(is_headless) {
        let others = arguments.into_iter().filter(|one| !is_headless(one));
        return Request::Serve(others.collect());
    }
    let mut window = WindowArguments::default();
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        match argument.to_str() {
            Some("--help" | "-h") => return Request::PrintHelp,
            Some("--version") => return Request::PrintVersion,
            Some(option) if OPTIONS_WITH_VALUE.contains(&option) => {
                window.server.push(argument);
                window.server.extend(rest.next());
            }
            Some(option) if option.starts_with('-') => window.server.push(argument),
            _ => {
                let path = path_of(&argument, directory);
                if !is_session(&path) {
                    let name = argument.to_string_lossy();
                    return Request::Refuse(format!(
                        "\"{name}\" is not a .jsonl file. To run a command, use --cli: session-manager --cli {name}"
                    ));
                }
                window.place = Some(place_of(path));
            }
        }
    }
    Request::OpenWindow(window)
}

/// Whether this is a link of ours, good or bad.
pub fn is_link(argument: impl AsRef<OsStr>) -> bool {
    let text = argument.as_ref().to_string_lossy();
    let scheme = text.get(..LINK_SCHEME.len());
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(LINK_SCHEME))
}

/// Whoever writes a link must not get options in beside it, as quotation marks in it may do on Windows.
fn read_link(link: &OsStr, count: usize) -> Request {
    if count > 1 {
        let reason = "A session-manager: link takes no options and no other arguments.";
        return Request::Refuse(reason.to_owned());
    }
    Request::OpenWindow(WindowArguments {
        server: Vec::new(),
        place: Some(Place::Link(link.to_string_lossy().into_owned())),
    })
}

/// File managers may name a file by its URL.
fn path_of(argument: &OsStr, directory: &Path) -> PathBuf {
    let url = argument.to_str().filter(|text| text.starts_with("file:"));
    let path = url.and_then(|url| Url::parse(url).ok()?.to_file_path().ok());
    path.unwrap_or_else(|| directory.join(argument))
}

/// A session file, named as the service names it.
pub fn place_of(path: PathBuf) -> Place {
    Place::File(resolved(path).to_string_lossy().into_owned())
}

/// Whether this may be a session, by its name: the service checks the content.
pub fn is_session(path: impl AsRef<OsStr>) -> bool {
    let extension = Path::new(path.as_ref()).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"))
}

/// Canonical if the file exists.
fn resolved(path: PathBuf) -> PathBuf {
    // Canonical paths on Windows start with \\?\, which the service does not use.
    let resolved = if cfg!(windows) {
        std::path::absolute(&path)
    } else {
        path.canonicalize()
    };
    resolved.unwrap_or(path)
}

fn is_headless(argument: &OsString) -> bool {
    argument == "--cli" || argument == "--headless"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(line: &str) -> Request {
        read(
            line.split_whitespace().map(OsString::from),
            Path::new("/home/ada"),
        )
    }

    fn window(server: &[&str], session: Option<&str>) -> Request {
        Request::OpenWindow(WindowArguments {
            server: server.iter().map(OsString::from).collect(),
            place: session.map(|path| Place::File(path.to_owned())),
        })
    }

    #[test]
    fn becomes_the_server_wherever_the_flag_stands() {
        for line in [
            "--cli --port 0 list",
            "--port 0 --headless list",
            "--port 0 list --cli",
        ] {
            let expected = ["--port", "0", "list"].map(OsString::from).to_vec();
            assert_eq!(read_line(line), Request::Serve(expected), "{line}");
        }
        let help = vec![OsString::from("--help")];
        assert_eq!(read_line("--cli --help"), Request::Serve(help));
    }

    #[test]
    fn tells_sessions_from_values_of_options() {
        let cases = [
            ("", window(&[], None)),
            ("a.jsonl", window(&[], Some("/home/ada/a.jsonl"))),
            ("/b/A.JSONL", window(&[], Some("/b/A.JSONL"))),
            (
                "--data-dir x.jsonl y.jsonl",
                window(&["--data-dir", "x.jsonl"], Some("/home/ada/y.jsonl")),
            ),
            ("--port=0 --demo", window(&["--port=0", "--demo"], None)),
            ("--port", window(&["--port"], None)),
            ("file:///b/a%20b.jsonl", window(&[], Some("/b/a b.jsonl"))),
        ];
        for (line, expected) in cases {
            assert_eq!(read_line(line), expected, "{line}");
        }
    }

    #[test]
    fn hands_a_link_over_as_it_is() {
        for link in [
            "session-manager://open?search=a",
            "SESSION-MANAGER://%00",
            "session-manager:",
        ] {
            let expected = WindowArguments {
                server: Vec::new(),
                place: Some(Place::Link(link.to_owned())),
            };
            assert_eq!(read_line(link), Request::OpenWindow(expected));
        }
    }

    #[test]
    fn does_nothing_else_beside_a_link() {
        for line in [
            "session-manager://open --cli --port 0",
            "--cli delete session-manager://open",
            "--data-dir session-manager://open",
            "session-manager://open /b/a.jsonl",
            "--help session-manager:x",
        ] {
            assert!(matches!(read_line(line), Request::Refuse(_)), "{line}");
        }
    }

    #[test]
    fn answers_by_itself() {
        assert_eq!(read_line("--port 0 --help"), Request::PrintHelp);
        assert_eq!(read_line("--version"), Request::PrintVersion);
        let Request::Refuse(reason) = read_line("list --json") else {
            panic!("a command without --cli is refused");
        };
        assert!(reason.ends_with("session-manager --cli list"), "{reason}");
    }
}
