import { EventEmitter } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { appendFile, chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { until } from "../library/library.fixture.ts";
import { type WatchBatch, Watcher } from "./watcher.ts";

let folder: string;
let batches: WatchBatch[];
let errors: unknown[];
const open: Watcher[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "session-manager-watcher-"));
  batches = [];
  errors = [];
});

afterEach(async () => {
  vi.useRealTimers();
  for (const watcher of open.splice(0)) watcher.close();
  await rm(folder, { recursive: true, force: true });
});

function newWatcher(watchDirectory?: typeof watch): Watcher {
  const watcher = new Watcher({
    onEvent: () => undefined,
    onBatch: (batch) => batches.push(batch),
    onError: (error) => errors.push(error),
    ...(watchDirectory === undefined ? {} : { watchDirectory }),
  });
  open.push(watcher);
  return watcher;
}

async function write(name: string, content = "{}\n"): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** Waits for a batch that tells of every one of these paths; what came before is forgotten. */
async function heard(...paths: string[]): Promise<void> {
  await until(() => paths.every((path) => batches.some((batch) => batch.paths.has(path))));
  batches = [];
}

async function heardOfDirectories(): Promise<void> {
  await until(() => batches.some((batch) => batch.directoriesChanged));
  batches = [];
}

describe("files in watched directories", () => {
  it.each([
    ["appended to", "p/a.jsonl", (path: string) => appendFile(path, "{}\n")],
    ["rewritten", "p/a.jsonl", (path: string) => writeFile(path, "[]\n")],
    ["removed", "p/a.jsonl", (path: string) => rm(path)],
    ["made", "p/q/new.jsonl", (path: string) => writeFile(path, "")],
    [
      "replaced by a rename",
      "p/a.jsonl",
      async (path: string) => {
        await writeFile(`${path}.tmp`, "{}\n");
        await rename(`${path}.tmp`, path);
      },
    ],
  ])("are told when they are %s", async (_, name, change) => {
    await write("p/a.jsonl");
    await write("p/q/b.jsonl");
    const watcher = newWatcher();
    await watcher.watch([folder], []);
    await change(join(folder, name));
    await until(() => batches.length > 0);
    expect(batches).toEqual([{ paths: new Set([join(folder, name)]), directoriesChanged: false }]);
    expect(watcher.events).toBeGreaterThan(0);
  });

  it("cost one watch a directory and none a file", async () => {
    for (let n = 0; n < 30; n++) await write(`p${n % 3}/${n}.jsonl`);
    let watches = 0;
    const watcher = newWatcher(((path: string, options: object, listener: () => void) => {
      watches++;
      return watch(path, options, listener);
    }) as typeof watch);
    await watcher.watch([folder], []);
    await watcher.watch([folder], []);
    expect({ watches, directories: watcher.directories }).toEqual({ watches: 4, directories: 4 });
  });

  it("are not told of in folders that are left out, below links, too deep or of another kind", async () => {
    const deep = join("a", ..."bcdefghijkl");
    const outside = await mkdtemp(join(tmpdir(), "session-manager-outside-"));
    const ignored = ["subagent-artifacts/x.jsonl", "p/transcripts/y.jsonl", `${deep}/m/too-deep.jsonl`];
    for (const name of [...ignored, `${deep}/deepest.jsonl`]) await write(name);
    await symlink(outside, join(folder, "link"));
    const watcher = newWatcher();
    await watcher.watch([folder], []);
    for (const name of ignored) await appendFile(join(folder, name), "{}\n");
    await writeFile(join(outside, "z.jsonl"), "{}\n");
    await write("p/notes.txt");
    await appendFile(join(folder, `${deep}/deepest.jsonl`), "{}\n");
    await until(() => batches.length > 0);
    const paths = new Set([join(folder, `${deep}/deepest.jsonl`)]);
    expect(batches).toEqual([{ paths, directoriesChanged: false }]);
    await rm(outside, { recursive: true });
  });
});

