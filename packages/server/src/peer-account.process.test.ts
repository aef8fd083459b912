import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type PeerAccount, PeerAccounts } from "./peer-account.ts";

const isLinux = process.platform === "linux";
const NOBODY = 65_534;

const opened: { destroy(): void }[] = [];
const servers: Server[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) one.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(host: string): Promise<{ port: number; accepted: Promise<Socket> }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, host);
  servers.push(server);
  await once(server, "listening");
  const accepted = once(server, "connection").then(([socket]: Socket[]) => {
    if (socket === undefined) throw new Error("There is no connection.");
    opened.push(socket);
    return socket;
  });
  return { port: (server.address() as { port: number }).port, accepted };
}

describe.skipIf(!isLinux)("the account at the other end", () => {
  it.each([
    ["IPv4", "127.0.0.1", "127.0.0.1"],
    ["another address of IPv4", "127.0.0.1", "127.0.0.1", "127.0.0.9"],
    ["IPv6", "::1", "::1"],
    ["IPv4 to a socket for both", "::", "127.0.0.1"],
    ["a socket of IPv6 to IPv4", "127.0.0.1", "::ffff:127.0.0.1"],
  ])("is found over %s", async (_, host, called, from = undefined as string | undefined) => {
    const { port, accepted } = await listen(host);
    opened.push(connect({ port, host: called, ...(from !== undefined && { localAddress: from }) }));
    expect(await new PeerAccounts().find(await accepted)).toEqual({ uid: process.geteuid?.() });
  });

  it.skipIf(process.geteuid?.() !== 0)("is another one's, also when that has closed its half", async () => {
    for (const left of ["", ".end()"]) {
      const { port, accepted } = await listen("127.0.0.1");
      const script = `process.setuid(${NOBODY}); require("net").connect(${port}, "127.0.0.1")${left}`;
      const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
      opened.push({ destroy: () => child.kill("SIGKILL") });
      const socket = await accepted;
      if (left !== "") await once(socket.resume(), "end");
      expect(await new PeerAccounts().find(socket)).toEqual({ uid: NOBODY });
    }
  });

  it("is nobody's when it has gone: the kernel shows root's then", async () => {
    const { port, accepted } = await listen("127.0.0.1");
    const client = connect(port, "127.0.0.1");
    const socket = await accepted;
    client.end().destroy();
    await once(socket.resume(), "end");
    expect(await new PeerAccounts().find(socket)).toBe("gone");
  });

  it("is not known without an address", () => {
    expect(new PeerAccounts().find({})).toBe("gone");
  });
});

describe("the tables of connections", () => {
  const HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
  const row = (client: string, server: string, { state = "01", uid = 1000, inode = 7 } = {}) =>
    `   0: ${client} ${server} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000086d4dce7 20 4 30 10 -1\n`;
  const other = (number: number) =>
    row(`0100007F:${number.toString(16).toUpperCase().padStart(4, "0")}`, "0100007F:0050");
  const CLIENT = "0100007F:9C40";
  const SERVER = "0100007F:CBA3";
  const socket = { remoteAddress: "127.0.0.1", remotePort: 40_000, localAddress: "127.0.0.1", localPort: 52_131 };

  let folder = "";
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function tables(...texts: string[]): Promise<PeerAccounts> {
    folder = await mkdtemp(join(tmpdir(), "session-manager-"));
    const paths = texts.map((_, number) => join(folder, `tcp${number}`));
    await Promise.all(texts.map((text, number) => writeFile(paths[number] ?? "", HEAD + text)));
    return new PeerAccounts(paths);
  }

  it.each<[string, string, PeerAccount]>([
    ["an established row", row(CLIENT, SERVER), { uid: 1000 }],
    ["one that closed its half", row(CLIENT, SERVER, { state: "05" }), { uid: 1000 }],
    ["one that nobody holds", row(CLIENT, SERVER, { state: "05", uid: 0, inode: 0 }), "gone"],
    ["one that waits for its end", row(CLIENT, SERVER, { state: "06", uid: 0, inode: 0 }), "gone"],
    ["one that is only being opened", row(CLIENT, SERVER, { state: "02", uid: 0 }), "gone"],
    ["the service's own end", row(SERVER, CLIENT, { uid: 0 }), "unknown"],
    ["the same port of another address", row("0200007F:9C40", SERVER, { uid: 0 }), "unknown"],
    ["a connection to another port", row(CLIENT, "0100007F:0050", { uid: 0 }), "unknown"],
    ["none", "", "unknown"],
  ])("tell by %s", async (_, text, expected) => {
    expect(await (await tables(other(1) + text + other(2), "")).find(socket)).toEqual(expected);
  });

  it("are read no further than to the row", async () => {
    const long = Array.from({ length: 20_000 }, (_, number) => other(number)).join("");
    const accounts = await tables(row(CLIENT, SERVER) + long);
    expect(await accounts.find(socket)).toEqual({ uid: 1000 });
    expect(accounts.bytesRead).toBeLessThanOrEqual(65_536);
  });

  it("are read once for all that wait, and everything else goes on meanwhile", async () => {
    const text = `${Array.from({ length: 20_000 }, (_, number) => other(number)).join("")}${row(CLIENT, SERVER)}`;
    const accounts = await tables(text);
    let turns = 0;
    const turn = () => {
      turns += 1;
      turning = setImmediate(turn);
    };
    let turning = setImmediate(turn);
    const ask = () => Array.from({ length: 100 }, () => accounts.find(socket));
    const early = ask();
    await new Promise(setImmediate);
    // These come while the tables are read, and are answered by the next reading.
    const found = await Promise.all([...early, ...ask()]);
    clearImmediate(turning);
    expect(new Set(found.map((account) => JSON.stringify(account)))).toEqual(new Set(['{"uid":1000}']));
    expect(accounts.bytesRead).toBe(2 * (HEAD.length + text.length));
    expect(turns).toBeGreaterThan(text.length / 65_536);
  });

  it("are not read for ever", async () => {
    const accounts = await tables(other(1).repeat(300_000));
    expect(await accounts.find(socket)).toBe("unknown");
    expect(accounts.bytesRead).toBeLessThanOrEqual(2 * (32 * 1_048_576 + 65_536));
  });

  it("need not be there", async () => {
    const accounts = new PeerAccounts(["/nowhere/tcp"]);
    expect(accounts.isSupported).toBe(false);
    expect(await accounts.find(socket)).toBe("unknown");
  });
});
