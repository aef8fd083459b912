/** Controls but tab and line ends, halves of surrogate pairs, and marks that turn the direction of the text after them. */
const MISLEADING = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The same, and what has no width or looks like a line end. The joiners (U+200C, U+200D) and the selectors of a variant
 * stay: emoji and several scripts need them.
 */
const INVISIBLE =
  /(?![\t\n\r\p{Join_Control}]|[\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** Puts visible signs where a text would turn its direction or act on a terminal; lone surrogates become U+FFFD. */
export function visibleText(text: string): string {
  return text.replace(MISLEADING, sign);
}

/** Does what `visibleText` does, and shows also what has no width: for code, names and paths, where it would mislead. */
export function visibleCode(text: string): string {
  return text.replace(INVISIBLE, sign);
}

function sign(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point >= 0xd800 && point <= 0xdfff) return "\ufffd";
  // Unicode has pictures of the controls of ASCII.
  if (point < 0x20) return String.fromCharCode(0x2400 + point);
  if (point === 0x7f) return "\u2421";
  return `⟦U+${point.toString(16).toUpperCase().padStart(4, "0")}⟧`;
}
