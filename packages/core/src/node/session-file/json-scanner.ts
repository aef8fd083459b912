import { KEY_NAMES, type ScannedLine, TOKEN_NUMBERS } from "../../format/scanned-line.ts";
import { CODE } from "./json-code.ts";

/** What `assembly/json.ts` exports. Its memory never grows. */
interface Json {
  memory: WebAssembly.Memory;
  addressOfBuffer(): number;
  addressOfTokens(): number;
  addressOfName(): number;
  addName(length: number, name: number): void;
  scan(start: number): number;
  count(): number;
}

/** As the program has them. */
const BUFFER_BYTES = 1 << 20;
const MOST_TOKENS = 20_000;

const LF = 0x0a;

let compiled: WebAssembly.Module | null = null;

/**
 * Walks lines of JSON without decoding them, in WebAssembly: ten times as fast as they are parsed. A line that it accepts
 * is valid and an object; one that it does not accept may be so too, and is to be parsed.
 */
export class JsonScanner implements ScannedLine {
  /** Lines are read into it, each with its LF. */
  readonly bytes: Buffer;
  readonly tokens: Int32Array;
  readonly #json: Json;

  constructor() {
    compiled ??= new WebAssembly.Module(Buffer.from(CODE, "base64"));
    // The program exports this.
    this.#json = new WebAssembly.Instance(compiled).exports as unknown as Json;
    const { buffer } = this.#json.memory;
    this.bytes = Buffer.from(buffer, this.#json.addressOfBuffer(), BUFFER_BYTES);
    this.tokens = new Int32Array(buffer, this.#json.addressOfTokens(), MOST_TOKENS * TOKEN_NUMBERS);
    const written = Buffer.from(buffer, this.#json.addressOfName());
    for (const [place, name] of KEY_NAMES.entries()) this.#json.addName(written.write(name), place + 1);
  }

  get count(): number {
    return this.#json.count();
  }

  /** Walks the line at a place of `bytes`. Returns the place behind its LF, -1 where the line is to be parsed. */
  scanAt(start: number): number {
    return this.#json.scan(start);
  }

  /** Walks a line, without its LF, that lies elsewhere; `null` where it is to be parsed. */
  scan(line: Uint8Array): ScannedLine | null {
    if (line.length >= BUFFER_BYTES) return null;
    this.bytes.set(line);
    this.bytes[line.length] = LF;
    return this.scanAt(0) === line.length + 1 ? this : null;
  }

  ascii(start: number, end: number): string {
    return this.bytes.toString("latin1", start, end);
  }

  text(start: number, end: number): string {
    return this.bytes.toString("utf8", start, end);
  }
}
