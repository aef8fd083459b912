import { useSyncExternalStore } from "react";
import { readStored, storedKey } from "./stored.ts";

/** Something that this browser remembers: not the state of a screen, which is in the URL. */
export interface Preference<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Creates a preference stored in `localStorage` and synchronized across tabs.
 *
 * @param read parses the stored value, which may be from another version or edited.
 */
export function createPreference<Value>(
  name: string,
  fallback: Value,
  read: (stored: unknown) => Value,
): Preference<Value> {
  const key = storedKey(name);
  const listeners = new Set<() => void>();
  let value = load();
  // For ever, as preferences are: another tab may change one that no component shows.
  globalThis.addEventListener?.("storage", onStorage);

  return {
    get: () => value,
    set(next) {
      value = next;
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Without storage, or with a full one, it holds until the page is closed.
      }
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  function load(): Value {
    try {
      const stored = readStored(name);
      return stored === null ? fallback : read(stored);
    } catch {
      return fallback;
    }
  }

  function onStorage(event: StorageEvent): void {
    if (event.key !== key && event.key !== null) return;
    value = load();
    tell();
  }

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }
}

/** Reads a preference in a component. */
export function usePreference<Value>(preference: Preference<Value>): Value {
  return useSyncExternalStore(preference.subscribe, preference.get);
}
