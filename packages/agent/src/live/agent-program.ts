import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { basename, delimiter, dirname, extname, isAbsolute, join } from "node:path";
import { AppError } from "@sm/core";

/** How to start the agent, without a shell. */
export interface AgentProgram {
  file: string;
  /** Precede all other arguments. */
  args: string[];
}

export interface ProgramOptions {
  /** Name on the PATH, or absolute path. */
  command: string;
  env: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  /** Clock in milliseconds. */
  now?: () => number;
}

/** Short, so that a new installation is found. */
const ABSENT_FOR_MS = 1_000;
const SCRIPTS = new Set([".js", ".mjs", ".cjs"]);
/** npm's shims for Windows end with a line that starts Node with this script. */
const SHIM_SCRIPT = /"%~?dp0%?\\([^"%]+\.[cm]?js)"/i;

/** Finds the agent's program and caches its path, or for a second its absence. */
export class ProgramFinder {
  readonly #options: Required<ProgramOptions>;
  #found: { path: string; program: AgentProgram } | null = null;
  #absentUntil = 0;

  constructor(options: ProgramOptions) {
    this.#options = { platform: process.platform, now: () => performance.now(), ...options };
  }

  /** Rejects with AppError `UNAVAILABLE` if there is no such program. */
  async find(): Promise<AgentProgram> {
    if (this.#found !== null && (await this.#isProgram(this.#found.path))) return this.#found.program;
    this.#found = null;
    if (this.#options.now() >= this.#absentUntil) {
      for (const path of this.#candidates()) {
        const program = (await this.#isProgram(path)) ? await this.#programAt(path) : null;
        if (program === null) continue;
        this.#found = { path, program };
        return program;
      }
      this.#absentUntil = this.#options.now() + ABSENT_FOR_MS;
    }
    throw this.#absent();
  }

  #candidates(): string[] {
    const { command, env, platform } = this.#options;
    const names =
      platform === "win32" && !SCRIPTS.has(extname(command)) && !/\.(exe|cmd)$/i.test(command)
        ? [`${command}.exe`, `${command}.cmd`]
        : [command];
    if (basename(command) !== command) return isAbsolute(command) ? names : [];
    const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter(isAbsolute);
    return folders.flatMap((folder) => names.map((name) => join(folder, name)));
  }

  async #isProgram(path: string): Promise<boolean> {
    try {
      if (!(await stat(path)).isFile()) return false;
      await access(path, SCRIPTS.has(extname(path)) ? constants.R_OK : constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }

  async #programAt(path: string): Promise<AgentProgram | null> {
    if (SCRIPTS.has(extname(path))) return { file: process.execPath, args: [path] };
    if (this.#options.platform !== "win32" || !/\.cmd$/i.test(path)) return { file: path, args: [] };
    // Windows runs such a file only in a shell, which would parse the arguments again.
    const script = SHIM_SCRIPT.exec(await readFile(path, "utf8").catch(() => ""))?.[1];
    return script === undefined ? null : { file: "node", args: [join(dirname(path), ...script.split("\\"))] };
  }

  #absent(): AppError {
    const { command } = this.#options;
    return new AppError(
      "UNAVAILABLE",
      basename(command) === command
        ? `The agent program ${command} is not on the PATH: install it with "npm install -g @earendil-works/pi-coding-agent", or set agent_command to its path.`
        : `There is no program ${command}: correct agent_command, or install the agent with "npm install -g @earendil-works/pi-coding-agent".`,
    );
  }
}
