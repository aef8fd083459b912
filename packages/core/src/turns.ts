import { AppError } from "./errors.ts";
import type { Requester } from "./requester.ts";

const RETRY_AFTER_MS = 1_000;

interface Client<Task> {
  size: number;
  /** By connection, the one whose turn is next first; none is empty. */
  connections: Map<string, Set<Task>>;
}

/**
 * Tasks that wait. Clients take turns, of each client its connections do, and of each connection the first task is the
 * first. All steps take the same time however many wait.
 */
export class Turns<Task> {
  readonly #mostOfClient: number;
  /** The one whose turn is next first; none is empty. */
  readonly #clients = new Map<string, Client<Task>>();
  readonly #places = new Map<Task, { client: string; connection: string }>();

  /** @param mostOfClient tasks of a client that may wait, see `hasRoom`. */
  constructor(mostOfClient: number) {
    this.#mostOfClient = mostOfClient;
  }

  get size(): number {
    return this.#places.size;
  }

  /**
   * Whether another task may wait. Where the client has as many as it may, a connection that has less than its share of
   * them has room all the same: one that floods takes the room from itself.
   */
  hasRoom({ client = "", connection = "" }: Requester): boolean {
    const known = this.#clients.get(client);
    if (known === undefined || known.size < this.#mostOfClient) return true;
    const own = known.connections.get(connection);
    const share = this.#mostOfClient / (known.connections.size + (own === undefined ? 1 : 0));
    return (own?.size ?? 0) < share;
  }

  /** Has a task wait, whether there is room or not. */
  add(task: Task, { client = "", connection = "" }: Requester): void {
    const known = this.#clients.get(client) ?? { size: 0, connections: new Map() };
    const own = known.connections.get(connection) ?? new Set();
    this.#clients.set(client, known);
    known.connections.set(connection, own.add(task));
    known.size += 1;
    this.#places.set(task, { client, connection });
  }

  /** Takes the task whose turn it is. */
  next(): Task | null {
    const [first] = this.#clients.values();
    const task = first === undefined ? undefined : firstOf(first);
    if (task === undefined) return null;
    this.take(task);
    return task;
  }

  /** Lists the next task of each client, the one whose turn it is first. */
  heads(): Task[] {
    return [...this.#clients.values()].map(firstOf).filter((task) => task !== undefined);
  }

  /** Takes the next task of a client: the client's and the connection's turns come again after those of the others. */
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

/** Makes the error for a client that has no room for another task. */
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
