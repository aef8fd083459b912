import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../../errors.ts";
import { jsonl, SessionText, scanAll, searchFor, TestHome, treeOf, untilIndexed } from "./library.fixture.ts";
import type { Library } from "./library.ts";

// What is deleted in tests must not land in the trash of whoever runs them: a process learns once where that is.
const ownHome = await mkdtemp(join(tmpdir(), "swapped-files-home-"));
vi.stubEnv("HOME", ownHome);
vi.stubEnv("XDG_DATA_HOME", join(ownHome, "data"));
afterAll(() => rm(ownHome, { recursive: true }));

const SECRET = "ptarmigan";
const ROUNDS = 25;
/** How a race may end for whoever takes part in it. */
const ENDINGS = ["FORBIDDEN", "NOT_FOUND", "CONFLICT", "READ_ONLY"];

let home: TestHome;
let outside: string;
let path: string;
beforeEach(async () => {
  home = await TestHome.create();
  path = await home.write("p/a.jsonl", new SessionText().user("capercaillie").assistant("An answer.").lines);
  outside = join(home.directory, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "a.jsonl"), jsonl(new SessionText().user(SECRET).assistant(SECRET).lines));
});
afterEach(() => home[Symbol.asyncDispose]());

/** Runs a loop in another process until it is disposed of: this one is busy reading. */
function looping(body: string, ...args: string[]): AsyncDisposable {
  const script = `const fs = require("node:fs"); const [, ...args] = process.argv;
    const tried = (action) => { try { action(); } catch {} };
    for (let n = 0; ; n++) { ${body} }`;
  const child = spawn(process.execPath, ["-e", script, "--", ...args], { stdio: "inherit" });
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** The file itself, a link to another one and a pipe take the same name in turn. */
async function swappingFile(): Promise<AsyncDisposable> {
  const files = join(home.directory, "files");
  await mkdir(files);
  await link(path, join(files, "0"));
  await symlink(join(outside, "a.jsonl"), join(files, "1"));
  execFileSync("mkfifo", [join(files, "2")]);
  return looping(
    `const next = args[1] + "/next-" + n;
     tried(() => { fs.linkSync(args[1] + "/" + n % 3, next); fs.renameSync(next, args[0]); });
     tried(() => fs.unlinkSync(next));`,
    path,
    files,
  );
}

/** The folder of the file and a link to another one take the same name in turn. */
async function swappingFolder(): Promise<AsyncDisposable> {
  const away = join(home.directory, "away");
  const other = join(home.directory, "other");
  await symlink(outside, other);
  return looping(
    `tried(() => { fs.renameSync(args[0], args[1]); fs.renameSync(args[2], args[0]); });
     tried(() => { fs.renameSync(args[0], args[2]); fs.renameSync(args[1], args[0]); });`,
    dirname(path),
    away,
    other,
  );
}

async function textOf(chunks: AsyncIterable<string | Uint8Array>): Promise<string> {
  const pieces: string[] = [];
  for await (const chunk of chunks) pieces.push(Buffer.from(chunk).toString());
  return pieces.join("");
}

/** Does all that is done with a file of a session; gives what was answered, and how the rest ended. */
async function everything(library: Library): Promise<{ answers: string; endings: Set<string> }> {
  const done = await Promise.allSettled([
    library.readText(path),
    library.readEntries({ path }),
    treeOf(library, path),
    library.find({ path, query: "a" }),
    library.rename(path, "A name"),
    library.fork(path),
    library.export({ path, format: "markdown" }),
    library.exportStream({ path, format: "jsonl" }).then(({ chunks }) => textOf(chunks)),
    library.exportStream({ path, format: "html" }).then(({ chunks }) => textOf(chunks)),
    scanAll(library),
    library.search(searchFor("answer")),
    library.search(searchFor(SECRET)).then(({ hits }) => hits),
  ]);
  const endings = new Set<string>();
  for (const one of done) {
    if (one.status === "rejected") endings.add(one.reason instanceof AppError ? one.reason.code : String(one.reason));
  }
  return { answers: JSON.stringify(done.map((one) => (one.status === "fulfilled" ? one.value : null))), endings };
}

describe.each([
  ["file", swappingFile],
  ["folder", swappingFolder],
])("a session whose %s is swapped all the time", (_name, swapping) => {
  it("gives nothing from elsewhere, has nothing written elsewhere, and holds nobody up", async () => {
    const library = await home.open();
    await untilIndexed(library);
    const before = await readFile(join(outside, "a.jsonl"), "utf8");
    const endings = new Set<string>();
    let answers = "";
    {
      await using _ = await swapping();
      for (let round = 0; round < ROUNDS; round++) {
        const done = await everything(library);
        for (const ending of done.endings) endings.add(ending);
        answers += done.answers;
        if (round >= ROUNDS - 3) await library.delete(path).catch(({ code }: AppError) => endings.add(code));
      }
    }
    expect(answers).toContain("capercaillie");
    expect(answers).not.toContain(SECRET);
    expect([...endings].filter((ending) => !ENDINGS.includes(ending))).toEqual([]);
    expect(await readdir(outside)).toEqual(["a.jsonl"]);
    expect(await readFile(join(outside, "a.jsonl"), "utf8")).toBe(before);
  }, 120_000);
});

describe("a session that is a pipe or a link when it is opened", () => {
  it("is refused at once, and nothing is appended", async () => {
    const library = await home.open();
    await untilIndexed(library);
    const target = join(outside, "a.jsonl");
    const before = await readFile(target, "utf8");
    // Within the session directory too: a link is none of the files that are listed.
    const inside = await home.write("q/b.jsonl", new SessionText().user("other").lines);
    for (const make of [
      () => symlink(target, path),
      () => symlink(inside, path),
      async () => void execFileSync("mkfifo", [path]),
    ]) {
      await rm(path);
      await make();
      const { endings } = await everything(library);
      expect([...endings].every((ending) => ENDINGS.includes(ending))).toBe(true);
    }
    expect(await readFile(target, "utf8")).toBe(before);
  }, 60_000);

  it("comes back when the file does", async () => {
    const library = await home.open();
    await untilIndexed(library);
    await rename(path, `${path}.away`);
    execFileSync("mkfifo", [path]);
    expect(await scanAll(library)).toEqual([]);
    await rename(`${path}.away`, path);
    expect((await scanAll(library)).map((record) => record.first_message)).toEqual(["capercaillie"]);
  });
});
