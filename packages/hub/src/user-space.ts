import { setTimeout as delay } from "node:timers/promises";
import type { LibraryEvent } from "@sm/core";
import {
  createDispatcher,
  createExportTickets,
  type Dispatcher,
  type DispatcherOptions,
  type ExportTickets,
  type PreparedExports,
  type SharedProjectService,
} from "@sm/router";
import { createEventBus, type EventBus, type Subscriber, type Subscription } from "@sm/router/events";
import { type Log, publishLibraryEvent } from "@sm/server/parts";
import type { HubLibrary, UserRetention, UserState } from "@sm/store-postgres";
import { ABSENT_SERVICES } from "./absent-services.ts";
import { LaterSubscription } from "./later-subscription.ts";

export interface UserSpaceOptions {
  library: HubLibrary;
  state: UserState;
  retention: UserRetention;
  preparedExports: PreparedExports;
  sharedProjects: SharedProjectService;
  version: string;
  log: Log;
  commands: DispatcherOptions;
  onDelivered: (seconds: number) => void;
}

/** Events of one change: all servers number them by the change, so that whoever was cut off goes on at another one. */
const NUMBERS_PER_CHANGE = 1_000;
/** Changes from before a space was opened that are told to whoever was cut off from another server. */
const EARLIER_CHANGES = 200;
const PAUSE_AFTER_ERROR_MS = 1_000;

/** What one user has on a hub, in this process: nothing of it is needed by another. */
export class UserSpace {
  readonly library: HubLibrary;
  readonly dispatcher: Dispatcher;
  readonly exportTickets: ExportTickets;
  readonly #log: Log;
  readonly #onDelivered: UserSpaceOptions["onDelivered"];
  readonly #version: string;
  /** Begins with some of the changes from before; made when the last one is known. */
  #bus: Promise<EventBus> | null = null;
  /** Number of the last change that was told. */
  #last = 0;
  #following: Promise<void> = Promise.resolve();
  #isFollowDue = false;
  /** Ids of the projects that others share with the user; `null`: not known yet. */
  #shared: ReadonlySet<string> | null = null;
  /** Whether something may have happened in them that is not told. */
  #isSharedDue = true;

  constructor(options: UserSpaceOptions) {
    const { library, state, preparedExports, retention, version, log, commands, onDelivered } = options;
    this.library = library;
    this.#log = log;
    this.#version = version;
    this.#onDelivered = onDelivered;
    this.exportTickets = createExportTickets(library, preparedExports);
    const services = {
      ...ABSENT_SERVICES,
      sessions: library,
      tags: library.tags,
      tokens: state.tokens,
      exportTickets: this.exportTickets,
      sharedProjects: options.sharedProjects,
      retention,
    };
    this.dispatcher = createDispatcher(services, commands);
  }

  subscribe(subscriber: Subscriber): Subscription {
    return new LaterSubscription(this.#opened().then((bus) => () => bus.subscribe(subscriber)));
  }

  /** Tells of the changes that have come since the last time, if anybody has ever asked. */
  follow(): void {
    // One that waits sees all that has come until it begins.
    if (this.#bus === null || this.#isFollowDue) return;
    this.#isFollowDue = true;
    this.#following = this.#following.then(() => {
      this.#isFollowDue = false;
      return this.#tell();
    });
  }

  /** The same where something has happened in a shared project; `null`: what is shared with whom may be another. */
  followShared(projectId: string | null): void {
    if (projectId !== null && this.#shared?.has(projectId) === false) return;
    this.#isSharedDue = true;
    this.follow();
  }

  #opened(): Promise<EventBus> {
    this.#bus ??= this.#open();
    return this.#bus;
  }

  /** Whoever subscribes waits for the database, too. */
  async #open(): Promise<EventBus> {
    for (;;) {
      try {
        return await this.#begin();
      } catch (error) {
        this.#log.warn({ err: error }, "Could not read what has changed before; trying again.");
        await delay(PAUSE_AFTER_ERROR_MS, undefined, { ref: false });
      }
    }
  }

  async #begin(): Promise<EventBus> {
    await this.#noteShared();
    const from = Math.max(0, (await this.library.lastChange()) - EARLIER_CHANGES);
    const { events, last } = await this.library.eventsAfter(from);
    // Some of them may be known no more.
    const isWhole = events.every(({ type }) => type !== "changes-lost");
    const bus = createEventBus({
      version: this.#version,
      kind: "hub",
      onDelivered: this.#onDelivered,
      startsAfter: (isWhole ? from : last) * NUMBERS_PER_CHANGE,
    });
    if (isWhole) publishAll(events, bus, last);
    this.#last = last;
    return bus;
  }

  /** What others have done in shared projects becomes a change of the user's own. */
  async #noteShared(): Promise<void> {
    if (!this.#isSharedDue) return;
    this.#isSharedDue = false;
    try {
      this.#shared = await this.library.noteSharedChanges();
    } catch (error) {
      this.#isSharedDue = true;
      throw error;
    }
  }

  async #tell(): Promise<void> {
    try {
      if (this.#bus !== null) await this.#tellOn(await this.#bus);
    } catch (error) {
      this.#log.warn({ err: error }, "Could not read what has changed; it is read with the next change.");
    }
  }

  async #tellOn(bus: EventBus): Promise<void> {
    await this.#noteShared();
    const { events, last } = await this.library.eventsAfter(this.#last);
    this.#last = last;
    publishAll(events, bus, last);
  }
}

function publishAll(events: readonly LibraryEvent[], bus: EventBus, last: number): void {
  for (const event of events) publishLibraryEvent(event, bus, last * NUMBERS_PER_CHANGE);
}
