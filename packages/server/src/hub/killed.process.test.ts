import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { needsPostgres } from "@sm/store-postgres/postgres-server.fixture";
import { expect, it } from "vitest";
import { bundleScript, WORKER_FILE } from "../script.fixture.ts";
import { startHub } from "./hub.fixture.ts";
import { header, message } from "./machine.fixture.ts";

const SENDER = fileURLToPath(new URL("killed-sender.fixture.ts", import.meta.url));
const KILLS = 10;
const WAITING = { timeout: 60_000, interval: 50 };

it.runIf(needsPostgres())("a machine and a database that are killed again and again lose nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "killed-sender-"));
  const hub = await startHub();
  let child: ChildProcess | null = null;
  try {
    await hub.newUser();
    await bundleScript(SENDER, join(folder, "sender.mjs"));
    symlinkSync(WORKER_FILE, join(folder, "worker.js"));
    const sessions = join(folder, "agent", "sessions");
    mkdirSync(sessions, { recursive: true });
    const paths = ["a", "b", "c"].map((name) => join(sessions, `${name}.jsonl`));
    for (const path of paths) writeFileSync(path, header(path));
    const start = async () => {
      const started = spawn(process.execPath, ["sender.mjs", folder, hub.url, hub.tokenFile], {
        cwd: folder,
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(started.stdout, "data");
      return started;
    };
    for (let kill = 0; kill < KILLS; kill++) {
      child = await start();
      const exit = once(child, "exit");
      for (let change = 0; change < 6; change++) {
        const path = paths[(kill + change) % 3] ?? "";
        const lines = message(`word${change} `.repeat(100)).repeat(1 + ((kill * 7 + change) % 5) * 800);
        if ((kill + change) % 5 === 0) writeFileSync(path, header(path) + lines);
        else appendFileSync(path, lines);
        await delay((kill * 37 + change * 53) % 150);
      }
      if (kill % 4 === 1) await hub.postgres.kill();
      child.kill("SIGKILL");
      await exit;
      if (kill % 4 === 1) await hub.postgres.start();
    }
    child = await start();
    await expect.poll(() => hub.machineIds().then((ids) => ids.length), WAITING).toBe(1);
    const [id = ""] = await hub.machineIds();
    for (const path of paths) {
      const wanted = readFileSync(path);
      await expect.poll(async () => (await hub.contentOf(id, path))?.equals(wanted), WAITING).toBe(true);
    }
    expect(await hub.count("session_files")).toBe(paths.length);
  } finally {
    child?.kill("SIGKILL");
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
