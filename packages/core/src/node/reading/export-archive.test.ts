import { readdirSync, readlinkSync } from "node:fs";
import { mkdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ArchiveOptions } from "../../library.ts";
import { codeOf, EXPORT, SessionText, scanAll, TestHome } from "../library/library.fixture.ts";
import type { Library } from "../library/library.ts";
import { readZip } from "./zip.fixture.ts";

let home: TestHome;
let library: Library;

beforeEach(async () => {
  home = await TestHome.create();
  library = await home.open({ watch: false });
});

afterEach(() => home[Symbol.asyncDispose]());

const talk = (text: string) => new SessionText().user(text).assistant("Done.").lines;

function optionsFor(paths: string[], more: Partial<ArchiveOptions> = {}): ArchiveOptions {
  const usual = { include_thinking: true, include_tools: true, redact: false, theme: "system" } as const;
  return { paths, format: "markdown", ...usual, ...more };
}

/** Exports an archive and reads it. */
async function exported(options: ArchiveOptions) {
  const { chunks } = await library.exportArchive(options);
  return readZip(await buffer(chunks));
}

describe("exportArchive", () => {
  it.each(["markdown", "json", "html"] as const)("holds what single exports are: %s", async (format) => {
    const paths = [await home.write("a.jsonl", talk("Tide clock")), await home.write("b.jsonl", talk("Recipes"))];
    const entries = await exported(optionsFor(paths, { format }));
    expect(entries).toHaveLength(3);
    for (const [place, path] of paths.entries()) {
      const { file_name, chunks } = await library.exportStream({ ...EXPORT, format, path });
      expect(entries[place]?.name).toBe(file_name);
      expect(entries[place]?.content).toEqual(await buffer(chunks));
    }
    const records = await scanAll(library);
    const { modified_at } = records.find(({ path }) => path === paths[0]) ?? {};
    expect(entries[0]?.modifiedAt.getTime()).toBe(Math.floor(Date.parse(modified_at ?? "") / 1000) * 1000);
    const index = entries[2]?.content.toString() ?? "";
    for (const text of ["2 sessions", "Tide clock", "Recipes", "/home/dev/project", "2 messages", "$0.25"]) {
      expect(index).toContain(text);
    }
  });

  it("holds the files themselves as jsonl", async () => {
    const path = await home.write("folder/2026-03-01_a.jsonl", talk("Tide clock"));
    const [entry] = await exported(optionsFor([path], { format: "jsonl" }));
    expect(entry).toMatchObject({ name: "2026-03-01_a.jsonl", content: await readFile(path) });
  });

  it("holds a session once, by whatever path it is named", async () => {
    const path = await home.write("a.jsonl", talk("Tide clock"));
    const link = join(home.directory, "link");
    await symlink(home.sessions, link);
    expect(await exported(optionsFor([path, path, join(link, "a.jsonl")]))).toHaveLength(2);
  });

  it("holds subagents in folders with the names of the files of their parents, if wanted", async () => {
    const parent = await home.write("p/parent.jsonl", talk("Tide clock"));
    const other = await home.write("p/other.jsonl", talk("Tide clock"));
    const first = await home.write("p/parent/7f3e/run-0/s.jsonl", talk("Look up: tides"));
    await home.write("p/parent/7f3e/run-0/s/1a2b/run-0/deep.jsonl", talk("Deeper"));
    await home.write("p/parent/7f3e/run-1/s.jsonl", talk("Look up: tides"));
    await scanAll(library);
    const names = async (more: Partial<ArchiveOptions>) =>
      (await exported(optionsFor([other, first, parent], { theme: "dark", ...more }))).map(({ name }) => name);
    const plain = ["Tide-clock.md", "Look-up-tides.md", "Tide-clock-2.md", "index.html"];
    expect(await names({})).toEqual(plain);
    expect(await names({ include_subagents: true })).toEqual([
      "Tide-clock.md",
      "Tide-clock-2.md",
      "Tide-clock-2/Look-up-tides.md",
      "Tide-clock-2/Look-up-tides/Deeper.md",
      "Tide-clock-2/Look-up-tides-2.md",
      "index.html",
    ]);
    const entries = await exported(optionsFor([parent], { include_subagents: true }));
    expect(entries.at(-1)?.content.toString()).toContain('href="Tide-clock/Look-up-tides/Deeper.md"');
  });

  it("does not tell in its index page what is redacted", async () => {
    const secret = ["ghp", "x".repeat(36)].join("_");
    const path = await home.write("a.jsonl", talk(`Use ${secret} for ada@example.com`));
    const entries = await exported(optionsFor([path], { redact: true }));
    for (const { name, content } of entries) {
      for (const hidden of [secret, "ada@example.com", "/home/dev"])
        expect(name + content.toString()).not.toContain(hidden);
    }
  });

  it("is refused where one path is no session, before anything is read", async () => {
    const path = await home.write("a.jsonl", talk("Tide clock"));
    const other = await home.write("other.jsonl", "no session\n");
    await home.write("folder.jsonl/a.txt", "");
    await mkdir(join(home.directory, "outside"));
    const refused: [string, string][] = [
      [join(home.sessions, "missing.jsonl"), "NOT_FOUND"],
      [other, "NOT_FOUND"],
      ["/etc/passwd", "FORBIDDEN"],
      [join(home.directory, "outside", "a.jsonl"), "FORBIDDEN"],
      [join(home.sessions, "folder.jsonl"), "FORBIDDEN"],
      ["a.jsonl", "FORBIDDEN"],
    ];
    for (const [wrong, code] of refused) {
      expect([wrong, await codeOf(library.exportArchive(optionsFor([path, wrong, path])))]).toEqual([wrong, code]);
    }
    const jsonl = optionsFor([path], { format: "jsonl", redact: true });
    expect(await codeOf(library.exportArchive(jsonl))).toBe("INVALID_PAYLOAD");
  });

  it("tells of a session that vanishes after it was asked for", async () => {
    for (const format of ["markdown", "jsonl"] as const) {
      const paths = [await home.write("a.jsonl", talk("Tide clock")), await home.write("b.jsonl", talk("Recipes"))];
      const { chunks } = await library.exportArchive(optionsFor(paths, { format }));
      await rm(paths[0] ?? "");
      const entries = readZip(await buffer(chunks));
      expect(entries).toHaveLength(2);
      expect(entries[1]?.content.toString()).toContain("1 session could not be exported");
      expect(entries[1]?.content.toString()).not.toContain(home.directory);
    }
  });

  it.runIf(process.platform === "linux")("closes the session of a reader who leaves", async () => {
    const session = new SessionText();
    // More than is read ahead.
    for (let turn = 0; turn < 200; turn++) session.user(crypto.getRandomValues(new Uint8Array(8_000)).join(" "));
    const path = await home.write("long.jsonl", session.lines);
    const { chunks } = await library.exportArchive(optionsFor([path]));
    const reading = chunks[Symbol.asyncIterator]();
    for (let piece = 0; piece < 10; piece++) await reading.next();
    expect(openFiles()).toContain(path);
    await reading.return?.();
    // Not at once: it may be open to be indexed too.
    await vi.waitFor(() => expect(openFiles()).not.toContain(path), 30_000);
  });
});

/** Files that this process has open, whatever thread. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      // The one that the folder itself was read by.
      return [];
    }
  });
}
