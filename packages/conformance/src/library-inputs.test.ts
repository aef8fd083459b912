import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppError, ConvertedSession, SessionRecord } from "@sm/core";
import { type Library, openLibrary } from "@sm/core/node";
import { type Caller, createDispatcher, type Services, StreamedJson } from "@sm/router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const OWNER: Caller = { local: true, scope: "full", tokenId: null };
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A library over two sessions, and the commands over the same one. */
interface Opened {
  library: Library;
  path: string;
  other: string;
  /** The data of a command's answer, or its error. */
  command(name: string, payload?: object): Promise<unknown>;
}

let home = "";
let opened: Opened;

function sessionText(id: string, texts: readonly string[]): string {
  const timestamp = "2026-03-01T10:00:00.000Z";
  const lines: object[] = [{ type: "session", version: 3, id, timestamp, cwd: "/home/ada" }];
  for (const [place, content] of texts.entries()) {
    const ids = { id: `${id}-${place}`, parentId: place === 0 ? null : `${id}-${place - 1}` };
    const role = place % 2 === 0 ? "user" : "assistant";
    lines.push({ type: "message", ...ids, timestamp, message: { role, content: [{ type: "text", text: content }] } });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function open(): Promise<Library> {
  return openLibrary({
    agentHome: home,
    agentDir: join(home, "agent"),
    sessionPaths: [],
    dataDir: join(home, "data"),
    watch: false,
    log: SILENT,
  });
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "session-manager-inputs-"));
  // What is deleted here goes to a trash of its own.
  process.env.XDG_DATA_HOME = join(home, "xdg");
  const folder = join(home, "agent", "sessions", "p");
  await mkdir(folder, { recursive: true });
  const [path, other] = [join(folder, "tide.jsonl"), join(folder, "other.jsonl")];
  await writeFile(
    path,
    sessionText("tide", ["When is high tide?", "The tide is high at noon.", "my key: x@example.org"]),
  );
  await writeFile(other, sessionText("other", ["Nothing of it", "Nothing"]));
  const library = await open();
  await library.ready();
  const dispatcher = createDispatcher({ sessions: library, tags: library.tags } as unknown as Services, {
    log: SILENT,
    timeoutMs: 30_000,
  });
  opened = {
    library,
    path,
    other,
    async command(name, payload = {}) {
      const { data, error } = await dispatcher.dispatch({ command: name, payload }, OWNER);
      return error ?? JSON.parse(JSON.stringify(data instanceof StreamedJson ? await data.collect() : data));
    },
  };
});

afterAll(async () => {
  await opened.library.close();
  await rm(home, { recursive: true, force: true });
});

/** What an answer holds: some are read while they are sent. */
async function collected(value: unknown): Promise<unknown> {
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
  const items: unknown[] = [];
  for await (const item of value as AsyncIterable<unknown>) items.push(item);
  return items;
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat((await collected(chunks)) as Uint8Array[]);
}

/** How long it took differs from call to call. */
function withoutDuration(value: unknown): unknown {
  return typeof value === "object" && value !== null && "took_ms" in value ? { ...value, took_ms: 0 } : value;
}

