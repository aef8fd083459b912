import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@sm/core";

/**
 * Collects the whole configuration as it stands: `server` is session-manager.json, the rest belongs to the agent. What
 * cannot be read is `null`. `auth.json` and API tokens are never part of it.
 */
export async function configBundle(server: JsonObject, agentDir: string): Promise<JsonObject> {
  return {
    version: 1,
    server,
    preferences: {},
    tags: [],
    agent_settings: await readObject(join(agentDir, "settings.json")),
    model_config: await readObject(join(agentDir, "models.json")),
  };
}

async function readObject(path: string): Promise<JsonObject | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
