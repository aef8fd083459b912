use tauri_build::{AppManifest, Attributes};

/// Commands that pages may call. Without this list every page could call all commands.
const COMMANDS: &[&str] = &[
    "open_in_browser",
    "save_export",
    "reveal_in_file_manager",
    "notify",
    "pending_place",
    "show_in_tray",
    "try_again",
];

fn main() {
    let attributes = Attributes::new().app_manifest(AppManifest::new().commands(COMMANDS));
    tauri_build::try_build(attributes).expect("the application's configuration can be built");
}
