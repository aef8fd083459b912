import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { bundleScript, type ChildOptions, startScript } from "../state/child-script.fixture.ts";
import { deleteAlong, deleteRecoverably } from "./trash.ts";

/** Deletes files in a process of its own, since a process learns only once where the trash is. */
const DELETER = `
import { deleteAlong, deleteRecoverably } from "./trash.ts";

const [cwd = "/", ...paths] = process.argv.slice(2);
process.chdir(cwd);
async function main() {
  const run = (path) => (path.endsWith(".jsonl") ? deleteRecoverably(path) : deleteAlong(path, "trash"));
  const outcomes = paths.map((path) => run(path).catch(({ code, message }) => ({ code, message })));
  console.log(JSON.stringify(await Promise.all(outcomes)));
}
void main();
`;

let folder: string;
let script: string;
let sessions: string;
let home: string;
let trashDirectory: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "trash-"));
  chmodSync(folder, 0o755);
  script = join(folder, "deleter.mjs");
  await bundleScript(DELETER, import.meta.dirname, script);
});

beforeEach(() => {
  sessions = mkdtempSync(join(folder, "sessions-"));
  home = mkdtempSync(join(folder, "home-"));
  trashDirectory = join(home, "data", "Trash");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeSession(name: string, directory = sessions): string {
  const path = join(directory, name);
  writeFileSync(path, `content of ${name}`);
  return path;
}

async function deleteInChild(paths: string[], options: ChildOptions = {}): Promise<unknown[]> {
  const env = { HOME: home, XDG_DATA_HOME: join(home, "data"), ...options.env };
  const { stdout, stderr } = await startScript(script, [sessions, ...paths], { ...options, env }).ended;
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

/** What lies in the trash: the former path of each file, with its content. */
function trashed(): Map<string, string> {
  const notes = existsSync(join(trashDirectory, "info")) ? readdirSync(join(trashDirectory, "info")) : [];
  return new Map(
    notes.map((note) => {
      const [header, path = "", date] = readFileSync(join(trashDirectory, "info", note), "utf8").split("\n");
      expect(header).toBe("[Trash Info]");
      expect(date).toMatch(/^DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      const file = join(trashDirectory, "files", note.replace(/\.trashinfo$/, ""));
      return [decodeURIComponent(path.replace("Path=", "")), readFileSync(file, "utf8")];
    }),
  );
}

describe.runIf(process.platform === "linux")("deleteRecoverably on Linux", () => {
  const names = [
    "2026-01-02T03-04-05-678Z_0198c7e2.jsonl",
    "[abc].jsonl",
    "*.jsonl",
    "{a,b}.jsonl",
    "!not.jsonl",
    "-rf.jsonl",
    "with space, 100% #1?.jsonl",
    "会議 📝.jsonl",
    "line\nbreak.jsonl",
    "back\\slash.jsonl",
  ];

  it("moves a file of any name to the trash, and nothing else", async () => {
    for (const kept of ["a.jsonl", "b.jsonl", "not.jsonl"]) writeSession(kept);
    const paths = names.map((name) => writeSession(name));
    expect(await deleteInChild(paths)).toEqual(names.map(() => "trash"));
    expect(readdirSync(sessions).sort()).toEqual(["a.jsonl", "b.jsonl", "not.jsonl"]);
    expect(trashed()).toEqual(new Map(paths.map((path, number) => [path, `content of ${names[number]}`])));
  });

  it("takes a relative path that looks like an option", async () => {
    const path = writeSession("-rf.jsonl");
    expect(await deleteInChild(["-rf.jsonl"])).toEqual(["trash"]);
    expect([...trashed().keys()]).toEqual([path]);
  });

  it("moves a symbolic link, not what it names", async () => {
    const target = writeSession("target.jsonl");
    symlinkSync(target, join(sessions, "link.jsonl"));
    expect(await deleteInChild([join(sessions, "link.jsonl")])).toEqual(["trash"]);
    expect(readdirSync(sessions)).toEqual(["target.jsonl"]);
  });

  it("says NOT_FOUND for a file that is not there", async () => {
    const path = join(sessions, "missing.jsonl");
    expect(await deleteInChild([path])).toEqual([{ code: "NOT_FOUND", message: expect.stringContaining(path) }]);
  });

  it.each([
    ["there is no home", () => ({ HOME: join(home, "missing") })],
    ["a file is where the trash would be", () => ({ XDG_DATA_HOME: writeSession("file", home) })],
  ])("deletes for good when %s", async (_, environment) => {
    const path = writeSession("a.jsonl");
    writeSession("b.jsonl");
    expect(await deleteInChild([path], { env: environment() })).toEqual(["permanent"]);
    expect(readdirSync(sessions)).toEqual(["b.jsonl"]);
  });

  it("reaches the trash from another disk", async ({ skip }) => {
    const otherDisk = "/dev/shm";
    const isOther = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(folder).dev;
    skip(!isOther, `${otherDisk} is no other disk here`);
    const directory = mkdtempSync(join(otherDisk, "trash-"));
    try {
      const path = writeSession("a.jsonl", directory);
      expect(await deleteInChild([path])).toEqual(["trash"]);
      expect(existsSync(path)).toBe(false);
      expect(trashed()).toEqual(new Map([[path, "content of a.jsonl"]]));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("says READ_ONLY when the directory may not be written, and leaves no note in the trash", async () => {
    const path = writeSession("a.jsonl");
    chmodSync(sessions, 0o555);
    chmodSync(home, 0o777);
    // Root may write everywhere.
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    expect(await deleteInChild([path], user)).toEqual([
      { code: "READ_ONLY", message: expect.stringMatching(/a\.jsonl.*EACCES/) },
    ]);
    expect(readFileSync(path, "utf8")).toBe("content of a.jsonl");
    expect(trashed()).toEqual(new Map());
    chmodSync(sessions, 0o755);
  });
});

describe.runIf(process.platform === "linux")("deleteAlong on Linux", () => {
  /** A folder with a file, and a link to a folder elsewhere. */
  function folderWithLink() {
    const companion = join(sessions, "0198c7e2");
    mkdirSync(join(companion, "subagents"), { recursive: true });
    writeSession("agent-a.jsonl", join(companion, "subagents"));
    const outside = join(home, "outside");
    mkdirSync(outside);
    const precious = writeSession("precious", outside);
    symlinkSync(outside, join(companion, "link"));
    return { companion, precious };
  }

  it("moves a whole folder to the trash, and links in it as links", async () => {
    const { companion, precious } = folderWithLink();
    expect(await deleteInChild([companion])).toEqual([null]);
    expect(readdirSync(sessions)).toEqual([]);
    const [name = ""] = readdirSync(join(trashDirectory, "files"));
    expect(readdirSync(join(trashDirectory, "files", name)).sort()).toEqual(["link", "subagents"]);
    expect(readFileSync(precious, "utf8")).toBe("content of precious");
  });

  it("deletes a whole folder for good, and links in it as links", async () => {
    const { companion, precious } = folderWithLink();
    await deleteAlong(companion, "permanent");
    expect(readdirSync(sessions)).toEqual([]);
    expect(readFileSync(precious, "utf8")).toBe("content of precious");
  });

  it("takes a link in the place of a folder as a link", async () => {
    const { companion, precious } = folderWithLink();
    rmSync(companion, { recursive: true });
    symlinkSync(join(precious, ".."), companion);
    await deleteAlong(companion, "permanent");
    expect([readdirSync(sessions), readFileSync(precious, "utf8")]).toEqual([[], "content of precious"]);
  });

  it("leaves what lies elsewhere, and what the trash refuses", async () => {
    const { companion } = folderWithLink();
    await expect(deleteAlong(companion, "permanent", () => false)).rejects.toMatchObject({ code: "FORBIDDEN" });
    const env = { HOME: join(home, "missing") };
    expect(await deleteInChild([companion], { env })).toEqual([
      { code: "UNAVAILABLE", message: expect.stringContaining(companion) },
    ]);
    expect(readdirSync(companion).sort()).toEqual(["link", "subagents"]);
  });
});

describe("deleteRecoverably with a trash that", () => {
  const move = vi.fn<(path: string, options: { glob: boolean }) => Promise<unknown>>();
  vi.doMock("trash", () => ({ default: move }));
  afterEach(() => move.mockReset());

  it("does nothing without a word deletes the file for good", async () => {
    const path = writeSession("a.jsonl");
    move.mockResolvedValue(undefined);
    expect(await deleteRecoverably(path)).toBe("permanent");
    expect(move).toHaveBeenCalledWith(expect.stringMatching(/\/a\.jsonl$/), { glob: false });
    expect(existsSync(path)).toBe(false);
  });

  it("fails deletes the file for good", async () => {
    const path = writeSession("a.jsonl");
    move.mockRejectedValue(new Error("no trash"));
    expect(await deleteRecoverably(path)).toBe("permanent");
    expect(existsSync(path)).toBe(false);
  });

  const swapForLink = (away: string, other: string) => {
    renameSync(sessions, away);
    symlinkSync(other, sessions);
  };
  const moveInto = (kept: string, file: string) => {
    renameSync(file, join(kept, "a"));
    writeFileSync(join(kept, "a.trashinfo"), `[Trash Info]\nPath=${file}\nDeletionDate=2026-01-01T00:00:00`);
    return [{ path: join(kept, "a"), info: join(kept, "a.trashinfo") }];
  };

  it.runIf(process.platform === "linux")("finds the folder swapped for a link moves the file itself", async () => {
    const path = writeSession("a.jsonl");
    const [other, away, kept] = [join(home, "other"), join(home, "away"), join(home, "kept")];
    for (const directory of [other, kept]) mkdirSync(directory);
    const precious = writeSession("a.jsonl", other);
    writeFileSync(precious, "precious");
    move.mockImplementation(async (file) => {
      swapForLink(away, other);
      return moveInto(kept, file);
    });
    expect(await deleteRecoverably(path)).toBe("trash");
    expect([readFileSync(precious, "utf8"), readdirSync(away)]).toEqual(["precious", []]);
    expect(readFileSync(join(kept, "a"), "utf8")).toBe("content of a.jsonl");
    expect(readFileSync(join(kept, "a.trashinfo"), "utf8").split("\n")[1]).toBe(`Path=${path}`);
  });

  it("is given another file, since that took the name, puts it back", async () => {
    const path = writeSession("a.jsonl");
    const kept = join(home, "kept");
    mkdirSync(kept);
    const own = join(sessions, "own.jsonl");
    move.mockImplementation(async (file) => {
      renameSync(path, own);
      writeFileSync(path, "precious");
      return moveInto(kept, file);
    });
    await expect(deleteRecoverably(path)).rejects.toMatchObject({ code: "CONFLICT" });
    expect([path, own].map((file) => readFileSync(file, "utf8"))).toEqual(["precious", "content of a.jsonl"]);
    expect(readdirSync(kept)).toEqual([]);
  });

  it("is given another file that cannot be put back says where it is", async () => {
    const path = writeSession("a.jsonl");
    const kept = join(home, "kept");
    mkdirSync(kept);
    move.mockImplementation(async () => {
      writeFileSync(join(kept, "a"), "precious");
      return [{ path: join(kept, "a"), info: join(kept, "a.trashinfo") }];
    });
    const message = expect.stringContaining(join(kept, "a"));
    await expect(deleteRecoverably(path)).rejects.toMatchObject({ code: "CONFLICT", message });
    expect(readFileSync(path, "utf8")).toBe("content of a.jsonl");
  });

  it.runIf(process.platform === "linux")("fails while the folder is swapped deletes nothing elsewhere", async () => {
    const path = writeSession("a.jsonl");
    const other = join(home, "other");
    mkdirSync(other);
    const precious = writeSession("a.jsonl", other);
    move.mockImplementation(async () => {
      renameSync(sessions, join(home, "away"));
      symlinkSync(other, sessions);
      throw new Error("no trash");
    });
    expect(await deleteRecoverably(path)).toBe("permanent");
    expect([existsSync(precious), existsSync(join(home, "away", "a.jsonl"))]).toEqual([true, false]);
  });

  it("is never asked about a file that lies elsewhere", async () => {
    const path = writeSession("a.jsonl");
    await expect(deleteRecoverably(path, (real) => real !== path)).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect([existsSync(path), move.mock.calls]).toEqual([true, []]);
  });

  it("is overtaken by a running agent leaves the file that this has made since", async () => {
    const path = writeSession("a.jsonl");
    mkdirSync(trashDirectory, { recursive: true });
    move.mockImplementation(async (file) => {
      renameSync(file, join(trashDirectory, "a"));
      writeFileSync(file, "written since");
    });
    expect(await deleteRecoverably(path)).toBe("trash");
    expect(readFileSync(path, "utf8")).toBe("written since");
  });
});
