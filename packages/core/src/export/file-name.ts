/** UTF-8 bytes of a name without extension: file systems allow 255, encrypting ones 143. */
const NAME_BYTES = 120;

/** Reserved device names of Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

/**
 * Creates a portable file name from a title: keeps letters of all scripts; spaces, separators and special characters
 * become `-`. `extension` without its dot.
 */
export function exportFileName(title: string, extension: string): string {
  const safe = title
    .normalize("NFC")
    // Format characters (including bidirectional marks), lone surrogates, private and unassigned characters.
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]+/gu, "")
    .replace(/[-\p{Cc}\p{Z}<>:"/\\|?*]+/gu, "-")
    .replace(/^[-.]+/, "");
  const name = cutToBytes(safe, NAME_BYTES).replace(/[-.]+$/, "");
  if (name === "") return `session.${extension}`;
  return `${RESERVED.test(name) ? `session-${name}` : name}.${extension}`;
}

function cutToBytes(text: string, limit: number): string {
  let end = 0;
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes > limit) break;
    end += character.length;
  }
  return text.slice(0, end);
}
