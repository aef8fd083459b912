import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SessionStatistics, StatisticsOptions } from "@sm/core";
import { openLibrary } from "@sm/core/node";
import { RemoteReaders } from "@sm/core/remote";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { log, TestHub } from "../catalog/hub.fixture.ts";
import { LineReader } from "../files/line-reader.ts";
import { HubLibrary } from "../library/hub-library.ts";
import { needsPostgres, type PostgresServer, startPostgres } from "../postgres-server.fixture.ts";
import { TextSearch } from "../search/text-search.ts";
import { TokenDirectory } from "../state/token-directory.ts";
import { userStateOf } from "../state/user-state.ts";

const usage = (tokens: number, total: number) => ({
  ...{ input: tokens, output: 2 * tokens, cacheRead: 0, cacheWrite: 0, totalTokens: 3 * tokens },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total },
});

/** A session of pi with an answer each hour. */
function sessionText(
  id: string,
  cwd: string,
  { answers, from = 0, parent }: { answers: number; from?: number; parent?: string },
) {
  const time = (hour: number) => new Date(Date.parse("2026-03-01T00:10:00Z") + hour * 3_600_000).toISOString();
  const header = {
    type: "session",
    version: 3,
    id,
    timestamp: time(from),
    cwd,
    ...(parent && { parentSession: parent }),
  };
  const lines: object[] = [header];
  for (let n = 0; n < answers; n++) {
    const base = { type: "message", parentId: n === 0 ? null : `a${n - 1}` };
    const role = n % 2 === 0 ? "user" : "assistant";
    const told = role === "user" ? {} : { model: "gpt-5.2", provider: "openai", usage: usage(100 + n, 0.25 * n) };
    const content = [{ type: "text", text: `${role} ${n}` }];
    lines.push({ ...base, id: `a${n}`, timestamp: time(n), message: { role, content, ...told } });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

describe.runIf(needsPostgres())("statistics of a hub", () => {
  let server: PostgresServer;
  let hub: TestHub;
  let directory: string;
  let tokens: TokenDirectory;
  const readers = new RemoteReaders(100);

  beforeAll(async () => {
    server = await startPostgres();
    hub = await TestHub.open(await server.newDatabase());
    directory = mkdtempSync(join(tmpdir(), "session-manager-hub-"));
    tokens = new TokenDirectory(hub.database, { url: hub.url, log });
  });

  afterAll(async () => {
    await readers.stop();
    await tokens.close();
    await hub.close();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function write(name: string, text: string): Promise<void> {
    const path = join(directory, "agent", "sessions", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    await hub.sendFile(path);
  }

  /** Without what a hub names otherwise. */
  const comparable = ({ longest_sessions, ...sums }: SessionStatistics) => ({
    ...sums,
    longest: longest_sessions.map(({ id, message_count }) => [id, message_count]),
  });

  it("are those of a library at home, whatever is asked for, and grow with its sessions", async () => {
    hub.index();
    const original = join(directory, "agent", "sessions", "a.jsonl");
    await write("a.jsonl", sessionText("a", "/code/tides", { answers: 300 }));
    await write("b.jsonl", sessionText("b", "/code/moons", { answers: 40, from: 5 }));
    // A copy: what it has from the other one counts once.
    await write("c.jsonl", sessionText("c", "/code/tides", { answers: 310, from: 9, parent: original }));
    await hub.indexed();
    const state = userStateOf(hub.userId, { database: hub.database, tokens, log });
    const search = new TextSearch({ database: hub.database, readers, lines: new LineReader() });
    const there = new HubLibrary({ userId: hub.userId, database: hub.database, state, readers, search, log });
    const home = await openLibrary({
      ...{ agentDir: join(directory, "agent"), agentHome: directory, sessionPaths: [], log },
      ...{ dataDir: join(directory, "data"), watch: false },
    });
    const questions: StatisticsOptions[] = [
      { time_zone: "UTC" },
      { time_zone: "Asia/Kathmandu", stack_by: "model" },
      { time_zone: "UTC", project: "/code/tides" },
      { time_zone: "UTC", since: "2026-03-02T03:20:00.000Z", until: "2026-03-09T00:00:00.000Z" },
    ];
    try {
      await home.ready();
      for (const question of questions) {
        const expected = comparable(await home.statistics(question));
        expect(comparable(await there.statistics(question))).toEqual(expected);
      }
      await write("b.jsonl", sessionText("b", "/code/moons", { answers: 60, from: 5 }));
      await hub.indexed();
      for await (const _ of await home.scan()) {
        // Until what has grown is read.
      }
      const grown = comparable(await home.statistics(questions[0]));
      expect(comparable(await there.statistics(questions[0] ?? {}))).toEqual(grown);
      expect(grown.longest).toHaveLength(3);
    } finally {
      await home.close();
    }
  });
});
