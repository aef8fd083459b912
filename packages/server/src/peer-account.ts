import { closeSync, openSync, readSync } from "node:fs";
import { endianness } from "node:os";
import { canonicalAddress, type TcpSocket } from "@sm/router/access";

/** The kernel's TCP connection tables of this network namespace (documented in networking/proc_net_tcp). */
const TCP_TABLES = ["/proc/self/net/tcp", "/proc/self/net/tcp6"] as const;

/** The account at the other end of a connection. */
export type PeerAccount =
  | { uid: number }
  /** No process holds the socket any more: the kernel then shows account 0, which is also root's. */
  | "gone"
  /** Not in the tables, or too far down. */
  | "unknown";

/** Bytes read without yielding: about 430 connections. */
const SLICE_BYTES = 65_536;
/** About 200,000 connections. Any account can open as many. */
const MAX_BYTES = 32 * 1_048_576;
/** The kernel returns one page at a time, and may skip a row if its neighbor was removed since the last page. */
const ATTEMPTS = 2;

/** Established, or closed in one direction only. In other states, the row's account is not reliable. */
const HELD_STATES = new Set(["01", "04", "05", "08"]);

interface Wanted {
  /** Possible keys of the connection in the tables. */
  keys: readonly string[];
  attemptsLeft: number;
  found(account: PeerAccount): void;
}

/**
 * Finds the accounts of the peers of local connections, on Linux.
 *
 * Reads the tables in slices, yielding in between, and once for all waiting connections: large tables only delay new
 * connections. Does not use Node's thread pool, whose threads may all be blocked by a disk.
 */
export class PeerAccounts {
  readonly #tables: readonly string[];
  #waiting: Wanted[] = [];
  #isReading = false;
  /** Bytes of the tables read so far. */
  bytesRead = 0;

  constructor(tables: readonly string[] = TCP_TABLES) {
    this.#tables = tables;
  }

  /** Whether the tables are readable. */
  get isSupported(): boolean {
    const [first = ""] = this.#tables;
    return !linesOf(first, () => {}).next().done;
  }

  /**
   * Finds the account together with all connections that arrive at the same time: reading takes 2 ms even for empty
   * tables.
   */
  find(socket: TcpSocket): PeerAccount | Promise<PeerAccount> {
    const keys = keysOf(socket);
    if (keys === null) return "gone";
    return new Promise((found) => {
      this.#waiting.push({ keys, attemptsLeft: ATTEMPTS, found });
      if (!this.#isReading) this.#readSoon();
    });
  }

  #readSoon(): void {
    this.#isReading = true;
    setImmediate(() => this.#read());
  }

  /** Reads the tables for all waiting connections. */
  #read(): void {
    const asked = this.#waiting;
    this.#waiting = [];
    const wanted = new Map<string, Wanted[]>();
    for (const one of asked) {
      // Several wait if a client reconnected from the same port.
      for (const key of one.keys) wanted.set(key, [...(wanted.get(key) ?? []), one]);
    }
    const most = this.bytesRead + MAX_BYTES;
    const rows = this.#rows();
    const readOn = () => {
      const pause = this.bytesRead + SLICE_BYTES;
      while (wanted.size > 0 && this.bytesRead < most) {
        const { done, value: row } = rows.next();
        if (done) break;
        for (const one of wanted.get(row.key) ?? []) {
          for (const key of one.keys) wanted.delete(key);
          one.found(row.account);
        }
        if (this.bytesRead >= pause) {
          setImmediate(readOn);
          return;
        }
      }
      rows.return();
      this.#finish(new Set([...wanted.values()].flat()));
    };
    readOn();
  }

  #finish(missing: Iterable<Wanted>): void {
    this.#isReading = false;
    for (const one of missing) {
      one.attemptsLeft -= 1;
      if (one.attemptsLeft > 0) this.#waiting.push(one);
      else one.found("unknown");
    }
    if (this.#waiting.length > 0) this.#readSoon();
  }

  *#rows(): Generator<{ key: string; account: PeerAccount }, void> {
    for (const table of this.#tables) {
      for (const line of linesOf(table, (bytes) => (this.bytesRead += bytes))) {
        // sl, local_address, rem_address, st, two queues, timer, retrnsmt, uid, timeout, inode
        const [, local, remote, state = "", , , , uid, , inode] = line.trimStart().split(/ +/, 10);
        const isHeld = HELD_STATES.has(state) && inode !== "0";
        yield { key: `${local} ${remote}`, account: isHeld ? { uid: Number(uid) } : "gone" };
      }
    }
  }
}

/** Reads a table line by line, without its header; no lines if it does not exist, as without IPv6. */
function* linesOf(path: string, onRead: (bytes: number) => void): Generator<string, void> {
  const buffer = Buffer.alloc(SLICE_BYTES);
  let file: number | null = null;
  let rest = "";
  let isHead = true;
  try {
    file = openSync(path, "r");
    for (let length = readSync(file, buffer); length > 0; length = readSync(file, buffer)) {
      onRead(length);
      const lines = (rest + buffer.toString("latin1", 0, length)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!isHead) yield line;
        isHead = false;
      }
    }
  } catch {
    // Unreadable: the account is unknown.
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Possible keys of the connection, seen from its other end; `null` if it has ended. */
function keysOf({ remoteAddress, remotePort, localAddress, localPort }: TcpSocket): string[] | null {
  const ends = [remoteAddress, localAddress].map((address) => bytesOf(address ?? ""));
  const [remote, local] = ends;
  if (remote == null || local == null || remotePort === undefined || localPort === undefined) return null;
  const key = (prefix: readonly number[]) =>
    `${hex([...prefix, ...remote], remotePort)} ${hex([...prefix, ...local], localPort)}`;
  // An IPv6 socket may connect to an IPv4 address.
  return remote.length === 4 ? [key([]), key(IPV4_MAPPED)] : [key([])];
}

const IPV4_MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255];

function bytesOf(text: string): number[] | null {
  const address = canonicalAddress(text);
  if (address === null) return null;
  if (!address.includes(":")) return address.split(".").map(Number);
  return address.split(":").flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
}

/** Formats an address like the tables: words of four bytes in native byte order. */
function hex(address: readonly number[], port: number): string {
  const bytes = Buffer.from(address);
  if (endianness() === "LE") bytes.swap32();
  return `${bytes.toString("hex").toUpperCase()}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}
