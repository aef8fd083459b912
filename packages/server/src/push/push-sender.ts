import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { AppError } from "@sm/core";
import type { PushSubscriptionData } from "@sm/router";
import { internetLookup, isInternetAddress } from "./internet-address.ts";
import type { PushKeys } from "./push-store.ts";

/** A message to a device, as sent. */
export interface PushMessage {
  payload: string;
  /** A later message on the same replaces one that the device has not received yet: up to 32 characters of base64url. */
  topic: string;
  /** `high` for what waits for the user. */
  urgency: "normal" | "high";
}

/** `gone`: the browser does not take messages any more. */
export type PushResult = "sent" | "gone";

export type SendPush = (device: PushSubscriptionData, keys: PushKeys, message: PushMessage) => Promise<PushResult>;

export interface SendOptions {
  /** Finds the push service; default: on the internet only. */
  lookup?: LookupFunction;
  /** Certificates of authorities to trust instead of Node's. */
  ca?: string;
}

/** Whom a push service may write to about this service (RFC 8292, 2.1). */
const SUBJECT = "https://github.com/session-manager/session-manager/issues";
/** Later than that, nobody needs to know. */
const TTL_SECONDS = 4 * 3_600;
const TIMEOUT_MS = 15_000;

/**
 * Sends messages to push services, encrypted for the browser.
 *
 * Rejects with AppError `UNAVAILABLE` if the push service cannot be reached or refuses.
 */
export function createPushSender({ lookup = internetLookup, ca }: SendOptions = {}): SendPush {
  return async ({ endpoint, p256dh, auth }, { publicKey, privateKey }, { payload, topic, urgency }) => {
    // Loaded by the first message: most services send none.
    const { generateRequestDetails } = (await import("web-push")).default;
    const details = generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      vapidDetails: { subject: SUBJECT, publicKey, privateKey },
      TTL: TTL_SECONDS,
      topic,
      urgency,
    });
    const status = await post(endpoint, details.headers, details.body, { lookup, ca }).catch((error: Error) => {
      const message = `The push service at ${new URL(endpoint).host} cannot be reached: ${error.message}`;
      throw new AppError("UNAVAILABLE", message, { cause: error });
    });
    if (status >= 200 && status < 300) return "sent";
    if (status === 404 || status === 410) return "gone";
    throw new AppError("UNAVAILABLE", `The push service at ${new URL(endpoint).host} answered with status ${status}.`);
  };
}

/** Whether an endpoint may be one of a push service: over TLS, and by its text not of this machine or network. */
export function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== "https:" || username !== "" || password !== "") return false;
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 ? address.includes(".") : isInternetAddress(address);
}

/** Resolves with the status; what else is answered is not read. */
function post(
  url: string,
  headers: Record<string, string | number>,
  body: Buffer,
  { lookup, ca }: { lookup: LookupFunction; ca: string | undefined },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: "POST", headers, lookup, ca, signal: AbortSignal.timeout(TIMEOUT_MS) },
      (answer) => {
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
