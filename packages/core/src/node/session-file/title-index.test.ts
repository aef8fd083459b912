import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withSessionFile } from "./session-file.ts";

const ID = "019ef8db-9280-7485-8be1-0c68b2068554";

let home = "";
let session = "";

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "title-index-"));
  const folder = join(home, "sessions/2026/06/24");
  mkdirSync(folder, { recursive: true });
  session = join(folder, `rollout-2026-06-24T11-00-00-${ID}.jsonl`);
});

afterAll(() => rm(home, { recursive: true }));

const META = { timestamp: "2026-06-24T09:00:00.000Z", type: "session_meta", payload: { id: ID, cwd: "/a" } };
const NAMED = { type: "event_msg", payload: { type: "thread_name_updated", thread_name: "Its own" } };

const jsonl = (lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const index = () => join(home, "session_index.jsonl");
const title = (lines: object[] = [META]) => {
  writeFileSync(session, jsonl(lines));
  return withSessionFile(session, (file) => file.read().fold.header?.title);
};

describe("the index of titles", () => {
  it("names sessions that have no title of their own, by the last line about each", () => {
    expect(title()).toBeNull();
    const named = (thread_name: unknown, id: unknown = ID) => ({ id, thread_name });
    writeFileSync(index(), `${jsonl([named("First"), named("Second"), named("Other", "b"), named(1, 2)])}{"id":"${ID}`);
    expect(title()).toBe("Second");
    expect(title([META, NAMED])).toBe("Its own");
    writeFileSync(index(), jsonl([named("Third name")]));
    expect(title()).toBe("Third name");
    // Only the newest part of a large one is read.
    writeFileSync(index(), jsonl([named("Old"), { id: "b", thread_name: "x".repeat(5_000_000) }, named("Newest")]));
    expect(title()).toBe("Newest");
    writeFileSync(index(), jsonl([named("Old"), { id: "b", thread_name: "x".repeat(5_000_000) }]));
    expect(title()).toBeNull();
  });

  it("goes with what the file says later", () => {
    writeFileSync(index(), jsonl([{ id: ID, thread_name: "Indexed" }]));
    writeFileSync(session, jsonl([META]));
    const { fold, progress } = withSessionFile(session, (file) => file.read());
    writeFileSync(session, jsonl([META, NAMED]));
    const read = withSessionFile(session, (file) => file.read({ fold: () => fold, progress }));
    expect(read.fold.header?.title).toBe("Its own");
  });

  it("is no link, and may be missing", async () => {
    await rm(index());
    expect(title()).toBeNull();
    writeFileSync(join(home, "elsewhere"), jsonl([{ id: ID, thread_name: "Linked" }]));
    symlinkSync(join(home, "elsewhere"), index());
    expect(title()).toBeNull();
  });
});