describe("directories", () => {
  const tree = async (name: string) => {
    await write(join(name, "x.jsonl"));
    await write(join(name, "b/y.jsonl"));
  };

  it.each([
    ["appear with others inside", () => tree("new/deeper"), "new/deeper/b/y.jsonl"],
    [
      "are removed and made anew at once",
      async () => {
        await rm(join(folder, "a"), { recursive: true });
        await tree("a");
      },
      "a/b/y.jsonl",
    ],
    [
      "take another's place",
      async () => {
        await rename(join(folder, "a"), join(folder, "old"));
        await rename(join(folder, "other"), join(folder, "a"));
      },
      "a/x.jsonl",
    ],
    ["are renamed", () => rename(join(folder, "a"), join(folder, "renamed")), "renamed/b/y.jsonl"],
  ])("that %s are watched", async (_, change, probe) => {
    await tree("a");
    await tree("other");
    await newWatcher().watch([folder], []);
    await change();
    await heardOfDirectories();
    await appendFile(join(folder, probe), "{}\n");
    await heard(join(folder, probe));
  });

  it("that are gone are watched no more", async () => {
    await tree("a");
    const watcher = newWatcher();
    await watcher.watch([folder], []);
    expect(watcher.directories).toBe(3);
    await rm(join(folder, "a"), { recursive: true });
    await heardOfDirectories();
    expect(watcher.directories).toBe(1);
  });

  it("to be watched can be exchanged", async () => {
    await tree("a");
    await tree("other");
    const watcher = newWatcher();
    await watcher.watch([join(folder, "a")], []);
    await watcher.watch([join(folder, "other")], []);
    expect(watcher.directories).toBe(2);
    await appendFile(join(folder, "a/x.jsonl"), "{}\n");
    await appendFile(join(folder, "other/x.jsonl"), "{}\n");
    await until(() => batches.length > 0);
    expect(batches).toEqual([{ paths: new Set([join(folder, "other/x.jsonl")]), directoriesChanged: false }]);
  });

  it("that do not exist yet are told when they appear, also in steps", async () => {
    const root = join(folder, "p/q/sessions");
    const watcher = newWatcher();
    await watcher.watch([], [root]);
    for (const step of ["p", "p/q", "p/q/sessions"]) {
      await mkdir(join(folder, step));
      await heardOfDirectories();
      const isThere = step === "p/q/sessions";
      await watcher.watch(isThere ? [root] : [], isThere ? [] : [root]);
    }
    await writeFile(join(root, "a.jsonl"), "");
    await heard(join(root, "a.jsonl"));
    await write("p/other.jsonl");
    await appendFile(join(root, "a.jsonl"), "{}\n");
    await heard(join(root, "a.jsonl"));

    await rm(join(folder, "p"), { recursive: true });
    await heardOfDirectories();
    await watcher.watch([], [root]);
    await mkdir(root, { recursive: true });
    await heardOfDirectories();
  });
});

