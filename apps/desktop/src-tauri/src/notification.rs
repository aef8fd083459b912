//! Notifications of the system.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use notify_rust::Notification;
use tauri::AppHandle;

use crate::opened::Place;
use crate::window;

/// One thread waits for the click on each; further notifications are shown without.
const MAX_WAITING: usize = 20;
/// The library's action name for a notification that was not clicked.
const CLOSED: &str = "__closed";

static WAITING: AtomicUsize = AtomicUsize::new(0);

/// Shows a notification. If the system reports clicks, a click brings the window to the front and shows the address.
pub fn show(app: &AppHandle, title: &str, body: &str, address: String) -> Result<(), String> {
    let mut notification = Notification::new();
    notification
        .appname("Session Manager")
        .summary(title)
        .body(body)
        .icon("session-manager");
    // Action of the notification itself in the freedesktop specification.
    notification.action("default", title);
    #[cfg(windows)]
    notification.app_id(&app.config().identifier);
    let handle = notification.show().map_err(|error| error.to_string())?;
    if WAITING.fetch_add(1, Ordering::Relaxed) >= MAX_WAITING {
        WAITING.fetch_sub(1, Ordering::Relaxed);
        return Ok(());
    }
    let app = app.clone();
    thread::spawn(move || {
        let mut is_clicked = false;
        handle.wait_for_action(|action| is_clicked = action != CLOSED);
        WAITING.fetch_sub(1, Ordering::Relaxed);
        if is_clicked {
            window::show_place(&app, Place::Address(address));
            window::focus(&app);
        }
    });
    Ok(())
}
