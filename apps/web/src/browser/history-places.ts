import { useRouterState } from "@tanstack/react-router";

const STORED = "session-manager.places";

/** As many as anybody goes back. */
const MOST = 200;

const places = load();

/** What tells one entry of the browser's history from another; the same after a reload. */
export function useHistoryKey(): string {
  return useRouterState({ select: ({ location }) => location.state.__TSR_key ?? "" });
}

/** Where something was scrolled to when an entry of the history was left: whoever comes back sees what was seen. */
export function placeAt(what: string, key: string): unknown {
  return places.get(`${what} ${key}`);
}

/** Remembers a place as long as the tab is open. */
export function keepPlace(what: string, key: string, place: unknown): void {
  const name = `${what} ${key}`;
  places.delete(name);
  places.set(name, place);
  const [oldest] = places.keys();
  if (places.size > MOST && oldest !== undefined) places.delete(oldest);
}

function load(): Map<string, unknown> {
  globalThis.addEventListener?.("pagehide", () => {
    try {
      sessionStorage.setItem(STORED, JSON.stringify([...places]));
    } catch {
      // Without storage, or with a full one, places are those of this page.
    }
  });
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? "[]");
    return new Map(Array.isArray(stored) ? stored.filter(isPlace) : []);
  } catch {
    return new Map();
  }
}

function isPlace(stored: unknown): stored is [string, unknown] {
  return Array.isArray(stored) && stored.length === 2 && typeof stored[0] === "string";
}
