import { isLoopback } from "./address.ts";

/** What is known about the peer of a connection, besides its address. */
export interface RemoteEnd {
  /** Accepted on a UNIX socket, which has no addresses and which only the service's account can open. */
  isUnixSocket: boolean;
  /** Why the peer does not count as the service's own account, with the remedy; `null` if it does. */
  doubt: string | null;
}

/** The properties of a TCP connection that are needed here; a subset of Node's `Socket`. */
export interface TcpSocket {
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
  localAddress?: string | undefined;
  localPort?: number | undefined;
}

/**
 * Looks up the account at the other end of a local connection. Returns the `doubt` of a `RemoteEnd`, synchronously if
 * possible.
 */
export type AccountLookup = (socket: TcpSocket) => string | null | Promise<string | null>;

const OWN: RemoteEnd = { isUnixSocket: false, doubt: null };
const UNIX: RemoteEnd = { isUnixSocket: true, doubt: null };
const NOT_MET: RemoteEnd = { isUnixSocket: false, doubt: "The client's account was not looked up." };

/** Looks up the peer of every connection once and keeps the result. */
export class RemoteEnds {
  readonly #lookUp: AccountLookup | undefined;
  readonly #met = new WeakMap<object, RemoteEnd | Promise<void>>();

  /** Without `lookUp`, every local account counts as the service's own. */
  constructor(lookUp: AccountLookup | undefined) {
    this.#lookUp = lookUp;
  }

  /**
   * Registers a TCP connection. Returns a promise to await before its first request, `null` if the result is already
   * known.
   */
  registerConnection(socket: TcpSocket): Promise<void> | null {
    const met = this.#met.get(socket);
    if (met !== undefined) return met instanceof Promise ? met : null;
    const { remoteAddress } = socket;
    // Remote connections need no lookup: they are never local.
    if (this.#lookUp === undefined || remoteAddress === undefined || !isLoopback(remoteAddress)) return null;
    const doubt = this.#lookUp(socket);
    if (!(doubt instanceof Promise)) {
      this.#know(socket, doubt);
      return null;
    }
    const known = doubt.then((found) => this.#know(socket, found));
    this.#met.set(socket, known);
    return known;
  }

  /** Registers a connection of the service's UNIX socket. */
  registerUnixSocket(socket: object): void {
    this.#met.set(socket, UNIX);
  }

  /** What is known so far. */
  of(socket: TcpSocket): RemoteEnd {
    const met = this.#met.get(socket);
    if (met !== undefined && !(met instanceof Promise)) return met;
    return this.#lookUp === undefined ? OWN : NOT_MET;
  }

  #know(socket: object, doubt: string | null): void {
    this.#met.set(socket, { isUnixSocket: false, doubt });
  }
}
