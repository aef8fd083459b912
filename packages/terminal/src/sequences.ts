/**
 * Parser state: text, or a part of an escape sequence. The states are those of the VT500 parser by Paul Williams
 * (https://vt100.net/emu/dec_ansi_parser) as in xterm.js; states that differ only in meaning are merged.
 */
export type SequenceState =
  | "text"
  | "escape"
  | "escape intermediate"
  | "csi"
  | "csi parameters"
  | "csi intermediate"
  | "csi ignored"
  | "dcs"
  | "dcs parameters"
  | "dcs intermediate"
  | "dcs string"
  | "osc string"
  | "other string";

/** Characters that leave text: ESC, and DCS, SOS, CSI, OSC, PM and APC as single characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const INTRODUCER = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;

/** Parses output in pieces to find where it can be split without cutting an escape sequence or a character. */
export class SequenceScanner {
  #state: SequenceState = "text";

  get state(): SequenceState {
    return this.#state;
  }

  /**
   * Parses the next piece. Returns where it can be split: its length, or the beginning of an incomplete sequence or
   * surrogate pair; -1 if that began in an earlier piece.
   */
  read(text: string): number {
    let boundary = this.#state === "text" ? 0 : -1;
    let at = 0;
    while (at < text.length) {
      if (this.#state === "text") {
        at = nextIntroducer(text, at);
        boundary = at;
        if (at === text.length) break;
      }
      this.#state = stateAfter(this.#state, text.charCodeAt(at));
      at += 1;
      if (this.#state === "text") boundary = at;
    }
    return boundary === text.length && isHighSurrogate(text.charCodeAt(at - 1)) ? boundary - 1 : boundary;
  }
}

/** End of the sequence in which a piece starts: 0 for text, the piece's length if it does not end in it. */
export function endOfSequence(state: SequenceState, text: string): number {
  let current = state;
  let at = 0;
  while (current !== "text" && at < text.length) {
    current = stateAfter(current, text.charCodeAt(at));
    at += 1;
  }
  return at;
}

function nextIntroducer(text: string, from: number): number {
  INTRODUCER.lastIndex = from;
  return INTRODUCER.exec(text)?.index ?? text.length;
}

function stateAfter(state: SequenceState, code: number): SequenceState {
  if (code === 0x18 || code === 0x1a) return "text";
  if (code === 0x1b) return "escape";
  if (code >= 0x80 && code < 0xa0) return stateAfterC1(code);
  // The low surrogate decides.
  if (isHighSurrogate(code)) return state;
  switch (state) {
    case "text":
      return "text";
    case "escape":
      return code < 0x20 || code === 0x7f ? state : stateAfterEscape(code);
    case "escape intermediate":
      return code < 0x30 || code === 0x7f ? state : "text";
    case "csi":
    case "csi parameters":
      if (code < 0x20 || code === 0x7f) return state;
      if (code < 0x30) return "csi intermediate";
      if (code < 0x3c) return "csi parameters";
      if (code < 0x40) return state === "csi" ? "csi parameters" : "csi ignored";
      return "text";
    case "csi intermediate":
      if (code < 0x30 || code === 0x7f) return state;
      return code < 0x40 ? "csi ignored" : "text";
    case "csi ignored":
      return code >= 0x40 && code < 0x7f ? "text" : state;
    case "dcs":
    case "dcs parameters":
    case "dcs intermediate":
      return stateWithinDcs(state, code);
    case "osc string":
      return code === 0x07 ? "text" : state;
    case "other string":
      return code < 0xa0 ? state : "text";
    case "dcs string":
      return state;
  }
}

function stateAfterC1(code: number): SequenceState {
  switch (code) {
    case 0x90:
      return "dcs";
    case 0x9b:
      return "csi";
    case 0x9d:
      return "osc string";
    case 0x98:
    case 0x9e:
    case 0x9f:
      return "other string";
    default:
      return "text";
  }
}

function stateAfterEscape(code: number): SequenceState {
  if (code < 0x30) return "escape intermediate";
  // ESC and one of these stand for the C1 characters, 0x40 higher.
  return code >= 0x50 && code < 0x60 ? stateAfterC1(code + 0x40) : "text";
}

/** Ignored strings are parsed like others. */
function stateWithinDcs(state: "dcs" | "dcs parameters" | "dcs intermediate", code: number): SequenceState {
  if (code < 0x20 || code === 0x7f) return state;
  if (code < 0x30) return "dcs intermediate";
  if (code < 0x3c) return state === "dcs intermediate" ? "dcs string" : "dcs parameters";
  if (code < 0x40) return state === "dcs" ? "dcs parameters" : "dcs string";
  return code < 0x7f ? "dcs string" : "text";
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
