//! Session Manager's desktop application: a window of the system's web view around the service.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod arguments;
mod browser;
mod commands;
mod export;
mod menu;
mod notification;
mod opened;
mod server_program;
mod service;
mod texts;
#[cfg(target_os = "linux")]
mod tray;
mod window;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use tauri::{AppHandle, Manager, RunEvent};
use tauri_plugin_window_state::StateFlags;

use crate::arguments::{Request, WindowArguments};
use crate::opened::Opened;
use crate::server_program::ServerProgram;
use crate::service::Service;
use crate::window::Shown;

const FAILED: u8 = 1;
const WRONG_USAGE: u8 = 2;

fn main() -> ExitCode {
    let directory = env::current_dir().unwrap_or_default();
    let request = arguments::read(env::args_os().skip(1), &directory);
    #[cfg(windows)]
    use_console_of_parent();
    match request {
        Request::OpenWindow(arguments) => open_window(arguments),
        // Before any use of a window: works without a display.
        Request::Serve(arguments) => {
            let context = context();
            let server = ServerProgram::locate(context.package_info());
            let reason =
                server.map_or_else(|reason| reason, |server| server.become_server(&arguments));
            refuse(&reason, FAILED)
        }
        Request::PrintHelp => {
            say(arguments::HELP);
            ExitCode::SUCCESS
        }
        Request::PrintVersion => {
            say(&format!("{}\n", context().package_info().version));
            ExitCode::SUCCESS
        }
        Request::Refuse(reason) => refuse(&reason, WRONG_USAGE),
    }
}

fn open_window(arguments: WindowArguments) -> ExitCode {
    let context = context();
    let server = match ServerProgram::locate(context.package_info()) {
        Ok(server) => server,
        Err(reason) => return refuse(&reason, FAILED),
    };
    #[cfg(target_os = "linux")]
    if gtk::init().is_err() {
        let reason = "No display found. To serve without a window, run session-manager --cli.";
        return refuse(reason, FAILED);
    }
    let ours = ["--exit-with-parent", "--join"].map(OsString::from);
    // The user's arguments come last, so that they take precedence.
    let server_arguments = [&ours[..], &arguments.server].concat();
    let remembered =
        StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN;
    let application = tauri::Builder::default()
        // Must be first: a second instance ends in it.
        .plugin(tauri_plugin_single_instance::init(
            |app, arguments, directory| {
                start_again(app, arguments, Path::new(&directory));
            },
        ))
        .plugin(
            tauri_plugin_window_state::Builder::new()
                .with_state_flags(remembered)
                .build(),
        )
        .plugin(tauri_plugin_dialog::init())
        .manage(Opened::new(arguments.place))
        .manage(Arc::new(Shown::new()))
        .manage(menu::Zoom::default())
        .menu(menu::build)
        .on_menu_event(|app, event| menu::run(app, event.id().as_ref()))
        .invoke_handler(tauri::generate_handler![
            commands::open_in_browser,
            commands::save_export,
            commands::reveal_in_file_manager,
            commands::notify,
            commands::pending_place,
            #[cfg(target_os = "linux")]
            commands::show_in_tray,
            commands::try_again,
        ])
        .setup(move |app| {
            // The server starts while the window is created.
            let handle = app.handle().clone();
            app.manage(Service::start(
                move || server.command(&server_arguments),
                move |status| {
                    let app = handle.clone();
                    // Fails when the application is ending; nobody needs the message then.
                    let _ = handle.run_on_main_thread(move || window::show_status(&app, status));
                },
            ));
            #[cfg(target_os = "linux")]
            app.manage(tray::Tray::start(app.handle()));
            window::create(app.handle())?;
            Ok(())
        })
        .build(context);
    match application {
        Ok(application) => {
            application.run(on_event);
            ExitCode::SUCCESS
        }
        Err(error) => refuse(&format!("The window cannot be opened: {error}"), FAILED),
    }
}

fn on_event(app: &AppHandle, event: RunEvent) {
    match event {
        RunEvent::Exit => app.state::<Service>().stop(),
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => {
            for url in urls {
                if arguments::is_link(url.as_str()) {
                    window::show_place(app, opened::Place::Link(url.into()));
                } else if let Ok(path) = url.to_file_path()
                    && arguments::is_session(&path)
                {
                    window::show_place(app, arguments::place_of(path));
                }
            }
        }
        _ => {}
    }
}

/// Handles the arguments of a second instance.
fn start_again(app: &AppHandle, arguments: Vec<String>, directory: &Path) {
    let arguments = arguments.into_iter().skip(1).map(Into::into);
    if let Request::OpenWindow(WindowArguments {
        place: Some(place), ..
    }) = arguments::read(arguments, directory)
    {
        window::show_place(app, place);
    }
    window::focus(app);
}

fn context() -> tauri::Context {
    tauri::generate_context!()
}

/// The reader may have closed the pipe.
fn say(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}

fn refuse(reason: &str, exit_code: u8) -> ExitCode {
    eprintln!("{reason}");
    ExitCode::from(exit_code)
}

/// Attaches to the console of the parent: Windows gives GUI programs none.
#[cfg(windows)]
fn use_console_of_parent() {
    use windows_sys::Win32::System::Console::{ATTACH_PARENT_PROCESS, AttachConsole};
    // SAFETY: the call has no preconditions; it fails where there is no such console.
    unsafe { AttachConsole(ATTACH_PARENT_PROCESS) };
}
