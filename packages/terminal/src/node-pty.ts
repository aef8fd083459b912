import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { AppError } from "@sm/core";
import type { Pty, PtyListener, PtyProgram, StartPty } from "./pty.ts";
import { type NativePty, unixPty } from "./unix-pty.ts";

type NodePty = typeof import("node-pty");

/**
 * Loads node-pty, which is an optional dependency because it is compiled at installation. Rejects with AppError
 * `UNAVAILABLE` if it is missing or does not load.
 */
export async function loadNodePty(load: () => Promise<NodePty> = () => import("node-pty")): Promise<StartPty> {
  try {
    const nodePty = await load();
    if (process.platform === "win32") return (program, listener) => startOnWindows(nodePty, program, listener);
    const { native } = nodePty as unknown as { native: NativePty };
    return unixPty(native, spawnHelper());
  } catch (error) {
    const message = `Terminals need node-pty, ${problemOf(error)}, then start the service again.`;
    throw new AppError("UNAVAILABLE", message, { cause: error });
  }
}

function problemOf(error: unknown): string {
  const isMissing = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
  if (isMissing) return "which is not installed: run `npm install node-pty` (it needs Python, make and a C++ compiler)";
  return "which does not load: run `npm rebuild node-pty` (it needs Python, make and a C++ compiler)";
}

/** The program with which node-pty starts others on macOS, beside the native module. */
function spawnHelper(): string {
  if (process.platform !== "darwin") return "";
  const root = dirname(createRequire(import.meta.url).resolve("node-pty/package.json"));
  const folders = ["build/Release", "build/Debug", `prebuilds/${process.platform}-${process.arch}`];
  const found = folders.map((folder) => join(root, folder, "spawn-helper")).find(existsSync);
  if (found === undefined) throw new Error(`There is no spawn-helper in ${root}.`);
  return found;
}

/** Windows accepts all input immediately, and ends the processes of a console with it. */
function startOnWindows({ spawn }: NodePty, program: PtyProgram, listener: PtyListener): Pty {
  const { file, args, ...options } = program;
  const pty = spawn(file, args, options);
  let isOpen = true;
  pty.onData((text) => listener.onData(text));
  pty.onExit(({ exitCode }) => {
    isOpen = false;
    listener.onExit({ exit_code: exitCode, signal: null });
  });
  return {
    pid: pty.pid,
    device: null,
    get isRunning() {
      return isOpen;
    },
    waiting: 0,
    write: (data) => {
      if (isOpen) pty.write(data);
    },
    resize: (cols, rows) => {
      if (isOpen) pty.resize(cols, rows);
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    close: () => {
      if (isOpen) pty.kill();
    },
  };
}
