import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HubStatus, hubPath, type SessionPage, type SessionRecord } from "@sm/core";
import { needsPostgres } from "@sm/store-postgres/postgres-server.fixture";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type OtherHomes, writeOtherHomes } from "./other-homes.ts";
import { type HubUser, type RealHub, startRealHub } from "./real-hub.ts";
import { type RealService, startRealService } from "./real-service.ts";

/** Words of the samples, in lists and in searches; some are in first messages alone, or in names that tests give. */
const WORDS = [
  "umlauts",
  "hello",
  "question",
  "retry",
  "grösse",
  "fold",
  "names",
  "project",
  "jsonl",
  "nothing-has-it",
];
const NAMES = ["", "Ebb and flow", "Zebra", "größe ÄÖÜ", `A long one: ${"high water ".repeat(40)}`, " two\nlines "];
const SORTS = ["modified", "created", "size", "messages", "cost", "title"] as const;
const TAGS = ["later", "done"];
/** Each asks both some twenty questions. */
const RUNS = 20;
/** On a machine that has much else to do, it ends after fewer of them. */
const MOST_MS = 25_000;
const SENDING = { timeout: 60_000, interval: 50 };

type Command = readonly [command: string, payload: Record<string, unknown>];

/** A number stands for a session, modulo how many there are. */
const session = fc.nat({ max: 30 });

const change = fc.oneof(
  fc.record({ do: fc.constant("name" as const), session, name: fc.constantFrom(...NAMES) }),
  fc.record({ do: fc.constant("favorite" as const), session }),
  fc.record({ do: fc.constant("archive" as const), session, archived: fc.boolean() }),
  fc.record({ do: fc.constant("note" as const), session, text: fc.constantFrom("", "Remember", "retry\nlater") }),
  fc.record({ do: fc.constant("tag" as const), session, tag: fc.nat({ max: TAGS.length - 1 }), on: fc.boolean() }),
  fc.record({ do: fc.constant("bookmark" as const), session, on: fc.boolean() }),
);

type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

const words = fc.array(
  fc.constantFrom(...WORDS, "is:favorite", "-is:favorite", "is:bookmarked", "has:note", "agent:codex", "note:remember"),
  { maxLength: 2 },
);

const listOptions = fc.record(
  {
    sort: fc.constantFrom(...SORTS),
    order: fc.constantFrom("asc", "desc"),
    limit: fc.constantFrom(1, 3, 500),
    query: words.map((some) => some.join(" ")),
    project: fc.constantFrom("/home/user/project", "/home/user/other"),
    subagents: fc.constantFrom("folded", "all"),
    archived: fc.constantFrom("exclude", "include", "only"),
    format: fc.constantFrom("pi", "claude-code", "codex"),
    since: fc.constantFrom("2026-01-15", "2026-03-01T10:00:05Z"),
    until: fc.constantFrom("2026-02-15", "2026-07-02T12:00:00Z"),
    favorites_only: fc.boolean(),
    with_total_size: fc.boolean(),
    tag: fc.nat({ max: TAGS.length - 1 }),
  },
  { requiredKeys: ["sort", "order", "limit"] },
);

const searchOptions = fc.record(
  {
    query: fc.tuple(fc.constantFrom(...WORDS), words).map(([word, more]) => [word, ...more].join(" ")),
    sort: fc.constantFrom("newest", "relevance"),
    role: fc.constantFrom("all", "user", "assistant", "tool"),
    archived: fc.constantFrom("exclude", "include", "only"),
    project: fc.constantFrom("/home/user/project"),
    since: fc.constantFrom("2026-02-15"),
    per_session: fc.constantFrom(1, 3),
    tag: fc.nat({ max: TAGS.length - 1 }),
  },
  { requiredKeys: ["query"] },
);

const statisticsOptions = fc.record(
  {
    since: fc.constantFrom("2026-01-15"),
    project: fc.constantFrom("/home/user/project"),
    format: fc.constantFrom("pi", "claude-code"),
    stack_by: fc.constantFrom("model", "project"),
    time_zone: fc.constantFrom("UTC", "Asia/Kathmandu"),
  },
  { requiredKeys: ["time_zone"] },
);

const exportOptions = fc.record({ session, format: fc.constantFrom("markdown", "json"), redact: fc.boolean() });

