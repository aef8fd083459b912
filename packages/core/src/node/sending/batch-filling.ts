import { brotliCompressSync, constants } from "node:zlib";
import { formatNamed } from "../../format/formats.ts";
import {
  type BytesFrame,
  encodeBatch,
  type FrameWithBytes,
  MOST_CHANGES,
  type SessionChange,
} from "../../hub/batch.ts";
import { errorCode, isAbsence, isRefusal } from "../files/file-errors.ts";
import { companionFiles } from "../keeping/companion-files.ts";
import type { FileStamp } from "../session-file/file-stamp.ts";
import { openSessionBytes, type SessionBytes } from "../session-file/session-bytes.ts";
import { agentTitle } from "./agent-title.ts";
import { putBlocks, type ReadFile, readBlocks } from "./file-blocks.ts";
import type { FilePart, ReadPart } from "./file-content.ts";
import { noteTitle, takeDeletionBack, waitingChanges } from "./said-changes.ts";
import type { SendingDatabase } from "./sending-database.ts";
import type { FilledBatch, SentFrame, SessionToSend } from "./sending-tasks.ts";
import { type FileToSend, isTaken, rowOf, type SentRow, stateToContinue } from "./sent-file.ts";

/** Of files in a batch: little enough that an appended line need not wait long behind it, on 10 Mbit/s a second. */
const BATCH_BYTES = 2 * 1024 * 1024;
/** More would wait for the hub's answer in memory. */
const MOST_FRAMES = 256;
/** 167 MB/s to 32 % of the bytes (`docs/adr/0027-vault.md`). */
const QUALITY = 1;
const WINDOW_BITS = 20;

/** `isWhole`: each change of the file is another state of it. */
export interface FormReader {
  readPart: ReadPart;
  isWhole: boolean;
}

/** How files are sent: as they are, or redacted. */
export interface SendingForm {
  /** Names the rules that they are redacted by; empty: none. */
  rules: string;
  /** How a file of this name and size is read; `null`: it is not sent. */
  reader(file: FileToSend, size: number): FormReader | null;
  /** The path of a file, the same for every session. */
  path(path: string): string;
  /** What a user has said of a session. */
  text(text: string): string;
}

interface PartToSend {
  part: FilePart;
  /** Permission bits. */
  mode: number;
  /** Of the file, in milliseconds since 1970. */
  modifiedAt: number;
  pathOf: SendingForm["path"];
}

/** Puts the next batch together. */
export class BatchFilling {
  readonly #database: SendingDatabase;
  readonly #formOf: (project: string | null) => SendingForm;
  readonly #frames: FrameWithBytes[] = [];
  readonly #sent: SentFrame[] = [];
  readonly #unreadable: string[] = [];
  #fileBytes = 0;

  readonly #changeKinds: readonly string[];

  /** @param formOf the form of sessions of a project. @param changeKinds which changes the hub takes. */
  constructor(
    database: SendingDatabase,
    formOf: (project: string | null) => SendingForm,
    changeKinds: readonly string[],
  ) {
    this.#database = database;
    this.#formOf = formOf;
    this.#changeKinds = changeKinds;
  }

