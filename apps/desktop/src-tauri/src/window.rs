//! The window shows the service's page, or the status page while there is no service.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::json;
use tauri::ipc::CapabilityBuilder;
use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::{AppHandle, Emitter, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

use crate::browser;
use crate::opened::{Opened, Place};
use crate::service::Status;
use crate::service::health::token_of;
use crate::texts::texts;
#[cfg(target_os = "linux")]
use crate::tray::Tray;

const LABEL: &str = "main";

/// The application's own status page.
const STATUS_PAGE: &str = if cfg!(windows) {
    "http://tauri.localhost/"
} else {
    "tauri://localhost/"
};

/// The status page appears if a start takes longer.
const SHOW_AFTER: Duration = Duration::from_millis(1_500);

/// Minimum time to show a message.
const READ_FOR: Duration = Duration::from_secs(1);

/// Commands allowed to the service's page.
const PERMISSIONS: &[&str] = &[
    "allow-open-in-browser",
    "allow-save-export",
    "allow-reveal-in-file-manager",
    "allow-notify",
    "allow-pending-place",
    "allow-show-in-tray",
    "core:event:allow-listen",
    "core:event:allow-unlisten",
];

/// Content of the window.
pub struct Shown {
    status: Mutex<Status>,
    /// URL of the service, if any, with the token of its start if required.
    service: Mutex<Option<Url>>,
    /// Address within the page when the service ended.
    left_at: Mutex<Option<Url>>,
    capabilities: AtomicU32,
}

impl Shown {
    pub fn new() -> Self {
        Self {
            status: Mutex::new(Status::Starting),
            service: Mutex::default(),
            left_at: Mutex::default(),
            capabilities: AtomicU32::default(),
        }
    }

    /// The address of the service whose page the window shows.
    pub fn service(&self) -> Option<Url> {
        self.service.lock().expect(NO_PANIC).clone()
    }
}

const NO_PANIC: &str = "no thread panics with the state of the window";

/// Creates the window, which is shown when it has content.
pub fn create(app: &AppHandle) -> tauri::Result<()> {
    let shown = app.state::<Arc<Shown>>();
    let (for_navigation, for_load) = (Arc::clone(&shown), Arc::clone(&shown));
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::App("index.html".into()))
        .title("Session Manager")
        .inner_size(1280.0, 840.0)
        .min_inner_size(480.0, 360.0)
        .visible(false)
        // The page handles dropped files.
        .disable_drag_drop_handler()
        .on_navigation(move |url| {
            let stays = may_show(url, for_navigation.service().as_ref());
            if !stays {
                browser::open_link(url);
            }
            stays
        })
        .on_new_window(|url, _| {
            browser::open_link(&url);
            NewWindowResponse::Deny
        })
        .on_page_load(move |window, load| match load.event() {
            PageLoadEvent::Started => {
                window.state::<Opened>().page_begins();
                // The page tells what there is, and it is gone.
                #[cfg(target_os = "linux")]
                window.state::<Tray>().show(Vec::new());
            }
            PageLoadEvent::Finished => finished(&window, load.url(), &for_load),
        })
        // Without a handler downloads fail; they go to the system's folder.
        .on_download(|_, _| true)
        .on_document_title_changed(|window, title| {
            let _ = window.set_title(&title);
        })
        .build()?;
    #[cfg(target_os = "linux")]
    let_page_have_keys_first(&window)?;
    show_late(window);
    Ok(())
}

/// Shows the state of the service.
pub fn show_status(app: &AppHandle, status: Status) {
    let Some(window) = app.get_webview_window(LABEL) else {
        return;
    };
    let shown = app.state::<Arc<Shown>>();
    {
        let mut current = shown.status.lock().expect(NO_PANIC);
        // The reason for a restart is more useful than the progress.
        if (&*current, &status) == (&Status::Restarting, &Status::Starting) {
            return;
        }
        *current = status.clone();
    }
    let result = match status {
        Status::Running(url) => show_service(&window, &shown, url),
        Status::Starting => tell_status(&window, &shown),
        Status::Restarting | Status::Failed(_) => show_status_page(&window, &shown),
    };
    if let Err(error) = result {
        eprintln!("The window cannot show the state of the service: {error}");
    }
}

/// Brings the window to the front.
pub fn focus(app: &AppHandle) {
    let Some(window) = app.get_webview_window(LABEL) else {
        return;
    };
    let _ = window.show();
    let _ = window.unminimize();
    let _ = window.set_focus();
}

/// Sends a place to the page, now or on request.
pub fn show_place(app: &AppHandle, place: Place) {
    if let Some(place) = app.state::<Opened>().hand_over(place) {
        let _ = app.emit_to(LABEL, "opened", place);
    }
}

/// Runs an action of the page.
pub fn run_action(app: &AppHandle, action: &str) {
    let _ = app.emit_to(LABEL, "menu", json!({ "action": action }));
}

/// The main window, if it exists.
pub fn main_window(app: &AppHandle) -> Option<WebviewWindow> {
    app.get_webview_window(LABEL)
}

