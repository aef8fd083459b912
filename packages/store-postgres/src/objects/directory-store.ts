import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, opendir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ObjectStore, REQUEST_MS, type StoredObject, unavailableStore } from "./object-store.ts";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** In front of the names of files that are not whole yet; no key has a dot. */
const UNFINISHED = ".unfinished-";
const KEY = /^[0-9a-z-]+(\/[0-9a-z-]+)*$/;

export interface DirectoryStoreOptions {
  /** Of one request; default 15 seconds. A file system over the network may never answer. */
  timeoutMs?: number;
}

/** Objects as files of a directory that all servers of a hub share. */
export class DirectoryStore implements ObjectStore {
  readonly name: string;
  readonly #directory: string;
  readonly #timeoutMs: number;
  /** Folders that are known to be there, also after a power failure. */
  readonly #made = new Set<string>();

  /** @param directory has to exist: where a file system is not mounted, nothing is written under its place. */
  constructor(directory: string, { timeoutMs = REQUEST_MS }: DirectoryStoreOptions = {}) {
    this.#directory = directory;
    this.#timeoutMs = timeoutMs;
    this.name = directory;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(key);
    await this.#inTime(() => this.#put(path, bytes));
  }

  async get(key: string, length?: number): Promise<Buffer | null> {
    const path = this.#pathOf(key);
    return this.#inTime(() => read(path, length));
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await this.#inTime(async () => {
      if (await isThere(unlink(path))) await synced(dirname(path));
    });
  }

  async *list(folder: string): AsyncGenerator<StoredObject, void> {
    const path = this.#pathOf(folder);
    const entries = await this.#inTime(() => entriesOf(path));
    for (const { name, isFolder } of entries) {
      const key = `${folder}/${name}`;
      if (isFolder) yield* this.list(key);
      if (isFolder || name.startsWith(UNFINISHED)) continue;
      const found = await this.#inTime(() => stat(join(path, name)).catch(unless("ENOENT")));
      if (found !== undefined) yield { key, bytes: found.size };
    }
  }

  #pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error(`"${key}" is no key of an object.`);
    return join(this.#directory, key);
  }

  async #put(path: string, bytes: Uint8Array): Promise<void> {
    const folder = dirname(path);
    await this.#make(folder);
    const unfinished = join(folder, `${UNFINISHED}${randomUUID()}`);
    try {
      await write(unfinished, bytes);
      await rename(unfinished, path);
    } catch (error) {
      await unlink(unfinished).catch(() => undefined);
      this.#made.delete(folder);
      throw error;
    }
    await synced(folder);
  }

  /** Makes a folder and those above it, below the directory. */
  async #make(folder: string): Promise<void> {
    if (folder === this.#directory || this.#made.has(folder)) return;
    const above = dirname(folder);
    await this.#make(above);
    await mkdir(folder, { mode: FOLDER_MODE }).catch(unless("EEXIST"));
    await synced(above);
    this.#made.add(folder);
  }

  async #inTime<T>(action: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("The file system does not answer.")), this.#timeoutMs);
    });
    try {
      return await Promise.race([action(), late]);
    } catch (error) {
      throw unavailableStore(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", FILE_MODE);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function read(path: string, length: number | undefined): Promise<Buffer | null> {
  const file = await open(path, "r").catch(unless("ENOENT"));
  if (file === undefined) return null;
  try {
    return length === undefined ? await file.readFile() : await firstBytes(file, length);
  } finally {
    await file.close();
  }
}

async function firstBytes(file: FileHandle, length: number): Promise<Buffer> {
  const { size } = await file.stat();
  const bytes = Buffer.alloc(Math.min(size, length));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  return bytes.subarray(0, bytesRead);
}

async function entriesOf(path: string): Promise<{ name: string; isFolder: boolean }[]> {
  const directory = await opendir(path).catch(unless("ENOENT"));
  const found: { name: string; isFolder: boolean }[] = [];
  if (directory !== undefined)
    for await (const entry of directory) found.push({ name: entry.name, isFolder: entry.isDirectory() });
  return found;
}

/** A name is in a folder after a power failure when the folder was written. Windows has no such thing. */
async function synced(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether what was done was done to something: `false` where there was no file. */
function isThere(done: Promise<void>): Promise<boolean> {
  return done.then(
    () => true,
    (error: unknown) => {
      unless("ENOENT")(error);
      return false;
    },
  );
}

/** Gives `undefined` for an error of this code, and throws others. */
function unless(code: string): (error: unknown) => undefined {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
  };
}
