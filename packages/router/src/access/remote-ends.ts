import { isLoopback } from "./address.ts";

/** What is known of the other end of a connection, beside its address. */
export interface RemoteEnd {
  /** Came over a UNIX socket, which has no addresses and which the system opens to the service's account alone. */
  isUnixSocket: boolean;
  /** Why it does not count as the service's own account, as a sentence that says what to change; `null` where it does. */
  doubt: string | null;
}

/** The least that has to be known of a TCP connection. Node's sockets are such. */
export interface TcpSocket {
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
  localAddress?: string | undefined;
  localPort?: number | undefined;
}

/**
 * Looks up which account holds the other end of a connection from this machine. Gives the `doubt` of a `RemoteEnd`, at once
 * where that is quick.
 */
export type AccountLookup = (socket: TcpSocket) => string | null | Promise<string | null>;

const OWN: RemoteEnd = { isUnixSocket: false, doubt: null };
const UNIX: RemoteEnd = { isUnixSocket: true, doubt: null };
const NOT_MET: RemoteEnd = { isUnixSocket: false, doubt: "The account that it comes from was not looked up." };

/** Remembers what is known of the other ends of all connections, each looked up once. */
export class RemoteEnds {
  readonly #lookUp: AccountLookup | undefined;
  readonly #met = new WeakMap<object, RemoteEnd | Promise<void>>();

  /** Without `lookUp` every account is taken for the service's own. */
  constructor(lookUp: AccountLookup | undefined) {
    this.#lookUp = lookUp;
  }

  /** Takes note of a connection over TCP. Gives what to wait for before its first request, `null` where it is known. */
  meet(socket: TcpSocket): Promise<void> | null {
    const met = this.#met.get(socket);
    if (met !== undefined) return met instanceof Promise ? met : null;
    const { remoteAddress } = socket;
    // Of other machines nothing can be known, and nothing has to be: they are not local.
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

  /** Takes note of a connection over the UNIX socket of the service. */
  meetUnixSocket(socket: object): void {
    this.#met.set(socket, UNIX);
  }

  /** What is known now. */
  of(socket: TcpSocket): RemoteEnd {
    const met = this.#met.get(socket);
    if (met !== undefined && !(met instanceof Promise)) return met;
    return this.#lookUp === undefined ? OWN : NOT_MET;
  }

  #know(socket: object, doubt: string | null): void {
    this.#met.set(socket, { isUnixSocket: false, doubt });
  }
}
