import { environmentName, type Flags, LOG_LEVELS, SETTING_NAMES, type SettingName } from "@sm/server/early";
import { Command, Option } from "commander";
import { addAgents } from "./commands/agents.ts";
import type { MemoryActions } from "./commands/agents-memory.ts";
import { addArchive } from "./commands/archive.ts";
import { addBookmark } from "./commands/bookmark.ts";
import { addCall } from "./commands/call.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConfig } from "./commands/config.ts";
import { addConvert } from "./commands/convert.ts";
import { addDelete } from "./commands/delete.ts";
import { examples } from "./commands/display.ts";
import { addExport } from "./commands/export.ts";
import { addFavorite } from "./commands/favorite.ts";
import { addFork } from "./commands/fork.ts";
import { addHub } from "./commands/hub.ts";
import { addList } from "./commands/list.ts";
import { addLive } from "./commands/live.ts";
import { addMcp } from "./commands/mcp.ts";
import { addModels } from "./commands/models.ts";
import { addNote } from "./commands/note.ts";
import { addRename } from "./commands/rename.ts";
import { addResources } from "./commands/resources.ts";
import { addRestore } from "./commands/restore.ts";
import { addResume } from "./commands/resume.ts";
import type { Run, RunAlone } from "./commands/run-command.ts";
import { addSearch } from "./commands/search.ts";
import { addShare } from "./commands/share.ts";
import { addShow } from "./commands/show.ts";
import { addStats } from "./commands/stats.ts";
import { addTag } from "./commands/tag.ts";
import { addTerminals } from "./commands/terminals.ts";
import { addToken } from "./commands/token.ts";
import { addVault } from "./commands/vault.ts";
import type { Connection, ConnectOptions } from "./connection/connection.ts";
import { misuseOf } from "./misuse.ts";
import { parseStore, port } from "./option-values.ts";
import { adjustParsing } from "./parsing.ts";
import type { Shell, ViewOptions } from "./shell.ts";

/** Name of the default command. */
const SERVE = "serve";

/** How to serve, apart from settings. */
export interface ServeOptions {
  /** Serves sample sessions. */
  isDemo: boolean;
  /** Prints nothing but the log. */
  isQuiet: boolean;
  /** Uses a service that is already running, if any. */
  isJoining: boolean;
  /** Ends when standard input ends. */
  endsWithInput: boolean;
  /** Database of the hub that it is a server of; `null`: it serves the sessions of this machine. */
  store: string | null;
}

/** Implementations of the command line's actions. */
export interface Actions {
  serve(flags: Flags, options: ServeOptions): Promise<void>;
  shell(options: ViewOptions): Shell;
  /** Writes the program's own text to standard output. */
  write(text: string): void;
  connect(options: ConnectOptions, shell: Shell): Promise<Connection>;
  /** Speaks MCP on standard input and output until input ends. */
  speakMcp(connection: Connection, shell: Shell, flags: Flags): Promise<void>;
  /** Where the user's agents are, and this program. */
  user: Omit<MemoryActions, "execute">;
  /** Runs a command of a POSIX shell in the user's terminal. Resolves with its exit code. */
  execute(command: string): Promise<number>;
}

const OPTIONS: Record<SettingName, Option> = {
  port: new Option("-p, --port <number>", "port to listen on, 0 for any free port (default: 52131)").argParser(port),
  bind: new Option("--bind <address>", "address to listen on (default: 127.0.0.1)"),
  "config-dir": new Option("--config-dir <directory>", "directory of session-manager.json"),
  "data-dir": new Option("--data-dir <directory>", "directory of the index, tags, favorites and tokens"),
  "agent-home": new Option("--agent-home <directory>", "home of the coding agent (default: ~/.pi)"),
  open: new Option("--open", "open the default browser"),
  "log-level": new Option("--log-level <level>", "log level (default: info)").choices(LOG_LEVELS),
};

/** Settings shared by serving and the subcommands. */
const PLACES = ["config-dir", "data-dir", "agent-home"] as const satisfies SettingName[];

