//! The native menu. Its items trigger the page's own actions. The tray's items are run here too.

use std::sync::Mutex;

use tauri::menu::{
    AboutMetadata, Menu, MenuBuilder, MenuItem, MenuItemBuilder, Submenu, SubmenuBuilder,
};
use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::DialogExt;

use crate::opened::Place;
use crate::texts::{MenuTexts, texts};
use crate::{arguments, browser, window};

/// Prefix of the IDs of page actions.
const ACTION: &str = "action:";
/// Prefix of the IDs of addresses within the page.
pub const ADDRESS: &str = "address:";
pub const SHOW_WINDOW: &str = "show-window";
pub const QUIT: &str = "quit";

const ZOOM_STEP: f64 = 1.1;
const ZOOM_RANGE: (f64, f64) = (0.5, 3.0);

/// Zoom factor of the page.
pub struct Zoom(Mutex<f64>);

impl Default for Zoom {
    fn default() -> Self {
        Self(Mutex::new(1.0))
    }
}

pub fn build(app: &AppHandle) -> tauri::Result<Menu<tauri::Wry>> {
    let words = &texts().menu;
    let menu = MenuBuilder::new(app);
    #[cfg(target_os = "macos")]
    let menu = menu.item(&application_menu(app)?);
    let menu = menu.item(&file_menu(app, words)?);
    // On other systems the web view handles these keys itself.
    #[cfg(target_os = "macos")]
    let menu = menu.item(&edit_menu(app, words)?);
    menu.item(&view_menu(app, words)?)
        .item(&go_menu(app, words)?)
        .item(&help_menu(app, words)?)
        .build()
}

/// Runs a menu item.
pub fn run(app: &AppHandle, id: &str) {
    match id {
        "open" => choose_session(app),
        "reload" => {
            let _ = window::main_window(app).map(|window| window.reload());
        }
        "larger" => zoom(app, |factor| factor * ZOOM_STEP),
        "smaller" => zoom(app, |factor| factor / ZOOM_STEP),
        "actual-size" => zoom(app, |_| 1.0),
        QUIT => app.exit(0),
        SHOW_WINDOW => window::focus(app),
        "in-browser" => {
            if let Some(Ok(url)) = window::main_window(app).map(|window| window.url()) {
                browser::open_link(&url);
            }
        }
        id => {
            if let Some(action) = id.strip_prefix(ACTION) {
                window::run_action(app, action);
            } else if let Some(address) = id.strip_prefix(ADDRESS) {
                window::show_place(app, Place::Address(address.to_owned()));
                window::focus(app);
            }
        }
    }
}

#[cfg(target_os = "macos")]
fn application_menu(app: &AppHandle) -> tauri::Result<Submenu<tauri::Wry>> {
    SubmenuBuilder::new(app, "Session Manager")
        .about(Some(about(app)))
        .separator()
        .hide()
        .hide_others()
        .show_all()
        .separator()
        .quit()
        .build()
}

fn file_menu(app: &AppHandle, words: &MenuTexts) -> tauri::Result<Submenu<tauri::Wry>> {
    let menu = SubmenuBuilder::new(app, words.file)
        .item(&item(app, "open", words.open, "CmdOrCtrl+O")?)
        .separator()
        .item(&item(app, "action:live.new", words.new_agent, "")?)
        .item(&item(app, "action:terminals.new", words.new_terminal, "")?)
        .separator()
        .item(&item(
            app,
            "action:session.export",
            words.export,
            "CmdOrCtrl+E",
        )?)
        .item(&item(
            app,
            "action:session.export_as",
            words.export_as,
            "CmdOrCtrl+Shift+E",
        )?)
        .item(&item(app, "action:session.reveal", words.reveal, "")?)
        .separator()
        .item(&item(
            app,
            "action:go.settings",
            words.settings,
            "CmdOrCtrl+,",
        )?);
    #[cfg(not(target_os = "macos"))]
    let menu = menu
        .separator()
        .item(&item(app, QUIT, words.quit, "CmdOrCtrl+Q")?);
    menu.build()
}

