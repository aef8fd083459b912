import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleScript, type Child, type ChildOptions, startScript } from "../state/child-script.fixture.ts";
import type { LibraryOptions } from "./library.ts";

/** Opens a library, does one step after the other and prints what comes of each as a line of JSON. */
const SCRIPT = `
import { openLibrary } from "./open-library.ts";

const { options, steps } = JSON.parse(process.argv[2] ?? "");
const log = { info() {}, warn() {}, error() {} };
// Not writeSync, which fails where the parent is slow to read.
const say = (line: object) => new Promise((resolve) => process.stdout.write(JSON.stringify(line) + "\\n", resolve));
async function whole(value: unknown) {
  if (value?.[Symbol.asyncIterator] === undefined) return value ?? null;
  const items = [];
  for await (const item of value) items.push(item);
  return items;
}
async function attempt(step: () => unknown) {
  try {
    await say({ value: await whole(await step()) });
  } catch (error) {
    await say({ error: { code: error.code ?? null, message: error.message } });
  }
}
async function main() {
  let library;
  await attempt(async () => {
    library = await openLibrary({ ...options, log });
  });
  if (library === undefined) return;
  for (const [name, ...input] of steps) {
    await attempt(async () => {
      if (name !== "untilIndexed") return library[name](...input);
      await library.scan();
      while (library.status().pending > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    });
  }
  await library.close();
}
void main();
`;

export interface Outcome {
  value?: unknown;
  error?: { code: string | null; message: string };
}

/** What a library is asked, and with what. */
export type Step = [method: string, ...input: unknown[]];

/** Runs libraries in processes of their own: as another user, or to be killed. */
export class LibraryChildren {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<LibraryChildren> {
    const folder = await mkdtemp(join(tmpdir(), "session-manager-child-"));
    await chmod(folder, 0o755);
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await bundleScript(SCRIPT, import.meta.dirname, join(folder, "library.mjs"));
    await bundleScript(`import "../worker/worker.ts";`, import.meta.dirname, join(folder, "worker.js"));
    return new LibraryChildren(folder);
  }

  start(options: Omit<LibraryOptions, "log">, steps: Step[], how: ChildOptions = {}): Child {
    return startScript(join(this.#folder, "library.mjs"), [JSON.stringify({ options, steps })], {
      ...how,
      env: { HOME: this.#folder, XDG_DATA_HOME: join(this.#folder, "data") },
    });
  }

  /** Gives what came of opening and of each step. */
  async run(...input: Parameters<LibraryChildren["start"]>): Promise<Outcome[]> {
    const { stdout, stderr, code } = await this.start(...input).ended;
    if (code !== 0 || stderr !== "") throw new Error(`The child ended with ${code}: ${stderr}`);
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line): Outcome => JSON.parse(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A user without rights, where the tests run as one that has them all. */
export const ANOTHER_USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
