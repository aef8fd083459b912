import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { RefusedConnection } from "./connection-limits.ts";
import { serve, testGate } from "./test-client.ts";

const clients: Socket[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** Serves clients whose address says who they are: those of 127.0.0.1 are local, those of 127.0.0.2 a trusted proxy. */
async function serveClients(limits: { connections: number; addressConnections: number }) {
  const refused: RefusedConnection[] = [];
  const peer = ({ remoteAddress = "" }) => ({
    local: remoteAddress === "127.0.0.1",
    group: ["127.0.0.1", "127.0.0.2"].includes(remoteAddress) ? null : remoteAddress,
  });
  const server = await serve({
    gate: { ...testGate(), peer },
    limits,
    onRefused: (connection) => refused.push(connection),
  });
  return Object.assign(server, { refused });
}

/** Whether the answer to a request comes before the connection is closed; it stays open in the first case. */
function isLetIn({ port }: { port: number }, localAddress: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    clients.push(socket);
    socket.on("error", () => resolve(false)).once("close", () => resolve(false));
    // Without an end: Node would close it after 5 s otherwise.
    socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET");
    socket.once("data", () => resolve(true));
  });
}

async function letIn(server: { port: number }, address: string, count: number): Promise<number> {
  let open = 0;
  for (let at = 0; at < count; at++) if (await isLetIn(server, address)) open += 1;
  return open;
}

it("an address of another machine has a share, which others do not lose", async () => {
  await using server = await serveClients({ connections: 100, addressConnections: 5 });
  expect(await letIn(server, "127.0.0.3", 8)).toBe(5);
  expect(server.refused).toEqual(Array(3).fill({ address: "127.0.0.3", limit: "addressConnections" }));
  expect(await letIn(server, "127.0.0.4", 1)).toBe(1);
  expect(await letIn(server, "127.0.0.1", 20)).toBe(20);
});

it("what an address has closed, it may open again", async () => {
  await using server = await serveClients({ connections: 100, addressConnections: 2 });
  expect(await letIn(server, "127.0.0.3", 3)).toBe(2);
  clients[0]?.destroy();
  await expect.poll(() => isLetIn(server, "127.0.0.3")).toBe(true);
  expect(await letIn(server, "127.0.0.3", 1)).toBe(0);
});

it("all other machines together leave an eighth to this one, and a trusted proxy has no share of its own", async () => {
  await using server = await serveClients({ connections: 16, addressConnections: 4 });
  expect(await letIn(server, "127.0.0.2", 10)).toBe(10);
  expect(await letIn(server, "127.0.0.3", 8)).toBe(4);
  expect(await letIn(server, "127.0.0.2", 1)).toBe(0);
  expect(server.refused.at(-1)).toEqual({ address: "127.0.0.2", limit: "connections" });
  expect(await letIn(server, "127.0.0.1", 3)).toBe(2);
});

it("a limit of one lets one in, wherever it comes from", async () => {
  await using server = await serveClients({ connections: 1, addressConnections: 1 });
  expect(await letIn(server, "127.0.0.3", 2)).toBe(1);
});

it("counts a client when its account is known, and not one that has left by then", async () => {
  const refused: RefusedConnection[] = [];
  let resolve = () => {};
  const known = new Promise<void>((done) => (resolve = done));
  const met: Socket[] = [];
  let isKnown = false;
  const server = await serve({
    gate: {
      ...testGate(),
      registerConnection(socket) {
        if (isKnown) return null;
        if (!met.includes(socket as Socket)) met.push(socket as Socket);
        return known;
      },
      peer: () => ({ local: isKnown, group: null }),
    },
    limits: { connections: 8, addressConnections: 1 },
    onRefused: (connection) => refused.push(connection),
  });
  await using _ = server;
  const answers = Array.from({ length: 8 }, () => isLetIn(server, "127.0.0.1"));
  await expect.poll(() => met.length).toBe(8);
  clients.pop()?.destroy();
  await expect.poll(() => met.filter(({ destroyed }) => destroyed).length).toBe(1);
  isKnown = true;
  resolve();
  // Who is in doubt until then has a share of seven.
  expect((await Promise.all(answers)).filter(Boolean)).toHaveLength(7);
  expect(refused).toEqual([]);
});
