import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectTo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HubService, hubPath } from "@sm/core";
import { accessRules, createGate } from "@sm/router/access";
import { PostgresDatabase, ReceivedBatches, SentFiles, TokenDirectory, Users, userStateOf } from "@sm/store-postgres";
import { startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { type HttpServer, serveHttp } from "@sm/transport-http";

const log = { info: () => {}, warn: () => {}, error: () => {} };

/** A hub on a real PostgreSQL, with one user, behind a wire that can be cut. */
export async function startHub() {
  const postgres = await startPostgres();
  const url = await postgres.newDatabase();
  const database = await PostgresDatabase.open({ url, log });
  const tokens = new TokenDirectory(database, { url, log });
  await tokens.refresh();
  const directory = mkdtempSync(join(tmpdir(), "hub-"));
  const tokenFile = join(directory, "token");
  const wire = await startWire();
  let userId = "";
  let tokenId = "";
  let server: HttpServer | null = null;
  /** Batches that have arrived, unpacked. */
  const received: { machine: string; bytes: Uint8Array[]; frames: object[] }[] = [];

  const newUser = async (scope: "full" | "read" = "full") => {
    userId = (await new Users(database).create(randomUUID(), "member")).id;
    const created = await stateOf().tokens.create({ name: "laptop", scope, expires_at: null });
    tokenId = created.id;
    writeFileSync(tokenFile, `${created.token}\n`, { mode: 0o600 });
    received.length = 0;
  };
  const stateOf = () => userStateOf(userId, { database, tokens, log });
  const receiver = new ReceivedBatches({ database, userOf: (id) => (id === tokenId ? userId : null) });
  const hub: HubService = {
    async receive(id, batch) {
      const { machine, frames } = batch;
      received.push({
        machine: machine.id,
        bytes: frames.map(({ bytes }) => bytes),
        frames: frames.map(({ frame }) => frame),
      });
      const answer = await receiver.receive(id, batch);
      if (wire.losesAnswers) wire.break();
      if (wire.saysNoChangeKinds) delete answer.change_kinds;
      return answer;
    },
  };

  const start = async (isHub = true) => {
    const rules = accessRules({
      authEnabled: true,
      allowedHosts: [],
      allowedOrigins: [],
      trustedProxies: [],
      machineName: "hub",
    });
    server = await serveHttp(
      {
        dispatcher: { dispatch: () => Promise.reject(new Error("This hub has no commands.")) },
        sessions: { exportStream: () => Promise.reject(new Error("This hub has no exports.")), status: notReady },
        exportTickets: { look: notReady, redeem: notReady },
        version: "1.2.3",
        gate: createGate({ rules, tokens, isLocalToken: () => false } as Parameters<typeof createGate>[0]),
        log,
        ...(isHub && { hub }),
      },
      { port: 0, host: "127.0.0.1", graceMs: 1 },
    );
    wire.port = Number(new URL(server.url).port);
  };
  const stop = async () => {
    await server?.close();
    server = null;
  };
  await start();

  return {
    wire,
    tokenFile,
    received,
    postgres,
    newUser,
    start,
    stop,
    get url() {
      return wire.url;
    },
    get files() {
      return new SentFiles(database, userId);
    },
    get state() {
      return stateOf();
    },
    /** What the hub has of a file; `null`: nothing that can be read. */
    async contentOf(machineId: string, path: string): Promise<Buffer | null> {
      const files = new SentFiles(database, userId);
      const current = await files.current(machineId, path);
      return current === null ? null : files.read(current.generation, 0, current.bytes);
    },
    pathOf: hubPath,
    async machineIds(): Promise<string[]> {
      const { rows } = await database.read(userId, (db) => db.execute("SELECT id FROM machines"));
      return rows.map(({ id }) => String(id));
    },
    async count(table: string): Promise<number> {
      const { rows } = await database.read(userId, (db) => db.execute(`SELECT count(*)::int AS count FROM ${table}`));
      return Number(rows[0]?.count);
    },
    async close() {
      await stop();
      wire.close();
      await tokens.close();
      await database.close();
      await postgres.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function notReady(): never {
  throw new Error("This hub has no sessions to read.");
}

export type TestHub = Awaited<ReturnType<typeof startHub>>;

/** A TCP connection through which a test sees what is sent, and cuts it at any byte. */
async function startWire() {
  const open = new Set<Socket>();
  const wire = {
    /** Of the service behind it. */
    port: 0,
    url: "",
    /** Bytes of both directions. */
    bytes: 0,
    connections: 0,
    /** Of the sender, as they came. */
    sent: [] as Buffer[],
    keepsSent: false,
    /** Whether connections break when the hub has taken a batch. */
    losesAnswers: false,
    /** Whether the hub is one of those that do not say which changes they take. */
    saysNoChangeKinds: false,
    /** After so many bytes of both directions together all connections break; `null`: never. */
    breaksAfter: null as number | null,
    /** Bytes a second that get through to the hub; `null`: all. */
    slowness: 0,
    close: () => server.close(),
    break() {
      for (const socket of open) socket.destroy();
    },
  };
  const passed = (length: number) => {
    wire.bytes += length;
    if (wire.breaksAfter === null) return length;
    const rest = wire.breaksAfter;
    wire.breaksAfter -= length;
    if (wire.breaksAfter > 0) return length;
    wire.breaksAfter = null;
    setImmediate(() => wire.break());
    return rest;
  };
  const server: Server = createServer((client) => {
    wire.connections++;
    const service = connectTo(wire.port, "127.0.0.1");
    for (const socket of [client, service]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        client.destroy();
        service.destroy();
      });
    }
    const pass = (from: Socket, to: Socket, isSent: boolean) =>
      from.on("data", (bytes: Buffer) => {
        if (isSent && wire.keepsSent) wire.sent.push(bytes);
        const through = bytes.subarray(0, passed(bytes.length));
        from.pause();
        setTimeout(() => to.write(through, () => from.resume()), isSent ? wire.slowness : 0);
      });
    pass(client, service, true);
    pass(service, client, false);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The wire has no port.");
  wire.url = `http://127.0.0.1:${address.port}`;
  return wire;
}
