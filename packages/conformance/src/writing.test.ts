import { access, readFile, stat, utimes } from "node:fs/promises";
import type { EntriesPage, SearchPage, SessionPage, SessionRecord, TreeEntry } from "@sm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealService, startRealService } from "./real-service.ts";
import { rawTransports } from "./transports.ts";

describe.each(rawTransports)("over $name", (transport) => {
  let service: RealService;

  beforeAll(async () => {
    service = await startRealService({ transport });
  });

  afterAll(() => service[Symbol.asyncDispose]());

  const scanned = async (path: string) =>
    (await service.ask<SessionRecord[]>("scan_sessions")).find((record) => record.path === path);
  const listed = async (path: string) =>
    (await service.ask<SessionPage>("list_sessions")).sessions.find((record) => record.path === path);
  const tree = (path: string) => service.ask<TreeEntry[]>("read_session_tree", { path });
  const favorites = () => service.ask<string[]>("list_favorites");

  describe("rename_session", () => {
    it.each([
      ["branched", "", { parentId: "b17", id: expect.stringMatching(/^[\da-f]{8}$/) }],
      ["plain", "\n", { parentId: "p2", id: expect.stringMatching(/^[\da-f]{8}$/) }],
      ["old", "", {}],
    ] as const)("appends one line to %s, and lists show the name", async (name, glue, position) => {
      const path = service.home.paths[name];
      const written = new Date("2026-06-01T10:00:00.000Z");
      await utimes(path, written, written);
      const before = await scanned(path);
      const text = await readFile(path, "utf8");

      const renamed = await service.ask<SessionRecord>("rename_session", { path, name: "  A new\n name " });

      const added = (await readFile(path, "utf8")).slice(text.length);
      expect(await readFile(path, "utf8")).toBe(text + added);
      expect(added).toMatch(new RegExp(`^${glue}[^\\n]+\\n$`));
      const line = { type: "session_info", ...position, timestamp: expect.any(String), name: "A new name" };
      expect(JSON.parse(added)).toStrictEqual(line);
      expect((await stat(path)).mtime).toEqual(written);
      const { size } = await stat(path);
      expect(renamed).toMatchObject({
        ...before,
        name: "A new name",
        title: "A new name",
        size_bytes: size,
        indexed: expect.any(Boolean),
      });
      expect({ ...(await listed(path)), indexed: renamed.indexed }).toStrictEqual(renamed);
      expect((await tree(path)).at(-1)).toMatchObject({ type: "session_info", preview: "A new name" });
    });

    it("lets sessions be found by their new names, also those that are being indexed", async () => {
      const paths: string[] = [];
      for (let count = 0; count < 10; count++) {
        const path = await service.home.copy();
        await service.ask("rename_session", { path, name: "Zanzibar" });
        paths.push(path);
      }
      await service.settled();
      const { hits } = await service.ask<SearchPage>("search", { query: "zanzibar" });
      expect(hits.map(({ session_path }) => session_path).sort()).toEqual(paths.sort());
      const named = { session_title: "Zanzibar", kind: "name", role: null, snippet: "Zanzibar", highlights: [[0, 8]] };
      expect(hits).toMatchObject(hits.map(() => named));
    });

    it("clears a name with an empty one", async () => {
      const path = await service.home.copy();
      const title = "Why does getUserName fail for “Größe”? Please look at the parser.";
      expect(await service.ask("rename_session", { path, name: " " })).toMatchObject({ name: null, title });
      expect(await listed(path)).toMatchObject({ name: null, title });
    });
  });

  describe("delete_session", () => {
    const expectGone = async (path: string) => {
      await expect(access(path)).rejects.toMatchObject({ code: "ENOENT" });
      expect(await listed(path)).toBeUndefined();
      expect(await scanned(path)).toBeUndefined();
      expect(await favorites()).not.toContain(path);
      const { hits } = await service.ask<SearchPage>("search", { query: "parser", limit: 200 });
      expect(hits.map(({ session_path }) => session_path)).not.toContain(path);
      const { error } = await service.call("read_session_file", { path });
      expect(error?.code).toBe("NOT_FOUND");
    };

    it("takes a session out of every list, the search and the favorites", async () => {
      const path = await service.home.copy();
      await service.settled();
      await service.ask("toggle_favorite", { path });
      expect(await favorites()).toContain(path);
      const { hits } = await service.ask<SearchPage>("search", { query: "parser", limit: 200 });
      expect(hits.map(({ session_path }) => session_path)).toContain(path);

      const deleted = await service.ask("delete_session", { path });
      expect(deleted).toEqual({
        path,
        method: expect.stringMatching(/^(trash|permanent)$/),
        companions: 0,
        left_behind: [],
      });
      await expectGone(path);
    });

    it("deletes several and says which it could not delete", async () => {
      const { home } = service;
      const paths = [await home.copy(), await home.copy()];
      await service.settled();
      const method = expect.any(String);
      expect(await service.ask("delete_sessions", { paths: [home.missing, ...paths, home.outside] })).toEqual({
        deleted: paths.map((path) => ({ path, method, companions: 0, left_behind: [] })),
        failed: [
          { path: home.missing, error: { code: "NOT_FOUND", message: expect.any(String), details: null } },
          { path: home.outside, error: { code: "FORBIDDEN", message: expect.any(String), details: null } },
        ],
      });
      for (const path of paths) await expectGone(path);
      await access(home.outside);
    });
  });

  describe("fork_session", () => {
    it.each([
      ["branched", null],
      ["branched", "b5"],
      ["branched", "b9"],
      ["plain", null],
      ["old", null],
    ] as const)("copies a branch of %s, up to %s", async (name, entryId) => {
      const path = service.home.paths[name];
      const source = await readFile(path, "utf8");

      const fork = await service.ask<SessionRecord>("fork_session", { path, entry_id: entryId });

      expect(fork).toMatchObject({ parent_session_path: path, branch_count: 1 });
      expect(fork.id).not.toBe((await listed(path))?.id);
      expect({ ...(await scanned(fork.path)), indexed: fork.indexed }).toStrictEqual(fork);
      expect(await readFile(path, "utf8")).toBe(source);

      const { entries } = await service.ask<EntriesPage>("read_session_entries", { path, leaf_id: entryId });
      const ids = entries.map(({ id }) => id);
      const forked = await tree(fork.path);
      expect(forked.slice(0, ids.length)).toEqual((await tree(path)).filter(({ id }) => ids.includes(id)));
      // The labels that were set on other branches follow.
      expect(forked.slice(ids.length).filter(({ type }) => type !== "label")).toEqual([]);
      const [header = "", ...lines] = (await readFile(fork.path, "utf8")).split("\n");
      expect(JSON.parse(header)).toMatchObject({ type: "session", id: fork.id, parentSession: path });
      expect(source.split("\n")).toEqual(expect.arrayContaining(lines.slice(0, ids.length)));
      expect(lines.at(-1)).toBe("");
    });
  });

  it("toggles a favorite on and off", async () => {
    const paths = [await service.home.copy(), await service.home.copy()];
    for (const path of paths) {
      expect(await service.ask("toggle_favorite", { path })).toEqual({ path, is_favorite: true });
    }
    expect(await favorites()).toEqual(paths.toReversed());
    const { sessions, total } = await service.ask<SessionPage>("list_sessions", { favorites_only: true });
    expect(sessions.map(({ path }) => path).sort()).toEqual(paths.toSorted());
    expect(sessions.map(({ is_favorite }) => is_favorite)).toEqual([true, true]);
    expect(total).toBe(2);

    for (const path of paths) {
      expect(await service.ask("toggle_favorite", { path })).toEqual({ path, is_favorite: false });
    }
    expect(await favorites()).toEqual([]);
    expect((await listed(paths[0] ?? ""))?.is_favorite).toBe(false);
  });
});
