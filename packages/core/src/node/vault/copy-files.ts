import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileError } from "../files/file-errors.ts";

const READ_BYTES = 1024 * 1024;
const LF = 0x0a;

/** A file that is seen when it is whole. */
export class NewFile {
  readonly #path: string;
  readonly #temporary: string;
  readonly #descriptor: number;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#path = path;
    this.#temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
    this.#descriptor = openSync(this.#temporary, "wx", 0o600);
  }

  write(content: Uint8Array | string): void {
    writeFileSync(this.#descriptor, content);
  }

  /** Also after a power cut it is whole, or not there. */
  put(): void {
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    renameSync(this.#temporary, this.#path);
  }

  discard(): void {
    closeSync(this.#descriptor);
    rmSync(this.#temporary, { force: true });
  }
}

export function putFile(path: string, content: Uint8Array | string): void {
  const file = new NewFile(path);
  try {
    file.write(content);
  } catch (error) {
    file.discard();
    throw error;
  }
  file.put();
}

/** Lines of a text file, which may be as large as it likes. */
export function* linesOf(path: string): Generator<string, void> {
  const descriptor = openSync(path, "r");
  try {
    let rest: Buffer[] = [];
    for (;;) {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      const count = readSync(descriptor, buffer);
      if (count === 0) break;
      let start = 0;
      for (let end = buffer.indexOf(LF); end >= 0 && end < count; end = buffer.indexOf(LF, start)) {
        yield Buffer.concat([...rest, buffer.subarray(start, end)]).toString();
        rest = [];
        start = end + 1;
      }
      rest.push(buffer.subarray(start, count));
    }
    const last = Buffer.concat(rest);
    if (last.length > 0) yield last.toString();
  } finally {
    closeSync(descriptor);
  }
}

/** @throws AppError for what the file system refuses. */
export function inDirectory<T>(doing: "read" | "write", directory: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw fileError(error, doing, directory) ?? error;
  }
}
