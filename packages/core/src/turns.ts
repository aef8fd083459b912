import { AppError } from "./errors.ts";
import type { Requester } from "./requester.ts";

const RETRY_AFTER_MS = 1_000;

interface Client<Task> {
  size: number;
  /** By connection, in order of turns; without empty ones. */
  connections: Map<string, Set<Task>>;
}

/**
 * Fair queue: clients take turns, within a client its connections do, and within a connection tasks are first in, first
 * out. All operations take constant time.
 */
export class Turns<Task> {
  readonly #mostOfClient: number;
  /** In order of turns; without empty ones. */
  readonly #clients = new Map<string, Client<Task>>();
  readonly #places = new Map<Task, { client: string; connection: string }>();

  /** @param mostOfClient maximum waiting tasks per client, see `hasRoom`. */
  constructor(mostOfClient: number) {
    this.#mostOfClient = mostOfClient;
  }

  get size(): number {
    return this.#places.size;
  }

  /**
   * Whether another task may wait. If the client is at its limit, connections below their share may still add tasks: a
   * flooding connection only harms itself.
   */
  hasRoom({ client = "", connection = "" }: Requester): boolean {
    const known = this.#clients.get(client);
    if (known === undefined || known.size < this.#mostOfClient) return true;
    const own = known.connections.get(connection);
    const share = this.#mostOfClient / (known.connections.size + (own === undefined ? 1 : 0));
    return (own?.size ?? 0) < share;
  }

  /** Adds a task, regardless of limits. */
  add(task: Task, { client = "", connection = "" }: Requester): void {
    const known = this.#clients.get(client) ?? { size: 0, connections: new Map() };
    const own = known.connections.get(connection) ?? new Set();
    this.#clients.set(client, known);
    known.connections.set(connection, own.add(task));
    known.size += 1;
    this.#places.set(task, { client, connection });
  }

  /** Removes the next task. */
  next(): Task | null {
    const [first] = this.#clients.values();
    const task = first === undefined ? undefined : firstOf(first);
    if (task === undefined) return null;
    this.take(task);
    return task;
  }

  /** Lists the next task of each client, in order of turns. */
  heads(): Task[] {
    return [...this.#clients.values()].map(firstOf).filter((task) => task !== undefined);
  }

  /** Removes the next task of a client: client and connection move to the end of their queues. */
  take(task: Task): void {
    const place = this.#places.get(task);
    if (place === undefined) return;
    this.delete(task);
    const connections = this.#clients.get(place.client)?.connections;
    if (connections !== undefined) moveToEnd(connections, place.connection);
    moveToEnd(this.#clients, place.client);
  }

  /** @returns whether the task was waiting. */
  delete(task: Task): boolean {
    const place = this.#places.get(task);
    if (place === undefined) return false;
    this.#places.delete(task);
    const client = this.#clients.get(place.client);
    const connection = client?.connections.get(place.connection);
    connection?.delete(task);
    if (client === undefined || connection === undefined) return true;
    client.size -= 1;
    if (connection.size === 0) client.connections.delete(place.connection);
    if (client.size === 0) this.#clients.delete(place.client);
    return true;
  }
}

/** The error for a client that is at its limit. */
export function noRoomError(): AppError {
  const message = "Too many requests of this client are waiting; send more after some of them are answered.";
  return new AppError("UNAVAILABLE", message, { details: { retry_after_ms: RETRY_AFTER_MS } });
}

function firstOf<Task>({ connections }: Client<Task>): Task | undefined {
  const [connection] = connections.values();
  const [task] = connection ?? [];
  return task;
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
