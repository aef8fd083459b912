import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { bundleScript } from "../script.fixture.ts";
import { ShareStore } from "./share-store.ts";

it("who is killed while sharing leaves no half link, and nothing for ever", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "session-manager-killed-"));
  try {
    const script = join(folder, "sharing.mjs");
    await bundleScript(join(import.meta.dirname, "killed-sharing.fixture.ts"), script);
    const dataDir = join(folder, "data");
    const sharing = spawn(process.execPath, [script, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
    const [secret] = (await once(createInterface(sharing.stdout), "line")) as [string];
    sharing.kill("SIGKILL");
    await once(sharing, "close");

    const store = new ShareStore(dataDir);
    const page = await store.open(secret);
    expect(page === null ? null : await text(page.chunks)).toBe("page");
    const [kept, ...others] = await store.list();
    expect(others).toEqual([]);
    expect(await readdir(join(dataDir, "shares"))).toHaveLength(2);
    await store.removeExpired(Date.now() + 2 * 3_600_000);
    expect(await readdir(join(dataDir, "shares"))).toEqual([kept?.id]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
