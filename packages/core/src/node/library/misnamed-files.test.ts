import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonl, SessionText, scanAll, TestHome } from "./library.fixture.ts";

const content = jsonl(new SessionText().user("dugong").lines);

/** A path in the session directory, of which `\xff` and the like are bytes. */
const place = (home: TestHome, path: string) =>
  Buffer.concat([Buffer.from(`${home.sessions}/`), Buffer.from(path, "latin1")]);

// macOS and Windows have no such names.
describe.runIf(process.platform === "linux")("session files whose paths are not UTF-8", () => {
  it("are counted and told, and listed when they are renamed", async () => {
    await using home = await TestHome.create();
    const named = await home.write("p/named.jsonl", new SessionText().user("one").lines);
    // Its name as a string is that of the others, but it can be named.
    const replacement = await home.write("p\ufffd/caf\ufffd.jsonl", new SessionText().user("two").lines);
    for (const folder of ["p\xff/inner", "node_modules\xff", "p\xff/node_modules"])
      await mkdir(place(home, folder), { recursive: true });
    const inFolder = place(home, "p\xff/inner/a.jsonl");
    await writeFile(inFolder, content);
    await writeFile(place(home, "p\xff/node_modules/none.jsonl"), content);
    await writeFile(place(home, "p\xff/none.txt"), content);
    const inName = place(home, "p/caf\xe9 \xc3\xa9.jsonl");
    await writeFile(inName, content);

    const warnings: unknown[] = [];
    const library = await home.open({
      watch: false,
      log: { info: () => undefined, error: () => undefined, warn: (_, message) => warnings.push(message) },
    });
    const paths = async () => (await scanAll(library)).map(({ path }) => path).sort();
    expect(await paths()).toEqual([named, replacement].sort());
    expect(await paths()).toHaveLength(2);
    const told = expect.stringMatching(/^2 files are not listed because their paths are not UTF-8; rename them: \//);
    expect(warnings).toEqual([told]);
    expect((await library.statistics()).skipped_files).toBe(2);

    await rename(place(home, "p\xff"), join(home.sessions, "p2"));
    expect(await paths()).toHaveLength(3);
    expect(warnings).toEqual([
      told,
      `1 file is not listed because its path is not UTF-8; rename it: ${join(home.sessions, "p", "caf\\xe9 é.jsonl")}`,
    ]);
    await rename(inName, join(home.sessions, "p", "café.jsonl"));
    expect(await paths()).toHaveLength(4);
    expect(warnings).toHaveLength(2);
    expect((await library.statistics()).skipped_files).toBe(0);
  });
});
