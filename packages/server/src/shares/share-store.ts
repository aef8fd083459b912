import { createHash, randomBytes, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@sm/core";
import type { SharedPage, ShareRecord } from "@sm/router";
import * as v from "valibot";

// Each share is a folder, named by its id:
//
//   share.json  what it is; the link ends when this is removed
//   page.html   what the link shows
//   opened      a byte for each time that it was opened; its time is that of the last
//
// It is made under another name and renamed when it is whole. Nothing is kept in memory, so that several processes may
// use a data directory.

/** Pages are kept for weeks: a few hundred sessions of usual size. */
export const MAX_SHARES = 100;
export const MAX_PAGE_BYTES = 32 * 1024 * 1024;

/** Who is still making or removing a share after this time has been killed. */
const LEFT_BEHIND_MS = 3_600_000;

const SECRET = /^[\w-]{43}$/;
const ID = /^[\da-f]{32}$/;
const UNFINISHED = ".new-";

const savedShare = v.object({
  session_path: v.string(),
  title: v.string(),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
  expires_at: v.pipe(v.string(), v.isoTimestamp()),
});

/** What is said of a share when it is made. */
export type SavedShare = v.InferOutput<typeof savedShare>;

/** The shares of a data directory. Methods reject with errors of Node's file system, unless they say otherwise. */
export class ShareStore {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, "shares");
  }

  /**
   * Keeps a page. Until it resolves nothing can be opened, and if it rejects nothing remains.
   *
   * Rejects with AppError `CONFLICT` or `PAYLOAD_TOO_LARGE` above the limits, and as `makePage` does.
   */
  async add(
    share: SavedShare,
    makePage: () => Promise<AsyncIterable<Uint8Array>>,
  ): Promise<{ record: ShareRecord; secret: string }> {
    await this.removeExpired();
    const unfinished = this.#in(`${UNFINISHED}${randomUUID()}`);
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    try {
      // Counts itself and others that are being made.
      if ((await readdir(this.#folder)).length > MAX_SHARES) {
        throw new AppError(
          "CONFLICT",
          `There are ${MAX_SHARES} links already; revoke one that is not needed any more.`,
        );
      }
      await writeDurably(join(unfinished, "page.html"), bounded(await makePage()));
      await writeDurably(join(unfinished, "share.json"), JSON.stringify(share));
      await writeFile(join(unfinished, "opened"), "", { mode: 0o600 });
      const secret = randomBytes(32).toString("base64url");
      const id = idOf(secret);
      await rename(unfinished, this.#in(id));
      await syncFolder(this.#folder);
      return { record: await this.#record(id, share), secret };
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
  }

  /** Newest first. */
  async list(now = Date.now()): Promise<ShareRecord[]> {
    const records: ShareRecord[] = [];
    for (const id of await this.#ids()) {
      const share = await this.#read(id);
      if (share === null || isOver(share, now)) continue;
      // It may be removed meanwhile.
      const record = await this.#record(id, share).catch(nullIfMissing);
      if (record !== null) records.push(record);
    }
    return records.sort((a, b) => b.created_at.localeCompare(a.created_at) || a.id.localeCompare(b.id));
  }

  /** Ends a link and removes its page; resolves with whether there was one. */
  async remove(id: string): Promise<boolean> {
    if (!ID.test(id)) return false;
    // First: what cannot be removed, such as a file that is being read on Windows, must not be opened again.
    const isThere = await unlink(this.#in(id, "share.json")).then(() => true, nullIfMissing);
    await rm(this.#in(id), { recursive: true, force: true }).catch(() => undefined);
    return isThere === true;
  }

  /** The size of a link's page; `null` if there is none. */
  async look(secret: string, now = Date.now()): Promise<{ bytes: number } | null> {
    const id = await this.#find(secret, now);
    const page = id === null ? null : await stat(this.#in(id, "page.html")).catch(nullIfMissing);
    return page === null ? null : { bytes: page.size };
  }

  /** Opens the page of a link and counts that; `null` if there is none. */
  async open(secret: string, now = Date.now()): Promise<SharedPage | null> {
    const id = await this.#find(secret, now);
    const page = id === null ? null : await open(this.#in(id, "page.html"), "r").catch(nullIfMissing);
    if (id === null || page === null) return null;
    try {
      const { size } = await page.stat();
      await this.#count(id);
      return { bytes: size, chunks: page.createReadStream() };
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  /** Removes what has expired and what killed processes have left; resolves with the ids of what has expired. */
  async removeExpired(now = Date.now()): Promise<string[]> {
    const expired: string[] = [];
    for (const name of await readdir(this.#folder).catch(emptyIfMissing)) {
      const share = ID.test(name) ? await this.#read(name) : null;
      if (share !== null && isOver(share, now)) {
        await this.remove(name);
        expired.push(name);
      } else if (share === null && (ID.test(name) || name.startsWith(UNFINISHED))) {
        const changed = await stat(this.#in(name)).catch(nullIfMissing);
        if (changed === null || now - changed.mtimeMs < LEFT_BEHIND_MS) continue;
        await rm(this.#in(name), { recursive: true, force: true });
      }
    }
    return expired;
  }

  async #ids(): Promise<string[]> {
    return (await readdir(this.#folder).catch(emptyIfMissing)).filter((name) => ID.test(name));
  }

  /** The id of a link that can be opened. It is a hash, so the time of the lookup reveals nothing of the secret. */
  async #find(secret: string, now: number): Promise<string | null> {
    const id = SECRET.test(secret) ? idOf(secret) : null;
    const share = id === null ? null : await this.#read(id);
    return share === null || isOver(share, now) ? null : id;
  }

  /** `null` where there is nothing, or nothing that a share could be read from. */
  async #read(id: string): Promise<SavedShare | null> {
    const text = await readFile(this.#in(id, "share.json"), "utf8").catch(nullIfMissing);
    if (text === null) return null;
    try {
      return v.parse(savedShare, JSON.parse(text));
    } catch {
      return null;
    }
  }

  async #record(id: string, { session_path, title, created_at, expires_at }: SavedShare): Promise<ShareRecord> {
    const { size } = await stat(this.#in(id, "page.html"));
    const opened = await stat(this.#in(id, "opened")).catch(nullIfMissing);
    const opened_count = opened?.size ?? 0;
    return {
      id,
      session_path,
      title,
      created_at,
      expires_at,
      size_bytes: size,
      opened_count,
      last_opened_at: opened === null || opened_count === 0 ? null : opened.mtime.toISOString(),
    };
  }

  async #count(id: string): Promise<void> {
    try {
      // Not created: the share may have just been removed.
      const opened = await open(this.#in(id, "opened"), constants.O_WRONLY | constants.O_APPEND);
      await opened.write(".").finally(() => opened.close());
    } catch {
      // Whoever has a link reads it on a full disk too.
    }
  }

  #in(...names: string[]): string {
    return join(this.#folder, ...names);
  }
}

/** Who reads the disk, or a backup of it, finds no link. */
function idOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex").slice(0, 32);
}

function isOver({ expires_at }: SavedShare, now: number): boolean {
  return Date.parse(expires_at) <= now;
}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_PAGE_BYTES) {
      const limit = `${MAX_PAGE_BYTES / 1024 / 1024} MiB`;
      const message = `The page is larger than ${limit}, the limit of a link; share one branch, or leave out tool calls.`;
      throw new AppError("PAYLOAD_TOO_LARGE", message);
    }
    yield chunk;
  }
}

async function writeDurably(path: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await writeFile(file, content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a directory.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  return nullIfMissing(error) ?? [];
}
