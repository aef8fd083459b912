/**
 * Where a reader of terminal output stands: in text, or in which part of an escape sequence. The states are those of
 * the parser of VT500 terminals by Paul Williams (https://vt100.net/emu/dec_ansi_parser) as xterm.js has them, those
 * joined that differ only in what a sequence means.
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

/** Everything that leaves text: ESC, and DCS, SOS, CSI, OSC, PM and APC as single characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const INTRODUCER = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;

/** Reads on in output that comes in pieces, and knows where in it no escape sequence and no character is cut. */
export class SequenceScanner {
  #state: SequenceState = "text";

  get state(): SequenceState {
    return this.#state;
  }

  /**
   * Reads the next piece. Returns up to where it can be cut: its length, or where the sequence or the pair of surrogates
   * begins that it leaves open; -1 where that began before the piece.
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

/** Where the sequence ends that a piece begins in the middle of: 0 for text, its length where it does not end in it. */
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
  // Its second half says what becomes of the pair.
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
  // ESC and one of these stand for the single characters of C1, 0x40 higher.
  return code >= 0x50 && code < 0x60 ? stateAfterC1(code + 0x40) : "text";
}

/** Strings that mean nothing are read like those that do. */
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
