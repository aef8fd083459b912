import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../json.ts";
import type { FileStamp } from "../session-file/file-stamp.ts";

/**
 * A copy of vaults is a directory: `chunks/ab/<SHA-256>.br` for each chunk, packed with brotli, and
 * `manifests/<vault>.jsonl` for each vault that was copied there, with a line for each generation.
 */
export const COPY_VERSION = 1;
export const MANIFEST_SUFFIX = ".jsonl";

export const README = `This is a copy of the vault of Session Manager: sessions of coding agents, with what belongs to them.

\`session-cli vault import DIRECTORY\` adds them to another vault. By hand: each line of a file in \`manifests\` is one state
of one file; its \`pieces\` are the SHA-256 and the bytes of the parts that the file consists of, in order. Each part is
\`chunks/<first two digits>/<SHA-256>.br\`: \`brotli --decompress\` gives its bytes.
`;

/** A generation in a manifest. Times are milliseconds since 1970. */
export interface CopiedGeneration {
  path: string;
  owner: string | null;
  format: string | null;
  sessionId: string | null;
  stamp: FileStamp;
  mode: number;
  bytes: number;
  startedAt: number;
  keptAt: number;
  vanishedAt: number | null;
  replacedAt: number | null;
  deletedAt: number | null;
  pieces: Piece[];
}

export interface Piece {
  /** SHA-256, hexadecimal. */
  hash: string;
  size: number;
}

export function chunkFile(directory: string, hash: string): string {
  return join(directory, "chunks", hash.slice(0, 2), `${hash}.br`);
}

export function manifestDirectory(directory: string): string {
  return join(directory, "manifests");
}

export function headerLine(vault: string, writtenAt: number): string {
  return `${JSON.stringify({ version: COPY_VERSION, vault, written_at: writtenAt })}\n`;
}

/** The version that a manifest was written in; `null` if this is no first line of one. */
export function versionOfHeader(line: JsonObject): number | null {
  return typeof line.version === "number" && typeof line.vault === "string" ? line.version : null;
}

export function generationLine(generation: CopiedGeneration): string {
  const { path, owner, format, sessionId, stamp, mode, bytes, startedAt, keptAt, vanishedAt, replacedAt, deletedAt } =
    generation;
  const line = {
    path,
    owner,
    format,
    session_id: sessionId,
    bytes,
    mode,
    size: stamp.size,
    mtime: stamp.mtime,
    ctime: stamp.ctime,
    inode: stamp.inode,
    started_at: startedAt,
    kept_at: keptAt,
    vanished_at: vanishedAt,
    replaced_at: replacedAt,
    deleted_at: deletedAt,
    pieces: generation.pieces.map(({ hash, size }) => [hash, size]),
  };
  return `${JSON.stringify(line)}\n`;
}

const HASH = /^[0-9a-f]{64}$/;
/** Chunks are not much larger than a megabyte, and rows of a tail smaller. */
const MAX_PIECE_BYTES = 2 * 1024 * 1024;

/** `null` if the line is not one of a generation: people may have changed it. */
export function readGeneration(line: JsonObject): CopiedGeneration | null {
  const text = (name: string) => (typeof line[name] === "string" ? line[name] : null);
  const count = (name: string) => (typeof line[name] === "number" && line[name] >= 0 ? line[name] : null);
  const [path, bytes, mtime, keptAt] = [text("path"), count("bytes"), count("mtime"), count("kept_at")];
  const pieces = piecesIn(line);
  if (path === null || path === "" || bytes === null || mtime === null || keptAt === null || pieces === null)
    return null;
  if (pieces.reduce((sum, { size }) => sum + size, 0) !== bytes) return null;
  return {
    path,
    owner: text("owner"),
    format: text("format"),
    sessionId: text("session_id"),
    stamp: { size: bytes, mtime, ctime: count("ctime") ?? mtime, inode: count("inode") ?? 0 },
    mode: (count("mode") ?? 0o600) & 0o777,
    bytes,
    startedAt: count("started_at") ?? keptAt,
    keptAt,
    vanishedAt: count("vanished_at"),
    replacedAt: count("replaced_at"),
    deletedAt: count("deleted_at"),
    pieces,
  };
}

function piecesIn({ pieces }: JsonObject): Piece[] | null {
  if (!Array.isArray(pieces)) return null;
  const read = pieces.map((piece) => {
    const [hash, size] = Array.isArray(piece) ? piece : [];
    const isPiece = typeof hash === "string" && HASH.test(hash) && Number.isInteger(size);
    return isPiece && Number(size) > 0 && Number(size) <= MAX_PIECE_BYTES ? { hash, size: Number(size) } : null;
  });
  return read.every((piece) => piece !== null) ? read : null;
}

/** The line as an object; `null` if it is none. */
export function parseLine(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
