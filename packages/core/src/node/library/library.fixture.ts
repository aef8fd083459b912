import { appendFile, mkdir, mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AppError } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import type { ListOptions, SearchHit, SearchOptions, SessionLibrary, TreeEntry } from "../../library.ts";
import type { LibraryLog } from "../../library-log.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { Library, LibraryOptions } from "./library.ts";
import { openLibrary } from "./open-library.ts";

export interface LogLine {
  level: "info" | "warn" | "error";
  fields: object;
  message: string;
}

/** An agent's home in a temporary folder, with libraries over it that are closed together with it. */
export class TestHome {
  readonly directory: string;
  readonly log: LogLine[] = [];
  readonly #open = new Set<Library>();

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async create(): Promise<TestHome> {
    const home = new TestHome(await mkdtemp(join(tmpdir(), "session-manager-test-")));
    await mkdir(home.sessions, { recursive: true });
    return home;
  }

  get sessions(): string {
    return join(this.directory, "agent", "sessions");
  }

  get data(): string {
    return join(this.directory, "data");
  }

  get options(): Omit<LibraryOptions, "log"> {
    return {
      agentDir: join(this.directory, "agent"),
      agentHome: this.directory,
      sessionPaths: [],
      dataDir: this.data,
    };
  }

  /** Writes a session file below the sessions folder and returns its path. */
  async write(name: string, content: string | Uint8Array | object[]): Promise<string> {
    const path = join(this.sessions, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, Array.isArray(content) ? jsonl(content) : content);
    return path;
  }

  async append(path: string, entries: object[]): Promise<void> {
    await appendFile(path, jsonl(entries));
  }

  async open(more: Partial<LibraryOptions> = {}): Promise<Library> {
    const say = (level: LogLine["level"]) => (fields: object, message: string) => {
      this.log.push({ level, fields, message });
    };
    const log: LibraryLog = { info: say("info"), warn: say("warn"), error: say("error") };
    const library = await openLibrary({ ...this.options, log, ...more });
    this.#open.add(library);
    return library;
  }

  async close(library: Library): Promise<void> {
    this.#open.delete(library);
    await library.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const library of this.#open) await library.close();
    this.#open.clear();
    await rm(this.directory, { recursive: true, force: true });
  }
}

export function jsonl(entries: object[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** What an export shows where nothing else is asked for. */
export const EXPORT = { include_thinking: true, include_tools: true, redact: false, theme: "system" } as const;

export const LIST: ListOptions = { sort: "modified", order: "desc", limit: 50 };

export function searchFor(query: string, more: Partial<SearchOptions> = {}): SearchOptions {
  return { query, role: "all", sort: "relevance", limit: 20, per_session: 3, ...more };
}

/** All records of a scan. */
export async function scanAll(library: SessionLibrary): Promise<SessionRecord[]> {
  const records: SessionRecord[] = [];
  for await (const record of await library.scan()) records.push(record);
  return records;
}

/** The whole newest branch of a session. */
export async function branchOf(library: Library, path: string): Promise<JsonObject[]> {
  let page = await library.readEntries({ path, limit: 1_000 });
  const entries = [...page.entries];
  while (page.has_more_before) {
    page = await library.readEntries({ path, limit: 1_000, before: String(entries[0]?.id) });
    entries.unshift(...page.entries);
  }
  return entries;
}

/** The whole tree of a session. */
export async function treeOf(library: SessionLibrary, path: string): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for await (const entry of await library.readTree(path)) entries.push(entry);
  return entries;
}

/** Waits until everything is searchable. */
export async function untilIndexed(library: Library): Promise<void> {
  await library.scan();
  await until(() => library.status().pending === 0);
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Not within ${limitMs} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** All pages of a search, at most `limit` hits each. */
export async function searchAll(library: Library, options: SearchOptions): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  let cursor: string | undefined;
  do {
    const page = await library.search({ ...options, cursor });
    hits.push(...page.hits);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return hits;
}

/** The code of the error that a promise is rejected with; "" where it is not, or where the error has none. */
export async function codeOf(outcome: Promise<unknown>): Promise<string> {
  try {
    await outcome;
    return "";
  } catch (error) {
    return error instanceof AppError ? error.code : `not an AppError: ${error}`;
  }
}

let lastId = 0;

/** Builds the lines of a session as the agent writes them. */
export class SessionText {
  readonly lines: object[];
  #parentId: string | null = null;
  #time: number;

  constructor(more: object = {}, start = Date.parse("2026-03-01T10:00:00.000Z")) {
    this.#time = start;
    const id = `session-${++lastId}`;
    this.lines = [{ type: "session", version: 3, id, timestamp: this.#next(), cwd: "/home/dev/project", ...more }];
  }

  get entries(): JsonObject[] {
    // Made of JSON values.
    return this.lines.slice(1) as JsonObject[];
  }

  /** The id of the newest entry. */
  get leaf(): string {
    return this.#parentId ?? "";
  }

  /** Goes on from an older entry. */
  from(id: string): this {
    this.#parentId = id;
    return this;
  }

  entry({ type, ...fields }: { type: string; [field: string]: unknown }): this {
    const id = (++lastId).toString(16).padStart(8, "0");
    this.lines.push({ type, id, parentId: this.#parentId, timestamp: this.#next(), ...fields });
    this.#parentId = id;
    return this;
  }

  message(message: object): this {
    return this.entry({ type: "message", message });
  }

  user(text: string): this {
    return this.message({ role: "user", content: [{ type: "text", text }] });
  }

  assistant(text: string, more: object[] = []): this {
    const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost: { total: 0.25 } };
    const content = [{ type: "text", text }, ...more];
    return this.message({ role: "assistant", content, provider: "test", model: "test-1", usage, stopReason: "stop" });
  }

  label(targetId: string, label?: string): this {
    return this.entry({ type: "label", targetId, ...(label === undefined ? {} : { label }) });
  }

  toolResult(text: string, toolName = "bash"): this {
    const content = [{ type: "text", text }];
    return this.message({
      role: "toolResult",
      toolCallId: "call",
      toolName,
      content,
      isError: false,
      timestamp: this.#time,
    });
  }

  #next(): string {
    this.#time += 1000;
    return new Date(this.#time).toISOString();
  }
}

/** The same conversation as the first version of the format has it: no version, no ids, no parents. */
export function withoutTree(lines: object[]): object[] {
  return lines
    .map((line) =>
      Object.fromEntries(Object.entries(line).filter(([key]) => !["version", "id", "parentId"].includes(key))),
    )
    .map((line, place) => (place === 0 ? { ...line, id: "first-version", provider: "test", modelId: "test-1" } : line));
}

/** Sets a file's modification time. */
export async function touch(path: string, time: string): Promise<void> {
  const { atime } = await stat(path);
  await utimes(path, atime, new Date(time));
}
