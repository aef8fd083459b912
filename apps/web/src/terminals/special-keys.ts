/** Keys that the keyboards of phones do not have. */
export type SpecialKey = "escape" | "tab" | "up" | "down" | "left" | "right";

const ARROWS = { up: "A", down: "B", right: "C", left: "D" } as const;

/** What a key sends. Programs that fill the screen ask for other arrows. */
export function keySequence(key: SpecialKey, hasApplicationCursor: boolean): string {
  if (key === "escape") return "\u001b";
  if (key === "tab") return "\t";
  return `\u001b${hasApplicationCursor ? "O" : "["}${ARROWS[key]}`;
}

/** What a character sends together with Ctrl; the same where nothing is meant by that. */
export function withControl(data: string): string {
  if (data.length !== 1) return data;
  const code = data.toUpperCase().charCodeAt(0);
  if (code >= 0x40 && code <= 0x5f) return String.fromCharCode(code - 0x40);
  return data === " " ? "\0" : data === "?" ? "\u007f" : data;
}

/** Keys with Ctrl and Shift that are the page's; a shell cannot tell them from those without Shift, or does not use them. */
const OWN_CODES: ReadonlySet<string> = new Set(["KeyC", "KeyF", "KeyV", "ArrowUp", "ArrowLeft", "ArrowRight"]);

/** Tells whether a key belongs to the page, although the terminal has the keyboard. */
export function isOwnKey({ ctrlKey, shiftKey, altKey, code }: KeyboardEvent): boolean {
  return ctrlKey && shiftKey && !altKey && OWN_CODES.has(code);
}
