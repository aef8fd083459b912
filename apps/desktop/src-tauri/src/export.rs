//! Saves exports: streams them from the service and replaces the target when complete.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tauri::{AppHandle, Manager, Url};
use tauri_plugin_dialog::{DialogExt, FilePath};

use crate::service::health::{local_client, token_of};
use crate::window::main_window;

const ROUTE: &str = "/api/export";
/// Limit of an error response.
const MESSAGE_BYTES: u64 = 64 * 1024;

/// The URL of an export on the service, `None` for anything else.
pub fn address(service: &Url, path: &str) -> Option<Url> {
    if !path.starts_with('/') {
        return None;
    }
    let address = service.join(path).ok()?;
    let is_export = address.path() == ROUTE && address.query().is_some();
    (is_export && address.origin() == service.origin()).then_some(address)
}

/// Asks for a location and saves an export there. Blocks, so it must not run in the main thread.
pub fn save(
    app: &AppHandle,
    service: &Url,
    address: &Url,
    suggested_name: &str,
) -> Result<Option<String>, String> {
    // Before the dialog, because some URLs expire after a minute and the user may take longer. The service waits.
    let content = request(address, token_of(service))?;
    let Some(target) = ask_where(app, suggested_name)? else {
        return Ok(None);
    };
    write(&target, content)?;
    Ok(Some(target.to_string_lossy().into_owned()))
}

fn ask_where(app: &AppHandle, suggested_name: &str) -> Result<Option<PathBuf>, String> {
    let mut dialog = app.dialog().file().set_file_name(file_name(suggested_name));
    if let Some(window) = main_window(app) {
        dialog = dialog.set_parent(&window);
    }
    if let Ok(folder) = app.path().download_dir()
        && folder.is_dir()
    {
        dialog = dialog.set_directory(folder);
    }
    let chosen = dialog.blocking_save_file().map(FilePath::into_path);
    chosen.transpose().map_err(|error| error.to_string())
}

/// Extracts the file name from a possible path.
fn file_name(suggested: &str) -> String {
    let name = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name
        .chars()
        .filter(|character| !character.is_control())
        .collect();
    if name.trim_matches('.').is_empty() {
        "session".to_owned()
    } else {
        name
    }
}

/// Requests an export; the service's error message is the error.
fn request(address: &Url, token: Option<String>) -> Result<impl Read, String> {
    let mut request = local_client().get(address.as_str());
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    let (head, body) = request
        .call()
        .map_err(|error| error.to_string())?
        .into_parts();
    let mut content = body.into_reader();
    if head.status.is_success() {
        return Ok(content);
    }
    let mut text = String::new();
    let _ = content
        .by_ref()
        .take(MESSAGE_BYTES)
        .read_to_string(&mut text);
    Err(message_of(&text).unwrap_or_else(|| format!("The service answered {}.", head.status)))
}

fn message_of(body: &str) -> Option<String> {
    let body: serde_json::Value = serde_json::from_str(body).ok()?;
    Some(body.pointer("/error/message")?.as_str()?.to_owned())
}

/// Writes a temporary file beside the target and renames it, so that the target is never incomplete.
fn write(target: &Path, mut content: impl Read) -> Result<(), String> {
    let written = create_beside(target).and_then(|(part, mut file)| {
        let written = io::copy(&mut content, &mut file)
            .and_then(|_| file.sync_all())
            .and_then(|()| fs::rename(&part, target));
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        written
    });
    written.map_err(|error| format!("{}: {error}", target.display()))
}

fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target
        .file_name()
        .unwrap_or(OsStr::new("export"))
        .to_string_lossy();
    let start: String = name.chars().take(40).collect();
    let mut number = std::process::id();
    loop {
        let part = target.with_file_name(format!(".{start}.{number}.part"));
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Ok(file) => return Ok((part, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                number = number.wrapping_add(1)
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    #[test]
    fn saves_exports_of_the_service_only() {
        let service: Url = "http://127.0.0.1:52131/".parse().unwrap();
        for (path, expected) in [
            ("/api/export?path=%2Fa.jsonl&format=html", true),
            ("/api/export?ticket=x", true),
            ("/api/export", false),
            ("/api/export/../../metrics?a", false),
            ("/metrics?a", false),
            ("//evil.example/api/export?a", false),
            ("/\\evil.example/api/export?a", false),
            ("http://evil.example/api/export?a", false),
            ("api/export?a", false),
        ] {
            assert_eq!(address(&service, path).is_some(), expected, "{path}");
        }
    }

    #[test]
    fn suggests_a_name_without_a_folder() {
        for (suggested, expected) in [
            ("a session.html", "a session.html"),
            ("../../.bashrc", ".bashrc"),
            ("C:\\a\\b.md", "b.md"),
            ("/tmp/", "session"),
            ("..", "session"),
            ("a\nb.md", "ab.md"),
        ] {
            assert_eq!(file_name(suggested), expected, "{suggested}");
        }
    }

    #[test]
    fn puts_a_complete_file_in_place_of_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.html");
        fs::write(&target, "old").unwrap();
        let address =
            serve("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nnew\r\n0\r\n\r\n");
        write(&target, request(&address, None).unwrap()).unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn keeps_the_old_file_where_the_new_one_breaks_off() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.html");
        fs::write(&target, "old").unwrap();
        let address = serve("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nnew");
        assert!(write(&target, request(&address, None).unwrap()).is_err());
        assert_eq!(fs::read_to_string(&target).unwrap(), "old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn says_what_the_service_says() {
        let body = r#"{"success":false,"data":null,"error":{"code":"NOT_FOUND","message":"It no longer exists."}}"#;
        let length = body.len();
        let address = serve(&format!(
            "HTTP/1.1 404 Not Found\r\nContent-Length: {length}\r\n\r\n{body}"
        ));
        assert_eq!(
            request(&address, None).err(),
            Some("It no longer exists.".to_owned())
        );
    }

    #[test]
    fn shows_the_service_the_token_of_its_start() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let service: Url = format!("http://{}/?token=sm_start", listener.local_addr().unwrap())
            .parse()
            .unwrap();
        let address = address(&service, "/api/export?ticket=x").unwrap();
        assert_eq!(address.query(), Some("ticket=x"));
        let asked = thread::spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            let mut head = [0; 1024];
            let length = socket.read(&mut head).unwrap();
            socket
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                .unwrap();
            String::from_utf8_lossy(&head[..length]).to_lowercase()
        });
        assert!(request(&address, token_of(&service)).is_ok());
        let head = asked.join().unwrap();
        assert!(
            head.contains("authorization: bearer sm_start\r\n"),
            "{head}"
        );
    }

    /// Answers one request.
    fn serve(answer: &str) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/api/export?a", listener.local_addr().unwrap());
        let answer = answer.to_owned();
        thread::spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let _ = socket.read(&mut request).unwrap();
            socket.write_all(answer.as_bytes()).unwrap();
        });
        url.parse().unwrap()
    }
}