describe.runIf(needsPostgres())("a hub to which a machine has sent everything", () => {
  let folder: string;
  let others: OtherHomes;
  let hub: RealHub;
  let user: HubUser;
  let home: RealService;
  let machineId: string;
  let sessions: SessionRecord[];
  /** Ids of the tags at both, in the order of `TAGS`. */
  const tags: { home: string; hub: string }[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "session-manager-other-homes-"));
    others = await writeOtherHomes(folder);
    hub = await startRealHub();
    user = await hub.newUser("ada");
    const tokenFile = join(folder, "token");
    await writeFile(tokenFile, user.token, { mode: 0o600 });
    home = await startRealService({ config: { agents: others.agents, hub: { url: user.url, token_file: tokenFile } } });
    sessions = await home.ask<SessionRecord[]>("scan_sessions");
    sessions.sort((a, b) => (a.path < b.path ? -1 : 1));
    const all = { subagents: "all", archived: "include", limit: 500 };
    await vi.waitFor(async () => {
      const page = await user.ask<SessionPage>("list_sessions", all);
      expect(page).toMatchObject({ pending: 0, total: sessions.length });
    }, SENDING);
    machineId = (await home.ask<HubStatus>("get_hub_status")).machine_id ?? "";
    // Marks would be sent as well.
    await home.ask("save_hub", { hub: null });
    for (const name of TAGS) {
      const ids = await both(["create_tag", { name, color: "#112233" }], (data) => (data as { id: string }).id);
      tags.push(ids);
    }
  });

  afterAll(async () => {
    await home[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const at = (number: number) => sessions[number % sessions.length] as SessionRecord;

  /** Asks both, each by its own paths and ids. */
  async function both<T>(command: Command, of: (data: unknown) => T): Promise<{ home: T; hub: T }> {
    const [name, payload] = command;
    const there = JSON.parse(JSON.stringify(payload), (key, value) => {
      if (/^(path|session_path)$/.test(key)) return hubPath(machineId, value);
      if (key === "paths") return value.map((path: string) => hubPath(machineId, path));
      const tag = tags.find((one) => one.home === value);
      return tag?.hub ?? value;
    });
    const answers = await Promise.all([home.call(name, payload), user.call(name, there)]);
    const [ofHome, ofHub] = answers.map(({ data, error }) => of(error === null ? data : { error }));
    return { home: ofHome as T, hub: ofHub as T };
  }

  /** What a hub says, with the paths and ids of home. */
  function asAtHome(answer: unknown): unknown {
    const varies = new Set(["took_ms", "next_cursor", "score", "updated_at", "archived_at", "skipped_files"]);
    const text = JSON.stringify(answer, (key, value) => {
      if (varies.has(key)) return value === null ? null : "<varies>";
      if (key === "created_at" && typeof value === "string" && Date.parse(value) > STARTED) return "<now>";
      // Agents delete files on machines.
      if (key === "machine" || key === "expires_at") return null;
      if (key === "capabilities") return { ...value, fork: null, delete: null, start: null };
      return value;
    });
    return JSON.parse(
      tags.reduce((all, tag) => all.replaceAll(tag.hub, tag.home), text.replaceAll(`/machines/${machineId}`, "")),
      // They come in the order of the ids.
      (key, value) => (key === "tag_ids" ? value.toSorted() : value),
    );
  }

  async function expectEqual(command: Command, of = (data: unknown): unknown => data): Promise<void> {
    const { home: atHome, hub: onHub } = await both(command, (data) => asAtHome(of(data)));
    expect(onHub, JSON.stringify(command)).toEqual(atHome);
  }

  function commandOf(wanted: Change): Command | null {
    const { path, format, id } = at(wanted.session);
    switch (wanted.do) {
      case "name":
        // What has a writer has its name in the file, at home.
        return format === "pi" ? null : ["rename_session", { path, name: wanted.name }];
      case "favorite":
        return ["toggle_favorite", { path }];
      case "archive":
        return [wanted.archived ? "archive_session" : "unarchive_session", { paths: [path] }];
      case "note":
        return ["set_note", { path, text: wanted.text }];
      case "tag":
        return [wanted.on ? "assign_tag" : "remove_tag", { session_path: path, tag_id: tags[wanted.tag]?.home }];
      case "bookmark":
        return ["set_bookmark", { path, entry_id: BOOKMARKED[id] ?? "@1", bookmarked: wanted.on }];
    }
  }

  /** All pages of a list. Sessions that are equal in what they are sorted by come in the order of their arrival. */
  async function listed(ask: (cursor: string | null) => Promise<SessionPage>, sort: (typeof SORTS)[number]) {
    const pages: SessionPage[] = [];
    for (let cursor: string | null = null; ; ) {
      const page: SessionPage = await ask(cursor);
      pages.push(page);
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    const found = pages.flatMap((page) => page.sessions);
    const values = found.map((record) => sortedBy(record, sort));
    const { total, total_size_bytes } = pages[0] as SessionPage;
    const groups = new Map<unknown, SessionRecord[]>();
    for (const [place, record] of found.entries()) {
      const group = groups.get(values[place]) ?? [];
      groups.set(
        values[place],
        [...group, record].sort((a, b) => (a.path < b.path ? -1 : 1)),
      );
    }
    return { values, groups: [...groups.values()], total, total_size_bytes };
  }

  it("answers as the service of the machine does, whatever was marked before", async () => {
    expect(sessions.length).toBeGreaterThan(8);
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 6 }),
        listOptions,
        searchOptions,
        statisticsOptions,
        exportOptions,
        async (changes, { tag, ...list }, { tag: searchedTag, ...search }, statistics, exported) => {
          for (const wanted of changes) {
            const command = commandOf(wanted);
            if (command !== null) await expectEqual(command);
          }
          const tagged = (place: number | undefined) => (place === undefined ? {} : { tag_ids: [tags[place]?.home] });
          const payload = { ...list, ...tagged(tag) };
          const onHub = (data: object) => (tag === undefined ? data : { ...data, tag_ids: [tags[tag]?.hub] });
          const [there, here] = await Promise.all([
            listed((cursor) => user.ask("list_sessions", onHub({ ...payload, cursor })), list.sort),
            listed((cursor) => home.ask("list_sessions", { ...payload, cursor }), list.sort),
          ]);
          expect(asAtHome(there), JSON.stringify(payload)).toEqual(asAtHome(here));
          await expectEqual(["search", { ...search, ...tagged(searchedTag), limit: 100 }], sortedHits);
          await expectEqual(["get_session_stats", statistics], sortedLongest);
          const { path } = at(exported.session);
          const { format, redact } = exported;
          await expectEqual(["export_session", { path, format, redact, include_notes: true, include_subagents: true }]);
          for (const name of ["list_favorites", "list_notes", "list_bookmarks", "list_tags"])
            await expectEqual([name, {}]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true, interruptAfterTimeLimit: MOST_MS },
    );
  });
});

