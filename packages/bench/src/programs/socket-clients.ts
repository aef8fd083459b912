import { openSocket } from "../measure/socket.ts";

/** What the process of the clients is told. */
export type ClientsOrder = { open: number; url: string } | { toggleFavorite: string };

/** Answers to {@link ClientsOrder}: all are connected; the last one has the event, after so many milliseconds. */
export type ClientsReport = { opened: number } | { milliseconds: number };

// Idle WebSocket clients in a process of their own, so that their memory is not that of the service or the bench.

const EVENTS_TIMEOUT_MS = 30_000;
const OPENING_AT_ONCE = 50;

let url = "";
let clients = 0;
let received = 0;
let allReceived = () => {};

process.on("message", async (order: ClientsOrder) => {
  const report: ClientsReport = "open" in order ? await open(order) : await fanOut(order.toggleFavorite);
  process.send?.(report);
});

async function open(order: { open: number; url: string }): Promise<ClientsReport> {
  url = order.url;
  for (; clients < order.open; clients += OPENING_AT_ONCE) {
    const batch = await Promise.all(Array.from({ length: OPENING_AT_ONCE }, () => openSocket(url)));
    for (const socket of batch) socket.on("message", onMessage);
  }
  return { opened: clients };
}

function onMessage(data: Buffer): void {
  if (!data.includes('"sessions-diff"')) return;
  received++;
  if (received === clients) allReceived();
}

/** Changes a session and waits until every client has been told. */
async function fanOut(path: string): Promise<ClientsReport> {
  received = 0;
  const start = performance.now();
  const all = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${received} of ${clients} got the event.`)), EVENTS_TIMEOUT_MS);
    allReceived = () => {
      clearTimeout(timer);
      resolve(performance.now() - start);
    };
  });
  const body = JSON.stringify({ command: "toggle_favorite", payload: { path } });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${url}/api`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`toggle_favorite was answered with ${answer.status}.`);
  return { milliseconds: await all };
}
