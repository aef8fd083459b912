import { homedir } from "node:os";
import type { Worker } from "node:worker_threads";
import { type Flags, keepSpareWorker, readSettings } from "@sm/server/early";
import { CommanderError } from "commander";
import { connect } from "./connection/connect.ts";
import { endProcess } from "./end-process.ts";
import { describeFailure, EXIT } from "./failure.ts";
import { createProgram, type ServeOptions } from "./program.ts";
import { Shell } from "./shell.ts";
import { execute } from "./terminal/execute.ts";
import { visibleLines } from "./terminal/visible.ts";

/** Set by the build from package.json. */
declare const SESSION_MANAGER_VERSION: string;

/**
 * Runs the command line. Errors are reported on standard error and by the exit code.
 *
 * @param spareWorker for the library, if already started.
 */
export async function run(spareWorker: Worker | null): Promise<void> {
  if (spareWorker !== null) keepSpareWorker(spareWorker);
  // Readers of the help may close the pipe. The output of commands is handled by their shell.
  process.stdout.on("error", () => undefined);
  const program = createProgram(SESSION_MANAGER_VERSION, {
    serve,
    write: (text) => process.stdout.write(text),
    shell: (options) => new Shell(process, options, process.env),
    connect: (options, shell) => connect(options, shell, process.env),
    async speakMcp(connection, shell, flags) {
      const { speakMcp } = await import("./speak-mcp.ts");
      await speakMcp(connection, shell, {
        settings: readSettings(flags, process.env),
        version: SESSION_MANAGER_VERSION,
      });
    },
    user: { env: process.env, home: homedir(), program: process.argv[1] ?? "" },
    execute: (command) => execute(command, process.env),
  });
  try {
    await program.parseAsync(process.argv.slice(2), { from: "user" });
  } catch (error) {
    // Commander has already printed the error or the requested text.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    else process.exitCode = tell(error);
  }
}

async function serve(flags: Flags, options: ServeOptions): Promise<void> {
  try {
    const demoFlags = options.isDemo ? await (await import("./demo/demo.ts")).prepareDemo() : {};
    const settings = readSettings({ ...flags, ...demoFlags }, process.env);
    if (options.store !== null) {
      const { serveHub } = await import("./serve-hub.ts");
      return await serveHub(settings, SESSION_MANAGER_VERSION, { ...options, store: options.store });
    }
    const server = await import("./serve.ts");
    if (options.isJoining && (await server.join(settings, options))) return;
    await server.serve(settings, SESSION_MANAGER_VERSION, options);
  } catch (error) {
    endProcess(tell(error));
  }
}

function tell(error: unknown): number {
  const { text, exitCode } = describeFailure(error);
  process.stderr.write(`${visibleLines(text)}\n`);
  return exitCode;
}
