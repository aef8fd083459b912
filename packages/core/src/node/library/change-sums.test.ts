import { unlink } from "node:fs/promises";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ChangeSums } from "../../changes.ts";
import { AppError } from "../../errors.ts";
import { claudeCorpus } from "../../format/claude-code/corpus.fixture.ts";
import { codexCorpus } from "../../format/codex/corpus.fixture.ts";
import type { Work } from "../session-file/work.ts";
import { ChangeSumsReader } from "./change-sums.ts";
import { codeOf, SessionText, TestHome, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

let home: TestHome;
let library: Library;
beforeEach(async () => {
  home = await TestHome.create();
  library = await home.open({ watch: false });
});
afterEach(() => home[Symbol.asyncDispose]());

let calls = 0;

/** A call that writes a file, and its result. */
function written(session: SessionText, path: string, content: string): SessionText {
  const id = `call${++calls}`;
  const block = { type: "toolCall", id, name: "write", arguments: { path, content } };
  session.message({ role: "assistant", content: [block] });
  const result = { toolCallId: id, toolName: "write", content: [{ type: "text", text: "done" }], isError: false };
  return session.message({ role: "toolResult", ...result });
}

/** What was done for an answer. */
async function workOf(paths: string[]): Promise<{ sums: ChangeSums[] } & Pick<Work, "filesOpened" | "bytesRead">> {
  const before = await library.work();
  const sums = await library.changeSums({ paths });
  const { filesOpened, bytesRead } = await library.work();
  return { sums, filesOpened: filesOpened - before.filesOpened, bytesRead: bytesRead - before.bytesRead };
}

async function summedFromChanges(path: string): Promise<ChangeSums> {
  const { files, added, removed, complete } = await library.changes({ path });
  return { path, files: files.length, added, removed, complete };
}

it("what has not changed is not read again, and an append has that session read alone", async () => {
  const texts = ["a", "b", "c"].map((name) => written(new SessionText().user("go"), `/p/${name}`, "one\ntwo\n"));
  const paths = await Promise.all(texts.map(({ lines }, at) => home.write(`p/${at}.jsonl`, lines)));
  await untilIndexed(library);
  const first = await workOf(paths);
  expect(first.sums).toEqual(paths.map((path) => ({ path, files: 1, added: 2, removed: 0, complete: true })));
  expect(first.filesOpened).toBe(3);
  expect(await workOf(paths.toReversed())).toEqual({ sums: first.sums.toReversed(), filesOpened: 0, bytesRead: 0 });

  const text = texts[1] as SessionText;
  const known = text.lines.length;
  await home.append(paths[1] ?? "", written(text, "/p/d", "three\n").lines.slice(known));
  await untilIndexed(library);
  const after = await workOf(paths);
  expect(after.sums.map(({ files }) => files)).toEqual([1, 2, 1]);
  expect(after.filesOpened).toBe(1);
});

it.each<[string, object[]]>([
  ["pi", written(new SessionText().user("go"), "/p/a", "one\ntwo\n").lines],
  ["Claude Code", [...claudeCorpus.lines]],
  ["Codex", [...codexCorpus.lines]],
])("they are those of the changes: %s", async (_format, lines) => {
  const path = await home.write("p/a.jsonl", lines);
  const [sums] = await library.changeSums({ paths: [path] });
  expect(sums).toEqual(await summedFromChanges(path));
  expect(sums?.files).toBeGreaterThan(0);
});

it("whatever is written, branched and asked for, they are those of the changes", async () => {
  const step = fc.record({
    session: fc.nat({ max: 2 }),
    file: fc.constantFrom("/p/a", "/p/b"),
    content: fc.constantFrom("", "one\n", "one\ntwo\n", "three\n"),
    isBranched: fc.boolean(),
    asked: fc.subarray([0, 1, 2]),
  });
  let lists = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      lists += 1;
      const texts = [0, 1, 2].map(() => new SessionText().user("go"));
      const roots = texts.map(({ leaf }) => leaf);
      const paths = await Promise.all(texts.map(({ lines }, at) => home.write(`${lists}/${at}.jsonl`, lines)));
      for (const { session, file, content, isBranched, asked } of steps) {
        const text = texts[session] as SessionText;
        const known = text.lines.length;
        if (isBranched) text.from(roots[session] ?? "");
        await home.append(paths[session] ?? "", written(text, file, content).lines.slice(known));
        const wanted = asked.map((at) => paths[at] ?? "");
        if (wanted.length === 0) continue;
        const sums = await library.changeSums({ paths: wanted });
        expect(sums).toEqual(await Promise.all(wanted.map(summedFromChanges)));
      }
    }),
    { numRuns: 30 },
  );
});

it("what is none, or gone, or elsewhere, is left out", async () => {
  const path = await home.write("p/a.jsonl", written(new SessionText().user("go"), "/p/a", "one").lines);
  const gone = await home.write("p/b.jsonl", written(new SessionText().user("go"), "/p/a", "one").lines);
  const none = await home.write("p/c.jsonl", "no session\n");
  await library.scan();
  expect(await library.changeSums({ paths: [gone] })).toHaveLength(1);
  await unlink(gone);
  const wanted = [none, gone, path, "/etc/passwd", "relative", path];
  expect((await library.changeSums({ paths: wanted })).map((sums) => sums.path)).toEqual([path, path]);
});

it("at most a hundred are asked for at once", async () => {
  expect(await codeOf(library.changeSums({ paths: [] }))).toBe("INVALID_PAYLOAD");
  expect(await codeOf(library.changeSums({ paths: Array.from({ length: 101 }, () => "/a") }))).toBe("INVALID_PAYLOAD");
});

it("nothing more is read once nobody waits", async () => {
  const path = await home.write("p/a.jsonl", written(new SessionText().user("go"), "/p/a", "one").lines);
  await untilIndexed(library);
  const before = await library.work();
  const asked = library.changeSums({ paths: [path] }, { client: "a", signal: AbortSignal.abort(new Error("gone")) });
  await expect(asked).rejects.toThrow("gone");
  expect((await library.work()).filesOpened).toBe(before.filesOpened);
});

it("a session that nobody could look at is not told as one that is unknown", async () => {
  const counts = { files: 1, added: 2, removed: 0, complete: true };
  const busy = new AppError("UNAVAILABLE", "Too many requests of this client are waiting.");
  const outOfMemory = Object.assign(new Error("out of memory"), { code: "ERR_WORKER_OUT_OF_MEMORY" });
  const reads: string[] = [];
  const reader = new ChangeSumsReader({
    path: async (given) => given,
    stamp: async () => null,
    count: async (path) => {
      reads.push(path);
      if (path === "/gone") throw new AppError("NOT_FOUND", "/gone does not exist.");
      if (path === "/busy") throw busy;
      if (path === "/huge") throw new AppError("UNAVAILABLE", "Too much memory.", { cause: outOfMemory });
      return counts;
    },
  });
  expect(await reader.of(["/gone", "/huge", "/a"])).toEqual([{ path: "/a", ...counts }]);
  await expect(reader.of(["/a", "/busy", "/b"])).rejects.toBe(busy);
  expect(reads).not.toContain("/b");
});
