/// <reference lib="webworker" />
import { describeNotice, mustShowAll, readNotice } from "./notice.ts";
import { handlingOf, type Shell } from "./shell.ts";

// Shows notifications while no page is open, and the page without a connection to the service. It keeps the files of the
// page and nothing of what they show.

declare const self: ServiceWorkerGlobalScope;
/** Set by the build. */
declare const SHELL: Shell;

const CACHE = `page-${SHELL.version}`;
const language = new URL(self.location.href).searchParams.get("language") ?? "en";
/** Also those that were opened before the worker was there. */
const PAGES = { type: "window", includeUncontrolled: true } as const;
/** Time in which a page says whether it is being looked at. */
const ANSWER_MS = 1_000;

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([removeOldShells(), self.clients.claim()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  switch (handlingOf(request, self.location.origin)) {
    case "page":
      return event.respondWith(fetch(request).catch(async (error) => (await kept("/")) ?? Promise.reject(error)));
    case "file":
      return event.respondWith(fetch(request).catch(async (error) => (await kept(request)) ?? Promise.reject(error)));
    case "asset":
      return event.respondWith(assetOf(request));
  }
});

self.addEventListener("push", (event) => {
  event.waitUntil(tell(event.data?.text() ?? ""));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(String(event.notification.data)));
});

async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(["/", ...SHELL.files]);
  await self.skipWaiting();
}

async function removeOldShells(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

async function kept(request: Request | string): Promise<Response | undefined> {
  return (await caches.open(CACHE)).match(request);
}

async function assetOf(request: Request): Promise<Response> {
  const found = await kept(request);
  if (found !== undefined) return found;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

async function tell(message: string): Promise<void> {
  const notice = readNotice(message);
  if (notice === null || (await isKnown(notice.session_id))) return;
  const { title, body, tag, url, stays } = describeNotice(notice, language);
  await self.registration.showNotification(title, {
    body,
    tag,
    data: url,
    icon: "/icon-192.png",
    requireInteraction: stays,
  });
}

/** Whether who looks at this device sees the news. */
async function isKnown(sessionId: string | null): Promise<boolean> {
  return sessionId !== null && !mustShowAll(navigator.userAgent) && (await isLookedAt(sessionId));
}

/** Whether a page on this device shows the session to somebody. */
async function isLookedAt(sessionId: string): Promise<boolean> {
  const pages = await self.clients.matchAll(PAGES);
  const answers = pages
    .filter(({ visibilityState }) => visibilityState === "visible")
    .map((page) => ask(page, sessionId));
  return (await Promise.all(answers)).includes(true);
}

function ask(page: WindowClient, sessionId: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === true);
    setTimeout(() => resolve(false), ANSWER_MS);
    page.postMessage({ type: "is-shown", session_id: sessionId }, [port2]);
  });
}

/** Leads an open page to an address, or opens one. */
async function show(url: string): Promise<void> {
  const [page] = await self.clients.matchAll(PAGES);
  if (page === undefined) await self.clients.openWindow(url);
  else {
    page.postMessage({ type: "show", url });
    await page.focus();
  }
}
