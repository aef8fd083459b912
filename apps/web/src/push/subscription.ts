import type { CommandInput } from "@sm/router/client";
import { t } from "../i18n/text.ts";

/** Whether messages can reach this browser while the page is closed, and why not. */
export type PushRight = "allowed" | "insecure" | "unsupported" | "denied";

/** Tells whether the browser can be asked for notifications while the page is closed. */
export function pushRight(): PushRight {
  if (!globalThis.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis)) {
    return "unsupported";
  }
  return Notification.permission === "denied" ? "denied" : "allowed";
}

/**
 * Asks the user and then the browser's push service for messages. Resolves with what the service needs to send them,
 * `null` if the user does not want any. Rejects if the push service cannot be reached.
 */
export async function subscribe(publicKey: string): Promise<CommandInput<"add_push_device"> | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  // One for the key of another service on this address takes no messages from this one.
  await (await pushManager.getSubscription())?.unsubscribe();
  const { endpoint, keys } = (await pushManager.subscribe(options)).toJSON();
  return {
    name: browserName(navigator.userAgent),
    endpoint: endpoint ?? "",
    p256dh: keys?.p256dh ?? "",
    auth: keys?.auth ?? "",
  };
}

/** Has the browser forget the subscription, so that nothing sent later arrives. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg/],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];
const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

/** A name for this browser, for a list of devices. */
export function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? t("push.unknown_browser");
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return system === undefined ? browser : t("push.browser_on", { browser, system });
}
