import { closeSync, fstatSync, readSync } from "node:fs";
import { type FileStamp, stampOf } from "../session-file/file-stamp.ts";
import { openSessionFile } from "../session-file/session-roots.ts";

/** An open file that is kept, as `Vault.keep` takes it; the owner must close it. */
export interface OriginalFile {
  path: string;
  /** When it was opened. */
  stamp: FileStamp;
  mode: number;
  read(buffer: Uint8Array, offset: number): number;
  close(): void;
}

/** @throws as `openSessionFile` does. */
export function openOriginal(path: string): OriginalFile {
  const { descriptor } = openSessionFile(path);
  const stat = fstatSync(descriptor);
  return {
    path,
    stamp: stampOf(stat),
    mode: stat.mode,
    read: (buffer, offset) => readSync(descriptor, buffer, 0, buffer.length, offset),
    close: () => closeSync(descriptor),
  };
}
