import type { LibraryEvent } from "../../library.ts";
import type { SessionRecord } from "../../session/record.ts";

/** Listens to a library as a client does that has asked for the list once. */
export class Listener {
  readonly events: LibraryEvent[] = [];
  readonly #records = new Map<string, SessionRecord>();

  readonly onEvent = (event: LibraryEvent): void => {
    this.events.push(event);
    if (event.type !== "records-changed") return;
    for (const path of event.removed) this.#records.delete(path);
    for (const record of [...event.added, ...event.updated]) this.#records.set(record.path, record);
  };

  /** Starts anew from a list. */
  start(list: SessionRecord[]): void {
    this.#records.clear();
    for (const record of list) this.#records.set(record.path, record);
  }

  get list(): SessionRecord[] {
    return byPath([...this.#records.values()]);
  }

  /** All paths of files that were told to have changed, as often as that was told. */
  get changed(): string[] {
    return this.events.flatMap((event) => (event.type === "files-changed" ? event.changed_paths : []));
  }

  get removed(): string[] {
    return this.events.flatMap((event) => (event.type === "files-changed" ? event.removed_paths : []));
  }

  /** Records that were told of, in the order of telling. */
  get told(): SessionRecord[] {
    return this.events.flatMap((event) => (event.type === "records-changed" ? [...event.added, ...event.updated] : []));
  }

  forget(): void {
    this.events.length = 0;
  }
}

export function byPath(records: SessionRecord[]): SessionRecord[] {
  return records.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
