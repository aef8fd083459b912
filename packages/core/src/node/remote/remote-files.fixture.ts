import { readFileSync } from "node:fs";
import type { ActivityChunk } from "../../stats/activity-chunk.ts";
import type { BytesAround, KnownSession, RemoteFile, RemoteSession, RemoteSessions } from "./remote-sessions.ts";
import type { ReadRemoteSession } from "./remote-tasks.ts";

interface StoredSession {
  content: number;
  known: KnownSession;
  outline: Uint8Array[];
  activity: ActivityChunk[];
}

/** Files that are kept elsewhere: in the memory of the thread that answers. */
export class RemoteFiles implements RemoteSessions {
  readonly #files = new Map<string, { file: RemoteFile; bytes: Buffer }>();
  readonly #stored = new Map<string, StoredSession>();
  /** Each question for bytes: how many were sent. */
  readonly reads: number[] = [];
  /** Questions by name. */
  readonly asked: string[] = [];
  #contents = 0;

  /** Puts a file under a path; one that has only grown is the same content. */
  put(path: string, bytes: Buffer, modifiedAt = 0): void {
    const before = this.#files.get(path);
    const isGrown = before !== undefined && bytes.subarray(0, before.bytes.length).equals(before.bytes);
    const content = isGrown ? before.file.content : ++this.#contents;
    this.#files.set(path, { bytes, file: { content, size: bytes.length, modifiedAt, mode: 0o600 } });
  }

  putFile(path: string, source: string): void {
    this.put(path, readFileSync(source));
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  /** What a thread has to know to read a session. */
  remote(path: string): RemoteSession {
    const { file } = this.#files.get(path) ?? { file: { content: 0, size: 0, modifiedAt: 0, mode: 0 } };
    const stored = this.#stored.get(path);
    return { file, known: stored?.content === file.content ? stored.known : null };
  }

  /** Keeps what a thread has read, as a catalog does. */
  keep(path: string, { record, summary, progress, resumedAt, outline, activity }: ReadRemoteSession): void {
    const { file } = this.remote(path);
    const before = resumedAt > 0 ? this.#stored.get(path) : undefined;
    const key = before?.known.key ?? this.#stored.size + 1;
    const { id: sessionId, format, cwd: project } = record;
    const stored: StoredSession = {
      content: file.content,
      known: { key, sessionId, format, project, summary, progress, size: file.size },
      outline: [...(before?.outline ?? [])],
      activity: [...(before?.activity ?? [])],
    };
    for (const { place, entries } of outline) stored.outline[place] = entries;
    for (const chunk of activity) stored.activity[chunk.place] = chunk;
    this.#stored.set(path, stored);
  }

  async file(path: string): Promise<RemoteFile | null> {
    this.asked.push("file");
    return this.#files.get(path)?.file ?? null;
  }

  async session(path: string): Promise<RemoteSession | null> {
    this.asked.push("session");
    return this.#files.has(path) ? this.remote(path) : null;
  }

  async outline(key: number): Promise<Uint8Array[]> {
    this.asked.push("outline");
    return this.#of(key).outline;
  }

  async activity(key: number, place: number): Promise<ActivityChunk | null> {
    this.asked.push("activity");
    return this.#of(key).activity[place] ?? null;
  }

  async read(content: number, offset: number, length: number): Promise<BytesAround> {
    const found = [...this.#files.values()].find(({ file }) => file.content === content);
    const bytes = found?.bytes.subarray(offset, offset + length) ?? Buffer.alloc(0);
    this.reads.push(bytes.length);
    return { start: offset, bytes };
  }

  #of(key: number): StoredSession {
    const stored = [...this.#stored.values()].find(({ known }) => known.key === key);
    if (stored === undefined) throw new Error(`Nothing is stored under ${key}.`);
    return stored;
  }
}
