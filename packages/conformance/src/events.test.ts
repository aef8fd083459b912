import { appendFile, copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SessionPage, SessionRecord } from "@sm/core";
import { registry } from "@sm/router";
import { type Client, createClient } from "@sm/router/client";
import type { EventPayloads } from "@sm/router/events";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { Inbox } from "./inbox.ts";
import { PATIENT } from "./patient.ts";
import type { PushEvent } from "./push-event.ts";
import { type RealService, startRealService } from "./real-service.ts";
import { TestEventStream } from "./test-event-stream.ts";
import { TestSocket } from "./test-socket.ts";

let service: RealService;
let socket: TestSocket;
let stream: TestEventStream;
let clients: Client[];
/** What came over WebSocket, which everything is compared with, then over SSE and to the typed clients over both. */
let inboxes: [Inbox<PushEvent>, ...Inbox<PushEvent>[]];
/** The list before the first event. */
let before: Map<string, SessionRecord>;

beforeAll(async () => {
  service = await startRealService();
  [socket, stream] = await Promise.all([TestSocket.open(service.url), TestEventStream.open(service.url)]);
  clients = (["http", "websocket"] as const).map((transport) =>
    createClient({ url: service.url, transport, WebSocket }),
  );
  inboxes = [socket.events, stream.events, ...clients.map(follow)];
  await Promise.all(inboxes.map((inbox) => inbox.first(({ event }) => event === "hello")));
  before = await listed();
});

