/**
 * What a terminal obeys or hides instead of showing it: control characters (escape sequences begin with one), marks
 * that turn the direction of text, other invisible ones, and halves of surrogate pairs. The two joiners and
 * the selectors of a variant stay, because emoji and some scripts are written with them and they do nothing else.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\p{Join_Control}|[\ufe00-\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Makes a text of one line safe for a terminal: what is invisible becomes a visible mark, one for each character. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, mark);
}

/** Makes a text safe for a terminal; line ends and tabs stay what they are. */
export function visibleLines(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(INVISIBLE, (character) => (character === "\n" || character === "\t" ? character : mark(character)));
}

/** Writes a value as JSON that is safe for a terminal, and still the same value; without an indent on one line. */
export function visibleJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(INVISIBLE, (character) =>
    character === "\n"
      ? character
      : Array.from({ length: character.length }, (_, at) => jsonEscape(character, at)).join(""),
  );
}

function mark(character: string): string {
  const code = character.charCodeAt(0);
  // Unicode has pictures of the oldest control characters: ␛ for ESC.
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

function jsonEscape(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
}
