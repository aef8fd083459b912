import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** SQLite is required by its name when it is needed, wherever the script lies. */
const MODULES = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/**
 * Test support: bundles TypeScript whose imports are relative to `resolveDir` into one `.mjs` file that Node runs as it
 * is, wherever it lies. What does not work in a bundle is named by its place.
 */
export async function bundleScript(source: string, resolveDir: string, outfile: string): Promise<void> {
  await build({
    stdin: { contents: source, resolveDir, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@sm/source"],
    plugins: [
      {
        name: "installed packages",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^(better-sqlite3|pg|trash)$/ }, ({ path, resolveDir }) => ({
            path: pathToFileURL(createRequire(join(resolveDir, "script.js")).resolve(path)).href,
            external: true,
          })),
      },
    ],
    logLevel: "error",
  });
}

export interface ChildOptions {
  /** A command that runs Node, with what comes before Node on its line. */
  within?: string[];
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
}

export interface Child {
  process: ChildProcess;
  /** Resolves when it has printed that many lines, or has ended. */
  hasPrinted(lines: number): Promise<void>;
  /** Resolves when the process is gone and all that it wrote has been read. */
  ended: Promise<{ stdout: string; stderr: string; code: number | null }>;
}

export function startScript(script: string, args: string[], options: ChildOptions = {}): Child {
  const { within = [], ...user } = options;
  const [command = "", ...line] = [...within, process.execPath, script, ...args];
  const child = spawn(command, line, {
    ...user,
    env: { ...process.env, NODE_PATH: MODULES, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return {
    process: child,
    hasPrinted: (lines) =>
      new Promise((resolve) => {
        const look = () => {
          if (stdout.split("\n").length > lines) resolve();
        };
        child.stdout.on("data", look);
        child.once("close", () => resolve());
        look();
      }),
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ stdout, stderr, code }));
    }),
  };
}
