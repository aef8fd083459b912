/** Longer URLs are not linked. */
const MAX_ADDRESS_LENGTH = 2_048;

/** Reads an address that a program has written; `null` for what a click on it may not open. */
export function linkAddress(text: string): string | null {
  if (text.length > MAX_ADDRESS_LENGTH) return null;
  try {
    const { protocol, href } = new URL(text);
    return protocol === "http:" || protocol === "https:" ? href : null;
  } catch {
    return null;
  }
}

/** Opens an address that a program has written, where it is one of the web. */
export function openLink(text: string): void {
  const address = linkAddress(text);
  if (address !== null) window.open(address, "_blank", "noopener,noreferrer");
}
