//! The bundled server: a Node runtime and the files of `session-cli`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use tauri::{Env, PackageInfo, utils::platform::resource_dir};

/// Makes glibc return memory that the server no longer needs: a fifth to a third
/// less when idle (measured). Other systems ignore it.
const TRIM: (&str, &str) = ("MALLOC_TRIM_THRESHOLD_", "131072");
const RUNTIME: &str = if cfg!(windows) { "node.exe" } else { "node" };

/// How the server is started.
#[derive(Clone)]
pub struct ServerProgram {
    runtime: PathBuf,
    script: PathBuf,
}

impl ServerProgram {
    pub fn locate(package: &PackageInfo) -> Result<Self, String> {
        let resources =
            resource_dir(package, &Env::default()).map_err(|error| error.to_string())?;
        let program = Self {
            runtime: resources.join(RUNTIME),
            script: resources.join("server").join("dist").join("main.js"),
        };
        for file in [&program.runtime, &program.script] {
            if !file.is_file() {
                let path = file.display();
                return Err(format!("{path} is missing. Reinstall Session Manager."));
            }
        }
        Ok(program)
    }

    pub fn command(&self, arguments: &[OsString]) -> Command {
        let mut command = Command::new(&self.runtime);
        command.arg(&self.script).args(arguments);
        if std::env::var_os(TRIM.0).is_none() {
            command.env(TRIM.0, TRIM.1);
        }
        command
    }

    /// Replaces this process by the server. Returns only on failure.
    #[cfg(unix)]
    pub fn become_server(&self, arguments: &[OsString]) -> String {
        use std::os::unix::process::CommandExt;
        self.command(arguments).exec().to_string()
    }

    /// Runs the server in this process's console, and exits with its code. Returns only on failure.
    #[cfg(windows)]
    pub fn become_server(&self, arguments: &[OsString]) -> String {
        use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;
        // Ctrl+C reaches both; the server handles it.
        // SAFETY: without a handler, the call only sets a flag of this
        // process.
        unsafe { SetConsoleCtrlHandler(None, 1) };
        match self.command(arguments).status() {
            Ok(status) => std::process::exit(status.code().unwrap_or(1)),
            Err(error) => error.to_string(),
        }
    }
}