fn show_service(window: &WebviewWindow, shown: &Arc<Shown>, url: Url) -> tauri::Result<()> {
    let before = shown.service.lock().expect(NO_PANIC).replace(url.clone());
    if before.as_ref() != Some(&url) {
        let number = shown.capabilities.fetch_add(1, Ordering::Relaxed);
        let origin = url.origin().ascii_serialization();
        let page = CapabilityBuilder::new(format!("page-{number}"))
            .local(false)
            .window(LABEL)
            .remote(origin);
        let page = PERMISSIONS
            .iter()
            .fold(page, |page, &permission| page.permission(permission));
        window.app_handle().add_capability(page)?;
    }
    let Some(left_at) = shown.left_at.lock().expect(NO_PANIC).clone() else {
        return window.navigate(url);
    };
    let mut target = url.clone();
    target.set_path(left_at.path());
    target.set_query(left_at.query());
    // The token of the previous start is invalid.
    if let Some(token) = token_of(&url) {
        target.query_pairs_mut().append_pair("token", &token);
    }
    target.set_fragment(left_at.fragment());
    let (window, shown) = (window.clone(), Arc::clone(shown));
    thread::spawn(move || {
        thread::sleep(READ_FOR);
        // It may have crashed again.
        if *shown.status.lock().expect(NO_PANIC) == Status::Running(url) {
            *shown.left_at.lock().expect(NO_PANIC) = None;
            let _ = window.navigate(target);
        }
    });
    Ok(())
}

fn show_status_page(window: &WebviewWindow, shown: &Shown) -> tauri::Result<()> {
    let here = window.url()?;
    if is_status_page(&here) {
        tell_status(window, shown)?;
    } else {
        *shown.left_at.lock().expect(NO_PANIC) = Some(here);
        window.navigate(STATUS_PAGE.parse().expect("an address of our own"))?;
    }
    window.show()
}

/// Updates the status page; the service's page does not receive it.
fn tell_status(window: &WebviewWindow, shown: &Shown) -> tauri::Result<()> {
    let (kind, log) = match &*shown.status.lock().expect(NO_PANIC) {
        Status::Starting => ("starting", String::new()),
        Status::Restarting => ("restarting", String::new()),
        Status::Failed(log) => ("failed", log.clone()),
        Status::Running(_) => return Ok(()),
    };
    let status = json!({ "kind": kind, "log": log });
    let texts = json!(texts().status);
    window.eval(format!("globalThis.showStatus?.({status}, {texts})"))
}

fn finished(window: &WebviewWindow, url: &Url, shown: &Shown) {
    let result = if is_status_page(url) {
        tell_status(window, shown)
    } else {
        window.show()
    };
    if let Err(error) = result {
        eprintln!("The window cannot be shown: {error}");
    }
}

fn show_late(window: WebviewWindow) {
    thread::spawn(move || {
        thread::sleep(SHOW_AFTER);
        let _ = window.show();
    });
}

/// Only the service's page, its frames, and the status page may be shown. Other responses of the service, such as
/// exports, would have the rights of its address.
fn may_show(url: &Url, service: Option<&Url>) -> bool {
    if is_status_page(url) || url.as_str() == "about:blank" || url.as_str() == "about:srcdoc" {
        return true;
    }
    // A blob has the origin of the page that created it.
    let is_service = service.is_some_and(|service| url.origin() == service.origin());
    is_service && !url.path().starts_with("/api")
}

fn is_status_page(url: &Url) -> bool {
    let own: Url = STATUS_PAGE.parse().expect("an address of our own");
    url.scheme() == own.scheme() && url.host_str() == own.host_str()
}

/// Menu shortcuts are also typed in terminals: the menu handles them only if the page does not.
#[cfg(target_os = "linux")]
fn let_page_have_keys_first(window: &WebviewWindow) -> tauri::Result<()> {
    use gtk::glib::Propagation;
    use gtk::prelude::{GtkWindowExt, WidgetExt};
    window
        .gtk_window()?
        .connect_key_press_event(|window, event| {
            if window.propagate_key_event(event) {
                Propagation::Stop
            } else {
                Propagation::Proceed
            }
        });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_only_the_service_and_its_own_page() {
        let service: Url = "http://127.0.0.1:52131/".parse().unwrap();
        let cases = [
            ("http://127.0.0.1:52131/session?path=%2Fa", true),
            ("blob:http://127.0.0.1:52131/5f2c", true),
            ("about:srcdoc", true),
            (STATUS_PAGE, true),
            (
                "http://127.0.0.1:52131/api/export?path=%2Fa&format=html",
                false,
            ),
            ("http://127.0.0.1:52132/", false),
            ("https://127.0.0.1:52131/", false),
            ("http://127.0.0.1:52131@evil.example/", false),
            ("http://localhost:52131/", false),
            ("blob:http://evil.example/5f2c", false),
            ("data:text/html,x", false),
            ("file:///etc/passwd", false),
            ("javascript:alert(1)", false),
        ];
        for (address, expected) in cases {
            assert_eq!(
                may_show(&address.parse().unwrap(), Some(&service)),
                expected,
                "{address}"
            );
        }
        assert!(!may_show(&service, None));
    }
}
