import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "@sm/core";
import { openUserState } from "@sm/core/node";
import fc from "fast-check";
import { expect, it } from "vitest";
import { NO_OTHER_AGENTS } from "../no-other-agents.fixture.ts";
import { bundleScript } from "../script.fixture.ts";
import { createConfiguration } from "./service.ts";

const ROUNDS = Math.ceil(100 * Number(process.env.SESSION_MANAGER_TEST_SCALE ?? 1));
const MAX_DELAY_MS = 150;
const FILES = ["config/session-manager.json", "agent/settings.json", "agent/models.json"];

/** The number that every part of a configuration bears; a list of them where they differ. */
function numbersOf(bundle: JsonObject): unknown[] {
  const { server, preferences, tags, agent_settings, model_config } = bundle as unknown as {
    server: { number: number };
    preferences: { number: number };
    tags: { name: string }[];
    agent_settings: { number: number } | null;
    model_config: { number: number };
  };
  const numbers = [
    server.number,
    preferences.number,
    model_config.number,
    ...tags.map(({ name }) => Number(name.slice(1))),
  ];
  const [number = 0] = numbers;
  expect(tags).toHaveLength(number % 3 === 0 ? 1 : 2);
  numbers.push(agent_settings === null ? (number % 2 === 0 ? number : Number.NaN) : agent_settings.number);
  return [...new Set(numbers)];
}

it(`is one whole configuration after each of ${ROUNDS} kills`, { timeout: 240_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "session-manager-configuration-crash-"));
  for (const directory of ["config", "agent", "data"]) await mkdir(join(folder, directory));
  const script = join(folder, "writer.mjs");
  try {
    await bundleScript(join(import.meta.dirname, "crash-writer.fixture.ts"), script);
    let acknowledged = 0;
    let taken = 0;
    for (const delayMs of fc.sample(fc.nat(MAX_DELAY_MS), { numRuns: ROUNDS, unbiased: true })) {
      const writer = spawn(process.execPath, [script, folder, `${acknowledged + 1}`], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let printed = "";
      writer.stdout.on("data", (text) => (printed += text.toString()));
      await Promise.race([once(writer.stdout, "data"), once(writer, "close")]);
      expect(writer.exitCode).toBeNull();
      await delay(delayMs);
      writer.kill("SIGKILL");
      await once(writer, "close");
      const last = printed.trim().split("\n").at(-1) ?? "";
      if (last !== "begins") acknowledged = Number(last);

      // As if the time had passed after which a lock counts as left behind.
      for (const name of [...FILES, "data/config-change.json"]) {
        await rm(join(folder, `${name}.lock`), { recursive: true, force: true });
      }
      taken += await readFile(join(folder, "data", "config-change.json")).then(
        () => 1,
        () => 0,
      );
      const state = openUserState({ dataDir: join(folder, "data"), log: silent });
      const configuration = createConfiguration({
        path: join(folder, "config", "session-manager.json"),
        home: folder,
        agentDir: join(folder, "agent"),
        agentHome: folder,
        dataDir: join(folder, "data"),
        sessionPaths: [],
        agentSessionPaths: [],
        ...NO_OTHER_AGENTS,
        env: {},
        hubSending: { configure: () => undefined },
        library: {
          setPaths: async () => {},
          setPrices: () => {},
          setVaultSettings: () => {},
          filesIn: async () => [],
          marksChanged: () => {},
          movedSessions: async () => [],
        },
        state,
        bus: { publish: () => {} },
        log: silent,
      });
      const bundle = await configuration.bundle();
      if (acknowledged > 0 || Object.keys(bundle.server as object).length > 0) {
        const [number, ...others] = numbersOf(bundle);
        expect(others).toEqual([]);
        expect([acknowledged, acknowledged + 1]).toContain(number);
        expect((await state.versions.latest())?.bundle).toEqual(bundle);
        acknowledged = Number(number);
      }
      await state.close();
    }
    // Some kills came after a change and some in the middle of one, or this test would tell nothing.
    expect(acknowledged).toBeGreaterThan(1);
    expect(taken).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

const silent = { info: () => {}, warn: () => {}, error: () => {} };
