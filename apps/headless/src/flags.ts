import { environmentName, type Flags, SETTING_NAMES, type SettingName } from "@sm/server";
import { Command } from "commander";

export interface CommandLine {
  flags: Flags;
  demo: boolean;
}

const OPTIONS: Record<SettingName, [term: string, description: string]> = {
  port: ["--port <number>", "port to listen on, 0 for any free one (default: 52131)"],
  bind: ["--bind <address>", "address to listen on (default: 127.0.0.1)"],
  "config-dir": ["--config-dir <directory>", "directory that holds session-manager.json"],
  "data-dir": ["--data-dir <directory>", "directory of the index, tags and favorites"],
  "agent-home": ["--agent-home <directory>", "home of the coding agent (default: ~/.pi)"],
  open: ["--open", "open the default browser"],
  "log-level": ["--log-level <level>", "trace, debug, info, warn, error, fatal or silent (default: info)"],
};

const EPILOGUE = `
Each option above --demo can be given as an environment variable instead, such as
${environmentName("port")} or ${environmentName("data-dir")}. Options win over variables, and
variables over session-manager.json.

Examples:
  session-cli                      serve your sessions on http://127.0.0.1:52131
  session-cli --port 0 --demo      look around in sample sessions first
`;

/** Reads the command line. Ends the process for `--help`, `--version` and mistakes, as users expect. */
export function parseCommandLine(argv: readonly string[], version: string): CommandLine {
  const program = new Command("session-cli")
    .description("Lists, reads, searches and exports the sessions of a coding agent over HTTP.")
    .version(version, "--version", "print the version")
    .helpOption("--help", "print this text");
  for (const name of SETTING_NAMES) program.option(...OPTIONS[name]);
  program.option("--demo", "serve sample sessions from a temporary folder");
  program.addHelpText("after", EPILOGUE);
  program.parse(argv, { from: "user" });

  const options = program.opts<Record<string, string | boolean | undefined>>();
  const flags: Flags = {};
  for (const name of SETTING_NAMES) {
    const value = options[attributeName(name)];
    if (value !== undefined) flags[name] = String(value);
  }
  const ownPlace = (["config-dir", "data-dir", "agent-home"] as const).find((name) => flags[name] !== undefined);
  if (options.demo === true && ownPlace !== undefined) {
    program.error(`error: --demo has its own directories and cannot be used together with --${ownPlace}`);
  }
  return { flags, demo: options.demo === true };
}

function attributeName(name: SettingName): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
