import { closeSync, openSync, readSync } from "node:fs";
import { endianness } from "node:os";
import { canonicalAddress, type TcpSocket } from "@sm/router/access";

/** The kernel's tables of the TCP connections of this network namespace (networking/proc_net_tcp in its documentation). */
const TCP_TABLES = ["/proc/self/net/tcp", "/proc/self/net/tcp6"] as const;

/** What is known of the account that holds the other end of a connection. */
export type PeerAccount =
  | { uid: number }
  /** No process holds it any more: the kernel knows no account then, and shows 0, which is root's. */
  | "gone"
  /** It is not in the tables, or too far down in them. */
  | "unknown";

/** Bytes that are read without a pause: some 430 connections. */
const SLICE_BYTES = 65_536;
/** Some 200,000 connections. Any account can make as many. */
const MOST_BYTES = 32 * 1_048_576;
/** The kernel gives a page at a time, and may skip a row where one beside it has gone since the last page. */
const ATTEMPTS = 2;

/** Established, or closed in one direction only. In other states a row stands for something else, or for nobody. */
const HELD_STATES = new Set(["01", "04", "05", "08"]);

interface Wanted {
  /** How a row may name the connection. */
  keys: readonly string[];
  attemptsLeft: number;
  found(account: PeerAccount): void;
}

/**
 * Finds the accounts at the other ends of connections within this machine, on Linux.
 *
 * The tables are read in slices, between which everything else goes on, and by one reading at a time for all connections
 * that wait: whoever fills them delays new connections, and nothing else. Not in Node's thread pool, all of whose threads
 * may wait for a disk that does not answer.
 */
export class PeerAccounts {
  readonly #tables: readonly string[];
  #waiting: Wanted[] = [];
  #isReading = false;
  /** Of the tables, so far. */
  bytesRead = 0;

  constructor(tables: readonly string[] = TCP_TABLES) {
    this.#tables = tables;
  }

  /** Tells whether the tables can be read here. */
  get isSupported(): boolean {
    const [first = ""] = this.#tables;
    return !linesOf(first, () => {}).next().done;
  }

  /** Finds the account for all connections that come at the same time: the kernel takes 2 ms even for empty tables. */
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

  /** Reads the tables for all that wait now. */
  #read(): void {
    const asked = this.#waiting;
    this.#waiting = [];
    const wanted = new Map<string, Wanted[]>();
    for (const one of asked) {
      // More than one waits where a client has come back from the same port.
      for (const key of one.keys) wanted.set(key, [...(wanted.get(key) ?? []), one]);
    }
    const most = this.bytesRead + MOST_BYTES;
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

/** Reads a table line by line, without its head; a table that is not there, as without IPv6, has none. */
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
    // What cannot be read is not known.
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** How the tables may name a connection from its other end; `null` where it has ended. */
function keysOf({ remoteAddress, remotePort, localAddress, localPort }: TcpSocket): string[] | null {
  const ends = [remoteAddress, localAddress].map((address) => bytesOf(address ?? ""));
  const [remote, local] = ends;
  if (remote == null || local == null || remotePort === undefined || localPort === undefined) return null;
  const key = (prefix: readonly number[]) =>
    `${hex([...prefix, ...remote], remotePort)} ${hex([...prefix, ...local], localPort)}`;
  // A socket of IPv6 may be used to connect to an IPv4 address.
  return remote.length === 4 ? [key([]), key(IPV4_MAPPED)] : [key([])];
}

const IPV4_MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255];

function bytesOf(text: string): number[] | null {
  const address = canonicalAddress(text);
  if (address === null) return null;
  if (!address.includes(":")) return address.split(".").map(Number);
  return address.split(":").flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
}

/** Writes an address as the tables do: words of four bytes, each as a number of this machine. */
function hex(address: readonly number[], port: number): string {
  const bytes = Buffer.from(address);
  if (endianness() === "LE") bytes.swap32();
  return `${bytes.toString("hex").toUpperCase()}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}
