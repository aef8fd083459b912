import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SessionText, TestHome } from "../library/library.fixture.ts";
import { work } from "../session-file/work.ts";
import { CurrentTask, noneUnwanted } from "../threads/unwanted.ts";
import { SessionReader } from "./reader.ts";

let home: TestHome;
beforeEach(async () => {
  home = await TestHome.create();
});
afterEach(() => home[Symbol.asyncDispose]());

let calls = 0;

function write(session: SessionText, path: string, content: string): SessionText {
  calls += 1;
  const id = `call${calls}`;
  const call = { type: "toolCall", id, name: "write", arguments: { path, content } };
  session.message({ role: "assistant", content: [call] });
  const done = [{ type: "text", text: "done" }];
  return session.message({ role: "toolResult", toolCallId: id, toolName: "write", content: done, isError: false });
}

const changes = (reader: SessionReader, path: string, more = {}) =>
  reader.changes({ path, ...more }, new CurrentTask(noneUnwanted(), 1));

/** How many lines are parsed meanwhile. */
function parsedBy(act: () => void): number {
  const before = work.linesParsed;
  act();
  return work.linesParsed - before;
}

it("a branch is looked through once, and then what was added to it", async () => {
  const session = new SessionText();
  for (let n = 0; n < 20; n++) write(session, `/p/${n}.txt`, "one\n");
  const path = await home.write("p/a.jsonl", session.lines);
  const reader = new SessionReader();
  // That of the header is parsed whenever the session is opened.
  expect(parsedBy(() => changes(reader, path))).toBe(41);
  expect(parsedBy(() => changes(reader, path, { files: ["/p/1.txt"] }))).toBe(1);
  const { length } = session.lines;
  write(session, "/p/1.txt", "two\n");
  await home.append(path, session.lines.slice(length));
  expect(parsedBy(() => changes(reader, path))).toBe(3);
  expect(changes(reader, path)).toEqual(changes(new SessionReader(), path));
});

it("a call whose result comes later is not forgotten", async () => {
  const session = write(new SessionText(), "/p/a.txt", "one\n");
  const { length } = session.lines;
  const path = await home.write("p/a.jsonl", session.lines.slice(0, length - 1));
  const reader = new SessionReader();
  expect(changes(reader, path).files).toEqual([]);
  await home.append(path, session.lines.slice(length - 1));
  expect(changes(reader, path).files).toHaveLength(1);
});

it("a file that is another one now is looked through anew, though it has grown and its entries are where they were", async () => {
  const session = write(new SessionText(), "/p/a.txt", "one\n");
  const path = await home.write("p/a.jsonl", session.lines);
  const reader = new SessionReader();
  changes(reader, path);
  write(session, "/p/b.txt", "three\n");
  const other = session.lines.map((line) => JSON.stringify(line).replace("one", "two")).join("\n");
  await home.write("p/a.jsonl", other);
  expect(changes(reader, path).files[0]?.diff).toBe("@@ -0,0 +1,1 @@\n+two\n");
});

it("what is kept gives the answers of what is not", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("append" as const), file: fc.nat(3), content: fc.string() }),
    fc.record({ kind: fc.constant("fork" as const), at: fc.nat(), file: fc.nat(3), content: fc.string() }),
    fc.record({ kind: fc.constant("rewrite" as const), content: fc.string() }),
    fc.record({ kind: fc.constant("ask" as const), at: fc.nat() }),
  );
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      runs += 1;
      let session = write(new SessionText(), "/p/0.txt", "first\n");
      const path = await home.write(`p/${runs}.jsonl`, session.lines);
      const reader = new SessionReader();
      for (const one of steps) {
        const { length } = session.lines;
        const leafs = session.entries.map(({ id }) => String(id));
        if (one.kind === "rewrite") {
          session = write(new SessionText(), "/p/0.txt", one.content);
          for (let n = 0; n < length; n++) write(session, `/p/${n % 4}.txt`, `${one.content} ${n}`);
          await home.write(`p/${runs}.jsonl`, session.lines);
        } else if (one.kind !== "ask") {
          if (one.kind === "fork") session.from(leafs[one.at % leafs.length] as string);
          write(session, `/p/${one.file}.txt`, one.content);
          await home.append(path, session.lines.slice(length));
        }
        const more = one.kind === "ask" ? { leaf_id: leafs[one.at % leafs.length] } : {};
        expect(changes(reader, path, more)).toEqual(changes(new SessionReader(), path, more));
      }
    }),
    { numRuns: 40 },
  );
});
