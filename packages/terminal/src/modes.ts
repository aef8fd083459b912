/**
 * Modes (DEC private mode numbers) that programs assume until they change them, with their initial values: application
 * keys, line wrapping, mouse, cursor, focus, alternate screen and bracketed paste. Colors are not included: programs
 * set them all the time.
 */
const FIRST_MODES: ReadonlyMap<number, boolean> = new Map([
  [1, false],
  [7, true],
  [9, false],
  [25, true],
  [47, false],
  [66, false],
  [1000, false],
  [1002, false],
  [1003, false],
  [1004, false],
  [1006, false],
  [1015, false],
  [1016, false],
  [1047, false],
  [1049, false],
  [2004, false],
]);

/** ESC = and ESC > are other names of mode 66. ESC c resets everything. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const CHANGE = /\x1b([c=>])|(?:\x1b\[|\x9b)\?([\d;]+)([hl])/g;

/** Tracks the modes that a program's output has changed. */
export class TerminalModes {
  /** In order of the changes. */
  readonly #changed = new Map<number, boolean>();

  /** Reads a piece of output. Sequences split across pieces are missed. */
  read(text: string): void {
    for (const [, single, numbers, final] of text.matchAll(CHANGE)) {
      if (single === "c") this.#changed.clear();
      else if (single !== undefined) this.#set(66, single === "=");
      else for (const number of (numbers ?? "").split(";")) this.#set(Number(number), final === "h");
    }
  }

  #set(mode: number, isOn: boolean): void {
    const atFirst = FIRST_MODES.get(mode);
    if (atFirst === undefined) return;
    this.#changed.delete(mode);
    if (isOn !== atFirst) this.#changed.set(mode, isOn);
  }

  /** Sequences that set these modes in a new terminal. */
  get sequences(): string {
    return [...this.#changed].map(([mode, isOn]) => `\x1b[?${mode}${isOn ? "h" : "l"}`).join("");
  }
}
