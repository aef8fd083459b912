import { appendFileSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scanFiles } from "../indexing/scanner.ts";
import { stampOf } from "../session-file/file-stamp.ts";
import { work } from "../session-file/work.ts";
import { Catalog } from "./catalog.ts";
import { openCatalog, prepareIndex } from "./index-databases.ts";
import { STORED_SQL, type StoredSession, storedRecord } from "./stored-session.ts";

let directory: string;
let count = 0;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "session-manager-titles-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

type Line = { entry: string } | { titles: string; title: string } | { own: string };

function lineOf(line: Line, at: number): object {
  if ("titles" in line) return { type: "summary", leafUuid: line.titles, summary: line.title };
  if ("own" in line) return { type: "ai-title", aiTitle: line.own, sessionId: "s" };
  const message = { role: "user", content: `prompt ${line.entry}` };
  const timestamp = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
  return { type: "user", uuid: line.entry, parentUuid: null, timestamp, message };
}

/** A folder of sessions and a catalog of them. */
function newFolder() {
  const folder = join(directory, `${++count}`, "sessions");
  mkdirSync(folder, { recursive: true });
  const client = openCatalog(prepareIndex(join(directory, `${count}`), 1).place);
  const catalog = new Catalog(client);
  const stored = client.prepare<[], StoredSession>(`${STORED_SQL} WHERE status = 'session' ORDER BY path`);
  const pathOf = (name: string) => join(folder, `${name}.jsonl`);
  return {
    /** Writes or continues a session, in the minute of the year in which it does. */
    write(name: string, lines: Line[], minute = 0): string {
      mkdirSync(join(pathOf(name), ".."), { recursive: true });
      appendFileSync(pathOf(name), lines.map((line) => `${JSON.stringify(lineOf(line, minute))}\n`).join(""));
      return name;
    },
    scan(...names: string[]): string[] {
      scanFiles(
        names.map((name) => ({ path: pathOf(name), stamp: stampOf(lstatSync(pathOf(name))), shard: 0 })),
        catalog,
      );
      return catalog.takeRelated().map((path) => path.slice(folder.length + 1, -".jsonl".length));
    },
    remove(name: string): void {
      rmSync(pathOf(name));
      catalog.write(() => catalog.remove(pathOf(name)));
    },
    titles(): Record<string, string> {
      const records = stored.all().map((row) => storedRecord(row));
      return Object.fromEntries(records.map(({ path, title }) => [path.slice(folder.length + 1, -6), title]));
    },
    [Symbol.dispose]: () => catalog.close(),
  };
}

describe("a title in the file of another session", () => {
  it.each([
    ["before it", ["teller", "session"]],
    ["after it", ["session", "teller"]],
  ])("counts when that is read %s", (_, order) => {
    using folder = newFolder();
    folder.write("session", [{ entry: "a" }, { entry: "b" }]);
    folder.write("teller", [{ titles: "b", title: "Told" }, { entry: "c" }], 1);
    const related = order.map((name) => folder.scan(name));
    expect(folder.titles()).toEqual({ session: "Told", teller: "prompt c" });
    expect(related).toEqual(order[0] === "teller" ? [[], []] : [[], ["session"]]);
  });

  it("stays while the session grows, until that has one of its own", () => {
    using folder = newFolder();
    folder.scan(folder.write("teller", [{ titles: "b", title: "Told" }]), folder.write("session", [{ entry: "a" }]));
    expect(folder.titles().session).toBe("prompt a");
    folder.scan(folder.write("session", [{ entry: "b" }]));
    expect(folder.titles().session).toBe("Told");
    folder.scan(folder.write("session", [{ entry: "c" }]));
    folder.remove("teller");
    folder.scan(folder.write("session", [{ entry: "d" }]));
    expect(folder.titles().session).toBe("Told");
    folder.scan(folder.write("session", [{ own: "Own" }]));
    expect(folder.titles().session).toBe("Own");
  });

  it("is of the same folder", () => {
    using folder = newFolder();
    folder.write("session", [{ entry: "a" }]);
    folder.write("elsewhere/teller", [{ titles: "a", title: "Told" }]);
    folder.scan("session", "elsewhere/teller");
    expect(folder.titles().session).toBe("prompt a");
  });

  it("makes nobody read the others where it is known", () => {
    using folder = newFolder();
    for (let at = 0; at < 20; at++) folder.scan(folder.write(`s${at}`, [{ entry: `e${at}` }], at));
    folder.scan(folder.write("t1", [{ titles: "e3", title: "Told" }]));
    work.rowsWritten = 0;
    expect(folder.scan(folder.write("t2", [{ titles: "e3", title: "Told" }]))).toEqual([]);
    expect(folder.titles().s3).toBe("Told");
    // The row, the summary and the outline of the new file.
    expect(work.rowsWritten).toBeLessThanOrEqual(4);
  });

  const anyLines = fc.array(
    fc.oneof(
      fc.nat(5).map((n): Line => ({ entry: `e${n}` })),
      fc.tuple(fc.nat(5), fc.nat(3)).map(([n, title]): Line => ({ titles: `e${n}`, title: `title ${title}` })),
    ),
    { minLength: 1, maxLength: 6 },
  );

  it("is the same in whatever order files are read", () => {
    fc.assert(
      fc.property(
        fc.array(anyLines, { minLength: 2, maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        (sessions, order) => {
          using folder = newFolder();
          using other = newFolder();
          const names = sessions.map((lines, at) => folder.write(`s${at}`, lines, at));
          for (const [at, lines] of sessions.entries()) other.write(`s${at}`, lines, at);
          folder.scan(...names);
          const left = [...names];
          while (left.length > 0) other.scan(...left.splice((order.next().value as number) % left.length, 1));
          expect(other.titles()).toEqual(folder.titles());
        },
      ),
      { numRuns: 15 },
    );
  });
});