afterAll(async () => {
  for (const client of clients) client.close();
  stream[Symbol.dispose]();
  await socket[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

function follow(client: Client): Inbox<PushEvent> {
  const inbox = new Inbox<PushEvent>();
  client.events({ onEvent: (event) => inbox.push(event) });
  return inbox;
}

async function listed(): Promise<Map<string, SessionRecord>> {
  const { sessions } = await service.ask<SessionPage>("list_sessions", { limit: 500 });
  return new Map(sessions.map((record) => [record.path, record]));
}

const NUMBER = expect.any(Number);
const PATHS = expect.toSatisfy((value) => Array.isArray(value) && value.every((path) => typeof path === "string"));

/** The contract's table of events. Records are checked against the schema of `scan_sessions`. */
const PAYLOADS: Record<string, object> = {
  hello: { api_version: 1, server_version: "1.2.3", kind: "home", seq: NUMBER },
  "session-changed": { changed_paths: PATHS, removed_paths: PATHS },
  "sessions-diff": { added: expect.any(Array), updated: expect.any(Array), removed: PATHS },
  "config-changed": { version_id: expect.any(String) },
  "resources-changed": { kinds: expect.toSatisfy((value) => Array.isArray(value) && value.length > 0) },
  "index-progress": { done: NUMBER, total: NUMBER, bytes_done: NUMBER, bytes_total: NUMBER },
};

function expectContract({ event, seq, payload }: PushEvent): void {
  expect(Number.isSafeInteger(seq)).toBe(true);
  expect(payload, event).toStrictEqual(PAYLOADS[event]);
  if (event !== "sessions-diff") return;
  const { added, updated } = payload as EventPayloads["sessions-diff"];
  expect(registry.get("scan_sessions")?.output["~standard"].validate([...added, ...updated])).not.toHaveProperty(
    "issues",
  );
}

const diffs = (events: readonly PushEvent[]) =>
  events
    .filter(({ event }) => event === "sessions-diff")
    .map(({ payload }) => payload as EventPayloads["sessions-diff"]);

/** Makes a change and waits until everybody has been told all of it; gives what came since. */
async function tellOf(change: () => Promise<unknown>, isAll: (events: readonly PushEvent[]) => boolean) {
  const places = inboxes.map(({ items }) => items.length);
  await change();
  const overEach = inboxes.map((inbox, which) =>
    inbox.until((items) => {
      const since = items.slice(places[which]);
      return isAll(since) ? since : undefined;
    }),
  );
  const [overSocket = []] = await Promise.all(overEach);
  return overSocket;
}

/** What a client holds that has asked for the list once and follows the events since. */
function followed(): Map<string, SessionRecord> {
  const list = new Map(before);
  for (const { added, updated, removed } of diffs(socket.events.items)) {
    for (const path of removed) list.delete(path);
    for (const record of [...added, ...updated]) list.set(record.path, record);
  }
  return list;
}

const changedPaths = (events: readonly PushEvent[], kind: "changed_paths" | "removed_paths") =>
  events
    .filter(({ event }) => event === "session-changed")
    .flatMap(({ payload }) => (payload as EventPayloads["session-changed"])[kind]);

/** Whether files were told of, and then their records. */
function tellsOf(path: string, fits: (record: SessionRecord) => boolean = () => true) {
  return (events: readonly PushEvent[]) =>
    changedPaths(events, "changed_paths").includes(path) &&
    diffs(events).some(({ added, updated }) =>
      [...added, ...updated].some((record) => record.path === path && fits(record)),
    );
}

const tellsOfEnd = (path: string) => (events: readonly PushEvent[]) =>
  changedPaths(events, "removed_paths").includes(path) && diffs(events).some(({ removed }) => removed.includes(path));

const line = (id: string, parentId: string, content: string) =>
  `${JSON.stringify({ type: "message", id, parentId, timestamp: new Date().toISOString(), message: { role: "user", content } })}\n`;

describe("every transport tells of", () => {
  let path: string;

  it("its own start: hello comes first", async () => {
    for (const { items } of inboxes) {
      const [hello] = items;
      expect(hello).toMatchObject({ event: "hello", payload: { server_version: "1.2.3", seq: hello?.seq } });
    }
  });

  it("a new session", async () => {
    const events = await tellOf(
      async () => {
        path = await service.home.copy();
      },
      (events) => diffs(events).some(({ added }) => added.some((record) => record.path === path)),
    );
    expect(changedPaths(events, "changed_paths")).toContain(path);
  });

  it("a line that an agent appends", async () => {
    await tellOf(
      () => appendFile(path, line("x1", "b17", "One more question.")),
      tellsOf(path, ({ last_message }) => last_message === "One more question."),
    );
  });

  it("a name", async () => {
    await tellOf(
      () => service.ask("rename_session", { path, name: "Renamed" }),
      tellsOf(path, ({ title }) => title === "Renamed"),
    );
  });

  it("a favorite, which changes no file", async () => {
    const events = await tellOf(
      () => service.ask("toggle_favorite", { path }),
      (events) => diffs(events).some(({ updated }) => updated.some((record) => record.is_favorite)),
    );
    expect(changedPaths(events, "changed_paths")).toEqual([]);
  });

  it("a file that is renamed, and stays a favorite", async () => {
    const old = path;
    path = old.replace("copy", "moved");
    const gone = tellsOfEnd(old);
    const there = tellsOf(path, ({ is_favorite, title }) => is_favorite && title === "Renamed");
    await tellOf(
      () => rename(old, path),
      (events) => gone(events) && there(events),
    );
  });

  it("a folder that is new, with a session in a folder of its own", async () => {
    const folder = join(service.home.sessions, "new", "newer");
    const inside = join(folder, "session.jsonl");
    const header = { type: "session", version: 3, id: "inside", timestamp: new Date().toISOString(), cwd: "/inside" };
    await tellOf(
      async () => {
        await mkdir(folder, { recursive: true });
        await writeFile(inside, `${JSON.stringify(header)}\n`);
      },
      tellsOf(inside, ({ cwd }) => cwd === "/inside"),
    );
    await tellOf(() => rm(join(service.home.sessions, "new"), { recursive: true }), tellsOfEnd(inside));
  });

  it("a session that is deleted by command", async () => {
    const other = await service.home.copy();
    await tellOf(() => service.settled(), tellsOf(other));
    await tellOf(() => service.ask("delete_session", { path: other }), tellsOfEnd(other));
  });

  it("a file that is removed, whose session the vault has", async () => {
    await vi.waitFor(() => service.ask("list_generations", { path }), 30_000);
    await tellOf(
      () => rm(path),
      tellsOf(path, ({ source }) => source === "vault"),
    );
  });

  it("a directory that is configured, and one that is no more", async () => {
    const directory = join(service.home.folder, "further");
    const inside = join(directory, "session.jsonl");
    await mkdir(directory);
    await copyFile(service.home.outside, inside);
    const isConfigured = (events: readonly PushEvent[]) => events.some(({ event }) => event === "config-changed");
    const isThere = (events: readonly PushEvent[]) =>
      diffs(events).some(({ added }) => added.some((record) => record.path === inside));
    await tellOf(
      () => service.ask("save_session_paths", { paths: [directory] }),
      (events) => isConfigured(events) && isThere(events),
    );
    const isGone = (events: readonly PushEvent[]) => diffs(events).some(({ removed }) => removed.includes(inside));
    await tellOf(
      () => service.ask("save_session_paths", { paths: [] }),
      (events) => isConfigured(events) && isGone(events),
    );
  });

  it("what somebody edits in the agent's files and in the service's", async () => {
    const skill = join(service.home.folder, "agent", "skills", "edited", "SKILL.md");
    const told = (name: string) => (events: readonly PushEvent[]) => events.some(({ event }) => event === name);
    const tells = (kind: string) => (events: readonly PushEvent[]) =>
      events.some(
        ({ event, payload }) =>
          event === "resources-changed" && (payload as EventPayloads[typeof event]).kinds.includes(kind as "skills"),
      );
    await tellOf(async () => {
      await mkdir(dirname(skill), { recursive: true });
      await writeFile(skill, "---\nname: edited\ndescription: Is there.\n---\n");
    }, tells("skills"));
    expect(await service.ask("list_skills", {})).toContainEqual(expect.objectContaining({ name: "edited" }));
    await tellOf(() => rm(skill), tells("skills"));
    const models = join(service.home.folder, "agent", "models.json");
    await tellOf(() => writeFile(models, '{"providers": {}, "edited": true}'), told("config-changed"));
    await tellOf(() => rm(models), told("config-changed"));
  });

  it("nothing of folders that are not scanned", async () => {
    const ignored = join(service.home.sessions, "subagent-artifacts", "2.jsonl");
    await writeFile(ignored, line("s1", "", "Ignored."));
    let later = "";
    await tellOf(
      async () => {
        later = await service.home.copy();
      },
      (events) => tellsOf(later)(events),
    );
    expect(JSON.stringify(socket.events.items)).not.toContain(ignored);
  });
});

describe("when all is told", () => {
  it("all have had the same events, one by one", async () => {
    const first = Math.max(...inboxes.map(({ items }) => items[0]?.seq ?? 0));
    const last = socket.events.items.at(-1)?.seq ?? 0;
    const between = (events: readonly PushEvent[]) => events.filter(({ seq }) => seq > first && seq <= last);
    for (const inbox of inboxes) {
      await inbox.first(({ seq }) => seq >= last);
      expect(between(inbox.items)).toEqual(between(socket.events.items));
    }
  });

  it("every number is one more than the one before, and every payload as the contract says", () => {
    const [hello, ...events] = socket.events.items;
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, place) => (hello?.seq ?? 0) + 1 + place));
    for (const event of socket.events.items) expectContract(event);
  });

  it("a session comes into the list, or leaves it, after its file was told of", () => {
    const told = { changed: new Set<string>(), removed: new Set<string>() };
    for (const { event, payload } of socket.events.items) {
      if (event === "session-changed") {
        const { changed_paths, removed_paths } = payload as EventPayloads["session-changed"];
        for (const path of changed_paths) told.changed.add(path);
        for (const path of removed_paths) told.removed.add(path);
      } else if (event === "sessions-diff") {
        const { added, removed } = payload as EventPayloads["sessions-diff"];
        expect([...told.changed]).toEqual(expect.arrayContaining(added.map(({ path }) => path)));
        expect([...told.removed]).toEqual(expect.arrayContaining(removed));
      }
    }
  });

  it("a list that follows the events is the list that the service has", async () => {
    await service.settled();
    const now = await listed();
    await expect.poll(followed, PATIENT).toEqual(now);
  });

  it("a client that reconnects is given what it has missed", async () => {
    const missed = socket.events.items.slice(2);
    const seq = socket.events.items[1]?.seq ?? 0;
    using byHeader = await TestEventStream.open(service.url, { "Last-Event-ID": `${seq}` });
    using byQuery = await TestEventStream.open(service.url, {}, `?after_seq=${seq}`);
    for (const { events } of [byHeader, byQuery]) {
      await events.until((items) => items[missed.length]);
      expect(events.items.slice(1, 1 + missed.length)).toEqual(missed);
    }
  });

  it("a number that is gone is answered with events-lost", async () => {
    using lost = await TestEventStream.open(service.url, { "Last-Event-ID": "1" });
    expect(await lost.events.first(({ event }) => event !== "hello")).toMatchObject({
      event: "events-lost",
      payload: {},
    });
  });
});

it("tells only of topics that are asked for", async () => {
  using onlyIndex = await TestEventStream.open(service.url, {}, "?topics=index");
  await using changing = await TestSocket.open(service.url);
  const removed = await changing.ask("unsubscribe", { topics: ["sessions", "live"] });
  expect(removed).toMatchObject({ success: true, data: { topics: ["index", "config"] } });
  const path = await service.home.copy();
  const isSearchable = ({ payload }: PushEvent) =>
    JSON.stringify(payload).includes(path) && JSON.stringify(payload).includes('"indexed":true');
  await socket.events.first(isSearchable);
  const added = await changing.ask("subscribe", { topics: ["sessions"] });
  expect(added.data).toEqual({ topics: ["index", "config", "sessions"] });
  const other = await service.home.copy();
  await changing.events.first(({ payload }) => JSON.stringify(payload).includes(other));
  expect(JSON.stringify(changing.events.items)).not.toContain(path);
  expect(onlyIndex.events.items.every(({ event }) => event === "hello" || event === "index-progress")).toBe(true);
});
