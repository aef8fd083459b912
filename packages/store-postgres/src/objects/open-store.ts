import { DirectoryStore } from "./directory-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { findS3Credentials } from "./s3-credentials.ts";
import { S3Store } from "./s3-store.ts";

/** Where a hub keeps the bytes of chunks that come from now on; what is in the database already stays there. */
export type ChunkStoreSettings = (
  | { kind: "directory"; directory: string }
  | {
      kind: "s3";
      bucket: string;
      /** `null`: that of Amazon. */
      endpoint: string | null;
      region: string;
      prefix: string;
      /** `null`: with an endpoint. */
      path_style: boolean | null;
      /** `null`: from the environment. */
      credentials_file: string | null;
    }
) & {
  /** For how long objects stay that the database names no more: as long as copies of it are brought back. */
  removed_days: number;
};

export function openObjectStore(settings: ChunkStoreSettings): ObjectStore {
  if (settings.kind === "directory") return new DirectoryStore(settings.directory);
  const { bucket, region, prefix, endpoint, path_style: pathStyle, credentials_file: file } = settings;
  return new S3Store({
    ...{ bucket, region, prefix, credentials: () => findS3Credentials(file) },
    ...(endpoint !== null && { endpoint }),
    ...(pathStyle !== null && { pathStyle }),
  });
}
