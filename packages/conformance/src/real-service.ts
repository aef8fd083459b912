import { mkdtempSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLibrary } from "@sm/core/node";
import type { CommandResponse } from "@sm/router";
import { afterAll } from "vitest";
import { SampleHome } from "./sample-home.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { http, type Transport } from "./transports.ts";

// A process learns only once where the trash is: what tests delete goes to one folder, never to the user's own trash.
const userFolder = mkdtempSync(join(tmpdir(), "session-manager-user-"));
process.env.HOME = userFolder;
process.env.XDG_DATA_HOME = userFolder;
afterAll(() => rm(userFolder, { recursive: true, force: true }));

/** The real library behind the real routes, on a copy of the sample home that is its own. */
export interface RealService extends TestServer {
  home: SampleHome;
  /** Sends a command and returns the answer. */
  call(command: string, payload: object): Promise<CommandResponse>;
  /** Sends a command and returns its data; fails where the command fails. */
  ask<Data>(command: string, payload?: object): Promise<Data>;
  /** Waits until every session is known and can be searched. */
  settled(): Promise<void>;
}

/** Starts a service and waits until everything can be searched. At its end, a problem in its log is an error. */
export async function startRealService(transport: Transport = http): Promise<RealService> {
  const folder = await mkdtemp(join(tmpdir(), "session-manager-"));
  const home = await SampleHome.write(folder);
  const problems: object[] = [];
  const library = await openLibrary({
    agentDir: join(folder, "agent"),
    agentHome: folder,
    sessionPaths: [],
    dataDir: join(folder, "data"),
    log: {
      info: () => {},
      warn: (fields, message) => problems.push({ ...fields, message }),
      error: (fields, message) => problems.push({ ...fields, message }),
    },
  });
  const server = await startTestServer({ sessions: library });

  const service: RealService = {
    ...server,
    home,

    call: (command, payload) => transport.call(server, { command, payload }, "owner"),

    async ask<Data>(command: string, payload: object = {}) {
      const { success, data, error } = await service.call(command, payload);
      if (!success) throw new Error(`${command} failed: ${JSON.stringify(error)}`);
      return data as Data;
    },

    async settled() {
      await library.scan();
      while (library.status().pending > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    },

    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await library.close();
      await rm(folder, { recursive: true });
      const logged = [...problems, ...server.defects];
      if (logged.length > 0) throw new Error(`The service logged problems: ${JSON.stringify(logged)}`);
    },
  };
  await service.settled();
  return service;
}
