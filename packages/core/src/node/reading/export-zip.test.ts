import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { AppError } from "../../errors.ts";
import type { ExportStream } from "../../library.ts";
import { type ArchiveSource, archiveStream } from "./export-zip.ts";
import { readZip, type ZipEntry } from "./zip.fixture.ts";

interface TestSession {
  title?: string;
  pieces?: AsyncIterable<Uint8Array>;
  modified_at?: string;
}

const USAGE = {
  input_tokens: 1,
  output_tokens: 1,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cache_write_1h_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 2,
  cost_usd: 0.5,
  estimated_cost_usd: null,
};

/** Archives sessions that are opened as `open` says, and writes down what is logged. */
function archiveOf(count: number, open: (place: number) => TestSession) {
  const logged: object[] = [];
  const say = (fields: object) => void logged.push(fields);
  const source: ArchiveSource = {
    theme: "dark",
    async open(path) {
      const { title = "Session", modified_at = "2026-03-01T10:00:08.000Z", ...session } = open(Number(path));
      const pieces = session.pieces ?? texts(title);
      const file: ExportStream = { file_name: `${title}.md`, media_type: "text/markdown", chunks: pieces };
      return { record: { title, cwd: "/home/ada", modified_at, message_count: 3, usage: USAGE }, file };
    },
    log: { info: say, warn: say, error: say },
  };
  const paths = Array.from({ length: count }, (_, place) => `${place}`);
  return { ...archiveStream(paths, source), logged };
}

async function* texts(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function unzipped({ chunks }: ExportStream): Promise<ZipEntry[]> {
  return readZip(await buffer(chunks));
}

const namesOf = (entries: ZipEntry[]) => entries.map(({ name }) => name);
const indexOf = (entries: ZipEntry[]) => entries.at(-1)?.content.toString() ?? "";

describe("archiveStream", () => {
  it("is a zip with the sessions in their order and an index page", async () => {
    const stream = archiveOf(3, (place) => ({ title: `Tide ${place}`, pieces: texts("one ", `session ${place}`) }));
    expect(stream.file_name).toMatch(/^sessions-\d{4}-\d\d-\d\d\.zip$/);
    expect(stream.media_type).toBe("application/zip");
    const entries = await unzipped(stream);
    expect(namesOf(entries)).toEqual(["Tide-0.md", "Tide-1.md", "Tide-2.md", "index.html"]);
    expect(entries[1]?.content.toString()).toBe("one session 1");
    expect(entries[1]?.modifiedAt.toISOString()).toBe("2026-03-01T10:00:08.000Z");
    for (const name of ["Tide-0.md", "Tide-1.md", "Tide-2.md"]) expect(indexOf(entries)).toContain(`href="${name}"`);
    expect(indexOf(entries)).toContain('data-theme="dark"');
    expect(stream.logged).toEqual([]);
  });

  it.each<[string, TestSession, string]>([
    ["nothing", { pieces: texts() }, "Session.md"],
    ["empty pieces", { pieces: texts("", "") }, "Session.md"],
    ["a long name", { title: "n".repeat(300) }, `${"n".repeat(120)}.md`],
    ["a long name of emoji", { title: "👍🏽".repeat(300) }, `${"👍🏽".repeat(15)}.md`],
    ["a way out", { title: "../../etc/passwd" }, "passwd.md"],
    ["a way out on Windows", { title: "C:\\..\\x" }, "C-..-x.md"],
    ["the name of the index page", { title: "INDEX.HTML" }, "INDEX.HTML.md"],
  ])("holds a session with %s", async (_what, session, name) => {
    const entries = await unzipped(archiveOf(1, () => session));
    expect(namesOf(entries)).toEqual([name, "index.html"]);
  });

  it.each([
    ["2026-03-01T10:00:08.000Z", "2026-03-01T10:00:08.000Z"],
    ["2026-03-01T10:00:09.999Z", "2026-03-01T10:00:09.000Z"],
    ["1969-12-31T23:59:58.000Z", "1980-01-02T00:00:00.000Z"],
    ["-271821-04-20T00:00:00.000Z", "1980-01-02T00:00:00.000Z"],
    ["+275760-09-13T00:00:00.000Z", "2038-01-19T03:14:07.000Z"],
  ])("writes the time %s as %s", async (modified_at, written) => {
    const [entry] = await unzipped(archiveOf(1, () => ({ modified_at })));
    expect(entry?.modifiedAt.toISOString()).toBe(written);
  });

  it("keeps equal names apart", async () => {
    const titles = ["Fix login", "fix login", "Fix: login"];
    const entries = await unzipped(archiveOf(3, (place) => ({ title: titles[place] ?? "" })));
    expect(namesOf(entries)).toEqual(["Fix-login.md", "fix-login-2.md", "Fix-login-3.md", "index.html"]);
    expect(entries.map(({ content }) => content.toString()).slice(0, 3)).toEqual(titles);
  });

  it("is whole with 3,000 sessions", async () => {
    const entries = await unzipped(archiveOf(3_000, (place) => ({ pieces: texts(`${place}`) })));
    expect(entries).toHaveLength(3_001);
    expect(new Set(namesOf(entries)).size).toBe(3_001);
    expect(entries[2_999]?.content.toString()).toBe("2999");
    expect(indexOf(entries).match(/<li>/g)).toHaveLength(3_000);
  });

  it("is an index page without sessions", async () => {
    expect(namesOf(await unzipped(archiveOf(0, () => ({}))))).toEqual(["index.html"]);
  });

  it("tells of a session that is gone, before it has a name in the zip", async () => {
    const gone = () => new AppError("NOT_FOUND", "1 does not exist.");
    const rejected = archiveOf(3, (place) => {
      if (place === 1) throw gone();
      return { title: `Tide ${place}` };
    });
    const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(gone()) }) };
    const brokenAtOnce = archiveOf(3, (place) => ({
      title: `Tide ${place}`,
      ...(place === 1 ? { pieces: broken } : {}),
    }));
    for (const stream of [rejected, brokenAtOnce]) {
      const entries = await unzipped(stream);
      expect(namesOf(entries)).toEqual(["Tide-0.md", "Tide-2.md", "index.html"]);
      expect(indexOf(entries)).toContain("1 session could not be exported");
      expect(indexOf(entries)).toContain("1 does not exist.");
      expect(stream.logged).toEqual([]);
    }
  });

  it("tells of a session that breaks off, and hides the cause of a defect", async () => {
    async function* broken(place: number): AsyncGenerator<Uint8Array> {
      yield Buffer.from("beginning");
      throw place === 0
        ? new AppError("CONFLICT", "/s/0 was changed while it was read; try again.")
        : new Error("secret");
    }
    const stream = archiveOf(3, (place) => (place === 2 ? {} : { title: `Tide ${place}`, pieces: broken(place) }));
    const entries = await unzipped(stream);
    expect(entries.map(({ content }) => content.toString()).slice(0, 3)).toEqual(["beginning", "beginning", "Session"]);
    expect(indexOf(entries)).toContain("was changed while it was read");
    expect(indexOf(entries)).not.toContain("secret");
    expect(stream.logged).toEqual([{ err: new Error("secret"), path: "1" }]);
  });
});

