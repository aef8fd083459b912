import { cut, PROGRAM_STATES, PROMPT_KINDS, type ProgramStatus } from "@sm/core";

/** A status as a program reports it. */
export type StatusReport = Omit<ProgramStatus, "since" | "process_group">;

/** What a terminal's output says about the status of its program. */
export type StatusSignal =
  | { type: "report"; report: StatusReport }
  /** The program has no status any more. */
  | { type: "clear" }
  /** The program asks whether somebody reads its reports. */
  | { type: "query" }
  /** A shell shows its prompt (OSC 133 A): nothing runs. */
  | { type: "prompt" };

/** Answer to a query; it is the query itself. */
export const QUERY_REPLY = "\x1b]7501;?\x1b\\";

/** Of a whole sequence, in UTF-16 units; longer reports are ignored. */
const MAX_SEQUENCE = 4_096;
/** Of a text that is kept. */
const MAX_TEXT = 200;

const PREFIX = "7501;";
/** ESC, and OSC as a single character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const BEGINNING = /[\x1b\x9d]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that end or spoil a sequence
const CONTROL = /[\x00-\x1f\x7f-\x9f]/g;
const APP = /^[A-Za-z0-9_.+-]{1,32}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Characters that change the direction of the text around them, or are invisible. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced
const CONTROLS_AND_SPACE = /[\x00-\x20\x7f-\x9f\s]+/g;

/**
 * Reads the reports of the Program Status Protocol (OSC 7501) in a terminal's output, which comes in pieces. The output
 * may be anything: a file that is printed, or a program that means harm. Reports about parts of a program (`id`) are
 * ignored.
 */
export class StatusReader {
  #state: "text" | "escape" | "string" | "string escape" = "text";
  /** Content of the sequence so far. */
  #content = "";
  #isSpoiled = false;

  read(text: string): StatusSignal[] {
    const signals: StatusSignal[] = [];
    let at = 0;
    while (at < text.length) {
      if (this.#state === "text") at = this.#skipText(text, at);
      else if (this.#state === "string") at = this.#readString(text, at, signals);
      else at = this.#readEscape(text, at, signals);
    }
    return signals;
  }

  #skipText(text: string, from: number): number {
    const at = next(BEGINNING, text, from);
    if (at < text.length) this.#begin(text.charCodeAt(at));
    return at + 1;
  }

  #begin(code: number): void {
    this.#state = code === 0x1b ? "escape" : code === 0x9d ? "string" : "text";
    this.#content = "";
    this.#isSpoiled = false;
  }

  /** Reads the character after ESC, in a string or not. */
  #readEscape(text: string, at: number, signals: StatusSignal[]): number {
    const code = text.charCodeAt(at);
    if (code === 0x5c && this.#state === "string escape") this.#end(signals);
    else if (code === 0x5d) this.#begin(0x9d);
    else if (code === 0x1b || code === 0x9d) this.#begin(code);
    else if (code === 0x63) {
      this.#state = "text";
      signals.push({ type: "clear" });
    } else if (code >= 0x20 && code !== 0x7f) this.#state = "text";
    else if (code === 0x18 || code === 0x1a) this.#state = "text";
    // Terminals carry out other control characters, and go on with the sequence.
    else this.#state = "escape";
    return at + 1;
  }

  #readString(text: string, from: number, signals: StatusSignal[]): number {
    const at = next(CONTROL, text, from);
    this.#append(text, from, at);
    if (at === text.length) return at;
    const code = text.charCodeAt(at);
    if (code === 0x07 || code === 0x9c) this.#end(signals);
    else if (code === 0x1b) this.#state = "string escape";
    else if (code === 0x18 || code === 0x1a || code >= 0x80) this.#begin(code);
    else this.#isSpoiled = true;
    return at + 1;
  }

  #append(text: string, from: number, to: number): void {
    if (this.#isSpoiled) return;
    if (this.#content.length + to - from > MAX_SEQUENCE) {
      this.#isSpoiled = true;
      this.#content = "";
    } else this.#content += text.slice(from, to);
  }

  #end(signals: StatusSignal[]): void {
    const signal = this.#isSpoiled ? null : signalIn(this.#content);
    if (signal !== null) signals.push(signal);
    this.#begin(0);
  }
}

function next(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function signalIn(content: string): StatusSignal | null {
  if (/^133;A(;|$)/.test(content)) return { type: "prompt" };
  if (!content.startsWith(PREFIX)) return null;
  const body = content.slice(PREFIX.length);
  return body.startsWith("?") ? { type: "query" } : reportIn(body);
}

/** Reads `state=working:app=pi:msg=…`; `null` for what cannot be read as a whole. */
function reportIn(body: string): StatusSignal | null {
  const fields = new Map(
    body.split(":").map((field) => {
      const end = field.indexOf("=");
      return end < 0 ? [field, ""] : [field.slice(0, end), field.slice(end + 1)];
    }),
  );
  if (fields.has("id")) return null;
  const state = fields.get("state");
  if (state === "clear") return { type: "clear" };
  const known = PROGRAM_STATES.find((one) => one === state);
  const title = textIn(fields.get("title"));
  const message = textIn(fields.get("msg"));
  if (known === undefined || title === undefined || message === undefined) return null;
  const app = fields.get("app") ?? "";
  const kind = PROMPT_KINDS.find((one) => one === fields.get("kind")) ?? null;
  const progress = fields.get("progress") ?? "";
  return {
    type: "report",
    report: {
      state: known,
      app: APP.test(app) ? app : null,
      kind: known === "blocked" ? kind : null,
      title,
      message,
      progress: /^\d{1,3}$/.test(progress) && Number(progress) <= 100 ? Number(progress) : null,
    },
  };
}

/** Decodes a text; `undefined` if that is impossible. */
function textIn(encoded: string | undefined): string | null | undefined {
  if (encoded === undefined) return null;
  if (!BASE64.test(encoded)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, "base64"));
    const visible = text.replace(INVISIBLE, "").replace(CONTROLS_AND_SPACE, " ").trim();
    return cut(visible, MAX_TEXT) || null;
  } catch {
    return undefined;
  }
}