const SUBCOMMAND_OPTIONS = [
  new Option("--server <url>", "server to use instead of the one on this machine").env("SESSION_MANAGER_SERVER"),
  new Option("--token <token>", "API token for that server; other users cannot see the variable").env(
    "SESSION_MANAGER_TOKEN",
  ),
  new Option("--json", "write JSON instead of text"),
  new Option("--color <when>", "when to use colors (default: auto, on a terminal)").choices([
    "auto",
    "always",
    "never",
  ]),
  new Option("--no-color", "the same as --color never"),
  new Option("--no-pager", "do not use the pager for long output"),
];

const EPILOGUE = `
Without a command, session-cli serves. A command uses the server of the same data directory, or reads the
sessions itself if none is running. <session> is a path, an id, the beginning of an id, a title, or last.

Each option from --port to --log-level can be given as an environment variable instead, such as
${environmentName("port")} or ${environmentName("data-dir")}. Options win over variables, and
variables over session-manager.json. Colors follow NO_COLOR and FORCE_COLOR, the pager PAGER and NO_PAGER.

Exit codes: 0 success, 1 failure, 2 invalid option or argument, 3 not found or ambiguous, 4 refused,
5 not available

Examples:
  session-cli                      serve your sessions on http://127.0.0.1:52131
  session-cli --port 0 --demo      try it with sample sessions
  session-cli search tide clock    search all sessions
  session-cli show last            read the newest session
`;

/** Creates the command-line parser. Errors, `--help` and `--version` reject with commander's `CommanderError`. */
export function createProgram(version: string, actions: Actions): Command {
  const program = new Command("session-cli")
    .description(
      "Lists, reads, searches and exports the sessions of a coding agent, and serves them over HTTP and WebSocket.",
    )
    .usage("[options] [command]")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride();

  for (const name of SETTING_NAMES) program.addOption(OPTIONS[name]);
  program.option("--demo", "serve sample sessions from a temporary folder");
  program.option(
    "--join",
    "use the running server of the data directory, if any; otherwise any port if the default is taken",
  );
  program.option("--exit-with-parent", "stop when standard input closes");
  program.addOption(
    new Option("--store <url>", "serve a hub: the sessions that machines have sent to this PostgreSQL").env(
      "SESSION_MANAGER_STORE",
    ),
  );
  const servingOptions = program.options.filter(({ long }) => !PLACES.some((name) => long === `--${name}`));
  const quiet = new Option("-q, --quiet", "print only results and errors; lists print names or ids only");
  program.addOption(quiet);
  program.optionsGroup("Options of commands:");
  for (const option of SUBCOMMAND_OPTIONS) program.addOption(option);
  program.addHelpText("after", EPILOGUE);
  program.configureHelp({
    showGlobalOptions: true,
    visibleGlobalOptions: (command) => (command === program ? [] : globalOptionsOf(command)),
  });

  /** Global options that a command accepts. */
  const globalOptionsOf = (command: Command): Option[] => {
    const others = command.name() === SERVE ? SUBCOMMAND_OPTIONS : servingOptions;
    return program.options.filter((option) => !others.includes(option));
  };

  const isGiven = (option: Option): boolean => program.getOptionValueSource(option.attributeName()) === "cli";
  const refuse = (options: readonly Option[], reason: string): void => {
    const given = options.find(isGiven);
    if (given !== undefined) program.error(`error: ${given.long} ${reason}`);
  };

  addServing(program, actions, { quiet, isGiven, refuse });
  const runWith = runnerOf(program, actions, () => refuse(servingOptions, "is only for serving, not for commands"));
  const run = runWith(null);
  addList(program, run);
  const search = addSearch(program, run);
  addShow(program, run);
  addStats(program, run);
  addExport(program, run);
  addShare(program, run);
  addRename(program, run);
  addFork(program, run);
  addResume(program, run, actions.execute);
  addConvert(program, run);
  addDelete(program, run);
  addArchive(program, run);
  addRestore(program, run);
  addVault(program, run, runWith("library"));
  addHub(program, run, runWith.alone);
  addNote(program, run);
  addBookmark(program, run);
  addTag(program, run);
  addFavorite(program, run);
  addConfig(program, run);
  addModels(program, run);
  addAgents(program, run, runWith.alone, { ...actions.user, execute: actions.execute });
  addResources(program, run);
  addLive(program, runWith("server"));
  addTerminals(program, runWith("server"));
  addCall(program, run);
  addMcp(program, run, (connection, shell) => actions.speakMcp(connection, shell, flagsOf(program)));
  addToken(program, runWith("tokens"));
  addCompletion(program, actions.write);
  // For the build.
  program.command("__manual", { hidden: true }).action(async () => {
    const { manualPage } = await import("./manual.ts");
    actions.write(manualPage(program, version, EPILOGUE));
  });
  adjustParsing(program, search);
  // The program has no arguments, but its action reports errors better. Last, because subcommands inherit it.
  return program.allowExcessArguments();
}