/** Each method that has a command, called with nothing but what it needs, and the command called so. */
const READING: Record<string, { call(of: Opened): unknown; command: string; payload(of: Opened): object }> = {
  scan: { call: ({ library }) => library.scan(), command: "scan_sessions", payload: () => ({}) },
  scanJson: {
    call: async ({ library }) => JSON.parse((await bytesOf(await library.scanJson())).toString()),
    command: "scan_sessions",
    payload: () => ({}),
  },
  list: { call: ({ library }) => library.list(), command: "list_sessions", payload: () => ({}) },
  namedFiles: {
    call: ({ library }) => library.namedFiles({ prefix: "ti" }),
    command: "list_file_names",
    payload: () => ({ prefix: "ti" }),
  },
  search: {
    call: ({ library }) => library.search({ query: "tide" }),
    command: "search",
    payload: () => ({ query: "tide" }),
  },
  statistics: { call: ({ library }) => library.statistics(), command: "get_session_stats", payload: () => ({}) },
  readText: {
    call: ({ library, path }) => library.readText(path),
    command: "read_session_file",
    payload: ({ path }) => ({ path }),
  },
  textStream: {
    call: async ({ library, path }) => ((await collected(await library.textStream(path))) as string[]).join(""),
    command: "read_session_file",
    payload: ({ path }) => ({ path }),
  },
  entriesJson: {
    call: async ({ library, path }) => JSON.parse(new TextDecoder().decode(await library.entriesJson({ path }))),
    command: "read_session_entries",
    payload: ({ path }) => ({ path }),
  },
  readEntries: {
    call: ({ library, path }) => library.readEntries({ path }),
    command: "read_session_entries",
    payload: ({ path }) => ({ path }),
  },
  transcriptJson: {
    call: async ({ library, path }) => JSON.parse(new TextDecoder().decode(await library.transcriptJson({ path }))),
    command: "read_transcript",
    payload: ({ path }) => ({ path }),
  },
  readTranscript: {
    call: ({ library, path }) => library.readTranscript({ path }),
    command: "read_transcript",
    payload: ({ path }) => ({ path }),
  },
  changes: {
    call: ({ library, path }) => library.changes({ path }),
    command: "read_session_changes",
    payload: ({ path }) => ({ path }),
  },
  changeSums: {
    call: ({ library, path, other }) => library.changeSums({ paths: [other, path] }),
    command: "list_change_sums",
    payload: ({ path, other }) => ({ paths: [other, path] }),
  },
  readTree: {
    call: ({ library, path }) => library.readTree(path),
    command: "read_session_tree",
    payload: ({ path }) => ({ path }),
  },
  find: {
    call: ({ library, path }) => library.find({ path, query: "tide" }),
    command: "find_in_session",
    payload: ({ path }) => ({ path, query: "tide" }),
  },
  export: {
    call: ({ library, path }) => library.export({ path, format: "markdown" }),
    command: "export_session",
    payload: ({ path }) => ({ path, format: "markdown" }),
  },
  exportPieces: {
    call: async ({ library, path }) => {
      const { content, ...exported } = await library.exportPieces({ path, format: "markdown" });
      return { ...exported, content: Buffer.concat(content).toString() };
    },
    command: "export_session",
    payload: ({ path }) => ({ path, format: "markdown" }),
  },
  previewRedactions: {
    call: ({ library, path }) => library.previewRedactions({ path }),
    command: "preview_redactions",
    payload: ({ path }) => ({ path }),
  },
  previewDeletion: {
    call: ({ library, path }) => library.previewDeletion(path),
    command: "preview_deletion",
    payload: ({ path }) => ({ path }),
  },
  favorites: { call: ({ library }) => library.favorites(), command: "list_favorites", payload: () => ({}) },
  bookmarks: {
    call: ({ library, path }) => library.bookmarks(path),
    command: "list_bookmarks",
    payload: ({ path }) => ({ path }),
  },
  notes: {
    call: ({ library, path }) => library.notes(path),
    command: "list_notes",
    payload: ({ path }) => ({ path }),
  },
  directories: { call: ({ library }) => library.directories(), command: "get_all_session_dirs", payload: () => ({}) },
};

/** Methods that have no command of their own, or change something: the tests below call them. */
const OTHERS = [
  "rename",
  "fork",
  "convert",
  "delete",
  "toggleFavorite",
  "setArchived",
  "setNote",
  "setBookmark",
  "exportStream",
  "exportArchive",
  "ready",
  "status",
];
/** For who embeds the library: they take no payloads, or have only required ones. */
const EMBEDDING = [
  "toolOutputJson",
  "readToolOutput",
  "projects",
  "session",
  "marksChanged",
  "movedSessions",
  "setLivePaths",
  "setPaths",
  "setPrices",
  "setVaultSettings",
  "filesIn",
  "work",
  "close",
];

it("covers every method of the library", () => {
  const prototype = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(opened.library));
  const methods = Object.entries(prototype).filter(
    ([name, { value }]) => name !== "constructor" && value !== undefined,
  );
  const known = [...Object.keys(READING), ...OTHERS, ...EMBEDDING];
  expect(methods.map(([name]) => name).sort()).toEqual(known.sort());
});

