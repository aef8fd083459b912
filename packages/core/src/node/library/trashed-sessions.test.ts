import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { isTrashReadable, trashedFiles } from "../files/trashed-files.ts";
import { codeOf, jsonl, SessionText, TestHome, untilIndexed } from "./library.fixture.ts";

afterEach(() => vi.unstubAllEnvs());

const ID = "aaaaaaaa-0000-4000-8000-000000000000";
const said = (text: string) => new SessionText().message({ role: "user", content: text }).lines;

/** Writes what a desktop writes when it moves something to the trash. */
async function trashed(trash: string, name: string, path: string, content: string | null, more = ""): Promise<void> {
  await mkdir(join(trash, "info"), { recursive: true });
  await mkdir(join(trash, "files"), { recursive: true });
  await writeFile(join(trash, "info", `${name}.trashinfo`), `[Trash Info]\nPath=${path}\n${more}`);
  if (content !== null) await writeFile(join(trash, "files", name), content);
}

/** Deletion date as the trash writes it: without zone, in that of the machine. */
const date = (day: number) => `DeletionDate=2026-03-0${day}T10:00:00\n`;

it.runIf(isTrashReadable())("sessions come back from the trash where the vault has nothing", async () => {
  await using home = await TestHome.create();
  vi.stubEnv("XDG_DATA_HOME", join(home.directory, "xdg"));
  const message = {
    type: "user",
    uuid: "u",
    parentUuid: null,
    sessionId: ID,
    timestamp: "2026-03-01T10:00:00.000Z",
    cwd: "/p",
  };
  const path = await home.write(`p q/${ID}.jsonl`, [{ ...message, message: { role: "user", content: "Tide tables" } }]);
  const output = await home.write(`p q/${ID}/tool-results/r.txt`, "a result");
  const { mtimeMs } = await stat(path);
  const trash = join(home.directory, "xdg/Trash");
  // As the trash on Linux does, of the folder that belongs to the session, too.
  const folder = dirname(dirname(output));
  await trashed(trash, "a", encodeURI(path), null, date(1));
  await trashed(trash, "b", encodeURI(folder), null, date(1));
  await rename(path, join(trash, "files/a"));
  await rename(folder, join(trash, "files/b"));
  const library = await home.open({ watch: false });
  await untilIndexed(library);
  expect(await library.vault.deleted()).toMatchObject([
    { path, id: ID, format: "claude-code", title: "Tide tables", source: "trash", expires_at: null },
  ]);
  expect(await library.vault.undelete(path)).toMatchObject({ path, title: "Tide tables", source: "file" });
  expect((await stat(path)).mtimeMs).toBe(mtimeMs);
  expect(await readFile(output, "utf8")).toBe("a result");
  expect(await library.vault.deleted()).toEqual([]);
  expect(await readdir(join(home.directory, "xdg/Trash/info"))).toEqual([]);
  expect(await codeOf(library.vault.undelete(path))).toBe("NOT_FOUND");
});

it.runIf(isTrashReadable())(
  "only sessions of the directories are listed, each path once, and nothing is written over",
  async () => {
    await using home = await TestHome.create();
    vi.stubEnv("XDG_DATA_HOME", join(home.directory, "xdg"));
    const library = await home.open({ watch: false });
    const here = await home.write("here.jsonl", said("here"));
    const [gone, damaged, folder] = ["gone.jsonl", "damaged.jsonl", "folder.jsonl"].map((name) =>
      join(home.sessions, name),
    );
    const trash = join(home.directory, "xdg/Trash");
    await trashed(trash, "1", `${gone}`, jsonl(said("older")), date(1));
    await trashed(trash, "2", `${gone}`, jsonl(said("newer")), date(2));
    await trashed(trash, "3", here, jsonl(said("again")), date(3));
    await trashed(trash, "4", join(home.directory, "outside.jsonl"), jsonl(said("outside")));
    await trashed(trash, "5", `${damaged}`, "\0\0\0");
    await trashed(trash, "6", `${folder}`, null);
    await mkdir(join(trash, "files/6"));
    await trashed(trash, "7", "%E0%A4%A", jsonl(said("no path")));
    await trashed(trash, "8", join(home.sessions, "lost.jsonl"), null);
    await writeFile(join(trash, "info/9.trashinfo"), "a".repeat(20_000));
    // Opening a pipe would never end, and a link leads to another file.
    await trashed(trash, "10", join(home.sessions, "pipe.jsonl"), null);
    execFileSync("mkfifo", [join(trash, "files/10")]);
    await trashed(trash, "11", join(home.sessions, "link.jsonl"), null);
    await symlink(here, join(trash, "files/11"));
    expect((await library.vault.deleted()).map(({ path, title }) => [path, title])).toEqual([[gone, "newer"]]);
    expect(await codeOf(library.vault.undelete(here))).toBe("CONFLICT");
    expect(await codeOf(library.vault.undelete(join(home.directory, "outside.jsonl")))).toBe("FORBIDDEN");
    for (const path of [damaged, folder, join(home.sessions, "lost.jsonl")]) {
      expect(await codeOf(library.vault.undelete(`${path}`))).toBe("NOT_FOUND");
    }
    expect(await library.vault.undelete(`${gone}`)).toMatchObject({ title: "newer" });
  },
);

it.runIf(isTrashReadable())("the trash of another disk names files from its top", async () => {
  await using home = await TestHome.create();
  vi.stubEnv("XDG_DATA_HOME", join(home.directory, "xdg"));
  const trash = join(home.directory, `.Trash-${process.getuid?.()}`);
  await trashed(trash, "a", "agent/sessions/my%20tide.jsonl", "");
  expect(await trashedFiles([home.sessions])).toMatchObject([
    { path: join(home.sessions, "my tide.jsonl"), file: join(trash, "files/a") },
  ]);
});

it("other platforms say nothing of their trash", () => {
  expect(isTrashReadable("darwin") || isTrashReadable("win32")).toBe(false);
});
