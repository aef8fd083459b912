//! The icon in the system's tray: a menu of what waits for the user and what runs, as the page tells it.

mod icon;
mod lines;
mod status_notifier;

use serde::Deserialize;
use tauri::AppHandle;

use self::status_notifier::Icon;

/// Something that waits for the user or runs.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub text: String,
    /// Address within the page.
    pub address: String,
    pub is_waiting: bool,
}

/// The icon, if there is a tray.
pub struct Tray(Option<Icon>);

impl Tray {
    pub fn start(app: &AppHandle) -> Self {
        Self(Icon::start(app))
    }

    /// Shows these rows instead of the former ones.
    pub fn show(&self, rows: Vec<Row>) {
        if let Some(icon) = &self.0 {
            icon.show(rows);
        }
    }
}
