/**
 * Characters that a terminal interprets or hides: control characters (including escape sequences), bidirectional marks,
 * other invisible characters, and lone surrogates. The two joiners and variation selectors are kept, because emoji and
 * some scripts need them and they have no other effect.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\p{Join_Control}|[\ufe00-\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Escapes a single-line text for a terminal: each invisible character becomes a visible symbol. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, mark);
}

/** Escapes a text for a terminal; line breaks and tabs are kept. */
export function visibleLines(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(INVISIBLE, (character) => (character === "\n" || character === "\t" ? character : mark(character)));
}

/** JSON that is safe for a terminal and has the same value; one line without an indent. */
export function visibleJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(INVISIBLE, (character) =>
    character === "\n"
      ? character
      : Array.from({ length: character.length }, (_, at) => jsonEscape(character, at)).join(""),
  );
}

function mark(character: string): string {
  const code = character.charCodeAt(0);
  // Unicode has symbols for the C0 control characters: ␛ for ESC.
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

function jsonEscape(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
}
