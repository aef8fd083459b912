import { randomUUID } from "node:crypto";
import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionWithFile } from "@sm/core/sending";
import { rareWord } from "../corpus/rare-word.ts";

/** More than a session gets in a run of an hour. */
const LINES_PER_SESSION = 4_000;
/** In each line of every session. */
export const EVERY_LINE = rareWord("agent", 1);
/** So much of a session stays when it is rewritten. */
const KEPT_SHARE = 1 / 2;
const FILLER = "the tide comes in and the tide goes out again. ";

/** A session each line of which has a word that is in no other one. */
export class MarkedSession {
  readonly path: string;
  readonly #id = randomUUID();
  readonly #number: number;
  #lines: { mark: string; text: string }[] = [];
  #count = 0;
  readonly #gone: string[] = [];

  /** @param number other than that of all other sessions of a run. */
  constructor(directory: string, number: number) {
    this.path = join(directory, `${number}.jsonl`);
    this.#number = number;
    writeFileSync(this.path, this.#header);
  }

  /** Words that are to be found, each in one line. */
  get marks(): string[] {
    return this.#lines.map(({ mark }) => mark);
  }

  /** Words that were in it once. */
  get gone(): readonly string[] {
    return this.#gone;
  }

  get isFull(): boolean {
    return this.#count === LINES_PER_SESSION;
  }

  /** What an outbox asks of it. */
  get file(): SessionWithFile {
    const { size, mtimeMs, ctimeMs, ino } = statSync(this.path);
    const stamp = { size, mtime: mtimeMs, ctime: ctimeMs, inode: ino };
    return { path: this.path, format: "pi", id: this.#id, project: "/code/tides", stamp };
  }

  append(): void {
    const place = this.#count++;
    const mark = rareWord("line", this.#number * LINES_PER_SESSION + place);
    const content = `${EVERY_LINE} ${mark} ${FILLER.repeat(1 + (place % 20))}`;
    const entry = {
      ...{ type: "message", id: `m${place}`, parentId: this.#lines.length === 0 ? null : `m${place - 1}` },
      timestamp: new Date().toISOString(),
      message: { role: "user", content },
    };
    const text = `${JSON.stringify(entry)}\n`;
    this.#lines.push({ mark, text });
    appendFileSync(this.path, text);
  }

  /** Writes the file anew with the second half of its lines, as an agent does that forgets the beginning. */
  rewrite(): void {
    const gone = this.#lines.splice(0, Math.floor(this.#lines.length * KEPT_SHARE));
    this.#gone.push(...gone.map(({ mark }) => mark));
    writeFileSync(this.path, this.#header + this.#lines.map(({ text }) => text).join(""));
  }

  get #header(): string {
    const timestamp = "2026-01-01T00:00:00.000Z";
    return `${JSON.stringify({ type: "session", version: 3, id: this.#id, timestamp, cwd: "/code/tides" })}\n`;
  }
}
