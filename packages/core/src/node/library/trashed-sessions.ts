import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError } from "../../errors.ts";
import { formatNamed } from "../../format/formats.ts";
import { parseLine } from "../../session/jsonl.ts";
import { SessionFold } from "../../session/session-fold.ts";
import { titleOf } from "../../session/session-title.ts";
import { formatTimestamp } from "../../session/timestamp.ts";
import type { DeletedSessionRecord } from "../../vault.ts";
import { isTrashReadable, putBack, type TrashedFile, trashedFiles } from "../files/trashed-files.ts";
import { isPacked, isSessionFileName } from "../session-file/session-file-name.ts";
import type { SessionDirectories } from "./directories.ts";

/** Where the title stands, mostly. */
const HEAD_BYTES = 64 * 1024;
/** The list is for people, who look for what they have just deleted. */
const MOST = 200;

/** Sessions in the platform's trash, which the vault may not have. */
export class TrashedSessions {
  readonly #directories: Pick<SessionDirectories, "sessionPath" | "list">;

  constructor(directories: Pick<SessionDirectories, "sessionPath" | "list">) {
    this.#directories = directories;
  }

  /** The last deleted first, each path once. @param others paths that need not be looked for. */
  async list(others: ReadonlySet<string>): Promise<DeletedSessionRecord[]> {
    const records: DeletedSessionRecord[] = [];
    for (const trashed of await this.#newest()) {
      if (records.length === MOST) break;
      if (others.has(trashed.path) || !(await this.#isGone(trashed.path))) continue;
      const record = await recordOf(trashed);
      if (record !== null) records.push(record);
    }
    return records;
  }

  /**
   * Puts a session and what belongs to it back to their places.
   *
   * @param path in the index. @throws AppError `NOT_FOUND` if the trash does not have it.
   */
  async putBack(path: string): Promise<void> {
    const all = await this.#newest();
    const session = all.find((one) => one.path === path);
    const format = session === undefined ? null : ((await recordOf(session))?.format ?? null);
    if (session === undefined || format === null) {
      const hint = isTrashReadable()
        ? "list_deleted_sessions tells which are"
        : "look for it in the trash of the desktop";
      throw new AppError("NOT_FOUND", `No deleted session ${path} is kept; ${hint}.`);
    }
    // The folder of its project may have gone with its last session. The path was checked by the caller.
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await putBack(session);
    const companions = new Set(formatNamed(format).agent.companions(path));
    // One that is there again, or lies in a folder that is gone, stays in the trash.
    for (const one of all) if (companions.has(one.path)) await putBack(one).catch(() => undefined);
  }

  /** Of what was at one path, the last deleted. */
  async #newest(): Promise<TrashedFile[]> {
    const found = await trashedFiles(await this.#directories.list());
    const byPath = new Map(found.sort((a, b) => a.deletedAt - b.deletedAt).map((one) => [one.path, one]));
    return [...byPath.values()].reverse().sort((a, b) => b.deletedAt - a.deletedAt);
  }

  /** Whether a session would be at this path, and is not. */
  async #isGone(path: string): Promise<boolean> {
    if (!isSessionFileName(path)) return false;
    return this.#directories.sessionPath(path).then(
      () => false,
      (error: unknown) => error instanceof AppError && error.code === "NOT_FOUND",
    );
  }
}

/** `null` for what is no session. */
async function recordOf({ path, file, deletedAt }: TrashedFile): Promise<DeletedSessionRecord | null> {
  let opened: FileHandle | null = null;
  try {
    // A pipe would never be opened, and a link leads elsewhere.
    opened = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const stat = await opened.stat();
    if (!stat.isFile()) return null;
    const fold = new SessionFold();
    const head = Buffer.allocUnsafe(Math.min(HEAD_BYTES, stat.size));
    if (!isPacked(path)) {
      const { bytesRead } = await opened.read(head, 0, head.length, 0);
      const text = head.toString("utf8", 0, bytesRead);
      const end = bytesRead < stat.size ? text.lastIndexOf("\n") : text.length;
      for (const line of text.slice(0, Math.max(0, end)).split("\n")) {
        const value = parseLine(line);
        if (value !== null) fold.add(value, 0, line.length);
      }
      if (!fold.isSession) return null;
    }
    return {
      path,
      id: fold.isSession ? fold.record({ path, size: stat.size, modifiedAt: stat.mtimeMs }).id : null,
      format: fold.state.format ?? (isPacked(path) ? "codex" : null),
      title: titleOf(fold.state, path),
      size_bytes: stat.size,
      deleted_at: formatTimestamp(deletedAt) ?? "",
      expires_at: null,
      source: "trash",
    };
  } catch {
    return null;
  } finally {
    await opened?.close();
  }
}