describe("batches", () => {
  let tell: (type: string, name: string | null) => void;
  const silent = ((_path: string, _options: object, listener: typeof tell) => {
    tell = listener;
    return Object.assign(new EventEmitter(), { close: () => undefined }) as unknown as FSWatcher;
  }) as typeof watch;

  async function watchSilently(): Promise<void> {
    await newWatcher(silent).watch([folder], []);
    vi.useFakeTimers();
  }

  it("come 100 ms after the last event", async () => {
    await watchSilently();
    tell("change", "a.jsonl");
    await vi.advanceTimersByTimeAsync(90);
    tell("change", "b.jsonl");
    await vi.advanceTimersByTimeAsync(90);
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(15);
    expect(batches).toEqual([
      { paths: new Set([join(folder, "a.jsonl"), join(folder, "b.jsonl")]), directoriesChanged: false },
    ]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(batches).toHaveLength(1);
  });

  it("come 250 ms after the first event where it never gets quiet", async () => {
    await watchSilently();
    for (let time = 0; time < 2_000; time += 50) {
      tell("change", `${time}.jsonl`);
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(batches.length).toBeGreaterThanOrEqual(7);
    for (const { paths } of batches) expect(paths.size).toBeLessThanOrEqual(6);
  });

  it.each([
    ["an event that names nothing", () => tell("change", null)],
    [
      "more events than the kernel may have kept",
      () => {
        for (let n = 0; n < 5_000; n++) tell("change", "a.jsonl");
      },
    ],
  ])("ask for a comparison after %s", async (_, happen) => {
    await watchSilently();
    happen();
    await vi.advanceTimersByTimeAsync(100);
    expect(batches).toMatchObject([{ directoriesChanged: true }]);
  });
});

describe("what cannot be watched", () => {
  /** Fails for some directories as long as `failing` holds their name. */
  function failing(names: Set<string>, code: string): typeof watch {
    return ((path: string, options: object, listener: () => void) => {
      if ([...names].some((name) => path.endsWith(`/${name}`))) throw Object.assign(new Error(code), { code });
      return watch(path, options, listener);
    }) as typeof watch;
  }

  it.each(["ENOSPC", "EMFILE", "EPERM"])("is told once (%s), and tried again", async (code) => {
    for (const name of ["a", "b", "c"]) await write(`${name}/x.jsonl`);
    const names = new Set(["a", "b"]);
    const watcher = newWatcher(failing(names, code));
    for (let round = 0; round < 3; round++) await watcher.watch([folder], []);
    expect(errors).toMatchObject([{ code }]);
    expect(watcher.isIncomplete).toBe(true);
    await appendFile(join(folder, "c/x.jsonl"), "{}\n");
    await heard(join(folder, "c/x.jsonl"));

    names.clear();
    await watcher.watch([folder], []);
    expect(watcher.isIncomplete).toBe(false);
    await appendFile(join(folder, "a/x.jsonl"), "{}\n");
    await heard(join(folder, "a/x.jsonl"));

    names.add("b");
    await rm(join(folder, "b"), { recursive: true });
    await write("b/x.jsonl");
    await until(() => errors.length === 2);
  });

  it("does not count where it may not be read either", async () => {
    await write("a/x.jsonl");
    const watcher = newWatcher(failing(new Set(["a"]), "EACCES"));
    await watcher.watch([folder], []);
    expect({ errors, isIncomplete: watcher.isIncomplete }).toEqual({ errors: [], isIncomplete: false });
  });

  it("because it may not be read is awaited in the directory above", async () => {
    const root = dirname(await write("locked/a.jsonl"));
    const names = new Set(["locked", "locked/x"]);
    const watcher = newWatcher(failing(names, "EACCES"));
    await watcher.watch([root], []);
    names.clear();
    await chmod(root, 0o700);
    await heardOfDirectories();
    await watcher.watch([root], []);
    await appendFile(join(root, "a.jsonl"), "{}\n");
    await heard(join(root, "a.jsonl"));

    names.add("locked").add("locked/x");
    for (let round = 0; round < 2; round++) await watcher.watch([], [join(root, "x/y")]);
    expect({ errors, isIncomplete: watcher.isIncomplete }).toEqual({ errors: [], isIncomplete: false });
    await chmod(root, 0o755);
    await heardOfDirectories();
  });

  it("and was removed since it was found is awaited", async () => {
    const root = join(folder, "root");
    await newWatcher().watch([root], []);
    await mkdir(root);
    await heardOfDirectories();
  });

  it("and does not exist yet is told once, and tried again", async () => {
    await write("a/x.jsonl");
    const names = new Set(["a"]);
    const watcher = newWatcher(failing(names, "ENOSPC"));
    for (let round = 0; round < 3; round++) await watcher.watch([], [join(folder, "a/missing")]);
    expect(errors).toMatchObject([{ code: "ENOSPC" }]);
    expect(watcher.isIncomplete).toBe(true);

    names.clear();
    await watcher.watch([], [join(folder, "a/missing")]);
    expect(watcher.isIncomplete).toBe(false);
    await mkdir(join(folder, "a/missing"));
    await heardOfDirectories();
  });

  it("may be known only later", async () => {
    const watchers: FSWatcher[] = [];
    const watcher = newWatcher(((path: string, options: object, listener: () => void) => {
      const made = watch(path, options, listener);
      watchers.push(made);
      return made;
    }) as typeof watch);
    await watcher.watch([folder], []);
    watchers[0]?.emit("error", Object.assign(new Error("lost"), { code: "EIO" }));
    await until(() => errors.length === 1);
    expect(watcher.isIncomplete).toBe(true);
    await watcher.watch([folder], []);
    expect(watcher.isIncomplete).toBe(false);
    await write("a.jsonl");
    await heard(join(folder, "a.jsonl"));
  });
});
