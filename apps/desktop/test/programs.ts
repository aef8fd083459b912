import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A program of the system that runs until the end of its block. */
export interface Program extends AsyncDisposable {
  /** The first line that it wrote. */
  readonly firstLine: string;
}

/**
 * Starts a program and waits for its first line on standard output.
 *
 * @throws Error where it ends before.
 */
export async function startProgram(name: string, args: string[], environment: NodeJS.ProcessEnv): Promise<Program> {
  const child = spawn(name, args, { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  const firstLine = await firstLineOf(child, name);
  return {
    firstLine,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
}

export async function firstLineOf(child: ChildProcess, name: string): Promise<string> {
  if (child.stdout === null) throw new Error(`The output of ${name} is not read.`);
  const lines = createInterface({ input: child.stdout });
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`${name} has ended with ${code ?? signal}.`)));
  });
  ended.catch(() => {});
  const [line] = (await Promise.race([once(lines, "line"), ended])) as [string];
  return line;
}
