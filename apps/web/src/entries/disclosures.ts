import { useSyncExternalStore } from "react";

/** What opens and closes: thinking, tool calls, runs of them, and what is of interest to few. */
export type DisclosureKind = "thinking" | "tools" | "runs" | "asides";

/** Which parts of a transcript are open. It outlives their elements, which come and go as one scrolls. */
export class Disclosures {
  readonly #all: Record<DisclosureKind, boolean> = { thinking: false, tools: false, runs: false, asides: false };
  readonly #own = new Map<string, boolean>();
  readonly #listeners = new Set<() => void>();
  readonly #onUse: () => void;

  /** @param onUse called before the user opens or closes something. */
  constructor(onUse: () => void = () => {}) {
    this.#onUse = onUse;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  isOpen(kind: DisclosureKind, id: string): boolean {
    return this.#own.get(`${kind} ${id}`) ?? this.#all[kind];
  }

  isAnyOpen(kind: DisclosureKind, ids: readonly string[]): boolean {
    return ids.some((id) => this.isOpen(kind, id));
  }

  /** Opens or closes several at once. */
  setEach(kind: DisclosureKind, ids: readonly string[], isOpen: boolean): void {
    for (const id of ids) this.#own.set(`${kind} ${id}`, isOpen);
    this.#changed();
  }

  /** Whether all of a kind are open, but those closed by hand. */
  areOpen(kind: DisclosureKind): boolean {
    return this.#all[kind];
  }

  set(kind: DisclosureKind, id: string, isOpen: boolean): void {
    if (this.isOpen(kind, id) === isOpen) return;
    this.#own.set(`${kind} ${id}`, isOpen);
    this.#changed();
  }

  setAll(kind: DisclosureKind, isOpen: boolean): void {
    this.#all[kind] = isOpen;
    for (const key of [...this.#own.keys()]) if (key.startsWith(`${kind} `)) this.#own.delete(key);
    this.#changed();
  }

  #changed(): void {
    this.#onUse();
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Follows whether one part is open. */
export function useIsOpen(disclosures: Disclosures, kind: DisclosureKind, id: string): boolean {
  return useSyncExternalStore(disclosures.subscribe, () => disclosures.isOpen(kind, id));
}

/** Follows whether one of several parts is open, which open together. */
export function useIsAnyOpen(disclosures: Disclosures, kind: DisclosureKind, ids: readonly string[]): boolean {
  return useSyncExternalStore(disclosures.subscribe, () => disclosures.isAnyOpen(kind, ids));
}
