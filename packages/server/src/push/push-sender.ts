import type { ClientRequest } from "node:http";
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

export interface PushSender {
  send: SendPush;
  /** Gives up what is being sent, and sends no more. */
  close(): void;
}

export interface SendOptions {
  /** Finds the push service; default: on the internet only. */
  lookup?: LookupFunction;
  /** Certificates of authorities to trust instead of Node's. */
  ca?: string;
  /** Time for all of a request, whatever the push service does meanwhile. */
  timeoutMs?: number;
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
export function createPushSender(options: SendOptions = {}): PushSender {
  const { lookup = internetLookup, ca, timeoutMs = TIMEOUT_MS } = options;
  const running = new Set<ClientRequest>();
  let isClosed = false;

  const send: SendPush = async ({ endpoint, p256dh, auth }, { publicKey, privateKey }, { payload, topic, urgency }) => {
    // Loaded by the first message: most services send none.
    const { generateRequestDetails } = (await import("web-push")).default;
    const details = generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      vapidDetails: { subject: SUBJECT, publicKey, privateKey },
      TTL: TTL_SECONDS,
      topic,
      urgency,
    });
    if (isClosed) throw new AppError("UNAVAILABLE", "The service is stopping.");
    const sent = request(endpoint, { method: "POST", headers: details.headers, lookup, ca });
    running.add(sent);
    const answered = statusOf(sent, timeoutMs).finally(() => running.delete(sent));
    sent.end(details.body);
    const status = await answered.catch((error: Error) => {
      const message = `The push service at ${new URL(endpoint).host} cannot be reached: ${error.message}`;
      throw new AppError("UNAVAILABLE", message, { cause: error });
    });
    if (status >= 200 && status < 300) return "sent";
    if (status === 404 || status === 410) return "gone";
    throw new AppError("UNAVAILABLE", `The push service at ${new URL(endpoint).host} answered with status ${status}.`);
  };

  return {
    send,
    close() {
      isClosed = true;
      for (const sent of running) sent.destroy(new Error("the service is stopping"));
    },
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
function statusOf(sent: ClientRequest, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => sent.destroy(new Error("it did not answer in time")), timeoutMs);
    sent.on("response", (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    sent.on("error", reject);
    sent.on("close", () => {
      clearTimeout(timer);
      // After an answer, or an error, that changes nothing. Without either, it was asked to change the protocol.
      reject(new Error("it did not answer"));
    });
  });
}
