import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import type { S3StoreOptions } from "./s3-store.ts";

/** A bucket of a server that compares signatures. */
export interface S3Server {
  options: S3StoreOptions & { endpoint: string };
  close(): Promise<void>;
}

/** Keys that the server knows; another one takes those of `SESSION_MANAGER_TEST_S3`. */
const KEY = "S3RVER";

/**
 * Starts a server for one test file, or uses another one, such as MinIO, where
 * `SESSION_MANAGER_TEST_S3=http://key:secret@host:port/bucket` names an empty bucket.
 */
export async function startS3(): Promise<S3Server> {
  const other = process.env.SESSION_MANAGER_TEST_S3;
  if (other !== undefined) {
    const { origin, username, password, pathname } = new URL(other);
    const credentials = async () => ({ accessKeyId: username, secretAccessKey: password });
    return { options: { endpoint: origin, bucket: pathname.slice(1), credentials }, close: async () => undefined };
  }
  const directory = mkdtempSync(join(tmpdir(), "s3-"));
  const server = new S3rver({
    ...{ address: "127.0.0.1", port: 0, silent: true, directory },
    configureBuckets: [{ name: "hub", configs: [] }],
  });
  const { port } = await server.run();
  return {
    options: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: "hub",
      credentials: async () => ({ accessKeyId: KEY, secretAccessKey: KEY }),
    },
    close: async () => {
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
}