describe("with nothing but what it needs", () => {
  it.each(Object.entries(READING))("%s answers as its command does", async (_name, { call, command, payload }) => {
    const answer = JSON.parse(JSON.stringify(await collected(await call(opened))));
    expect(withoutDuration(answer)).toEqual(withoutDuration(await opened.command(command, payload(opened))));
    expect(answer).not.toHaveProperty("code");
  });

  it("search finds what is there, and list lists", async () => {
    expect(await opened.library.search({ query: "tide" })).toMatchObject({ total: 2, total_is_exact: true });
    expect((await opened.library.search({ query: "tide", role: "user" })).hits).toHaveLength(1);
    expect(await opened.library.list()).toMatchObject({ total: 2, sessions: [{}, {}] });
    expect((await opened.library.list({ limit: 1, sort: null })).next_cursor).not.toBeNull();
  });

  it("exports go to a stream and an archive", async () => {
    const { library, path } = opened;
    const { content } = await library.export({ path, format: "html" });
    const stream = await library.exportStream({ path, format: "html" });
    expect((await bytesOf(stream.chunks)).toString()).toBe(content);
    const archive = await library.exportArchive({ paths: [path], format: "markdown" });
    expect((await bytesOf(archive.chunks)).subarray(0, 2).toString()).toBe("PK");
  });

  it("changes are those of the commands", async () => {
    const { library, path, other, command } = opened;
    const renamed = await library.rename(path, "  High\ntide ");
    expect(renamed.name).toBe("High tide");
    expect(await command("rename_session", { path, name: " High\ntide" })).toMatchObject({ name: "High tide" });
    expect(await library.toggleFavorite(path)).toEqual({ path, is_favorite: true });
    expect(await command("toggle_favorite", { path })).toEqual({ path, is_favorite: false });
    expect(await library.setArchived([path], true)).toEqual({ changed: [path], failed: [] });
    expect(await command("archive_session", { paths: [path] })).toEqual({ changed: [], failed: [] });
    expect(await command("unarchive_session", { paths: [path] })).toEqual({ changed: [path], failed: [] });
    const note = await library.setNote(path, null, "High");
    expect(note).toMatchObject({ path, entry_id: null, text: "High" });
    expect(await command("list_notes", {})).toEqual([note]);
    expect(await command("set_note", { path, text: "" })).toBeNull();
    const tag = await library.tags.create({ name: " work ", color: "#AABBCC" });
    expect(tag).toEqual({ id: tag.id, name: "work", color: "#aabbcc", parent_id: null, session_count: 0 });
    expect(await library.tags.update(tag.id, { name: "play" })).toEqual({ ...tag, name: "play" });
    expect(await command("list_tags")).toEqual(await library.tags.list());
    const fork = await library.fork(other);
    const forkedByCommand = (await command("fork_session", { path: other })) as SessionRecord;
    expect(fork).toMatchObject({ parent_session_path: other, message_count: forkedByCommand.message_count });
    const handedOver = await library.convert({ path: other, to: "codex" });
    const { brief } = (await command("convert_session", { path: other, to: "codex" })) as ConvertedSession;
    expect(handedOver).toMatchObject({ to: "codex", session: null, brief });
    for (const { path: copy } of [fork, forkedByCommand]) {
      expect(await library.delete(copy)).toMatchObject({
        path: copy,
        method: expect.stringMatching(/trash|permanent/),
      });
    }
  });
});

describe("what is not right", () => {
  it.each<[string, (of: Opened) => Promise<unknown>, string, (of: Opened) => object]>([
    ["a time in words", ({ library }) => library.list({ since: "7d" }), "list_sessions", () => ({ since: "7d" })],
    ["a limit", ({ library }) => library.list({ limit: 0 }), "list_sessions", () => ({ limit: 0 })],
    ["a long search", ({ library }) => library.search({ query: "" }), "search", () => ({ query: "" })],
    [
      "an unknown field",
      ({ library }) => library.search({ query: "a", leafId: "b" } as never),
      "search",
      () => ({ query: "a", leafId: "b" }),
    ],
    ["no query", ({ library }) => library.search({} as never), "search", () => ({})],
    [
      "a zone",
      ({ library }) => library.statistics({ time_zone: "Mars" }),
      "get_session_stats",
      () => ({ time_zone: "Mars" }),
    ],
    [
      "a format",
      ({ library, path }) => library.export({ path, format: "pdf" as never }),
      "export_session",
      ({ path }) => ({ path, format: "pdf" }),
    ],
    [
      "a name of a tag",
      ({ library }) => library.tags.create({ name: " ", color: "#000000" }),
      "create_tag",
      () => ({ name: " ", color: "#000000" }),
    ],
    [
      "a long note",
      ({ library, path }) => library.setNote(path, null, "x".repeat(20_001)),
      "set_note",
      ({ path }) => ({ path, text: "x".repeat(20_001) }),
    ],
    ["no path", ({ library }) => library.readText(undefined as never), "read_session_file", () => ({})],
  ])("is told as the command tells it: %s", async (_what, call, command, payload) => {
    const error = await call(opened).then(
      () => null,
      (thrown: AppError) => thrown,
    );
    const { code, message, details } = error ?? {};
    expect({ code, message, details }).toEqual(await opened.command(command, payload(opened)));
    expect(code).toBe("INVALID_PAYLOAD");
  });
});

describe("ready", () => {
  it("resolves when everything can be searched, at once where it can", async () => {
    await rm(join(home, "data"), { recursive: true });
    await using library = disposable(await open());
    await library.ready();
    expect(library.status()).toMatchObject({ state: "ready", pending: 0 });
    expect(await library.search({ query: "noon" })).toMatchObject({ total: 1, indexing: { pending: 0 } });
    await library.ready();
  });

  it("rejects when the library is closed before, and after", async () => {
    const library = await open();
    const folder = join(home, "agent", "sessions", "p");
    await writeFile(join(folder, "late.jsonl"), sessionText("late", ["x".repeat(100_000)]));
    const waiting = library.ready();
    const outcome = waiting.then(
      () => "ready",
      (error: AppError) => error.code,
    );
    await library.close();
    expect(["ready", "UNAVAILABLE"]).toContain(await outcome);
    await expect(library.ready()).rejects.toMatchObject({ code: "UNAVAILABLE", message: "The library was closed." });
  });
});

function disposable(library: Library): Library & AsyncDisposable {
  return Object.assign(library, { [Symbol.asyncDispose]: () => library.close() });
}
