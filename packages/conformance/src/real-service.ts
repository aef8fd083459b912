import { mkdtempSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandResponse } from "@sm/router";
import { readSettings, startServer } from "@sm/server";
import { SampleHome } from "./sample-home.ts";
import { http, type Transport } from "./transports.ts";

// A process learns only once where the trash is: what tests delete goes to one folder, never to the user's own trash.
const userFolder = mkdtempSync(join(process.env.SESSION_MANAGER_TEST_HOMES ?? tmpdir(), "user-"));
process.env.HOME = userFolder;
process.env.XDG_DATA_HOME = userFolder;

/** The whole service, as the binary starts it, on a copy of the sample home that is its own. */
export interface RealService extends AsyncDisposable {
  readonly url: string;
  home: SampleHome;
  /** The lines of its log. */
  log: readonly string[];
  /** Sends a command and returns the answer. */
  call(command: string, payload: object): Promise<CommandResponse>;
  /** Sends a command and returns its data; fails where the command fails. */
  ask<Data>(command: string, payload?: object): Promise<Data>;
  /** Waits until every session is known and can be searched. */
  settled(): Promise<void>;
  /** Ends the service and starts it again on what it has left. */
  restart(): Promise<void>;
  /** What /metrics says of a figure without labels. */
  metric(name: string): Promise<number>;
}

export interface RealServiceOptions {
  /** How `call` and `ask` reach it; over HTTP if absent. */
  transport?: Transport;
  /** Fields of session-manager.json. */
  config?: object;
  /** Directory of the built page. */
  web?: string;
  /** Messages of warnings and errors that the test provokes. */
  expectedProblems?: readonly string[];
}

/** Where links may be made: behind a proxy, which gives the service a name. */
export const SHARING = {
  sharing: { enabled: true },
  allowed_hosts: ["sessions.example.org"],
  allowed_origins: ["https://sessions.example.org"],
};

/** The warning of a start with such a name. */
export const SUGGESTS_PROXY =
  "allowed_hosts has names other than this machine's, which suggests a proxy or tunnel. If it runs under this account " +
  "or as root and sends no X-Forwarded-For, all of its clients have access without a token. Check it as described in " +
  'docs/remote-access.md, or set "local_token" to true.';

/** Starts a service and waits until everything can be searched. At its end, a problem in its log is an error. */
export async function startRealService(options: RealServiceOptions = {}): Promise<RealService> {
  const { transport = http, config = {}, web, expectedProblems = [] } = options;
  const folder = await mkdtemp(join(tmpdir(), "session-manager-"));
  const home = await SampleHome.write(folder);
  await mkdir(join(folder, "config"));
  await writeFile(join(folder, "config", "session-manager.json"), JSON.stringify({ http_port: 0, ...config }));
  const log: string[] = [];
  const start = () =>
    startServer({
      version: "1.2.3",
      ...(web !== undefined && { web }),
      settings: readSettings(
        { "config-dir": join(folder, "config"), "data-dir": join(folder, "data"), "agent-home": folder },
        {},
      ),
      output: { write: (line) => log.push(line) },
    });
  let server = await start();

  const service: RealService = {
    get url() {
      return server.url;
    },
    home,
    log,

    call: (command, payload) => transport.call(server.url, { command, payload }, "owner"),

    async ask<Data>(command: string, payload: object = {}) {
      const { success, data, error } = await service.call(command, payload);
      if (!success) throw new Error(`${command} failed: ${JSON.stringify(error)}`);
      return data as Data;
    },

    async settled() {
      await service.ask("scan_sessions");
      while (!(await isReady(server.url))) await new Promise((resolve) => setTimeout(resolve, 2));
    },

    async restart() {
      await server.close();
      server = await start();
      await service.settled();
    },

    async metric(name) {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1]);
    },

    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(folder, { recursive: true });
      const problems = log
        .map((line): { level: string; msg: string } => JSON.parse(line))
        .filter(({ level, msg }) => ["warn", "error", "fatal"].includes(level) && !expectedProblems.includes(msg));
      if (problems.length > 0) throw new Error(`The service logged problems: ${JSON.stringify(problems)}`);
    },
  };
  try {
    await service.settled();
  } catch (error) {
    await server.close();
    throw error;
  }
  return service;
}

async function isReady(url: string): Promise<boolean> {
  const { index } = (await (await fetch(`${url}/health`)).json()) as { index: { state: string; pending: number } };
  return index.state === "ready" && index.pending === 0;
}
