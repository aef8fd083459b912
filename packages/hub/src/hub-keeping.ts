import { AppError } from "@sm/core";
import type { Settings } from "@sm/server";
import { configDirectory, currentPlatform, loadConfig } from "@sm/server/parts";
import type { ChunkStoreSettings } from "@sm/store-postgres";

export { type HubKeeping, hubRetention, withHubKeeping } from "@sm/store-postgres";

/** The `chunk_store` of the configuration. Rejects with AppError `CONFLICT` where there is none. */
export async function chunkStoreOf(settings: Settings): Promise<ChunkStoreSettings> {
  const platform = currentPlatform();
  const { config, path } = await loadConfig(configDirectory(settings, platform), settings, platform.home);
  if (config.chunk_store !== null) return config.chunk_store;
  throw new AppError("CONFLICT", `No object store is configured; name one as "chunk_store" in ${path}.`);
}
