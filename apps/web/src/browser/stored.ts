const PREFIX = "session-manager.";

/** The key of a preference in `localStorage`. */
export function storedKey(name: string): string {
  return PREFIX + name;
}

/**
 * What this browser remembers as a preference; `null` where it remembers nothing. May be from another version, or edited.
 *
 * @throws without storage, and where it is not JSON.
 */
export function readStored(name: string): unknown {
  return JSON.parse(localStorage.getItem(storedKey(name)) ?? "null");
}
