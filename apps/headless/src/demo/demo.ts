import { rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Flags } from "@sm/server";
import { writeSamples } from "./samples.ts";

/**
 * Creates a temporary folder with sample sessions, removed when the process exits.
 *
 * @returns flags that restrict the service to that folder.
 */
export async function prepareDemo(): Promise<Flags> {
  const folder = await mkdtemp(join(tmpdir(), "session-manager-demo-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const agentHome = join(folder, "pi");
  const configDir = join(folder, "config");
  await mkdir(configDir);
  await writeSamples(join(agentHome, "agent", "sessions"), Date.now());
  return { "agent-home": agentHome, "config-dir": configDir, "data-dir": join(folder, "data") };
}
