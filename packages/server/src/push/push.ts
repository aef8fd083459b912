import { createECDH, generateKeyPairSync } from "node:crypto";
import { AppError, type LiveState, type TokenStore } from "@sm/core";
import { invalidPayload, type PushService } from "@sm/router";
import { type PushNotice, PushNotices, type PushNoticesOptions } from "./push-notices.ts";
import { createPushSender, isEndpoint, type PushMessage, type PushSender } from "./push-sender.ts";
import { describeDevice, type PushKeys, PushStore, type SavedDevice } from "./push-store.ts";

export interface PushOptions extends Omit<PushNoticesOptions, "tell"> {
  dataDir: string;
  tokens: Pick<TokenStore, "list">;
  sender?: PushSender;
}

/** Notifications to browsers. */
export interface Push extends PushService {
  /** Called with each change of an agent's state. */
  stateChanged(sessionId: string, state: LiveState): void;
  /** Gives up what is being sent: the process may end. */
  close(): void;
}

const ADDED: PushNotice = { news: "added", session_id: null, title: "Session Manager", text: null };

/** Creates the service for notifications. */
export function createPush({ dataDir, tokens, sender = createPushSender(), ...options }: PushOptions): Push {
  const store = new PushStore(dataDir, makeKeys);
  const notices = new PushNotices({ ...options, tell });
  const { log } = options;
  let isClosed = false;

  /** Devices, without those of tokens that have ended. */
  async function devices(): Promise<SavedDevice[]> {
    const saved = await store.devices();
    if (saved.every(({ token_id }) => token_id === null)) return saved;
    const now = new Date().toISOString();
    const valid = (await tokens.list()).filter(({ expires_at }) => expires_at === null || expires_at > now);
    const ids = new Set(valid.map(({ id }) => id));
    const isOver = ({ token_id }: SavedDevice) => token_id !== null && !ids.has(token_id);
    const over = saved.filter(isOver);
    try {
      // One may have been added again meanwhile, with a token that is newer than the list.
      await store.remove(({ id, token_id }) => over.some((device) => device.id === id && device.token_id === token_id));
    } catch (error) {
      log.warn({ err: error }, "Devices of tokens that have ended could not be removed; they are told nothing.");
    }
    return saved.filter((device) => !isOver(device));
  }

  async function sendTo(device: SavedDevice, message: PushMessage): Promise<void> {
    if ((await sender.send(device, await store.keys(), message)) === "sent") return;
    await store.remove(({ id }) => id === device.id);
    log.info({ device: device.id }, "A browser takes no notifications any more, and was removed.");
  }

  async function tell(notice: PushNotice, topic: string): Promise<void> {
    const message = messageOf(notice, topic);
    const sent = (await devices()).map(async (device) => {
      try {
        await sendTo(device, message);
      } catch (error) {
        if (!isClosed) log.warn({ err: error, device: device.id }, "A notification could not be sent.");
      }
    });
    await Promise.all(sent);
  }

  async function welcome(deviceId: string): Promise<void> {
    try {
      const device = (await store.devices()).find(({ id }) => id === deviceId);
      if (device !== undefined) await sendTo(device, messageOf(ADDED, "added"));
    } catch (error) {
      if (!isClosed)
        log.info({ err: error, device: deviceId }, "The first notification to a browser could not be sent.");
    }
  }

  return {
    async status() {
      const { publicKey } = await store.keys();
      return { public_key: publicKey, devices: (await devices()).map(describeDevice) };
    },

    async add(device, tokenId) {
      checkSubscription(device);
      // Those of tokens that have ended take no place.
      await devices();
      const added = await store.add({ ...device, endpoint: new URL(device.endpoint).href }, tokenId);
      // Not awaited: where it does not arrive, nothing else will, and the log says why.
      void welcome(added.id);
      return added;
    },

    async remove(id) {
      if ((await store.remove((device) => device.id === id)) === 0) throw unknown();
      return { id, removed: true };
    },

    stateChanged: (id, state) => notices.stateChanged(id, state),
    close() {
      isClosed = true;
      notices.close();
      sender.close();
    },
  };
}

function messageOf(notice: PushNotice, topic: string): PushMessage {
  const isWaiting = notice.news === "asks" || notice.news === "added";
  return { payload: JSON.stringify(notice), topic, urgency: isWaiting ? "high" : "normal" };
}

function checkSubscription({ endpoint, p256dh, auth }: { endpoint: string; p256dh: string; auth: string }): void {
  if (!isEndpoint(endpoint)) {
    throw invalidPayload([{ path: "endpoint", message: "Must be the HTTPS URL of a push service on the internet." }]);
  }
  if (!isPoint(p256dh)) throw invalidPayload([{ path: "p256dh", message: "Must be a point on P-256, in 65 bytes." }]);
  if (Buffer.from(auth, "base64url").length !== 16) {
    throw invalidPayload([{ path: "auth", message: "Must be 16 bytes." }]);
  }
}

/** Whether a text is a public key as the Push API gives it: an uncompressed point on the curve. */
function isPoint(text: string): boolean {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== 65) return false;
  try {
    const probe = createECDH("prime256v1");
    probe.generateKeys();
    probe.computeSecret(bytes);
    return true;
  } catch {
    return false;
  }
}

async function makeKeys(): Promise<PushKeys> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const { d = "", x = "", y = "" } = privateKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return { privateKey: d, publicKey: point.toString("base64url") };
}

function unknown(): AppError {
  return new AppError("NOT_FOUND", "There is no device with this id; list_push_devices lists all.");
}