it("breaks off where the library itself fails, instead of looking whole", async () => {
  const stopping = new AppError("UNAVAILABLE", "The service is stopping.");
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("beginning");
    throw stopping;
  }
  const opened: number[] = [];
  const atOnce = archiveOf(3, (place) => {
    opened.push(place);
    if (place === 1) throw stopping;
    return {};
  });
  const inTheMiddle = archiveOf(3, (place) => {
    opened.push(place);
    return place === 1 ? { pieces: broken() } : {};
  });
  for (const { chunks } of [atOnce, inTheMiddle]) await expect(buffer(chunks)).rejects.toBe(stopping);
  expect(opened).toEqual([0, 1, 0, 1]);
});

/** An endless session; tells how much of it was taken, and whether it was closed. */
function endless() {
  const source = { taken: 0, closed: false };
  // Random bytes, so that compressing them does not make them few.
  const piece = crypto.getRandomValues(new Uint8Array(65_536));
  const pieces: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        source.taken += 1;
        return { done: false, value: piece };
      },
      async return() {
        source.closed = true;
        return { done: true, value: undefined };
      },
    }),
  };
  return { source, pieces };
}

describe("a reader of an archive", () => {
  /** Until nothing moves any more. */
  async function quiet(source: { taken: number }): Promise<void> {
    for (let before = -1; before !== source.taken; ) {
      before = source.taken;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it("who does not read on has nothing read for them", async () => {
    const { source, pieces } = endless();
    const reading = archiveOf(1, () => ({ pieces })).chunks[Symbol.asyncIterator]();
    await reading.next();
    await quiet(source);
    const held = source.taken;
    expect(held).toBeLessThan(20);
    for (let count = 0; count < 100; count++) await reading.next();
    await quiet(source);
    // A piece of 64 KiB leaves as four of 16.
    expect(source.taken).toBeLessThan(held + 40);
    await reading.return?.();
  });

  it("who leaves has the session closed, and no other opened", async () => {
    const { source, pieces } = endless();
    const opened: number[] = [];
    const { chunks, logged } = archiveOf(5, (place) => {
      opened.push(place);
      return place === 0 ? {} : { pieces };
    });
    const reading = chunks[Symbol.asyncIterator]();
    for (let count = 0; count < 50; count++) await reading.next();
    expect(source.closed).toBe(false);
    await reading.return?.();
    expect(source.closed).toBe(true);
    const { taken } = source;
    await quiet(source);
    expect({ taken: source.taken, opened, logged }).toEqual({ taken, opened: [0, 1], logged: [] });
  });

  it("who leaves while a session is being opened has it closed too", async () => {
    const { source, pieces } = endless();
    let open = (): void => undefined;
    const asked = new Promise<void>((resolve) => (open = resolve));
    const slow: ArchiveSource["open"] = async () => {
      open();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const record = { title: "a", cwd: null, modified_at: "2026-03-01T10:00:08.000Z", message_count: 3, usage: USAGE };
      return { record, file: { file_name: "a.md", media_type: "text/markdown", chunks: pieces } };
    };
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const reading = archiveStream(["0", "1"], { theme: "system", open: slow, log }).chunks[Symbol.asyncIterator]();
    const first = reading.next();
    await asked;
    await reading.return?.();
    await first;
    expect(source.closed).toBe(true);
  });

  it("who takes nothing has nothing opened", async () => {
    let opened = 0;
    const { chunks } = archiveOf(1, () => {
      opened += 1;
      return {};
    });
    await chunks[Symbol.asyncIterator]().return?.();
    expect(opened).toBe(0);
  });
});
