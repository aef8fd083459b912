import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { BATCH_TYPE, type BytesFrame, encodeBatch, hubPath } from "@sm/core";
import { startHub } from "@sm/hub";
import type { CommandInput, CommandName, CommandOutput } from "@sm/router/client";
import { withUserAccounts } from "@sm/store-postgres";
import { startPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { PATIENT } from "../patient.ts";

const pack = promisify(brotliCompress);
const log = { info: () => {}, warn: () => {}, error: () => {} };

/** A hub on a PostgreSQL of its own. Its first user is called owner. */
export interface HubService extends AsyncDisposable {
  url: string;
  ownerToken: string;
  /** Adds a user and gives their token. */
  addUser(name: string, role: "owner" | "member" | "reader"): Promise<string>;
  /** Calls a command as the user of a token; rejects where it fails. */
  call<Name extends CommandName>(token: string, name: Name, payload: CommandInput<Name>): Promise<CommandOutput<Name>>;
  /** Sends a session from a machine of the user of a token; gives its path on the hub once it is listed. */
  send(session: SentSession): Promise<string>;
}

export interface SentSession {
  token: string;
  machine: string;
  /** Name of the session file, without extension. */
  name: string;
  lines: readonly object[];
}

/**
 * Starts a server of a hub with the page of a directory.
 *
 * @param configuration of its session-manager.json; default: none, and any free port.
 */
export async function startHubService(web: string, configuration: object = { http_port: 0 }): Promise<HubService> {
  const folder = mkdtempSync(join(tmpdir(), "web-hub-"));
  const postgres = await startPostgres();
  const store = await postgres.newDatabase();
  writeFileSync(join(folder, "session-manager.json"), JSON.stringify(configuration));
  const settings = {
    "config-dir": { value: folder, source: "test" },
    "log-level": { value: "fatal", source: "test" },
  };
  const hub = await startHub({ version: "1.2.3", store, web, settings, output: { write() {} } });
  const machines = new Map<string, string>();

  const call: HubService["call"] = async (token, command, payload) => {
    const response = await fetch(`${hub.url}/api`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      body: JSON.stringify({ command, payload }),
    });
    const { success, data, error } = await response.json();
    if (!success) throw new Error(error.message);
    return data;
  };

  async function isListed(token: string, path: string): Promise<boolean> {
    const { sessions } = await call(token, "list_sessions", {});
    return sessions.some((session) => session.path === path);
  }

  return {
    url: hub.url,
    ownerToken: hub.firstToken ?? "",
    addUser: (name, role) => withUserAccounts({ url: store, log }, (accounts) => accounts.add(name, role)),
    call,
    async send({ token, machine, name, lines }) {
      const id = machines.get(machine) ?? randomUUID();
      machines.set(machine, id);
      const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      const path = `/home/x/.pi/agent/sessions/${name}.jsonl`;
      const frame: BytesFrame = {
        ...{ kind: "bytes", path, session_id: name, generation: randomUUID(), owner_path: null, format: "pi" },
        ...{ mode: 0o600, modified_at: 1_772_359_200_000, offset: 0, size: bytes.length },
      };
      const response = await fetch(`${hub.url}/api/hub`, {
        method: "POST",
        headers: { "Content-Type": BATCH_TYPE, Authorization: `Bearer ${token}` },
        body: await pack(encodeBatch({ id, name: machine }, [{ frame, bytes }])),
      });
      if (!response.ok) throw new Error(await response.text());
      const stored = hubPath(id, path);
      for (const until = Date.now() + PATIENT.timeout; !(await isListed(token, stored)); await delay(20)) {
        if (Date.now() > until) throw new Error(`${stored} was sent, and is not listed.`);
      }
      return stored;
    },
    async [Symbol.asyncDispose]() {
      await hub.close();
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
