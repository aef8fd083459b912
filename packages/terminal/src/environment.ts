/** Environment variables for the service itself. */
const OWN_NAMES = new Set([
  "NODE_OPTIONS",
  "NODE_ENV",
  "NODE_CHANNEL_FD",
  "NODE_UNIQUE_ID",
  "ELECTRON_RUN_AS_NODE",
  "INIT_CWD",
  // Set by the unit, the container and the desktop window to keep the service small.
  "MALLOC_TRIM_THRESHOLD_",
  // Set by systemd for the service's unit.
  "INVOCATION_ID",
  "JOURNAL_STREAM",
  "NOTIFY_SOCKET",
  "LISTEN_FDS",
  "LISTEN_FDNAMES",
  "LISTEN_PID",
  "MAINPID",
  "WATCHDOG_PID",
  "WATCHDOG_USEC",
  "CREDENTIALS_DIRECTORY",
  "SYSTEMD_EXEC_PID",
  // Describe the terminal and shell in which the service was started.
  "TERM",
  "TERMCAP",
  "TERM_PROGRAM",
  "TERM_PROGRAM_VERSION",
  "TERM_SESSION_ID",
  "COLORTERM",
  "COLUMNS",
  "LINES",
  "STY",
  "TMUX",
  "TMUX_PANE",
  "VTE_VERSION",
  "WINDOW",
  "WINDOWID",
  "OLDPWD",
  "SHLVL",
  "_",
]);
/** The last ones are set by npm and similar when they run the service as a script. */
const OWN_PREFIX = /^(SESSION_MANAGER_|npm_|pnpm_)/i;
/** A token of the service in any variable. */
const TOKEN = /\bsm_[A-Za-z0-9_-]{43}/;

/**
 * Environment of a terminal's program: the service's own without its private and secret variables, with those of a
 * login, and with the service's address for `session-cli` and the agent's extension.
 */
export function loginEnvironment(
  env: NodeJS.ProcessEnv,
  login: { user: string; home: string; shell: string; cwd: string; serviceUrl: string; dataDir: string },
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !OWN_NAMES.has(entry[0]) && !OWN_PREFIX.test(entry[0]) && !TOKEN.test(entry[1]),
  );
  return {
    // Without a locale, shells treat bytes as characters.
    LANG: "C.UTF-8",
    // The agent then reports its state without asking whether somebody reads it.
    PI_PROGRAM_STATUS: "1",
    ...Object.fromEntries(kept),
    HOME: login.home,
    USER: login.user,
    LOGNAME: login.user,
    SHELL: login.shell,
    PWD: login.cwd,
    SESSION_MANAGER_URL: login.serviceUrl,
    SESSION_MANAGER_DATA_DIR: login.dataDir,
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
  };
}