  fill(
    sessions: readonly SessionToSend[],
    machineName: string,
  ): FilledBatch & { rest: string[]; unreadable: string[] } {
    this.#addChanges();
    const rest: string[] = [];
    for (const session of sessions) {
      // What does not fit comes with the next batch.
      if (this.#isFull || !this.#addSession(session)) rest.push(session.path);
    }
    return { ...this.#packed(machineName), rest, unreadable: this.#unreadable };
  }

  get #isFull(): boolean {
    return this.#fileBytes >= BATCH_BYTES || this.#frames.length >= MOST_FRAMES;
  }

  #packed(machineName: string): FilledBatch {
    const body = this.#frames.length === 0 ? null : packBatch(this.#database.machineId, machineName, this.#frames);
    return { body, fileBytes: this.#fileBytes, sent: this.#sent };
  }

  #addChanges(): void {
    const changes = waitingChanges(this.#database, this.#changeKinds, MOST_CHANGES);
    if (changes.length === 0) return;
    const frame = {
      kind: "changes" as const,
      changes: changes.map((change) => inForm(change, this.#formOf(null))),
    };
    this.#frames.push({ frame, bytes: Buffer.alloc(0) });
    this.#sent.push({ kind: "changes", changes: changes.map(({ path, kind, key, at }) => ({ path, kind, key, at })) });
  }

  /** @returns whether all of it is in the batch. */
  #addSession({ path, format, id, project }: SessionToSend): boolean {
    const common = { sessionId: id, format };
    const form = this.#formOf(project);
    const title = agentTitle({ path, format, id });
    // It comes with the next batch: the hub gives it to a file that it has.
    if (title !== null) this.#database.write(() => noteTitle(this.#database, { path, id }, title));
    if (!this.#addFile({ ...common, path, owner: null }, form)) return false;
    for (const companion of companionFiles(formatNamed(format).agent, path)) {
      const file = { ...common, path: companion.path, owner: path };
      // Most have not changed, and need not be opened.
      if (isTaken(rowOf(this.#database, file.path), file, companion.stamp, form.rules)) continue;
      if (this.#isFull || !this.#addFile(file, form)) return false;
    }
    return true;
  }

  /** @returns whether all of it is in the batch, or nothing of it can be. */
  #addFile(file: FileToSend, form: SendingForm): boolean {
    let source: SessionBytes;
    try {
      source = openSessionBytes(file.path);
    } catch (error) {
      const code = errorCode(error);
      if (isRefusal(code)) this.#unreadable.push(file.path);
      else if (!isAbsence(code)) throw error;
      return true;
    }
    try {
      return this.#database.write(() => this.#addPart(file, source, form));
    } finally {
      source.close();
    }
  }

  /** @returns as {@link BatchFilling.#addFile}. */
  #addPart(file: FileToSend, source: SessionBytes, form: SendingForm): boolean {
    const { rules } = form;
    const stamp = source.stamp();
    const reader = form.reader(file, stamp.size);
    if (reader === null || isTaken(rowOf(this.#database, file.path), file, stamp, rules)) return true;
    const read = filling(source);
    const row = stateToContinue(this.#database, file, { stamp, read, rules, isWhole: reader.isWhole });
    const part = reader.readPart(row, stamp, read, BATCH_BYTES - this.#fileBytes);
    if (part === null) return true;
    // Cut off while it was read: what was read may be of two states.
    if (source.stamp().size < part.end) return false;
    this.#note(row, part, { stamp, file, read });
    this.#addFrame(row, file, { part, mode: source.permissions(), modifiedAt: stamp.mtime, pathOf: form.path });
    if (file.owner === null) takeDeletionBack(this.#database, file.path);
    return part.isLast;
  }

  /** Before it is sent: if nobody hears the answer, the hub may have it. */
  #note(
    row: SentRow,
    { bytes, end, content, contentStart }: FilePart,
    { stamp, file, read }: { stamp: FileStamp; file: FileToSend; read: ReadFile },
  ): void {
    if (end > row.read && content !== null) putBlocks(this.#database, row.id, contentStart, content);
    else if (end > row.read) readBlocks(this.#database, row.id, { start: contentStart, end }, read);
    this.#database.run(
      `UPDATE files SET is_whole = 0, read = max(read, ?), read_sent = max(read_sent, ?), size = ?, mtime = ?, inode = ?, owner = ?,
       session_id = ?, format = ?, refused = NULL WHERE id = ?`,
      end,
      row.taken_sent + bytes.length,
      stamp.size,
      stamp.mtime,
      stamp.inode,
      file.owner,
      file.sessionId,
      file.format,
      row.id,
    );
  }

  #addFrame(
    row: SentRow,
    { path, owner, sessionId, format }: FileToSend,
    { part: { bytes, isLast }, mode, modifiedAt, pathOf }: PartToSend,
  ): void {
    const end = row.taken_sent + bytes.length;
    const frame: BytesFrame = {
      kind: "bytes",
      path: pathOf(path),
      owner_path: owner === null ? null : pathOf(owner),
      format,
      session_id: sessionId,
      mode,
      modified_at: modifiedAt,
      generation: row.generation,
      offset: row.taken_sent,
      // Redacted, the whole is not known before it was read.
      size: isLast ? end : end + 1,
    };
    this.#frames.push({ frame, bytes });
    this.#sent.push({ kind: "bytes", generation: row.generation, isLast });
    this.#fileBytes += bytes.length;
  }
}

/** Names, titles and notes are texts like others. */
function inForm(change: SessionChange, form: SendingForm): SessionChange {
  const { kind, path, key, value } = change;
  return {
    ...change,
    path: form.path(path),
    key: kind === "tag" ? form.text(key) : key,
    value: value === null ? null : kind === "moved" ? form.path(value) : TEXTS.has(kind) ? form.text(value) : value,
  };
}

const TEXTS: ReadonlySet<string> = new Set(["name", "title", "note"]);

/** As it is sent. */
export function packBatch(id: string, name: string, frames: readonly FrameWithBytes[]): Uint8Array {
  const batch = encodeBatch({ id, name }, frames);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: batch.length,
  };
  return brotliCompressSync(batch, { params });
}

/** Reads on until the buffer is full, or the file ends. */
function filling(source: SessionBytes): ReadFile {
  return (buffer, offset) => {
    let filled = 0;
    while (filled < buffer.length) {
      const count = source.read(buffer, filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  };
}