interface ServingOptions {
  quiet: Option;
  isGiven(option: Option): boolean;
  /** Fails if one of the options is given. */
  refuse(options: readonly Option[], reason: string): void;
}

/** Makes the program serve, with and without the command `serve`. */
function addServing(program: Command, actions: Actions, { quiet, isGiven, refuse }: ServingOptions): void {
  const serve = async (): Promise<void> => {
    refuse(SUBCOMMAND_OPTIONS, "cannot be used when serving");
    const flags = flagsOf(program);
    if (isGiven(quiet) && flags["log-level"] === undefined) flags["log-level"] = "error";
    const isOn = (name: string): boolean => program.getOptionValue(name) === true;
    const isDemo = isOn("demo");
    const store = program.opts<{ store?: string }>().store ?? null;
    if (store !== null) parseStore(store);
    if (store !== null && isDemo) program.error("error: --demo has sessions of its own, and --store those of a hub");
    const ownPlace = PLACES.find((name) => flags[name] !== undefined);
    if (isDemo && ownPlace !== undefined) {
      program.error(`error: --demo uses its own directories and cannot be combined with --${ownPlace}`);
    }
    await actions.serve(flags, {
      isDemo,
      isJoining: isOn("join"),
      isQuiet: isOn("quiet"),
      endsWithInput: isOn("exitWithParent"),
      store,
    });
  };
  program.action(async () => {
    const [unknown] = program.args;
    if (unknown !== undefined) {
      const visible = program.createHelp().visibleCommands(program);
      const names = visible.map((command) => command.name()).join(", ");
      program.error(
        `error: unknown command '${unknown}'\n(Commands: ${names}. Without a command, session-cli serves.)`,
      );
    }
    await serve();
  });
  program
    .command(SERVE)
    .description("serve the sessions over HTTP and WebSocket (the default)")
    .addHelpText("after", examples("session-cli serve", "session-cli serve --port 8080 --open"))
    .action(serve);
}

/** Creates the function that runs commands with a connection. */
function runnerOf(
  program: Command,
  actions: Actions,
  refuseServingOptions: () => void,
): ((only: ConnectOptions["only"]) => Run) & { alone: RunAlone } {
  /** The command that runs. */
  let running = program;
  program.hook("preAction", (_program, command) => {
    running = command;
  });

  const inShell = async (work: (shell: Shell) => Promise<void>): Promise<void> => {
    refuseServingOptions();
    const shell = actions.shell(program.opts<ViewOptions>());
    try {
      await work(shell);
    } catch (error) {
      throw misuseOf(error, running);
    } finally {
      await shell.showPage();
    }
  };

  const runWith = (only: ConnectOptions["only"]): Run => {
    return (work) =>
      inShell(async (shell) => {
        const { server, token } = program.opts<{ server?: string; token?: string }>();
        if (!server && token && program.getOptionValueSource("token") === "cli") {
          program.error("error: --token needs --server");
        }
        const options = { flags: flagsOf(program), server: server || null, token: token || null, only };
        const connection = await actions.connect(options, shell);
        try {
          await work(connection, shell);
        } finally {
          await connection.close();
        }
      });
  };
  return Object.assign(runWith, { alone: inShell });
}

function flagsOf(program: Command): Flags {
  const flags: Flags = {};
  for (const name of SETTING_NAMES) {
    const value: unknown = program.getOptionValue(OPTIONS[name].attributeName());
    if (value !== undefined) flags[name] = String(value);
  }
  return flags;
}