#[cfg(target_os = "macos")]
fn edit_menu(app: &AppHandle, words: &MenuTexts) -> tauri::Result<Submenu<tauri::Wry>> {
    SubmenuBuilder::new(app, words.edit)
        .undo()
        .redo()
        .separator()
        .cut()
        .copy()
        .paste()
        .select_all()
        .build()
}

fn view_menu(app: &AppHandle, words: &MenuTexts) -> tauri::Result<Submenu<tauri::Wry>> {
    SubmenuBuilder::new(app, words.view)
        .item(&item(
            app,
            "action:view.palette",
            words.palette,
            "CmdOrCtrl+K",
        )?)
        .item(&item(app, "action:view.rail", words.rail, "CmdOrCtrl+B")?)
        .item(&item(app, "action:view.theme", words.theme, "")?)
        .separator()
        .item(&item(app, "reload", words.reload, "CmdOrCtrl+R")?)
        .item(&item(app, "larger", words.larger, "CmdOrCtrl+=")?)
        .item(&item(app, "smaller", words.smaller, "CmdOrCtrl+-")?)
        .item(&item(app, "actual-size", words.actual_size, "CmdOrCtrl+0")?)
        .build()
}

fn go_menu(app: &AppHandle, words: &MenuTexts) -> tauri::Result<Submenu<tauri::Wry>> {
    let (back, forward) = if cfg!(target_os = "macos") {
        ("Cmd+[", "Cmd+]")
    } else {
        ("Alt+Left", "Alt+Right")
    };
    SubmenuBuilder::new(app, words.go)
        .item(&item(app, "action:go.back", words.back, back)?)
        .item(&item(app, "action:go.forward", words.forward, forward)?)
        .separator()
        .item(&item(app, "action:go.sessions", words.sessions, "")?)
        .item(&item(app, "action:go.search", words.search, "")?)
        .item(&item(app, "action:go.live", words.live, "")?)
        .item(&item(app, "action:go.terminals", words.terminals, "")?)
        .item(&item(app, "action:go.statistics", words.statistics, "")?)
        .build()
}

fn help_menu(app: &AppHandle, words: &MenuTexts) -> tauri::Result<Submenu<tauri::Wry>> {
    let menu = SubmenuBuilder::new(app, words.help)
        .item(&item(app, "action:view.shortcuts", words.shortcuts, "")?)
        .item(&item(app, "in-browser", words.in_browser, "")?);
    #[cfg(not(target_os = "macos"))]
    let menu = menu.separator().about(Some(about(app)));
    menu.build()
}

fn about(app: &AppHandle) -> AboutMetadata<'static> {
    let package = app.package_info();
    AboutMetadata {
        name: Some("Session Manager".to_owned()),
        version: Some(package.version.to_string()),
        comments: Some(package.description.to_owned()),
        license: Some("MIT".to_owned()),
        icon: app
            .default_window_icon()
            .cloned()
            .map(tauri::image::Image::to_owned),
        ..AboutMetadata::default()
    }
}

fn item(app: &AppHandle, id: &str, text: &str, keys: &str) -> tauri::Result<MenuItem<tauri::Wry>> {
    let item = MenuItemBuilder::with_id(id, text);
    if keys.is_empty() {
        item.build(app)
    } else {
        item.accelerator(keys).build(app)
    }
}

fn choose_session(app: &AppHandle) {
    let mut dialog = app.dialog().file().add_filter("JSONL", &["jsonl"]);
    if let Some(window) = window::main_window(app) {
        dialog = dialog.set_parent(&window);
    }
    let app = app.clone();
    dialog.pick_file(move |chosen| {
        if let Some(path) = chosen.and_then(|chosen| chosen.into_path().ok())
            && arguments::is_session(&path)
        {
            window::show_place(&app, arguments::place_of(path));
        }
    });
}

fn zoom(app: &AppHandle, change: impl Fn(f64) -> f64) {
    let Some(window) = window::main_window(app) else {
        return;
    };
    let zoom = app.state::<Zoom>();
    let mut factor = zoom.0.lock().expect("no thread panics with the zoom");
    *factor = change(*factor).clamp(ZOOM_RANGE.0, ZOOM_RANGE.1);
    let _ = window.set_zoom(*factor);
}
