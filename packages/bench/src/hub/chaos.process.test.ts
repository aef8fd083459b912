import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { needsPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { expect, it } from "vitest";
import { runChaos } from "./chaos.ts";
import { HubStack } from "./hub-stack.ts";
import { SimulatedMachines } from "./simulated-machines.ts";

const BUILD = fileURLToPath(new URL("../../../../apps/headless/build.mjs", import.meta.url));

/** Built here unless everything was before the tests. */
function program(directory: string): string {
  const { SESSION_MANAGER_BUILT_BINARY: built } = process.env;
  if (built !== undefined) return built;
  const target = join(directory, "program");
  const { status, stderr } = spawnSync(process.execPath, [BUILD, target], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return join(target, "main.js");
}

/** Senders that were refused wait for up to a minute at last. */
const TIMEOUT_MS = 240_000;

it.runIf(needsPostgres())("a hub that is killed in parts has everything once", { timeout: TIMEOUT_MS }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "hub-chaos-"));
  const stack = await HubStack.start(join(directory, "servers"), program(directory));
  try {
    const result = await runChaos(stack, {
      directory: join(directory, "machines"),
      ...{ users: 2, machinesOfEach: 3, sessionsOfEach: 2, pauseMs: 150, writeForMs: 5_000 },
      killing: { apart: 1_200, down: 300 },
      async open(task) {
        const machines = new SimulatedMachines(task);
        await machines.begin();
        return {
          write: async (milliseconds) => {
            await machines.write(milliseconds);
            return machines.written;
          },
          pending: () => machines.pending(),
          expected: () => machines.expected(),
          close: () => machines.close(),
        };
      },
      say: (text) => console.error(text),
    });
    expect(result).toMatchObject({ sessions: 0, bytes: 0, lost: 0, twice: 0, gone: 0 });
    expect(result.lines).toBeGreaterThan(100);
    expect(result.kills.servers).toBeGreaterThan(0);
  } finally {
    await stack.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
