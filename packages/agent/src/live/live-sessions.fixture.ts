import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AppError, type JsonObject, type LiveSession } from "@sm/core";
import type { StoredSession } from "./agent-starter.ts";
import { type LiveSessions, type LiveSessionsOptions, openLiveSessions } from "./live-sessions.ts";
import type { LiveEvent } from "./session-log.ts";

export const FAKE_AGENT = fileURLToPath(new URL("fake-agent.fixture.mjs", import.meta.url));

export interface LiveSetup {
  live: LiveSessions;
  /** All that was published. */
  events: LiveEvent[];
  /** All sets of paths that were told. */
  paths: string[][];
  folder: string;
  /** An existing directory. */
  cwd: string;
  agentDir: string;
  /** Resolves with the first event of a session, past or future, that fits; of those from a place on. */
  state(session: LiveSession, state: LiveSession["state"], from?: number): Promise<void>;
  record(session: LiveSession, type: string, from?: number): Promise<JsonObject>;
  /** Writes a session file with a header and tells its path. */
  store(id: string, cwd?: string): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens live sessions with the fake agent in a folder of their own. */
export async function setUpLive(
  options: Partial<LiveSessionsOptions> = {},
  env: Record<string, string> = {},
): Promise<LiveSetup> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "session-manager-live-")));
  const [cwd, agentDir] = [join(folder, "project"), join(folder, "agent")];
  await Promise.all([mkdir(cwd), mkdir(agentDir)]);
  const events: LiveEvent[] = [];
  const paths: string[][] = [];
  const waiting = new Set<() => void>();
  const live = openLiveSessions({
    enabled: true,
    command: FAKE_AGENT,
    agentDir,
    env: { ...process.env, ...env },
    resolveSession,
    publish(event) {
      events.push(event);
      for (const check of waiting) check();
    },
    onPathsChanged: (now) => paths.push([...now]),
    ...options,
  });

  function first<FoundResources>(
    find: (event: LiveEvent) => FoundResources | null,
    from: number,
  ): Promise<FoundResources> {
    return new Promise((resolve) => {
      let looked = from;
      const check = () => {
        for (; looked < events.length; looked += 1) {
          const event = events[looked];
          const found = event === undefined ? null : find(event);
          if (found === null) continue;
          waiting.delete(check);
          resolve(found);
          return;
        }
      };
      waiting.add(check);
      check();
    });
  }

  return {
    live,
    events,
    paths,
    folder,
    cwd,
    agentDir,
    state: async ({ session_id }, state, from = 0) => {
      await first(
        (one) => (one.session_id === session_id && one.type === "state" && one.state === state) || null,
        from,
      );
    },
    record: ({ session_id }, type, from = 0) =>
      first(
        (one) => (one.session_id === session_id && one.type === "event" && one.event.type === type ? one.event : null),
        from,
      ),
    async store(id, where = cwd) {
      const path = join(agentDir, "sessions", "stored", `${id}.jsonl`);
      await mkdir(dirname(path), { recursive: true });
      const header = { type: "session", version: 3, id, timestamp: "2026-01-02T03:04:05.006Z", cwd: where };
      await writeFile(path, `${JSON.stringify(header)}\n`);
      return path;
    },
    async [Symbol.asyncDispose]() {
      await live.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** As the library does it. */
async function resolveSession(path: string): Promise<StoredSession> {
  const text = await readFile(path, "utf8").catch(() => {
    throw new AppError("NOT_FOUND", `There is no session ${path}.`);
  });
  const header: unknown = JSON.parse(text.split("\n")[0] ?? "");
  const { id, cwd } = header as { id: string; cwd: string };
  const capabilities = { rename: true, fork: true, delete: true, start: true, resume_command: null };
  // A session of an agent whose files are only read.
  if (id.startsWith("foreign-")) Object.assign(capabilities, { start: false, resume_command: "other --resume 1" });
  return { path: await realpath(path), id, cwd, format: "pi", capabilities, source: "file" };
}
