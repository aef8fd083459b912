import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../errors.ts";
import { openStateDatabase } from "./database.ts";
import { MIGRATIONS } from "./migrations/embedded.ts";
import { missingUserState } from "./missing-store.ts";
import { openUserState } from "./user-state.ts";

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const session = { path: "/s/a.jsonl", id: "a" };

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "state-"));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe("openUserState", () => {
  it("keeps the marks of a file from before there were tokens", async () => {
    const { client } = openStateDatabase({ dataDir, log: silent }, MIGRATIONS.slice(0, 1));
    client.exec("INSERT INTO marked_sessions VALUES (1, '/s/a.jsonl', 'a'); INSERT INTO favorites VALUES (1, 1)");
    client.close();
    const state = openUserState({ dataDir, log: silent });
    expect(state.problem).toBeNull();
    expect(await state.marks.favorites()).toEqual([session.path]);
    const { token } = await state.tokens.create({ name: "n", scope: "full", expires_at: null });
    expect(state.tokens.verify(token)).not.toBeNull();
    await state.close();
  });
});

describe("a missing user state", () => {
  const state = missingUserState(new AppError("UNAVAILABLE", "The disk is full."));

  it("says why", () => {
    expect(state.problem).toMatch(/not available: The disk is full/);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a favorite", () => state.marks.toggleFavorite(session)],
    ["a list of tokens", () => state.tokens.list()],
    ["a token", () => state.tokens.create({ name: "n", scope: "full", expires_at: null })],
    ["a revocation", () => state.tokens.revoke("id")],
    ["a version", () => state.versions.add({ bundle: {}, origin: "test" })],
    ["the latest version", () => state.versions.latest()],
  ])("refuses %s", async (_, ask) => {
    await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE", message: state.problem });
  });

  it("has no marks, and lets nobody in", async () => {
    expect(await state.marks.marks([session])).toEqual(new Map());
    expect(await state.marks.favorites()).toEqual([]);
    expect(state.tokens.verify(`sm_${"a".repeat(43)}`)).toBeNull();
  });
});
