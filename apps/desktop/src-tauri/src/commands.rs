//! Commands that pages can call. `window.rs` allows them to the service's page, `capabilities/status.json` to the
//! application's own page.

use std::path::Path;
use std::sync::Arc;

use tauri::{AppHandle, State, Url};

use crate::opened::{Opened, Place};
use crate::service::Service;
use crate::texts::texts;
#[cfg(target_os = "linux")]
use crate::tray::{Row, Tray};
use crate::window::Shown;
use crate::{browser, export, notification};

/// Opens a web address in the default browser.
#[tauri::command(async)]
pub fn open_in_browser(url: &str) -> Result<(), String> {
    browser::open(&url.parse::<Url>().map_err(|error| error.to_string())?)
}

/// Asks where to save an export, and saves it. Returns the file's path, or nothing if the user cancels. `path` is the
/// path and query of the export on the service.
#[tauri::command]
pub async fn save_export(
    app: AppHandle,
    shown: State<'_, Arc<Shown>>,
    path: String,
    suggested_name: String,
) -> Result<Option<String>, String> {
    let service = shown.service().ok_or(texts().outside_export)?;
    let address = export::address(&service, &path).ok_or(texts().outside_export)?;
    let work = move || export::save(&app, &service, &address, &suggested_name);
    tauri::async_runtime::spawn_blocking(work)
        .await
        .map_err(|error| error.to_string())?
}

/// Shows a file in the system's file manager.
#[tauri::command(async)]
pub fn reveal_in_file_manager(path: &Path) -> Result<(), String> {
    if !path.is_absolute() {
        return Err(texts().not_absolute.to_owned());
    }
    tauri_plugin_opener::reveal_item_in_dir(path).map_err(|error| error.to_string())
}

/// Shows a system notification. A click on it brings the window to the front, and shows an address of the page.
#[tauri::command(async)]
pub fn notify(app: AppHandle, title: &str, body: &str, address: String) -> Result<(), String> {
    notification::show(&app, title, body, address)
}

/// Returns once what the application was started with, or what was opened before the page listened.
#[tauri::command]
pub fn pending_place(opened: State<'_, Opened>) -> Option<Place> {
    opened.take()
}

/// Shows in the tray what waits for the user and what runs.
#[cfg(target_os = "linux")]
#[tauri::command(async)]
pub fn show_in_tray(tray: State<'_, Tray>, rows: Vec<Row>) {
    tray.show(rows);
}

/// Restarts the service after it was given up.
#[tauri::command]
pub fn try_again(service: State<'_, Service>) {
    service.try_again();
}
