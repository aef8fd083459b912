import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { BATCH_TYPE, type BytesFrame, encodeBatch, hubPath, type SendingMachine, type SessionPage } from "@sm/core";
import { startHub } from "@sm/hub";
import { readSettings } from "@sm/server";
import { withUserAccounts } from "@sm/store-postgres";
import { startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import type { CaseHome, CaseService } from "./command-case.ts";
import { SampleHome } from "./sample-home.ts";
import { http, type Transport } from "./transports.ts";

const pack = promisify(brotliCompress);
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A user of a hub, who has nothing yet. */
export interface HubUser extends Pick<CaseService, "url" | "call" | "ask"> {
  token: string;
}

/** What a user has on a hub: the sessions of one machine, with the sample home. */
export interface HubService extends CaseService, HubUser {
  home: SentHome;
  machine: SendingMachine;
}

/** A server of a hub on a real PostgreSQL. */
export interface RealHub extends AsyncDisposable {
  /** Makes a user; `transport` is how `call` and `ask` reach the hub. */
  newUser(name: string, transport?: Transport): Promise<HubUser>;
  /** Makes a user whose machine has sent the sample home. */
  newService(name: string, transport: Transport): Promise<HubService>;
}

/** Starts a server of a hub. At its end, a problem in its log is an error. */
export async function startRealHub(): Promise<RealHub> {
  const folder = mkdtempSync(join(tmpdir(), "session-manager-hub-"));
  const postgres = await startPostgres();
  const store = await postgres.newDatabase();
  const log: string[] = [];
  const hub = await startHub({
    version: "1.2.3",
    store,
    settings: readSettings({ "config-dir": folder, "data-dir": folder, port: "0" }, {}),
    output: { write: (line) => log.push(line) },
  });
  async function newUser(name: string, transport = http): Promise<HubUser> {
    const token = await withUserAccounts({ url: store, log: QUIET }, (accounts) => accounts.add(name, "member"));
    const call: CaseService["call"] = (command, payload) => transport.call(hub.url, { command, payload }, { token });
    return {
      ...{ url: hub.url, token, call },
      async ask<Data>(command: string, payload: object = {}) {
        const { success, data, error } = await call(command, payload);
        if (!success) throw new Error(`${command} failed: ${JSON.stringify(error)}`);
        return data as Data;
      },
    };
  }
  return {
    newUser,
    async newService(name, transport) {
      const service = { ...(await newUser(name, transport)), machine: { id: randomUUID(), name: "laptop" } };
      const local = await SampleHome.write(mkdtempSync(join(folder, "home-")));
      return { ...service, home: await SentHome.send(local, service) };
    },
    async [Symbol.asyncDispose]() {
      await hub.close();
      await postgres.close();
      rmSync(folder, { recursive: true });
      const problems = log.filter((line) => ["warn", "error", "fatal"].includes(JSON.parse(line).level));
      if (problems.length > 0) throw new Error(`The hub logged problems: ${problems.join("")}`);
    },
  };
}

/** The sample home as it is on the hub, to which each session is sent. */
class SentHome implements CaseHome {
  readonly paths: CaseHome["paths"];
  readonly outside: string;
  readonly missing: string;
  readonly #local: SampleHome;
  readonly #service: Omit<HubService, "home">;

  private constructor(local: SampleHome, service: Omit<HubService, "home">) {
    this.#local = local;
    this.#service = service;
    const { branched, plain, raw, old } = local.paths;
    const there = (path: string) => hubPath(service.machine.id, path);
    this.paths = { branched: there(branched), plain: there(plain), raw: there(raw), old: there(old) };
    this.outside = there(local.outside);
    this.missing = there(local.missing);
  }

  static async send(local: SampleHome, service: Omit<HubService, "home">): Promise<SentHome> {
    const home = new SentHome(local, service);
    // In the order in which a service at home finds them.
    const { branched, plain, raw, old } = local.paths;
    await home.#send([branched, plain, raw, old]);
    return home;
  }

  get folder(): string {
    return this.#local.folder;
  }

  async copy(): Promise<string> {
    return this.#sent(await this.#local.copy());
  }

  async withOutput(): Promise<string> {
    const path = await this.#local.withOutput();
    await this.#send([join(dirname(path), "output", "tool-results", "a1.txt")], path);
    return this.#sent(path);
  }

  async #sent(path: string): Promise<string> {
    await this.#send([path]);
    return hubPath(this.#service.machine.id, path);
  }

  /** Sends files, and waits until they are there and searchable. */
  async #send(paths: string[], ownerPath: string | null = null): Promise<void> {
    const { url, token, machine, ask } = this.#service;
    const frames = await Promise.all(paths.map((path) => frameOf(path, ownerPath)));
    const answer = await fetch(`${url}/api/hub`, {
      method: "POST",
      headers: { "Content-Type": BATCH_TYPE, Authorization: `Bearer ${token}` },
      body: await pack(encodeBatch(machine, frames)),
    });
    if (!answer.ok) throw new Error(await answer.text());
    if (ownerPath !== null) return;
    for (const path of paths) {
      const query = `${machine.id}${path}`;
      for (;;) {
        const { sessions } = await ask<SessionPage>("list_sessions", { query, archived: "include" });
        if (sessions.some(({ path, indexed }) => path.endsWith(query) && indexed)) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
}

async function frameOf(path: string, ownerPath: string | null): Promise<{ frame: BytesFrame; bytes: Uint8Array }> {
  const bytes = new Uint8Array(await readFile(path));
  const { mode, mtimeMs } = await stat(path);
  const format = basename(ownerPath ?? path) === "output.jsonl" ? "claude-code" : "pi";
  const frame: BytesFrame = {
    ...{ kind: "bytes", path, owner_path: ownerPath, format, session_id: null, mode: mode & 0o777 },
    ...{ modified_at: mtimeMs, generation: randomUUID(), offset: 0, size: bytes.length },
  };
  return { frame, bytes };
}
