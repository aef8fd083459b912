import {
  createDispatcher,
  createExportTickets,
  type Dispatcher,
  type DispatcherOptions,
  type ExportTickets,
} from "@sm/router";
import { createEventBus, type EventBus } from "@sm/router/events";
import { type Log, publishLibraryEvent } from "@sm/server/parts";
import type { HubLibrary, UserState } from "@sm/store-postgres";
import { ABSENT_SERVICES } from "./absent-services.ts";

export interface UserSpaceOptions {
  library: HubLibrary;
  state: UserState;
  version: string;
  log: Log;
  commands: DispatcherOptions;
  onDelivered: (seconds: number) => void;
}

/** What one user has on a hub, in this process: nothing of it is needed by another. */
export class UserSpace {
  readonly library: HubLibrary;
  readonly dispatcher: Dispatcher;
  readonly bus: EventBus;
  readonly exportTickets: ExportTickets;
  readonly #log: Log;
  /** Number of the last change that was told; `null` until it is known where the space began. */
  #last: number | null = null;
  #following: Promise<void> = Promise.resolve();
  #isFollowDue = false;

  constructor({ library, state, version, log, commands, onDelivered }: UserSpaceOptions) {
    this.library = library;
    this.#log = log;
    this.bus = createEventBus({ version, onDelivered });
    this.exportTickets = createExportTickets(library);
    const services = {
      ...ABSENT_SERVICES,
      sessions: library,
      tags: library.tags,
      tokens: state.tokens,
      exportTickets: this.exportTickets,
    };
    this.dispatcher = createDispatcher(services, commands);
    this.follow();
  }

  /** Tells of the changes that have come since the last time. */
  follow(): void {
    // One that waits sees all that has come until it begins.
    if (this.#isFollowDue) return;
    this.#isFollowDue = true;
    this.#following = this.#following.then(() => {
      this.#isFollowDue = false;
      return this.#tell();
    });
  }

  async #tell(): Promise<void> {
    try {
      if (this.#last === null) {
        this.#last = await this.library.lastChange();
        // Who came before knows a state that nobody can tell.
        if (this.bus.hasSubscribers) this.bus.markLost();
        return;
      }
      const { events, last } = await this.library.eventsAfter(this.#last);
      this.#last = last;
      for (const event of events) publishLibraryEvent(event, this.bus);
    } catch (error) {
      this.#log.warn({ err: error }, "Could not read what has changed; it is read with the next change.");
    }
  }
}
