import type { FileStamp } from "../session-file/file-stamp.ts";
import type { FileToKeep, Generation, Vault } from "./vault.ts";

/** No two states of files have the same time. */
let time = 0;

/** Test support: a file in memory. Each change gives it another stamp. */
export class MemoryFile {
  readonly path: string;
  content: Buffer;
  stamp: FileStamp;
  owner: string | null = null;

  constructor(path: string, content: Uint8Array | string = "") {
    this.path = path;
    this.content = Buffer.from(content);
    time++;
    this.stamp = { size: this.content.length, mtime: time, ctime: time, inode: time };
  }

  set(content: Uint8Array | string): this {
    this.content = Buffer.from(content);
    time++;
    this.stamp = { size: this.content.length, mtime: time, ctime: time, inode: this.stamp.inode };
    return this;
  }

  append(text: Uint8Array | string): this {
    return this.set(Buffer.concat([this.content, Buffer.from(text)]));
  }

  opened(): FileToKeep {
    const { path, owner, stamp } = this;
    return {
      path,
      owner,
      format: "pi",
      sessionId: `id of ${path}`,
      stamp,
      mode: 0o600,
      read: (buffer, offset) => (offset < this.content.length ? this.content.copy(buffer, 0, offset) : 0),
    };
  }
}

/** All bytes of a generation, read in pieces of a size. */
export function bytesOf(vault: Vault, generation: Generation | null, pieceBytes = 300_000): Buffer {
  if (generation === null) return Buffer.alloc(0);
  const pieces: Buffer[] = [];
  for (let offset = 0; ; ) {
    const buffer = Buffer.alloc(pieceBytes);
    const count = vault.read(generation, buffer, offset);
    if (count === 0) return Buffer.concat(pieces);
    pieces.push(buffer.subarray(0, count));
    offset += count;
  }
}

/** Lines like those of a transcript, of about so many bytes; equal for equal seeds. */
export function lines(seed: number, bytes: number): string {
  const made: string[] = [];
  let state = (Math.imul(seed + 1, 2_654_435_761) + 1) >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state;
  };
  for (let length = 0; length < bytes; ) {
    const words = Array.from({ length: 1 + ((next() >>> 16) % 60) }, () => `word ${next().toString(36)}`);
    const line = `{"id":"${next().toString(36)}-${seed}","text":"${words.join(" ")}"}\n`;
    made.push(line);
    length += line.length;
  }
  return made.join("");
}
