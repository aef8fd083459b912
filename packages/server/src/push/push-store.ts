import { createHash } from "node:crypto";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@sm/core";
import { describeFileErrors, fileError, readWholeFile, replaceFile, withFileLock } from "@sm/core/files";
import type { PushDevice, PushSubscriptionData } from "@sm/router";
import * as v from "valibot";

/** Browsers of one person, on all devices, with some that are used no more. */
export const MAX_DEVICES = 50;
const MAX_BYTES = 1024 * 1024;
const MODE = 0o600;

const pushFile = v.object({
  public_key: v.string(),
  private_key: v.string(),
  devices: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      created_at: v.string(),
      endpoint: v.string(),
      p256dh: v.string(),
      auth: v.string(),
      token_id: v.nullable(v.string()),
    }),
  ),
});

type PushFile = v.InferOutput<typeof pushFile>;

/** A device, with what messages are sent to it with. */
export type SavedDevice = PushFile["devices"][number];

/** The key pair of the service, on P-256, in base64url (RFC 8292). */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * The keys and devices of a data directory, in `push.json`, which only its account can read. Nothing is kept in memory, so
 * that several processes may use the directory.
 *
 * Methods reject with AppError `UNAVAILABLE` if the file is damaged, like `withFileLock`, and as `fileError` says.
 */
export class PushStore {
  readonly #dataDir: string;
  readonly #path: string;
  readonly #makeKeys: () => Promise<PushKeys>;

  constructor(dataDir: string, makeKeys: () => Promise<PushKeys>) {
    this.#dataDir = dataDir;
    this.#path = join(dataDir, "push.json");
    this.#makeKeys = makeKeys;
  }

  /** The keys, made and kept by the first who asks. */
  async keys(): Promise<PushKeys> {
    const { public_key, private_key } = (await this.#read()) ?? (await this.#change((file) => file));
    return { publicKey: public_key, privateKey: private_key };
  }

  /** Newest first. */
  async devices(): Promise<SavedDevice[]> {
    return (await this.#read())?.devices ?? [];
  }

  /** Adds a device in place of one with the same endpoint. Rejects with AppError `CONFLICT` if there are too many. */
  async add(device: PushSubscriptionData & { name: string }, token_id: string | null): Promise<PushDevice> {
    const { name, endpoint, p256dh, auth } = device;
    const added = { id: idOf(endpoint), name, created_at: new Date().toISOString(), endpoint, p256dh, auth, token_id };
    await this.#change((file) => {
      const others = file.devices.filter(({ id }) => id !== added.id);
      if (others.length >= MAX_DEVICES) {
        throw new AppError(
          "CONFLICT",
          `There are ${MAX_DEVICES} devices already; remove one that is not used any more.`,
        );
      }
      return { ...file, devices: [added, ...others] };
    });
    return describeDevice(added);
  }

  /** Removes the devices that are matched; resolves with how many there were. */
  async remove(isMatch: (device: SavedDevice) => boolean): Promise<number> {
    const matched = (await this.devices()).filter(isMatch).length;
    if (matched === 0) return 0;
    await this.#change((file) => ({ ...file, devices: file.devices.filter((device) => !isMatch(device)) }));
    return matched;
  }

  async #change(change: (file: PushFile) => PushFile): Promise<PushFile> {
    await describeFileErrors("write", this.#dataDir, () => mkdir(this.#dataDir, { recursive: true, mode: 0o700 }));
    return withFileLock(this.#path, async () => {
      const before = await this.#read();
      const file = before ?? (await this.#newFile());
      const changed = change(file);
      if (before !== changed)
        await describeFileErrors("write", this.#path, () => this.#write(changed, before !== null));
      return changed;
    });
  }

  async #write(file: PushFile, exists: boolean): Promise<void> {
    // A file that was copied back from a backup may have any mode, and the next one would have it too.
    if (exists) await chmod(this.#path, MODE);
    await replaceFile(this.#path, `${JSON.stringify(file)}\n`, MODE);
  }

  async #newFile(): Promise<PushFile> {
    const { publicKey, privateKey } = await this.#makeKeys();
    return { public_key: publicKey, private_key: privateKey, devices: [] };
  }

  /** `null` if there is no file. */
  async #read(): Promise<PushFile | null> {
    let bytes: Uint8Array;
    try {
      bytes = await readWholeFile(this.#path, MAX_BYTES);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw fileError(error, "read", this.#path) ?? error;
    }
    try {
      return v.parse(pushFile, JSON.parse(Buffer.from(bytes).toString("utf8")));
    } catch {
      // Without its cause, which quotes the file: the private key would be in the log.
      const message = `${this.#path} is damaged. Remove it, and turn notifications on again on each device.`;
      throw new AppError("UNAVAILABLE", message);
    }
  }
}

/** A device without what messages are sent with. */
export function describeDevice({ id, name, created_at }: SavedDevice): PushDevice {
  return { id, name, created_at };
}

/** A hash, because the endpoint itself is a secret. */
function idOf(endpoint: string): string {
  return createHash("sha256").update(endpoint).digest("hex").slice(0, 32);
}
