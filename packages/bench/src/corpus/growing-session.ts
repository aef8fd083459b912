import { appendFileSync, closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

const ENTRY_BYTES = 8_000;
const FILLER = "more of the same. ";

/** A session that an agent is writing: all its entries are messages of the user, one after the other. */
export class GrowingSession {
  readonly path: string;
  #messages = 0;

  /** Writes a new session of at least so many bytes. */
  constructor(directory: string, id: string, bytes: number) {
    this.path = join(directory, `${id}.jsonl`);
    const file = openSync(this.path, "wx");
    const header = { type: "session", version: 3, id, timestamp: new Date().toISOString(), cwd: "/home/user/project" };
    let written = writeSync(file, `${JSON.stringify(header)}\n`);
    const filler = FILLER.repeat(ENTRY_BYTES / FILLER.length);
    while (written < bytes) written += writeSync(file, this.#nextLine(`Message ${this.#messages} says ${filler}`));
    closeSync(file);
  }

  /** Messages so far. */
  get messages(): number {
    return this.#messages;
  }

  /** Appends one message, as the agent does: one line in one write. @returns its bytes. */
  append(text: string): number {
    const line = this.#nextLine(text);
    appendFileSync(this.path, line);
    return Buffer.byteLength(line);
  }

  #nextLine(content: string): string {
    const place = this.#messages++;
    const entry = {
      type: "message",
      id: `m${place}`,
      parentId: place === 0 ? null : `m${place - 1}`,
      timestamp: new Date().toISOString(),
      message: { role: "user", content },
    };
    return `${JSON.stringify(entry)}\n`;
  }
}