const STARTED = Date.now();

/** Entries of samples, by session. */
const BOOKMARKED: Record<string, string> = { branched: "b5", plain: "p1", raw: "r1" };

function sortedBy({ usage, ...record }: SessionRecord, sort: (typeof SORTS)[number]): string | number {
  const values = {
    modified: record.modified_at,
    created: record.created_at,
    size: record.size_bytes,
    messages: record.message_count,
    cost: (usage.cost_usd ?? 0) + (usage.estimated_cost_usd ?? 0),
    title: record.title,
  };
  return values[sort];
}

/** Sessions of equal length come in the order of their arrival. */
function sortedLongest(data: unknown): unknown {
  const { longest_sessions: longest, ...sums } = data as { longest_sessions: SessionRecord[] };
  const place = ({ path }: SessionRecord) => path.replace(/^\/machines\/[^/]+/, "");
  const inOrder = longest.toSorted((a, b) => b.message_count - a.message_count || (place(a) < place(b) ? -1 : 1));
  return { ...sums, longest_sessions: inOrder };
}

/** Hits of equal scores may come in another order. */
function sortedHits(data: unknown): unknown {
  const { hits, ...page } = data as { hits: { session_path: string; entry_id: string }[] };
  const place = ({ session_path, entry_id }: { session_path: string; entry_id: string }) =>
    `${session_path.replace(/^\/machines\/[^/]+/, "")} ${entry_id}`;
  return { ...page, hits: hits?.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)) };
}
